import { gzip } from 'node:zlib'
import { promisify } from 'node:util'
import type { AnswerHeaders } from '../identifiers/public-answer.js'
import type { LinkedResourceMetadata, StatusListDelivery } from '@vidimus/core-types'

/** What there is of a version of a list: as much as an answer without its content takes. */
export interface ListVersion {
  metadata: Pick<LinkedResourceMetadata, 'resourceId' | 'checksum' | 'created' | 'nextVersionId'>
  delivery: StatusListDelivery
  /** of its forms, the published one first */
  mediaTypes: readonly string[]
}

/** One way to answer a version. */
export interface ListRepresentation {
  mediaType: string
  gzipped: boolean
}

/** Headers that say the same of a representation for ever. */
export interface PreparedHeaders extends AnswerHeaders {
  etag: string
}

/**
 * The headers of a representation. What a client has of one form or coding is no copy of another, and each has an entity
 * tag of its own (RFC 9110 8.8.3).
 */
export function preparedHeaders(
  { metadata: { checksum, created } }: ListVersion,
  { mediaType, gzipped }: ListRepresentation,
): PreparedHeaders {
  const form = mediaType.slice(mediaType.indexOf('/') + 1)
  return {
    'content-type': mediaType,
    etag: `"${checksum}-${form}${gzipped ? '-gzip' : ''}"`,
    'last-modified': new Date(created).toUTCString(),
    ...(gzipped && { 'content-encoding': 'gzip' }),
  }
}

/** What is text shrinks; the bits of a list are compressed in either case. */
export const isWorthCompressing = (mediaType: string): boolean => !mediaType.endsWith('+cwt')

const compressed = promisify(gzip)

/** The body of a representation, from the content of its form. */
export const preparedBody = (content: Buffer, { gzipped }: ListRepresentation): Promise<Buffer> =>
  gzipped ? compressed(content) : Promise.resolve(content)
