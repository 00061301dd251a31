import { createHash } from 'node:crypto'
import { AgentError } from '@vidimus/core-types'
import { sql, type Database, type Reader } from '@vidimus/database'
import {
  FORMAT,
  FORMAT_VERSION,
  SCHEMA,
  type ArchivedTable,
  type ArchiveEnd,
  type ArchiveHead,
  type ArchiveProgress,
} from './archive-format.js'
import { databaseTables, lastNumber, type DatabaseTable } from './database-tables.js'
import { quoted } from './quoted.js'
import { writeSealedFile } from './sealed-file.js'
import { RowDigest, tableRows } from './table-rows.js'

export interface ExportOptions {
  /** opened */
  database: Database
  /** must not exist */
  file: string
  /** at least 12 characters */
  passphrase: string
  onProgress?: (progress: ArchiveProgress) => void
  /** ends it, and leaves nothing behind */
  signal?: AbortSignal
  /** of scrypt, as a power of two: what one attempt at the passphrase costs; default 18 */
  workFactor?: number
}

/** The result of an export. */
export interface ExportSummary extends ArchiveEnd {
  file: string
}

/**
 * Writes everything that a database contains into an encrypted archive, as of one moment, while others keep changing
 * it. Sealed texts stay sealed: the secret is not in the archive.
 *
 * @throws AgentError `invalid_input` for a file that exists or cannot be written, a passphrase that is too short, or
 *   tables that cannot be archived
 */
export async function exportDatabase(options: ExportOptions): Promise<ExportSummary> {
  const { database, file } = options
  let end: ArchiveEnd | undefined
  const onEnd = (found: ArchiveEnd) => (end = found)
  await database.readConsistently((reader) =>
    writeSealedFile(file, archiveText(reader, options, onEnd), options),
  )
  if (!end) throw new AgentError('internal_error', 'the archive has no end')
  return { file, ...end }
}

async function* archiveText(
  reader: Reader,
  { database: { dialect }, onProgress }: ExportOptions,
  onEnd: (end: ArchiveEnd) => void,
): AsyncGenerator<string> {
  const head = await readHead(reader, dialect)
  const total = head.tables.reduce((sum, { rows }) => sum + rows, 0)
  const hash = createHash('sha256')
  const text = (...lines: string[]) => {
    const joined = `${lines.join('\n')}\n`
    hash.update(joined)
    return joined
  }
  yield text(JSON.stringify(head))
  let done = 0
  for (const table of head.tables) {
    const digest = new RowDigest()
    yield text(JSON.stringify({ table: table.name }))
    for await (const lines of tableRows(reader, dialect, table)) {
      digest.add(lines)
      yield text(...lines)
      done += lines.length
      onProgress?.({ step: 'reading', table: table.name, done, total })
    }
    if (digest.rows !== table.rows)
      throw new AgentError('internal_error', `the table ${table.name} has no order`)
    yield text(JSON.stringify(digest.of(table.name)))
  }
  const end = { tables: head.tables.length, rows: total, sha256: hash.copy().digest('hex') }
  onEnd(end)
  yield text(JSON.stringify({ end }))
}

async function readHead(reader: Reader, dialect: Database['dialect']): Promise<ArchiveHead> {
  const tables: ArchivedTable[] = []
  for (const table of await databaseTables(reader, dialect)) {
    tables.push(await archivedTable(reader, dialect, table))
  }
  return {
    format: FORMAT,
    version: FORMAT_VERSION,
    schema: SCHEMA,
    createdAt: new Date().toISOString(),
    dialect,
    migrations: await appliedMigrations(reader),
    tables,
  }
}

async function archivedTable(
  reader: Reader,
  dialect: Database['dialect'],
  table: DatabaseTable,
): Promise<ArchivedTable> {
  const { name, columns, key, numbered } = table
  const [counted] = await reader.query<{ rows: number }>(sql`SELECT COUNT(*) AS "rows" FROM ${quoted(name)}`)
  return {
    name,
    columns,
    key,
    rows: counted?.rows ?? 0,
    ...(numbered !== undefined && {
      numbered: { column: numbered, last: await lastNumber(reader, dialect, { ...table, numbered }) },
    }),
  }
}

const appliedMigrations = async (reader: Reader): Promise<string[]> =>
  (await reader.query<{ name: string }>(sql`SELECT name FROM migrations ORDER BY timestamp, name`)).map(
    ({ name }) => name,
  )
