import { gzip } from 'node:zlib'
import { promisify } from 'node:util'
import type { AnswerHeaders } from '../identifiers/public-answer.js'
import type { LinkedResourceMetadata, StatusListDelivery } from '@vidimus/core-types'

/** The metadata of a list version that a response without content needs. */
export interface ListVersion {
  metadata: Pick<LinkedResourceMetadata, 'resourceId' | 'checksum' | 'created' | 'nextVersionId'>
  delivery: StatusListDelivery
  /** of its forms, the published one first */
  mediaTypes: readonly string[]
}

/** A representation of a version. */
export interface ListRepresentation {
  mediaType: string
  gzipped: boolean
}

/** Headers that never change for a representation. */
export interface PreparedHeaders extends AnswerHeaders {
  etag: string
}

/**
 * The headers of a representation. Forms and codings are different representations, each with a separate entity tag
 * (RFC 9110 8.8.3).
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

/** Text formats shrink; the bits of a list are compressed either way. */
export const isWorthCompressing = (mediaType: string): boolean => !mediaType.endsWith('+cwt')

const compressed = promisify(gzip)

/** The body of a representation, from the content of its form. */
export const preparedBody = (content: Buffer, { gzipped }: ListRepresentation): Promise<Buffer> =>
  gzipped ? compressed(content) : Promise.resolve(content)
