import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { AgentError, BOUNDS, withoutFormulaMarks } from '@vidimus/core-types'

/** The columns of a file of issued credentials, in any order; the first three must be there. */
export const REGISTER_COLUMNS = [
  'credentialId',
  'list',
  'index',
  'issuedAt',
  'expiresAt',
  'signingKey',
] as const

const NEEDED = 3
/** Anything longer is not a row of such a file. */
const MOST_ROW_BYTES = 65_536

type Column = (typeof REGISTER_COLUMNS)[number]

/** A row to be registered, and its place in the file. */
export interface RegisterRow {
  line: number
  /** an empty cell is none */
  credential: Partial<Record<Column, string | number>>
  /** why it is none, in place of `credential` */
  problem?: string
}

export interface RegisterRows {
  rows: RegisterRow[]
  bytes: number
}

interface ParsedRecord {
  record: string[]
  info: { lines: number; bytes: number }
}

/**
 * Reads a CSV file (RFC 4180) of issued credentials, some rows at a time, however long it is.
 *
 * @throws AgentError `invalid_input` if it is not such a file
 */
export async function* readRegisterFile(file: string): AsyncGenerator<RegisterRows> {
  const { parse, CsvError } = await import('csv-parse')
  const parser = parse({
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MOST_ROW_BYTES,
  })
  const source = createReadStream(file)
  source.on('error', (error) => parser.destroy(error))
  const records = source.pipe(parser) as AsyncIterable<ParsedRecord>
  let columns: Column[] | undefined
  let some: RegisterRows = { rows: [], bytes: 0 }
  try {
    for await (const { record, info } of records) {
      if (columns) some.rows.push(toRegisterRow(record, columns, info.lines))
      else columns = readColumns(record)
      some.bytes = info.bytes
      if (some.rows.length < BOUNDS.registeredCredentials) continue
      yield some
      some = { rows: [], bytes: info.bytes }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new AgentError('invalid_input', `${file} is not CSV: ${error.message}`)
  } finally {
    source.destroy()
  }
  if (!columns)
    throw new AgentError(
      'invalid_input',
      `${file} is empty; it must begin with ${REGISTER_COLUMNS.join(',')}`,
    )
  if (some.rows.length > 0) yield some
}

export const fileSize = async (file: string): Promise<number> => (await stat(file)).size

function readColumns(header: readonly string[]): Column[] {
  const missing = REGISTER_COLUMNS.slice(0, NEEDED).filter((name) => !header.includes(name))
  const known = header.filter((name): name is Column =>
    (REGISTER_COLUMNS as readonly string[]).includes(name),
  )
  if (missing.length === 0 && known.length === header.length && new Set(header).size === header.length)
    return known
  const message = `the first line must name the columns: ${REGISTER_COLUMNS.join(',')}, of which the first ${NEEDED} are required`
  throw new AgentError('invalid_input', message)
}

function toRegisterRow(record: readonly string[], columns: readonly Column[], line: number): RegisterRow {
  if (record.length !== columns.length) {
    return { line, credential: {}, problem: `must have ${columns.length} cells, not ${record.length}` }
  }
  const cells = columns.flatMap((name, n): [Column, string | number][] => {
    const cell = withoutFormulaMarks(record[n] ?? '')
    return cell === '' ? [] : [[name, name === 'index' ? numberIn(cell) : cell]]
  })
  return { line, credential: Object.fromEntries(cells) }
}

/** Anything but a whole number stays a text, which is refused. */
const numberIn = (cell: string): string | number => (/^\d{1,15}$/.test(cell) ? Number(cell) : cell)
