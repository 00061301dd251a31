import { AgentError } from '@vidimus/core-types'

/** Which server of an address serves, as libpq names it in `target_session_attrs`. */
export const SESSIONS = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const
export type WantedSession = (typeof SESSIONS)[number]

/** Servers of one database, which replicate it or take over from each other. */
export interface PostgresAddress {
  /** a connection URL for each, in the order given */
  servers: readonly string[]
  session: WantedSession
  /** hosts and database, without user, password and parameters */
  location: string
}

/** Parameters that the driver treats like libpq. Timeouts and the application name are set by the service. */
const PARAMETERS = new Set([
  ...['host', 'port', 'user', 'password', 'options', 'client_encoding'],
  ...['ssl', 'sslmode', 'sslcert', 'sslkey', 'sslrootcert', 'sslnegotiation', 'uselibpqcompat'],
])
const SESSION = 'target_session_attrs'

const SHAPE = 'must be postgres://<user>:<password>@<host>:<port>/<database>'
const URL_PARTS = /^(?<scheme>postgres(?:ql)?:\/\/)(?<user>[^@/?#]*@)?(?<hosts>[^/?#]*)(?<rest>[^#]*)$/i

/**
 * Reads a connection URL of PostgreSQL with one host or several, as in libpq.
 *
 * @see https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS
 * @throws AgentError `invalid_configuration` for anything else, and for an unsupported parameter; never repeats a
 *   password
 */
export function postgresAddress(url: string): PostgresAddress {
  const { scheme = '', user = '', hosts = '', rest = '' } = URL_PARTS.exec(url)?.groups ?? {}
  const servers = hosts.split(',').map((host) => `${scheme}${user}${host}${rest}`)
  const [first, ...others] = servers.map((server) => (URL.canParse(server) ? new URL(server) : undefined))
  if (scheme === '' || !first || others.some((other) => !other || other.host === ''))
    throw refused(`${SHAPE}: it is not a URL`)
  demandKnown(first.searchParams)
  const session = parseSession(first.searchParams)
  const host = hosts === '' ? (first.searchParams.get('host') ?? 'localhost') : hosts
  return {
    servers: servers.map(withoutSession),
    session,
    location: `postgres://${host}${first.pathname}`,
  }
}

function demandKnown(parameters: URLSearchParams): void {
  const unknown = [...new Set(parameters.keys())].filter((name) => name !== SESSION && !PARAMETERS.has(name))
  if (unknown.length === 0) return
  const names = unknown.map((name) => JSON.stringify(name)).join(', ')
  throw refused(
    `has ${unknown.length === 1 ? 'an unknown parameter' : 'unknown parameters'} ${names}; ` +
      `known are ${[...PARAMETERS, SESSION].join(', ')}`,
  )
}

function parseSession(parameters: URLSearchParams): WantedSession {
  const wanted = parameters.get(SESSION) ?? 'any'
  const session = SESSIONS.find((known) => known === wanted)
  if (session) return session
  throw refused(`${SESSION} must be one of ${SESSIONS.join(', ')}`)
}

/** The driver would take it for one of its settings. */
const withoutSession = (server: string): string =>
  server.replace(new RegExp(`([?&])${SESSION}=[^&]*&?`), '$1').replace(/[?&]$/, '')

export function refused(message: string): AgentError {
  return new AgentError('invalid_configuration', `database url: ${message}`, {
    details: [{ path: 'url', message }],
  })
}
