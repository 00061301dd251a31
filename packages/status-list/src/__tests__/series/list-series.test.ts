import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type {
  AccountEventSink,
  IStatusListRenewals,
  IStatusListSeries,
  NewAccountEvent,
  StatusListAllocation,
  StatusListCreateArgs,
} from '@vidimus/core-types'
import { AgentError } from '@vidimus/core-types'
import { sql } from '@vidimus/database'
import { PLACES } from '../../../../../test/support/fresh-database.js'
import { until } from '../../../../../test/support/until.js'
import { SharedFolder, SHORT, type CredentialsAgent } from '../credentials-set-up.js'
import { refused } from '../refused.js'
import type { DidKey } from '../test-agent.js'

const listType = 'BitstringStatusList'
const resourceType = 'BitstringStatusListCredential'
const NAME = { statusListName: 'staff' }

/** Notes the events of all accounts. */
function eventSink(): AccountEventSink & { told: NewAccountEvent[] } {
  const told: NewAccountEvent[] = []
  const outcome = { didNotHappen: () => undefined, mayHaveHappened: () => undefined }
  return {
    told,
    announce: (event) => Promise.resolve({ ...outcome, happened: () => void told.push(event) }),
  }
}

for (const place of PLACES) {
  describe(`a series of lists (${place})`, () => {
    let folder: SharedFolder
    let test: CredentialsAgent
    let key: DidKey
    let did: string
    let now: Date
    let events: ReturnType<typeof eventSink>
    const clock = () => now
    const agent = (options: object = {}, ledger?: CredentialsAgent['ledger']) =>
      folder.agent({ events, ...options }, { clock, ...(ledger && { ledger }) })

    beforeEach(async () => {
      now = new Date()
      events = eventSink()
      folder = await SharedFolder.create(place)
      test = await agent()
      key = await test.createDid()
      did = key.did
    })
    afterEach(async () => {
      await test.plugin.lifecycle.stop?.()
      await folder.remove()
    })

    const create = (more: Partial<StatusListCreateArgs> = {}, by = test) =>
      by.scoped((one) =>
        one.statusListCreate({
          did,
          ...NAME,
          listType,
          statusPurpose: 'revocation',
          length: SHORT,
          series: true,
          ...more,
        }),
      )
    const allocate = (expiresAt?: string, by = test, more: object = {}): Promise<StatusListAllocation> =>
      by.scoped((one) =>
        one.statusListAllocate({
          did,
          ...NAME,
          ...(expiresAt !== undefined && { register: { id: `urn:x:${Math.random()}`, expiresAt } }),
          ...more,
        }),
      )
    const times = <T>(count: number, work: () => Promise<T>) =>
      Promise.all(Array.from({ length: count }, work))
    const places = (given: readonly StatusListAllocation[]) =>
      given.map(({ statusListName, index }) => `${statusListName} ${index}`)
    const published = (statusListName: string) =>
      test.ledger.history({ did, resourceName: statusListName, resourceType }).length
    const members = async (by = test) =>
      by.scoped((one) => (one as unknown as IStatusListSeries).statusListMembers({ did, ...NAME }))
    const states = async () =>
      (await members()).members.map(({ statusListName, state }) => `${statusListName} ${state}`)

    it('never fills up, in two processes, and gives out each index of a published member once', async () => {
      const created = await create()
      assert.deepEqual(created.series, { name: 'staff', length: SHORT, members: 1 })
      assert.equal(created.resourceMetadata.resourceName, 'staff.1')
      const other = await agent({}, test.ledger)
      await other.importDid(key)
      const given = (
        await Promise.all([times(SHORT, () => allocate()), times(SHORT, () => allocate(undefined, other))])
      ).flat()
      const all = places(given)
      assert.equal(new Set(all).size, SHORT * 2)
      const used = [...new Set(given.map(({ statusListName }) => statusListName))].sort()
      assert.deepEqual(used, ['staff.1', 'staff.2'])
      for (const name of used) assert.equal(published(name), 1, name)
      await other.plugin.lifecycle.stop?.()
      const first = given.filter(({ statusListName }) => statusListName === 'staff.1')
      assert.notDeepEqual(
        first.slice(0, 6).map(({ index }) => index),
        [0, 1, 2, 3, 4, 5],
      )
    })

    it('is as it was created at last, though a process saw it before an earlier creation was undone', async () => {
      const other = await agent({}, test.ledger)
      await other.importDid(key)
      const look = () =>
        other.scoped((one) =>
          one.statusListUpdate({ did, ...NAME, listType, statusAction: 'revoke', indices: [1] }),
        )
      test.ledger.beforeCommit = async () => {
        await assert.rejects(look(), /is a series/)
        throw new AgentError('ledger_rule', 'full')
      }
      await refused(() => create(), { code: 'ledger_rule' })
      test.ledger.beforeCommit = () => Promise.resolve()
      await create({ period: 'P1Y' })
      const members = [
        await allocate('2030-01-15T00:00:00Z', other),
        await allocate('2040-01-15T00:00:00Z', other),
      ]
      assert.deepEqual(
        members.map(({ statusListName }) => statusListName),
        ['staff.1', 'staff.2'],
      )
      await other.plugin.lifecycle.stop?.()
    })

    it('publishes the next member before it is needed', async () => {
      await create()
      await times(SHORT / 2, () => allocate())
      assert.equal(published('staff.2'), 0)
      await times(SHORT / 4, () => allocate())
      await until(() => published('staff.2') === 1)
      await until(async () => (await states()).join() === 'staff.2 ready,staff.1 open')
      await times(SHORT / 4, () => allocate())
      assert.equal((await allocate()).statusListName, 'staff.2')
      assert.deepEqual(await states(), ['staff.2 open', 'staff.1 full'])
    })

    it('groups credentials by their expiry, and those without one', async () => {
      await create({ period: 'P3M' })
      const [one, two, three, four] = [
        await allocate('2030-01-15T00:00:00Z'),
        await allocate('2030-03-31T00:00:00Z'),
        await allocate('2030-04-01T00:00:00Z'),
        await allocate(),
      ].map(({ statusListName }) => statusListName)
      assert.equal(one, two)
      assert.equal(new Set([one, three, four]).size, 3)
      const shown = (await members()).members.filter(({ state }) => state === 'open')
      assert.deepEqual(
        new Set(shown.map(({ expireBefore }) => expireBefore)),
        new Set(['2030-04-01T00:00:00.000Z', '2030-07-01T00:00:00.000Z', undefined]),
      )
    })

    it('publishes a member ahead again after requests had to wait for one', async () => {
      await create({ period: 'P1Y' })
      const given = await Promise.all([2100, 2101, 2102].map((year) => allocate(`${year}-06-01T00:00:00Z`)))
      assert.equal(new Set(given.map(({ statusListName }) => statusListName)).size, 3)
      await allocate('2102-06-01T00:00:00Z')
      await until(async () => (await states())[0] === 'staff.4 ready')
    })

    it('closes a member once all of its credentials have expired, which stays as it is', async () => {
      await create({ period: 'P1M' })
      const soon = new Date(now.getTime() + 3_600_000).toISOString()
      const { statusListName, index } = await allocate(soon)
      now = new Date(now.getTime() + 70 * 86_400_000)
      await (test.agent as unknown as IStatusListRenewals).statusListRenew({})
      await until(async () => (await states()).includes(`${statusListName} closed`))
      const update = { did, statusListName, listType, statusAction: 'revoke', indices: [index] }
      await test.scoped((one) => one.statusListUpdate(update))
      const check = { did, statusListName, listType, statusPurpose: 'revocation', index }
      assert.equal((await test.scoped((one) => one.statusListCheck(check))).revoked, true)
    })

    it('finishes the member that another process left behind', async () => {
      await create()
      const dying = await agent({ nextMemberAt: 0 }, test.ledger)
      await dying.importDid(key)
      test.ledger.beforeCommit = () => Promise.reject(new AgentError('ledger_unavailable', 'away'))
      await allocate(undefined, dying)
      const blocked = () => events.told.filter(({ type }) => type === 'list.series-blocked').length
      await until(() => blocked() === 1)
      await dying.plugin.lifecycle.stop?.()
      assert.equal(blocked(), 1)
      assert.equal(published('staff.2'), 0)
      test.ledger.beforeCommit = () => Promise.resolve()
      await times(SHORT, () => allocate())
      assert.equal((await allocate()).statusListName, 'staff.2')
      assert.equal(published('staff.2'), 1)
    })

    it('completes in the background what a process left behind that was killed while a request waited', async () => {
      await create()
      await times(SHORT / 2, () => allocate())
      const dying = await agent({ nextMemberAt: 1 }, test.ledger)
      await dying.importDid(key)
      let hasBegun = false
      test.ledger.beforeCommit = () => {
        hasBegun = true
        return new Promise(() => undefined)
      }
      void times(SHORT / 2 + 1, () => allocate(undefined, dying)).catch(() => undefined)
      await until(() => hasBegun)
      test.ledger.beforeCommit = () => Promise.resolve()
      await folder.run(sql`UPDATE work_item SET holder = ${randomUUID()} WHERE kind = 'series'`)
      await (test.agent as unknown as IStatusListRenewals).statusListRenew({})
      await until(() => published('staff.2') === 1)
      await until(async () => (await states()).join() === 'staff.2 ready,staff.1 full')
    })

    it('has no list made by a process that was frozen while another has published the member', async () => {
      await create({ period: 'P1Y' })
      await allocate('2100-01-01T00:00:00Z')
      await until(async () => (await states())[0] === 'staff.2 ready')
      const outcomes: string[] = []
      let wake = (): void => undefined
      const frozen = new Promise<void>((resolve) => (wake = resolve))
      test.ledger.beforeCommit = async (args) => {
        test.ledger.beforeCommit = () => Promise.resolve()
        await frozen
        const version = { kind: 'resource', did, versionId: '1' } as const
        for (const record of args.records ?? assert.fail()) {
          await folder
            .write((connection) => record.made(connection, version))
            .catch((error: unknown) => {
              outcomes.push((error as Error).message)
              throw error
            })
        }
      }
      const other = await agent({}, test.ledger)
      await other.importDid(key)
      // The second takes the ready one, so a third is begun.
      const first = allocate('2101-01-01T00:00:00Z')
      await until(async () => (await states())[0] === 'staff.2 open')
      await first
      await until(() => test.ledger.calls.create > 2)
      await folder.run(sql`UPDATE work_item SET fence = fence + 1, holder = NULL WHERE kind = 'series'`)
      assert.equal((await allocate('2102-01-01T00:00:00Z', other)).statusListName, 'staff.3')
      wake()
      await until(() => outcomes.length > 0)
      assert.match(outcomes.join(), /another process has taken over this work/)
      assert.equal(published('staff.3'), 1)
      await other.plugin.lifecycle.stop?.()
    })

    it('refuses before anything is given out if no member can be made', async () => {
      await create({}, test)
      test.ledger.beforeCommit = () =>
        Promise.reject(new AgentError('quota_exceeded', 'quota.statusLists: full'))
      await times(SHORT, () => allocate())
      await refused(() => allocate(), {
        code: 'quota_exceeded',
        path: 'statusListName',
        says: /"staff" needs another member, which cannot be created: quota\.statusLists/,
      })
      test.ledger.beforeCommit = () => Promise.resolve()
      assert.equal((await allocate()).statusListName, 'staff.2')
    })

    it('passes over a number whose list exists already', async () => {
      await create({ statusListName: 'staff.2', series: false })
      await create()
      assert.deepEqual(
        new Set((await times(SHORT + 1, () => allocate())).map((one) => one.statusListName)),
        new Set(['staff.1', 'staff.3']),
      )
      assert.deepEqual(await states(), ['staff.3 open', 'staff.1 full'])
    })

    // What follows does not depend on the database.
    if (place !== 'SQLite') return

    it('keeps its name and those of its members', async () => {
      await create()
      for (const statusListName of ['staff.1', 'staff.7']) {
        await refused(() => create({ statusListName, series: false }), {
          code: 'invalid_input',
          path: 'statusListName',
          says: /member of the series "staff"/,
        })
      }
      await refused(() => create({ series: false }), { code: 'list_exists' })
      await refused(() => create(), { code: 'list_exists' })
      await create({ statusListName: 'plain', series: false })
      await refused(() => create({ statusListName: 'plain' }), { code: 'list_exists' })
    })

    it('is named by members where one list is meant', async () => {
      await create()
      const { index } = await allocate()
      const list = { did, ...NAME, listType }
      const says = /"staff" is a series; name one of its members: staff\.1/
      const refusal = { code: 'invalid_input', path: 'statusListName', says }
      await refused(
        () =>
          test.scoped((one) => one.statusListUpdate({ ...list, statusAction: 'revoke', indices: [index] })),
        refusal,
      )
      await refused(
        () => test.scoped((one) => one.statusListCheck({ ...list, statusPurpose: 'revocation', index })),
        refusal,
      )
      await refused(() => test.scoped((one) => one.statusListSign(list)), refusal)
      await refused(() => allocate(undefined, test, { statusListName: 'staff.1' }), {
        code: 'invalid_input',
        path: 'statusListName',
        says: /name the series/,
      })
      await refused(() => allocate(undefined, test, { statusListIndex: 3 }), {
        code: 'invalid_input',
        path: 'statusListIndex',
      })
      const search = await test.scoped((one) => one.statusListSearch(list))
      assert.deepEqual(
        [search.series?.name, search.member?.state, search.resourceMetadata.resourceName],
        ['staff', 'open', 'staff.1'],
      )
      const member = await test.scoped((one) => one.statusListSearch({ ...list, statusListName: 'staff.1' }))
      assert.equal(member.member?.series, 'staff')
    })

    it('shows others nothing but its published lists', async () => {
      await create()
      const stranger = await agent({}, test.ledger)
      const list = { did, ...NAME, listType }
      await refused(() => stranger.scoped((one) => one.statusListSearch(list)), { code: 'list_not_found' })
      await refused(
        () =>
          stranger.scoped((one) => one.statusListCheck({ ...list, statusPurpose: 'revocation', index: 1 })),
        { code: 'list_not_found' },
      )
      const { member } = await stranger.scoped((one) =>
        one.statusListSearch({ ...list, statusListName: 'staff.1' }),
      )
      assert.equal(member, undefined)
      await refused(() => members(stranger), { code: 'did_not_found' })
    })

    it('gives one credential an index of several series at once', async () => {
      await create({ listType: 'StatusList2021' })
      await create({ listType: 'StatusList2021', statusPurpose: 'suspension' })
      const request = { did, ...NAME, statusPurpose: ['revocation', 'suspension'] }
      const given: string[] = []
      for (let n = 0; n < SHORT + 5; n++) {
        const { allocations } = await test.scoped((one) =>
          one.statusListAllocateTogether({ requests: [request], entries: [] }),
        )
        given.push(...places(allocations))
      }
      assert.equal(new Set(given).size, SHORT + 5)
    })

    for (const [what, more, path] of [
      ['initial entries', { encodedList: 'AAAA' }, 'encodedList'],
      ['other addresses', { alsoKnownAs: [{ uri: 'https://example.com', description: 'x' }] }, 'alsoKnownAs'],
      ['a name without room for numbers', { statusListName: 'x'.repeat(55) }, 'statusListName'],
      ['a period of an hour', { period: 'PT1H' }, 'period'],
      ['a length of no list', { length: 7 }, 'length'],
      ['a period without a series', { series: false, period: 'P3M' }, 'period'],
    ] as const) {
      it(`is not created with ${what}`, async () => {
        await refused(() => create({ ...more } as Partial<StatusListCreateArgs>), {
          code: 'invalid_input',
          path,
        })
        await refused(() => members(), { code: 'list_not_found' })
      })
    }
  })
}
