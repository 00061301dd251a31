import type { VerifiableCredential } from '@veramo/core-types'
import { isJsonObject, problemsError, type ReadCredential } from '@vidimus/core-types'
import { asList } from './jwt/contradictions.js'
import { readValidity, VC_CONTEXT_2 } from './jwt/jwt-claims.js'
import { subjectIds } from './jwt/read-credential.js'
import { credentialProblems1 } from './model-1.js'
import { credentialProblems2, valueOrId } from './model-2.js'

/**
 * Reads a credential signed as a JSON object, under the data model version named by its first context.
 *
 * @throws AgentError `invalid_credential` with every problem
 * @see Verifiable Credentials Data Model 1.1 section 4, v2.0 section 4
 */
export function readCredentialObject(shown: unknown): ReadCredential {
  if (!isJsonObject(shown)) {
    throw problemsError('invalid_credential', [{ path: '', message: 'it must be a JSON object' }])
  }
  const isModel2 = asList(shown['@context'])[0] === VC_CONTEXT_2
  const problems = isModel2 ? credentialProblems2(shown) : credentialProblems1(shown)
  const validity = readValidity({}, shown, problems)
  if (problems.length > 0) throw problemsError('invalid_credential', problems)
  return {
    issuer: String(valueOrId(shown.issuer)),
    subjects: subjectIds(shown.credentialSubject),
    validity,
    credential: shown as unknown as VerifiableCredential,
    secured: shown,
  }
}
