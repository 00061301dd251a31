import type { IncomingHttpHeaders } from 'node:http'
import {
  AgentError,
  BOUNDS,
  NOT_VALID,
  SESSION_PREFIX,
  unauthenticated,
  type ApiKeyGrant,
  type AuditTrail,
  type Authenticator,
} from '@vidimus/core-types'
import type { ConsoleCookies } from '../console/cookies.js'
import type { ClientAddress } from '../connection/client-address.js'
import { isRegistrarPath } from '../registrar/registrar-paths.js'
import { requestPath } from '../request/request-path.js'
import type { Readiness } from '../health/readiness.js'
import type { RateLimits } from './rate-limits.js'
import { addHeaders, requestContext } from '../request/request-context.js'
import type { ServedRequest, ServedResponse } from '../request/served-request.js'

const BEARER = /^bearer +([^\s,]+) *$/i
const BASIC = /^basic +([\w+/]+={0,2}) *$/i

export interface AuthenticationParts {
  authenticator: Authenticator
  limits: RateLimits
  audit: AuditTrail | undefined
  cookies: ConsoleCookies
  readiness: Readiness
}

/** What a request presents, or why that cannot be a credential. */
export type Presented = { credential: string; header: 'x-api-key' | 'authorization' } | Refused

interface Refused {
  refusal: AgentError
}

/**
 * Finds the account by the API key in `x-api-key` or `authorization: Bearer` (RFC 6750 2.1), or by the token of an
 * identity provider in the latter, and refuses all other requests before any of the body is read. The response is the
 * same for unknown, expired and revoked keys.
 */
export const authenticate = ({ authenticator, limits, audit, cookies, readiness }: AuthenticationParts) =>
  async function identify(req: ServedRequest, res: ServedResponse, client: ClientAddress): Promise<void> {
    const presented = presentedBy(req, cookies)
    const key = 'credential' in presented ? presented.credential : undefined
    limits.mayAuthenticate(client, key, res)
    const account = key === undefined ? undefined : await authenticator.authenticate(key)
    if (!account || key === undefined) {
      const { requestId } = requestContext(res)
      audit?.count(
        { event: 'authentication-failed', outcome: 'refused' },
        { address: client.group, requestId },
      )
      limits.countFailure(client, res)
      if ('refusal' in presented) throw presented.refusal
      const { credential, header } = presented
      throw authenticator.hasForm?.(credential) === false
        ? unauthenticated(header, 'malformed', MALFORMED)
        : unauthenticated(header, 'unknown', NOT_VALID)
    }
    limits.noteValid(client, key)
    requestContext(res).account = account
    nameRights(account.grant, res)
    limits.countKey(account.grant?.id ?? account.id, res)
    // Work left unfinished by an earlier run is completed first, so that operations do not meet it.
    if (readiness.isStarting)
      throw new AgentError('unavailable', 'the service is starting; try again in a moment')
  }

/** The scopes and networks of a restricted key, so that its holder can check them in advance. */
function nameRights(grant: ApiKeyGrant | undefined, res: ServedResponse): void {
  if (grant?.scopes) addHeaders(res, 'x-api-key-scopes', grant.scopes.join(', '))
  if (grant?.networks) addHeaders(res, 'x-api-key-networks', grant.networks.join(', '))
}

/** In `x-api-key`: the session in the cookie counts. Pages of other origins cannot send this header. */
const OF_COOKIE = 'session'

const MISSING = 'is missing; send the API key as x-api-key, or as authorization: Bearer'
const MALFORMED = 'is no API key; its checksum is wrong, so perhaps a part of it is missing'

/**
 * Finds the credential of a request. The HTTP driver of a Universal Registrar cannot send custom headers, only the user
 * and password in its URL as Basic authentication (RFC 7617). The password is the API key; the user is ignored.
 */
function presentedBy({ headers, originalUrl, url = '' }: ServedRequest, cookies: ConsoleCookies): Presented {
  const [, encoded] = BASIC.exec(headers.authorization ?? '') ?? []
  if (!headers['x-api-key'] && encoded !== undefined && isRegistrarPath(requestPath(originalUrl ?? url))) {
    const [, key] = /^[^:]*:(.+)$/.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? []
    if (key !== undefined) return presentedKey({ 'x-api-key': key }, cookies)
  }
  return presentedKey(headers, cookies)
}

/** Of `x-api-key` and `authorization`; the cookie counts with the former alone. */
export function presentedKey(headers: IncomingHttpHeaders, cookies: ConsoleCookies): Presented {
  const own = headers['x-api-key']
  const bearer = headers.authorization === undefined ? undefined : BEARER.exec(headers.authorization)?.[1]
  if (typeof own !== 'string' || own === '') return presentedBearer(headers.authorization, bearer)
  if (bearer !== undefined && (bearer !== own || own === OF_COOKIE))
    return refused('authorization', 'conflict', 'is another credential than x-api-key; send one of them')
  if (own === OF_COOKIE) {
    const credential = cookies.sessionIn(headers.cookie)
    if (credential !== undefined) return { credential, header: 'x-api-key' }
    return refused(
      'x-api-key',
      'missing',
      'names a session, but no cookie of one came with it; sign in again',
    )
  }
  // Tokens of identity providers are only for `authorization` (RFC 6750).
  if (own.includes('.'))
    return refused('x-api-key', 'malformed', 'takes API keys; send a token as authorization: Bearer')
  return within(BOUNDS.apiKey, 'x-api-key', own)
}

function presentedBearer(authorization: string | undefined, bearer: string | undefined): Presented {
  if (authorization === undefined || authorization === '') return refused('x-api-key', 'missing', MISSING)
  if (bearer === undefined)
    return refused('authorization', 'malformed', 'must be Bearer, a space, and one API key or token')
  return within(BOUNDS.bearerToken, 'authorization', bearer)
}

const refused = (...what: Parameters<typeof unauthenticated>): Refused => ({
  refusal: unauthenticated(...what),
})

/** A session counts in its cookie alone. */
const within = (most: number, header: 'x-api-key' | 'authorization', credential: string): Presented =>
  credential.length > most || credential.startsWith(SESSION_PREFIX)
    ? refused(header, 'malformed', MALFORMED)
    : { credential, header }
