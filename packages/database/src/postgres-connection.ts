import { createHash } from 'node:crypto'
import type pg from 'pg'
import { asOrderingFailure } from './commit-outcome.js'
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
   * @param options - `with`: a statement that is sent along
   * @throws if the transaction was undone instead, as PostgreSQL does after a failed statement
   */
  async commit(options: { with?: string } = {}): Promise<void> {
    const text = options.with === undefined ? 'COMMIT' : `COMMIT; ${options.with}`
    const [result] = await this.withWarnings(() => this.sendPlain(text), asOrderingFailure)
    if (result?.command === 'COMMIT') return
    throw new DatabaseError('a statement of the transaction failed, so it was rolled back', '25P02')
  }

  /** @param failed - the error, by that of the driver and the SQLSTATEs of what the server reports beside it */
  private async withWarnings<T>(
    work: () => Promise<T>,
    failed: (error: unknown, warned: readonly string[]) => unknown,
  ): Promise<T> {
    const warned: string[] = []
    const note = ({ code }: { code?: string | undefined }) => warned.push(code ?? '')
    this.client.on('notice', note)
    try {
      return await work()
    } catch (error) {
      throw failed(error, warned)
    } finally {
      this.client.removeListener('notice', note)
    }
  }

  /** Several statements in one message, without values. */
  private async sendPlain(text: string): Promise<pg.QueryResult[]> {
    this.sendTogether()
    try {
      // An array if there are several, which the driver's types do not show.
      return [await this.client.query(text)].flat()
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
