import {
  isAgentError,
  problemsError,
  type AgentError,
  type CredentialFormat,
  type CredentialIssueArgs,
} from '@vidimus/core-types'
import { newCredential2 } from '../new-credential.js'
import { Canonicalization } from './canonicalization.js'
import {
  configuredContexts,
  unknownContexts,
  type ContextFiles,
  type DataIntegrityOptions,
} from './contexts.js'
import { dataIntegrityPresentations } from './data-integrity-presentations.js'
import { documentProblems } from './document-bounds.js'
import { findProof, verifyProofs } from './proofs.js'
import { hasDataIntegrityProof, readDataIntegrity, type ReadDataIntegrity } from './read-data-integrity.js'

/**
 * Credentials with Data Integrity proofs, for `credentialFormats` in `agent.yml`. New credentials follow data model
 * 2.0; those of 1.1 are verified as well.
 *
 * @throws AgentError `invalid_configuration` for files that do not contain a context
 * @see W3C Data Integrity EdDSA Cryptosuites v1.0 section 3.2, Data Integrity ECDSA Cryptosuites v1.0 section 3.2
 */
export function dataIntegrity(options: DataIntegrityOptions = {}): CredentialFormat<ReadDataIntegrity> {
  const contexts = configuredContexts(options)
  const canonicalization = new Canonicalization(contexts)
  return {
    id: 'ldp_vc',
    mediaTypes: ['application/vc', 'application/vc+ld+json'],
    statusMember: 'credentialStatus',
    ownArguments: ['document'],
    signsModel1: true,
    recognises: hasDataIntegrityProof,
    read: (shown) => readDataIntegrity(shown, contexts),
    verify: (read, { documentOf }) =>
      verifyProofs(read, read.issuer, 'assertionMethod', canonicalization, documentOf),
    async prepareIssue(args, now, context) {
      demandKnownContexts(args, contexts)
      const made = { did: args.issuerDid, proofPurpose: 'assertionMethod', now } as const
      const proof = await findProof(made, canonicalization, context)
      const document = newCredential2(args, { contexts: [] }, now)
      const problems = documentProblems(document, contexts)
      if (problems.length > 0) throw ofAttributes(problems.map(({ message }) => message))
      // Without a status nothing is lost by a term that is found undefined when signing.
      if (args.credentialStatus !== undefined) await demandDefined(() => proof.dataOf(document))
      return async (status) => {
        const secured = await demandDefined(() => proof.addTo(newCredential2(args, status, now)))
        return readDataIntegrity(secured, contexts).credential
      }
    },
    presentations: dataIntegrityPresentations(contexts, canonicalization),
  }
}

/** @throws AgentError `invalid_input` */
function demandKnownContexts(args: CredentialIssueArgs, files: ContextFiles): void {
  const problems = (args['@context'] ?? []).flatMap((one, n) =>
    unknownContexts(one, files).map((name) => {
      const message = `${name} is unknown, and contexts are never fetched; add a file for it in agent.yml`
      return { path: `@context[${n}]`, message }
    }),
  )
  if (problems.length > 0) throw problemsError('invalid_input', problems)
}

/**
 * Reports terms without a definition under the caller's argument: nothing is signed that says less than it seems to.
 */
async function demandDefined<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isAgentError(error) || error.code !== 'invalid_credential') throw error
    const advice = '@context can name https://www.w3.org/ns/credentials/undefined-terms/v2'
    throw ofAttributes([...error.details.map(({ message }) => message), advice])
  }
}

const ofAttributes = (messages: readonly string[]): AgentError =>
  problemsError('invalid_input', [{ path: 'attributes', message: messages.join('; ') }])
