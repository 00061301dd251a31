import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { AgentError, log, type Counter } from '@vidimus/core-types'
import type pg from 'pg'
import type { RunningTransaction } from './batched-work.js'
import type { Connection } from './connection.js'
import { whyNotCommitted } from './commit-outcome.js'
import { isOrderingFailure, toDatabaseError } from './errors.js'
import type { PostgresConnection } from './postgres-connection.js'
import { HOLDING, LETTING_GO, type PostgresPool } from './postgres-pool.js'
import { ChangedHomes } from './home-versions.js'
import { sql, type Sql } from './sql.js'
import { alone, WriteQueue } from './write-queue.js'

/** How often a transaction is run before its caller hears that the database is too busy. */
const MOST_ATTEMPTS = 12
/** From this attempt on, a transaction runs alone among those of lanes and those that were retried as often. */
const ALONE_FROM_ATTEMPT = 3
/** Transactions of lanes share it; one that must run alone has it exclusively. */
const TOGETHER = 'transactions together'
const LONGEST_PAUSE_MS = 200

/**
 * Write transactions on PostgreSQL: serialisable ones, so that what a transaction has read still holds when it
 * commits, whatever other processes do. PostgreSQL runs them concurrently and refuses one if no serial order would
 * give the same result; it is retried.
 *
 * Works of one lane change the same rows. They would conflict over and over: so they wait for each other, in this
 * process and in others, and share their COMMITs.
 *
 * @see https://www.postgresql.org/docs/current/transaction-iso.html#XACT-SERIALIZABLE
 */
export class PostgresTransactions {
  private readonly lanes = new Map<string, WriteQueue>()
  private readonly running = new Set<Promise<unknown>>()

  /**
   * @param remembered - tables whose rows are cached
   * @param repeats - counts retried transactions
   */
  constructor(
    private readonly pool: PostgresPool,
    private readonly remembered: ReadonlySet<string>,
    private readonly repeats?: Counter,
  ) {}

  /** Works that have not begun. */
  get waiting(): number {
    return [...this.lanes.values()].reduce((sum, { length }) => sum + length, this.pool.waiting)
  }

  async run<T>(work: (connection: Connection) => Promise<T>, lane: string | undefined): Promise<T> {
    const running =
      lane === undefined
        ? this.transact((transaction) => alone(work, transaction), undefined)
        : this.inLane(work, lane)
    this.running.add(running)
    try {
      return await running
    } finally {
      this.running.delete(running)
    }
  }

  /** Resolves when nothing is waiting or running. */
  async idle(): Promise<void> {
    while (this.running.size > 0) await Promise.allSettled(this.running)
  }

  private inLane<T>(work: (connection: Connection) => Promise<T>, lane: string): Promise<T> {
    const known = this.lanes.get(lane)
    if (known) return known.run(work)
    const queue = new WriteQueue((works) => this.transact(works, lane))
    this.lanes.set(lane, queue)
    const running = queue.run(work)
    void queue.idle().then(() => this.lanes.delete(lane))
    return running
  }

  private async transact<T>(
    works: (transaction: RunningTransaction) => Promise<T>,
    lane: string | undefined,
  ): Promise<T> {
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
      const outcome = await this.attempt(works, laneLock(lane, attempt >= ALONE_FROM_ATTEMPT))
      if (outcome !== 'again') return outcome.value
      this.repeats?.add(1)
      log('debug', 'a write transaction conflicted with another and is retried', { attempt })
      await setTimeout(Math.random() * Math.min(2 ** attempt, LONGEST_PAUSE_MS))
    }
    log('warn', 'a write transaction was abandoned', { attempts: MOST_ATTEMPTS })
    throw new AgentError('unavailable', 'too many concurrent changes; try again in a moment')
  }

  private async attempt<T>(
    works: (transaction: RunningTransaction) => Promise<T>,
    lock: Sql | undefined,
  ): Promise<{ value: T } | 'again'> {
    try {
      return await this.pool.use(
        (connection) => transaction(connection, works, lock, this.remembered),
        rollBack,
      )
    } catch (error) {
      if (isOrderingFailure(error)) return 'again'
      throw error
    }
  }
}

async function transaction<T>(
  connection: PostgresConnection,
  works: (transaction: RunningTransaction) => Promise<T>,
  lock: Sql | undefined,
  remembered: ReadonlySet<string>,
): Promise<{ value: T }> {
  // Before BEGIN: a transaction sees what was committed before its first statement, so it must wait before that.
  if (lock) await connection.query(lock)
  const running = new PostgresTransaction(connection, lock ? LETTING_GO : undefined)
  const counting = new ChangedHomes(running, 'postgres', remembered)
  const value = await works(counting)
  await counting.commit([])
  return { value }
}

const BEGIN = sql`BEGIN ISOLATION LEVEL SERIALIZABLE`

/** Statements are sent without waiting for the responses to earlier ones. */
class PostgresTransaction implements RunningTransaction {
  readonly pipelined = true
  private begun: Promise<unknown> | undefined
  private isCommitted = false

  /** @param atLast - what is sent with COMMIT */
  constructor(
    private readonly connection: PostgresConnection,
    private readonly atLast: string | undefined,
  ) {}

  query<Row>(statement: Sql): Promise<Row[]> {
    return inOrder(this.begin(), () => this.connection.query<Row>(statement))
  }

  run(statement: Sql): Promise<number> {
    return inOrder(this.begin(), () => this.connection.run(statement))
  }

  async execute(statements: readonly Sql[]): Promise<void> {
    await statements.reduce<Promise<unknown>>(
      (before, statement) => inOrder(before, () => this.connection.run(statement)),
      this.begin(),
    )
  }

  async commit(statements: readonly Sql[]): Promise<void> {
    if (this.isCommitted) return
    // If a failed statement was ignored, the COMMIT reports it.
    const before = this.execute(statements)
    const [earlier, end] = await Promise.allSettled([
      before,
      this.connection.commit(this.atLast ? { with: this.atLast } : {}),
    ])
    if (end.status === 'rejected') throw whyNotCommitted(earlier, end.reason)
    if (earlier.status === 'rejected') throw earlier.reason
    this.isCommitted = true
  }

  private begin(): Promise<unknown> {
    this.begun ??= this.connection.run(BEGIN)
    return this.begun
  }
}

/** Asks at once, and fails if an earlier statement failed, after which it would not have been sent. */
async function inOrder<T>(before: Promise<unknown>, ask: () => Promise<T>): Promise<T> {
  const answer = ask()
  const [earlier] = await Promise.allSettled([before, answer])
  if (earlier.status === 'rejected') throw earlier.reason
  return answer
}

/**
 * The locks that a transaction waits for. After repeated refusals it runs alone: in a small database, transactions
 * conflict on the same few pages, whatever their rows.
 *
 * The lock of all is taken last, so that its holder waits for nothing.
 */
function laneLock(lane: string | undefined, alone: boolean): Sql | undefined {
  const together = alone
    ? sql`pg_advisory_lock(CAST(${lockKey(TOGETHER)} AS BIGINT))`
    : sql`pg_advisory_lock_shared(CAST(${lockKey(TOGETHER)} AS BIGINT))`
  if (lane !== undefined)
    return sql`SELECT ${HOLDING}, pg_advisory_lock(CAST(${lockKey(lane)} AS BIGINT)), ${together}`
  return alone ? sql`SELECT ${HOLDING}, ${together}` : undefined
}

const rollBack = (client: pg.PoolClient): Promise<unknown> =>
  client.query(`ROLLBACK; ${LETTING_GO}`).catch((error: unknown) => {
    throw toDatabaseError(error)
  })

/** Advisory locks have numbers of 64 bits for names. */
export const lockKey = (name: string): string =>
  createHash('sha256').update(`vidimus ${name}`).digest().readBigInt64BE().toString()
