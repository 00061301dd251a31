import { asDid, asListName, listUrl } from '@vidimus/core-types'
import assert from 'node:assert/strict'
import { gunzipSync, gzipSync } from 'node:zlib'
import { getEntry, setEntry } from '../../encoding/entries.js'
import { StatusList2021, type StatusList2021Document } from '../../types/status-list-2021.js'
import { oracles } from '../oracles.js'
import { refused } from '../refused.js'
import { bitstringVectors } from '../vectors.js'

const place = {
  did: asDid('did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0'),
  statusListName: asListName('list'),
  resourceType: 'StatusList2021Revocation',
}
const location = { ...place, url: listUrl(place) }
const now = new Date('2026-01-02T03:04:05Z')
const parameters = { length: 131_072, statusSize: 1, purposes: ['revocation'] }
const MAX = 1_048_576
const LAYOUT = { statusSize: 1, order: 'msb' } as const

const bytesOf = (value: unknown) => Buffer.from(JSON.stringify(value))
const published = (encodedList: string, encoding = 'base64url') => ({
  StatusList2021: {
    statusPurpose: 'revocation',
    encodedList,
    validFrom: '2024-01-01T00:00:00.000Z',
    extra: { kept: true },
  },
  metadata: { type: 'StatusList2021Revocation', encrypted: false, encoding, other: 1 },
})
const empty = gzipSync(Buffer.alloc(16_384))
const unpack = async (doc: StatusList2021Document) => StatusList2021.unpack(doc, MAX)

describe('StatusList2021', () => {
  it('creates the resource described in the contract', async () => {
    const doc = await StatusList2021.create(parameters, location, now)
    const { StatusList2021: list, metadata } = JSON.parse(
      Buffer.from(StatusList2021.serialise(doc)).toString(),
    ) as StatusList2021Document
    const { encodedList, ...members } = list
    assert.deepEqual(members, {
      statusPurpose: 'revocation',
      type: 'StatusList2021Revocation',
      validFrom: '2026-01-02T03:04:05.000Z',
    })
    assert.deepEqual(metadata, { type: 'StatusList2021Revocation', encrypted: false, encoding: 'base64url' })
    assert.match(encodedList, /^H4sI[\w-]+$/)
    assert.deepEqual(gunzipSync(Buffer.from(encodedList, 'base64url')), Buffer.alloc(16_384))
  })

  it('has index 0 in the left-most bit of the first byte, like other implementations', async () => {
    const bits = new Uint8Array(16_384)
    for (const index of [0, 5, 131_071]) setEntry(bits, LAYOUT, index, 1)
    assert.equal(bits[0], 0b1000_0100)
    const doc = await StatusList2021.create({ ...parameters, bits }, location, now)
    const { statusList2021 } = await oracles()
    const list = await statusList2021.decodeList({ encodedList: doc.StatusList2021.encodedList })
    assert.equal(list.length, 131_072)
    for (const [index, set] of [
      [0, true],
      [1, false],
      [5, true],
      [131_070, false],
      [131_071, true],
    ] as const) {
      assert.equal(list.getStatus(index), set)
    }
  })

  it('reads what others encode', async () => {
    const { statusList2021 } = await oracles()
    const list = await statusList2021.createList({ length: 131_072 })
    list.setStatus(94_567, true)
    const bits = await StatusList2021.decode(await list.encode(), undefined, MAX)
    assert.equal(getEntry(bits, LAYOUT, 94_567), 1)
    assert.equal(bits.filter((byte) => byte !== 0).length, 1)
  })

  for (const [name, { list, index, expectedValue }] of Object.entries(bitstringVectors.walt.fixtures)) {
    if (!name.startsWith('statuslist2021/')) continue
    it(`reads ${name}`, async () => {
      const bits = await unpack(StatusList2021.parse(bytesOf(published(list))))
      assert.equal(getEntry(bits, LAYOUT, Number(index)), expectedValue)
    })
  }

  for (const { src, gzipBase64url, bytes, bytesHex, set } of bitstringVectors.bitstring) {
    if (gzipBase64url === undefined) continue
    it(`decodes: ${src}`, async () => {
      const bits = await StatusList2021.decode(gzipBase64url, undefined, MAX)
      if (bytes !== undefined) assert.equal(bits.length, bytes)
      if (bytesHex !== undefined) assert.equal(Buffer.from(bits).toString('hex'), bytesHex)
      for (const index of set ?? []) assert.equal(getEntry(bits, LAYOUT, index), 1)
    })
  }

  for (const encoding of ['base64url', 'hex'] as const) {
    it(`keeps everything but the bits on update, including ${encoding}`, async () => {
      const before = published(empty.toString(encoding), encoding)
      const doc = StatusList2021.parse(bytesOf(before))
      const frozen = structuredClone(doc)
      const bits = new Uint8Array(await unpack(doc))
      setEntry(bits, LAYOUT, 7, 1)
      const after = JSON.parse(
        Buffer.from(StatusList2021.serialise(await StatusList2021.pack(doc, bits))).toString(),
      ) as ReturnType<typeof published>
      assert.deepEqual(doc, frozen)
      const { encodedList } = after.StatusList2021
      assert.deepEqual(after, published(encodedList, encoding))
      assert.deepEqual(new Uint8Array(gunzipSync(Buffer.from(encodedList, encoding))), bits)
    })
  }

  it('selects the list by the action', () => {
    const first = (action: string) => StatusList2021.resourceTypesOfAction(action)[0]
    assert.equal(first('revoke'), 'StatusList2021Revocation')
    assert.equal(first('suspend'), 'StatusList2021Suspension')
    assert.equal(first('reinstate'), 'StatusList2021Suspension')
    assert.deepEqual(StatusList2021.resourceTypes('suspension'), ['StatusList2021Suspension'])
  })

  it('returns the type in the metadata if the list has none', () => {
    const resource = StatusList2021.toResource(
      StatusList2021.parse(bytesOf(published(empty.toString('base64url')))),
      131_072,
    ) as { StatusList2021: { type: string } }
    assert.equal(resource.StatusList2021.type, 'StatusList2021Revocation')
  })

  it('creates readable entries', () => {
    const layout = { ...LAYOUT, purposes: ['revocation'], encrypted: false }
    const entry = StatusList2021.entry(layout, location, 0, 'revocation')
    assert.deepEqual(entry, {
      type: 'StatusList2021Entry',
      id: `${location.did}?resourceName=list&resourceType=StatusList2021Revocation#0`,
      statusPurpose: 'revocation',
      statusListIndex: '0',
    })
    assert.equal(StatusList2021.readEntry(entry).index, 0)
  })

  it('detects an encrypted list', () => {
    const doc = published('00ff-00ff', 'hex')
    const encrypted = { ...doc, metadata: { ...doc.metadata, encrypted: true, statusListHash: 'x' } }
    assert.equal(StatusList2021.describe(StatusList2021.parse(bytesOf(encrypted))).encrypted, true)
  })

  it('refuses all meaningless parameters at once', async () => {
    const error = await refused(
      () =>
        StatusList2021.create(
          {
            ...parameters,
            purposes: ['revocation', 'suspension'],
            encoding: 'base58',
            ttl: 5,
            statusMessages: [{ status: '0x0', message: 'a' }],
          },
          location,
          now,
        ),
      { code: 'invalid_input' },
    )
    assert.deepEqual(
      error.details.map(({ path }) => path),
      ['statusPurpose', 'encoding', 'statusMessages', 'ttl'],
    )
  })

  const bad: [string, Buffer][] = [
    ['raw gzip', empty],
    ['text', Buffer.from('hello')],
    ['invalid UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
    ['null', Buffer.from('null')],
    ['another object', bytesOf({ a: 1 })],
    ['no encoding', bytesOf({ ...published('x'), metadata: {} })],
    ['an unknown encoding', bytesOf(published('x', 'base58'))],
    ['no purpose', bytesOf({ ...published('x'), StatusList2021: { encodedList: 'x' } })],
  ]
  for (const [title, content] of bad) {
    it(`refuses ${title}`, () => refused(() => StatusList2021.parse(content), { code: 'malformed_list' }))
  }
})
