import type { VerifiablePresentation } from '@veramo/core-types'
import {
  isAgentError,
  isDid,
  isJsonObject,
  problemsError,
  type PresentationCreateResult,
  type PresentationFormat,
  type Problem,
  type ReadPresentation,
} from '@vidimus/core-types'
import type { z } from 'zod'
import { asList } from '../jwt/contradictions.js'
import { readValidity, VC_CONTEXT } from '../jwt/jwt-claims.js'
import { valueOrId, presentationProblems2 } from '../model-2.js'
import { timestamp } from '../new-credential.js'
import { newPresentation2 } from '../new-presentation.js'
import { wholeSeconds } from '../validity.js'
import type { Canonicalization } from './canonicalization.js'
import type { ContextFiles } from './contexts.js'
import { presentationProblems } from './document-bounds.js'
import { findProof, verifyProofs } from './proofs.js'
import {
  endingWith,
  hasDataIntegrityProof,
  HolderProof,
  NO_OBJECT,
  readProofs,
  type Secured,
} from './read-data-integrity.js'

type Proof = z.output<typeof HolderProof>

/** A presentation as it describes itself, not yet verified. */
export interface ReadDataIntegrityPresentation extends ReadPresentation, Secured<Proof> {}

/**
 * Presentations with Data Integrity proofs. New ones follow data model 2.0; those of 1.1 are verified as well. The
 * `challenge` of the proof is the nonce, its `domain` the audience.
 *
 * @see Verifiable Credential Data Integrity 1.0 section 2.1
 */
export const dataIntegrityPresentations = (
  contexts: ContextFiles,
  canonicalization: Canonicalization,
): PresentationFormat<ReadDataIntegrityPresentation> => ({
  id: 'ldp_vp',
  mediaTypes: ['application/vp', 'application/vp+ld+json'],
  recognises: hasDataIntegrityProof,
  read: (shown) => readPresentation(shown, contexts),
  verify: (read, { documentOf }) =>
    verifyProofs(read, read.holder, 'authentication', canonicalization, documentOf),
  async present(request, context) {
    const { holderDid: did, audience, nonce, now, ends } = request
    const document = newPresentation2(request, 'ldp_vp')
    const [domain] = audience
    const asked = {
      ...(nonce !== undefined && { challenge: nonce }),
      ...(domain !== undefined && { domain }),
    }
    const made = { did, proofPurpose: 'authentication', now, expires: timestamp(ends), ...asked } as const
    const proofMaker = await findProof(made, canonicalization, context)
    const vp = await refusingCredentials(async () => {
      const problems = presentationProblems(document, contexts)
      if (problems.length > 0) throw problemsError('invalid_credential', problems)
      return proofMaker.addTo(document)
    })
    const { proof } = vp
    const said = { nbf: wholeSeconds(now), exp: wholeSeconds(ends), iss: did, aud: [...audience] }
    return { vp, ...said, ...(nonce !== undefined && { nonce }), proof } as PresentationCreateResult
  },
})

/** Credentials are verified one by one; together they may exceed the limit of a single document. */
async function refusingCredentials<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isAgentError(error) || error.code !== 'invalid_credential') throw error
    const problems = error.details.map(({ message }) => ({ path: 'credentials', message }))
    throw problemsError('invalid_input', problems)
  }
}

/** @throws AgentError `invalid_presentation` with every problem */
function readPresentation(shown: unknown, contexts: ContextFiles): ReadDataIntegrityPresentation {
  if (!isJsonObject(shown)) throw problemsError('invalid_presentation', [NO_OBJECT])
  const problems = presentationProblems(shown, contexts)
  if (problems.length > 0) throw problemsError('invalid_presentation', problems)
  const secured = readProofs(shown, HolderProof, problems)
  const { document, proofs } = secured
  problems.push(...modelProblems(document))
  const holder = presentedHolder(document, proofs)
  if (!isDid(holder)) problems.push(refusal('its holder must be a DID'))
  const [asked, ...others] = new Set(proofs.map(expectedChallenge))
  if (others.length > 0) problems.push(refusal('its proofs are not all for the same challenge and domain'))
  const validity = readValidity({}, document, problems)
  if (asked === undefined || problems.length > 0) throw problemsError('invalid_presentation', problems)
  const { challenge, domain } = JSON.parse(asked) as { challenge?: string; domain: string[] }
  return {
    ...secured,
    holder: String(holder),
    audience: domain,
    nonce: challenge,
    validity: endingWith(proofs, validity),
    presentation: shown as unknown as VerifiablePresentation,
    credentials: asList(document.verifiableCredential),
  }
}

const expectedChallenge = ({ challenge, domain }: Proof): string =>
  JSON.stringify({ challenge, domain: asList(domain) })

/** The signer, if the presentation has no holder. */
const presentedHolder = ({ holder }: Record<string, unknown>, [proof]: readonly Proof[]): unknown =>
  valueOrId(holder) ?? proof?.verificationMethod.split('#', 1)[0]

/** @see Verifiable Credentials Data Model 1.1 section 4.10, v2.0 section 4.13 */
function modelProblems(document: Record<string, unknown>): Problem[] {
  const { '@context': context, type, verifiableCredential } = document
  if (asList(context)[0] !== VC_CONTEXT) return presentationProblems2(document)
  const problems: Problem[] = []
  if (!asList(type).includes('VerifiablePresentation')) {
    problems.push(refusal('its type must include "VerifiablePresentation"'))
  }
  if (!asList(verifiableCredential).every(isJsonObject)) {
    problems.push(refusal('its verifiableCredential must be an object, or a list of them'))
  }
  return problems
}

const refusal = (message: string): Problem => ({ path: '', message })
