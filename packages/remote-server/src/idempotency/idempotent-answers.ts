import type { AuthenticatedAccount, IdempotentAnswer, IdempotentRun } from '@vidimus/core-types'
import type { OperationInput } from '../input/operation-input.js'
import type { Operation } from '../operation.js'
import type { ServerSettings } from '../options.js'
import { addHeaders, requestContext } from '../request/request-context.js'
import { answerOnce } from './answer-once.js'
import { idempotencyKeyOf, refuseKey, REPLAYED_HEADER } from './idempotency-key.js'
import { keptRefusal } from './kept-refusal.js'
import { requestContent } from './request-content.js'
import type { ServedRequest, ServedResponse } from '../request/served-request.js'

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
