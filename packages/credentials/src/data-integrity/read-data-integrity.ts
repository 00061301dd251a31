import { isDeepStrictEqual } from 'node:util'
import {
  isJsonObject,
  problemsError,
  schemaSentence,
  type Problem,
  type ReadCredential,
} from '@vidimus/core-types'
import { z } from 'zod'
import { listOf } from '../jwt/contradictions.js'
import { Timestamp } from '../model-2.js'
import { readCredentialObject } from '../read-credential-object.js'
import type { ContextFiles } from './contexts.js'
import { documentProblems } from './document-bounds.js'

const TYPE = 'DataIntegrityProof'

/** Of one document; each is canonicalised. */
const MOST_PROOFS = 4

const Proof = z.looseObject({
  type: z.literal(TYPE, `must be ${TYPE}`),
  cryptosuite: z.enum(['eddsa-rdfc-2022', 'ecdsa-rdfc-2019'], 'must be eddsa-rdfc-2022 or ecdsa-rdfc-2019'),
  proofPurpose: z.literal('assertionMethod', 'must be assertionMethod'),
  verificationMethod: z.string('must be the DID URL of a key').min(1),
  proofValue: z.string('must be a text').min(1),
  created: Timestamp.optional(),
  expires: Timestamp.optional(),
  previousProof: z.undefined('is not supported: each proof must be over the document alone').optional(),
})

export type Proof = z.output<typeof Proof>

/** A credential as it describes itself, not yet verified. */
export interface ReadDataIntegrity extends ReadCredential {
  /** all of which must fit */
  proofs: readonly Proof[]
  /** without them */
  document: Record<string, unknown>
}

export const hasDataIntegrityProof = (shown: unknown): boolean =>
  isJsonObject(shown) &&
  listOf(shown.proof).some((proof) => isJsonObject(proof) && proof.type === TYPE && proof.jwt === undefined)

/**
 * Reads a credential that is secured by Data Integrity proofs.
 *
 * @throws AgentError `invalid_credential` with every problem
 */
export function readDataIntegrity(shown: unknown, contexts: ContextFiles): ReadDataIntegrity {
  if (!isJsonObject(shown)) throw refused(['it must be a JSON object'])
  const tooMuch = documentProblems(shown, contexts)
  if (tooMuch.length > 0) throw problemsError('invalid_credential', tooMuch)
  const { proof, ...document } = shown
  const given = listOf(proof)
  const problems: Problem[] = []
  const proofs = given.slice(0, MOST_PROOFS).flatMap((one) => readProof(one, document, problems))
  if (given.length === 0) problems.push({ path: '', message: 'it has no proof' })
  if (given.length > MOST_PROOFS)
    problems.push({ path: '', message: `it has more than ${MOST_PROOFS} proofs` })
  if (problems.length > 0) throw problemsError('invalid_credential', problems)
  const read = readCredentialObject(shown)
  const ends = proofs.flatMap(({ expires }) => (expires === undefined ? [] : [Date.parse(expires)]))
  const { notBefore, notAfter } = read.validity
  return { ...read, proofs, document, validity: { notBefore, notAfter: [...notAfter, ...ends] } }
}

function readProof(shown: unknown, document: Record<string, unknown>, problems: Problem[]): Proof[] {
  const { data, error } = Proof.safeParse(shown, { error: schemaSentence })
  for (const { path, message } of error?.issues ?? []) {
    problems.push({
      path: '',
      message: `the ${path.map(String).join('.') || 'proof'} of its proof ${message}`,
    })
  }
  const own = isJsonObject(shown) ? shown['@context'] : undefined
  if (own !== undefined && !isDeepStrictEqual(listOf(own), listOf(document['@context']))) {
    problems.push({ path: '', message: 'the @context of its proof is not that of the document' })
  }
  return data ? [data] : []
}

const refused = (messages: readonly string[]) =>
  problemsError(
    'invalid_credential',
    messages.map((message) => ({ path: '', message })),
  )
