import {
  isAgentError,
  unauthenticated,
  type AuditTrail,
  type Authenticator,
  type ConsoleLogin,
} from '@vidimus/core-types'
import type { Request, Response } from 'express'
import { presentedKey } from '../admission/authentication.js'
import type { RateLimits } from '../admission/rate-limits.js'
import { errorStatus } from '../errors/error-status.js'
import type { ServerSettings } from '../options.js'
import { requestContext } from '../request/request-context.js'
import { byMethod, type ExpressRoute } from '../routing/path-routes.js'
import { CONSOLE_PATH } from './console-page.js'
import { ConsoleCookies } from './cookies.js'

export const SIGN_IN_PATHS = {
  state: `${CONSOLE_PATH}/session`,
  begin: `${CONSOLE_PATH}/sign-in`,
  end: `${CONSOLE_PATH}/sign-out`,
}

interface Parts {
  login: ConsoleLogin
  authenticator: Authenticator
  publicUrl: string
  cookies: ConsoleCookies
  audit: AuditTrail | undefined
  limits: RateLimits
}

/**
 * Signing in to the console with an identity provider; for each path its route. Without `publicUrl` there is none: the
 * provider must know the address to which it sends browsers back.
 */
export function signInRoutes(
  {
    authenticator,
    publicUrl,
    console,
    audit,
  }: Pick<ServerSettings, 'authenticator' | 'publicUrl' | 'console' | 'audit'>,
  limits: RateLimits,
): ReadonlyMap<string, ExpressRoute> {
  const { consoleLogin: login } = authenticator
  if (!console) return new Map()
  if (!login || publicUrl === undefined)
    return new Map([[SIGN_IN_PATHS.state, getRoute(SIGN_IN_PATHS.state, NO_PROVIDERS)]])
  const cookies = new ConsoleCookies(publicUrl)
  const parts = { login, authenticator, publicUrl, cookies, audit, limits }
  const routes: (readonly [string, 'get' | 'post', (parts: Parts) => ExpressRoute])[] = [
    [SIGN_IN_PATHS.state, 'get', stateRoute],
    [SIGN_IN_PATHS.begin, 'get', beginRoute],
    ...login.providers.map(({ id }) => [callbackPath(id), 'get', callbackRoute(id)] as const),
    [SIGN_IN_PATHS.end, 'post', endRoute],
  ]
  return new Map(
    routes.map(([path, method, route]) => [path, byMethod(path, new Map([[method, route(parts)]]))]),
  )
}

const getRoute = (path: string, route: ExpressRoute): ExpressRoute =>
  byMethod(path, new Map([['get', route]]))

const NO_PROVIDERS: ExpressRoute = (_req: Request, res: Response) =>
  fresh(res).json({ providers: [], signedIn: false })

/** What the page of the console shows: the buttons, or that somebody is signed in. */
const stateRoute =
  ({ login, authenticator, cookies }: Parts): ExpressRoute =>
  async (req: Request, res: Response) => {
    const session = cookies.sessionIn(req.headers.cookie)
    const account = session === undefined ? undefined : await authenticator.authenticate(session)
    fresh(res).json({ providers: login.providers, signedIn: account !== undefined })
  }

const beginRoute =
  ({ login, publicUrl, cookies }: Parts): ExpressRoute =>
  async (req: Request, res: Response) => {
    const provider = new URLSearchParams(queryOf(req)).get('provider') ?? ''
    const { address, attempt } = await login.begin(provider, publicUrl + callbackPath(provider))
    fresh(res).setHeader('set-cookie', cookies.attempt(attempt))
    res.redirect(303, address)
  }

/**
 * The request comes from the site of the provider: a `Strict` cookie is neither sent with it nor with a redirect that
 * answers it. Therefore it answers with a page of ours, which opens the console.
 */
const callbackRoute =
  (provider: string) =>
  ({ login, publicUrl, cookies, audit, limits }: Parts): ExpressRoute =>
  async (req: Request, res: Response) => {
    fresh(res)
    const { client } = requestContext(res)
    if (client) limits.mayAuthenticate(client, undefined, res)
    try {
      const address = `${publicUrl}${callbackPath(provider)}?${queryOf(req)}`
      const attempt = cookies.attemptIn(req.headers.cookie) ?? ''
      const session = await login.complete(provider, attempt, address, originOf(res))
      res.setHeader('set-cookie', [cookies.session(session), cookies.noAttempt])
      res.type('html').send(page('Signed in', 'Opening the console ...', true))
    } catch (error) {
      if (!isAgentError(error)) throw error
      requestContext(res).failure = error
      // Anybody can cause them: they are counted, and nothing of what was tried is recorded.
      if (error.code === 'unauthenticated' || error.code === 'forbidden')
        audit?.count({ event: 'sign-in-refused', outcome: 'refused', subject: provider }, originOf(res))
      if (error.code === 'unauthenticated' && client) limits.countFailure(client, res)
      res.setHeader('set-cookie', cookies.noAttempt)
      res
        .status(errorStatus(error, undefined))
        .type('html')
        .send(page('Not signed in', `${error.message}.`))
    }
  }

const endRoute =
  ({ login, publicUrl, cookies }: Parts): ExpressRoute =>
  async (req: Request, res: Response) => {
    // By a header that pages of other origins cannot send.
    const presented = presentedKey(req.headers, cookies)
    if ('refusal' in presented) throw presented.refusal
    const { credential: session } = presented
    if (session !== cookies.sessionIn(req.headers.cookie))
      throw unauthenticated('x-api-key', 'malformed', 'must be "session", with the cookie of one')
    const address = await login.end(session, `${publicUrl}${CONSOLE_PATH}/`, originOf(res))
    fresh(res)
      .setHeader('set-cookie', cookies.noSession)
      .json({ ...(address !== undefined && { address }) })
  }

/** Each provider has its own: a provider that gets the code of another cannot have it completed. */
const callbackPath = (provider: string): string => `${CONSOLE_PATH}/callback/${provider}`

function originOf(res: Response): { address?: string; requestId: string } {
  const { client, requestId } = requestContext(res)
  return { ...(client && { address: client.group }), requestId }
}

const queryOf = ({ originalUrl }: Request): string => {
  const start = originalUrl.indexOf('?')
  return start === -1 ? '' : originalUrl.slice(start + 1)
}

const fresh = (res: Response): Response =>
  res.setHeader('cache-control', 'no-store').setHeader('referrer-policy', 'no-referrer')

const page = (title: string, text: string, opens = false): string =>
  [
    '<!doctype html><html lang="en"><meta charset="utf-8">',
    opens ? '<meta http-equiv="refresh" content="0;url=../">' : '',
    `<title>${escaped(title)} · Vidimus</title><h1>${escaped(title)}</h1><p>${escaped(text)}</p>`,
    '<p><a href="../">Vidimus console</a></p></html>',
  ].join('')

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
