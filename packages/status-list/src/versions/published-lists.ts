import {
  Cache,
  isAgentError,
  ownMemory,
  whoeverWaits,
  type DIDHolding,
  type LinkedResource,
  type LinkedResourceMetadata,
  type StatusListLayout,
  type StatusListLocation,
  type StatusListType,
} from '@vidimus/core-types'
import type { ReadingContext } from '../agent-context.js'
import {
  decodedList,
  signingFacts,
  type DecodedList,
  type DocumentedList,
  type PublishedList,
} from './decoded-list.js'
import { securingFailure, type SecuringFailure } from './envelope-verification.js'
import { ListCiphers } from '../encryption/list-cipher.js'
import { documentContent, ListDocuments } from './list-documents.js'
import { ListCounts } from '../measurements.js'
import { outdatedBecause } from './version-order.js'

export interface PublishedListsLimits {
  /** of one decoded list */
  maxDecodedBytes: number
}

interface CachedList {
  /** the version: the same content may be published a second time, where it is not allowed */
  resourceId: string
  checksum: string
  /** of the publisher's DID document, under which what secures the list was verified */
  publisher: string | undefined
  list: DecodedList
}

/** The newest versions of one name, and the version of the publisher's DID document under which they are verified. */
export interface NewestVersions {
  resources: readonly LinkedResourceMetadata[]
  /** `undefined` if nothing that was verified before can be trusted: deactivated, or not asked for */
  publisher: string | undefined
}

/** @param types - whose lists are asked for; those of some are secured by keys of the publisher */
export async function newestVersions(
  { did, statusListName }: Omit<StatusListLocation, 'resourceType'>,
  resourceTypes: readonly string[],
  types: readonly StatusListType[],
  { agent, holding }: ReadingContext,
): Promise<NewestVersions> {
  const held = holding?.did === did ? holding : undefined
  const { resources, documentVersion } = await agent.linkedResourceFindLatest({
    did,
    resourceName: statusListName,
    resourceTypes: [...resourceTypes],
    documentVersion: !held && types.some((type) => type.securingOf !== undefined),
  })
  return { resources, publisher: held ? heldVersion(held) : (documentVersion ?? undefined) }
}

/** Of a publisher's DID document, under which a list that is signed as the holding is verified. */
export const heldVersion = ({ version, document }: DIDHolding): string => version ?? JSON.stringify(document)

/** Versions of a list that are looked at for one that may be believed. */
const LOOK_BACK = 100

/**
 * The newest versions of published lists. A list is inflated and verified once for each content and each version of its
 * publisher's DID document: later reads ask for the metadata of the newest version and for the version of the document,
 * and find the bits by these.
 */
export class PublishedLists {
  private readonly cache = new Cache<CachedList>('list')
  private readonly documents: ListDocuments
  private readonly decoding = new Map<string, Promise<DecodedList>>()

  /** @param ciphers - of encrypted lists; absent: they stay locked */
  constructor(
    private readonly limits: PublishedListsLimits,
    readonly ciphers = new ListCiphers(),
    readonly counts = new ListCounts(),
  ) {
    this.documents = new ListDocuments(counts)
  }

  /**
   * @returns `null` if there is no such resource
   * @throws AgentError `malformed_list`, and any error of reading the resource
   */
  async read(
    type: StatusListType,
    location: StatusListLocation,
    context: ReadingContext,
  ): Promise<PublishedList | null> {
    const newest = await newestVersions(location, [location.resourceType], [type], context)
    return this.readNewest(type, location, newest, context)
  }

  /** As {@link read}, where the newest versions are known already. */
  async readNewest(
    type: StatusListType,
    location: StatusListLocation,
    { resources, publisher }: NewestVersions,
    context: ReadingContext,
  ): Promise<PublishedList | null> {
    const metadata = resources.find(({ resourceType }) => resourceType === location.resourceType)
    if (!metadata) return null
    const cached = this.cache.get(listKey(type, location))
    const isCached =
      cached !== undefined && isSameVersion(metadata, cached) && isVerifiedUnder(cached, publisher)
    this.counts.looked('list', isCached)
    if (isCached) return { metadata, list: cached.list }
    const resource = await context.agent.linkedResourceGetLatest(listResourceName(location))
    if (!resource) return null
    const list = await this.decodeOnce(type, location, resource, publisher, context)
    return { metadata: resource.metadata, list }
  }

  /**
   * A version that was read, with its document.
   *
   * @throws AgentError as {@link ListDocuments.of} does
   */
  async documented<Published extends PublishedList>(
    type: StatusListType,
    published: Published,
    context: ReadingContext,
  ): Promise<Published & DocumentedList> {
    return { ...published, doc: await this.documents.of(type, published.metadata, context) }
  }

  /**
   * Any version of a list, by its id. It is not cached, as others will request the newest one.
   *
   * @returns `null` if there is no such version
   * @throws AgentError as {@link read} does
   */
  async version(
    type: StatusListType,
    location: StatusListLocation,
    resourceId: string,
    context: ReadingContext,
  ): Promise<(DocumentedList & { list: DecodedList }) | null> {
    const resource = await context.agent.linkedResourceGet({ did: location.did, resourceId })
    if (!resource) return null
    const doc = type.parse(documentContent(resource))
    const list = await this.verified(type, location, doc, context)
    return { metadata: resource.metadata, list, doc }
  }

  /**
   * The newest version before an outdated one: the list continues from it, as if the outdated one did not exist.
   *
   * @returns `undefined` if none of the last {@link LOOK_BACK} versions can be trusted
   */
  async before(
    type: StatusListType,
    { metadata, location }: PublishedList & { location: StatusListLocation },
    context: ReadingContext,
  ): Promise<(DocumentedList & { list: DecodedList }) | undefined> {
    let id = metadata.previousVersionId
    for (let looked = 0; id !== null && looked < LOOK_BACK; looked++) {
      const found = await this.version(type, location, id, context)
      if (!found) return undefined
      const failure =
        found.list.failure ?? (await this.outdated(type, location, found.doc, found.metadata, context))
      if (!failure) return found
      id = found.metadata.previousVersionId
    }
    return undefined
  }

  /**
   * Takes over what was just published, so that the next read need not decode it, nor the next update parse it.
   *
   * @param publisher - the version of its DID document, read before the list was signed
   */
  remember(
    type: StatusListType,
    location: StatusListLocation,
    { metadata, list, doc }: DocumentedList & { list: DecodedList },
    publisher: string | undefined,
  ): void {
    this.keep(type, location, metadata, publisher, list)
    this.documents.remember(type, metadata, doc)
  }

  /** Callers that find a new version at the same time share one decoding. */
  private decodeOnce(
    type: StatusListType,
    location: StatusListLocation,
    resource: LinkedResource,
    publisher: string | undefined,
    context: ReadingContext,
  ): Promise<DecodedList> {
    const { resourceId, checksum } = resource.metadata
    const key = JSON.stringify([listKey(type, location), resourceId, checksum, publisher])
    const running = this.decoding.get(key)
    if (running) return running
    const decode = () => this.decode(type, location, resource, publisher, context)
    const started = whoeverWaits(decode).finally(() => this.decoding.delete(key))
    this.decoding.set(key, started)
    return started
  }

  private async decode(
    type: StatusListType,
    location: StatusListLocation,
    resource: LinkedResource,
    publisher: string | undefined,
    context: ReadingContext,
  ): Promise<DecodedList> {
    const { metadata } = resource
    const doc = type.parse(documentContent(resource))
    const list = await this.verified(type, location, doc, context)
    // what does not verify is looked at again each time: the publisher's keys may change
    if (list.failure) return list
    const failure = await this.outdated(type, location, doc, metadata, context)
    if (failure) return { ...list, failure }
    this.keep(type, location, metadata, publisher, list)
    return list
  }

  private keep(
    type: StatusListType,
    location: StatusListLocation,
    { resourceId, checksum }: LinkedResourceMetadata,
    publisher: string | undefined,
    list: DecodedList,
  ): void {
    const kept = { ...list, bits: ownMemory(list.bits) }
    this.cache.set(listKey(type, location), { resourceId, checksum, publisher, list: kept })
  }

  private async outdated(
    type: StatusListType,
    location: StatusListLocation,
    doc: unknown,
    metadata: LinkedResourceMetadata,
    context: ReadingContext,
  ): Promise<SecuringFailure | undefined> {
    const securing = type.securingOf?.(doc)
    const cached = this.cache.peek(listKey(type, location))
    const before = cached?.resourceId === metadata.previousVersionId ? cached.list.signedAt : undefined
    return securing && outdatedBecause(type, securing, metadata, context, before)
  }

  private async verified(
    type: StatusListType,
    location: StatusListLocation,
    doc: unknown,
    context: ReadingContext,
  ): Promise<DecodedList> {
    const securing = type.securingOf?.(doc)
    const failure = securing && (await securingFailure(securing, location, context))
    const list = await this.decodeCopy(type, location, doc)
    return failure ? { ...list, failure } : list
  }

  /** The content of a document that others keep; what secures it is not verified here. */
  async decodeCopy(type: StatusListType, location: StatusListLocation, doc: unknown): Promise<DecodedList> {
    const layout = type.describe(doc)
    return layout.encrypted
      ? this.decrypt(type, location, doc, layout)
      : decodedList(type, doc, await type.unpack(doc, this.limits.maxDecodedBytes))
  }

  private async decrypt(
    type: StatusListType,
    location: StatusListLocation,
    doc: unknown,
    layout: StatusListLayout,
  ): Promise<DecodedList> {
    const cipher = type.encryptable ? await this.ciphers.find(location) : undefined
    try {
      if (cipher) return decodedList(type, doc, await type.unpack(doc, this.limits.maxDecodedBytes, cipher))
    } catch (error) {
      // encrypted in another way than that of the cipher
      if (!isAgentError(error) || error.code !== 'list_encrypted') throw error
    }
    const locked = this.ciphers.lockedBecause(location.statusListName)
    return {
      layout,
      bits: new Uint8Array(),
      entries: 0,
      bytes: 0,
      least: type.minLength,
      ...signingFacts(type, doc),
      locked,
    }
  }
}

const isSameVersion = ({ resourceId, checksum }: LinkedResourceMetadata, cached: CachedList): boolean =>
  cached.resourceId === resourceId && cached.checksum === checksum

const isVerifiedUnder = ({ list, publisher }: CachedList, now: string | undefined): boolean =>
  !list.secured || (now !== undefined && publisher === now)

/** How a location is named among DID-Linked Resources. */
export const listResourceName = ({ did, statusListName, resourceType }: StatusListLocation) => ({
  did,
  resourceName: statusListName,
  resourceType,
})

const listKey = (
  { type }: StatusListType,
  { did, statusListName, resourceType }: StatusListLocation,
): string => JSON.stringify([type, did, statusListName, resourceType])
