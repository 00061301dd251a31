import assert from 'node:assert/strict'
import { cheqdTrials } from './behaviour/cheqd-trials.js'
import { createList } from './behaviour/suite.js'
import { CheqdSetup } from './support/cheqd-setup.js'
import { Client } from './support/client.js'
import { Service } from './support/service.js'

/** As on a chain of one's own. */
const BLOCK_MS = 700

cheqdTrials(BLOCK_MS)

describe('a thousand concurrent updates on a cheqd network', () => {
  let networks: CheqdSetup
  let service: Service
  before(async () => {
    networks = await CheqdSetup.start({}, BLOCK_MS)
    const { configure, environment } = networks
    service = await Service.start({
      // All of them are of one account, which has a quarter.
      configure: (text) => configure(text).replace('concurrentRequests: 1000', 'concurrentRequests: 4000'),
      environment,
    })
  })
  after(async () => {
    await service.stop()
    await networks.stop()
  })

  for (const lists of [1, 8]) {
    it(`of ${lists} lists result in few versions, in a few transactions`, async () => {
      const client = await Client.of(service.url, service.apiKey)
      const named: Awaited<ReturnType<typeof createList>>[] = []
      for (let n = 0; n < lists; n++) named.push(await createList(client))
      const { chain } = networks.nodes.testnet
      const before = chain.transactions.length
      const height = chain.height
      const query = { listType: 'BitstringStatusList', statusAction: 'revoke' }
      await Promise.all(
        Array.from({ length: 1000 }, (_, n) =>
          client.ok('POST', '/credential-status/update/unencrypted', {
            query,
            json: { ...named[n % lists], indices: [n] },
          }),
        ),
      )
      const sent = chain.transactions.length - before
      // One is under way at a time; on a busy machine more blocks are made meanwhile.
      assert.ok(sent <= Math.max(5, chain.height - height), `${sent} transactions`)
      assert.deepEqual(chain.sentTwice, [])
    })
  }
})
