import { isAgentError } from '@vidimus/core-types'
import type { PostgresPool } from './postgres-pool.js'
import { lockKey } from './postgres-transactions.js'
import { sql } from './sql.js'

export interface TurnOptions {
  /** whether to wait also for one of the few connections that are lent to turns */
  patient?: boolean | undefined
}

/**
 * Lets the processes on a database do works of one name one after the other, in the order in which they asked, as
 * PostgreSQL gives out its locks. It is a courtesy and nothing to rely on: a work goes ahead without its turn where that
 * does not come within the time of a statement, and an impatient one where all connections for turns are taken.
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
    try {
      return await this.lend(name, work)
    } finally {
      const next = this.waiting.shift()
      if (next) next()
      else this.taken -= 1
    }
  }

  private async lend<T>(name: string, work: () => Promise<T>): Promise<T> {
    let working: Promise<T> | undefined
    try {
      await this.pool.use(
        async (connection) => {
          await connection.query(sql`SELECT pg_advisory_lock(CAST(${lockKey(name)} AS BIGINT))`)
          working = work()
          await working.catch(() => undefined)
          await connection.query(sql`SELECT pg_advisory_unlock(CAST(${lockKey(name)} AS BIGINT))`)
        },
        (client) => client.query('SELECT pg_advisory_unlock_all()'),
      )
    } catch (error) {
      if (!working && !ranOutOfTime(error)) throw error
    }
    return working ?? work()
  }
}

/** PostgreSQL's `query_canceled`: the statement waited for too long. */
const ranOutOfTime = (error: unknown): boolean =>
  isAgentError(error) && (error.cause as { code?: unknown } | undefined)?.code === '57014'
