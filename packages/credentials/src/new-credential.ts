import type { CredentialIssueArgs, NewCredentialArgs, NewCredentialStatus } from '@vidimus/core-types'
import { asList } from './jwt/contradictions.js'
import { VC_CONTEXT, VC_CONTEXT_2 } from './jwt/jwt-claims.js'
import { isOfModel1 } from './model-1.js'

/** The context of status entries; data model 2.0 defines their terms itself. */
const STATUS_CONTEXT = 'https://www.w3.org/ns/credentials/status/v1'

/** The context of the terms of a proof; data model 2.0 defines them itself. */
const PROOF_CONTEXTS = [
  'https://w3id.org/security/data-integrity/v2',
  'https://w3id.org/security/data-integrity/v1',
]

/** The id of the subject of a new credential. */
export const newSubjectId = ({ attributes, subjectDid }: CredentialIssueArgs): unknown =>
  attributes.id ?? subjectDid

/** Members of a new credential shared by both data model versions; members that were not requested are omitted. */
export function sharedMembers(
  args: CredentialIssueArgs,
  { credentialStatus }: NewCredentialStatus,
): Record<string, unknown> {
  const { name, description, credentialSchema, termsOfUse, refreshService, evidence } = args
  const subject = newSubjectId(args)
  return {
    type: [...new Set(['VerifiableCredential', ...(args.type ?? [])])],
    credentialSubject: { ...args.attributes, ...(subject !== undefined && { id: subject }) },
    ...given({
      name,
      description,
      credentialSchema,
      credentialStatus,
      termsOfUse,
      refreshService,
      evidence,
    }),
  }
}

/** The contexts of a new credential of the data model 1.1. */
export const contextsOf1 = (args: CredentialIssueArgs, { contexts }: NewCredentialStatus): string[] => [
  ...new Set([VC_CONTEXT, ...contexts, ...(args['@context'] ?? [])]),
]

/**
 * A new credential of the data model 2.0, unsigned; or a document of either model as its issuer wrote it.
 *
 * @see Verifiable Credentials Data Model v2.0 section 4
 */
export function newCredential2(
  args: NewCredentialArgs,
  status: NewCredentialStatus,
  now: Date,
): Record<string, unknown> {
  const { issuerDid, credentialId: id, validFrom, validUntil, document } = args
  const needed = status.contexts.filter((context) => context !== STATUS_CONTEXT)
  if (document) {
    const { '@context': context, ...members } = document
    const contexts = asList(context)
    const { credentialStatus } = status
    return {
      '@context': [
        ...new Set([...contexts, ...(isOfModel1(document) ? contextsOfModel1(contexts, status) : needed)]),
      ],
      ...members,
      ...(credentialStatus && { credentialStatus }),
    }
  }
  return {
    '@context': [...new Set([VC_CONTEXT_2, ...needed, ...(args['@context'] ?? [])])],
    ...given({ id }),
    issuer: issuerDid,
    validFrom: timestamp(validFrom === undefined ? now : new Date(validFrom)),
    ...(validUntil !== undefined && { validUntil: timestamp(new Date(validUntil)) }),
    ...sharedMembers(args, status),
  }
}

/** What data model 1.1 does not define by itself. */
const contextsOfModel1 = (contexts: readonly unknown[], status: NewCredentialStatus): string[] => [
  ...status.contexts,
  ...(PROOF_CONTEXTS.some((one) => contexts.includes(one)) ? [] : PROOF_CONTEXTS.slice(0, 1)),
]

const given = (members: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))

/** In whole seconds, as verifiers may compare it with JWT claims. */
export const timestamp = (time: Date): string => time.toISOString().replace(/\.\d+Z$/, 'Z')
