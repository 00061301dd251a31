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
import { z } from 'zod'
import type { ProviderSettings } from './options.js'

const TIMEOUT_SECONDS = 5
const KNOWN_MS = 60 * 60 * 1000
/** How long somebody may take to sign in at the provider. */
const ATTEMPT_MS = 10 * 60 * 1000

/** What the browser keeps between leaving for the provider and coming back. */
const Attempt = z.tuple([z.string(), z.string(), z.string(), z.string(), z.number()])

/** The answer of a provider to somebody who has signed in. */
export interface SignedIn {
  issuer: string
  accessToken: string
  /** of the ID token, which is verified */
  idClaims: Readonly<Record<string, unknown>>
}

/** Signs people in to the console at one provider: authorization code with PKCE, state and nonce. */
export class ConsoleSignIn {
  private known: { configuration: Promise<Configuration>; since: number } | undefined

  constructor(
    private readonly settings: ProviderSettings & { clientId: string },
    private readonly now: () => number,
  ) {}

  /** @throws AgentError `unavailable` */
  async begin(callback: string): Promise<{ address: string; attempt: string }> {
    const { issuer, loginScope, audience } = this.settings
    const [verifier, state, nonce] = [randomPKCECodeVerifier(), randomState(), randomNonce()]
    const challenge = await calculatePKCECodeChallenge(verifier)
    const configuration = await this.configuration()
    const address = buildAuthorizationUrl(configuration, {
      redirect_uri: callback,
      // Nothing is renewed: a session has its own end.
      scope: loginScope.replace(/ ?\boffline_access\b/, ''),
      ...(audience[0] !== undefined && URL.canParse(audience[0]) && { resource: audience[0] }),
      code_challenge: challenge,
      code_challenge_method: 'S256',
      state,
      nonce,
    })
    return { address: address.href, attempt: encoded([issuer, state, nonce, verifier, this.now()]) }
  }

  /**
   * @param address - that the provider led the browser to
   * @throws AgentError `unauthenticated`, `unavailable`
   */
  async complete([, state, nonce, verifier]: z.output<typeof Attempt>, address: string): Promise<SignedIn> {
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
    if (this.known && this.now() - this.known.since < KNOWN_MS) return this.known.configuration
    const configuration = this.discover().catch((cause: unknown) => {
      this.known = undefined
      const message = 'the identity provider cannot be reached; try again in a moment'
      throw new AgentError('unavailable', message, { cause })
    })
    this.known = { configuration, since: this.now() }
    return configuration
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

const encoded = (attempt: z.output<typeof Attempt>): string =>
  Buffer.from(JSON.stringify(attempt)).toString('base64url')

/** @returns `undefined` for anything that is no attempt, or an old one */
export function readAttempt(text: string, now: number): z.output<typeof Attempt> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    const { data } = Attempt.safeParse(value)
    return data && now - data[4] <= ATTEMPT_MS && now >= data[4] ? data : undefined
  } catch {
    return undefined
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
    : new AgentError('unavailable', 'the identity provider cannot be reached; try again in a moment', {
        cause: error,
      })
}
