import {
  parseForeignJson,
  type DidUrlError,
  type DidUrlResult,
  type LinkedResource,
  type LinkedResourceMetadata,
} from '@vidimus/core-types'

const CONTEXT = 'https://w3id.org/did-resolution/v1'
const DID = /^did:([a-z0-9]+):([^/?#]+)/

/** `invalidOptions`: of a POST, the body only */
export type ResultError = DidUrlError | 'invalidOptions' | 'internalError'

/** The request that a result belongs to. */
export interface ResultOrigin {
  didUrl: string
  /** of the content of the result; absent if nothing is acceptable to the client */
  contentType?: string
  now: Date
}

/** The result of DID resolution (DID Core 7.1, in the form of DID Resolution 10). */
export const resolutionBody = (
  { didDocument, didDocumentMetadata }: DidUrlResult & { found: 'document' },
  origin: ResultOrigin,
) => ({
  '@context': CONTEXT,
  didDocument,
  didResolutionMetadata: resultMetadata(origin),
  didDocumentMetadata,
})

/** The result of dereferencing a DID URL (DID Core 7.2). */
export const dereferencingBody = (
  contentStream: unknown,
  contentMetadata: object | LinkedResourceMetadata,
  origin: ResultOrigin,
) => ({
  '@context': CONTEXT,
  dereferencingMetadata: resultMetadata(origin),
  contentStream,
  contentMetadata,
})

/** An error result: resolution format for a DID, dereferencing format for any other DID URL. */
export function failureBody(error: ResultError, message: string, origin: ResultOrigin) {
  const metadata = resultMetadata(origin, { error, message })
  return error === 'invalidDidUrl' || /[/?#]/.test(origin.didUrl)
    ? { '@context': CONTEXT, dereferencingMetadata: metadata, contentStream: null, contentMetadata: {} }
    : { '@context': CONTEXT, didDocument: null, didResolutionMetadata: metadata, didDocumentMetadata: {} }
}

function resultMetadata(
  { didUrl, contentType, now }: ResultOrigin,
  failure?: { error: ResultError; message: string },
) {
  const [didString, method, id] = DID.exec(didUrl) ?? []
  return {
    ...(contentType !== undefined && { contentType }),
    ...(failure && { error: failure.error }),
    retrieved: `${now.toISOString().slice(0, 19)}Z`,
    ...(id !== undefined && {
      did: {
        didString,
        methodSpecificId: method === 'cheqd' ? id.slice(id.lastIndexOf(':') + 1) : id,
        method,
      },
    }),
    ...(failure && { message: failure.message }),
  }
}

/** JSON and text unchanged, everything else in base64. */
export function contentStreamOf({ metadata: { mediaType }, data }: LinkedResource): unknown {
  const content = Buffer.from(data, 'base64url')
  if (/^application\/(?:[\w.-]+\+)?json\b/.test(mediaType)) {
    try {
      return parseForeignJson(content.toString('utf8'))
    } catch {
      // Not JSON after all, or nested too deep. The type of large JSON may have been detected from its start only.
      return content.toString('utf8')
    }
  }
  return mediaType.startsWith('text/') ? content.toString('utf8') : content.toString('base64')
}
