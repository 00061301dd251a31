import { resolve } from 'node:path'
import { postgresAddress, refused, type PostgresAddress } from './postgres-address.js'

/** The location of the database according to a URL. */
export type DatabasePlace =
  { dialect: 'sqlite'; file: string } | { dialect: 'postgres'; address: PostgresAddress }

/**
 * Reads `sqlite:data/agent.sqlite`, `sqlite:///var/lib/vidimus/agent.sqlite` and the connection URLs of PostgreSQL
 * (`postgres://` or `postgresql://`).
 *
 * @see https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS
 * @throws AgentError `invalid_configuration` for anything else; a password in the URL is not repeated
 */
export function databasePlace(url: string): DatabasePlace {
  if (/^postgres(ql)?:/i.test(url)) return { dialect: 'postgres', address: postgresAddress(url) }
  const [, path] = /^sqlite:(?:\/\/(?=\/))?(.+)$/.exec(url) ?? []
  if (path !== undefined && path !== ':memory:') return { dialect: 'sqlite', file: resolve(path) }
  const scheme = /^[a-z][a-z0-9+.-]*(?=:)/i.exec(url)?.[0]
  const found =
    path === ':memory:' ? 'it is not durable' : scheme ? `"${scheme}" is not supported` : 'no scheme'
  throw refused(`must be sqlite:<path of a file> or postgres://<host>/<database>: ${found}`)
}
