import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Database, sql } from '@vidimus/database'
import {
  LedgerError,
  type DidDocWithMetadata,
  type LedgerMessage,
  type ResourceMetadata,
} from '@vidimus/ledger'
import { EmbeddedLedger, migrations } from '@vidimus/ledger-local'
import { refusedPaths } from './member-paths.js'
import type { Outcome, Room } from './room.js'

const ALL = 1_000_000

/** Kept in memory where the system has such a folder: every message of every case is committed by itself. */
const IN_MEMORY = '/dev/shm'

/** `@vidimus/ledger-local` on an SQLite database of its own. */
export class EmbeddedRoom implements Room {
  readonly name = 'ledger-local'
  private time = new Date()
  private isEmpty = true
  private tables: readonly { name: string }[] | undefined
  private readonly ledger: EmbeddedLedger

  private constructor(
    private readonly database: Database,
    private readonly folder: string,
  ) {
    this.ledger = new EmbeddedLedger({ network: 'testnet', database, now: () => this.time })
  }

  static async open(): Promise<EmbeddedRoom> {
    const folder = await mkdtemp(join(existsSync(IN_MEMORY) ? IN_MEMORY : tmpdir(), 'vidimus-golden-'))
    const database = new Database({
      url: `sqlite:${join(folder, 'ledger.sqlite')}`,
      migrations: [migrations],
    })
    await database.lifecycle.start()
    return new EmbeddedRoom(database, folder)
  }

  async close(): Promise<void> {
    await this.database.lifecycle.stop()
    await rm(this.folder, { recursive: true })
  }

  async reset(): Promise<void> {
    if (this.isEmpty) return
    this.tables ??= await this.database.query<{ name: string }>(
      sql`SELECT "name" FROM "sqlite_master" WHERE "type" = 'table' AND "name" LIKE 'ledger_%'`,
    )
    const statements = this.tables.map(({ name }) => statement(`DELETE FROM "${name}"`))
    await this.database.write(async (write) => {
      for (const each of statements) await write.run(each)
    })
    this.isEmpty = true
  }

  async submit(message: LedgerMessage, time: Date): Promise<Outcome> {
    this.time = time
    try {
      const { didDoc, resource } = await this.ledger.submit(message)
      this.isEmpty = false
      if (didDoc) return { didDoc }
      if (resource) return { resource }
      throw new TypeError('a receipt of nothing')
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error
      const { codespace, code, message: log } = error
      const paths = refusedPaths(error, message.type === 'createResource')
      return { refused: { codespace, code, log, paths } }
    }
  }

  async versionsOf(did: string): Promise<DidDocWithMetadata[]> {
    const versions = await this.ledger.listDidDocVersions(did, { limit: ALL })
    const documents = await Promise.all(
      versions.map(({ versionId }) => this.ledger.getDidDoc(did, versionId)),
    )
    return documents.flatMap((document) => document ?? [])
  }

  collectionOf(collectionId: string): Promise<Partial<ResourceMetadata>[]> {
    return this.ledger.listResources(collectionId, { limit: ALL })
  }
}

/** Of a text that is made here. */
const statement = (text: string) => sql(Object.assign([text], { raw: [text] }))
