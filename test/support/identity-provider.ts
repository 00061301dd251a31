import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isJsonObject } from '@vidimus/core-types'
import { importJWK, SignJWT, type JWK, type JWTPayload } from 'jose'
import Provider, { type ClientMetadata, type Configuration } from 'oidc-provider'

/** What tokens for the service are for. */
export const AUDIENCE = 'https://vidimus.example'

/** The command line. */
export const DEVICE: ClientMetadata = {
  client_id: 'vidimus-cli',
  token_endpoint_auth_method: 'none',
  application_type: 'native',
  grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
  redirect_uris: [],
  response_types: [],
}

const MACHINE: ClientMetadata = {
  client_id: 'machine',
  client_secret: 'a secret of the machine',
  grant_types: ['client_credentials'],
  redirect_uris: [],
  response_types: [],
}

const METADATA = '/.well-known/openid-configuration'

type ImportedKey = Awaited<ReturnType<typeof importJWK>>

interface SigningKey {
  privateKey: ImportedKey
  publicJwk: JWK
  privateJwk: JWK
  publicKeyPem: string
  kid: string
}

/** An identity provider in the process of the tests: the one that npm calls `oidc-provider`, on a port of loopback. */
export class IdentityProvider {
  /** further claims of the access tokens that it issues */
  claims: Record<string, unknown> = {}
  /** paths that it was asked for, oldest first */
  readonly asked: string[] = []
  /** of its tokens, whatever resource is asked for; absent: that resource */
  audience: string | undefined
  /** answers nothing but this status, if it is set */
  outage: number | undefined
  /** does what is asked at this path, and drops the connection in place of the answer */
  dropped: string | undefined
  /** in place of its own, if it is set */
  metadata: Record<string, unknown> | undefined
  private answer: (req: IncomingMessage, res: ServerResponse) => unknown = () => undefined
  private key!: SigningKey
  private keys = 0

  private constructor(
    private readonly server: Server,
    readonly issuer: string,
    private readonly clients: readonly ClientMetadata[],
  ) {}

  /** @param host - of its address: `localhost` is another site than 127.0.0.1 */
  static async start(clients: readonly ClientMetadata[] = [], host = '127.0.0.1'): Promise<IdentityProvider> {
    const server = createServer()
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const issuer = `http://${host}:${(server.address() as AddressInfo).port}`
    const provider = new IdentityProvider(server, issuer, [MACHINE, DEVICE, ...clients])
    server.on('request', (req: IncomingMessage, res: ServerResponse) => {
      provider.asked.push(req.url ?? '')
      if (req.url === provider.dropped) res.end = () => res.destroy()
      if (provider.outage !== undefined) res.writeHead(provider.outage).end()
      else if (provider.metadata && req.url?.startsWith(METADATA))
        res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(provider.metadata))
      else provider.answer(req, res)
    })
    await provider.rotateKey()
    return provider
  }

  /** From now on it signs with another key, and publishes only that. */
  async rotateKey(): Promise<void> {
    this.key = await newKey(`key-${++this.keys}`)
    const provider = new Provider(this.issuer, this.configuration())
    // Clients that wait for somebody with a browser ask every five seconds unless they are told otherwise.
    provider.use(async (context, next) => {
      await next()
      const body: unknown = context.body
      if (isJsonObject(body) && 'device_code' in body) context.body = { ...body, interval: 1 }
    })
    this.answer = provider.callback()
  }

  get signingKey(): SigningKey {
    return this.key
  }

  /** An access token that a client got in the usual way: with its credentials, at the token endpoint. */
  async token(claims: Record<string, unknown> = {}): Promise<string> {
    this.claims = claims
    const response = await fetch(`${this.issuer}/token`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(
          `${MACHINE.client_id}:${encodeURIComponent(MACHINE.client_secret ?? '')}`,
        ).toString('base64')}`,
      },
      body: new URLSearchParams({ grant_type: 'client_credentials', resource: AUDIENCE }),
    })
    const { access_token: token, ...others } = (await response.json()) as { access_token?: string }
    if (token === undefined) throw new Error(`no token: ${JSON.stringify(others)}`)
    return token
  }

  /**
   * What a user does in a browser: follows redirects, signs in, and consents, until it is led elsewhere or there is nothing
   * more to do.
   *
   * @returns where the browser is then, without having asked for it, or the text of the last page
   */
  async browse(address: string, user: string): Promise<{ url: string; text: string }> {
    const cookies = new Map<string, string>()
    let [url, init]: [string, RequestInit] = [address, {}]
    for (;;) {
      const response = await fetch(url, {
        ...init,
        redirect: 'manual',
        headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      })
      for (const cookie of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
        cookies.set(name, value)
      }
      const text = await response.text()
      const next = response.headers.get('location')
      if (next !== null) {
        url = new URL(next, url).href
        init = {}
        if (!url.startsWith(`${this.issuer}/`)) return { url, text: '' }
        continue
      }
      const form = /<form[^>]*action="([^"]*)"[^>]*>([^]*?)<\/form>/.exec(text)
      if (!form) return { url, text }
      url = new URL(form[1] ?? '', url).href
      init = { method: 'POST', body: filledForm(form[2] ?? '', user) }
    }
  }

  /** A token that it never issued, signed with its key unless another is given. */
  async signed(
    claims: JWTPayload,
    { header, key }: { header?: Record<string, unknown>; key?: ImportedKey } = {},
  ): Promise<string> {
    const now = Math.floor(Date.now() / 1000)
    const payload = { iss: this.issuer, sub: 'alice', aud: AUDIENCE, iat: now, exp: now + 300, ...claims }
    return new SignJWT(payload)
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: this.key.kid, ...header })
      .sign(key ?? this.key.privateKey, { crit: { x: true } })
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((closed) => this.server.close(closed))
  }

  private configuration(): Configuration {
    return {
      clients: [...this.clients],
      jwks: { keys: [this.key.privateJwk] },
      cookies: { keys: ['of the tests'] },
      clientDefaults: { id_token_signed_response_alg: 'ES256' },
      extraTokenClaims: () => this.claims,
      ttl: { AccessToken: 300, ClientCredentials: 300 },
      features: {
        devInteractions: { enabled: true },
        clientCredentials: { enabled: true },
        deviceFlow: { enabled: true },
        revocation: { enabled: true },
        resourceIndicators: {
          enabled: true,
          defaultResource: () => AUDIENCE,
          useGrantedResource: () => true,
          getResourceServerInfo: (_context, resource) => ({
            scope: 'vidimus',
            audience: this.audience ?? resource,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: 'ES256' } },
          }),
        },
      },
    }
  }
}

function filledForm(form: string, user: string): URLSearchParams {
  const fields = new URLSearchParams()
  for (const [input] of form.matchAll(/<input[^>]*>/g)) {
    const name = /name="([^"]*)"/.exec(input)?.[1]
    const value = /value="([^"]*)"/.exec(input)?.[1] ?? user
    if (name !== undefined) fields.set(name, value)
  }
  return fields
}

/** A key pair of ES256 as a JWK. */
export function newKeyPair(): { privateJwk: JWK; publicJwk: JWK; publicKeyPem: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'sec1', format: 'der' },
    publicKeyEncoding: { type: 'spki', format: 'der' },
  })
  const text = (bytes: Buffer) => bytes.toString('base64url')
  const publicJwk = {
    kty: 'EC',
    crv: 'P-256',
    x: text(publicKey.subarray(-64, -32)),
    y: text(publicKey.subarray(-32)),
  }
  // RFC 5915: SEQUENCE, version 1, OCTET STRING of 32 bytes
  const privateJwk = { ...publicJwk, d: text(privateKey.subarray(7, 39)) }
  const lines = publicKey.toString('base64').replace(/.{64}/g, '$&\n')
  return {
    privateJwk,
    publicJwk,
    publicKeyPem: `-----BEGIN PUBLIC KEY-----\n${lines}\n-----END PUBLIC KEY-----`,
  }
}

async function newKey(kid: string): Promise<SigningKey> {
  const { privateJwk, publicJwk, publicKeyPem } = newKeyPair()
  const members = { kid, alg: 'ES256', use: 'sig' }
  return {
    kid,
    privateKey: await importJWK(privateJwk, 'ES256'),
    privateJwk: { ...privateJwk, ...members },
    publicJwk: { ...publicJwk, ...members },
    publicKeyPem,
  }
}
