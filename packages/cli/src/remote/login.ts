import { AgentError, isHttpUrl, isJsonObject } from '@vidimus/core-types'
import { harmless } from '../harmless.js'
import { serviceUrl, type TargetOptions } from './target.js'
import { storedLogin, storeLogin, tokenFile } from './token-file.js'
import { deviceLogin, revokeLogin, type LoginProvider } from './device-login.js'

export interface LoginOptions extends TargetOptions {
  issuer?: string
  clientId?: string
  /** what the service must call itself; default: its address */
  resource?: string
  /** what tokens for the service are for, beside that */
  audience?: string
  /** to ask for, beside those that renew the token */
  scope?: string
}

const SCOPES = ['openid', 'offline_access']

/** RFC 9728; `device_clients` in it is ours. */
const METADATA_PATH = '/.well-known/oauth-protected-resource'

/** `vidimus login` */
export async function login(options: LoginOptions): Promise<void> {
  const url = serviceUrl(options)
  const provider = await providerOf(url, options)
  const made = await deviceLogin(provider, ({ address, code }) => {
    console.log(harmless(`Open ${address} in a browser, and confirm the code ${code}.`))
  })
  await storeLogin(url, made)
  console.log(`Signed in to ${url}. The token is in ${tokenFile()}.`)
}

/** `vidimus logout` */
export async function logout(options: TargetOptions): Promise<void> {
  const url = serviceUrl(options)
  const known = await storedLogin(url)
  if (!known) {
    console.log(`Nobody is signed in to ${url}.`)
    return
  }
  await storeLogin(url, undefined)
  await revokeLogin(known)
  console.log(`Signed out of ${url}.`)
}

/**
 * What the service says is believed only as far as it cannot lead a token for another service here: it must name itself
 * (RFC 9728 3.3), and what is asked for is chosen by the user.
 *
 * @throws AgentError `invalid_input`, `unavailable`
 */
async function providerOf(url: string, options: LoginOptions): Promise<LoginProvider> {
  const { issuer, clientId, audience, scope = '' } = options
  const {
    authorization_servers: issuers,
    device_clients: clients,
    ...metadata
  } = await protectedResource(url)
  const resource = (options.resource ?? url).replace(/\/+$/, '')
  if (typeof metadata.resource !== 'string' || metadata.resource.replace(/\/+$/, '') !== resource) {
    const message = `the service calls itself ${JSON.stringify(metadata.resource)}, not ${resource}`
    throw new AgentError('invalid_input', `--resource: ${message}; nothing was sent to an identity provider`)
  }
  const known = Array.isArray(issuers)
    ? issuers.filter((one): one is string => typeof one === 'string' && isHttpUrl(one))
    : []
  const chosen = issuer ?? (known.length === 1 ? known[0] : undefined)
  if (chosen === undefined || !known.includes(chosen)) {
    throw new AgentError('invalid_input', `--issuer: must be one of ${known.join(', ')}`)
  }
  const standard = isJsonObject(clients) && Object.hasOwn(clients, chosen) ? clients[chosen] : undefined
  const client = clientId ?? standard
  if (typeof client !== 'string')
    throw new AgentError('invalid_input', '--client-id: the service names none for the command line')
  return {
    issuer: chosen,
    clientId: client,
    audiences: audience === undefined ? [resource] : [audience, resource],
    scope: [...new Set([...SCOPES, ...scope.split(' ').filter((one) => one !== '')])].join(' '),
  }
}

async function protectedResource(url: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}${METADATA_PATH}`, { redirect: 'error' }).catch((cause: unknown) => {
    throw new AgentError('unavailable', `${url} cannot be reached`, { cause })
  })
  const metadata: unknown = await response.json().catch(() => undefined)
  if (response.ok && isJsonObject(metadata)) return metadata
  throw new AgentError('invalid_input', `${url} accepts no tokens of an identity provider; use an API key`)
}
