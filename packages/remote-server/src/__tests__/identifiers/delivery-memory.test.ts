import { randomBytes, randomUUID } from 'node:crypto'
import type { LinkedResourceMetadata } from '@vidimus/core-types'
import { assertCountsWhatItTakes } from '../../../../../test/support/memory-taken.js'
import { DeliveryMemory } from '../../identifiers/delivery-memory.js'
import type { ServiceAgent } from '../../service-agent.js'

describe('DeliveryMemory', () => {
  it('counts its memory', async () => {
    const delivery = () => ({
      mediaType: 'application/statuslist+jwt',
      ttlMs: 3_600_000,
      validUntil: new Date(1e12 * Math.random()).toISOString(),
    })
    const agent = {
      availableMethods: () => ['statusListDelivery'],
      statusListDelivery: () => Promise.resolve(delivery()),
    } as unknown as ServiceAgent
    const memory = new DeliveryMemory(agent)
    const look = async (amount: number) => {
      for (let n = 0; n < amount; n += 1) {
        const checksum = randomBytes(32).toString('hex')
        const metadata = { resourceType: 'TokenStatusList', checksum, resourceId: randomUUID() }
        await memory.look({ metadata: metadata as unknown as LinkedResourceMetadata, data: '' })
      }
    }
    await look(1)
    await assertCountsWhatItTakes('delivery', { buffers: 0 }, () => look(15_000))
  })
})
