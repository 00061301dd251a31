import {
  Cache,
  type LinkedResource,
  type LinkedResourceMetadata,
  type StatusListDelivery,
} from '@vidimus/core-types'
import type { ServiceAgent } from '../service-agent.js'

type Version = Pick<LinkedResourceMetadata, 'resourceType' | 'checksum'>

/**
 * How versions of resources are handed out, so that a client that has a version already is answered without reading it
 * again. The same content is handed out in the same way for ever.
 */
export class DeliveryMemory {
  private readonly deliveries = new Cache<StatusListDelivery>('delivery')

  constructor(private readonly agent: ServiceAgent) {}

  /** @returns `undefined` where the content must be looked at first */
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
