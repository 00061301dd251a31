import { sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { encode } from 'cborg'
import { CredentialsPlugin, dataIntegrity, JoseCredentials, JwtCredentials } from '@vidimus/credentials'
import { outsideKey, type OutsideKey } from '../../../../../test/support/outside-key.js'
import { encodeSign1, HEADER, signedBytes } from '../../encoding/cose-sign1.js'
import type { StatusListPluginOptions } from '../../plugin-options.js'
import { cwtPayload, type TokenStatusClaims } from '../../types/token-status-cwt.js'
import { createTestAgent } from '../test-agent.js'
import type { TestLedger } from '../test-ledger.js'

const certificate = (name: string) => readFileSync(new URL(`./certificates/${name}`, import.meta.url), 'utf8')

/** The host is in the own network, and has a certificate of its own. */
export const WEB = { allowPrivateAddresses: true, certificateAuthorities: certificate('localhost.pem') }

export const NOW = new Date('2026-03-01T12:00:00Z')
export const SECONDS = NOW.getTime() / 1000

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** A host of lists, over https on loopback. */
export class ListHost {
  readonly asked: { url: string | undefined; etag: string | undefined; accept: string | undefined }[] = []
  answer: Answer = (_, response) => response.writeHead(404).end()
  private server: Server | undefined

  async start(): Promise<void> {
    const keys = { key: certificate('localhost.key'), cert: certificate('localhost.pem') }
    const server = createServer(keys, (request, response) => {
      const { 'if-none-match': etag, accept } = request.headers
      this.asked.push({ url: request.url, etag, accept })
      this.answer(request, response)
    }).listen(0, 'localhost')
    await new Promise((done) => server.once('listening', done))
    this.server = server
  }

  stop(): void {
    this.server?.closeAllConnections()
    this.server?.close()
  }

  url(path = '/list'): string {
    return `https://localhost:${(this.server?.address() as AddressInfo).port}${path}`
  }

  /** Serves one content to everybody from now on. */
  serves(mediaType: string, content: string | Uint8Array, headers: Record<string, string> = {}): void {
    this.asked.length = 0
    this.answer = ({ headers: { 'if-none-match': etag } }, response) => {
      if (etag !== undefined && etag === headers.etag) response.writeHead(304, headers).end()
      else response.writeHead(200, { 'content-type': mediaType, ...headers }).end(content)
    }
  }
}

/** An agent that believes the certificate of the host, at a time that the test decides. */
export function agentOf(options: Partial<StatusListPluginOptions> = {}) {
  const time = { now: NOW }
  const clock = () => time.now
  const test = createTestAgent({
    clock,
    options: { web: WEB, ...options },
    plugins: [new CredentialsPlugin({ formats: [JwtCredentials, JoseCredentials, dataIntegrity()], clock })],
  })
  const issuer = new Issuer('did:cheqd:testnet:0d0c1b0a-0d0c-4b0a-8d0c-0d0c1b0a0d0c', test.ledger)
  return { ...test, time, issuer }
}

const ALGORITHMS = { Ed25519: ['EdDSA', -8], Secp256r1: ['ES256', -7], Secp256k1: ['ES256K', -47] } as const

/** Another issuer, which signs what the test says. */
export class Issuer {
  key: OutsideKey

  constructor(
    readonly did: string,
    private readonly ledger: TestLedger,
    readonly type: keyof typeof ALGORITHMS = 'Ed25519',
  ) {
    this.key = outsideKey(type)
    this.publish()
  }

  get kid(): string {
    return `${this.did}#key-1`
  }

  /** Has another key from now on. */
  rotate(): void {
    this.key = outsideKey(this.type)
    this.publish()
  }

  jwt(payload: object, header: object = {}): string {
    const whole = { alg: ALGORITHMS[this.type][0], kid: this.kid, ...header }
    const encoded = [whole, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    const signed = encoded.join('.')
    return `${signed}.${this.signature(Buffer.from(signed)).toString('base64url')}`
  }

  /** A list of tokens as JWT. */
  listJwt(claims: object): string {
    return this.jwt(claims, { typ: 'statuslist+jwt' })
  }

  /** The same as CWT. */
  listCwt(claims: TokenStatusClaims): Uint8Array {
    return this.cwt(cwtPayload(claims), 'application/statuslist+cwt')
  }

  cwt(payload: Uint8Array, typ?: string): Uint8Array {
    const header = encode(
      new Map<number, unknown>([
        [HEADER.alg, ALGORITHMS[this.type][1]],
        [HEADER.kid, new TextEncoder().encode(this.kid)],
        ...(typ === undefined ? [] : [[HEADER.type, typ] as const]),
      ]),
    )
    const signature = this.signature(signedBytes(header, payload))
    return encodeSign1(header, payload, new Uint8Array(signature))
  }

  private signature(signed: Uint8Array): Buffer {
    const digest = this.type === 'Ed25519' ? null : 'sha256'
    return sign(digest, signed, { key: this.key.privateKey, dsaEncoding: 'ieee-p1363' })
  }

  private publish(): void {
    const method = { id: this.kid, type: 'JsonWebKey2020', controller: this.did, publicKeyJwk: this.key.jwk }
    this.ledger.documents.set(this.did, {
      id: this.did,
      verificationMethod: [method],
      assertionMethod: [this.kid],
    })
  }
}

/** gzip, of a list with one bit for an entry, in which these are set. */
export function encodedBits(set: readonly number[], bytes = 16_384): string {
  const bits = new Uint8Array(bytes)
  for (const index of set) bits[index >> 3] = (bits[index >> 3] ?? 0) | (0x80 >> (index & 7))
  return gzipSync(bits).toString('base64url')
}
