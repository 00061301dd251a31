import {
  AgentError,
  type IdempotencyStore,
  type IdempotentAnswer,
  type IdempotentRequest,
  type IdempotentRun,
  type IdempotentTurn,
} from '@vidimus/core-types'
import { KEY_HEADER } from './idempotency-key.js'

export interface OnceParts {
  store: IdempotencyStore
  /** how long another request with the same key is waited for, milliseconds */
  waitMs: number
  /** ends the waiting */
  signal: AbortSignal
  /** the request itself. @returns the body of its answer */
  work: (run: IdempotentRun) => Promise<string>
  /** of that answer, once it is made */
  status: () => number
  /** the answer that an error becomes; `undefined` where the client is to try again */
  refusal: (error: unknown) => IdempotentAnswer | undefined
}

/** An answer, made now or before. */
export interface OnceAnswer extends IdempotentAnswer {
  replayed: boolean
}

type Outcome = { answer: IdempotentAnswer } | { error: unknown; answer: IdempotentAnswer | undefined }

/**
 * Works on a request with an idempotency key, or answers it as it was answered before.
 *
 * @throws AgentError `idempotency_key_reused`; `unavailable` where another one is still being worked on; and what `work`
 * throws the first time
 */
export async function answerOnce(request: IdempotentRequest, parts: OnceParts): Promise<OnceAnswer> {
  const { store, waitMs, signal } = parts
  const deadline = performance.now() + waitMs
  for (;;) {
    const beginning = await store.begin(request, { waitMs: deadline - performance.now(), signal })
    if (beginning.outcome === 'reused') throw reused()
    if (beginning.outcome === 'busy') throw busy()
    if (beginning.outcome === 'answered') return { ...beginning.answer, replayed: true }
    const { turn } = beginning
    const outcome = await attempt(parts, turn.run)
    // Another process has it by now: what that one answers is the answer.
    if ((await end(turn, outcome)) === 'lost') continue
    if ('error' in outcome) throw outcome.error
    return { ...outcome.answer, replayed: false }
  }
}

async function attempt({ work, status, refusal }: OnceParts, run: IdempotentRun): Promise<Outcome> {
  try {
    const body = await work(run)
    return { answer: { status: status(), body } }
  } catch (error) {
    return { error, answer: refusal(error) }
  }
}

const end = (turn: IdempotentTurn, { answer }: Outcome) => (answer ? turn.finish(answer) : turn.giveUp())

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
