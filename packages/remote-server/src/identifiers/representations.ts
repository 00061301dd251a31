import express, { type Request } from 'express'
import type { ServedRequest } from '../request/served-request.js'

/** A result of DID resolution or of dereferencing, or what it holds. */
export interface Representation {
  kind: 'result' | 'document'
  /** of the answer */
  contentType: string
  /** of the document, as the result names it */
  documentType: string
}

const LD_RESULT = 'application/ld+json;profile="https://w3id.org/did-resolution"'
const LD_DEREFERENCING = 'application/ld+json;profile="https://w3id.org/did-url-dereferencing"'
const LD_DOCUMENT = 'application/did+ld+json'
export const PLAIN_DOCUMENT = 'application/did+json'

const result = (contentType: string, documentType = LD_DOCUMENT): Representation => ({
  kind: 'result',
  contentType,
  documentType,
})
const document = (contentType: string): Representation => ({
  kind: 'document',
  contentType,
  documentType: contentType,
})

/** In the order in which they are preferred where a client has no preference. */
const RESULTS = [
  result(LD_RESULT),
  result('application/did-resolution'),
  result(LD_DEREFERENCING),
  result('application/did-url-dereferencing'),
  result('application/json'),
]
const ALL = [...RESULTS, document(LD_DOCUMENT), document('application/did'), document(PLAIN_DOCUMENT)]

/** Where a client says nothing at all, it gets the document (DID Core 7.1, `resolveRepresentation`). */
export const UNASKED = document(LD_DOCUMENT)

/** What a client gets that asks for a result of resolution and has no other wish. */
export const USUAL_RESULT = result(LD_RESULT)

/** How a DID document is to be answered; `undefined` where the client accepts no way that there is. */
export const documentRepresentation = (req: ServedRequest): Representation | undefined =>
  asksForNothing(req) ? UNASKED : chosen(req)

/** The same where there is a result alone, as for metadata and errors. */
export function resultRepresentation(req: ServedRequest): Representation | undefined {
  const representation = documentRepresentation(req)
  return representation?.kind === 'document'
    ? { ...representation, kind: 'result', contentType: 'application/json' }
    : representation
}

/** How a resource is to be answered: its content, or a result around it. */
export type ResourceRepresentation =
  { kind: 'content'; mediaType: string } | { kind: 'result'; contentType: string }

const DEREFERENCING_RESULTS = [LD_DEREFERENCING, 'application/did-url-dereferencing']
/** Whoever asks for JSON as resolvers write it takes content as it is. */
const RESOLVER_TYPES = ['application/json', 'application/ld+json', LD_RESULT, 'application/did-resolution']

/**
 * How a resource is to be answered; `undefined` where the client accepts no way that there is.
 *
 * @param mediaTypes - of the content, the preferred one first
 */
export function resourceRepresentation(
  req: ServedRequest,
  mediaTypes: readonly [string, ...string[]],
): ResourceRepresentation | undefined {
  const [usual] = mediaTypes
  if (asksForNothing(req)) return { kind: 'content', mediaType: usual }
  // JSON-LD of no profile is not yet a wish for the result.
  const results = req.headers.accept?.includes('did-url-dereferencing') ? DEREFERENCING_RESULTS : []
  const accepted = acceptedOf(req, [...mediaTypes, ...RESOLVER_TYPES, ...results])
  if (accepted === undefined) return undefined
  if (results.includes(accepted)) return { kind: 'result', contentType: accepted }
  return { kind: 'content', mediaType: mediaTypes.includes(accepted) ? accepted : usual }
}

const asksForNothing = ({ headers }: ServedRequest): boolean => (headers.accept ?? '').trim() === ''

function chosen(req: ServedRequest): Representation | undefined {
  const accepted = acceptedOf(
    req,
    ALL.map(({ contentType }) => contentType),
  )
  return ALL.find(({ contentType }) => contentType === accepted)
}

const CHARSET = ';charset=utf-8'

/** The one of these types that the client likes best. Many clients ask for JSON in UTF-8, which is the only one. */
function acceptedOf(req: ServedRequest, types: readonly string[]): string | undefined {
  // Express' own reading of the header, of requests that did not come through it too
  const accepts = express.request.accepts.bind(req as Request)
  const accepted = accepts([...types, ...types.map((type) => type + CHARSET)])
  if (accepted === false) return undefined
  return typeof accepted === 'string' && !types.includes(accepted)
    ? accepted.slice(0, -CHARSET.length)
    : String(accepted)
}
