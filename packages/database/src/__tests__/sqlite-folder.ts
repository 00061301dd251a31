import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Database } from '../index.js'

/** A data directory with a SQLite file, which several databases of this process can have open. */
export class SqliteFolder {
  private readonly opened: Database[] = []

  private constructor(readonly path: string) {}

  static async create(): Promise<SqliteFolder> {
    return new SqliteFolder(await mkdtemp(join(tmpdir(), 'vidimus-sqlite-')))
  }

  async open(options: { busyTimeoutMs?: number } = {}): Promise<Database> {
    const database = new Database({ url: null, dataDirectory: this.path, migrations: [], ...options })
    await database.lifecycle.start()
    this.opened.push(database)
    return database
  }

  async remove(): Promise<void> {
    for (const database of this.opened) await database.lifecycle.stop()
    await rm(this.path, { recursive: true })
  }
}
