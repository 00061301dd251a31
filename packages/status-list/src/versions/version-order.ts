import {
  isAgentError,
  type LinkedResourceMetadata,
  type StatusListSecuring,
  type StatusListType,
} from '@vidimus/core-types'
import type { ReadingContext } from '../agent-context.js'
import { headerOf } from '../encoding/compact-jwt.js'
import { distrusted, type SecuringFailure } from './envelope-verification.js'
import { documentContent } from './list-documents.js'

/** The member of a list's protected header that names the version it was signed for. */
export const SIGNED_FOR = 'resourceId'

/**
 * Why a version is invalid at its place, whoever signed it: publishing an older version again would undo later
 * revocations.
 *
 * @param before - when the previous version was signed, if that is known already
 */
export async function outdatedBecause(
  type: StatusListType,
  { jwt, signedAt }: StatusListSecuring,
  metadata: LinkedResourceMetadata,
  context: ReadingContext,
  before?: number,
): Promise<SecuringFailure | undefined> {
  const signedFor = headerOf(jwt)[SIGNED_FOR]
  if (signedFor !== undefined && signedFor !== metadata.resourceId)
    return outdated('it was signed for another version')
  if (signedAt === undefined) return undefined
  const earlier = before ?? (await readSigningTime(type, metadata, metadata.previousVersionId, context))
  return earlier !== undefined && earlier > signedAt
    ? outdated('it was signed before the previous version')
    : undefined
}

const outdated = (reason: string): SecuringFailure => ({ ...distrusted(reason), outdated: true })

/** @returns `undefined` also for a version that is not a list, which has no signing time */
async function readSigningTime(
  type: StatusListType,
  { resourceURI }: LinkedResourceMetadata,
  resourceId: string | null,
  context: ReadingContext,
): Promise<number | undefined> {
  if (resourceId === null) return undefined
  const did = resourceURI.slice(0, resourceURI.indexOf('/'))
  const resource = await context.agent.linkedResourceGet({ did, resourceId })
  try {
    return resource ? type.securingOf?.(type.parse(documentContent(resource)))?.signedAt : undefined
  } catch (error) {
    if (isAgentError(error) && error.code === 'malformed_list') return undefined
    throw error
  }
}
