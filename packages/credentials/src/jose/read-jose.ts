import { isDeepStrictEqual } from 'node:util'
import type { VerifiableCredential, VerifiablePresentation } from '@veramo/core-types'
import { problemsError, type Problem, type ReadCredential, type ReadPresentation } from '@vidimus/core-types'
import { asList } from '../jwt/contradictions.js'
import { readValidity } from '../jwt/jwt-claims.js'
import { parseJwt, type ParsedJwt } from '../jwt/jwt-form.js'
import { subjectIds } from '../jwt/read-credential.js'
import { credentialProblems2, valueOrId, presentationProblems2 } from '../model-2.js'
import { JOSE_CREDENTIAL, JOSE_PRESENTATION, joseJwt, type JoseForm } from './jose-form.js'

/** A credential as stated by its JWT, not yet verified. */
export interface ReadJoseCredential extends ReadCredential {
  parsed: ParsedJwt
  /** the JWT */
  secured: string
}

/** A presentation as stated by its JWT, not yet verified. */
export interface ReadJosePresentation extends ReadPresentation {
  parsed: ParsedJwt
}

/** Claims of the JWT only, which are not members of its document. */
const CLAIMS = ['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti', 'nonce']

/**
 * Reads a data model 2.0 credential from the payload of a JWT.
 *
 * @throws AgentError `invalid_credential` with every problem
 * @see W3C Securing Verifiable Credentials using JOSE and COSE sections 3.1.1 and 3.2.1
 */
export function readJoseCredential(shown: unknown): ReadJoseCredential {
  const { jwt, parsed } = parsedForm(JOSE_CREDENTIAL, shown)
  const { payload } = parsed
  const members = membersOfPayload(payload)
  const subjects = subjectIds(members.credentialSubject)
  const problems = payloadProblems(payload, members)
  const validity = readValidity(payload, members, problems)
  if (problems.length > 0) throw problemsError('invalid_credential', problems)
  const credential = { ...members, proof: { type: 'JwtProof2020', jwt } } as unknown as VerifiableCredential
  return { parsed, secured: jwt, issuer: String(valueOrId(members.issuer)), subjects, validity, credential }
}

/**
 * Problems of a JWT payload that must be a data model 2.0 credential.
 *
 * @param members - those of the credential only
 */
export function payloadProblems(
  payload: Record<string, unknown>,
  members: Record<string, unknown>,
): Problem[] {
  const problems = [
    ...credentialProblems2(members),
    ...contradictions(payload, { iss: valueOrId(members.issuer), jti: members.id }, 'credential'),
  ]
  const subjects: unknown[] = subjectIds(members.credentialSubject)
  if (payload.sub !== undefined && !subjects.includes(payload.sub)) {
    problems.push(refusal('the sub of the JWT does not match the id of the credentialSubject'))
  }
  return problems
}

/**
 * Reads a data model 2.0 presentation from the payload of a JWT.
 *
 * @throws AgentError `invalid_presentation` with every problem
 * @see W3C Securing Verifiable Credentials using JOSE and COSE sections 3.1.2 and 3.2.1
 */
export function readJosePresentation(shown: unknown): ReadJosePresentation {
  const { jwt, parsed } = parsedForm(JOSE_PRESENTATION, shown)
  const { payload } = parsed
  const members = membersOfPayload(payload)
  const holder = valueOrId(members.holder) ?? payload.iss
  const problems = [
    ...presentationProblems2(members),
    ...contradictions(payload, { iss: valueOrId(members.holder), jti: members.id }, 'presentation'),
  ]
  if (typeof holder !== 'string') problems.push(refusal('it names no holder'))
  const audience = asList(payload.aud)
  if (!audience.every((one) => typeof one === 'string')) {
    problems.push(refusal('the aud of the JWT must be a text or a list of texts'))
  }
  const validity = readValidity(payload, members, problems)
  if (problems.length > 0) throw problemsError('invalid_presentation', problems)
  const proof = { type: 'JwtProof2020', jwt }
  const presentation = { ...members, proof } as unknown as VerifiablePresentation
  return {
    parsed,
    holder: String(holder),
    audience: audience.map(String),
    nonce: payload.nonce,
    validity,
    presentation,
    credentials: asList(members.verifiableCredential),
  }
}

function parsedForm(form: JoseForm, shown: unknown): { jwt: string; parsed: ParsedJwt } {
  const jwt = joseJwt(form, shown)
  if (jwt !== undefined) return { jwt, parsed: parseJwt(jwt) }
  throw problemsError('invalid_credential', [refusal(`it is not a JWT of type ${form.typ}`)])
}

/** The payload without the claims of the JWT itself. */
export const membersOfPayload = (payload: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(payload).filter(([name]) => !CLAIMS.includes(name)))

/**
 * A claim and its corresponding member must be equal, and no `vc` or `vp` claim may hold a second document: otherwise
 * two verifiers could read two documents.
 */
function contradictions(
  payload: Record<string, unknown>,
  said: Record<'iss' | 'jti', unknown>,
  what: 'credential' | 'presentation',
): Problem[] {
  const problems = Object.entries(said)
    .filter(([claim, member]) => payload[claim] !== undefined && member !== undefined)
    .filter(([claim, member]) => !isDeepStrictEqual(payload[claim], member))
    .map(([claim]) => refusal(`the ${claim} of the JWT does not match the ${what}`))
  const enveloped = ['vc', 'vp'].filter((claim) => payload[claim] !== undefined)
  return [...problems, ...enveloped.map((claim) => refusal(`the JWT must not have the claim ${claim}`))]
}

const refusal = (message: string): Problem => ({ path: '', message })
