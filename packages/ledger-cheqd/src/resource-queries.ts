import {
  QueryCollectionResourcesRequest,
  QueryCollectionResourcesResponse,
  QueryLatestResourceVersionMetadataRequest,
  QueryLatestResourceVersionMetadataResponse,
  QueryResourceMetadataRequest,
  QueryResourceMetadataResponse,
  QueryResourceRequest,
  QueryResourceResponse,
} from '@cheqd/ts-proto/cheqd/resource/v2/query.js'
import { Cache, ownMemory } from '@vidimus/core-types'
import {
  checksumOf,
  LedgerError,
  type FoundResource,
  type ResourceSummary,
  type ResourceQuery,
  type ResourceWithMetadata,
} from '@vidimus/ledger'
import type { ChainState } from './chain-state.js'
import { inOrderOfLinks } from './order-of-versions.js'
import { toResourceSummary } from './proto-encoding.js'

const SERVICE = '/cheqd.resource.v2.Query'
const LATEST = `${SERVICE}/LatestResourceVersionMetadata`

/**
 * DID-Linked Resources on the chain; ids as the ledger keeps them. Content never changes under its id, so that it is
 * fetched once; of a version that another one has followed, the metadata neither.
 */
export class ResourceQueries {
  private readonly known = new Cache<ResourceWithMetadata>('resource')

  constructor(private readonly state: ChainState) {}

  async find(collectionId: string, id: string): Promise<ResourceWithMetadata | undefined> {
    const kept = this.known.get(versionKey({ collectionId, id }))
    if (!kept) return this.fetch(collectionId, id)
    if (kept.metadata.nextVersionId !== '') return kept
    const metadata = await this.findMetadata(collectionId, id)
    return metadata && this.keep({ data: kept.data, metadata })
  }

  async findMetadata(collectionId: string, id: string): Promise<ResourceSummary | undefined> {
    const kept = this.known.get(versionKey({ collectionId, id }))?.metadata
    if (kept && kept.nextVersionId !== '') return kept
    const answer = await this.state.query(
      `${SERVICE}/ResourceMetadata`,
      [QueryResourceMetadataRequest, QueryResourceMetadataResponse],
      { collectionId, id },
    )
    return answer && toResourceSummary(answer.resource)
  }

  async findLatest(
    collectionId: string,
    name: string,
    type: string,
  ): Promise<ResourceWithMetadata | undefined> {
    const metadata = await this.findLatestMetadata(collectionId, name, type)
    if (!metadata) return undefined
    const kept = this.known.get(versionKey({ collectionId, id: metadata.id }))
    return kept ? this.keep({ data: kept.data, metadata }) : this.fetch(collectionId, metadata.id)
  }

  /** One query; several, and every version's metadata, on chains before cheqd-node 4.1. */
  async findLatestMetadata(
    collectionId: string,
    name: string,
    resourceType: string,
  ): Promise<ResourceSummary | undefined> {
    if (!this.state.lacks(LATEST)) {
      const answer = await this.state.query(
        LATEST,
        [QueryLatestResourceVersionMetadataRequest, QueryLatestResourceVersionMetadataResponse],
        { collectionId, name, resourceType },
      )
      if (answer) return toResourceSummary(answer.resource)
      if (!this.state.lacks(LATEST)) return undefined
    }
    const all = await this.list(collectionId)
    return all.findLast((version) => version.name === name && version.resourceType === resourceType)
  }

  async newest(collectionId: string, query: ResourceQuery): Promise<FoundResource[]> {
    const { name, resourceType, version, checksum, before, after, limit } = query
    const newest = new Map<string, ResourceSummary>()
    const versions = new Map<string, number>()
    for (const found of await this.list(collectionId)) {
      versions.set(resourceNameKey(found), (versions.get(resourceNameKey(found)) ?? 0) + 1)
      if (name !== undefined && found.name !== name) continue
      if (resourceType !== undefined && found.resourceType !== resourceType) continue
      if (version !== undefined && found.version !== version) continue
      if (checksum !== undefined && found.checksum !== checksum) continue
      if (before !== undefined && found.created >= before) continue
      if (after !== undefined && byNameAndType(found, after) <= 0) continue
      newest.set(resourceNameKey(found), found)
    }
    const ordered = [...newest.values()].sort(byNameAndType).slice(0, limit)
    return ordered.map((found) => ({ ...found, versions: versions.get(resourceNameKey(found)) ?? 0 }))
  }

  /** Metadata of every version of every resource, oldest first; the chain orders them by their ids. */
  async list(collectionId: string): Promise<ResourceSummary[]> {
    const answer = await this.state.query(
      `${SERVICE}/CollectionResources`,
      [QueryCollectionResourcesRequest, QueryCollectionResourcesResponse],
      { collectionId, pagination: undefined },
    )
    const resources = (answer?.resources ?? []).map(toResourceSummary)
    return inOrderOfLinks(resources, { idOf: ({ id }) => id, timeOf: ({ created }) => created })
  }

  private async fetch(collectionId: string, id: string): Promise<ResourceWithMetadata | undefined> {
    const answer = await this.state.query(
      `${SERVICE}/Resource`,
      [QueryResourceRequest, QueryResourceResponse],
      { collectionId, id },
    )
    if (!answer) return undefined
    const metadata = toResourceSummary(answer.resource?.metadata)
    const data = answer.resource?.resource?.data ?? new Uint8Array()
    if (checksumOf(data) !== metadata.checksum) throw contentDiffers(id)
    return this.keep({ data, metadata })
  }

  private keep(resource: ResourceWithMetadata): ResourceWithMetadata {
    const { data, metadata } = resource
    this.known.set(versionKey(metadata), { metadata, data: ownMemory(data) })
    return resource
  }
}

const versionKey = ({ collectionId, id }: Pick<ResourceSummary, 'collectionId' | 'id'>) =>
  `${collectionId}/${id}`

const contentDiffers = (id: string): LedgerError =>
  new LedgerError(`the content of the resource ${id} from the node does not match its checksum`, {
    codespace: 'resource',
    code: 2500,
    phase: 'query',
  })

type Named = Pick<ResourceSummary, 'name' | 'resourceType'>

const resourceNameKey = ({ name, resourceType }: Named) => JSON.stringify([name, resourceType])

/** By bytes, as databases compare text here. */
const byNameAndType = (one: Named, other: Named): number =>
  Buffer.compare(Buffer.from(one.name), Buffer.from(other.name)) ||
  Buffer.compare(Buffer.from(one.resourceType), Buffer.from(other.resourceType))
