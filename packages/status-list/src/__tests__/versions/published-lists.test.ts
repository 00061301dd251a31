import assert from 'node:assert/strict'
import { CACHES } from '@vidimus/core-types'
import { assertCountsWhatItTakes } from '../../../../../test/support/memory-taken.js'
import { BitstringStatusList } from '../../types/bitstring-status-list.js'
import { refused } from '../refused.js'
import { createTestAgent } from '../test-agent.js'

const listType = 'BitstringStatusList'
const statusPurpose = 'revocation'
const resourceType = 'BitstringStatusListCredential'

/** The real type, counting its expensive calls. */
function counting() {
  const calls = { unpack: 0, pack: 0 }
  const type: typeof BitstringStatusList = {
    ...BitstringStatusList,
    unpack: (doc, maxBytes) => {
      calls.unpack++
      return BitstringStatusList.unpack(doc, maxBytes)
    },
    pack: (doc, bits) => {
      calls.pack++
      return BitstringStatusList.pack(doc, bits)
    },
  }
  return { calls, type }
}

async function setup() {
  const writer = createTestAgent()
  const { did } = await writer.createDid()
  const list = { did, statusListName: 'list', listType }
  await writer.scoped((agent) => agent.statusListCreate({ ...list, statusPurpose }))
  const { calls, type } = counting()
  const reader = createTestAgent({ ledger: writer.ledger, options: { types: [type] } })
  const check = (index: number) => reader.agent.statusListCheck({ ...list, statusPurpose, index })
  const revoke = (indices: number[]) =>
    writer.scoped((agent) => agent.statusListUpdate({ ...list, statusAction: 'revoke', indices }))
  return { ledger: writer.ledger, list, calls, check, revoke, reader }
}

describe('order of versions', () => {
  const named = (did: string) => ({ did, resourceName: 'list', resourceType })
  const says = /it was signed (for another version|before the previous version)/

  it('protects from rollback to an older version, whether the reader knew the newest or not', async () => {
    for (const type of ['BitstringStatusList', 'TokenStatusList']) {
      const writer = createTestAgent()
      const { did } = await writer.createDid()
      const list = { did, statusListName: 'list', listType: type }
      const name = { did, resourceName: 'list', resourceType: type === listType ? resourceType : type }
      await writer.scoped((agent) => agent.statusListCreate({ ...list, statusPurpose }))
      const knowing = createTestAgent({ ledger: writer.ledger })
      const check = ({ agent }: typeof knowing) => agent.statusListCheck({ ...list, statusPurpose, index: 5 })
      assert.equal((await check(knowing)).revoked, false)
      const { data = '' } = writer.ledger.history(name)[0] ?? {}
      const revoke = (index: number) =>
        writer.scoped((agent) =>
          agent.statusListUpdate({ ...list, statusAction: 'revoke', indices: [index] }),
        )
      await revoke(5)
      writer.ledger.append({ ...name, data })
      for (const reader of [knowing, createTestAgent({ ledger: writer.ledger }), writer]) {
        await refused(() => check(reader), { code: 'invalid_credential', says })
      }
      await revoke(6)
      assert.equal((await check(knowing)).revoked, true)
    }
  })

  it('follows the signing times', async () => {
    let now = new Date('2026-06-01T12:00:00Z')
    const writer = createTestAgent({ clock: () => now })
    const key = await writer.createDid()
    const list = { did: key.did, statusListName: 'list', listType }
    await writer.scoped((agent) => agent.statusListCreate({ ...list, statusPurpose }))
    const signedAt = () => {
      const [, payload = ''] = writer.ledger.newestText(named(key.did)).split('.')
      return (JSON.parse(Buffer.from(payload, 'base64url').toString()) as { iat: number }).iat
    }
    const first = signedAt()
    now = new Date('2026-06-01T11:00:00Z')
    await writer.scoped((agent) => agent.statusListUpdate({ ...list, statusAction: 'revoke', indices: [5] }))
    assert.equal(signedAt(), first)
    const [, payload = ''] = writer.ledger.newestText(named(key.did)).split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>
    const jwt = await writer.scoped((agent) =>
      agent.didJwtCreate({
        did: key.did,
        payload: { ...claims, iat: first - 1 },
        header: { typ: 'vc+jwt', cty: 'vc' },
      }),
    )
    writer.ledger.appendText(named(key.did), jwt)
    const reader = createTestAgent({ ledger: writer.ledger, clock: () => now })
    await refused(() => reader.agent.statusListCheck({ ...list, statusPurpose, index: 5 }), {
      code: 'invalid_credential',
      says,
    })
  })
})

describe('published lists', () => {
  it('are decoded once per content, however many callers read it', async () => {
    const { check, calls, ledger, revoke } = await setup()
    await Promise.all(Array.from({ length: 20 }, (_, n) => check(n)))
    await check(5)
    assert.equal(calls.unpack, 1)
    const { getLatest } = ledger.calls
    await check(5)
    assert.equal(ledger.calls.getLatest, getLatest)
    await revoke([5])
    assert.equal((await check(5)).revoked, true)
    assert.equal(calls.unpack, 2)
  })

  it('are not decoded again after an own update', async () => {
    const { type, calls } = counting()
    const test = createTestAgent({ options: { types: [type] } })
    const { did } = await test.createDid()
    const list = { did, statusListName: 'list', listType }
    await test.scoped((agent) => agent.statusListCreate({ ...list, statusPurpose }))
    const before = { ...calls }
    for (let n = 0; n < 5; n++) {
      await test.scoped((agent) => agent.statusListUpdate({ ...list, statusAction: 'revoke', indices: [n] }))
      assert.equal((await test.agent.statusListCheck({ ...list, statusPurpose, index: n })).revoked, true)
    }
    assert.deepEqual(calls, { unpack: before.unpack, pack: before.pack + 5 })
  })

  it('are not affected by a concurrent writer', async () => {
    const { check, revoke, list, reader } = await setup()
    await check(1)
    await revoke([1])
    const [first, second] = await Promise.all([check(1), check(2)])
    assert.equal(first.revoked, true)
    assert.equal(second.revoked, false)
    interface Resource {
      bitstringStatusListCredential: { credentialSubject: { statusPurpose: string } }
    }
    const read = async () => (await reader.agent.statusListSearch(list)).resource as unknown as Resource
    const found = await read()
    assert.throws(
      () => (found.bitstringStatusListCredential.credentialSubject.statusPurpose = 'suspension'),
      TypeError,
    )
    assert.equal((await read()).bitstringStatusListCredential.credentialSubject.statusPurpose, 'revocation')
    assert.equal((await check(1)).revoked, true)
  })

  it('are evicted from a full cache and read again', async () => {
    const writer = createTestAgent()
    const { did } = await writer.createDid()
    const { calls, type } = counting()
    const reader = createTestAgent({ ledger: writer.ledger, options: { types: [type] } })
    const names = Array.from({ length: 70 }, (_, n) => `list-${n}`)
    const check = (statusListName: string) =>
      reader.agent.statusListCheck({ did, statusListName, listType, statusPurpose, index: 1 })
    for (const statusListName of names) {
      await writer.scoped((agent) => agent.statusListCreate({ did, statusListName, listType, statusPurpose }))
      await check(statusListName)
    }
    assert.equal(calls.unpack, 70)
    const { bytes } = CACHES
    CACHES.bytes = 1_048_576
    await check('list-69')
    assert.equal(calls.unpack, 70)
    assert.equal((await check('list-0')).revoked, false)
    assert.equal(calls.unpack, 71)
    CACHES.bytes = bytes
  })

  it('count the memory of their documents and compressed blocks', async () => {
    const writer = createTestAgent()
    const { did } = await writer.createDid()
    const reader = createTestAgent({ ledger: writer.ledger })
    const check = (statusListName: string) =>
      reader.agent.statusListCheck({ did, statusListName, listType, statusPurpose, index: 1 })
    const names = Array.from({ length: 40 }, (_, n) => `list-${n}`)
    for (const statusListName of names) {
      const list = { did, statusListName, listType, statusPurpose, length: 1_048_576 }
      await writer.scoped((agent) => agent.statusListCreate(list))
    }
    await check('list-0')
    const buffers = 39 * 131_072
    await assertCountsWhatItTakes('list', { buffers }, async () => {
      for (const statusListName of names) await check(statusListName)
    })
    const { document = 0, block = 0 } = Object.fromEntries(CACHES.takenBy)
    assert.ok(document > 0 && block > 0)
  })

  it('are refused if the content does not match the metadata', async () => {
    const { check, ledger, list } = await setup()
    const named = { did: list.did, resourceName: 'list', resourceType }
    ledger.tamper(named, (jwt) => jwt)
    const [version] = ledger.history(named)
    assert.ok(version)
    version.metadata = { ...version.metadata, checksum: '00'.repeat(32) }
    await refused(() => check(1), { code: 'malformed_list', says: /checksum/ })
  })
})
