import { generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

interface DoubleKey {
  type: string
  privateKey: KeyObject
  publicKey: string
  deletionAllowed: boolean
}

interface Answer {
  status: number
  body?: object
  /** of something else that stands in front of it */
  page?: string
}

const refuse = (status: number, ...errors: string[]): Answer => ({ status, body: { errors } })

/** Lifetime of the tokens that logins get, in seconds. */
const LEASE = 3600

/**
 * A key service in the process of the tests that answers as the HTTP API of OpenBao and Vault is published: the auth methods
 * token, AppRole and Kubernetes, and the transit engine with keys of node:crypto.
 */
export class VaultDouble {
  /** requests that arrived, as `METHOD path` */
  readonly calls: string[] = []
  readonly keys = new Map<string, DoubleKey>()
  readonly tokens = new Set<string>()
  sealed = false
  /** answered instead of what follows, once each */
  readonly nextAnswers: Answer[] = []
  /** whether requests are never answered */
  silent = false
  /** does what these ask for, and drops the connection in place of the answer; of `METHOD path` */
  dropped: RegExp | undefined
  /** waited for before a request is looked at */
  before: ((call: string) => Promise<unknown> | undefined) | undefined
  /** how long each signature takes */
  signatureMs = 0
  /** the input of signatures */
  readonly signed: Buffer[] = []

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<VaultDouble> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const double = new VaultDouble(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    server.on('request', (request, response) => void double.serve(request, response))
    return double
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }

  /** A token that the service may be configured with. */
  token(): string {
    const token = `hvs.${randomUUID()}`
    this.tokens.add(token)
    return token
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString('utf8')
    const call = `${request.method} ${request.url}`
    this.calls.push(call)
    if (this.silent) return
    await this.before?.(call)
    if (request.url?.includes('/sign/')) await pause(this.signatureMs)
    const { status, body, page } =
      this.nextAnswers.shift() ?? this.answer(request, text === '' ? {} : (JSON.parse(text) as Body))
    if (this.dropped?.test(call)) return void request.socket.destroy()
    response.writeHead(status, { 'content-type': page === undefined ? 'application/json' : 'text/html' })
    response.end(page ?? (body && JSON.stringify(body)))
  }

  private answer(request: IncomingMessage, body: Body): Answer {
    if (this.sealed) return refuse(503, 'Vault is sealed')
    const path = (request.url ?? '').replace(/^\/v1\//, '')
    const login = /^auth\/(approle|kubernetes)\/login$/.exec(path)
    if (login) return this.login(login[1] ?? '', body)
    const token = String(request.headers['x-vault-token'])
    if (!this.tokens.has(token)) return refuse(403, '1 error occurred:\n\t* permission denied\n\n')
    if (path === 'auth/token/lookup-self')
      return { status: 200, body: { data: { ttl: LEASE, renewable: true } } }
    if (path === 'auth/token/renew-self') return { status: 200, body: { auth: authOf(token) } }
    return this.transit(request.method ?? '', path, body)
  }

  private login(method: string, body: Body): Answer {
    const right =
      method === 'approle'
        ? body.role_id === 'role' && body.secret_id === 'secret'
        : body.role === 'vidimus' && body.jwt === 'of the pod'
    return right
      ? { status: 200, body: { auth: authOf(this.token()) } }
      : refuse(400, 'invalid role or secret ID')
  }

  private transit(method: string, path: string, body: Body): Answer {
    if (path === 'transit/keys?list=true' && method === 'GET') {
      return this.keys.size === 0
        ? refuse(404)
        : { status: 200, body: { data: { keys: [...this.keys.keys()] } } }
    }
    const [, verb, name = '', config] = /^transit\/(keys|sign)\/([\w-]+)(\/config)?$/.exec(path) ?? []
    if (verb === undefined) return refuse(404, `no handler for route "${path}"`)
    if (verb === 'keys' && method === 'POST' && !config) return this.create(name, body)
    const key = this.keys.get(name)
    if (!key) return verb === 'sign' ? refuse(400, 'signing key not found') : refuse(404)
    if (verb === 'sign') return this.sign(key, body)
    if (config) {
      key.deletionAllowed = body.deletion_allowed === true
      return { status: 204 }
    }
    if (method === 'GET') return { status: 200, body: { data: dataOf(name, key) } }
    if (!key.deletionAllowed)
      return refuse(400, 'error deleting policy: deletion is not allowed for this policy')
    this.keys.delete(name)
    return { status: 204 }
  }

  private create(name: string, { type }: Body): Answer {
    const there = this.keys.get(name)
    if (there) return { status: 200, body: { data: dataOf(name, there) } }
    const pair =
      type === 'ed25519'
        ? generateKeyPairSync('ed25519')
        : type === 'ecdsa-p256'
          ? generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
          : undefined
    if (!pair) return refuse(400, `unknown key type ${String(type)}`)
    const publicKey =
      type === 'ed25519'
        ? pair.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64')
        : pair.publicKey.export({ format: 'pem', type: 'spki' }).toString()
    const key = {
      type: String(type),
      privateKey: pair.privateKey,
      publicKey,
      deletionAllowed: false,
    }
    this.keys.set(name, key)
    return { status: 200, body: { data: dataOf(name, key) } }
  }

  private sign({ type, privateKey }: DoubleKey, body: Body): Answer {
    const input = Buffer.from(String(body.input), 'base64')
    this.signed.push(input)
    if (type === 'ed25519') {
      const signature = sign(null, input, privateKey).toString('base64')
      return { status: 200, body: { data: { signature: `vault:v1:${signature}` } } }
    }
    const jws = body.marshaling_algorithm === 'jws'
    const signature = sign('sha256', input, { key: privateKey, dsaEncoding: jws ? 'ieee-p1363' : 'der' })
    return {
      status: 200,
      body: { data: { signature: `vault:v1:${signature.toString(jws ? 'base64url' : 'base64')}` } },
    }
  }
}

type Body = Record<string, unknown>

const authOf = (token: string) => ({ client_token: token, lease_duration: LEASE, renewable: true })

const dataOf = (name: string, { type, publicKey, deletionAllowed }: DoubleKey) => ({
  name,
  type,
  deletion_allowed: deletionAllowed,
  exportable: false,
  latest_version: 1,
  keys: { 1: { creation_time: '2026-01-01T00:00:00Z', name: type, public_key: publicKey } },
})
