import { pipeline, Readable } from 'node:stream'
import {
  AgentError,
  isJsonObject,
  parseForeignJson,
  schemaSentence,
  withoutFormulaMarks,
  type StatusListJobRow,
} from '@vidimus/core-types'
import { StatusListJobRow as RowSchema } from '@vidimus/core-types/schemas'

/** The columns of a CSV file, in any order. */
export const JOB_COLUMNS = ['credentialId', 'list', 'index', 'action', 'reason'] as const
type Column = (typeof JOB_COLUMNS)[number]

/** Anything longer is not a row of such a file. */
const MOST_ROW_BYTES = 32_768

/** A row of a file: what it says, or why it cannot be read. */
export type FileRow = { line: number } & ({ row: StatusListJobRow } | { problem: string })

interface ParsedRecord {
  record: string[]
  info: { lines: number }
}

/**
 * Reads rows as their bytes arrive; at most one row is held back.
 *
 * @param most - lines
 * @throws AgentError `malformed_body` if it is not such a file, `body_too_large`, and whatever the content throws
 */
export async function* readJobFile(
  content: AsyncIterable<Uint8Array>,
  form: 'csv' | 'ndjson',
  most: number,
): AsyncGenerator<FileRow> {
  let rows = 0
  for await (const row of form === 'csv' ? readCsv(content, most) : readNdjson(content)) {
    rows += 1
    if (rows > most) throw tooMany(most)
    yield row
  }
}

async function* readCsv(content: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<FileRow> {
  const { parse, CsvError } = await import('csv-parse')
  const parser = parse({
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MOST_ROW_BYTES,
    relax_quotes: true,
  })
  // It hands an error of the content over to the parser, which throws it below.
  pipeline(Readable.from(content), parser, () => undefined)
  let columns: Column[] | undefined
  try {
    for await (const { record, info } of parser as AsyncIterable<ParsedRecord>) {
      if (columns) yield rowOfRecord(record, columns, info.lines)
      else columns = columnsOf(record)
      // Empty lines are no rows, but take time as well.
      if (info.lines > 2 * most + 1) throw tooMany(most)
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new AgentError('malformed_body', `the file is not CSV: ${error.message}`)
  } finally {
    parser.destroy()
  }
  if (!columns) throw new AgentError('malformed_body', `the file is empty; ${HEADER}`)
}

const HEADER = `the first line must name the columns ${JOB_COLUMNS.join(',')}, of which action and either credentialId, or list and index, are required`

function columnsOf(header: readonly string[]): Column[] {
  const known = header.filter((name): name is Column => (JOB_COLUMNS as readonly string[]).includes(name))
  const names = new Set<string>(known)
  const isComplete =
    names.has('action') && (names.has('credentialId') || (names.has('list') && names.has('index')))
  if (isComplete && known.length === header.length && names.size === header.length) return known
  throw new AgentError('malformed_body', HEADER)
}

function rowOfRecord(record: readonly string[], columns: readonly Column[], line: number): FileRow {
  if (record.length !== columns.length) {
    return { line, problem: `must have ${columns.length} cells, not ${record.length}` }
  }
  const cells = columns.flatMap((name, n): [Column, string | number][] => {
    const cell = withoutFormulaMarks(record[n] ?? '')
    return cell === '' ? [] : [[name, name === 'index' ? numberIn(cell) : cell]]
  })
  return checkedRow(Object.fromEntries(cells), line)
}

/** Anything but a whole number stays a text, which is refused. */
const numberIn = (cell: string): string | number => (/^\d{1,15}$/.test(cell) ? Number(cell) : cell)

async function* readNdjson(content: AsyncIterable<Uint8Array>): AsyncGenerator<FileRow> {
  let line = 0
  for await (const bytes of linesOf(content)) {
    line += 1
    yield rowOfLine(bytes, line)
  }
}

/** Empty lines count, as they do for people: they are refused. */
function rowOfLine(bytes: Buffer, line: number): FileRow {
  let value: unknown
  try {
    value = parseForeignJson(bytes)
  } catch {
    return { line, problem: 'is not JSON' }
  }
  return isJsonObject(value) ? checkedRow(value, line) : { line, problem: 'must be a JSON object' }
}

async function* linesOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of content) {
    rest = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk])
    let from = 0
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10, from)) {
      yield rest.subarray(from, end)
      from = end + 1
    }
    rest = rest.subarray(from)
    if (rest.length > MOST_ROW_BYTES) {
      throw new AgentError('malformed_body', `the file has a line of more than ${MOST_ROW_BYTES} bytes`)
    }
  }
  if (rest.length > 0) yield rest
}

function checkedRow(value: object, line: number): FileRow {
  const { data: row, error } = RowSchema.safeParse(value, { error: schemaSentence })
  if (!row) {
    const sentences = error.issues.map(({ path, message }) => `${path.join('.')} ${message}`.trim())
    return { line, problem: sentences.join('; ') }
  }
  const { credentialId, list, index } = row
  const isNamed = (credentialId !== undefined) !== (list !== undefined || index !== undefined)
  const isComplete = credentialId !== undefined || (list !== undefined && index !== undefined)
  return isNamed && isComplete
    ? { line, row }
    : { line, problem: 'must have either credentialId, or list and index' }
}

const tooMany = (most: number) => new AgentError('body_too_large', `the file has more than ${most} rows`)
