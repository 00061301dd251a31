import assert from 'node:assert/strict'
import fc from 'fast-check'
import { BitstringStatusList, StatusList2021, TokenStatusList } from '@vidimus/status-list'
import { asDid, asListName, listUrl, type StatusListType } from '@vidimus/core-types'
import {
  changesBetween,
  countValues,
  decodeList,
  EncryptedList,
  nextSet,
  setIn,
  entryValues,
} from '../../status-list/decoded-list.js'
import { UnknownList } from '../../status-list/list-content.js'
import { setEntry } from '../../../../status-list/src/encoding/entries.js'

const LENGTH = 131_072
const location = {
  did: asDid('did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0'),
  statusListName: asListName('list'),
}

/** What the engine publishes for these entries. The signature does not matter here. */
async function published<Doc>(
  type: StatusListType<Doc>,
  statusSize: number,
  entries: ReadonlyMap<number, number>,
  parameters: { encoding?: string; purposes?: string[] } = {},
): Promise<unknown> {
  const { purposes = ['revocation'], ...others } = parameters
  const order = type.type === 'TokenStatusList' ? ('lsb' as const) : ('msb' as const)
  const bits = new Uint8Array((LENGTH * statusSize) / 8)
  for (const [index, value] of entries) setEntry(bits, { statusSize, order }, index, value)
  const statusMessages = Array.from({ length: 2 ** statusSize }, (_, value) => ({
    status: `0x${value.toString(16)}`,
    message: value === 5 ? 'undefined' : `state ${value}`,
  }))
  const named = { ...location, resourceType: type.resourceTypes(purposes[0])[0] ?? '' }
  const place = { ...named, url: listUrl(named) }
  const doc = await type.create(
    {
      length: LENGTH,
      statusSize,
      purposes,
      bits,
      ...(type.type === 'BitstringStatusList' && statusSize > 1 && { statusMessages }),
      ...others,
    },
    place,
    new Date('2026-01-31T09:30:00Z'),
  )
  const envelope = type.secure?.(doc, place, new Date('2026-01-31T09:30:00Z'))
  const jwt =
    envelope && `e30.${Buffer.from(JSON.stringify(envelope.payload)).toString('base64url')}.c2lnbmF0dXJl`
  const content = Buffer.from(type.serialise(doc, jwt)).toString()
  return jwt === undefined ? (JSON.parse(content) as unknown) : content
}

const entriesOf = (size: number) =>
  fc.map(fc.nat(LENGTH - 1), fc.integer({ min: 1, max: 2 ** size - 1 }), { maxKeys: 40 })

async function assertDecodes(content: unknown, entries: ReadonlyMap<number, number>, size: number) {
  const { layout, values } = await decodeList(content)
  assert.equal(layout.statusSize, size)
  assert.equal(values.length, LENGTH)
  const set = [...values.entries()].filter(([, value]) => value !== 0)
  assert.deepEqual(
    set,
    [...entries].sort(([a], [b]) => a - b),
  )
}

describe('decoded lists', () => {
  for (const size of [1, 2, 3, 4, 5, 6, 7, 8]) {
    it(`match what the service published: BitstringStatusList, ${size} bits`, () =>
      fc.assert(
        fc.asyncProperty(entriesOf(size), async (entries) =>
          assertDecodes(await published(BitstringStatusList, size, entries), entries, size),
        ),
        { numRuns: 8 },
      ))
  }
  for (const size of [1, 2, 4, 8]) {
    it(`match what the service published: TokenStatusList, ${size} bits`, () =>
      fc.assert(
        fc.asyncProperty(entriesOf(size), async (entries) =>
          assertDecodes(await published(TokenStatusList, size, entries), entries, size),
        ),
        { numRuns: 8 },
      ))
  }
  for (const encoding of ['base64url', 'hex']) {
    it(`match what the service published: StatusList2021 in ${encoding}`, () =>
      fc.assert(
        fc.asyncProperty(entriesOf(1), async (entries) =>
          assertDecodes(await published(StatusList2021, 1, entries, { encoding }), entries, 1),
        ),
        { numRuns: 8 },
      ))
  }

  it('include the older layout of Bitstring lists', async () => {
    const bits = new Uint8Array(LENGTH / 4)
    setEntry(bits, { statusSize: 2, order: 'lsb-in-entry' }, 7, 1)
    setEntry(bits, { statusSize: 2, order: 'lsb-in-entry' }, 9, 2)
    const stream = new Blob([bits]).stream().pipeThrough(new CompressionStream('gzip'))
    const encodedList = Buffer.from(await new Response(stream).arrayBuffer()).toString('base64url')
    const bitstringStatusListCredential = { credentialSubject: { statusPurpose: 'revocation', encodedList } }
    const { values } = await decodeList({ bitstringStatusListCredential, metadata: { length: 100 } })
    assert.equal(values.length, 100)
    assert.deepEqual([values[7], values[9], setIn(countValues(values))], [1, 2, 2])
  })

  it('keep the meanings of values and omit values without one', async () => {
    const { layout } = await decodeList(await published(BitstringStatusList, 3, new Map()))
    assert.equal(layout.messages.get(3), 'state 3')
    assert.equal(layout.messages.has(5), false)
    assert.deepEqual(layout.purposes, ['revocation'])
  })

  it('report an encrypted, malformed or damaged list', async () => {
    const list = { statusPurpose: 'revocation', encodedList: 'AAAA' }
    await assert.rejects(
      decodeList({ StatusList2021: list, metadata: { encrypted: true } }),
      (error) => error instanceof EncryptedList && error.layout.purposes.join() === 'revocation',
    )
    for (const content of [undefined, null, 'a.b.c', '', 7, {}, { credentialSubject: {} }, []]) {
      await assert.rejects(decodeList(content), UnknownList, JSON.stringify(content))
    }
    for (const encodedList of ['AAAA', '', '*', 'H4sIAAAAAAAAA']) {
      const damaged = { StatusList2021: { ...list, encodedList }, metadata: {} }
      await assert.rejects(decodeList(damaged), UnknownList, encodedList)
    }
  })

  it('read entries in each of the three bit orders like the engine', () =>
    fc.assert(
      fc.property(
        fc.constantFrom('msb' as const, 'lsb' as const, 'lsb-in-entry' as const),
        fc.integer({ min: 1, max: 8 }),
        fc.array(fc.nat(255), { minLength: 1, maxLength: 60 }),
        (order, size, numbers) => {
          const wanted = numbers.map((number) => number % 2 ** size)
          const bits = new Uint8Array(Math.ceil((wanted.length * size) / 8))
          wanted.forEach((value, index) => setEntry(bits, { statusSize: size, order }, index, value))
          assert.deepEqual([...entryValues(bits, size, order, wanted.length)], wanted)
        },
      ),
    ))

  it('find the next set entry in both directions, wrapping around', () => {
    const values = Uint8Array.of(0, 3, 0, 0, 1, 0)
    assert.equal(nextSet(values, 0, 1), 1)
    assert.equal(nextSet(values, 1, 1), 4)
    assert.equal(nextSet(values, 4, 1), 1)
    assert.equal(nextSet(values, 0, -1), 4)
    assert.equal(nextSet(new Uint8Array(3), 0, 1), undefined)
    assert.equal(changesBetween(values, Uint8Array.of(0, 3, 1, 0, 0, 0)), 2)
  })
})
