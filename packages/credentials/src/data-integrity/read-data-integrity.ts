import {
  isJsonObject,
  problemsError,
  schemaSentence,
  type Problem,
  type ReadCredential,
  type Validity,
} from '@vidimus/core-types'
import { z } from 'zod'
import { asList } from '../jwt/contradictions.js'
import { Timestamp } from '../model-2.js'
import { readCredentialObject } from '../read-credential-object.js'
import { signatureInBase58 } from './base58.js'
import type { ContextFiles } from './contexts.js'
import { documentProblems } from './document-bounds.js'

const TYPE = 'DataIntegrityProof'

/** Maximum per document; each proof is canonicalized. */
const MOST_PROOFS = 4

const NO_SIGNATURE = 'must be a signature of 64 bytes in base58btc, or of 96 with ecdsa-rdfc-2019 and P-384'

/** Proof members shared by both purposes. */
const proofFor = <Purpose extends string>(purpose: Purpose) =>
  z.looseObject({
    type: z.literal(TYPE, `must be ${TYPE}`),
    cryptosuite: z.enum(['eddsa-rdfc-2022', 'ecdsa-rdfc-2019'], 'must be eddsa-rdfc-2022 or ecdsa-rdfc-2019'),
    proofPurpose: z.literal(purpose, `must be ${purpose}`),
    verificationMethod: z.string('must be the DID URL of a key').min(1),
    proofValue: z.string(NO_SIGNATURE).refine((text) => signatureInBase58(text) !== undefined, NO_SIGNATURE),
    created: Timestamp.optional(),
    expires: Timestamp.optional(),
    previousProof: z.undefined('is not supported: each proof must cover only the document').optional(),
  })

export const IssuerProof = proofFor('assertionMethod')

const notDomain = 'must be a text or a list of texts'

/** @see Verifiable Credential Data Integrity 1.0 section 2.1 */
export const HolderProof = proofFor('authentication').extend({
  challenge: z.string('must be a text').optional(),
  domain: z.union([z.string(), z.array(z.string()).min(1)], { error: notDomain }).optional(),
})

export type Proof = z.output<typeof IssuerProof> | z.output<typeof HolderProof>

/** A document and its proofs, none of them verified. */
export interface Secured<OneProof extends Proof = Proof> {
  /** all of which must verify */
  proofs: readonly OneProof[]
  /** without them */
  document: Record<string, unknown>
}

/** A credential as it describes itself, not yet verified. */
export interface ReadDataIntegrity extends ReadCredential, Secured {}

export const hasDataIntegrityProof = (shown: unknown): boolean =>
  isJsonObject(shown) &&
  asList(shown.proof).some((proof) => isJsonObject(proof) && proof.type === TYPE && proof.jwt === undefined)

/**
 * Reads a credential that is secured by Data Integrity proofs.
 *
 * @throws AgentError `invalid_credential` with every problem
 */
export function readDataIntegrity(shown: unknown, contexts: ContextFiles): ReadDataIntegrity {
  if (!isJsonObject(shown)) throw problemsError('invalid_credential', [NO_OBJECT])
  const problems = documentProblems(shown, contexts)
  const secured = problems.length === 0 ? readProofs(shown, IssuerProof, problems) : undefined
  if (!secured || problems.length > 0) throw problemsError('invalid_credential', problems)
  const read = readCredentialObject(shown)
  return { ...read, ...secured, validity: endingWith(secured.proofs, read.validity) }
}

export const NO_OBJECT: Problem = { path: '', message: 'it must be a JSON object' }

/** A document is valid no longer than any of its proofs. */
export function endingWith(proofs: readonly Proof[], { notBefore, notAfter }: Validity): Validity {
  const ends = proofs.flatMap(({ expires }) => (expires === undefined ? [] : [Date.parse(expires)]))
  return { notBefore, notAfter: [...notAfter, ...ends] }
}

/** @param problems - receives the problems found */
export function readProofs<OneProof extends Proof>(
  shown: Record<string, unknown>,
  schema: z.ZodType<OneProof>,
  problems: Problem[],
): Secured<OneProof> {
  const { proof, ...document } = shown
  const given = asList(proof)
  const proofs = given.slice(0, MOST_PROOFS).flatMap((one) => readProof(one, schema, problems))
  if (given.length === 0) problems.push({ path: '', message: 'it has no proof' })
  if (given.length > MOST_PROOFS)
    problems.push({ path: '', message: `it has more than ${MOST_PROOFS} proofs` })
  return { proofs, document }
}

function readProof<OneProof>(shown: unknown, schema: z.ZodType<OneProof>, problems: Problem[]): OneProof[] {
  const { data, error } = schema.safeParse(shown, { error: schemaSentence })
  for (const { path, message } of error?.issues ?? []) {
    problems.push({
      path: '',
      message: `the ${path.map(String).join('.') || 'proof'} of its proof ${message}`,
    })
  }
  return data ? [data] : []
}
