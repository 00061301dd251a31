import { isAgentError } from '@vidimus/core-types'
import type { PostgresConnection } from './postgres-connection.js'
import type { PostgresPool } from './postgres-pool.js'
import { lockKey } from './postgres-transactions.js'
import { sql } from './sql.js'

export interface TurnOptions {
  /** whether to wait also for one of the few connections that are lent to turns */
  patient?: boolean | undefined
}

/** How long an impatient work waits for its turn. */
const IMPATIENT_MS = 2_000

/**
 * Lets the processes on a database do works of one name one after the other, in the order in which they asked, as
 * PostgreSQL gives out its locks. It is a courtesy and nothing to rely on: a work goes ahead without its turn where that
 * does not come in time, and an impatient one where all connections for turns are taken.
 */
export class PostgresTurns {
  private taken = 0
  private readonly waiting: (() => void)[] = []

  /**
   * @param pool - its connections have turns for as long as works last
   * @param most - how many of them may be taken at the same time; 0: there are no turns
   */
  constructor(
    private readonly pool: PostgresPool,
    private readonly most: number,
  ) {}

  /** @throws AgentError `unavailable` where the database cannot be used, and what `work` throws */
  async take<T>(name: string, work: () => Promise<T>, { patient = false }: TurnOptions = {}): Promise<T> {
    const free = this.taken < this.most
    if (!free && (!patient || this.most === 0)) return work()
    if (free) this.taken += 1
    else await new Promise<void>((resolve) => this.waiting.push(resolve))
    return this.lend(lockKey(name), work, patient)
  }

  /** What `work` comes to is not held up by the end of the turn, which takes long where the database is away by then. */
  private lend<T>(key: string, work: () => Promise<T>, patient: boolean): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let begun = false
      const run = async () => {
        begun = true
        await work().then(resolve, reject)
      }
      const inTurn = async (connection: PostgresConnection) => {
        await connection.query(waitFor(key, patient ? 0 : IMPATIENT_MS))
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
          else reject(error)
        })
        .finally(() => this.giveOn())
    })
  }

  private giveOn(): void {
    const next = this.waiting.shift()
    if (next) next()
    else this.taken -= 1
  }
}

/** @param limitMs - 0: none but that of every statement */
const waitFor = (key: string, limitMs: number) =>
  sql`SELECT set_config('lock_timeout', ${String(limitMs)}, false), pg_advisory_lock(CAST(${key} AS BIGINT))`

const giveBack = (key: string) =>
  sql`SELECT pg_advisory_unlock(CAST(${key} AS BIGINT)), set_config('lock_timeout', '0', false)`

/** PostgreSQL's `query_canceled` and `lock_not_available`: the statement waited for too long. */
const ranOutOfTime = (error: unknown): boolean =>
  isAgentError(error) &&
  ['57014', '55P03'].includes(String((error.cause as { code?: unknown } | undefined)?.code))
