import assert from 'node:assert/strict'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrations as accountMigrations } from '@vidimus/custody'
import { Database, sql } from '@vidimus/database'
import { exportDatabase } from '@vidimus/database-archive'
import { migrations as ledgerMigrations } from '@vidimus/ledger-local'
import { migrations as storeMigrations } from '@vidimus/status-list-store'
import { ArchiveReader } from '../../packages/database-archive/src/archive-reader.js'
import { commandHere } from './command-here.js'
import { beginVidimus } from './vidimus-process.js'

const PASSPHRASE = 'correct horse battery staple'

/** `vidimus export` and `vidimus import` on data directories and archives of one folder. */
export class ArchiveCommands {
  private constructor(readonly folder: string) {}

  static async inFolder(): Promise<ArchiveCommands> {
    const folder = await mkdtemp(join(tmpdir(), 'vidimus-moving-'))
    await writeFile(join(folder, 'passphrase'), `${PASSPHRASE}\n`)
    return new ArchiveCommands(folder)
  }

  remove = () => rm(this.folder, { recursive: true, force: true })

  /** Another data directory, with the secret of the first one where it is to have it. */
  async directory(name: string, secretOf?: string): Promise<string> {
    const path = join(this.folder, name)
    await mkdir(path, { mode: 0o700 })
    if (secretOf) await copyFile(join(secretOf, 'kms-secret.key'), join(path, 'kms-secret.key'))
    return path
  }

  /** In a process of its own, which can be killed. */
  begin(
    command: string,
    dataDirectory: string,
    url: string,
    archive: string,
    {
      args = [],
      node = [],
      environment = {},
    }: { args?: string[]; node?: string[]; environment?: Record<string, string> } = {},
  ) {
    const words = [command, ...this.filesOf(archive), ...args]
    return beginVidimus(words, { ...environmentOf(dataDirectory, url), ...environment }, { node })
  }

  /** In this process, to its end. */
  end(command: string, dataDirectory: string, url: string, archive: string, args: string[] = []) {
    const environment = environmentOf(dataDirectory, url)
    return commandHere([command, ...this.filesOf(archive), ...args], environment)
  }

  async run(...args: Parameters<ArchiveCommands['end']>): Promise<string> {
    const { code, printed, complained } = await this.end(...args)
    assert.equal(code, 0, complained)
    return printed
  }

  private filesOf(archive: string): string[] {
    return ['--file', join(this.folder, archive), '--passphrase-file', join(this.folder, 'passphrase')]
  }

  async exported(...args: [dataDirectory: string, url: string, archive: string]) {
    const printed = await this.run('export', ...args, ['--json'])
    return JSON.parse(printed) as { sha256: string; rows: number; tables: number }
  }

  /** In an archive that is opened in milliseconds: what opening one costs is for tests of the commands. */
  async quicklyExported(url: string, archive: string) {
    const database = databaseOf(url)
    await database.lifecycle.start()
    try {
      const file = join(this.folder, archive)
      return await exportDatabase({ database, file, passphrase: PASSPHRASE, workFactor: 10 })
    } finally {
      await database.lifecycle.stop()
    }
  }

  /** The digests of the tables. */
  async contentOf(archive: string) {
    const reader = await ArchiveReader.open(join(this.folder, archive), PASSPHRASE)
    const { digests } = await reader.read(() => undefined)
    return [...digests.values()].sort((one, other) => (one.table < other.table ? -1 : 1))
  }
}

const environmentOf = (dataDirectory: string, url: string) => ({
  PATH: process.env.PATH,
  VIDIMUS_DATA_DIR: dataDirectory,
  DATABASE_URL: url,
})

/** So that an export and an import take a while; a row has 800 characters. */
export async function fillAuditTrail(url: string, rows: number): Promise<void> {
  const database = databaseOf(url)
  await database.lifecycle.start()
  await database.write((connection) =>
    connection.run(sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})
      INSERT INTO audit_event (home, time, event, outcome, detail, occurrences)
      SELECT 0, '2026-01-02T03:04:05.678Z', 'key-created', 'ok', printf('%0800d', i), 1 FROM n`),
  )
  await database.lifecycle.stop()
}

export const databaseOf = (url: string) =>
  new Database({
    url,
    migrations: [accountMigrations, ledgerMigrations, storeMigrations],
  })
