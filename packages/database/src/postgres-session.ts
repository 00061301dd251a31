import { AgentError } from '@vidimus/core-types'
import type pg from 'pg'

/**
 * What a process holds that says nothing any more (it is frozen, or its machine is gone) the server takes back, and ends its
 * transaction.
 */
export const SILENT_MS = 5_000

/** The server closes unused connections where their process cannot. */
export const UNUSED_AT_SERVER_MS = 60_000

/**
 * Settings of a session, whatever server or pooler it is with: those that are sent while connecting, poolers refuse.
 *
 * @param statementTimeoutMs - how long a statement may take; 0: for ever
 * @throws what the driver throws
 */
export async function setUpSession(client: pg.ClientBase, statementTimeoutMs: number): Promise<void> {
  const timeLimits =
    statementTimeoutMs > 0
      ? `SET statement_timeout = ${statementTimeoutMs}; SET idle_in_transaction_session_timeout = ${SILENT_MS};`
      : ''
  await client.query(`${timeLimits} SET idle_session_timeout = ${UNUSED_AT_SERVER_MS}; ${DURABLE}`)
}

/** An acknowledged change survives a crash of the server; where the operator asks for more, that stays. */
const DURABLE = `SELECT set_config('synchronous_commit', 'on', false)
  WHERE current_setting('synchronous_commit') IN ('off', 'local')`

/** So often two connections are compared: a pooler may give one session to both, or not. */
const COMPARED = 3

/**
 * Demands that each connection has a session of its own, as locks and settings are a session's. A pooler that shares sessions
 * gives the one of a connection that is between two transactions to the next that begins one.
 *
 * @throws AgentError `invalid_configuration`
 */
export async function demandOwnSessions(one: pg.ClientBase, other: pg.ClientBase): Promise<void> {
  const seen = new Set<string>()
  // A pooler in statement mode refuses it.
  const begin = () => other.query('BEGIN').catch(() => Promise.reject(sharedSessions()))
  for (let times = 0; times < COMPARED; times++) {
    const first = await readSession(one)
    await begin()
    const second = await readSession(other)
    await other.query('ROLLBACK')
    seen.add(first).add(second)
    if (first === second || seen.size > 2) throw sharedSessions()
  }
}

async function readSession(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ pid: string }>('SELECT CAST(pg_backend_pid() AS TEXT) AS pid')
  return rows[0]?.pid ?? ''
}

const sharedSessions = () =>
  new AgentError(
    'invalid_configuration',
    'the address of the database leads to a pooler that gives one session to several connections (PgBouncer with ' +
      'pool_mode = transaction or statement): set pool_mode = session, or connect to the server itself',
  )
