import type { IncomingHttpHeaders } from 'node:http'
import {
  AgentError,
  BOUNDS,
  SESSION_PREFIX,
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

/**
 * Finds the account by the API key in `x-api-key` or `authorization: Bearer` (RFC 6750 2.1), or by the token of an
 * identity provider in the latter, and refuses all other requests before any of the body is read. The response is the
 * same for missing, unknown, expired and revoked keys.
 */
export const authenticate = ({ authenticator, limits, audit, cookies, readiness }: AuthenticationParts) =>
  async function identify(req: ServedRequest, res: ServedResponse, client: ClientAddress): Promise<void> {
    const key = presentedKey(req.headers, cookies) ?? keyOfRegistrar(req, cookies)
    limits.mayAuthenticate(client, key, res)
    const account = key === undefined ? undefined : await authenticator.authenticate(key)
    if (!account || key === undefined) {
      const { requestId } = requestContext(res)
      audit?.count(
        { event: 'authentication-failed', outcome: 'refused' },
        { address: client.group, requestId },
      )
      limits.countFailure(client, res)
      throw new AgentError('unauthenticated', 'x-api-key: the access token is missing or invalid')
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

/**
 * The HTTP driver of a Universal Registrar cannot send custom headers, only the user and password in its URL as Basic
 * authentication (RFC 7617). The password is the API key; the user is ignored.
 */
function keyOfRegistrar(
  { headers, originalUrl, url = '' }: ServedRequest,
  cookies: ConsoleCookies,
): string | undefined {
  const [, encoded] = BASIC.exec(headers.authorization ?? '') ?? []
  if (encoded === undefined || encoded.length > 2 * BOUNDS.apiKey) return undefined
  if (!isRegistrarPath(requestPath(originalUrl ?? url))) return undefined
  const [, key] = /^[^:]*:(.+)$/.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? []
  return presentedKey(key === undefined ? {} : { 'x-api-key': key }, cookies)
}

/** In `x-api-key`: the session in the cookie counts. Pages of other origins cannot send this header. */
const OF_COOKIE = 'session'

/** @returns the candidate key, token or session; nothing if two headers contain different ones */
export function presentedKey(headers: IncomingHttpHeaders, cookies: ConsoleCookies): string | undefined {
  const { 'x-api-key': own, authorization = '' } = headers
  if (own === OF_COOKIE) return BEARER.test(authorization) ? undefined : cookies.sessionIn(headers.cookie)
  const key = keyInHeaders(headers)
  return key?.startsWith(SESSION_PREFIX) ? undefined : key
}

function keyInHeaders({ 'x-api-key': own, authorization }: IncomingHttpHeaders): string | undefined {
  const bearer = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1]
  if (own === undefined || own === '') return withinBound(bearer, BOUNDS.bearerToken)
  // Tokens of identity providers are only for `authorization` (RFC 6750).
  if (typeof own !== 'string' || own.includes('.')) return undefined
  return bearer === undefined || bearer === own ? withinBound(own, BOUNDS.apiKey) : undefined
}

const withinBound = (text: string | undefined, most: number): string | undefined =>
  text !== undefined && text.length <= most ? text : undefined
