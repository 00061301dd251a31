import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { currentCaller, problemsError, SharedQueue, type AgentError } from '@vidimus/core-types'
import type { ContextFiles } from './contexts.js'

export type Cryptosuite = 'eddsa-rdfc-2022' | 'ecdsa-rdfc-2019'

export interface CanonicalRequest {
  /** without its proof */
  document: Record<string, unknown>
  /** without its value */
  proof: Record<string, unknown>
  suite: Cryptosuite
}

export type CanonicalAnswer = { data: Uint8Array } | { reason: string }

/** By the name of the package, so that it is the built file wherever this one is loaded from. */
const WORKER = import.meta.resolve('@vidimus/credentials/canonical-worker')

/** For one document; an ordinary one takes some milliseconds. */
const LIMIT_MS = 5000

/** Of the worker's memory; the library and its contexts take some 30 of them. */
const LIMITS = { maxOldGenerationSizeMb: 192 }

/**
 * Canonicalises documents in a thread of its own, which begins with the first of them, one at a time, those of
 * accounts in turn, each within a limit of time and memory.
 */
export class Canonicalization {
  #worker: Promise<Worker> | undefined
  readonly #queue = new SharedQueue(1)

  constructor(
    private readonly contexts: ContextFiles,
    private readonly limitMs = LIMIT_MS,
  ) {}

  /**
   * What a proof signs.
   *
   * @returns 64 bytes
   * @throws AgentError `invalid_credential` for a document that cannot be processed, or not within the limits
   */
  verifyData(request: CanonicalRequest): Promise<Uint8Array> {
    return this.#queue.run(currentCaller()?.account.id ?? '', () => this.#ask(request))
  }

  async #ask(request: CanonicalRequest): Promise<Uint8Array> {
    const worker = await (this.#worker ??= this.#begin())
    worker.ref()
    worker.postMessage(request)
    const answer = await this.#answerOf(worker)
    worker.unref()
    if ('data' in answer) return answer.data
    throw refused(`its JSON-LD cannot be processed: ${answer.reason}`)
  }

  async #answerOf(worker: Worker): Promise<CanonicalAnswer> {
    try {
      // An error of the worker rejects as well.
      const [answer] = (await once(worker, 'message', { signal: AbortSignal.timeout(this.limitMs) })) as [
        CanonicalAnswer,
      ]
      return answer
    } catch (error) {
      this.#worker = undefined
      await worker.terminate()
      if (!isBeyondLimit(error)) throw error
      throw refused('its JSON-LD exceeds the time or memory limit for a document')
    }
  }

  async #begin(): Promise<Worker> {
    const worker = new Worker(new URL(WORKER), {
      workerData: this.contexts,
      execArgv: [],
      resourceLimits: LIMITS,
    })
    // Whoever waits for an answer hears of it; without anybody who waits it must not end the process.
    worker.on('error', () => (this.#worker = undefined))
    // Its libraries are loaded before the time of a document begins.
    await once(worker, 'message')
    return worker
  }
}

const isBeyondLimit = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'AbortError' || ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'))

const refused = (message: string): AgentError => problemsError('invalid_credential', [{ path: '', message }])
