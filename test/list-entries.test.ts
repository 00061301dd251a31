import assert from 'node:assert/strict'
import { gunzipSync } from 'node:zlib'
import type { StatusListEntries, StatusListTypeFacts } from '@vidimus/core-types'
import { createDid } from './behaviour/suite.js'
import { Client } from './support/client.js'
import { PLUGIN_TYPE, withPluginType } from './support/plugin-type.js'
import { assertRefused } from './support/refused.js'
import { Service } from './support/service.js'

interface Case {
  listType: string
  statusPurpose: string
  statusSize?: number
  /** how an index is changed, and the value of it then */
  changes: [action: string, index: number, value: number][]
}

const CASES: Case[] = [
  { listType: 'BitstringStatusList', statusPurpose: 'revocation', changes: [['revoke', 9, 1]] },
  { listType: 'StatusList2021', statusPurpose: 'suspension', changes: [['suspend', 7, 1]] },
  {
    listType: 'TokenStatusList',
    statusPurpose: 'revocation',
    statusSize: 4,
    changes: [
      ['revoke', 8, 1],
      ['0xc', 131_071, 12],
    ],
  },
  { listType: PLUGIN_TYPE, statusPurpose: 'revocation', changes: [['revoke', 11, 1]] },
]

describe('the entries of a list', () => {
  let service: Service
  let client: Client
  let did: string
  before(async () => {
    service = await Service.start({ configure: withPluginType })
    client = await Client.of(service.url, service.apiKey)
    did = await createDid(client)
  })
  after(() => service.stop())

  const entries = async (query: Record<string, string>) =>
    (await client.ok('GET', '/credential-status/entries', { query: { did, ...query } })) as StatusListEntries
  const create = (listType: string, statusPurpose: string, json: object) =>
    client.ok('POST', '/credential-status/create/unencrypted', {
      query: { listType, statusPurpose },
      json: { did, ...json },
    })

  for (const { listType, statusPurpose, statusSize, changes } of CASES) {
    it(`are read as its type reads them, with what values mean: ${listType}`, async () => {
      const list = { did, statusListName: `entries of ${listType}` }
      await create(listType, statusPurpose, { ...list, ...(statusSize && { statusSize }) })
      const name = { statusListName: list.statusListName, listType }
      const before = await entries(name)
      assert.deepEqual(
        before.values.filter((one) => one.entries > 0).map((one) => [one.value, one.entries, one.valid]),
        [[0, before.length, true]],
      )
      for (const [statusAction, index] of changes) {
        await client.ok('POST', '/credential-status/update/unencrypted', {
          query: { listType, statusAction },
          json: { ...list, indices: [index] },
        })
      }
      const after = await entries(name)
      assert.equal(after.statusSize, statusSize ?? 1)
      assert.equal(after.untrusted, undefined)
      for (const [, index, value] of changes) assert.equal(valueAt(after, index), value)
      assert.equal(valueAt(after, 12), 0)
      const changed = after.values.filter((one) => one.value !== 0 && one.entries > 0)
      assert.deepEqual(
        changed.map((one) => [one.value, one.entries, one.valid]),
        changes.map(([, , value]) => [value, 1, false]),
      )
      for (const { value, revoked, suspended, actions } of changed) {
        if (value !== 1) continue
        assert.equal(Boolean(statusPurpose === 'revocation' ? revoked : suspended), true)
        assert.deepEqual(actions, statusPurpose === 'revocation' ? [] : ['reinstate'])
      }
      // what checks report, of the same entries
      const range = { did, statusListName: list.statusListName, indexRangeStart: 0, indexRangeEnd: 99 }
      const { results } = (await client.ok('POST', '/credential-status/check', {
        query: { listType, statusPurpose },
        json: range,
      })) as { results: { index: number; status: number }[] }
      for (const { index, status } of results) assert.equal(valueAt(after, index), status)
      const older = await entries({ ...name, resourceId: before.resourceId })
      assert.deepEqual(older, before)
    })
  }

  it('of an encrypted list are not told', async () => {
    const query = { listType: 'BitstringStatusList', statusPurpose: 'revocation' }
    const json = { did, statusListName: 'sealed' }
    await client.ok('POST', '/credential-status/create/encrypted', { query, json })
    const { encrypted, length, bits, values } = await entries({
      statusListName: 'sealed',
      listType: query.listType,
    })
    assert.deepEqual([encrypted, length, bits, values], [true, 0, undefined, []])
  })

  it('are not those of another list, type or version', async () => {
    const listType = 'BitstringStatusList'
    await create(listType, 'revocation', { statusListName: 'one' })
    await create(listType, 'revocation', { statusListName: 'other' })
    const { resourceId } = await entries({ statusListName: 'one', listType })
    for (const query of [
      { statusListName: 'none', listType },
      { statusListName: 'other', listType, resourceId },
      { statusListName: 'one', listType: 'TokenStatusList', resourceId },
      { statusListName: 'one', listType, resourceType: 'Other' },
      { statusListName: 'one', listType, resourceId: 'none' },
    ]) {
      const answer = await client.get('/credential-status/entries', { query: { did, ...query } })
      assertRefused(answer, { status: 404, code: 'list_not_found' })
    }
  })

  it('are of types that are listed', async () => {
    const { types } = (await client.ok('GET', '/credential-status/types')) as { types: StatusListTypeFacts[] }
    assert.deepEqual(
      types.map(({ type, embedsProofs }) => [type, embedsProofs]),
      [
        ['StatusList2021', false],
        ['BitstringStatusList', true],
        ['TokenStatusList', false],
        [PLUGIN_TYPE, false],
      ],
    )
    assert.equal(types.find(({ type }) => type === PLUGIN_TYPE)?.minLength, 100_000)
  })
})

/** Bit by bit, as docs/status-lists.md has it. */
function valueAt({ bits = '', statusSize, order }: StatusListEntries, index: number): number {
  const bytes = gunzipSync(Buffer.from(bits, 'base64url'))
  let value = 0
  for (let n = 0; n < statusSize; n++) {
    const position = index * statusSize + n
    const byte = bytes[Math.floor(position / 8)] ?? 0
    const fromLeft = order !== 'lsb'
    const bit = (byte >> (fromLeft ? 7 - (position % 8) : position % 8)) & 1
    value |= bit << (order === 'msb' ? statusSize - 1 - n : n)
  }
  return value
}
