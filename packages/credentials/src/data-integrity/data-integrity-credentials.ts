import {
  isAgentError,
  problemsError,
  signingAlgorithmOf,
  type AgentError,
  type CredentialFormat,
  type CredentialIssueArgs,
  type NewCredentialStatus,
  type SigningContext,
} from '@vidimus/core-types'
import { signerOfDid } from '@vidimus/verification-methods'
import { newCredential2 } from '../new-credential.js'
import { base58Of, bytesOfBase58 } from './base58.js'
import { Canonicalization, type Cryptosuite } from './canonicalization.js'
import { contextsOf, unknownContexts, type ContextFiles, type DataIntegrityOptions } from './contexts.js'
import { documentProblems } from './document-bounds.js'
import {
  hasDataIntegrityProof,
  readDataIntegrity,
  type Proof,
  type ReadDataIntegrity,
} from './read-data-integrity.js'

/** By Veramo's names of the types of keys. */
const SUITES: Record<string, Cryptosuite> = { Ed25519: 'eddsa-rdfc-2022', Secp256r1: 'ecdsa-rdfc-2019' }

const ALGORITHMS: Record<Cryptosuite, string> = { 'eddsa-rdfc-2022': 'EdDSA', 'ecdsa-rdfc-2019': 'ES256' }

/**
 * Credentials with Data Integrity proofs, for `credentialFormats` in `agent.yml`: new ones are of the data model 2.0, those of 1.1 are
 * verified as well.
 *
 * @throws AgentError `invalid_configuration` for files that hold no context
 * @see W3C Data Integrity EdDSA Cryptosuites v1.0 section 3.2, Data Integrity ECDSA Cryptosuites v1.0 section 3.2
 */
export function dataIntegrity(options: DataIntegrityOptions = {}): CredentialFormat<ReadDataIntegrity> {
  const contexts = contextsOf(options)
  const canonicalization = new Canonicalization(contexts)
  return {
    id: 'ldp_vc',
    mediaTypes: ['application/vc', 'application/vc+ld+json'],
    statusMember: 'credentialStatus',
    recognises: hasDataIntegrityProof,
    read: (shown) => readDataIntegrity(shown, contexts),
    async verify({ proofs, document, issuer }, { documentOf }) {
      const signers: string[] = []
      for (const { proofValue, ...proof } of proofs) {
        const suite = proof.cryptosuite
        const signed = await canonicalization.verifyData({ document, proof, suite })
        const signature = bytesOfBase58(proofValue)
        const algorithm = ALGORITHMS[suite]
        const kid = proof.verificationMethod
        signers.push(
          await signerOfDid({ algorithm, signed, signature, kid }, issuer, 'assertionMethod', documentOf),
        )
      }
      return signers.join(' ')
    },
    async prepareIssue(args, now, context) {
      demandKnownContexts(args, contexts)
      const { methodId, key } = await context.agent.didHeldKey({
        did: args.issuerDid,
        act: 'assertionMethod',
      })
      const suite = SUITES[key.type]
      if (!suite) throw noSuite(key.type)
      const sign = async (status: NewCredentialStatus): Promise<Record<string, unknown>> => {
        const document = newCredential2(args, status, now)
        const proof = newProof(suite, methodId, now)
        const data = await canonicalization.verifyData({ document, proof, suite })
        return { ...document, proof: { ...proof, proofValue: await signed(data, key, context) } }
      }
      await demandDefined(() => {
        const document = newCredential2(args, { contexts: [] }, now)
        const problems = documentProblems(document, contexts)
        if (problems.length > 0) throw problemsError('invalid_credential', problems)
        return canonicalization.verifyData({ document, proof: newProof(suite, methodId, now), suite })
      })
      return async (status) => readDataIntegrity(await sign(status), contexts).credential
    },
  }
}

const newProof = (cryptosuite: Cryptosuite, verificationMethod: string, now: Date) =>
  ({
    type: 'DataIntegrityProof',
    created: now.toISOString().replace(/\.\d+Z$/, 'Z'),
    verificationMethod,
    cryptosuite,
    proofPurpose: 'assertionMethod',
  }) satisfies Omit<Proof, 'proofValue'>

/** The key signs the bytes where it lies. */
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

/** @throws AgentError `invalid_input` */
function demandKnownContexts(args: CredentialIssueArgs, files: ContextFiles): void {
  const problems = (args['@context'] ?? []).flatMap((one, n) =>
    unknownContexts(one, files).map((name) => {
      const message = `${name} is not known here, and none is fetched; agent.yml can name a file for it`
      return { path: `@context[${n}]`, message }
    }),
  )
  if (problems.length > 0) throw problemsError('invalid_input', problems)
}

/** Names by the caller's argument what a context does not define: nothing is signed that says less than it seems to. */
async function demandDefined(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!isAgentError(error) || error.code !== 'invalid_credential') throw error
    const advice = '@context can name https://www.w3.org/ns/credentials/undefined-terms/v2'
    const messages = error.details.map(({ message }) => message).join('; ')
    throw problemsError('invalid_input', [{ path: 'attributes', message: `${messages}; ${advice}` }])
  }
}

const noSuite = (type: string): AgentError =>
  problemsError('invalid_input', [
    { path: 'did', message: `signs with a key of type ${type}, for which ldp_vc has no cryptosuite` },
  ])
