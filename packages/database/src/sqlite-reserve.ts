import { randomBytes } from 'node:crypto'
import { rm, stat, writeFile } from 'node:fs/promises'

/** For the index of a write-ahead log: SQLite rebuilds it at a start, 32 KiB for each 16 MB of the log. */
const BYTES = 262_144

/**
 * Room on the disk for a start on a full one: SQLite needs a little even to read. It is a file beside the database,
 * which is removed when it is needed and restored when there is room.
 */
export class SqliteReserve {
  private readonly path: string

  constructor(file: string) {
    this.path = `${file}-reserve`
  }

  /** Takes as much of it as there is room for. */
  async keep(): Promise<void> {
    if ((await this.bytes()) === BYTES) return
    // Zeros would reserve nothing if the file system compresses.
    await writeFile(this.path, randomBytes(BYTES), { mode: 0o600 }).catch(() => undefined)
  }

  /** @returns whether there was any */
  async giveUp(): Promise<boolean> {
    const bytes = await this.bytes()
    await rm(this.path, { force: true })
    return bytes > 0
  }

  private async bytes(): Promise<number> {
    return (await stat(this.path).catch(() => undefined))?.size ?? 0
  }
}
