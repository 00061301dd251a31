import { AgentError } from '@vidimus/core-types'
import { storedLogin, storeLogin, type StoredLogin } from './token-file.js'

/** A token is renewed this long before it ends. */
const EARLY_MS = 30_000

/**
 * The access token for a service, renewed if it ends soon.
 *
 * @returns `undefined` if nobody signed in
 * @throws AgentError `unauthenticated` if it cannot be renewed, `unavailable`
 */
export async function freshToken(url: string): Promise<string | undefined> {
  const login = await storedLogin(url)
  if (!login || !endsSoon(login)) return login?.accessToken
  if (login.refreshToken === undefined) throw signInAgain(url)
  const { renewedLogin } = await import('./device-login.js')
  const renewed = await renewedLogin(login)
  if (renewed) {
    await storeLogin(url, renewed)
    return renewed.accessToken
  }
  // Another process may have renewed it meanwhile: a refresh token can be used once.
  const other = await storedLogin(url)
  if (other && !endsSoon(other)) return other.accessToken
  throw signInAgain(url)
}

const endsSoon = ({ expiresAt }: StoredLogin): boolean => Date.parse(expiresAt) - Date.now() < EARLY_MS

const signInAgain = (url: string): AgentError =>
  new AgentError('unauthenticated', `the login at ${url} has expired; run vidimus login --url ${url}`)
