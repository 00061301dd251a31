import { CREDENTIAL_PROBLEMS, type AgentError, type Problem } from '@vidimus/core-types'
import { z } from 'zod'

/** More would not help, and would let a small request cause a large response. */
export const MOST_DETAILS = 100

/** The body of every error response. */
export const ErrorBody = z
  .object({
    error: z.string().meta({ description: 'One sentence for humans that names the field and the problem' }),
    code: z.string().meta({ description: 'Stable code, for programs' }),
    requestId: z.string().meta({ description: 'Id of the request in the log' }),
    details: z
      .array(
        z.object({
          path: z.string().meta({ description: "Field, such as `indices[2]`; `''` for the whole input" }),
          message: z.string(),
          reason: z.enum(CREDENTIAL_PROBLEMS).optional().meta({ description: 'Of `unauthenticated`' }),
          used: z.number().optional().meta({ description: 'Of `quota_exceeded`: before the request' }),
          limit: z.number().optional().meta({ description: 'Of `quota_exceeded`' }),
        }),
      )
      .optional()
      .meta({ description: `All problems, at most ${MOST_DETAILS}` }),
  })
  .meta({ id: 'Error', description: 'The error' })
export interface ErrorBody {
  error: string
  code: string
  requestId: string
  details?: Problem[] | undefined
}

/** The part of an error that the caller may see. */
export function errorBody({ code, message, details }: AgentError, requestId: string): ErrorBody {
  return {
    error: message,
    code,
    requestId,
    ...(details.length > 0 && { details: details.slice(0, MOST_DETAILS) }),
  }
}

/** For errors that the caller neither caused nor can fix. */
export const internalErrorBody = (requestId: string): ErrorBody => ({
  error: 'internal error',
  code: 'internal_error',
  requestId,
})
