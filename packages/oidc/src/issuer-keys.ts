import {
  AgentError,
  isConfidentialAddress,
  isHttpUrl,
  log,
  waitsForNetworks,
  isJsonObject,
} from '@vidimus/core-types'
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'

/** A key that the issuer withdraws is used no longer than this. */
const FRESH_MS = 10 * 60 * 1000
/** Tokens with made-up key ids must not make us ask the issuer for each. */
const ASKED_AGAIN_MS = 5000
/** An issuer that cannot be reached is left alone for so long. */
const RETRY_MS = 2000

/** The public keys of an issuer, found by OpenID Connect Discovery and fetched again when they may have changed. */
export class IssuerKeys {
  private find: ReturnType<typeof createLocalJWKSet> | undefined
  private fetchedAt = -Infinity
  private failedAt = -Infinity
  private fetching: Promise<void> | undefined

  constructor(
    private readonly issuer: string,
    private readonly allowHttp: boolean,
    private readonly now: () => number,
  ) {}

  /**
   * The key that the header of a token names.
   *
   * @throws AgentError `unavailable` if the issuer cannot be reached; an error of jose if it has no such key
   */
  readonly key: JWTVerifyGetKey = async (header, token) => {
    const find = await this.current()
    try {
      return await find(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || this.age < ASKED_AGAIN_MS) throw error
      await this.refresh()
      return (await this.current())(header, token)
    }
  }

  /** @throws AgentError `unavailable` */
  async current(): Promise<ReturnType<typeof createLocalJWKSet>> {
    if (!this.find || this.age >= FRESH_MS) await this.refresh()
    if (!this.find) throw this.unreachable()
    return this.find
  }

  private get age(): number {
    return this.now() - this.fetchedAt
  }

  private refresh(): Promise<void> {
    this.fetching ??= this.fetchKeys().finally(() => {
      this.fetching = undefined
    })
    return this.fetching
  }

  private async fetchKeys(): Promise<void> {
    if (this.now() - this.failedAt < RETRY_MS) throw this.unreachable()
    try {
      const keys = await waitsForNetworks.during(() => this.publishedKeys())
      this.find = createLocalJWKSet(keys)
      this.fetchedAt = this.now()
    } catch (cause) {
      this.failedAt = this.now()
      log('warn', 'the keys of an identity provider cannot be fetched', { issuer: this.issuer }, cause)
      throw this.unreachable(cause)
    }
  }

  private async publishedKeys(): Promise<JSONWebKeySet> {
    const { jwks_uri: address } = await discovered(this.issuer)
    if (typeof address !== 'string' || !this.mayAsk(address)) {
      throw new Error('jwks_uri of the identity provider must be an https address')
    }
    return (await fetchJson(address)) as unknown as JSONWebKeySet
  }

  private mayAsk(address: string): boolean {
    return isHttpUrl(address) && (this.allowHttp || isConfidentialAddress(address))
  }

  private unreachable(cause?: unknown): AgentError {
    const message =
      'the identity provider cannot be reached, so that its tokens cannot be verified; try again in a moment'
    return new AgentError('unavailable', message, { cause })
  }
}

/** @see https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderConfig */
async function discovered(issuer: string): Promise<Record<string, unknown>> {
  const metadata = await fetchJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
  if (metadata.issuer !== issuer)
    throw new Error('the identity provider names another issuer than is configured')
  return metadata
}

const TIMEOUT_MS = 5000
const MOST_BYTES = 1024 * 1024

/**
 * Fetches a JSON object from an identity provider, within bounds of time and size and without following redirects,
 * which could lead anywhere.
 *
 * @throws whatever fails; no message contains what was received
 */
async function fetchJson(url: string): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: { accept: 'application/json' },
  })
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new Error(`the identity provider responded with ${response.status}`)
  }
  const value = parsed(await boundedText(response))
  if (!isJsonObject(value))
    throw new Error('the identity provider responded with something other than a JSON object')
  return value
}

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    if (bytes > MOST_BYTES) throw new Error('the response of the identity provider is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new Error('the identity provider responded with something other than JSON')
  }
}
