import { createHash } from 'node:crypto'
import type pg from 'pg'
import { asOrderingFailure, UNREPLICATED } from './commit-outcome.js'
import type { Connection } from './connection.js'
import { DatabaseError, toDatabaseError } from './errors.js'
import { loadPg } from './load-pg.js'
import type { Sql } from './sql.js'

/** Statements prepared on each connection: more than the service has, except those built from lists. */
const MAX_PREPARED = 256

/** The types that `SqlValue` has as numbers (INT2, INT4, INT8), and as bytes (BYTEA), by their numbers in `pg_type`. */
const WHOLE_NUMBERS = new Set<number>([21, 23, 20])
const BYTES = 17

/** Reads columns as SQLite would: numbers, bytes and otherwise text. */
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser: (type) => {
    if (WHOLE_NUMBERS.has(type)) return Number
    return Number(type) === BYTES ? parseBytes() : asItIs
  },
}

const parseBytes = () => loadPg().types.getTypeParser(BYTES) as (text: string) => Buffer
const asItIs = (text: string) => text

/**
 * A connection of a pool, while it is in use. Statements are prepared once: the same text has the same name on every
 * connection.
 */
export class PostgresConnection implements Pick<Connection, 'query' | 'run'> {
  /** why it must be closed, although its last work has succeeded */
  lost: Error | undefined

  constructor(
    private readonly client: pg.PoolClient,
    private readonly names: StatementNames,
  ) {}

  async query<Row>(statement: Sql): Promise<Row[]> {
    return (await this.send(statement)).rows as Row[]
  }

  async run(statement: Sql): Promise<number> {
    return (await this.send(statement)).rowCount ?? 0
  }

  /**
   * @param options - `with`: a statement that is sent along; if it fails although COMMIT was completed, the connection is
   *   {@link lost}
   * @throws if the transaction was undone instead, as PostgreSQL does after a failed statement; if the server warns
   */
  async commit(options: { with?: string } = {}): Promise<void> {
    const text = options.with === undefined ? 'COMMIT' : `COMMIT; ${options.with}`
    const heard = { isCommitted: false, warned: [] as string[] }
    try {
      await this.hearing(heard, () => this.sendPlain(text))
    } catch (error) {
      if (!heard.isCommitted) throw asOrderingFailure(error, heard.warned)
      this.lost = error as Error
    }
    if (!heard.isCommitted)
      throw new DatabaseError('a statement of the transaction failed, so it was rolled back', '25P02')
    if (heard.warned.includes(UNREPLICATED))
      throw new DatabaseError('the database warned that the change may be lost', UNREPLICATED)
  }

  /** The driver drops the results before an error, and what the server says beside them: here it is noted until COMMIT. */
  private async hearing(
    heard: { isCommitted: boolean; warned: string[] },
    work: () => Promise<unknown>,
  ): Promise<void> {
    const warn = ({ code = '' }: { code?: string | undefined }) => {
      if (!heard.isCommitted) heard.warned.push(code)
    }
    const complete = ({ text }: { text: string }) => {
      heard.isCommitted ||= text === 'COMMIT'
      // Warnings before the end of an earlier statement are its own.
      if (!heard.isCommitted) heard.warned = []
    }
    const { client } = this
    client.on('notice', warn)
    client.connection.on('commandComplete', complete)
    try {
      await work()
    } finally {
      client.removeListener('notice', warn)
      client.connection.removeListener('commandComplete', complete)
    }
  }

  /** Several statements in one message, without values. */
  private async sendPlain(text: string): Promise<void> {
    this.sendTogether()
    try {
      await this.client.query(text)
    } catch (error) {
      throw toDatabaseError(error, text)
    }
  }

  private async send(statement: Sql): Promise<pg.QueryResult> {
    const text = statement.text('postgres')
    const name = this.names.of(text)
    this.sendTogether()
    try {
      const values = [...statement.values]
      return await this.client.query(name === undefined ? { text, values } : { name, text, values })
    } catch (error) {
      throw toDatabaseError(error, text)
    }
  }

  /** What follows without waiting goes to the server in one packet: each costs a call of the system, here and there. */
  private sendTogether(): void {
    const { stream } = this.client.connection
    if (stream.writableCorked > 0) return
    stream.cork()
    process.nextTick(() => stream.uncork())
  }
}

/** Names for statements, which are their texts' digests: names longer than 63 characters would be cut. */
export class StatementNames {
  private readonly names = new Map<string, string>()

  of(text: string): string | undefined {
    const known = this.names.get(text)
    if (known !== undefined || this.names.size >= MAX_PREPARED) return known
    const name = createHash('sha256').update(text).digest('hex').slice(0, 32)
    this.names.set(text, name)
    return name
  }
}
