import { ApiError, createClient, type Client } from '@vidimus/client'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { limitsIn, whyNot, type ApiDocument, type KeyLimits } from './rights.js'

/** What every page may use after signing in. The API key is only kept here. */
export interface Session extends SignedIn {
  /** address of the service, without a slash at the end */
  base: string
  /** announces something to users of screen readers */
  announce: (text: string) => void
  /** ends the session, with the reason */
  signOut: (reason?: string) => void
}

export const SessionContext = createContext<Session | undefined>(undefined)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('there is no session')
  return session
}

/** Why the key cannot use an operation, perhaps on a DID; `undefined` if it can. */
export function useWhyNot(): (operationId: string, did?: string) => string | undefined {
  const session = useSession()
  return (operationId, did) => whyNot(session, operationId, did)
}

/** Whether the service has an operation. */
export const serves = ({ paths }: ApiDocument, path: string): boolean => path in paths

export const KEY_REFUSED =
  'The service rejected this API key: it is mistyped, expired or revoked. Sign in with another one.'

/** In place of an API key: the session in the cookie of the browser, which this page cannot read. */
export const OF_COOKIE = 'session'

/** How people may sign in, beside an API key. */
export interface SignInState {
  providers: readonly { id: string; name: string }[]
  signedIn: boolean
}

/** A service without identity providers has nothing at this path. */
export async function fetchSignInState(base: string): Promise<SignInState> {
  const none = { providers: [], signedIn: false }
  try {
    const answer = await fetch(`${base}/console/session`)
    return answer.ok ? ((await answer.json()) as SignInState) : none
  } catch {
    return none
  }
}

/** Ends the session here, and leaves for the identity provider to end it there. */
export async function endSession(base: string): Promise<void> {
  const headers = { 'x-api-key': OF_COOKIE }
  const answer = await fetch(`${base}/console/sign-out`, { method: 'POST', headers })
  const { address } = answer.ok ? ((await answer.json()) as { address?: string }) : {}
  if (address !== undefined) window.location.assign(address)
}

/** The error, in a sentence for people. */
export function failureSentence(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error)
  const { code, status, message, retryAfterSeconds, requestId } = error
  if (code === 'unreachable') return 'The service cannot be reached. Is it running, and are you online?'
  if (status === 401) return KEY_REFUSED
  if (status === 403) return `This API key is limited: ${message}.`
  if (status === 429) return `Too many requests; try again in ${retryAfterSeconds ?? 'a few'} seconds.`
  const place = status !== undefined && status >= 500 && requestId ? ` (request ${requestId})` : ''
  return `${capitalised(message)}${/[.!?]$/.test(message) ? '' : '.'}${place}`
}

/**
 * The errors of `fetch` differ between browsers.
 *
 * @throws ApiError `unreachable`
 */
export async function reached<T>(asking: Promise<T>): Promise<T> {
  try {
    return await asking
  } catch (cause) {
    throw new ApiError('the service cannot be reached', { code: 'unreachable', cause })
  }
}

/** Names of fields stay as they are. */
const capitalised = (text: string): string =>
  /^[\w.[\]]+:/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1)

/** Facts about an accepted key. */
export interface SignedIn {
  apiKey: string
  client: Client
  document: ApiDocument
  limits: KeyLimits
  /** those whose DIDs are only in this installation */
  localNetworks: readonly string[]
}

/**
 * Checks whether a key is accepted, and its limits.
 *
 * @throws Error with a message for people
 */
export async function signIn(base: string, typed: string): Promise<SignedIn> {
  const apiKey = typed.trim()
  if (apiKey === '') throw new Error('Enter an API key first.')
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw new Error('This is not an API key: it contains spaces or invalid characters.')
  const client = createClient({ url: base, apiKey })
  try {
    const document = (await client.get('/openapi.json')) as unknown as ApiDocument
    const [limits, localNetworks] = await Promise.all([fetchLimits(base, apiKey), fetchLocalNetworks(base)])
    return { apiKey, client, document, limits, localNetworks }
  } catch (error) {
    throw new Error(failureSentence(error), { cause: error })
  }
}

/** @throws ApiError if the key is refused; lacking the right for this request is not a refusal */
async function fetchLimits(base: string, apiKey: string): Promise<KeyLimits> {
  let limits: KeyLimits = {}
  const noting = async (request: Request) => {
    const answer = await fetch(request)
    limits = limitsIn(answer.headers)
    return answer
  }
  const client = createClient({ url: base, apiKey, fetch: noting })
  await client.get('/did/list', { params: { query: { limit: 1 } } }).catch((error: unknown) => {
    if (!(error instanceof ApiError && error.status === 403)) throw error
  })
  return limits
}

/** The networks whose ledger is embedded in the service; a service that is not ready (503) names them as well. */
async function fetchLocalNetworks(base: string): Promise<string[]> {
  try {
    const answer = await fetch(`${base}/health/ready`)
    const { checks } = (await answer.json()) as { checks: { name: string; local?: boolean }[] }
    return checks.filter(({ local }) => local).map(({ name }) => name.replace(/^ledger:/, ''))
  } catch {
    // Unknown, for example behind a proxy that blocks this path: claim nothing.
    return []
  }
}
