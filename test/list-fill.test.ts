import assert from 'node:assert/strict'
import type { AccountEvent } from '@vidimus/core-types'
import { sql } from '@vidimus/database'
import { createDid, createList } from './behaviour/suite.js'
import type { Client } from './support/client.js'
import { emptyInstallation, PLACES } from './support/fresh-database.js'
import { ServiceHere } from './support/service-here.js'

const ENTRIES = 131_072
/** The first count that is at least 90 %. */
const NEARLY_FULL = Math.ceil(ENTRIES * 0.9)
const listType = 'BitstringStatusList'

interface Fill {
  did?: string
  statusListName?: string
  allocated?: number
  entries?: number
}

for (const place of PLACES) {
  describe(`how full lists are, for accounts (${place})`, () => {
    let service: ServiceHere
    let client: Client
    let stranger: Client
    before(async () => {
      service = await ServiceHere.start({ url: await emptyInstallation(place), listen: true })
      client = await service.clientOf('issuer')
      stranger = await service.clientOf('stranger')
    })
    after(() => service.stop())

    const fillOf = ({ allocated, entries }: Fill) => ({ allocated, entries })
    const search = async (by: Client, list: { did: string; statusListName: string }) => {
      const query = { did: list.did, statusListName: list.statusListName, listType }
      return fillOf((await by.ok('GET', '/credential-status/search', { query })) as Fill)
    }
    const listed = async (by: Client, query: Record<string, string>) => {
      const { statusLists } = (await by.ok('GET', '/credential-status/list', { query })) as {
        statusLists: Fill[]
      }
      return statusLists
    }
    const issue = (did: string, statusListName: string, more: object = {}) =>
      client.ok('POST', '/credential/issue', {
        json: {
          issuerDid: did,
          attributes: { name: 'Bob' },
          credentialStatus: { statusListName, ...more },
        },
      })
    /** As if so many of its entries had been given out. */
    const fill = ({ did, statusListName }: { did: string; statusListName: string }, allocated: number) =>
      service.database.write((connection) =>
        connection.run(
          sql`UPDATE "status_list_order" SET "position" = "position" + ${allocated} - "allocated", "allocated" = ${allocated}
            WHERE "list_id" IN (SELECT "id" FROM "status_list" WHERE "did" = ${did} AND "name" = ${statusListName})`,
        ),
      )
    const told = async (by: Client) => {
      const query = { type: 'list.nearly-full' }
      const { events } = (await by.ok('GET', '/account/events', { query })) as { events: AccountEvent[] }
      return events.map(({ subject, data }) => ({ subject, ...data }))
    }

    it('is answered to the account that has the DID, and to nobody else', async () => {
      const list = await createList(client)
      const unused = await createList(client, { did: list.did })
      await issue(list.did, list.statusListName)
      await issue(list.did, list.statusListName, { statusListIndex: 17 })
      const none = { allocated: undefined, entries: undefined }
      assert.deepEqual(await search(client, list), { allocated: 2, entries: ENTRIES })
      assert.deepEqual(await search(client, unused), { allocated: 0, entries: ENTRIES })
      assert.deepEqual(await search(stranger, list), none)
      for (const query of [{ did: list.did }, {}]) {
        const ofDid = (await listed(client, query)).filter(({ did }) => did === list.did)
        assert.deepEqual(
          ofDid.map((one) => [one.statusListName, fillOf(one)]),
          [
            [list.statusListName, { allocated: 2, entries: ENTRIES }],
            [unused.statusListName, { allocated: 0, entries: ENTRIES }],
          ],
        )
      }
      assert.deepEqual((await listed(stranger, { did: list.did })).map(fillOf), [none, none])
    })

    it('counts a list of each purpose by itself', async () => {
      const { did, statusListName } = await createList(client, { listType: 'StatusList2021' })
      await client.ok('POST', '/credential-status/create/unencrypted', {
        query: { listType: 'StatusList2021', statusPurpose: 'suspension' },
        json: { did, statusListName },
      })
      await issue(did, statusListName, { statusPurpose: 'suspension' })
      await issue(did, statusListName, { statusPurpose: ['revocation', 'suspension'] })
      assert.deepEqual(
        (await listed(client, { did })).map(({ allocated }) => allocated),
        [1, 2],
      )
    })

    it('is an event at 90 %, once, whoever allocates the entry that makes it so', async () => {
      const list = await createList(client)
      const { did, statusListName } = list
      await fill(list, NEARLY_FULL - 3)
      await issue(did, statusListName)
      assert.deepEqual(await told(client), [])
      await Promise.all(Array.from({ length: 5 }, () => issue(did, statusListName)))
      const subject = `${did}?resourceName=${statusListName}&resourceType=BitstringStatusListCredential`
      const event = { subject, did, statusListName, list: subject, allocated: NEARLY_FULL, entries: ENTRIES }
      assert.deepEqual(await told(client), [event])
      assert.deepEqual(await told(stranger), [])
      assert.equal((await search(client, list)).allocated, NEARLY_FULL + 3)
    })

    it('is no event for a member of a series, which the next one follows', async () => {
      const did = await createDid(client)
      const series = { did, statusListName: 'staff', series: true }
      await client.ok('POST', '/credential-status/create/unencrypted', {
        query: { listType, statusPurpose: 'revocation' },
        json: series,
      })
      const before = await told(client)
      const first = { did, statusListName: 'staff.1' }
      await issue(did, 'staff')
      await fill(first, NEARLY_FULL)
      await issue(did, 'staff')
      // A ready entry of a member, for a credential that is issued again.
      const entry = {
        type: 'BitstringStatusListEntry',
        statusPurpose: 'revocation',
        statusListIndex: '4711',
        statusListCredential: `${did}?resourceName=staff.1&resourceType=BitstringStatusListCredential`,
      }
      await client.ok('POST', '/agent/statusListAllocateTogether', {
        json: { requests: [], entries: [entry] },
      })
      assert.equal((await search(client, first)).allocated, NEARLY_FULL + 2)
      assert.deepEqual(await told(client), before)
      // Of a list by itself such an entry counts as well.
      const alone = await createList(client)
      await fill(alone, NEARLY_FULL - 1)
      const own = {
        ...entry,
        statusListCredential: entry.statusListCredential
          .replace('staff.1', alone.statusListName)
          .replace(did, alone.did),
      }
      for (const again of [own, own])
        await client.ok('POST', '/agent/statusListAllocateTogether', {
          json: { requests: [], entries: [again] },
        })
      assert.equal((await told(client)).length, before.length + 1)
      assert.equal((await search(client, alone)).allocated, NEARLY_FULL)
    })
  })
}
