import type { Connection } from './connection.js'
import { isOrderingFailure } from './errors.js'
import { sql, type Sql } from './sql.js'

/** A running transaction, as its engine has it. */
export interface RunningTransaction extends Pick<Connection, 'query' | 'run'> {
  /** Runs them one after the other, in one go, and none after one that fails. */
  execute(statements: readonly Sql[]): Promise<void>
  /** Runs them and COMMIT so. */
  commit(statements: readonly Sql[]): Promise<void>
  /** whether statements go to the database without waiting for earlier ones, which still run first */
  readonly pipelined: boolean
}

interface Sent {
  statement: Sql
  refused: ((error: unknown) => unknown) | undefined
}

const SAVEPOINT = sql`SAVEPOINT work`
const RELEASE = sql`RELEASE SAVEPOINT work`
const ROLL_BACK = sql`ROLLBACK TO SAVEPOINT work`

/** The connection of one work: keeps what it sends until it must ask the database. */
export class BatchedWork implements Connection {
  private waiting: Sent[] = []
  /** of sent statements, or of serialisation: the work may have turned it into another error */
  private failure: { error: unknown } | undefined
  private savepoint: 'none' | 'wanted' | 'open'
  /** called once its transaction is committed */
  readonly ends: (() => void)[] = []

  /** @param within - a savepoint, so that it can be undone alone */
  constructor(
    private readonly transaction: RunningTransaction,
    within: 'transaction' | 'savepoint' = 'transaction',
    readonly shared: object = {},
  ) {
    this.savepoint = within === 'savepoint' ? 'wanted' : 'none'
  }

  query<Row>(statement: Sql): Promise<Row[]> {
    // Reads need no savepoint, and if each trip is waited for, none is set.
    const reads =
      this.waiting.length === 0 &&
      !this.transaction.pipelined &&
      /^\s*SELECT\b/.test(firstFragment(statement))
    return this.afterSent(() => this.transaction.query<Row>(statement), reads)
  }

  queryApart<Row>(statement: Sql): Promise<Row[]> {
    const waiting = this.waiting
    this.waiting = []
    const answer = this.query<Row>(statement)
    this.waiting = [...waiting, ...this.waiting]
    return answer
  }

  run(statement: Sql): Promise<number> {
    return this.afterSent(() => this.transaction.run(statement), false)
  }

  send(statement: Sql, refused?: Sent['refused']): void {
    this.waiting.push({ statement, refused })
  }

  whenCommitted(then: () => void): void {
    this.ends.push(then)
  }

  /** @throws what `work` throws, or a failure of its statements that may not be ignored */
  async outcomeOf<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    let value: T
    try {
      value = await work(this)
    } catch (error) {
      throw this.failure ? this.failure.error : error
    }
    if (this.failure) throw this.failure.error
    return value
  }

  /** Ends the transaction, together with what waits. */
  commit(): Promise<void> {
    return this.flush((statements) => this.transaction.commit(statements))
  }

  /** Ends the savepoint, together with what waits. */
  async release(): Promise<void> {
    if (this.savepoint === 'wanted' && this.waiting.length === 0) return
    this.send(RELEASE)
    await this.flush()
  }

  /** Undoes only the work. @throws if the transaction cannot continue */
  async undo(): Promise<void> {
    this.waiting = []
    if (this.savepoint === 'open') await this.transaction.execute([ROLL_BACK, RELEASE])
  }

  private async afterSent<T>(ask: () => Promise<T>, onlyReads: boolean): Promise<T> {
    if (this.failure) throw this.failure.error
    const nothingWaits = this.waiting.length === 0 && this.savepoint !== 'wanted'
    const sent = onlyReads || nothingWaits ? undefined : this.flush()
    const { pipelined } = this.transaction
    try {
      if (sent && !pipelined) await sent
      const answer = ask()
      if (sent && pipelined) {
        // It also fails if an earlier statement failed, whose error counts.
        answer.catch(() => undefined)
        await sent
      }
      return await answer
    } catch (error) {
      // The whole transaction must be retried, however the work handles the failure.
      if (isOrderingFailure(error)) this.failure ??= { error }
      throw error
    }
  }

  private async flush(
    execute = (statements: readonly Sql[]) => this.transaction.execute(statements),
  ): Promise<void> {
    const sent = this.waiting
    this.waiting = []
    const statements = sent.map(({ statement }) => statement)
    if (this.savepoint === 'wanted') {
      statements.unshift(SAVEPOINT)
      this.savepoint = 'open'
    }
    try {
      await execute(statements)
    } catch (error) {
      this.failure ??= { error: isOrderingFailure(error) ? error : refusedStatement(error, sent) }
      throw this.failure.error
    }
  }
}

function refusedStatement(error: unknown, sent: readonly Sent[]): unknown {
  for (const { refused } of sent) {
    const refusal = refused ? refused(error) : error
    if (refusal !== error) return refusal
  }
  return error
}

const firstFragment = ({ fragments }: Sql): string => fragments[0] ?? ''
