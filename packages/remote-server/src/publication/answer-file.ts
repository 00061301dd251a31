import { gzip as gzipWithCallback } from 'node:zlib'
import { promisify } from 'node:util'
import type { PublishedFile } from '@vidimus/core-types'
import { REVALIDATE } from '../identifiers/cache-control.js'
import { isWorthIt, LEAST_COMPRESSED } from '../identifiers/prepared-answers.js'
import type { PublicAnswer } from '../identifiers/public-answer.js'

const gzip = promisify(gzipWithCallback)

/**
 * A server response as a file.
 *
 * @param path - decoded request path
 * @param isUsual - whether it is the default representation at the path
 */
export async function answerFile(
  { path, form, isUsual = true }: Pick<PublishedFile, 'path' | 'form'> & { isUsual?: boolean },
  answer: PublicAnswer,
): Promise<PublishedFile> {
  const { headers, body = new Uint8Array() } = answer
  const compressed = body.length < LEAST_COMPRESSED ? undefined : await gzip(body)
  return {
    path: path.replace(/^\//, ''),
    form,
    isUsual,
    contentType: headers['content-type'] ?? 'application/octet-stream',
    cacheControl: headers['cache-control'] ?? REVALIDATE,
    body,
    ...(compressed && isWorthIt(compressed, body) && { compressed }),
  }
}

/** The file name suffix for a media type: its subtype. */
export const fileForm = (mediaType: string): string =>
  mediaType.slice(mediaType.indexOf('/') + 1).replace(/;.*/, '')
