import { AgentError, isConfidentialAddress, isJsonObject } from '@vidimus/core-types'
import {
  allowInsecureRequests,
  ClientError,
  discovery,
  initiateDeviceAuthorization,
  None,
  pollDeviceAuthorizationGrant,
  refreshTokenGrant,
  ResponseBodyError,
  tokenRevocation,
  type Configuration,
  type TokenEndpointResponse,
} from 'openid-client'
import type { StoredLogin } from './token-file.js'

/** Where a service has its tokens from. */
export interface LoginProvider {
  issuer: string
  clientId: string
  /** one of them must be in `aud`; the first is asked for, if it is an address (RFC 8707) */
  audiences: readonly string[]
  scope: string
}

/** What the user must do in a browser. */
export interface UserStep {
  address: string
  code: string
}

/**
 * Signs in by the device flow (RFC 8628): the user confirms in any browser.
 *
 * @param show - the address and the code to the user
 * @throws AgentError `unauthenticated` if the user declines or does nothing, `unavailable`
 */
export async function deviceLogin(
  provider: LoginProvider,
  show: (step: UserStep) => void,
): Promise<StoredLogin> {
  return asFailure(async () => {
    const configuration = await providerConfiguration(provider)
    const resource = resourceOf(provider)
    const asked = { scope: provider.scope, ...resource, prompt: 'consent' }
    const started = await initiateDeviceAuthorization(configuration, asked)
    show({ address: started.verification_uri_complete ?? started.verification_uri, code: started.user_code })
    return loginOf(provider, await pollDeviceAuthorizationGrant(configuration, started, resource))
  })
}

/** @returns `undefined` if the provider refuses. @throws AgentError `unavailable` */
export async function renewedLogin(login: StoredLogin): Promise<StoredLogin | undefined> {
  try {
    return await asFailure(async () => {
      const { refreshToken = '' } = login
      const configuration = await providerConfiguration(login)
      const tokens = await refreshTokenGrant(configuration, refreshToken, resourceOf(login))
      return { ...loginOf(login, tokens), refreshToken: tokens.refresh_token ?? refreshToken }
    })
  } catch (error) {
    if (error instanceof AgentError && error.code === 'unauthenticated') return undefined
    throw error
  }
}

/** Ends the login at the provider, if it can do that. */
export async function revokeLogin(login: StoredLogin): Promise<void> {
  const token = login.refreshToken ?? login.accessToken
  await asFailure(async () => {
    const configuration = await providerConfiguration(login)
    if (configuration.serverMetadata().revocation_endpoint === undefined) return
    await tokenRevocation(configuration, token)
  })
}

const providerConfiguration = ({
  issuer,
  clientId,
}: Pick<LoginProvider, 'issuer' | 'clientId'>): Promise<Configuration> =>
  discovery(new URL(issuer), clientId, undefined, None(), {
    ...(isConfidentialAddress(issuer) && issuer.startsWith('http:') && { execute: [allowInsecureRequests] }),
  })

function loginOf(provider: LoginProvider, tokens: TokenEndpointResponse): StoredLogin {
  const { issuer, clientId, audiences, scope } = provider
  mustBeFor(audiences, tokens.access_token)
  return {
    issuer,
    clientId,
    audiences,
    scope,
    accessToken: tokens.access_token,
    ...(tokens.refresh_token !== undefined && { refreshToken: tokens.refresh_token }),
    expiresAt: new Date(Date.now() + (tokens.expires_in ?? 60) * 1000).toISOString(),
  }
}

const resourceOf = ({ audiences: [first = ''] }: Pick<LoginProvider, 'audiences'>): Record<string, string> =>
  URL.canParse(first) ? { resource: first } : {}

/**
 * A provider may ignore what was asked for: a token that is for another service would let this one act there.
 *
 * @throws AgentError `unauthenticated`
 */
function mustBeFor(audiences: readonly string[], token: string): void {
  const aud = audienceIn(token)
  if (aud.some((one) => audiences.includes(one) || audiences.includes(one.replace(/\/+$/, '')))) return
  const message = `the identity provider gave a token that is not for ${audiences.join(' or ')}`
  const others = aud.length > 0 ? `, but for ${aud.join(', ')}` : ''
  const advice = 'if that is what tokens for this service are for, name it with --audience'
  throw new AgentError('unauthenticated', `${message}${others}; nothing was stored or sent; ${advice}`)
}

/** @returns none for what is no JWT: nobody could say what it is for */
function audienceIn(token: string): string[] {
  const [, payload = '', ...signature] = token.split('.')
  if (signature.length !== 1) return []
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
    const aud = isJsonObject(claims) ? claims.aud : undefined
    return [aud].flat().filter((one): one is string => typeof one === 'string')
  } catch {
    return []
  }
}

/** The errors of the provider for the user; none contains a token. */
async function asFailure<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AgentError) throw error
    if (error instanceof ResponseBodyError) {
      const reason = error.error_description ?? error.error
      throw new AgentError('unauthenticated', `the identity provider refuses: ${reason}`)
    }
    const reason =
      error instanceof ClientError || error instanceof TypeError ? error.message : 'unknown error'
    throw new AgentError('unavailable', `the identity provider cannot be used: ${reason}`, { cause: error })
  }
}
