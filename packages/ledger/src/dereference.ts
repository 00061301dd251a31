import { deepFrozen, PAGES, type DidUrlResult, type Network } from '@vidimus/core-types'
import { chosenVersion, fragmentPart, serviceUri, withKeysAs } from './dereference-document.js'
import { DereferenceRefusal, malformed, notFound } from './dereference-refusal.js'
import { chosenResource } from './dereference-resource.js'
import { readTarget, type DereferenceTarget, type VersionChoice } from './dereference-target.js'
import { toDidDocument } from './did-document.js'
import { cheqdDid, parseCheqdDid, parseDidUrl, splitDid, uniqueIdOfKey, type DidUrl } from './identifiers.js'
import type { Ledger } from './ledger.js'
import { resourceHistory, shownResources } from './linked-resources.js'
import { toDidDocumentMetadata, toLinkedResourceMetadata } from './resolver-metadata.js'

export interface DereferenceOptions {
  /** `false`: the metadata of a document leaves its resources out; default: true */
  linkedResourceMetadata?: boolean
}

/** A DID on its ledger. */
interface Place {
  did: string
  id: string
  network: Network
  ledger: Ledger
}

/**
 * Finds the target of a did:cheqd DID URL (DID Core 7.2, cheqd ADR 005): a version of the document, a part of it,
 * metadata, or a DID-Linked Resource. Invalid DID URLs are results, not errors.
 *
 * @param ledgerOf - the ledger of a network, if there is one
 * @throws LedgerError if the ledger cannot be reached
 */
export async function dereference(
  didUrl: string,
  ledgerOf: (network: string) => Ledger | undefined,
  options: DereferenceOptions = {},
): Promise<DidUrlResult> {
  try {
    const url = parseDidUrl(didUrl) ?? refuse(malformed('it is not a DID URL'))
    const place = nameOfPlace(url, ledgerOf)
    const find = () => lead(url, ledgerOf, options)
    return place ? await remembered(didUrl, place, options, find) : await find()
  } catch (error) {
    if (!(error instanceof DereferenceRefusal)) throw error
    return { found: 'nothing', error: error.error, message: error.message }
  }
}

async function lead(
  url: DidUrl,
  ledgerOf: (network: string) => Ledger | undefined,
  options: DereferenceOptions,
): Promise<DidUrlResult> {
  const target = readTarget(url)
  const renamed = presentName(url)
  if (renamed !== undefined) return { found: 'renamed', didUrl: renamed }
  return leadTo(target, locate(url, ledgerOf), options)
}

/** The same object as long as the DID has not changed, if its ledger can tell. */
async function remembered(
  didUrl: string,
  { ledger, id }: Pick<Place, 'ledger' | 'id'>,
  { linkedResourceMetadata = true }: DereferenceOptions,
  find: () => Promise<DidUrlResult>,
): Promise<DidUrlResult> {
  if (!ledger.remember) return find()
  const key = `dereferenced ${linkedResourceMetadata ? 'with' : 'without'} resources ${didUrl}`
  return ledger.remember(id, key, async () => deepFrozen(await find()))
}

/** The target of a DID URL, if it is known before reading more. */
function nameOfPlace(
  { did }: DidUrl,
  ledgerOf: (network: string) => Ledger | undefined,
): Pick<Place, 'ledger' | 'id'> | undefined {
  const parsed = parseCheqdDid(did)
  const ledger = parsed && ledgerOf(parsed.network)
  return ledger && { ledger, id: parsed.id }
}

function locate({ did }: DidUrl, ledgerOf: (network: string) => Ledger | undefined): Place {
  const parsed = parseCheqdDid(did)
  if (!parsed) throw new DereferenceRefusal('invalidDid', 'it is not a DID of did:cheqd')
  const ledger = ledgerOf(parsed.network)
  if (!ledger) throw new DereferenceRefusal('invalidDid', 'its network is unknown')
  return { did: cheqdDid(ledger.network, parsed.id), id: parsed.id, network: ledger.network, ledger }
}

/** DIDs of the first ledger had 16 or 32 characters of base58; they moved to the hash of these. */
function presentName({ did, path, query, fragment }: DidUrl): string | undefined {
  const parts = splitDid(did)
  if (parts?.method !== 'cheqd' || !/^(?:[1-9A-HJ-NP-Za-km-z]{16}){1,2}$/.test(parts.id)) return undefined
  const present = did.slice(0, -parts.id.length) + uniqueIdOfKey(Buffer.from(parts.id))
  return `${present}${path}${query && `?${query}`}${fragment && `#${fragment}`}`
}

function leadTo(target: DereferenceTarget, place: Place, options: DereferenceOptions): Promise<DidUrlResult> {
  switch (target.kind) {
    case 'document':
      return readDocument(target, place, options)
    case 'documentPart':
      return readDocumentPart(target.fragment, place)
    case 'documentMetadata':
      return readDocumentMetadata(target.version, place)
    case 'documentVersions':
      return listDocumentVersions(place, target.after)
    case 'resourceHistory':
      return listResourceHistory(place, target.after)
    case 'service':
      return readService(target, place)
    case 'resource':
    case 'resourceMetadata':
      return readResource(target, place)
  }
}

async function readDocument(
  { version: choice, transformKeys }: DereferenceTarget & { kind: 'document' },
  place: Place,
  { linkedResourceMetadata = true }: DereferenceOptions,
): Promise<DidUrlResult> {
  const version = await chosenVersion(place.did, choice, place.ledger)
  const didDoc = transformKeys ? withKeysAs(transformKeys, version.didDoc) : version.didDoc
  const resources = linkedResourceMetadata ? await shownResources(place, version.until) : {}
  return {
    found: 'document',
    didDocument: toDidDocument(didDoc),
    didDocumentMetadata: toDidDocumentMetadata(version.metadata, resources),
  }
}

async function readDocumentPart(fragment: string, { did, ledger }: Place): Promise<DidUrlResult> {
  const { didDoc, metadata } = await chosenVersion(did, {}, ledger)
  const part = fragmentPart(toDidDocument(didDoc), fragment)
  if (!part) throw notFound('the document has no part with that fragment')
  return { found: 'documentPart', part, didDocumentMetadata: toDidDocumentMetadata(metadata) }
}

async function readDocumentMetadata(choice: VersionChoice, place: Place): Promise<DidUrlResult> {
  const version = await chosenVersion(place.did, choice, place.ledger)
  const resources = await shownResources(place, version.until)
  return {
    found: 'documentMetadata',
    didDocumentMetadata: toDidDocumentMetadata(version.metadata, resources),
  }
}

async function listDocumentVersions({ did, ledger }: Place, after?: string): Promise<DidUrlResult> {
  const page = { limit: PAGES.most + 1, ...(after !== undefined && { after }) }
  const found = await ledger.listDidDocVersions(did, page)
  if (found.length === 0) throw notFound('the DID does not exist on the ledger, or has no later version')
  const versions = found.slice(0, PAGES.most).map((metadata) => toDidDocumentMetadata(metadata))
  const last = found.length > versions.length ? versions.at(-1) : undefined
  return { found: 'documentVersions', versions, ...(last && { next: last.versionId }) }
}

async function listResourceHistory(place: Place, after?: string): Promise<DidUrlResult> {
  const { metadata } = await chosenVersion(place.did, {}, place.ledger)
  const history = await resourceHistory(place, after)
  return { found: 'documentMetadata', didDocumentMetadata: toDidDocumentMetadata(metadata, history) }
}

async function readService(
  { version, service, relativeRef }: DereferenceTarget & { kind: 'service' },
  { did, ledger }: Place,
): Promise<DidUrlResult> {
  const { didDoc } = await chosenVersion(did, version, ledger)
  return { found: 'serviceEndpoint', uri: serviceUri(didDoc, service, relativeRef) }
}

async function readResource(
  { kind, choice }: DereferenceTarget & { kind: 'resource' | 'resourceMetadata' },
  place: Place,
): Promise<DidUrlResult> {
  const metadata = toLinkedResourceMetadata(place.network, await chosenResource(place, choice))
  if (kind === 'resourceMetadata') return { found: kind, metadata }
  return { found: kind, metadata, pinned: choice.id !== undefined }
}

function refuse(refusal: DereferenceRefusal): never {
  throw refusal
}
