import assert from 'node:assert/strict'
import {
  asDid,
  asListName,
  AgentError,
  hashListId,
  type IStatusListDelivery,
  type StatusListAllocateArgs,
} from '@vidimus/core-types'
import { PLACES } from '../../../../../test/support/fresh-database.js'
import { BitstringStatusList } from '../../types/bitstring-status-list.js'
import { TokenStatusList } from '../../types/token-status-list.js'
import { listUrl } from '../../types/list-url.js'
import {
  SharedFolder,
  Short2021,
  SHORT,
  ShortBitstring,
  type CredentialsAgent,
} from '../credentials-set-up.js'
import { refused } from '../refused.js'
import { createTestAgent, newKey, setKey, type DidKey } from '../test-agent.js'

const TYPE = 'BitstringStatusList'
const NAME = { statusListName: asListName('members') }

for (const place of PLACES) {
  describe(`allocating an index (${place})`, () => {
    let folder: SharedFolder
    let test: CredentialsAgent
    let key: DidKey
    let did: string
    beforeEach(async () => {
      folder = await SharedFolder.create(place)
      test = await folder.agent()
      key = await test.createDid()
      did = key.did
    })
    afterEach(() => folder.remove())

    const create = (statusPurpose: string | string[] = 'revocation', listType = TYPE, length = SHORT) =>
      test.scoped((agent) => agent.statusListCreate({ did, ...NAME, listType, statusPurpose, length }))
    const update = (statusAction: string, indices: number[], listType = TYPE) =>
      test.scoped((agent) => agent.statusListUpdate({ did, ...NAME, listType, statusAction, indices }))
    const allocate = (args: Partial<StatusListAllocateArgs> = {}, by = test) =>
      by.scoped((agent) => agent.statusListAllocate({ did, ...NAME, ...args }))
    const times = <T>(count: number, work: () => Promise<T>) =>
      Promise.all(Array.from({ length: count }, work))

    it('creates the entry of the list type, which can be read back', async () => {
      await create()
      const { index, entries, ...others } = await allocate()
      assert.deepEqual(others, {
        listType: TYPE,
        ...NAME,
        entryMember: 'credentialStatus',
        contexts: ['https://www.w3.org/ns/credentials/status/v1'],
      })
      const url = listUrl({ did: asDid(did), ...NAME, resourceType: 'BitstringStatusListCredential' })
      assert.deepEqual(entries, [
        {
          type: 'BitstringStatusListEntry',
          id: `${url}#${index}`,
          statusPurpose: 'revocation',
          statusListIndex: String(index),
          statusListCredential: url,
        },
      ])
      assert.deepEqual(ShortBitstring.readEntry(entries[0] ?? {}), {
        listUrl: url,
        index,
        purpose: 'revocation',
      })
    })

    it('leads to the list by the address that it got at last, whatever a process saw before it was published', async () => {
      const options = { publicUrl: 'https://ids.example' }
      const { ledger } = test
      const [one, other] = [await folder.agent(options, { ledger }), await folder.agent(options, { ledger })]
      await one.importDid(key)
      const statusListId = hashListId({
        did: asDid(did),
        ...NAME,
        resourceType: 'BitstringStatusListCredential',
      })
      const addressed = () =>
        (other.agent as unknown as IStatusListDelivery).statusListLocate({ statusListId })
      const made = (address: 'https' | 'did') =>
        one.scoped((agent) =>
          agent.statusListCreate({
            did,
            ...NAME,
            listType: TYPE,
            statusPurpose: 'revocation',
            length: SHORT,
            address,
          }),
        )
      ledger.beforeCommit = async () => {
        assert.equal((await addressed())?.url, `https://ids.example/status-lists/${statusListId}`)
        throw new AgentError('ledger_rule', 'full')
      }
      await refused(() => made('https'), { code: 'ledger_rule' })
      ledger.beforeCommit = () => Promise.resolve()
      await made('did')
      assert.equal((await addressed())?.url, undefined)
    })

    it('settles the https address of a list whose process was killed once it was published', async () => {
      const { ledger } = test
      const options = {
        publicUrl: 'https://ids.example',
        address: 'https' as const,
        types: [TokenStatusList],
      }
      const [killed, one] = [await folder.agent(options, { ledger }), await folder.agent(options, { ledger })]
      await killed.importDid(key)
      await one.importDid(key)
      const list = { did, ...NAME, listType: 'TokenStatusList', statusPurpose: 'revocation' }
      ledger.beforeCommit = (args) => {
        ledger.append(args)
        throw new Error('killed')
      }
      await assert.rejects(
        killed.scoped((agent) => agent.statusListCreate(list)),
        /killed/,
      )
      const urls = async () =>
        (await (one.agent as unknown as IStatusListDelivery).statusListAggregation({ did })).urls
      assert.deepEqual(await urls(), [])
      await allocate({}, one)
      const id = hashListId({ did: asDid(did), ...NAME, resourceType: 'TokenStatusList' })
      assert.deepEqual(await urls(), [`https://ids.example/status-lists/${id}`])
    })

    it('allocates every index once, in two concurrent processes, and then reports a full list', async () => {
      await create()
      const other = await folder.agent({}, { ledger: test.ledger })
      await other.importDid(key)
      const given = await Promise.all([
        times(SHORT / 2, () => allocate()),
        times(SHORT / 2, () => allocate({}, other)),
      ])
      const indices = given.flat().map(({ index }) => index)
      assert.deepEqual(
        [...indices].sort((a, b) => a - b),
        Array.from({ length: SHORT }, (_, n) => n),
      )
      assert.notDeepEqual(indices.slice(0, 8), [0, 1, 2, 3, 4, 5, 6, 7])
      await refused(() => allocate(), { code: 'list_full', path: 'statusListName' })
      await refused(() => allocate({ statusListIndex: 5 }), { code: 'index_taken', path: 'statusListIndex' })
    })

    it('allocates nothing to an account without a key in the DID document', async () => {
      await create()
      const former = await folder.agent({}, { ledger: test.ledger })
      await former.importDid(key)
      await allocate({}, former)
      const changed = newKey(did, 'key-2')
      setKey(test.ledger, changed)
      await refused(() => allocate({}, former), { code: 'key_not_found', path: 'did' })
      await former.importDid(newKey(did, 'key-2'))
      await refused(() => allocate({}, former), { code: 'key_not_found', path: 'did' })
      await test.importDid(changed)
      // signed by the key that is gone, until there is a newer version
      await update('revoke', [3])
      assert.equal((await allocate()).listType, TYPE)
    })

    it('skips indices that are set, named by a caller or adopted from a ready-made entry', async () => {
      await create()
      await update('revoke', [0, SHORT - 1])
      assert.equal((await allocate({ statusListIndex: 7 })).index, 7)
      const { entries } = await allocate({ statusListIndex: 9 })
      const ready = {
        ...entries[0],
        id: String(entries[0]?.id).replace('#9', '#10'),
        statusListIndex: '10',
      }
      const adopted = await test.scoped((agent) =>
        agent.statusListAllocateTogether({ requests: [], entries: [ready, ready] }),
      )
      assert.deepEqual(adopted.contexts, ['https://www.w3.org/ns/credentials/status/v1'])
      for (const statusListIndex of [0, 7, 9, 10, SHORT - 1]) {
        await refused(() => allocate({ statusListIndex }), { code: 'index_taken', path: 'statusListIndex' })
      }
      const free = (await times(SHORT - 5, () => allocate())).map(({ index }) => index)
      assert.equal(new Set(free).size, SHORT - 5)
      for (const index of [0, 7, 9, 10, SHORT - 1]) assert.ok(!free.includes(index), String(index))
      await refused(() => allocate(), { code: 'list_full' })
    })

    it('gives a credential the same index in both lists of a StatusList2021, whatever was allocated before', async () => {
      const listType = 'StatusList2021'
      await create('revocation', listType, SHORT)
      await create('suspension', listType, SHORT / 2)
      const statusPurpose = ['revocation', 'suspension']
      const alone = await times(10, () => allocate({ statusPurpose: 'suspension' }))
      await update('revoke', [1], listType)
      const both = await times(12, () => allocate({ statusPurpose }))
      const indices = both.map(({ index }) => index)
      const used = [...alone.map(({ index }) => index), 1]
      assert.equal(new Set([...indices, ...used]).size, 12 + new Set(used).size)
      assert.ok(indices.every((index) => index < SHORT / 2))
      for (const { entries, index } of both) {
        assert.deepEqual(
          entries.map(({ statusPurpose, statusListIndex }) => [statusPurpose, statusListIndex]),
          statusPurpose.map((purpose) => [purpose, String(index)]),
        )
      }
      // of neither list is one of them given out again
      for (const purpose of statusPurpose) {
        for (const statusListIndex of indices) {
          await refused(() => allocate({ statusPurpose: purpose, statusListIndex }), { code: 'index_taken' })
        }
      }
      await refused(() => times(SHORT, () => allocate({ statusPurpose })), { code: 'list_full' })
      await refused(() => allocate({ statusPurpose, statusListIndex: SHORT / 2 }), {
        code: 'index_out_of_range',
      })
      // an index missing in the shorter list is still free in the longer one
      await times(SHORT / 2, () => allocate({ statusPurpose: 'revocation' }))
    })

    it('requires the purpose if there are several, and refuses a missing one', async () => {
      await create(['revocation', 'suspension', 'message'])
      await refused(() => allocate(), {
        code: 'invalid_input',
        path: 'statusPurpose',
        says: /revocation, suspension, message/,
      })
      await refused(() => allocate({ statusPurpose: ['revocation', 'refresh'] }), {
        code: 'purpose_mismatch',
        path: 'statusPurpose',
        says: /refresh, but revocation, suspension, message/,
      })
      const { entries, index } = await allocate({ statusPurpose: ['message', 'message'] })
      assert.equal(entries.length, 1)
      assert.equal(entries[0]?.statusSize, 2)
      assert.equal((await allocate({ statusPurpose: ['revocation', 'message'] })).entries.length, 2)
      await refused(() => allocate({ statusPurpose: 'message', statusListIndex: index }), {
        code: 'index_taken',
      })
    })

    it('finds the type by name, and by purpose if several types share the name', async () => {
      await refused(() => allocate(), {
        code: 'list_not_found',
        path: 'statusListName',
        says: /no status list/,
      })
      await refused(() => allocate({ listType: TYPE }), { code: 'list_not_found', says: /no Bitstring/ })
      await refused(() => allocate({ listType: 'Other' }), { code: 'unknown_list_type', path: 'listType' })
      await create('refresh')
      await create('revocation', 'StatusList2021')
      await refused(() => allocate(), {
        code: 'invalid_input',
        path: 'listType',
        says: /StatusList2021, BitstringStatusList/,
      })
      assert.equal((await allocate({ statusPurpose: 'refresh' })).listType, TYPE)
      assert.equal((await allocate({ statusPurpose: 'revocation' })).listType, 'StatusList2021')
      assert.equal((await allocate({ listType: TYPE })).listType, TYPE)
    })

    it("is not affected by a type that cannot read another type's list", async () => {
      const Confused = { ...Short2021, type: 'Confused', entryType: 'ConfusedEntry' } as typeof Short2021
      const shared = { ...Confused, resourceTypes: () => ['BitstringStatusListCredential'] }
      const both = await folder.agent({ types: [shared, ShortBitstring] }, { ledger: test.ledger })
      const key = await both.createDid()
      await both.scoped((agent) =>
        agent.statusListCreate({ did: key.did, ...NAME, listType: TYPE, statusPurpose: 'revocation' }),
      )
      const { listType } = await both.scoped((agent) => agent.statusListAllocate({ did: key.did, ...NAME }))
      assert.equal(listType, TYPE)
      const alone = both.scoped((agent) =>
        agent.statusListAllocate({ did: key.did, ...NAME, listType: 'Confused' }),
      )
      await refused(() => alone, { code: 'malformed_list' })
    })

    it('returns one entry in the member "status" for types without purposes', async () => {
      const Purposeless = {
        ...ShortBitstring,
        type: 'Purposeless',
        entryType: 'list',
        entryMember: 'status' as const,
        entry: (_layout: unknown, location: Parameters<typeof listUrl>[0], idx: number) => ({
          list: { idx, uri: listUrl(location) },
        }),
        readEntry: ({ list }: Record<string, unknown>) => {
          const { idx, uri } = list as { idx: number; uri: string }
          return { listUrl: uri, index: idx }
        },
      } as typeof ShortBitstring
      test = await folder.agent({ types: [Purposeless] }, { ledger: test.ledger })
      ;({ did } = await test.createDid())
      await create(['revocation', 'suspension'], 'Purposeless')
      const taken: number[] = []
      for (const statusPurpose of [undefined, 'suspension', ['suspension', 'revocation']]) {
        const { entryMember, entries, contexts, index } = await allocate(
          statusPurpose ? { statusPurpose } : {},
        )
        taken.push(index)
        assert.deepEqual([entryMember, entries.length], ['status', 1])
        assert.deepEqual(contexts, ['https://www.w3.org/ns/credentials/status/v1'])
      }
      const free = [0, 1, 2, 3].find((index) => !taken.includes(index)) ?? assert.fail()
      const credential = await test.scoped((agent) =>
        agent.credentialIssue({
          issuerDid: did,
          attributes: { a: 1 },
          credentialStatus: { ...NAME, statusListIndex: free },
        }),
      )
      const list = { did: asDid(did), ...NAME, resourceType: 'BitstringStatusListCredential' }
      assert.deepEqual(credential.status, { list: { idx: free, uri: listUrl(list) } })
      assert.equal(credential.credentialStatus, undefined)
      const { index } = await test.scoped((agent) =>
        agent.statusListUpdateCredential({ credential: { ...credential }, statusAction: 'suspend' }),
      )
      assert.equal(index, free)
      await refused(
        () =>
          test.scoped((agent) =>
            agent.credentialIssue({ issuerDid: did, attributes: { a: 1 }, credentialStatus: [NAME, NAME] }),
          ),
        { code: 'invalid_input', path: 'credentialStatus[1]' },
      )
    })

    it('refuses a list that does not verify, has expired or belongs to somebody else', async () => {
      await create()
      await refused(() => allocate({ did: 'did:cheqd:testnet:nobody' }), {
        code: 'did_not_found',
        path: 'did',
      })
      const stranger = await folder.agent({}, { ledger: test.ledger })
      await refused(() => allocate({}, stranger), { code: 'did_not_found', path: 'did' })
      const named = { did, resourceName: 'members', resourceType: 'BitstringStatusListCredential' }
      test.ledger.tamper(named, (jwt) => jwt.slice(0, -4) + (jwt.endsWith('AAAA') ? 'BBBB' : 'AAAA'))
      await refused(() => allocate(), { code: 'invalid_credential' })

      let now = new Date('2026-01-01T00:00:00Z')
      const later = await folder.agent({}, { clock: () => now })
      const key = await later.createDid()
      const list = { did: key.did, ...NAME }
      await later.scoped((agent) =>
        agent.statusListCreate({
          ...list,
          listType: TYPE,
          statusPurpose: 'revocation',
          validUntil: '2026-02-01T00:00:00Z',
        }),
      )
      await later.scoped((agent) => agent.statusListAllocate(list))
      now = new Date('2026-02-01T00:00:01Z')
      await refused(() => later.scoped((agent) => agent.statusListAllocate(list)), {
        code: 'invalid_credential',
      })
    })

    it('refuses malformed arguments', async () => {
      for (const args of [
        { statusListIndex: -1 },
        { statusListIndex: 1.5 },
        { statusPurpose: [] },
        { statusListName: '' },
        { length: 5 },
      ]) {
        await refused(() => allocate(args), { code: 'invalid_input' })
      }
    })

    it('is not offered by an agent without a store', () => {
      const { plugin, agent } = createTestAgent({ options: { types: [BitstringStatusList] } })
      assert.ok(!agent.availableMethods().includes('statusListAllocate'))
      assert.ok(!('statusListAllocate' in (plugin.schema.components.methods as object)))
    })
  })
}
