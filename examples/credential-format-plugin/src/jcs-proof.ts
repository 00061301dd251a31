import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { isJsonObject, problemsError, type AgentError } from '@vidimus/core-types'
import canonicalize from 'canonicalize'
import { base58ToBytes, bytesToBase58 } from 'did-jwt'

/** A proof of this suite, as a document has it. */
export interface JcsProof {
  type: 'DataIntegrityProof'
  cryptosuite: 'eddsa-jcs-2022'
  proofPurpose: 'assertionMethod'
  verificationMethod: string
  created?: string
  expires?: string
  /** that of the document */
  '@context'?: unknown
  proofValue: string
}

/** A date and time with its offset, as XML Schema writes it. */
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

/** 64 bytes in base58; the cost of decoding grows with the square of the length. */
const MOST_CHARACTERS = 88

/** Whether something has such a proof, at a glance. */
export const hasJcsProof = (shown: unknown): shown is { proof: Record<string, unknown> } =>
  isJsonObject(shown) && isJsonObject(shown.proof) && shown.proof.cryptosuite === 'eddsa-jcs-2022'

/**
 * @returns the proof, with all members checked
 * @throws AgentError `invalid_credential` with every problem
 */
export function jcsProofOf(shown: { proof: Record<string, unknown> }): JcsProof {
  const { proof } = shown
  const isTime = (value: unknown) =>
    value === undefined ||
    (typeof value === 'string' && TIMESTAMP.test(value) && !Number.isNaN(Date.parse(value)))
  const { '@context': context = documentContext(shown) } = proof
  const rules: [boolean, string][] = [
    [proof.type === 'DataIntegrityProof', 'the type of its proof must be DataIntegrityProof'],
    [proof.proofPurpose === 'assertionMethod', 'the proofPurpose of its proof must be assertionMethod'],
    [typeof proof.verificationMethod === 'string', 'the verificationMethod of its proof must name a key'],
    [typeof proof.proofValue === 'string', 'its proof has no proofValue'],
    [isTime(proof.created), 'the created of its proof must be a date and time'],
    [isTime(proof.expires), 'the expires of its proof must be a date and time'],
    [isDeepStrictEqual(context, documentContext(shown)), 'the @context of its proof must be its own'],
  ]
  const messages = rules.flatMap(([holds, message]) => (holds ? [] : [message]))
  if (messages.length > 0) throw refused(...messages)
  return proof as unknown as JcsProof
}

const documentContext = (shown: object): unknown => (shown as Record<string, unknown>)['@context']

/**
 * The signed bytes: the hashes of the proof without its value, and of the document without its proof.
 *
 * @returns 64 bytes
 * @see Data Integrity EdDSA Cryptosuites v1.0 section 3.3.4
 */
export const hashData = (document: Record<string, unknown>, proof: Omit<JcsProof, 'proofValue'>): Buffer =>
  Buffer.concat([sha256(proof), sha256(document)])

/** RFC 8785. The types of the package describe an ES module, which it is not. */
export const canonicalJson = canonicalize as unknown as (value: object) => string

const sha256 = (value: object): Buffer => createHash('sha256').update(canonicalJson(value)).digest()

export const proofValueOf = (signature: Uint8Array): string => `z${bytesToBase58(signature)}`

/** @throws AgentError `invalid_credential` */
export function signatureOf({ proofValue }: JcsProof): Uint8Array {
  if (/^z[1-9A-HJ-NP-Za-km-z]+$/.test(proofValue) && proofValue.length <= MOST_CHARACTERS + 1) {
    return base58ToBytes(proofValue.slice(1))
  }
  throw refused('the proofValue of its proof is not a signature in base58btc')
}

/**
 * Every problem of the presented document must be thrown in this form: it becomes `verified: false` with these
 * reasons.
 */
export const refused = (...messages: string[]): AgentError =>
  problemsError(
    'invalid_credential',
    messages.map((message) => ({ path: '', message })),
  )
