import type { DidUrlResult } from '@vidimus/core-types'
import { entityTagOf } from '../answers/entity-tag.js'
import { REVALIDATE } from './cache-control.js'
import { publicAnswer, type PublicAnswer } from './public-answer.js'
import { PLAIN_DOCUMENT, type Representation } from './representations.js'
import { dereferencingBody, resolutionBody } from './result-bodies.js'

type Found<Kind extends DidUrlResult['found']> = Extract<DidUrlResult, { found: Kind }>

/** Members that only a dereferencing result has. */
export type FoundPart = Found<'documentPart' | 'documentMetadata' | 'documentVersions' | 'resourceMetadata'>

const GONE = 410

/**
 * Sends a DID document, alone or within its resolution result.
 *
 * @param now - time of the resolution
 */
export function documentAnswer(
  didUrl: string,
  result: Found<'document'>,
  { kind, contentType, documentType }: Representation,
  now = new Date(),
): PublicAnswer {
  const headers = { 'content-type': contentType, 'cache-control': REVALIDATE }
  const { '@context': context, ...members } = result.didDocument
  // DID Core 6.2.1: plain JSON has no @context.
  const isPlain = documentType === PLAIN_DOCUMENT || context === undefined
  const didDocument = isPlain ? members : { '@context': context, ...members }
  // DID Resolution, HTTPS binding: this also informs clients that get the document without its metadata.
  const status = result.didDocumentMetadata.deactivated ? GONE : 200
  if (kind === 'result') {
    const origin = { didUrl, contentType: documentType, now }
    const body = JSON.stringify(resolutionBody({ ...result, didDocument }, origin))
    return { ...publicAnswer(status, headers, body), timed: true }
  }
  const body = JSON.stringify(didDocument)
  if (status === GONE) return publicAnswer(status, headers, body)
  return publicAnswer(200, { ...headers, etag: entityTagOf(`${contentType} ${body}`) }, body)
}

/** Sends a part of a document, or metadata: plain JSON, unless it has a context of its own. */
export function partAnswer(
  didUrl: string,
  result: FoundPart,
  { contentType, documentType }: Representation,
): PublicAnswer {
  const [contentStream, contentMetadata] = foundContent(result)
  const hasContext =
    typeof contentStream === 'object' && contentStream !== null && '@context' in contentStream
  const origin = { didUrl, contentType: hasContext ? documentType : 'application/json', now: new Date() }
  const body = dereferencingBody(contentStream, contentMetadata, origin)
  const headers = { 'content-type': contentType, 'cache-control': REVALIDATE }
  return { ...publicAnswer(200, headers, JSON.stringify(body)), timed: true }
}

function foundContent(result: FoundPart): [stream: unknown, metadata: object] {
  switch (result.found) {
    case 'documentPart':
      return [result.part, result.didDocumentMetadata]
    case 'documentMetadata':
      return [result.didDocumentMetadata, {}]
    case 'documentVersions':
      return [{ versions: result.versions, ...(result.next !== undefined && { next: result.next }) }, {}]
    case 'resourceMetadata':
      return [null, result.metadata]
  }
}
