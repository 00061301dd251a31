import { createHash } from 'node:crypto'
import { AgentError } from '@vidimus/core-types'
import {
  FORMAT,
  FORMAT_VERSION,
  type ArchivedTable,
  type ArchiveEnd,
  type ArchiveHead,
  type TableDigest,
} from './archive-format.js'
import { SealedFile } from './sealed-file.js'
import { RowDigest } from './table-rows.js'

/** Rows of one table, which follow each other. */
export interface ArchivedRows {
  table: ArchivedTable
  /** each a JSON list of the values of its columns */
  lines: readonly string[]
}

/** The archive's trailer, verified. */
export interface ArchiveContent extends ArchiveEnd {
  digests: ReadonlyMap<string, TableDigest>
}

/** An archive whose passphrase fits. */
export class ArchiveReader {
  private constructor(
    private readonly file: SealedFile,
    readonly head: ArchiveHead,
  ) {}

  /** @throws AgentError `invalid_input` for another passphrase, another file, another version of the format */
  static async open(path: string, passphrase: string): Promise<ArchiveReader> {
    const file = await SealedFile.open(path, passphrase)
    for await (const [first = ''] of file.lines()) return new ArchiveReader(file, parseHead(path, first))
    throw new AgentError('invalid_input', `${path} is empty`)
  }

  /**
   * Reads everything, from the beginning. Errors in a table may be found after rows of it were passed on.
   *
   * @param take - gets the rows, some at a time, and may make the reading wait
   * @throws AgentError `invalid_input` if the archive was changed or cut off; and what `take` throws
   */
  async read(take: (rows: ArchivedRows) => Promise<void> | void): Promise<ArchiveContent> {
    const contents = new ContentCheck(this.file.path, this.head.tables)
    let first = true
    for await (const lines of this.file.lines()) {
      if (first) contents.skip(lines.splice(0, 1))
      first = false
      for (const rows of contents.take(lines)) await take(rows)
    }
    return contents.result()
  }
}

function parseHead(path: string, line: string): ArchiveHead {
  const head = parsed(line) as Partial<ArchiveHead> | undefined
  if (head?.format !== FORMAT || !Array.isArray(head.tables) || !Array.isArray(head.migrations)) {
    throw new AgentError('invalid_input', `${path} is not an archive of this service`)
  }
  if (head.version !== FORMAT_VERSION) {
    throw new AgentError(
      'invalid_input',
      `${path} is an archive of the format ${String(head.version)}, and only ${FORMAT_VERSION} is known; ` +
        'import it with the version of the service that wrote it',
    )
  }
  return head as ArchiveHead
}

/** Follows the lines of an archive behind its head: a title, rows and a digest for each table, and the end. */
class ContentCheck {
  private readonly hash = createHash('sha256')
  private readonly digests = new Map<string, TableDigest>()
  private current: { table: ArchivedTable; digest: RowDigest } | undefined
  private end: ArchiveEnd | undefined
  private rows = 0

  constructor(
    private readonly path: string,
    private readonly tables: readonly ArchivedTable[],
  ) {}

  skip(lines: readonly string[]): void {
    for (const line of lines) this.hash.update(line).update('\n')
  }

  *take(lines: readonly string[]): Generator<ArchivedRows> {
    for (let n = 0; n < lines.length;) {
      const next = lines.findIndex((line, at) => at >= n && !line.startsWith('['))
      const rows = lines.slice(n, next < 0 ? lines.length : next)
      if (rows.length > 0) yield this.takeRows(rows)
      n += rows.length
      const line = lines[n]
      if (line !== undefined) this.takeMark(line)
      n += 1
    }
  }

  result(): ArchiveContent {
    if (!this.end) throw this.wrong('it has no end')
    return { ...this.end, digests: this.digests }
  }

  private takeRows(lines: readonly string[]): ArchivedRows {
    if (!this.current || this.end) throw this.wrong('rows belong to no table')
    this.current.digest.add(lines)
    this.skip(lines)
    return { table: this.current.table, lines }
  }

  private takeMark(line: string): void {
    const mark = parsed(line) as { table?: unknown; sha256?: unknown; end?: ArchiveEnd } | undefined
    if (this.end || !mark) throw this.wrong('it has data after its end')
    if (mark.end) this.takeEnd(mark.end)
    else if (mark.sha256 === undefined) this.beginTable(mark.table)
    else this.endTable(line)
    this.skip([line])
  }

  private beginTable(name: unknown): void {
    const table = this.tables[this.digests.size]
    if (this.current || table?.name !== name || !table)
      throw this.wrong(`the table ${String(name)} is not expected`)
    this.current = { table, digest: new RowDigest() }
  }

  private endTable(line: string): void {
    const { table, digest } = this.current ?? {}
    const found = table && digest?.of(table.name)
    if (!found || JSON.stringify(found) !== line || found.rows !== table.rows) {
      throw this.wrong(`the rows of the table ${table?.name} differ from those that were exported`)
    }
    this.digests.set(table.name, found)
    this.rows += found.rows
    this.current = undefined
  }

  private takeEnd(end: ArchiveEnd): void {
    const sha256 = this.hash.copy().digest('hex')
    const complete = this.digests.size === this.tables.length && end.rows === this.rows
    if (!complete || this.current || end.sha256 !== sha256) throw this.wrong('its digest does not match')
    this.end = end
  }

  private wrong(reason: string): AgentError {
    return new AgentError('invalid_input', `${this.path} is damaged and cannot be used: ${reason}`)
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    // Anything but JSON is unexpected.
    return undefined
  }
}
