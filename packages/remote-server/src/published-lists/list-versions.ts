import {
  Cache,
  listUrl,
  ownMemory,
  type LinkedResourceMetadata,
  type StatusListLocation,
} from '@vidimus/core-types'
import { DeliveryMemory } from '../identifiers/delivery-memory.js'
import type { ServiceAgent, ServiceMethod } from '../service-agent.js'
import { preparedBody, type ListRepresentation, type ListVersion } from './prepared-list.js'

/** The agent methods required to serve lists at their https addresses. */
export const LIST_METHODS: readonly ServiceMethod[] = [
  'statusListLocate',
  'statusListForms',
  'statusListDelivery',
  'statusListAggregation',
  'linkedResourceGet',
  'linkedResourceGetLatestMetadata',
  'didUrlDereference',
]

/** List versions for verifiers; prepared ones are cached. */
export class ListVersions {
  private readonly mediaTypes = new Cache<readonly string[]>('delivery')
  private readonly bodies = new Cache<Buffer>('published')
  private readonly deliveries: DeliveryMemory

  constructor(private readonly agent: ServiceAgent) {
    this.deliveries = new DeliveryMemory(agent)
  }

  /** The current version, or the one at a time; `undefined` if there is none. */
  async find(location: StatusListLocation, time?: Date): Promise<ListVersion | undefined> {
    const metadata = await (time ? this.metadataAt(location, time) : this.newestMetadata(location))
    return metadata ? this.version(location.did, metadata) : undefined
  }

  /** One version; `undefined` if its content is not stored, or is not a list. */
  async version(did: string, metadata: LinkedResourceMetadata): Promise<ListVersion | undefined> {
    const mediaTypes = this.mediaTypes.get(metadata.resourceId)
    const delivery = mediaTypes && this.deliveries.recall(metadata)
    if (mediaTypes && delivery) return { metadata, delivery, mediaTypes }
    const resource = await this.agent.linkedResourceGet({ did, resourceId: metadata.resourceId })
    if (!resource) return undefined
    const { resourceType } = metadata
    const { forms } = await this.agent.statusListForms({ resourceType, data: resource.data })
    const found = forms.map(({ mediaType }) => mediaType)
    // only lists have an address here
    if (found.length === 0) return undefined
    this.mediaTypes.set(metadata.resourceId, found)
    return { metadata, delivery: await this.deliveries.look(resource), mediaTypes: found }
  }

  /** @returns `undefined` if the content is not stored */
  async body(
    { did, resourceType }: StatusListLocation,
    { metadata: { resourceId } }: ListVersion,
    representation: ListRepresentation,
  ): Promise<Buffer | undefined> {
    const { mediaType, gzipped } = representation
    const key = `${resourceId} ${mediaType} ${gzipped ? 'gzip' : ''}`
    const known = this.bodies.get(key)
    if (known) return known
    const resource = await this.agent.linkedResourceGet({ did, resourceId })
    if (!resource) return undefined
    const { forms } = await this.agent.statusListForms({ resourceType, data: resource.data })
    const form = forms.find((one) => one.mediaType === mediaType)
    if (!form) return undefined
    const body = await preparedBody(Buffer.from(form.data, 'base64url'), representation)
    this.bodies.set(key, Buffer.from(ownMemory(body).buffer as ArrayBuffer))
    return body
  }

  private newestMetadata({
    did,
    statusListName,
    resourceType,
  }: StatusListLocation): Promise<LinkedResourceMetadata | null> {
    return this.agent.linkedResourceGetLatestMetadata({ did, resourceName: statusListName, resourceType })
  }

  private async metadataAt(
    location: StatusListLocation,
    time: Date,
  ): Promise<LinkedResourceMetadata | undefined> {
    const didUrl = `${listUrl(location)}&resourceVersionTime=${encodeURIComponent(time.toISOString())}`
    const result = await this.agent.didUrlDereference({ didUrl })
    return result.found === 'resource' ? result.metadata : undefined
  }
}
