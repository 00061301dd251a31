import assert from 'node:assert/strict'
import { join } from 'node:path'
import { createDid, freshName } from './behaviour/suite.js'
import type { Client } from './support/client.js'
import { freshDatabase, PLACES } from './support/fresh-database.js'
import { ServiceHere } from './support/service-here.js'

const MODULE = join(import.meta.dirname, 'support/interrupted-ledger.ts')

interface List {
  did: string
  statusListName: string
}

for (const place of PLACES) {
  describe(`changes of lists that were acknowledged (${place})`, () => {
    let service: ServiceHere
    let other: ServiceHere
    let client: Client
    /** the same account, in another process */
    let there: Client

    before(async () => {
      const url = await freshDatabase(place)
      const start = () =>
        ServiceHere.start({
          url,
          listen: true,
          configure: (text) =>
            text.replaceAll(
              "'@vidimus/ledger-local#EmbeddedLedger'",
              `'${MODULE}#InterruptedEmbeddedLedger'`,
            ),
        })
      service = await start()
      other = await start()
      client = await service.clientOf('issuer')
      there = await other.clientOf('issuer', false)
    })
    after(async () => {
      await service.stop()
      await other.stop()
    })

    const query = (statusAction: string) => ({ listType: 'BitstringStatusList', statusAction })
    const update = (by: Client, list: List, statusAction: string, more: object = {}) =>
      by.post('/credential-status/update/unencrypted', {
        query: query(statusAction),
        json: { ...list, indices: [5], ...more },
      })
    const isSet = async (list: List, statusPurpose: string, state = 'stored') => {
      const flag = statusPurpose === 'suspension' ? 'suspended' : 'revoked'
      const found = (await client.ok('POST', '/credential-status/check', {
        query: { listType: 'BitstringStatusList', statusPurpose },
        json: { ...list, index: 5, state },
      })) as Record<string, boolean>
      return found[flag]
    }

    it('hold if another process has looked for the list before it was created', async () => {
      const did = await createDid(client)
      const list = { did, statusListName: freshName('list') }
      const missing = await update(there, list, 'suspend')
      assert.equal((missing.body as { code: string }).code, 'list_not_found')
      await client.ok('POST', '/credential-status/create/unencrypted', {
        query: { listType: 'BitstringStatusList', statusPurpose: 'suspension' },
        json: { ...list, publishEvery: 'PT1H' },
      })
      assert.equal((await update(client, list, 'suspend')).status, 200)
      const reinstated = await update(there, list, 'reinstate')
      assert.deepEqual(
        [reinstated.status, (reinstated.body as { published: boolean }).published],
        [200, false],
      )
      await client.ok('POST', '/credential-status/sign', {
        query: { listType: 'BitstringStatusList' },
        json: list,
      })
      assert.equal(await isSet(list, 'suspension', 'published'), false)
    })
  })
}
