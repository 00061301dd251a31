import type { VerifiableCredential } from '@veramo/core-types'
import { isJsonObject, type Problem, problemsError, type ReadCredential } from '@vidimus/core-types'
import { typProblems } from '../jose/jose-form.js'
import { asList } from './contradictions.js'
import { membersOfClaims, readSignedDocument, type SignedDocument } from './jwt-claims.js'
import { parseJwt } from './jwt-form.js'

/** A credential as stated by its JWT, not yet verified. */
export interface ReadJwtCredential extends SignedDocument, ReadCredential {
  /** the JWT */
  secured: string
}

/**
 * Reads a credential from a JWT and checks that it is one: corresponding claims and members agree, and every date is
 * valid.
 *
 * @throws AgentError `invalid_credential` with every problem
 * @see Verifiable Credentials Data Model 1.1 section 6.3.1
 */
export function readCredential(jwt: unknown): ReadJwtCredential {
  const parsed = parseJwt(jwt)
  const problems = typProblems('jwt_vc', parsed.header.typ)
  const document = readSignedDocument(parsed, 'vc', 'VerifiableCredential', problems)
  const read = document && readMembers(String(jwt), document, problems)
  if (!read || problems.length > 0) throw problemsError('invalid_credential', problems)
  return read
}

function readMembers(jwt: string, document: SignedDocument, problems: Problem[]): ReadJwtCredential {
  const { iss, members } = document
  const credentialSubject = readSubject(document, problems)
  const statedIssuer = readIssuer(document, problems)
  if (members.credentialStatus !== undefined && !isStatus(members.credentialStatus)) {
    problems.push({ path: '', message: 'the credentialStatus must be an object or a list of objects' })
  }
  // in the JWT itself it is the registered claim; if that is absent, the credential may use the name for itself
  const { status } = document.parsed.payload
  if (status !== undefined && !isJsonObject(status)) {
    problems.push({ path: '', message: 'the status claim of the JWT must be an object' })
  }
  const { '@context': context, type, ...claims } = membersOfClaims(document)
  const credential = {
    '@context': asList(context),
    type: asList(type),
    ...claims,
    issuer: { ...statedIssuer, id: iss },
    credentialSubject,
    proof: { type: 'JwtProof2020', jwt },
  } as unknown as VerifiableCredential
  return { ...document, secured: jwt, issuer: iss, subjects: subjectIds(credentialSubject), credential }
}

function readIssuer({ iss, members: { issuer } }: SignedDocument, problems: Problem[]): object {
  const stated = isJsonObject(issuer) ? issuer.id : issuer
  if (stated !== undefined && stated !== iss) {
    problems.push({ path: '', message: 'the iss of the JWT does not match the issuer of the credential' })
  }
  return isJsonObject(issuer) ? issuer : {}
}

function readSubject({ parsed, members }: SignedDocument, problems: Problem[]): unknown {
  const { sub } = parsed.payload
  const { credentialSubject } = members
  const subjects = asList(credentialSubject)
  if (subjects.length === 0 || !subjects.every(isJsonObject)) {
    problems.push({ path: '', message: 'the credentialSubject must be an object or a list of objects' })
    return credentialSubject
  }
  if (subjects.some(({ id }) => id !== undefined && typeof id !== 'string')) {
    problems.push({ path: '', message: 'the id of the credentialSubject must be a string' })
  }
  if (sub === undefined) return credentialSubject
  const ids = subjectIds(credentialSubject)
  // with several subjects without an id, sub is ambiguous
  if (typeof sub !== 'string' || ((ids.length > 0 || subjects.length > 1) && !ids.includes(sub))) {
    problems.push({ path: '', message: 'the sub of the JWT does not match the id of the credentialSubject' })
  }
  const [only, ...others] = subjects
  if (others.length > 0) return credentialSubject
  const subject = { ...(only as object), id: sub }
  return Array.isArray(credentialSubject) ? [subject] : subject
}

export const subjectIds = (credentialSubject: unknown): string[] =>
  asList(credentialSubject)
    .map((subject) => (isJsonObject(subject) ? subject.id : undefined))
    .filter((id) => typeof id === 'string')

const isStatus = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 && value.every(isJsonObject) : isJsonObject(value)
