import assert from 'node:assert/strict'
import { createHash, createPublicKey } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { StatusListCreateArgs } from '@vidimus/core-types'
import { compactVerify, decodeProtectedHeader } from 'jose'
import { refused } from '../refused.js'
import { createTestAgent, newKey } from '../test-agent.js'

const listType = 'BitstringStatusList'
const now = new Date('2026-01-02T03:04:05Z')
const bitsOf = (bytes: number, fill = 0) => gzipSync(Buffer.alloc(bytes, fill)).toString('base64url')

async function setup() {
  const test = createTestAgent({ options: { maxListLength: 262_144 }, clock: () => now })
  const key = await test.createDid()
  const list = { did: key.did, statusListName: 'list', listType, statusPurpose: 'revocation' }
  const create = (args: Partial<StatusListCreateArgs> = {}) =>
    test.scoped((agent) => agent.statusListCreate({ ...list, ...args }))
  const named = { did: key.did, resourceName: 'list', resourceType: 'BitstringStatusListCredential' }
  return { ...test, key, list, create, named }
}

describe('creating a list', () => {
  it('publishes a JWT that independent libraries verify, including after an update', async () => {
    const { create, ledger, named, key, scoped, list } = await setup()
    const created = await create({ statusListVersion: '1.0' })
    assert.equal(created.created, true)
    assert.equal(created.encrypted, false)
    assert.equal(created.resourceMetadata.resourceVersion, '1.0')
    const { did, statusListName } = list
    await scoped((agent) =>
      agent.statusListUpdate({ did, statusListName, listType, statusAction: 'revoke', indices: [5] }),
    )
    const x = Buffer.from(key.publicKeyHex, 'hex').toString('base64url')
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    for (const { data, metadata } of ledger.history(named)) {
      const jwt = Buffer.from(data, 'base64url').toString()
      assert.deepEqual(decodeProtectedHeader(jwt), {
        typ: 'vc+jwt',
        cty: 'vc',
        alg: 'EdDSA',
        kid: `${key.did}#key-1`,
        resourceId: metadata.resourceId,
      })
      const { payload } = await compactVerify(jwt, publicKey)
      assert.equal((JSON.parse(Buffer.from(payload).toString()) as { issuer: string }).issuer, key.did)
      assert.equal(createHash('sha256').update(jwt).digest('hex'), metadata.checksum)
    }
    const [first, second] = ledger.history(named)
    assert.notEqual(first?.data, second?.data)
  })

  it('starts with the given bits', async () => {
    const { create, scoped, list } = await setup()
    const bits = Buffer.alloc(16_384)
    bits[0] = 0b0100_0000
    await create({ encodedList: `u${gzipSync(bits).toString('base64url')}` })
    const { results = [] } = await scoped((agent) => agent.statusListCheck({ ...list, indices: [0, 1] }))
    assert.deepEqual(
      results.map(({ revoked }) => revoked),
      [false, true],
    )
  })

  it('creates a longer list on request', async () => {
    const { create, scoped, list } = await setup()
    await create({ length: 262_144 })
    assert.equal((await scoped((agent) => agent.statusListCheck({ ...list, index: 262_143 }))).revoked, false)
  })

  it('warns of a list that few verifiers read, and of no other', async () => {
    const { create } = await setup()
    const both = ['revocation', 'suspension']
    const warned = async (args: Partial<StatusListCreateArgs>) =>
      (await create(args)).warnings?.map(({ code }) => code)
    assert.deepEqual(await warned({ statusListName: 'both', statusPurpose: both }), ['rarely_read'])
    assert.equal(await warned({ statusListName: 'one', statusPurpose: ['revocation'] }), undefined)
    const repeated = ['revocation', 'revocation']
    assert.equal(await warned({ statusListName: 'repeated', statusPurpose: repeated }), undefined)
    const token = { statusListName: 'token', listType: 'TokenStatusList', statusPurpose: both }
    assert.equal(await warned(token), undefined)
  })

  it('refuses a name in use, and leaves that list unchanged', async () => {
    const { create, ledger, named } = await setup()
    await create()
    await refused(() => create(), { code: 'list_exists', path: 'statusListName' })
    assert.equal(ledger.history(named).length, 1)
    assert.equal(ledger.calls.create, 1, 'nothing is signed in vain')
  })

  it('refuses a name that was taken in the meantime', async () => {
    const { create, ledger, named } = await setup()
    const outcomes = await Promise.allSettled([create(), create(), create()])
    const refusals = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [(outcome.reason as { code: string }).code] : [],
    )
    assert.deepEqual(refusals, ['list_exists', 'list_exists'])
    assert.equal(ledger.history(named).length, 1)
  })

  it('allows both lists of StatusList2021 under one name', async () => {
    const { create } = await setup()
    for (const statusPurpose of ['revocation', 'suspension']) {
      await create({ listType: 'StatusList2021', statusPurpose })
      await refused(() => create({ listType: 'StatusList2021', statusPurpose }), { code: 'list_exists' })
    }
  })

  it('requires a DID of the account; DIDs of others look unknown', async () => {
    const { ledger, list, create } = await setup()
    const stranger = createTestAgent({ ledger })
    const unknown = newKey('did:cheqd:testnet:9c5f4ae6-4f7d-4d3b-8fd1-3ad4d7c9a003', 'key-1').did
    const messages = []
    for (const did of [list.did, unknown]) {
      const error = await refused(
        () => stranger.scoped((agent) => agent.statusListCreate({ ...list, did })),
        { code: 'did_not_found', path: 'did' },
      )
      messages.push(error.message.replace(did, '<did>'))
    }
    assert.equal(messages[0], messages[1])
    await create()
  })

  const bad: [string, Partial<StatusListCreateArgs>, path: string][] = [
    ['an unknown purpose', { statusPurpose: 'fun' }, 'statusPurpose'],
    ['no purpose', { statusPurpose: [] }, 'statusPurpose'],
    [
      'several purposes in a StatusList2021',
      { listType: 'StatusList2021', statusPurpose: ['revocation', 'suspension'] },
      'statusPurpose',
    ],
    [
      'a message list of StatusList2021',
      { listType: 'StatusList2021', statusPurpose: 'message' },
      'statusPurpose',
    ],
    ['a short list', { length: 131_064 }, 'length'],
    ['an overlong list', { length: 262_152 }, 'length'],
    ['a length in fractional bytes', { length: 131_073 }, 'length'],
    ['nine bits', { statusSize: 9 }, 'statusSize'],
    ['two bits of StatusList2021', { listType: 'StatusList2021', statusSize: 2 }, 'statusSize'],
    ['a time in the past', { validUntil: '2026-01-02T03:04:05Z' }, 'validUntil'],
    ['a malformed time', { validUntil: 'soon' }, 'validUntil'],
    ['a zero ttl', { ttl: 0 }, 'ttl'],
    ['an empty name', { statusListName: '' }, 'statusListName'],
    ['an overlong name', { statusListName: 'ä'.repeat(33) }, 'statusListName'],
    ['an overlong version', { statusListVersion: 'v'.repeat(65) }, 'statusListVersion'],
    ['malformed bits', { encodedList: 'uAAAA' }, 'encodedList'],
    ['bits without the prefix u', { encodedList: bitsOf(16_384) }, 'encodedList'],
    ['bits for a short list', { encodedList: `u${bitsOf(16_383)}` }, 'encodedList'],
    ['bits for an overlong list', { encodedList: `u${bitsOf(32_769)}` }, 'encodedList'],
    ['bits for another length', { encodedList: `u${bitsOf(16_384)}`, length: 262_144 }, 'encodedList'],
    [
      'bits for another width',
      { encodedList: `u${bitsOf(16_384)}`, statusSize: 2, length: 131_072 },
      'encodedList',
    ],
    ['a decompression bomb', { encodedList: `u${bitsOf(20 << 20)}` }, 'encodedList'],
  ]
  for (const [title, args, path] of bad) {
    it(`refuses ${title}`, async () => {
      const { create, ledger } = await setup()
      await refused(() => create(args), { code: 'invalid_input', path })
      assert.equal(ledger.calls.create, 0)
    })
  }

  it('refuses an unknown type and lists the known ones', async () => {
    const { create } = await setup()
    await refused(() => create({ listType: 'Nope' }), {
      code: 'unknown_list_type',
      path: 'listType',
      says: /StatusList2021, BitstringStatusList/,
    })
  })

  it('reports several problems at once', async () => {
    const { create } = await setup()
    const error = await refused(() => create({ statusPurpose: 'fun', statusSize: 9, length: 8 }), {
      code: 'invalid_input',
    })
    assert.deepEqual(
      error.details.map(({ path }) => path),
      ['statusPurpose', 'statusSize', 'length'],
    )
  })
})
