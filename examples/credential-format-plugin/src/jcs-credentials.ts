import {
  problemsError,
  type CredentialFormat,
  type ReadCredential,
  type SigningContext,
} from '@vidimus/core-types'
import { readCredentialObject, unsignedCredential } from '@vidimus/credentials'
import { signerOfDid } from '@vidimus/verification-methods'
import {
  hashData,
  hasJcsProof,
  jcsProofOf,
  proofValueOf,
  refused,
  signatureOf,
  type JcsProof,
} from './jcs-proof.js'

/** What `read` finds and `verify` needs: any members beside those that the engine looks at. */
interface ReadJcsCredential extends ReadCredential {
  document: Record<string, unknown>
  proof: JcsProof
}

/**
 * Credentials with Data Integrity proofs of the suite eddsa-jcs-2022: canonical JSON instead of RDF, so that no context is needed to
 * verify one.
 *
 * @see Data Integrity EdDSA Cryptosuites v1.0 section 3.3
 */
export const JcsCredentials: CredentialFormat<ReadJcsCredential> = {
  // What callers write as `format`.
  id: 'jcs_vc',
  mediaTypes: ['application/vc'],
  // The member for the status of these credentials; `status` would be for token lists only.
  statusMember: 'credentialStatus',
  // At a glance, for any input, without throwing. The first format that returns true reads it.
  recognises: hasJcsProof,
  // Without I/O and before anything is verified: its content, or every problem at once.
  read(shown) {
    if (!hasJcsProof(shown)) throw refused('it has no proof of eddsa-jcs-2022')
    const proof = jcsProofOf(shown)
    const { proof: _, ...document } = shown as Record<string, unknown>
    const read = readCredentialObject(shown)
    const { notBefore, notAfter } = read.validity
    const ends = proof.expires === undefined ? [] : [Date.parse(proof.expires)]
    return { ...read, validity: { notBefore, notAfter: [...notAfter, ...ends] }, document, proof }
  },
  // Whose key has signed: one that the DID document of the issuer, as it is now, allows for it.
  verify({ document, proof, issuer }, { documentOf }) {
    const { proofValue: _, ...options } = proof
    const signed = hashData(document, options)
    const signature = signatureOf(proof)
    const kid = proof.verificationMethod
    return signerOfDid({ algorithm: 'EdDSA', signed, signature, kid }, issuer, 'assertionMethod', documentOf)
  },
  // First all problems of issuing; only then are indices of status lists allocated, and the returned function signs.
  async prepareIssue(args, now, context) {
    const { methodId, key } = await context.agent.didHeldKey({ did: args.issuerDid, act: 'assertionMethod' })
    if (key.type !== 'Ed25519') {
      const message = `signs with a key of type ${key.type}, but eddsa-jcs-2022 needs Ed25519`
      // The engine writes the caller's own argument in place of `did`.
      throw problemsError('invalid_input', [{ path: 'did', message }])
    }
    return async (status) => {
      const document = unsignedCredential(args, status, now)
      const options: Omit<JcsProof, 'proofValue'> = {
        type: 'DataIntegrityProof',
        cryptosuite: 'eddsa-jcs-2022',
        created: now.toISOString().replace(/\.\d+Z$/, 'Z'),
        verificationMethod: methodId,
        proofPurpose: 'assertionMethod',
        '@context': document['@context'],
      }
      const proofValue = await sign(hashData(document, options), key.kid, context)
      return readCredentialObject({ ...document, proof: { ...options, proofValue } }).credential
    }
  },
}

/** The key stays in its KMS, whichever that is. */
async function sign(data: Buffer, keyRef: string, { agent }: SigningContext): Promise<string> {
  const request = { keyRef, data: data.toString('hex'), encoding: 'hex', algorithm: 'EdDSA' } as const
  return proofValueOf(Buffer.from(await agent.keyManagerSign(request), 'base64url'))
}
