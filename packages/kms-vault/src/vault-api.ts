import { setTimeout as pause } from 'node:timers/promises'
import {
  AgentError,
  isJsonObject,
  parseForeignJson,
  SharedQueue,
  waitsForNetworks,
} from '@vidimus/core-types'
import type { ParsedOptions } from './options.js'

export type JsonObject = Record<string, unknown>

export interface VaultRequest {
  method: 'GET' | 'POST' | 'DELETE'
  /** below `/v1/`, encoded */
  path: string
  body?: JsonObject
  token?: string
}

/** An unsuccessful response of the key service. Its texts may name paths and policies; they go to the log. */
export class VaultRefusal extends Error {
  constructor(
    readonly status: number,
    readonly errors: readonly string[],
  ) {
    super(`the key service responded with ${status}: ${errors.join('; ') || 'no reason given'}`)
  }

  /** Nothing is there. A path that it does not serve has a reason. */
  get isNotFound(): boolean {
    return this.status === 404 && this.errors.length === 0
  }
}

/** Larger responses are not read: no expected response comes near this size. */
const MOST_BYTES = 4 * 1024 * 1024

/** A standby that is behind, too many requests, and servers that are sealed, starting or overloaded. */
const WORTH_ANOTHER_ATTEMPT = new Set([412, 429, 472, 473, 500, 502, 503, 504])

/** Requests to the HTTP API of OpenBao or Vault. */
export class VaultApi {
  private readonly queue: SharedQueue

  constructor(private readonly options: ParsedOptions) {
    this.queue = new SharedQueue(options.requests)
  }

  /**
   * Sends a request, again after a pause if the server may be healthy then.
   *
   * @param account - id of the account that it is done for; accounts alternate
   * @returns the JSON of the response; `{}` if it has none
   * @throws VaultRefusal; AgentError `unavailable` if there is no response
   */
  send(account: string, request: VaultRequest): Promise<JsonObject> {
    return this.queue.run(account, () => waitsForNetworks.during(() => this.attempts(request)))
  }

  private async attempts(request: VaultRequest): Promise<JsonObject> {
    const { attempts, pauseMs } = this.options
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.attempt(request)
      } catch (error) {
        const transient = !(error instanceof VaultRefusal) || WORTH_ANOTHER_ATTEMPT.has(error.status)
        if (!transient || attempt >= attempts) throw error
      }
      await pause(pauseMs * 2 ** (attempt - 1))
    }
  }

  private async attempt({ method, path, body, token }: VaultRequest): Promise<JsonObject> {
    const { address, namespace, timeoutMs } = this.options
    let response: Response
    let text: string
    try {
      response = await fetch(new URL(`/v1/${path}`, address), {
        method,
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
        headers: {
          'x-vault-request': 'true',
          ...(token !== undefined && { 'x-vault-token': token }),
          ...(namespace !== undefined && { 'x-vault-namespace': namespace }),
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      text = await bounded(response)
    } catch (cause) {
      throw new AgentError(
        'unavailable',
        `the key service cannot be reached: ${requestFailure(cause, timeoutMs)}`,
        {
          cause,
        },
      )
    }
    const answer = readJson(text)
    if (response.ok && answer) return answer
    if (Array.isArray(answer?.errors)) throw new VaultRefusal(response.status, answer.errors.map(String))
    // What a proxy in front of it says is no answer to what was asked.
    const message = `the key service cannot be reached: something else responded with ${response.status}`
    throw new AgentError('unavailable', message)
  }
}

async function bounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += (chunk as Uint8Array).length
    if (bytes > MOST_BYTES) throw new Error('its response is too long')
    chunks.push(chunk as Uint8Array)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** @returns `undefined` for what the key service does not write */
function readJson(text: string): JsonObject | undefined {
  if (text === '') return {}
  try {
    const value = parseForeignJson(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function requestFailure(error: unknown, timeoutMs: number): string {
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return `no response within ${timeoutMs} ms`
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? cause.message || cause.name : 'unknown'
}
