import {
  problemsError,
  signingAlgorithmOf,
  type AgentError,
  type SigningContext,
  type SigningRelationship,
  type VerifyingContext,
} from '@vidimus/core-types'
import { signerOfDid } from '@vidimus/verification-methods'
import { timestamp } from '../new-credential.js'
import { base58Of, signatureInBase58 } from './base58.js'
import type { Canonicalization, Cryptosuite } from './canonicalization.js'
import type { Proof, Secured } from './read-data-integrity.js'

/** By Veramo key type. */
const SUITES: Record<string, Cryptosuite> = { Ed25519: 'eddsa-rdfc-2022', Secp256r1: 'ecdsa-rdfc-2019' }

/** A P-384 key is recognised by the length of its signature, before it is looked up: its hash is another one. */
const isP384 = ({ cryptosuite, proofValue }: Proof): boolean =>
  cryptosuite === 'ecdsa-rdfc-2019' && signatureInBase58(proofValue)?.length === P384_SIGNATURE_BYTES

const P384_SIGNATURE_BYTES = 96

const algorithmOfProof = (proof: Proof): string =>
  proof.cryptosuite === 'eddsa-rdfc-2022' ? 'EdDSA' : isP384(proof) ? 'ES384' : 'ES256'

/**
 * Verifies all proofs on a document.
 *
 * @returns the ids of the verification methods of the proofs
 * @throws AgentError `invalid_credential`, `did_not_resolvable`, `did_deactivated`
 */
export async function verifyProofs(
  { proofs, document }: Secured,
  did: string,
  relationship: SigningRelationship,
  canonicalization: Canonicalization,
  documentOf: VerifyingContext['documentOf'],
): Promise<string> {
  const unsigned = proofs.map(({ proofValue: _, ...proof }) => proof)
  const digests = proofs.map((proof) => (isP384(proof) ? 'sha384' : 'sha256'))
  const data = await canonicalization.verifyData({ document, proofs: unsigned, digests })
  const signers: string[] = []
  for (const [n, proof] of proofs.entries()) {
    // Reading has refused any other proofValue.
    const signature = signatureInBase58(proof.proofValue) ?? new Uint8Array()
    const signed = data[n] ?? new Uint8Array()
    const algorithm = algorithmOfProof(proof)
    const detached = { algorithm, signed, signature, kid: proof.verificationMethod }
    signers.push(await signerOfDid(detached, did, relationship, documentOf))
  }
  return signers.join(' ')
}

/** The options of a new proof besides its suite and key. */
export interface NewProof extends Partial<Pick<Proof, 'expires'>> {
  did: string
  proofPurpose: SigningRelationship
  now: Date
  challenge?: string
  domain?: string
}

/** A proof with its chosen key. */
export interface ProofMaker {
  /** @throws AgentError `invalid_credential` for a document that cannot be canonicalized */
  dataOf(document: Record<string, unknown>): Promise<Uint8Array>
  addTo(document: Record<string, unknown>): Promise<Record<string, unknown>>
}

/**
 * Chooses the key with which the account in scope holds a DID for the purpose.
 *
 * @throws AgentError `did_not_found`, `key_not_found`, `did_not_resolvable`, `did_deactivated`, `invalid_input` for a
 * key without a cryptosuite, with a detail at the path `did`
 */
export async function findProof(
  { did, proofPurpose, now, ...members }: NewProof,
  canonicalization: Canonicalization,
  context: SigningContext,
): Promise<ProofMaker> {
  const { methodId, key } = await context.agent.didHeldKey({ did, act: proofPurpose })
  const suite = SUITES[key.type]
  if (!suite) throw noSuite(key.type)
  const proof = {
    type: 'DataIntegrityProof',
    created: timestamp(now),
    verificationMethod: methodId,
    cryptosuite: suite,
    proofPurpose,
    ...members,
  }
  const dataOf = async (document: Record<string, unknown>): Promise<Uint8Array> => {
    const [data = new Uint8Array()] = await canonicalization.verifyData({ document, proofs: [proof] })
    return data
  }
  return {
    dataOf,
    async addTo(document) {
      const proofValue = await signed(await dataOf(document), key, context)
      return { ...document, proof: { ...proof, proofValue } }
    },
  }
}

/** The key signs inside its KMS. */
async function signed(
  data: Uint8Array,
  key: { kid: string; type: string },
  { agent }: SigningContext,
): Promise<string> {
  const signature = await agent.keyManagerSign({
    keyRef: key.kid,
    data: Buffer.from(data).toString('hex'),
    encoding: 'hex',
    algorithm: signingAlgorithmOf(key.type),
  })
  return base58Of(Buffer.from(signature, 'base64url'))
}

const noSuite = (type: string): AgentError =>
  problemsError('invalid_input', [
    { path: 'did', message: `signs with a key of type ${type}, for which Data Integrity has no cryptosuite` },
  ])
