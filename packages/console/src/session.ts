import { ApiError, createClient, type Client } from '@vidimus/client'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { ApiDocument } from './try-it/operation-form.js'

/** What every page may use once somebody is signed in. The API key lives here and nowhere else. */
export interface Session {
  /** address of the service, without a slash at the end */
  base: string
  apiKey: string
  client: Client
  document: ApiDocument
  /** tells people who listen to the page */
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

/** Whether the service has an operation. */
export const serves = ({ paths }: ApiDocument, path: string): boolean => path in paths

export const KEY_REFUSED =
  'The service refuses this API key: it is mistyped, expired or revoked. Sign in with another one.'

/** What went wrong, in a sentence for people. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error)
  const { code, status, message, retryAfterSeconds, requestId } = error
  if (code === 'unreachable') return 'The service cannot be reached. Is it running, and are you online?'
  if (status === 401) return KEY_REFUSED
  if (status === 403) return `This API key is limited: ${message}.`
  if (status === 429) return `Too many requests; try again in ${retryAfterSeconds ?? 'a few'} seconds.`
  const place = status !== undefined && status >= 500 && requestId ? ` (request ${requestId})` : ''
  return `${capitalised(message)}${/[.!?]$/.test(message) ? '' : '.'}${place}`
}

/** Names of fields stay as they are. */
const capitalised = (text: string): string =>
  /^[\w.[\]]+:/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1)

export interface SignedIn {
  apiKey: string
  client: Client
  document: ApiDocument
  /** what the key may not do, where that shows at once */
  note?: string
}

/**
 * Looks whether a key opens anything.
 *
 * @throws Error with a sentence for people
 */
export async function signIn(base: string, typed: string): Promise<SignedIn> {
  const apiKey = typed.trim()
  if (apiKey === '') throw new Error('Type or paste an API key first.')
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw new Error('This is no API key: it has spaces or other characters in it.')
  const client = createClient({ url: base, apiKey })
  try {
    const document = (await client.get('/openapi.json')) as unknown as ApiDocument
    const note = await client.get('/did/list', { params: { query: { limit: 1 } } }).then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof ApiError && error.status === 403) return sentenceOf(error)
        throw error
      },
    )
    return { apiKey, client, document, ...(note !== undefined && { note }) }
  } catch (error) {
    throw new Error(sentenceOf(error), { cause: error })
  }
}
