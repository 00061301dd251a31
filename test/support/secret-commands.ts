import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrations as accountMigrations } from '@vidimus/custody'
import { Database, sql } from '@vidimus/database'
import { PrivateKeyEnvelope } from '@vidimus/kms-node'
import { migrations as ledgerMigrations } from '@vidimus/ledger-local'
import { migrations as storeMigrations } from '@vidimus/status-list-store'
import type { Client } from './client.js'
import { commandHere, type CommandOutcome } from './command-here.js'
import { refusedStart } from './refused-start.js'
import { Service } from './service.js'
import { beginVidimus } from './vidimus-process.js'

/** `vidimus secret` on a data directory of its own, and what it does to the file and the database there. */
export class SecretCommands {
  private constructor(readonly dataDirectory: string) {}

  static async inFolder(): Promise<SecretCommands> {
    return new SecretCommands(await mkdtemp(join(tmpdir(), 'vidimus-rotation-')))
  }

  remove = () => rm(this.dataDirectory, { recursive: true, force: true })

  get secretFile(): string {
    return join(this.dataDirectory, 'kms-secret.key')
  }

  start = (environment: Record<string, string> = {}) =>
    Service.start({ dataDirectory: this.dataDirectory, environment })

  begin(args: readonly string[], environment: Record<string, string> = {}, input?: string) {
    return beginVidimus(['secret', ...args], this.environmentWith(environment), { input })
  }

  /** In this process, but where there is something to read from standard input. */
  run(
    args: readonly string[],
    environment: Record<string, string> = {},
    input?: string,
  ): Promise<Omit<CommandOutcome, 'code'> & { code: number | null }> {
    if (input === undefined) return commandHere(['secret', ...args], this.environmentWith(environment))
    return this.begin(args, environment, input).closed
  }

  private environmentWith = (more: Record<string, string>) => ({
    PATH: process.env.PATH,
    VIDIMUS_DATA_DIR: this.dataDirectory,
    ...more,
  })

  async secrets(): Promise<string[]> {
    return (await readFile(this.secretFile, 'utf8')).trim().split('\n')
  }

  /** Runs statements on the database beside whoever uses it. */
  async withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
    const database = new Database({
      url: null,
      dataDirectory: this.dataDirectory,
      migrations: [accountMigrations, ledgerMigrations, storeMigrations],
    })
    await database.lifecycle.start()
    try {
      return await work(database)
    } finally {
      await database.lifecycle.stop()
    }
  }

  /** One sentence at its place in agent.yml, before anything is served. */
  async refusedToStart(environment: Record<string, string>, says: readonly string[]): Promise<void> {
    const { code, says: complained } = await refusedStart({ dataDirectory: this.dataDirectory, environment })
    assert.equal(code, 2, complained)
    assert.match(complained, /^agent\.yml:\d+:\d+ {2}privateKeyStore: the encryption secret /m)
    assert.equal(complained.match(/^agent\.yml:/gm)?.length, 1)
    for (const part of says) assert.ok(complained.includes(part), `${complained}\nmust say ${part}`)
  }
}

export const idOf = (secret: string) => new PrivateKeyEnvelope({ secret }).keyId

export const sealedTexts = async (database: Database): Promise<string[]> =>
  (
    await database.query<{ text: string }>(sql`SELECT "privateKeyHex" AS "text" FROM "private-key"
      UNION ALL SELECT "sealed_key" FROM "status_list_order"
      UNION ALL SELECT "sealed_key" FROM "status_list_key"
      UNION ALL SELECT "sealed" FROM "secret_check"
      UNION ALL SELECT "sealed" FROM "status_list_secret_check"`)
  ).map(({ text }) => text)

export const sealedWith = async (database: Database): Promise<Set<string>> =>
  new Set((await sealedTexts(database)).map((text) => text.split('.')[1] ?? ''))

/** The key of the DID signs. */
export async function signs(client: Client, did: string): Promise<void> {
  await client.ok('POST', '/credential/issue', {
    json: { issuerDid: did, subjectDid: did, attributes: { degree: 'Master' } },
  })
}
