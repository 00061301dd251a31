import { isDid, isJsonObject, type Problem } from '@vidimus/core-types'
import { asList } from './jwt/contradictions.js'
import { CONTEXTS, VC_CONTEXT } from './jwt/jwt-claims.js'
import { Timestamp, valueOrId } from './model-2.js'

/** Whether the first context of a document is that of data model 1.1. */
export const isOfModel1 = (document: Record<string, unknown>): boolean =>
  asList(document['@context'])[0] === VC_CONTEXT

/**
 * Violations of data model 1.1 in a credential.
 *
 * @see Verifiable Credentials Data Model 1.1 section 4
 */
export function credentialProblems1(credential: Record<string, unknown>): Problem[] {
  const { '@context': context, type, issuer, credentialSubject } = credential
  const subjects = asList(credentialSubject)
  const sentences = [
    !isDid(valueOrId(issuer)) && 'the issuer must be a DID, or an object with one as its id',
    !asList(context).some((one) => CONTEXTS.includes(one)) && `the @context must hold "${VC_CONTEXT}"`,
    !asList(type).includes('VerifiableCredential') && 'the type must hold "VerifiableCredential"',
    (subjects.length === 0 || !subjects.every(isJsonObject)) &&
      'the credentialSubject must be an object or a list of objects',
  ]
  return sentences.filter((one) => one !== false).map((message) => ({ path: '', message }))
}

/** The same for a credential that is to be signed, which must follow the model to the letter. */
export function newCredentialProblems1(credential: Record<string, unknown>): Problem[] {
  const { issuanceDate, expirationDate } = credential
  const sentences = [
    !Timestamp.safeParse(issuanceDate).success &&
      'the issuanceDate must be a date and time with its time zone',
    !Timestamp.optional().safeParse(expirationDate).success &&
      'the expirationDate must be a date and time with its time zone',
    Date.parse(String(issuanceDate)) >= Date.parse(String(expirationDate)) &&
      'the expirationDate must be after the issuanceDate',
  ]
  const dates = sentences.filter((one) => one !== false).map((message) => ({ path: '', message }))
  return [...credentialProblems1(credential), ...dates]
}
