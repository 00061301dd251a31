import { currentRequest, parseForeignJson } from '@vidimus/core-types'
import type { RpcClient } from '@cosmjs/tendermint-rpc'

type Request = Parameters<RpcClient['execute']>[0]
type Response = Awaited<ReturnType<RpcClient['execute']>>

/** The node could not be reached, or did not respond as a node does. Its message contains no URL. */
export class TransportError extends Error {
  override readonly name = 'TransportError'
  constructor(
    message: string,
    /** how long the node asks to be left alone, in milliseconds */
    readonly retryAfterMs?: number,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** A node, or a proxy before it, accepts no request of that size. */
export class RequestTooLargeError extends Error {
  override readonly name = 'RequestTooLargeError'
}

/** A node's error in place of a result. */
export class RpcError extends Error {
  override readonly name = 'RpcError'
}

/**
 * JSON-RPC over HTTP for the clients of `@cosmjs/tendermint-rpc`, whose own transport checks neither the id of a
 * response nor `retry-after`, and supports no credentials in a URL.
 */
export class JsonRpc implements RpcClient {
  /** without path, query and credentials */
  readonly host: string
  // Inspecting the object in a debugger or a log shows neither credentials nor a path, which may be one.
  readonly #url: string
  readonly #headers: Record<string, string>

  constructor(
    url: string,
    private readonly timeoutMs: number,
    private readonly maxAnswerBytes: number,
  ) {
    const parsed = new URL(url)
    this.host = parsed.host
    const credentials = `${decodeURIComponent(parsed.username)}:${decodeURIComponent(parsed.password)}`
    this.#headers = {
      'content-type': 'application/json',
      ...(credentials === ':'
        ? {}
        : { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }),
    }
    parsed.username = ''
    parsed.password = ''
    this.#url = parsed.href
  }

  async execute(request: Request): Promise<Response> {
    const answer = parse(await this.post(JSON.stringify(request)))
    if (answer.error !== undefined) throw new RpcError(rpcMessage(answer.error))
    if (answer.id !== request.id || answer.result === undefined || answer.result === null) {
      throw new TransportError('it answered a different request')
    }
    return { jsonrpc: '2.0', id: request.id, result: answer.result }
  }

  disconnect(): void {
    // Every request has a connection of the pool of fetch.
  }

  private async post(body: string): Promise<string> {
    const { timeoutMs } = this
    let response: globalThis.Response
    try {
      const signal = AbortSignal.timeout(timeoutMs)
      response = await fetch(this.#url, {
        method: 'POST',
        body,
        headers: { ...this.#headers, ...currentRequest()?.span?.headers },
        signal,
        redirect: 'error',
      })
      const text = await boundedText(response, this.maxAnswerBytes)
      // CometBFT sends JSON-RPC errors with status 500.
      if (response.ok || (response.status === 500 && text.startsWith('{'))) return text
      if (response.status === 413 || (response.status === 400 && text.includes('request body too large'))) {
        throw new RequestTooLargeError(`it does not accept requests of ${body.length} bytes (max_body_bytes)`)
      }
    } catch (error) {
      if (error instanceof TransportError || error instanceof RequestTooLargeError) throw error
      throw new TransportError(requestFailure(error, timeoutMs), undefined, { cause: error })
    }
    throw new TransportError(`it responded with status ${response.status}`, retryAfter(response))
  }
}

/** Stops reading beyond the limit: what a node sends is not under our control. */
async function boundedText({ body }: globalThis.Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new TransportError(`its answer has more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parse(text: string): { id?: unknown; result?: unknown; error?: unknown } {
  try {
    const answer = parseForeignJson(text)
    if (typeof answer === 'object' && answer !== null) return answer
  } catch {
    // its actual content would mean nothing to the reader
  }
  throw new TransportError('its response is not JSON-RPC')
}

function rpcMessage(error: unknown): string {
  const { message, data } = error as { message?: unknown; data?: unknown }
  return [message, data]
    .filter((part) => typeof part === 'string')
    .join(': ')
    .slice(0, 1000)
}

function requestFailure(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return 'the request failed'
  if (error.name === 'TimeoutError') return `no response within ${timeoutMs} ms`
  const { cause } = error
  // If a host has several addresses, there is a failure for each.
  const [first] = cause instanceof AggregateError ? (cause.errors as unknown[]) : [cause]
  const { code } = (first ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : 'the connection failed'
}

function retryAfter(response: globalThis.Response): number | undefined {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds * 1000, 60_000) : undefined
}
