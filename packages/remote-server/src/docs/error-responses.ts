import { z } from 'zod'
import { ErrorBody } from '../errors/error-body.js'
import { MEDIA_TYPES } from '../input/content-type.js'
import type { Operation, RefusalForm } from '../operation.js'

const errorResponse = (description: string, example: z.input<typeof ErrorBody>) => ({
  description,
  content: { 'application/json': { schema: ErrorBody, example } },
})

const requestId = '6f1c8f5e-3a52-4d0c-9f0c-2d7f7b7c9a11'

/** The error responses, each with an example body. */
export const ERROR_RESPONSES = {
  BadRequest: errorResponse('The input is invalid, or names something that the account does not have', {
    error: 'indices[2]: is outside the list (0 to 131071)',
    code: 'index_out_of_range',
    requestId,
    details: [{ path: 'indices[2]', message: 'is outside the list (0 to 131071)' }],
  }),
  Unauthenticated: errorResponse('The access token is missing or invalid', {
    error: 'the access token is missing or invalid: x-api-key: must be an API key',
    code: 'unauthenticated',
    requestId,
    details: [{ path: 'x-api-key', message: 'must be an API key', reason: 'malformed' }],
  }),
  Forbidden: errorResponse('The API key lacks the right to do this', {
    error: 'this API key lacks a required scope: dids or did-create',
    code: 'forbidden',
    requestId,
  }),
  TooManyRequests: {
    ...errorResponse('Too many requests', {
      error: 'too many requests; try again in 3 s',
      code: 'too_many_requests',
      requestId,
    }),
    headers: {
      'retry-after': {
        description: 'Seconds to wait before the next request',
        schema: { type: 'integer' as const },
      },
    },
  },
  NotFound: errorResponse('Not found', {
    error: 'the account holds no such key',
    code: 'key_not_found',
    requestId,
  }),
  MethodNotAllowed: errorResponse('The path exists, but not with this method', {
    error: '/health/live takes GET, HEAD, not POST',
    code: 'method_not_allowed',
    requestId,
  }),
  NotAcceptable: errorResponse('No acceptable form is available', {
    error:
      'accept: names no available form of this list: application/statuslist+jwt, application/statuslist+cwt',
    code: 'not_acceptable',
    requestId,
  }),
  TooSlow: errorResponse('The request did not arrive in time; nothing is changed', {
    error: 'the body did not arrive within 30000 ms',
    code: 'request_timeout',
    requestId,
  }),
  TooLarge: errorResponse('The body is too large', {
    error: 'the body is larger than the limit of 1048576 bytes',
    code: 'body_too_large',
    requestId,
  }),
  UnsupportedMediaType: errorResponse('The content type of the body is not supported', {
    error: `content-type: must be ${MEDIA_TYPES.json} or ${MEDIA_TYPES.form}`,
    code: 'unsupported_media_type',
    requestId,
  }),
  InternalError: errorResponse('Internal error', {
    error: 'internal error',
    code: 'internal_error',
    requestId,
  }),
  Unavailable: errorResponse('The service is starting, or cannot reach what it needs', {
    error: 'the service is starting; try again in a moment',
    code: 'unavailable',
    requestId,
  }),
}

export const refTo = (name: keyof typeof ERROR_RESPONSES) =>
  ({ $ref: `#/components/responses/${name}` }) as const

/** The same response in the error format of an operation. */
export function refusalResponse(name: keyof typeof ERROR_RESPONSES, form: RefusalForm | undefined) {
  if (!form) return refTo(name)
  const { content, ...others } = ERROR_RESPONSES[name]
  const example = form.bodyOf(content['application/json'].example, undefined)
  return { ...others, content: { 'application/json': { schema: form.schema, example } } }
}

/** A refusal, or the response to input that cannot be read. */
export function malformedResponse({ response, refusal }: Pick<Operation, 'response' | 'refusal'>) {
  const { description } = ERROR_RESPONSES.BadRequest
  const schema = z.union([refusal?.schema ?? ErrorBody, response])
  return { description, content: { 'application/json': { schema } } }
}
