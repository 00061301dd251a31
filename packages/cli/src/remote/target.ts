import { processVariable } from '@vidimus/agent-config/environment'
import { createClient, type Client } from '@vidimus/client'
import { AgentError, isConfidentialAddress, isHttpUrl } from '@vidimus/core-types'
import { storedLogin, storeLogin, type StoredLogin } from './token-file.js'

export interface TargetOptions {
  url?: string
  apiKey?: string
  allowHttp?: boolean
}

/**
 * A client of the service that the options or the environment name, with the credential that they or `vidimus login` gave.
 *
 * @throws AgentError `invalid_input`, `unauthenticated`
 */
export async function remoteTarget({ url: given, apiKey, allowHttp }: TargetOptions): Promise<Client> {
  const url = serviceUrl({ ...(given !== undefined && { url: given }), ...(allowHttp && { allowHttp }) })
  const key = apiKey ?? variable('VIDIMUS_API_KEY') ?? (await freshToken(url))
  if (key === undefined) {
    const message = `no credential for ${url}: set VIDIMUS_API_KEY, or run vidimus login --url ${url}`
    throw new AgentError('unauthenticated', message)
  }
  try {
    return createClient({ url, apiKey: key })
  } catch (error) {
    // Its messages hold no part of the key.
    throw new AgentError('invalid_input', error instanceof TypeError ? error.message : 'apiKey: is invalid')
  }
}

/**
 * The address of the service, without a slash at its end.
 *
 * @throws AgentError `invalid_input`
 */
export function serviceUrl({ url = variable('VIDIMUS_URL'), allowHttp }: TargetOptions): string {
  if (url === undefined) throw new AgentError('invalid_input', 'which service? --url or VIDIMUS_URL names it')
  if (!isHttpUrl(url)) throw new AgentError('invalid_input', '--url: must be an http(s) URL')
  if (!allowHttp && !isConfidentialAddress(url)) {
    throw new AgentError(
      'invalid_input',
      '--url: must be https, or http on this machine; --allow-http allows it, and sends the key in clear',
    )
  }
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname.replace(/\/+$/, '')}`
}

/** A variable, or the file that it names with _FILE. @throws AgentError `invalid_input` if that cannot be read */
export function variable(name: string): string | undefined {
  const reading = processVariable(name)
  if (reading.kind === 'unusable') throw new AgentError('invalid_input', reading.message)
  return reading.kind === 'set' && reading.value !== '' ? reading.value : undefined
}

/** A token is renewed this long before it ends. */
const EARLY_MS = 30_000

/**
 * The access token for a service, renewed if it ends soon.
 *
 * @returns `undefined` if nobody signed in
 * @throws AgentError `unauthenticated` if it cannot be renewed, `unavailable`
 */
async function freshToken(url: string): Promise<string | undefined> {
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
