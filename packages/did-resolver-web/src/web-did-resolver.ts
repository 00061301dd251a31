import { didWebUrl, log, parseOptions } from '@vidimus/core-types'
import type { DIDDocument, DIDResolutionResult, DIDResolver } from 'did-resolver'
import { fetchDocument, sentenceAbout } from './fetch-document.js'
import { fetchOptions, type FetchOptions } from './fetch-options.js'
import { requireFittingDocument } from './fitting-document.js'

export interface WebDidResolverOptions extends FetchOptions {
  /** of a DID document; default 262 144 */
  maxBytes?: number
}

export const Options = fetchOptions(262_144)

/**
 * Resolver of did:web for a service: a DID comes from a caller, and the host in it is not to be trusted. So there are
 * limits on time and size, no redirects, and by default no host that is not public.
 *
 * An unreachable host is `notFound` with a `message`, as with other resolvers of the method.
 *
 * @throws AgentError `invalid_configuration`
 * @see did:web Method Specification
 */
export function getWebDidResolver(options: WebDidResolverOptions = {}): Record<'web', DIDResolver> {
  const limits = parseOptions(Options, options)
  return {
    web: async (did, parsed) => {
      const url = didWebUrl(parsed.did)
      if (!url) return failed('invalidDid', 'it has no host and path that the method allows')
      try {
        const document = await fetchDocument(url, limits)
        if (!isDocumentOf(document, did))
          return failed('notFound', 'its host responded with the document of another DID')
        requireFittingDocument(document)
        return resolved(document)
      } catch (error) {
        log('debug', 'a DID document was not found', {}, error)
        return failed('notFound', sentenceAbout(error))
      }
    },
  }
}

const isDocumentOf = (document: unknown, did: string): document is DIDDocument =>
  typeof document === 'object' && document !== null && 'id' in document && document.id === did

const resolved = (didDocument: DIDDocument): DIDResolutionResult => ({
  didDocument,
  didDocumentMetadata: {},
  didResolutionMetadata: {
    contentType: '@context' in didDocument ? 'application/did+ld+json' : 'application/did+json',
  },
})

const failed = (error: string, message: string): DIDResolutionResult => ({
  didDocument: null,
  didDocumentMetadata: {},
  didResolutionMetadata: { error, message },
})
