import {
  isJsonObject,
  problemsError,
  signingAlgorithmOf,
  type AgentError,
  type CredentialFormat,
  type ReadCredential,
} from '@vidimus/core-types'
import { readCredentialObject, unsignedCredential } from '@vidimus/credentials'
import { signerOfDid } from '@vidimus/verification-methods'

const PROOF_TYPE = 'TemplateNameProof'

/** The proof of a credential of this form. */
interface Proof {
  type: typeof PROOF_TYPE
  /** DID URL of the key */
  verificationMethod: string
  /** as JWTs name it */
  algorithm: string
  /** in base64url */
  signature: string
}

/** What `read` finds and `verify` needs. */
interface ReadTemplateName extends ReadCredential {
  signed: Uint8Array
  proof: Proof
}

/** Credentials with a signature over their JSON, its members in the order in which they are written. */
export const TemplateName: CredentialFormat<ReadTemplateName> = {
  // What callers write as `format`.
  id: 'template-name',
  mediaTypes: ['application/json'],
  // Entries of status lists are members of the data model; token lists, whose claim is `status`, are not used.
  statusMember: 'credentialStatus',
  // At a glance, for anything at all; never throws.
  recognises: (shown) => proofIn(shown)?.type === PROOF_TYPE,
  // Its content, before anything is verified; refuses with every problem.
  read(shown) {
    const { verificationMethod, algorithm, signature } = proofIn(shown) ?? {}
    const texts = [verificationMethod, algorithm, signature]
    if (!isJsonObject(shown) || !texts.every((text) => typeof text === 'string')) {
      throw refused('its proof must have verificationMethod, algorithm and signature')
    }
    const { proof, ...document } = shown
    return { ...readCredentialObject(shown), signed: signedOf(document), proof: proof as Proof }
  },
  // By the DID document of the issuer as it is now.
  verify({ signed, proof, issuer }, { documentOf }) {
    const { algorithm, verificationMethod: kid } = proof
    const signature = Buffer.from(proof.signature, 'base64url')
    return signerOfDid({ algorithm, signed, signature, kid }, issuer, 'assertionMethod', documentOf)
  },
  // First all problems of issuing; then indices of status lists are allocated, and the returned function signs.
  async prepareIssue(args, now, { agent }) {
    const { methodId, key } = await agent.didHeldKey({ did: args.issuerDid, act: 'assertionMethod' })
    const algorithm = signingAlgorithmOf(key.type)
    return async (status) => {
      const document = unsignedCredential(args, status, now)
      const data = Buffer.from(signedOf(document)).toString('hex')
      const signature = await agent.keyManagerSign({ keyRef: key.kid, data, encoding: 'hex', algorithm })
      const proof: Proof = { type: PROOF_TYPE, verificationMethod: methodId, algorithm, signature }
      return readCredentialObject({ ...document, proof }).credential
    }
  },
}

const signedOf = (document: Record<string, unknown>): Uint8Array => Buffer.from(JSON.stringify(document))

const proofIn = (shown: unknown): Record<string, unknown> | undefined =>
  isJsonObject(shown) && isJsonObject(shown.proof) ? shown.proof : undefined

/** Problems of the presented document become `verified: false` with this reason. */
const refused = (message: string): AgentError => problemsError('invalid_credential', [{ path: '', message }])
