import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql, Sql } from '@vidimus/database'
import { answered } from './compare.js'
import type { Installation } from './installation.js'
import type { Known } from './known.js'
import { OPERATIONS } from './operations.js'

/** SQLite's log begins anew where it has 64 MB, which these do not fill. */
const CALLS = 100

/**
 * How many bytes a write costs the disk, in the midst of others of its kind and with one checkpoint for all of them: on SQLite
 * the pages that are moved into the file, each once however often it was changed; on PostgreSQL the log, which has each page
 * whole where it is changed for the first time. Nothing else that the machine does changes them.
 *
 * @returns by the name of the operation
 */
export async function diskBytesOfWrites(
  installation: Installation,
  known: Known,
  calls = CALLS,
  operations = OPERATIONS.writes,
): Promise<Map<string, number>> {
  const bytesSince = installation.dialect === 'sqlite' ? sqliteBytes : postgresBytes
  const found = new Map<string, number>()
  let n = 3_000_000
  for (const { name, connections, call } of operations) {
    if (connections > 1) continue
    // SQLite's log is empty then.
    if (installation.dialect === 'sqlite') {
      await installation.stop()
      await installation.start()
    }
    const bytes = await bytesSince(installation)
    for (let done = 0; done < calls; done += 1)
      await answered(installation.service.url, known.apiKey, call(known, (n += 1)))
    found.set(name, (await bytes()) / calls)
  }
  return found
}

async function postgresBytes(installation: Installation): Promise<() => Promise<number>> {
  const position = () =>
    installation.withDatabase(async (database) => {
      const [row] = await database.query<{ bytes: string }>(
        sql`SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS "bytes"`,
      )
      return Number(row?.bytes)
    })
  await installation.withDatabase((database) => database.query(new Sql(['CHECKPOINT'], [])))
  const before = await position()
  return async () => (await position()) - before
}

const HEADER = 32
const FRAME_HEADER = 24

/** @see https://www.sqlite.org/fileformat2.html#the_write_ahead_log */
function sqliteBytes({ folder }: Installation): Promise<() => Promise<number>> {
  return Promise.resolve(async () => {
    const log = await readFile(join(folder, 'agent.sqlite-wal'))
    const pageSize = log.readUInt32BE(8)
    const salts = log.toString('hex', 16, 24)
    const pages = new Set<number>()
    const frame = FRAME_HEADER + pageSize
    for (let at = HEADER; at + frame <= log.length; at += frame) {
      // frames of a log before this one have other salts
      if (log.toString('hex', at + 8, at + 16) !== salts) break
      pages.add(log.readUInt32BE(at))
    }
    return pages.size * pageSize
  })
}
