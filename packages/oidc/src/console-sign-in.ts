import { AgentError, isConfidentialAddress } from '@vidimus/core-types'
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  AuthorizationResponseError,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  ClientError,
  ClientSecretBasic,
  discovery,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  ResponseBodyError,
  type Configuration,
} from 'openid-client'
import type { ProviderSettings } from './options.js'
import type { Attempt } from './sign-in-attempts.js'

const TIMEOUT_SECONDS = 5
const KNOWN_MS = 60 * 60 * 1000
/** A provider that cannot be reached is left alone for so long. */
const RETRY_MS = 2000

/** The answer of a provider to somebody who has signed in. */
export interface SignedIn {
  issuer: string
  accessToken: string
  /** of the ID token, which is verified */
  idClaims: Readonly<Record<string, unknown>>
}

/** Signs people in to the console at one provider: authorization code with PKCE, state and nonce. */
export class ConsoleSignIn {
  private known: { configuration: Promise<Configuration>; until: number } | undefined

  constructor(
    private readonly settings: ProviderSettings & { clientId: string },
    private readonly now: () => number,
  ) {}

  /** @throws AgentError `unavailable` */
  async begin(callback: string): Promise<{ address: string; attempt: Omit<Attempt, 'begunAt'> }> {
    const { audience } = this.settings
    const [verifier, state, nonce] = [randomPKCECodeVerifier(), randomState(), randomNonce()]
    const challenge = await calculatePKCECodeChallenge(verifier)
    const configuration = await this.configuration()
    const address = buildAuthorizationUrl(configuration, {
      redirect_uri: callback,
      // Nothing is renewed: a session has its own end.
      scope: 'openid',
      ...(audience[0] !== undefined && URL.canParse(audience[0]) && { resource: audience[0] }),
      code_challenge: challenge,
      code_challenge_method: 'S256',
      state,
      nonce,
    })
    return { address: address.href, attempt: { state, nonce, verifier } }
  }

  /**
   * @param address - that the provider led the browser to
   * @throws AgentError `unauthenticated`, `unavailable`
   */
  async complete({ state, nonce, verifier }: Attempt, address: string): Promise<SignedIn> {
    const { issuer, audience } = this.settings
    const configuration = await this.configuration()
    try {
      const resource = audience[0] !== undefined && URL.canParse(audience[0]) ? { resource: audience[0] } : {}
      const checks = {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      }
      const tokens = await authorizationCodeGrant(configuration, new URL(address), checks, resource)
      return { issuer, accessToken: tokens.access_token, idClaims: tokens.claims() ?? {} }
    } catch (error) {
      throw asRefusal(error)
    }
  }

  /** Where the session at the provider ends; absent if it has no such address, or cannot be reached. */
  async endAddress(afterwards: string): Promise<string | undefined> {
    const configuration = await this.configuration().catch(() => undefined)
    if (configuration?.serverMetadata().end_session_endpoint === undefined) return undefined
    return buildEndSessionUrl(configuration, { post_logout_redirect_uri: afterwards }).href
  }

  private configuration(): Promise<Configuration> {
    if (this.known && this.now() < this.known.until) return this.known.configuration
    const known = {
      until: this.now() + KNOWN_MS,
      configuration: this.discover().catch((cause: unknown) => {
        known.until = this.now() + RETRY_MS
        const message = 'the identity provider cannot be reached; try again in a moment'
        throw new AgentError('unavailable', message, { cause })
      }),
    }
    this.known = known
    return known.configuration
  }

  private discover(): Promise<Configuration> {
    const { issuer, clientId, clientSecret, allowHttp } = this.settings
    const authentication = clientSecret ? ClientSecretBasic(clientSecret) : None()
    const mayBeHttp = issuer.startsWith('http:') && (allowHttp || isConfidentialAddress(issuer))
    return discovery(new URL(issuer), clientId, clientSecret ?? undefined, authentication, {
      timeout: TIMEOUT_SECONDS,
      ...(mayBeHttp && { execute: [allowInsecureRequests] }),
    })
  }
}

/** Texts of the provider are shown, as they tell people what to do; no token is in any of them. */
function asRefusal(error: unknown): AgentError {
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    return new AgentError(
      'unauthenticated',
      `the identity provider refuses: ${error.error_description ?? error.error}`,
      {
        cause: error,
      },
    )
  }
  const isAnswered = error instanceof ClientError && error.code !== 'OAUTH_TIMEOUT'
  return isAnswered
    ? new AgentError('unauthenticated', 'the answer of the identity provider does not fit; sign in again', {
        cause: error,
      })
    : new AgentError('unavailable', 'the identity provider did not answer in time; sign in again', {
        cause: error,
      })
}
