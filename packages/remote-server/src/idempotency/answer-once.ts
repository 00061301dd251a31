import {
  AgentError,
  type IdempotencyStore,
  type IdempotentAnswer,
  type IdempotentRequest,
  type IdempotentRun,
  type IdempotentClaim,
} from '@vidimus/core-types'
import { KEY_HEADER } from './idempotency-key.js'

export interface OnceParts {
  store: IdempotencyStore
  /** how long to wait for another request with the same key, milliseconds */
  waitMs: number
  /** aborts the wait */
  signal: AbortSignal
  /** the request itself */
  work: (run: IdempotentRun) => Promise<IdempotentAnswer>
  /** the response for an error; `undefined` if the client should retry */
  refusal: (error: unknown) => IdempotentAnswer | undefined
}

/** A response, new or stored. */
export interface OnceAnswer extends IdempotentAnswer {
  replayed: boolean
}

type Outcome = { answer: IdempotentAnswer } | { error: unknown; answer: IdempotentAnswer | undefined }

/**
 * Runs a request with an idempotency key, or returns the stored response.
 *
 * @throws AgentError `idempotency_key_reused`; `unavailable` if another request with the key is still running; and any
 * error of `work` on the first run
 */
export async function answerOnce(request: IdempotentRequest, parts: OnceParts): Promise<OnceAnswer> {
  const { store, waitMs, signal } = parts
  const deadline = performance.now() + waitMs
  for (;;) {
    const beginning = await store.begin(request, { waitMs: deadline - performance.now(), signal })
    if (beginning.outcome === 'reused') throw reused()
    if (beginning.outcome === 'busy') throw busy()
    if (beginning.outcome === 'answered') return { ...beginning.answer, replayed: true }
    const { claim } = beginning
    const outcome = await attempt(parts, claim.run)
    // Another process owns the key by now: its response is returned.
    if ((await end(claim, outcome)) === 'lost') continue
    if ('error' in outcome) throw outcome.error
    return { ...outcome.answer, replayed: false }
  }
}

async function attempt({ work, refusal }: OnceParts, run: IdempotentRun): Promise<Outcome> {
  try {
    return { answer: await work(run) }
  } catch (error) {
    return { error, answer: refusal(error) }
  }
}

const end = (claim: IdempotentClaim, { answer }: Outcome) => (answer ? claim.finish(answer) : claim.giveUp())

const reused = () => {
  const message = 'was already used with another request; use a new key for a new request'
  return new AgentError('idempotency_key_reused', `${KEY_HEADER}: ${message}`, {
    details: [{ path: KEY_HEADER, message }],
  })
}

const busy = () =>
  new AgentError(
    'unavailable',
    `${KEY_HEADER}: the first request with it is still in progress; try again in a moment`,
  )
