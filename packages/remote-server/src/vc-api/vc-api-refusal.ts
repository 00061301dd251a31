import type { ErrorBody } from '../errors/error-body.js'
import { isUnknownField } from '../input/schema-problems.js'
import type { RefusalForm } from '../operation.js'
import { VcApiRefusal } from '../schemas/vc-api.js'
import { problemDetails, type ProblemKind } from './problem-kinds.js'

/**
 * Refusals of the VC API are problem details, with the usual error members of the service.
 *
 * @see Verifiable Credential API for Lifecycle Management v1.0 section 3.9, "Error Handling"
 */
export const VC_API_REFUSAL: RefusalForm = {
  schema: VcApiRefusal,
  bodyOf: (error) => ({ ...error, ...problemDetails(problemKind(error), error.error) }),
}

function problemKind({ code, details = [] }: ErrorBody): ProblemKind {
  if (details.some(({ path, message }) => path.startsWith('options.') && isUnknownField(message))) {
    return 'UNKNOWN_OPTION_PROVIDED'
  }
  return code === 'invalid_input' || code === 'invalid_credential' ? 'MALFORMED_VALUE_ERROR' : 'REFUSED'
}
