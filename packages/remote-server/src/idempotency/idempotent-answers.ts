import {
  type AuthenticatedAccount,
  type IdempotentAnswer,
  type IdempotentRun,
  isJsonObject,
  tokenHolder,
  type ApiKeyGrant,
  AgentError,
  type IdempotencyStore,
  type IdempotentRequest,
  type IdempotentClaim,
} from '@vidimus/core-types'
import type { OperationInput } from '../input/operation-input.js'
import type { Operation } from '../operation.js'
import type { ServerSettings } from '../options.js'
import { addHeaders, requestContext, type RequestContext } from '../request/request-context.js'
import type { ServedRequest, ServedResponse } from '../request/served-request.js'
import { asAgentError } from '../errors/answer-error.js'
import { errorBody } from '../errors/error-body.js'
import { errorStatus } from '../errors/error-status.js'
import { idempotencyKeyOf, refuseKey, REPLAYED_HEADER, KEY_HEADER } from './idempotency-key.js'

/** Answers a request with an idempotency key. @param work - the operation */
export type AnswerOnce = (
  res: ServedResponse,
  account: AuthenticatedAccount,
  input: OperationInput,
  work: (run: IdempotentRun) => Promise<IdempotentAnswer>,
) => Promise<IdempotentAnswer>

/**
 * Determines whether a request of the operation has an idempotency key, and how to answer it.
 *
 * The returned function throws AgentError `invalid_input` for a malformed or unsupported key; the function that it
 * returns throws as {@link answerOnce} does.
 */
export function idempotentAnswers(
  operation: Operation,
  { idempotency: store, timeouts }: Pick<ServerSettings, 'idempotency' | 'timeouts'>,
): (req: ServedRequest) => AnswerOnce | undefined {
  if (!operation.changes) return () => undefined
  // A connection without traffic is closed after a while.
  const waitMs = Math.min(timeouts.requestMs, timeouts.idleMs / 2)
  return function answerOnceFor({ headers }) {
    if (!store) {
      refuseKey(headers)
      return undefined
    }
    const key = idempotencyKeyOf(headers)
    if (key === undefined) return undefined
    return async (res, account, input, work) => {
      const context = requestContext(res)
      const request = { accountId: account.id, key, content: requestContent(operation, input, account.grant) }
      const { replayed, ...answer } = await answerOnce(request, {
        store,
        waitMs,
        signal: context.life.gone,
        work,
        refusal: (error) => keptRefusal(error, operation, context),
      })
      if (replayed) {
        context.replayed = true
        addHeaders(res, REPLAYED_HEADER, 'true')
      }
      return answer
    }
  }
}

/**
 * The complete content of a request as one text. It is made from the input as read, not as sent: the order of members,
 * white space and the choice of JSON or form make no difference.
 *
 * The rights of the API key are included, also its expiry, so that a key cannot get a response that exceeds its rights;
 * another key with the same rights may repeat the request, unless its response contains a secret. Bearer tokens are
 * renewed every few minutes, so that their expiry does not count.
 */
export function requestContent(
  { id, method, path, answersSecret }: Operation,
  { query, params, body }: OperationInput,
  grant: ApiKeyGrant | undefined,
): string {
  const lists = [grant?.scopes, grant?.networks].map((list) => list && [...list].sort())
  const expiry = grant && tokenHolder(grant.id) ? 'of a token' : grant?.expiresAt
  const rights = [...lists, expiry, answersSecret && grant?.id]
  return JSON.stringify([id, method, path, query, params, body, rights], inOrder)
}

/** Sorts members by name: JSON objects are unordered (RFC 8259 4). */
const inOrder = (_name: string, value: unknown): unknown =>
  isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value

/**
 * Refusals that depend on the caller and not on the request: another key, or a later time, may give another response.
 */
const OF_THE_CALLER = new Set([401, 403, 413, 429])

/**
 * The response for an error of an operation, if it is final.
 *
 * @returns `undefined` if a repeated request must run again
 */
function keptRefusal(
  error: unknown,
  operation: Operation,
  { requestId, sent }: Pick<RequestContext, 'requestId' | 'sent'>,
): IdempotentAnswer | undefined {
  const known = asAgentError(error)
  // Its message asks for a retry.
  if (!known || known.code === 'version_conflict') return undefined
  const status = errorStatus(known, operation)
  if (status < 400 || status >= 500 || OF_THE_CALLER.has(status)) return undefined
  const body = errorBody(known, requestId)
  return { status, body: JSON.stringify(operation.refusal?.bodyOf(body, sent) ?? body) }
}

interface OnceParts {
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
interface OnceAnswer extends IdempotentAnswer {
  replayed: boolean
}

type Outcome = { answer: IdempotentAnswer } | { error: unknown; answer: IdempotentAnswer | undefined }

/**
 * Runs a request with an idempotency key, or returns the stored response.
 *
 * @throws AgentError `idempotency_key_reused`; `unavailable` if another request with the key is still running; and any
 * error of `work` on the first run
 */
async function answerOnce(request: IdempotentRequest, parts: OnceParts): Promise<OnceAnswer> {
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
