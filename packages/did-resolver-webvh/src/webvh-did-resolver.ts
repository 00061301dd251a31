import { log, parseOptions, didWebUrl } from '@vidimus/core-types'
import {
  fetchContent,
  fetchOptions,
  NotThere,
  requireFittingDocument,
  sentenceAbout,
  type FetchLimits,
  type FetchOptions,
} from '@vidimus/did-resolver-web'
import type { DIDResolutionResult, DIDResolver } from 'did-resolver'
import { parseLog, parseWitnessProofs, type DidLog } from './did-log.js'
import { versionAsked } from './version-asked.js'
import { NotVerified, verifyLog, type VerifiedVersion } from './verified-log.js'

export interface WebvhDidResolverOptions extends FetchOptions {
  /** of a DID log, and of the file with the proofs of its witnesses; default 1 048 576 */
  maxBytes?: number
}

export const Options = fetchOptions(1_048_576)

/**
 * Resolver of did:webvh 1.0 for a service: each version in the DID's log is verified, from the identifier on. As with did:web
 * the DID comes from a caller and its host is not to be trusted, so there are the same limits.
 *
 * `versionId`, `versionTime` or `versionNumber` in the query of a DID URL ask for an earlier version. A DID that has moved to
 * another host is found under the identifier that its log gives it for that version.
 *
 * @throws AgentError `invalid_configuration`
 * @see The did:webvh DID Method v1.0, "Read (Resolve)"
 */
export function getWebvhDidResolver(options: WebvhDidResolverOptions = {}): Record<'webvh', DIDResolver> {
  const limits = parseOptions(Options, options)
  return {
    webvh: async (_, { did, query }) => {
      const place = logPlace(did)
      if (!place) return failed('invalidDid', 'it names no SCID, host and path that the method allows')
      const version = versionAsked(query)
      if (!version) return failed('invalidDidUrl', 'its versionId, versionTime or versionNumber is invalid')
      try {
        const didLog = await fetchLog(place, limits)
        const witnessProofs = didLog.hasWitnesses ? await fetchWitnessProofs(place, limits) : []
        return resolved(did, await verifyLog(didLog, { did, scid: place.scid, witnessProofs, version }))
      } catch (error) {
        log('debug', 'a DID log was not found, or does not verify', {}, error)
        return failed(error instanceof NotVerified ? 'invalidDid' : 'notFound', sentenceAbout(error))
      }
    },
  }
}

async function fetchLog({ log: url }: Place, limits: FetchLimits): Promise<DidLog> {
  const content = await fetchContent(url, 'text/jsonl, application/jsonl, text/plain', limits)
  return parseLog(content)
}

/** A log without the file of its witnesses is one that none of them has approved. */
async function fetchWitnessProofs({ witnesses: url }: Place, limits: FetchLimits) {
  try {
    return parseWitnessProofs(await fetchContent(url, 'application/json', limits))
  } catch (error) {
    if (error instanceof NotThere) return []
    throw error
  }
}

function resolved(did: string, { document, metadata }: VerifiedVersion): DIDResolutionResult {
  const { versionId, created, updated, deactivated } = metadata
  const didDocumentMetadata = { versionId, created, updated, ...(deactivated && { deactivated }) }
  if (document === null) {
    if (!deactivated) return failed('notFound', 'its log has no such version')
    return { didDocument: null, didDocumentMetadata, didResolutionMetadata: {} }
  }
  if (document.id !== did) return failed('notFound', `it has moved, and is now "${document.id}"`)
  requireFittingDocument(document)
  return {
    didDocument: document,
    didDocumentMetadata,
    didResolutionMetadata: {
      contentType: '@context' in document ? 'application/did+ld+json' : 'application/did+json',
    },
  }
}

const failed = (error: string, message: string): DIDResolutionResult => ({
  didDocument: null,
  didDocumentMetadata: {},
  didResolutionMetadata: { error, message },
})

/** The addresses of the files of a DID. */
interface Place {
  /** self-certifying identifier: the hash that the first version of the log must have */
  scid: string
  log: URL
  witnesses: URL
}

/** The SCID is the multihash of a SHA-256 in base58btc; what follows names host and path as did:web does. */
const IDENTIFIER = /^did:webvh:([1-9A-HJ-NP-Za-km-z]{46}):(.+)$/

/**
 * @returns `undefined` if it is not a DID of the method
 * @see The did:webvh DID Method v1.0, "The DID to HTTPS Transformation"
 */
function logPlace(did: string): Place | undefined {
  const [, scid, location] = IDENTIFIER.exec(did) ?? []
  const document = didWebUrl(`did:web:${location}`)
  if (scid === undefined || document === undefined) return undefined
  const besides = (file: string) => new URL(file, document)
  return { scid, log: besides('did.jsonl'), witnesses: besides('did-witness.json') }
}
