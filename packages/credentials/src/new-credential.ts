import type { CredentialIssueArgs, NewCredentialArgs, NewCredentialStatus } from '@vidimus/core-types'
import { VC_CONTEXT, VC_CONTEXT_2 } from './jwt/jwt-claims.js'

/** The context of status entries; data model 2.0 defines their terms itself. */
const STATUS_CONTEXT = 'https://www.w3.org/ns/credentials/status/v1'

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
 * A new credential of the data model 2.0, unsigned.
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
    const { '@context': contexts, ...members } = document
    const { credentialStatus } = status
    return {
      '@context': [...new Set([...(contexts as unknown[]), ...needed])],
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

const given = (members: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))

/** In whole seconds, as verifiers may compare it with JWT claims. */
export const timestamp = (time: Date): string => time.toISOString().replace(/\.\d+Z$/, 'Z')
