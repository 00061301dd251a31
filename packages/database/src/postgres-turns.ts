import { isAgentError, type QueueName } from '@vidimus/core-types'
import { isAway } from './errors.js'
import type { PostgresConnection } from './postgres-connection.js'
import type { PostgresPool } from './postgres-pool.js'
import { SILENT_MS } from './postgres-session.js'
import { lockKey } from './postgres-transactions.js'
import { sql } from './sql.js'
import { IMPATIENT_MS, type TurnOptions } from './turn-options.js'

/**
 * Queues the works of one name of all processes on a database in the order of their requests, which PostgreSQL's
 * locks keep. It is a courtesy, not a guarantee: a work proceeds without the lock if it does not get it in time.
 */
export class PostgresTurns {
  private taken = 0
  /** works that wait for a connection, each notified whether it has one */
  private readonly waiting = new Set<(lent: boolean) => void>()

  /**
   * @param pool - its connections hold locks while works last
   * @param mostNow - how many of them may currently be used for this; 0: no queueing
   */
  constructor(
    private readonly pool: PostgresPool,
    private readonly mostNow: () => number,
  ) {}

  /** @throws AgentError `unavailable` if the database cannot be used, and what `work` throws */
  async take<T>(name: QueueName, work: () => Promise<T>, { patient = false }: TurnOptions = {}): Promise<T> {
    if (this.mostNow() === 0) return work()
    const end = performance.now() + IMPATIENT_MS
    const lent = await this.borrow(patient ? undefined : IMPATIENT_MS)
    if (!lent) return work()
    const limitMs = patient ? SILENT_MS : Math.max(1, Math.ceil(end - performance.now()))
    return this.lend(lockKey(name), work, limitMs)
  }

  /** Waits until another connection may be taken. @returns `false` if not in time */
  private async borrow(limitMs: number | undefined): Promise<boolean> {
    if (this.taken < this.mostNow()) {
      this.taken += 1
      return true
    }
    return new Promise((resolve) => {
      const tell = (lent: boolean) => {
        clearTimeout(timer)
        this.waiting.delete(tell)
        resolve(lent)
      }
      const timer = limitMs === undefined ? undefined : setTimeout(() => tell(false), limitMs)
      this.waiting.add(tell)
    })
  }

  /** Releasing the lock must not delay the result of `work`, as it takes long if the database is away by then. */
  private lend<T>(key: string, work: () => Promise<T>, limitMs: number): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let begun = false
      const run = async () => {
        begun = true
        await work().then(resolve, reject)
      }
      const inTurn = async (connection: PostgresConnection) => {
        await connection.query(waitFor(key, limitMs))
        await run()
        await connection.query(giveBack(key))
      }
      this.pool
        .use(inTurn, (client) =>
          client.query("SELECT pg_advisory_unlock_all(), set_config('lock_timeout', '0', false)"),
        )
        .catch((error: Error) => {
          if (begun) return
          if (ranOutOfTime(error)) void run()
          else {
            reject(error)
            // Waiting works get errors from their own statements; waiting this long before that is useless.
            if (isAway(error)) for (const tell of [...this.waiting]) tell(false)
          }
        })
        .finally(() => this.giveOn())
    })
  }

  private giveOn(): void {
    const [next] = this.waiting
    if (next) next(true)
    else this.taken -= 1
  }
}

const waitFor = (key: string, limitMs: number) =>
  sql`SELECT set_config('lock_timeout', ${String(limitMs)}, false), pg_advisory_lock(CAST(${key} AS BIGINT))`

const giveBack = (key: string) =>
  sql`SELECT pg_advisory_unlock(CAST(${key} AS BIGINT)), set_config('lock_timeout', '0', false)`

/** PostgreSQL's `query_canceled` and `lock_not_available`: the statement waited for too long. */
const ranOutOfTime = (error: unknown): boolean =>
  isAgentError(error) &&
  ['57014', '55P03'].includes(String((error.cause as { code?: unknown } | undefined)?.code))
