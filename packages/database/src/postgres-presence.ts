import { randomUUID } from 'node:crypto'
import { outsideOfRequests, queueName } from '@vidimus/core-types'
import type pg from 'pg'
import { toDatabaseError } from './errors.js'
import { lockKey } from './postgres-transactions.js'
import { sql, type Sql } from './sql.js'

/** The server ends a session that is silent for this long, because its process is frozen or its machine is gone. */
const SILENT_MS = 60_000
/** The interval at which the session sends something, and is replaced if it was lost. */
const BEAT_MS = 15_000

/**
 * Registers the presence of a process by an advisory lock of a dedicated session, which PostgreSQL releases with the
 * session. A lost session is replaced by another one with the same lock.
 *
 * @see https://www.postgresql.org/docs/current/explicit-locking.html#ADVISORY-LOCKS
 */
export class PostgresPresence {
  readonly id = randomUUID()
  private session: Promise<Session> | undefined
  private beating: NodeJS.Timeout | undefined

  constructor(private readonly connect: () => Promise<pg.Client>) {}

  /** Checks that no process is present under the id. Callers do not block each other. */
  static isFree(id: string): Sql {
    return sql`SELECT CAST(pg_try_advisory_xact_lock_shared(CAST(${presenceLock(id)} AS BIGINT)) AS TEXT) AS free`
  }

  /** How many processes are present on the database, this one included. */
  static readonly present: Sql = sql`SELECT CAST(COUNT(*) AS INTEGER) AS count FROM pg_stat_activity
    WHERE application_name = 'vidimus presence' AND datname = current_database()`

  get isTaken(): boolean {
    return this.session !== undefined
  }

  /** @throws AgentError `unavailable` */
  async take(): Promise<string> {
    this.beating ??= outsideOfRequests(() => setInterval(() => void this.beat(), BEAT_MS)).unref()
    await this.open()
    return this.id
  }

  async end(): Promise<void> {
    clearInterval(this.beating)
    this.beating = undefined
    const { session } = this
    this.session = undefined
    const opened = await session?.catch(() => undefined)
    await opened?.client.end().catch(() => undefined)
  }

  private open(): Promise<Session> {
    if (this.session) return this.session
    const session = this.begin()
    this.session = session
    session.then(
      ({ client }) => client.once('end', () => this.lose(session)),
      () => this.forget(session),
    )
    return session
  }

  private async begin(): Promise<Session> {
    const client = await this.connect()
    try {
      await client.query(`SET application_name = 'vidimus presence'; SET idle_session_timeout = ${SILENT_MS}`)
      const session = { client, locked: false }
      await this.lock(session)
      return session
    } catch (error) {
      await client.end().catch(() => undefined)
      throw toDatabaseError(error)
    }
  }

  /** If the server still has the previous session, its lock represents the process until the next beat. */
  private async lock(session: Session): Promise<void> {
    const { rows } = await session.client.query<{ locked: string }>(
      'SELECT CAST(pg_try_advisory_lock(CAST($1 AS BIGINT)) AS TEXT) AS locked',
      [presenceLock(this.id)],
    )
    session.locked = rows[0]?.locked === 'true'
  }

  private async beat(): Promise<void> {
    const beginning = this.open()
    try {
      const session = await beginning
      if (session.locked) await session.client.query('SELECT 1')
      else await this.lock(session)
    } catch {
      // The next beat makes another session.
      this.forget(beginning)
      const session = await beginning.catch(() => undefined)
      await session?.client.end().catch(() => undefined)
    }
  }

  /** Without the lock, others take the process for gone. */
  private lose(session: Promise<Session>): void {
    this.forget(session)
    if (this.beating) outsideOfRequests(() => this.open()).catch(() => undefined)
  }

  private forget(session: Promise<Session>): void {
    if (this.session === session) this.session = undefined
  }
}

interface Session {
  client: pg.Client
  locked: boolean
}

const presenceLock = (id: string) => lockKey(queueName('presence', id))
