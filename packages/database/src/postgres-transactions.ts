import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { AgentError, log, textOfQueue, queueName, type Counter, type QueueName } from '@vidimus/core-types'
import type pg from 'pg'
import type { RunningTransaction } from './batched-work.js'
import type { Connection } from './connection.js'
import { whyNotCommitted } from './commit-outcome.js'
import { isOrderingFailure, isUniqueViolation, orderingFailure, toDatabaseError } from './errors.js'
import type { Lane } from './lanes.js'
import type { PostgresConnection } from './postgres-connection.js'
import { HOLDING, LETTING_GO, type PostgresPool } from './postgres-pool.js'
import { ChangedHomes } from './home-versions.js'
import { sql, type Sql } from './sql.js'
import { alone, WriteQueue } from './write-queue.js'

/** How often a transaction is run before its caller hears that the database is too busy. */
const MOST_ATTEMPTS = 12
/**
 * From this attempt on, a serialisable transaction runs alone among those of lanes and those that were retried as often, and a
 * refusal by a unique constraint is final for one whose lane guards what it reads.
 */
const LAST_RESORT_FROM_ATTEMPT = 3
/** Serialisable transactions of lanes share it; one that must run alone has it exclusively. */
const TOGETHER = queueName('transactions together')
const LONGEST_PAUSE_MS = 200

/**
 * Write transactions on PostgreSQL: serialisable ones, so that what a transaction has read still holds when it
 * commits, whatever other processes do. PostgreSQL runs them concurrently and refuses one if no serial order would
 * give the same result; it is retried.
 *
 * Works of one lane change the same rows. They would conflict over and over: so they wait for each other, in this
 * process and in others, and share their COMMITs. Those whose lane guards what they read conflict over rows alone.
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

  async run<T>(work: (connection: Connection) => Promise<T>, lane: Lane | undefined): Promise<T> {
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

  private inLane<T>(work: (connection: Connection) => Promise<T>, lane: Lane): Promise<T> {
    // Those that are guarded and those that are not have transactions of their own, which wait for the same lock.
    const key = `${lane.isGuarded ? 'guarded' : 'serialisable'} ${textOfQueue(lane.name)}`
    const known = this.lanes.get(key)
    if (known) return known.run(work)
    const queue = new WriteQueue((works) => this.transact(works, lane))
    this.lanes.set(key, queue)
    const running = queue.run(work)
    void queue.idle().then(() => this.lanes.delete(key))
    return running
  }

  private async transact<T>(
    works: (transaction: RunningTransaction) => Promise<T>,
    lane: Lane | undefined,
  ): Promise<T> {
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
      const outcome = await this.attempt(works, lockedBegin(lane, attempt >= LAST_RESORT_FROM_ATTEMPT))
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
    begin: Begin,
  ): Promise<{ value: T } | 'again'> {
    try {
      return await this.pool.use(
        (connection) => transaction(connection, works, begin, this.remembered),
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
  { lock, begin, mayMissRows }: Begin,
  remembered: ReadonlySet<string>,
): Promise<{ value: T }> {
  // Before BEGIN: a transaction sees what was committed before its first statement, so it must wait before that.
  if (lock) await connection.query(lock)
  const atLast = lock ? LETTING_GO : undefined
  const running = new PostgresTransaction(connection, { begin, mayMissRows, atLast })
  const counting = new ChangedHomes(running, 'postgres', remembered)
  const value = await works(counting)
  await counting.commit([])
  return { value }
}

const SERIALIZABLE = sql`BEGIN ISOLATION LEVEL SERIALIZABLE`
const REPEATABLE_READ = sql`BEGIN ISOLATION LEVEL REPEATABLE READ`

/** Statements are sent without waiting for the responses to earlier ones. */
class PostgresTransaction implements RunningTransaction {
  readonly pipelined = true
  private begun: Promise<unknown> | undefined
  private isCommitted = false

  /** @param options - `atLast`: what is sent with COMMIT */
  constructor(
    private readonly connection: PostgresConnection,
    private readonly options: Pick<Begin, 'begin' | 'mayMissRows'> & { atLast: string | undefined },
  ) {}

  query<Row>(statement: Sql): Promise<Row[]> {
    return inOrder(this.begin(), () => this.orAgain(this.connection.query<Row>(statement)))
  }

  run(statement: Sql): Promise<number> {
    return inOrder(this.begin(), () => this.orAgain(this.connection.run(statement)))
  }

  async execute(statements: readonly Sql[]): Promise<void> {
    await statements.reduce<Promise<unknown>>(
      (before, statement) => inOrder(before, () => this.orAgain(this.connection.run(statement))),
      this.begin(),
    )
  }

  async commit(statements: readonly Sql[]): Promise<void> {
    if (this.isCommitted) return
    // If a failed statement was ignored, the COMMIT reports it.
    const before = this.execute(statements)
    const [earlier, end] = await Promise.allSettled([
      before,
      this.connection.commit(this.options.atLast ? { with: this.options.atLast } : {}),
    ])
    if (end.status === 'rejected') throw whyNotCommitted(earlier, end.reason)
    if (earlier.status === 'rejected') throw earlier.reason
    this.isCommitted = true
  }

  private begin(): Promise<unknown> {
    this.begun ??= this.connection.run(this.options.begin)
    return this.begun
  }

  /** A row that a unique constraint refuses may be there since the transaction began: when it is run again, it sees it. */
  private async orAgain<T>(answer: Promise<T>): Promise<T> {
    if (!this.options.mayMissRows) return answer
    try {
      return await answer
    } catch (error) {
      throw isUniqueViolation(error) ? orderingFailure(error) : error
    }
  }
}

/** Asks at once, and fails if an earlier statement failed, after which it would not have been sent. */
async function inOrder<T>(before: Promise<unknown>, ask: () => Promise<T>): Promise<T> {
  const answer = ask()
  const [earlier] = await Promise.allSettled([before, answer])
  if (earlier.status === 'rejected') throw earlier.reason
  return answer
}

interface Begin {
  /** waited for before */
  lock: Sql | undefined
  begin: Sql
  /** whether a unique constraint may refuse what its own reads have not shown, and it is to be run again then */
  mayMissRows: boolean
}

/**
 * The locks that a transaction waits for, and its isolation. After repeated refusals a serialisable one runs alone: in
 * a small database, they conflict on the same few pages, whatever their rows.
 *
 * The lock of all is taken last, so that its holder waits for nothing.
 */
function lockedBegin(lane: Lane | undefined, lastResort: boolean): Begin {
  const inLane = lane && sql`SELECT ${HOLDING}, pg_advisory_lock(CAST(${lockKey(lane.name)} AS BIGINT))`
  if (lane?.isGuarded) return { lock: inLane, begin: REPEATABLE_READ, mayMissRows: !lastResort }
  const together = lastResort
    ? sql`pg_advisory_lock(CAST(${lockKey(TOGETHER)} AS BIGINT))`
    : sql`pg_advisory_lock_shared(CAST(${lockKey(TOGETHER)} AS BIGINT))`
  const lock = inLane
    ? sql`${inLane}, ${together}`
    : lastResort
      ? sql`SELECT ${HOLDING}, ${together}`
      : undefined
  return { lock, begin: SERIALIZABLE, mayMissRows: false }
}

const rollBack = (client: pg.PoolClient): Promise<unknown> =>
  client.query(`ROLLBACK; ${LETTING_GO}`).catch((error: unknown) => {
    throw toDatabaseError(error)
  })

/** Advisory locks have numbers of 64 bits for names. */
export const lockKey = (name: QueueName): string =>
  createHash('sha256')
    .update(`vidimus ${textOfQueue(name)}`)
    .digest()
    .readBigInt64BE()
    .toString()
