import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { callMethod, RpcFailure, type EndpointView } from './rpc-methods.js'
import type { Occasion } from './misbehaviour.js'
import { decodeTransaction } from './transaction.js'

/** As nodes have it by default. */
const MOST_BODY_BYTES = 1_000_000

/** A call as it came in, whatever became of it. */
export interface ReceivedCall extends Occasion {
  params: Readonly<Record<string, unknown>>
}

interface RpcRequest extends ReceivedCall {
  id: unknown
}

const HTML = '<!DOCTYPE html><html><head><title>Welcome</title></head><body>It works!</body></html>'

/** The JSON-RPC of a node over HTTP: POST, one call or several at once. */
export class RpcServer {
  readonly calls: ReceivedCall[] = []
  private server: Server | undefined
  private port: number

  constructor(
    private readonly view: EndpointView,
    port = 0,
  ) {
    this.port = port
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** After the first time on the port that it had before. */
  async listen(): Promise<void> {
    const server = createServer((request, response) => {
      this.respond(request, response).catch((error: unknown) => {
        response.destroy(error instanceof Error ? error : undefined)
      })
    })
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(this.port, '127.0.0.1', resolve)
    })
    this.port = (server.address() as AddressInfo).port
    this.server = server
  }

  /** Connections end at once, with or without an answer. */
  async close(): Promise<void> {
    const { server } = this
    if (!server) return
    this.server = undefined
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
  }

  private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A pooled connection that ends with a restart would fail a later request of a client that does nothing wrong.
    if (!this.view.keepsConnections) response.setHeader('Connection', 'close')
    const body = await readBody(request)
    if (body === undefined) return send(response, 400, JSON.stringify(bodyTooLarge))
    const requests = parseRequests(body)
    if (!requests) return send(response, 500, JSON.stringify(parseError))
    const known = requests.flatMap((one) => (one.request ? [one.request] : []))
    this.calls.push(...known.map(({ id: _, ...call }) => call))
    if (this.misbehavesBefore(known, response)) return
    let answers = await this.answer(requests)
    if (this.strikes('deliverTwice', known)) answers = await this.answer(requests)
    if (this.misbehavesAfter(known, response, answers)) return
    send(
      response,
      200,
      answers.length === 0 ? '' : JSON.stringify(answers.length === 1 ? answers[0] : answers),
    )
  }

  private async answer(requests: readonly ParsedRequest[]): Promise<object[]> {
    const answers: object[] = []
    for (const { request } of requests) {
      if (!request) answers.push(invalidRequest)
      // Notifications get none.
      else if (request.id !== undefined) answers.push(await this.call(request))
    }
    return answers
  }

  private async call({ id, method, params }: RpcRequest): Promise<object> {
    try {
      return { jsonrpc: '2.0', id, result: await callMethod(this.view, method, params) }
    } catch (error) {
      const failure =
        error instanceof RpcFailure ? error : new RpcFailure(-32603, 'Internal error', String(error))
      const { code, message, data } = failure
      return { jsonrpc: '2.0', id, error: { code, message, ...(data === '' ? {} : { data }) } }
    }
  }

  private strikes(
    kind: 'dropRequest' | 'loseResponse' | 'deliverTwice',
    calls: readonly Occasion[],
  ): boolean {
    return this.view.misbehaviour.strike(kind, ...calls) !== undefined
  }

  /** @returns whether the request has got all that it will get */
  private misbehavesBefore(calls: readonly Occasion[], response: ServerResponse): boolean {
    const { misbehaviour } = this.view
    if (misbehaviour.strike('dropRequest', ...calls)) {
      response.destroy()
      return true
    }
    if (misbehaviour.strike('stallRequest', ...calls)) return true
    for (const [kind, statusCode] of [
      ['limitRate', 429],
      ['unavailable', 503],
    ] as const) {
      const struck = misbehaviour.strike(kind, ...calls)
      if (!struck) continue
      if (struck.retryAfter !== undefined) response.setHeader('Retry-After', String(struck.retryAfter))
      send(
        response,
        statusCode,
        kind === 'limitRate' ? 'Too Many Requests' : 'Service Unavailable',
        'text/plain',
      )
      return true
    }
    if (!misbehaviour.strike('answerHtml', ...calls)) return false
    send(response, 200, HTML, 'text/html')
    return true
  }

  private misbehavesAfter(calls: readonly Occasion[], response: ServerResponse, answers: object[]): boolean {
    const { misbehaviour } = this.view
    if (misbehaviour.strike('loseResponse', ...calls)) {
      response.destroy()
      return true
    }
    if (misbehaviour.strike('stallResponse', ...calls)) return true
    if (misbehaviour.strike('answerInvalidJson', ...calls)) {
      send(response, 200, '{"jsonrpc":"2.0","id":1,"result":{')
      return true
    }
    if (misbehaviour.strike('truncateAnswer', ...calls)) {
      truncate(response, JSON.stringify(answers.length === 1 ? answers[0] : answers))
      return true
    }
    if (!misbehaviour.strike('answerWrongId', ...calls)) return false
    const others = answers.map((answer) => ({ ...answer, id: 987_654_321 }))
    send(response, 200, JSON.stringify(others.length === 1 ? others[0] : others))
    return true
  }
}

interface ParsedRequest {
  /** `undefined` for what is no request */
  request: RpcRequest | undefined
}

const parseError = { jsonrpc: '2.0', id: -1, error: { code: -32700, message: 'Parse error. Invalid JSON' } }
const bodyTooLarge = {
  jsonrpc: '2.0',
  error: {
    code: -32600,
    message: 'Invalid Request',
    data: 'error reading request body: http: request body too large',
  },
}
const invalidRequest = { jsonrpc: '2.0', id: -1, error: { code: -32600, message: 'Invalid Request' } }

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MOST_BODY_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** @returns `undefined` for what is not JSON */
function parseRequests(body: string): ParsedRequest[] | undefined {
  try {
    const parsed: unknown = JSON.parse(body)
    const all: unknown[] = Array.isArray(parsed) ? parsed : [parsed]
    return all.map((one) => ({ request: parseRequest(one) }))
  } catch {
    return undefined
  }
}

function parseRequest(value: unknown): RpcRequest | undefined {
  if (typeof value !== 'object' || value === null || !('method' in value)) return undefined
  const { method, params, id } = value as { method: unknown; params?: unknown; id?: unknown }
  if (typeof method !== 'string') return undefined
  const named = (typeof params === 'object' && params !== null ? params : {}) as Record<string, unknown>
  const path = typeof named.path === 'string' ? { path: named.path } : {}
  const transaction = method.startsWith('broadcast_tx') ? broadcastTransaction(named.tx) : undefined
  return { id, method, params: named, ...path, ...(transaction ? { transaction } : {}) }
}

function broadcastTransaction(tx: unknown) {
  try {
    return decodeTransaction(Buffer.from(String(tx), 'base64'))
  } catch {
    return undefined
  }
}

function send(response: ServerResponse, statusCode: number, body: string, type = 'application/json'): void {
  response.writeHead(statusCode, { 'Content-Type': type })
  response.end(body)
}

/** The length tells of more than comes. */
function truncate(response: ServerResponse, body: string): void {
  const start = body.slice(0, Math.floor(body.length / 2))
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) })
  response.write(start, () => response.destroy())
}
