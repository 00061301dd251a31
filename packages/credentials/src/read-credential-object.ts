import type { VerifiableCredential } from '@veramo/core-types'
import { isDid, isJsonObject, problemsError, type Problem, type ReadCredential } from '@vidimus/core-types'
import { asList } from './jwt/contradictions.js'
import { CONTEXTS, readValidity, VC_CONTEXT, VC_CONTEXT_2 } from './jwt/jwt-claims.js'
import { subjectIds } from './jwt/read-credential.js'
import { credentialProblems2, valueOrId } from './model-2.js'

/**
 * Reads a credential signed as a JSON object, under the data model version named by its first context.
 *
 * @throws AgentError `invalid_credential` with every problem
 * @see Verifiable Credentials Data Model 1.1 section 4, v2.0 section 4
 */
export function readCredentialObject(shown: unknown): ReadCredential {
  const problems: Problem[] = []
  const refuse = (message: string) => problems.push({ path: '', message })
  if (!isJsonObject(shown)) {
    throw problemsError('invalid_credential', [{ path: '', message: 'it must be a JSON object' }])
  }
  if (asList(shown['@context'])[0] === VC_CONTEXT_2) return readCredentialObject2(shown)
  const { issuer, credentialSubject } = shown
  const id = isJsonObject(issuer) ? issuer.id : issuer
  if (!isDid(id)) refuse('the issuer must be a DID, or an object with one as its id')
  if (!asList(shown['@context']).some((context) => CONTEXTS.includes(context))) {
    refuse(`the @context must hold "${VC_CONTEXT}"`)
  }
  if (!asList(shown.type).includes('VerifiableCredential'))
    refuse('the type must hold "VerifiableCredential"')
  const subjects = asList(credentialSubject)
  if (subjects.length === 0 || !subjects.every(isJsonObject)) {
    refuse('the credentialSubject must be an object or a list of objects')
  }
  const validity = readValidity({}, shown, problems)
  if (problems.length > 0) throw problemsError('invalid_credential', problems)
  return {
    issuer: String(id),
    subjects: subjectIds(credentialSubject),
    validity,
    credential: shown as unknown as VerifiableCredential,
    secured: shown,
  }
}

function readCredentialObject2(shown: Record<string, unknown>): ReadCredential {
  const problems = credentialProblems2(shown)
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
