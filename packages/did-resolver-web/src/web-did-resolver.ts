import { didWebUrl, log, parseOptions } from '@vidimus/core-types'
import { NOT_REACHED } from '@vidimus/public-hosts'
import type { DIDDocument, DIDResolutionResult, DIDResolver } from 'did-resolver'
import { z } from 'zod'
import { fetchDocument } from './fetch-document.js'
import { requireFittingDocument } from './fitting-document.js'

export interface WebDidResolverOptions {
  /** for the whole of it, in milliseconds; default 5000 */
  timeoutMs?: number
  /** of a DID document; default 262 144 */
  maxBytes?: number
  /**
   * Also ask hosts of the own network. Whoever may name a DID can then make the service send requests there, so the
   * default is `false`.
   */
  allowPrivateAddresses?: boolean
  /** PEM; in place of the well-known ones */
  certificateAuthorities?: string
}

export const Options = z.strictObject({
  timeoutMs: z.int().min(1).max(60_000).default(5000),
  maxBytes: z.int().min(1024).max(16_777_216).default(262_144),
  allowPrivateAddresses: z.boolean().default(false),
  certificateAuthorities: z.string().optional(),
})

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
  const { certificateAuthorities, ...limits } = parseOptions(Options, options)
  return {
    web: async (did, parsed) => {
      const url = didWebUrl(parsed.did)
      if (!url) return failed('invalidDid', 'it names no host and path that the method allows')
      try {
        const document = await fetchDocument(url, { ...limits, certificateAuthorities })
        if (!isDocumentOf(document, did))
          return failed('notFound', 'its host answers with the document of another DID')
        requireFittingDocument(document)
        return resolved(document)
      } catch (error) {
        log('debug', 'a DID document was not found on the web', {}, error)
        return failed('notFound', sentenceOf(error))
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

/** Our own sentences; those of the system name addresses. */
const sentenceOf = (error: unknown): string =>
  error instanceof Error && error.message.startsWith('its ') ? error.message : NOT_REACHED
