import {
  Cache,
  type LinkedResource,
  type LinkedResourceMetadata,
  type StatusListDelivery,
} from '@vidimus/core-types'
import type { ServiceAgent } from '../service-agent.js'

type Version = Pick<LinkedResourceMetadata, 'resourceType' | 'checksum'>

/**
 * Headers of resource versions already served, so that a conditional request is answered without reading the resource
 * again. The same content always has the same headers.
 */
export class DeliveryMemory {
  private readonly deliveries = new Cache<StatusListDelivery>('delivery')

  constructor(private readonly agent: ServiceAgent) {}

  /** @returns `undefined` if the content must be read first */
  recall(version: Version): StatusListDelivery | undefined {
    return this.deliveries.get(contentKey(version))
  }

  async look({ metadata, data }: LinkedResource): Promise<StatusListDelivery> {
    const { resourceType } = metadata
    const knowsLists = this.agent.availableMethods().includes('statusListDelivery')
    const delivery = knowsLists ? await this.agent.statusListDelivery({ resourceType, data }) : null
    this.deliveries.set(contentKey(metadata), delivery ?? {})
    return delivery ?? {}
  }
}

const contentKey = ({ resourceType, checksum }: Version) => `${checksum} ${resourceType}`
