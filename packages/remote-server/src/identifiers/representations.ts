import express, { type Request } from 'express'
import type { ServedRequest } from '../request/served-request.js'

/** A result of DID resolution or of dereferencing, or its content. */
export interface Representation {
  kind: 'result' | 'document'
  /** of the response */
  contentType: string
  /** of the document, as named in the result */
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

/** In order of preference, for clients without a preference. */
const RESULTS = [
  result(LD_RESULT),
  result('application/did-resolution'),
  result(LD_DEREFERENCING),
  result('application/did-url-dereferencing'),
  result('application/json'),
]
const ALL = [...RESULTS, document(LD_DOCUMENT), document('application/did'), document(PLAIN_DOCUMENT)]

/** Without an `accept` header, a client gets the document (DID Core 7.1, `resolveRepresentation`). */
export const UNASKED = document(LD_DOCUMENT)

/** The default for a client that asks for a resolution result. */
export const USUAL_RESULT = result(LD_RESULT)

/** The representation of a DID document; `undefined` if the client accepts none. */
export const documentRepresentation = (req: ServedRequest): Representation | undefined =>
  asksForNothing(req) ? UNASKED : chosen(req)

/** The same for results only, as for metadata and errors. */
export function resultRepresentation(req: ServedRequest): Representation | undefined {
  const representation = documentRepresentation(req)
  return representation?.kind === 'document'
    ? { ...representation, kind: 'result', contentType: 'application/json' }
    : representation
}

/** The representation of a resource: its content, or a result that contains it. */
export type ResourceRepresentation =
  { kind: 'content'; mediaType: string } | { kind: 'result'; contentType: string }

const DEREFERENCING_RESULTS = [LD_DEREFERENCING, 'application/did-url-dereferencing']
/** Clients that ask for the JSON of resolvers get the content unchanged. */
const RESOLVER_TYPES = ['application/json', 'application/ld+json', LD_RESULT, 'application/did-resolution']

/**
 * The representation of a resource; `undefined` if the client accepts none.
 *
 * @param mediaTypes - of the content, the preferred one first
 */
export function resourceRepresentation(
  req: ServedRequest,
  mediaTypes: readonly [string, ...string[]],
): ResourceRepresentation | undefined {
  const [usual] = mediaTypes
  if (asksForNothing(req)) return { kind: 'content', mediaType: usual }
  // JSON-LD without a profile does not ask for the result.
  const results = req.headers.accept?.includes('did-url-dereferencing') ? DEREFERENCING_RESULTS : []
  const accepted = acceptedRepresentation(req, [...mediaTypes, ...RESOLVER_TYPES, ...results])
  if (accepted === undefined) return undefined
  if (results.includes(accepted)) return { kind: 'result', contentType: accepted }
  return { kind: 'content', mediaType: mediaTypes.includes(accepted) ? accepted : usual }
}

const asksForNothing = ({ headers }: ServedRequest): boolean => (headers.accept ?? '').trim() === ''

function chosen(req: ServedRequest): Representation | undefined {
  const accepted = acceptedRepresentation(
    req,
    ALL.map(({ contentType }) => contentType),
  )
  return ALL.find(({ contentType }) => contentType === accepted)
}

const CHARSET = ';charset=utf-8'

/** The type that the client prefers. Many clients ask for JSON with UTF-8, which is its only encoding. */
function acceptedRepresentation(req: ServedRequest, types: readonly string[]): string | undefined {
  // Express' parser of the header, also for requests that did not pass through Express
  const accepts = express.request.accepts.bind(req as Request)
  const accepted = accepts([...types, ...types.map((type) => type + CHARSET)])
  if (accepted === false) return undefined
  return typeof accepted === 'string' && !types.includes(accepted)
    ? accepted.slice(0, -CHARSET.length)
    : String(accepted)
}
