import { AgentError } from '@vidimus/core-types'
import type pg from 'pg'

/**
 * The server takes back what a silent process holds (it is frozen, or its machine is gone), and ends its transaction.
 */
export const SILENT_MS = 5_000

/** The server closes unused connections if their process cannot. */
export const UNUSED_AT_SERVER_MS = 60_000

/**
 * Settings of a session, with any server or pooler: poolers refuse settings sent while connecting.
 *
 * @param statementTimeoutMs - how long a statement may take; 0: for ever
 * @param further - settings of its use
 * @throws what the driver throws
 */
export async function setUpSession(
  client: pg.ClientBase,
  statementTimeoutMs: number,
  further = '',
): Promise<void> {
  const timeLimits =
    statementTimeoutMs > 0
      ? `SET statement_timeout = ${statementTimeoutMs}; SET idle_in_transaction_session_timeout = ${SILENT_MS};`
      : ''
  await client.query(`${timeLimits} ${further} SET idle_session_timeout = ${UNUSED_AT_SERVER_MS}; ${DURABLE}`)
}

/**
 * Serialisable transactions that read a whole table, as plans for small tables do, conflict with every write to it; over an
 * index they conflict with those to the same rows, or pages of the index. Before PostgreSQL 18 a table that must be read whole
 * then looks so expensive that the plan would be compiled.
 *
 * @see https://www.postgresql.org/docs/current/transaction-iso.html#XACT-SERIALIZABLE
 */
const FEW_CONFLICTS = 'SET enable_seqscan = off; SET jit = off;'

/**
 * On Citus a transaction that has read rows of several servers may then change a table that is on all of them; elsewhere
 * nobody knows this setting.
 *
 * @see https://docs.citusdata.com/en/stable/develop/api_guc.html#citus-multi-shard-modify-mode-enum
 */
const ONE_CONNECTION_PER_SERVER = "SET citus.multi_shard_modify_mode = 'sequential';"

/** Settings of connections that write. */
export const FOR_WRITING = `${FEW_CONFLICTS} ${ONE_CONNECTION_PER_SERVER}`

/**
 * An acknowledged change survives a crash of the server; a stricter setting of the operator stays. Either is set, so that a
 * later one of the server weakens no session.
 */
const DURABLE = `SELECT set_config('synchronous_commit', CASE WHEN setting IN ('off', 'local') THEN 'on' ELSE setting END, false)
  FROM current_setting('synchronous_commit') AS found(setting)`

/** Number of comparisons of two connections: a pooler may give one session to both, or not. */
const COMPARED = 3

/**
 * Requires that each connection has a session of its own, as locks and settings belong to a session. A pooler that
 * shares sessions passes the session of a connection between two transactions to the next one that begins one.
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
    'the address of the database is a pooler that shares sessions between connections (PgBouncer with ' +
      'pool_mode = transaction or statement): set pool_mode = session, or connect to the server itself',
  )
