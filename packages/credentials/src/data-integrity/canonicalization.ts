import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { currentCaller, problemsError, SharedQueue, type AgentError } from '@vidimus/core-types'
import type { ContextFiles } from './contexts.js'

export type Cryptosuite = 'eddsa-rdfc-2022' | 'ecdsa-rdfc-2019'

export interface CanonicalRequest {
  /** without its proofs */
  document: Record<string, unknown>
  /** without their values */
  proofs: readonly Record<string, unknown>[]
  /** of each proof, by its key; SHA-256 by default */
  digests?: readonly Digest[]
}

export type Digest = 'sha256' | 'sha384'

/** The data in the order of the proofs. */
export type CanonicalAnswer = { data: Uint8Array[] } | { reason: string }

/** Resolved by package name, so that the built file is used regardless of where this module is loaded from. */
const WORKER = import.meta.resolve('@vidimus/credentials/canonical-worker')

/** Limit for one document; a typical one takes a few milliseconds. */
const LIMIT_MS = 5000

/** Memory limit of the worker; the library and its contexts take about 30 of it. */
const LIMITS = { maxOldGenerationSizeMb: 192 }

/**
 * Canonicalizes documents in a separate thread, started on first use, one at a time, each within limits of time
 * and memory. Accounts alternate by the time that their documents take.
 */
export class Canonicalization {
  #worker: Promise<Worker> | undefined
  readonly #queue = new SharedQueue(1, 1, () => performance.now())

  constructor(
    private readonly contexts: ContextFiles,
    private readonly limitMs = LIMIT_MS,
  ) {}

  /**
   * The data that each proof on a document signs.
   *
   * @returns the hashes of each proof and of the document, one after the other
   * @throws AgentError `invalid_credential` for a document that cannot be processed within the limits
   */
  verifyData(request: CanonicalRequest): Promise<Uint8Array[]> {
    return this.#queue.run(currentCaller()?.account.id ?? '', () => this.#ask(request))
  }

  async #ask(request: CanonicalRequest): Promise<Uint8Array[]> {
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
    // Waiting callers receive the rejection; without any, it must not crash the process.
    worker.on('error', () => (this.#worker = undefined))
    // Libraries are loaded before the clock of a document starts.
    await once(worker, 'message')
    return worker
  }
}

const isBeyondLimit = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'AbortError' || ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'))

const refused = (message: string): AgentError => problemsError('invalid_credential', [{ path: '', message }])
