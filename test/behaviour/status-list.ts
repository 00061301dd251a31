import assert from 'node:assert/strict'
import { gunzipSync, gzipSync } from 'node:zlib'
import { refusedInBothEncodings, toForm } from '../support/refused.js'
import type { Client } from '../support/client.js'
import { RESOURCE_MEMBERS } from '../support/resource-members.js'
import {
  createDid,
  createList,
  freshName,
  itSays,
  unknownDid,
  itOnDatabases,
  listTypesOn,
  type Setup,
} from './suite.js'

const UPDATE = '/credential-status/update/unencrypted'
const CHECK = '/credential-status/check'
const LENGTH = 131072

interface Published {
  resource: Record<string, unknown>
  resourceMetadata: Record<string, unknown> & { resourceId: string; previousVersionId: string | null }
}
interface Updated extends Published {
  updated: boolean
  changed: number[]
  revoked?: boolean
  suspended?: boolean
  unsuspended?: boolean
}
interface Checked {
  checked: boolean
  revoked?: boolean
  suspended?: boolean
  results?: { index: number; revoked?: boolean; suspended?: boolean; status: number; valid: boolean }[]
}
type List = Awaited<ReturnType<typeof createList>>

export const update = (
  client: Client,
  list: List,
  indices: number[],
  statusAction = 'revoke',
  listType = 'BitstringStatusList',
) =>
  client.ok('POST', UPDATE, {
    query: { listType, statusAction },
    json: { ...list, indices },
  }) as Promise<Updated>

export const check = (
  client: Client,
  list: List,
  selection: Record<string, unknown>,
  statusPurpose = 'revocation',
  listType = 'BitstringStatusList',
) =>
  client.ok('POST', CHECK, {
    query: { listType, statusPurpose },
    json: { ...list, ...selection },
  }) as Promise<Checked>

export const search = (
  client: Client,
  list: List,
  statusPurpose = 'revocation',
  listType = 'BitstringStatusList',
) =>
  client.ok('GET', '/credential-status/search', {
    query: { ...list, listType, statusPurpose },
  }) as Promise<Published>

export function statusListSuite(setup: Setup): void {
  for (const listType of listTypesOn(setup)) {
    describe(`status lists of type ${listType}`, () => behaviour(setup, listType))
  }
  describe('StatusList2021 as a resource', () => statusList2021Resource(setup))
  describe('widths of status lists', () => widths(setup))
}

/** What is refused before a list is read or written. */
export function statusListInputSuite(setup: Setup): void {
  for (const listType of listTypesOn(setup)) {
    describe(`bad input for status lists of type ${listType}`, () => badInput(setup, listType))
  }
}

function behaviour(setup: Setup, listType: string): void {
  const { client, stranger } = setup
  const newList = (statusPurpose: string) => createList(client(), { listType, statusPurpose })
  const suspensionAction =
    listType === 'StatusList2021' ? ['suspension', 'suspend'] : ['suspension', 'suspend']

  it('revokes and reports, index 0 and the last one included', async () => {
    const list = await newList('revocation')
    const result = await update(client(), list, [0, 5, LENGTH - 1], 'revoke', listType)
    assert.equal(result.updated, true)
    assert.equal(result.revoked, true)
    assert.deepEqual(result.changed, [0, 5, LENGTH - 1])
    for (const [index, revoked] of [
      [0, true],
      [1, false],
      [5, true],
      [LENGTH - 1, true],
    ] as const) {
      const answer = await check(client(), list, { index }, 'revocation', listType)
      assert.equal(answer.checked, true)
      assert.equal(answer.revoked, revoked, String(index))
    }
  })

  itOnDatabases(setup, 'accepts a form with every notation of a list', async () => {
    const list = await newList('revocation')
    const query = { listType, statusAction: 'revoke' }
    const spellings: Record<string, string | string[]>[] = [
      { indices: ['1', '2'] },
      { 'indices[]': ['3', '4'] },
      { 'indices[0]': '5', 'indices[1]': '6' },
      { indices: '7,8' },
      { indices: '[9,10]' },
      { indices: '0' },
    ]
    for (const indices of spellings) {
      await client().ok('POST', UPDATE, { query, form: { ...list, ...indices } })
    }
    const form = { ...list, indexRangeStart: '0', indexRangeEnd: '11' }
    const answer = (await client().ok('POST', CHECK, {
      query: { listType, statusPurpose: 'revocation' },
      form,
    })) as Checked
    assert.deepEqual(
      answer.results?.filter(({ revoked }) => revoked).map(({ index }) => index),
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    )
  })

  it('returns the documented resource and metadata', async () => {
    const list = await newList('revocation')
    const first = await search(client(), list, 'revocation', listType)
    const { resourceMetadata, resource } = await update(client(), list, [3], 'revoke', listType)
    assert.deepEqual(Object.keys(resourceMetadata), RESOURCE_MEMBERS)
    assert.equal(resourceMetadata.resourceURI, `${list.did}/resources/${resourceMetadata.resourceId}`)
    assert.equal(resourceMetadata.resourceName, list.statusListName)
    assert.equal(resourceMetadata.previousVersionId, first.resourceMetadata.resourceId)
    assert.equal(resourceMetadata.nextVersionId, null)
    assert.match(String(resourceMetadata.checksum), /^[0-9a-f]{64}$/)
    assert.ok(Object.keys(resource).length > 0)
    const read = await search(client(), list, 'revocation', listType)
    assert.deepEqual(read.resourceMetadata, resourceMetadata)
  })

  itSays(setup, 'leaves the resource out where the client prefers that, and nothing else', async () => {
    const statusPurpose = 'revocation'
    const list = { did: await createDid(client()), statusListName: freshName('list') }
    const requests = [
      ['/credential-status/create/unencrypted', { listType, statusPurpose }, list],
      [UPDATE, { listType, statusAction: 'revoke' }, { ...list, indices: [3] }],
    ] as const
    for (const [n, [path, query, json]] of requests.entries()) {
      const send = (prefer?: string) => {
        const headers = { 'idempotency-key': `${list.statusListName}-${n}`, ...(prefer && { prefer }) }
        return client().post(path, { query, json, headers })
      }
      const whole = await send('return=representation, return=minimal')
      const minimal = await send('respond-async, RETURN="minimal"; foo=bar')
      const { resource, ...others } = whole.body as Published
      assert.ok(Object.keys(resource).length > 0)
      assert.deepEqual(minimal.body, others)
      assert.deepEqual([whole.headers.get('preference-applied'), whole.status], [null, 200])
      assert.deepEqual([minimal.headers.get('preference-applied'), minimal.status], ['return=minimal', 200])
    }
    const minimal = await client().post(UPDATE, {
      query: { listType, statusAction: 'revoke' },
      json: { ...list, indices: [4] },
      headers: { prefer: 'return=minimal' },
    })
    assert.deepEqual((minimal.body as Updated).changed, [4])
    assert.ok(!('resource' in (minimal.body as Updated)))
    assert.equal((await check(client(), list, { index: 4 }, statusPurpose, listType)).revoked, true)
  })

  it('uses statusListVersion as the version of the resource, as text', async () => {
    const list = await newList('revocation')
    for (const request of [
      { json: { ...list, indices: [1], statusListVersion: '1.0' } },
      { form: toForm({ ...list, indices: [2], statusListVersion: '2' }) },
    ]) {
      const { resourceMetadata } = (await client().ok('POST', UPDATE, {
        query: { listType, statusAction: 'revoke' },
        ...request,
      })) as Updated
      assert.ok(['1.0', '2'].includes(String(resourceMetadata.resourceVersion)))
    }
    assert.equal((await search(client(), list, 'revocation', listType)).resourceMetadata.resourceVersion, '2')
  })

  it('publishes no version if nothing changes', async () => {
    const list = await newList('revocation')
    const first = await update(client(), list, [7, 7, 8], 'revoke', listType)
    assert.deepEqual(first.changed, [7, 8])
    const second = await update(client(), list, [8, 7], 'revoke', listType)
    assert.equal(second.updated, true)
    assert.deepEqual(second.changed, [])
    assert.equal(second.resourceMetadata.resourceId, first.resourceMetadata.resourceId)
  })

  it('suspends and reinstates', async () => {
    const [purpose = '', action = ''] = suspensionAction
    const list = await newList(purpose)
    const suspended = await update(client(), list, [10, 11], action, listType)
    assert.equal(suspended.suspended, true)
    assert.equal((await check(client(), list, { index: 10 }, purpose, listType)).suspended, true)
    const reinstated = await update(client(), list, [10], 'reinstate', listType)
    assert.equal(reinstated.unsuspended, true)
    const { results } = await check(client(), list, { indices: [10, 11] }, purpose, listType)
    assert.deepEqual(
      results?.map(({ index, suspended }) => [index, suspended]),
      [
        [10, false],
        [11, true],
      ],
    )
  })

  it('keeps revoked entries revoked, and changes nothing in such a call', async () => {
    const list = await newList('revocation')
    await update(client(), list, [1], 'revoke', listType)
    const before = await search(client(), list, 'revocation', listType)
    await refusedInBothEncodings(
      client(),
      UPDATE,
      { ...list, indices: [1] },
      { code: 'irreversible' },
      { query: { listType, statusAction: 'reinstate' } },
    )
    assert.deepEqual(await search(client(), list, 'revocation', listType), before)
  })

  it('merges index, indices and range, and reports each entry', async () => {
    const list = await newList('revocation')
    await update(client(), list, [2, 9], 'revoke', listType)
    const answer = await check(
      client(),
      list,
      { index: 9, indices: [1, 2, 2], indexRangeStart: 3, indexRangeEnd: 5 },
      'revocation',
      listType,
    )
    assert.equal(answer.checked, true)
    assert.equal(answer.revoked, true)
    assert.deepEqual(
      answer.results?.map(({ index, revoked }) => [index, revoked]),
      [
        [1, false],
        [2, true],
        [3, false],
        [4, false],
        [5, false],
        [9, true],
      ],
    )
  })

  it('loses no concurrent update', async () => {
    const list = await newList('revocation')
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => update(client(), list, [n * 3, n * 3 + 1], 'revoke', listType)),
    )
    for (const { updated, changed } of answers) {
      assert.equal(updated, true)
      assert.equal(changed.length, 2)
    }
    const { results = [] } = await check(
      client(),
      list,
      { indexRangeStart: 0, indexRangeEnd: 120 },
      'revocation',
      listType,
    )
    for (const { index, revoked } of results)
      assert.equal(revoked, index < 120 && index % 3 !== 2, String(index))
  })

  it('applies a whole call or nothing', async () => {
    const list = await newList('revocation')
    const before = await search(client(), list, 'revocation', listType)
    await refusedInBothEncodings(
      client(),
      UPDATE,
      { ...list, indices: [1, 2, LENGTH, LENGTH + 5] },
      { code: 'index_out_of_range', path: 'indices[2]', says: /0 to 131071.*indices\[3\]/ },
      { query: { listType, statusAction: 'revoke' } },
    )
    assert.deepEqual(await search(client(), list, 'revocation', listType), before)
    const { results } = await check(client(), list, { indices: [1, 2] }, 'revocation', listType)
    assert.deepEqual(
      results?.map(({ revoked }) => revoked),
      [false, false],
    )
  })

  it('refuses to create a list with a name in use', async () => {
    const list = await newList('revocation')
    await update(client(), list, [1], 'revoke', listType)
    await refusedInBothEncodings(
      client(),
      '/credential-status/create/unencrypted',
      list,
      { code: 'list_exists' },
      { query: { listType, statusPurpose: 'revocation' } },
    )
    assert.equal((await check(client(), list, { index: 1 }, 'revocation', listType)).revoked, true)
  })

  it('allows checks by everybody, and updates by the publisher only', async () => {
    const list = await newList('revocation')
    const before = await search(client(), list, 'revocation', listType)
    const query = { listType, statusAction: 'revoke' }
    const foreign = await stranger().post(UPDATE, { query, json: { ...list, indices: [1] } })
    const unknown = await stranger().post(UPDATE, { query, json: { ...list, did: unknownDid, indices: [1] } })
    const sentence = ({ body }: typeof foreign) =>
      (body as { error: string }).error.replace(/did:cheqd:[\w:-]+/, '<did>')
    assert.equal(foreign.status, 400)
    assert.equal(unknown.status, 400)
    assert.equal(sentence(foreign), sentence(unknown))
    assert.deepEqual(await search(client(), list, 'revocation', listType), before)
    assert.equal((await check(stranger(), list, { index: 1 }, 'revocation', listType)).revoked, false)
  })
}

function badInput(setup: Setup, listType: string): void {
  const { client } = setup
  const newList = (statusPurpose: string) => createList(client(), { listType, statusPurpose })
  let list: List
  before(async () => {
    list = await newList('revocation')
  })
  const updates: [string, unknown, string, string?][] = [
    ['-1', [-1], 'indices[0]'],
    ['1.5', [1.5], 'indices[0]'],
    ['"a"', ['a'], 'indices[0]'],
    ['2^53', [2 ** 53], 'indices[0]'],
    ['the length', [LENGTH], 'indices[0]', 'index_out_of_range'],
    ['an empty array', [], 'indices'],
    ['too many indices', Array.from({ length: 10_001 }, (_, n) => n), 'indices'],
  ]
  for (const [title, indices, path, code] of updates) {
    it(`refuses to update ${title}`, () =>
      refusedInBothEncodings(
        client(),
        UPDATE,
        { ...list, indices },
        { path, ...(code && { code }) },
        { query: { listType, statusAction: 'revoke' } },
      ))
    it(`refuses to check ${title}`, () =>
      refusedInBothEncodings(
        client(),
        CHECK,
        { ...list, indices },
        { path, ...(code && { code }) },
        { query: { listType, statusPurpose: 'revocation' } },
      ))
  }
  it('refuses an unknown list type and lists the known ones', async () => {
    for (const [path, query] of [
      [UPDATE, { listType: 'Nope', statusAction: 'revoke' }],
      [CHECK, { listType: 'Nope', statusPurpose: 'revocation' }],
    ] as const) {
      await refusedInBothEncodings(
        client(),
        path,
        { ...list, indices: [1] },
        { path: 'listType', says: /BitstringStatusList/ },
        { query },
      )
    }
  })
  it('refuses an unknown list', async () => {
    const unknown = { ...list, statusListName: 'nobody-knows' }
    await refusedInBothEncodings(
      client(),
      UPDATE,
      { ...unknown, indices: [1] },
      { code: 'list_not_found', path: 'statusListName' },
      { query: { listType, statusAction: 'revoke' } },
    )
    await refusedInBothEncodings(
      client(),
      CHECK,
      { ...unknown, index: 1 },
      { code: 'list_not_found', path: 'statusListName' },
      { query: { listType, statusPurpose: 'revocation' } },
    )
    const found = await client().get('/credential-status/search', {
      query: { ...unknown, listType, statusPurpose: 'revocation' },
    })
    assert.equal(found.status, 404)
  })
  for (const statusAction of ['explode', '1abc', '0x9', '']) {
    it(`refuses the action "${statusAction}"`, () =>
      refusedInBothEncodings(
        client(),
        UPDATE,
        { ...list, indices: [1] },
        { path: 'statusAction' },
        { query: { listType, statusAction } },
      ))
  }
  it('refuses a purpose that the list does not have', () =>
    refusedInBothEncodings(
      client(),
      CHECK,
      { ...list, index: 1 },
      {},
      { query: { listType, statusPurpose: 'suspension' } },
    ))
  it('refuses an unknown purpose', () =>
    refusedInBothEncodings(
      client(),
      CHECK,
      { ...list, index: 1 },
      { path: 'statusPurpose' },
      { query: { listType, statusPurpose: 'fun' } },
    ))
  it('requires an index to check', () =>
    refusedInBothEncodings(
      client(),
      CHECK,
      { ...list },
      { says: /index/ },
      { query: { listType, statusPurpose: 'revocation' } },
    ))
  it('refuses half a range and a reversed range', async () => {
    const query = { listType, statusPurpose: 'revocation' }
    await refusedInBothEncodings(
      client(),
      CHECK,
      { ...list, indexRangeStart: 1 },
      { path: 'indexRangeEnd' },
      { query },
    )
    await refusedInBothEncodings(
      client(),
      CHECK,
      { ...list, indexRangeEnd: 1 },
      { path: 'indexRangeStart' },
      { query },
    )
    await refusedInBothEncodings(
      client(),
      CHECK,
      { ...list, indexRangeStart: 5, indexRangeEnd: 4 },
      { path: 'indexRangeEnd' },
      { query },
    )
  })
  it('refuses a huge range before expanding it', () =>
    refusedInBothEncodings(
      client(),
      CHECK,
      { ...list, indexRangeStart: 0, indexRangeEnd: 9_007_199_254_740_991 },
      { path: 'indexRangeEnd' },
      { query: { listType, statusPurpose: 'revocation' } },
    ))
  it('refuses a statusListCredential of another list, and never fetches a URL', async () => {
    const query = { listType, statusPurpose: 'revocation' }
    for (const statusListCredential of [
      'http://127.0.0.1:1/list',
      `${list.did}?resourceName=other&resourceType=BitstringStatusListCredential`,
    ]) {
      await refusedInBothEncodings(
        client(),
        CHECK,
        { ...list, index: 1, statusListCredential },
        { path: 'statusListCredential' },
        { query },
      )
    }
  })
  it("refuses a statusSize that differs from the list's", () =>
    refusedInBothEncodings(
      client(),
      CHECK,
      { ...list, index: 1, statusSize: 4 },
      { path: 'statusSize' },
      { query: { listType, statusPurpose: 'revocation' } },
    ))
  it('refuses query parameters that contradict the body, and accepts those that agree', async () => {
    await refusedInBothEncodings(
      client(),
      CHECK,
      { ...list, index: 1, listType: 'Other' },
      { path: 'listType' },
      { query: { listType, statusPurpose: 'revocation' } },
    )
    await client().ok('POST', CHECK, {
      query: { listType, statusPurpose: 'revocation' },
      json: { ...list, index: 1, listType },
    })
  })
  it('requires query parameters in the query', () =>
    refusedInBothEncodings(
      client(),
      CHECK,
      { ...list, index: 1, listType, statusPurpose: 'revocation' },
      { path: 'listType' },
    ))
  it('refuses a short list', async () => {
    const fresh = { did: await createDid(client()), statusListName: freshName('list') }
    await refusedInBothEncodings(
      client(),
      '/credential-status/create/unencrypted',
      { ...fresh, length: 1000 },
      { path: 'length' },
      { query: { listType, statusPurpose: 'revocation' } },
    )
  })
}

function statusList2021Resource({ client }: Setup): void {
  it('is the JSON of the contract, with the requested bits', async () => {
    const list = await createList(client(), { listType: 'StatusList2021' })
    const { resource, resourceMetadata } = await update(client(), list, [5], 'revoke', 'StatusList2021')
    const { StatusList2021, metadata } = resource as {
      StatusList2021: { encodedList: string; type: string; validFrom: string; statusPurpose: string }
      metadata: Record<string, unknown>
    }
    assert.equal(StatusList2021.type, 'StatusList2021Revocation')
    assert.equal(StatusList2021.statusPurpose, 'revocation')
    assert.ok(!Number.isNaN(Date.parse(StatusList2021.validFrom)))
    assert.deepEqual(metadata, { type: 'StatusList2021Revocation', encoding: 'base64url', encrypted: false })
    assert.equal(resourceMetadata.resourceType, 'StatusList2021Revocation')
    assert.equal(resourceMetadata.mediaType, 'application/json')
    const bits = gunzipSync(Buffer.from(StatusList2021.encodedList, 'base64url'))
    assert.equal(bits.length, 16384)
    assert.equal(bits[0], 0b0000_0100)
  })

  it('keeps one list for each purpose under one name', async () => {
    const did = await createDid(client())
    const statusListName = freshName('list')
    for (const statusPurpose of ['revocation', 'suspension']) {
      await client().ok('POST', '/credential-status/create/unencrypted', {
        query: { listType: 'StatusList2021', statusPurpose },
        json: { did, statusListName },
      })
    }
    const list = { did, statusListName }
    await update(client(), list, [1], 'revoke', 'StatusList2021')
    await update(client(), list, [2], 'suspend', 'StatusList2021')
    const revoked = await check(client(), list, { indices: [1, 2] }, 'revocation', 'StatusList2021')
    const suspended = await check(client(), list, { indices: [1, 2] }, 'suspension', 'StatusList2021')
    assert.deepEqual(
      revoked.results?.map(({ revoked }) => revoked),
      [true, false],
    )
    assert.deepEqual(
      suspended.results?.map(({ suspended }) => suspended),
      [false, true],
    )
  })
}

function widths({ client }: Setup): void {
  const messagesOf = (statusSize: number) =>
    Array.from({ length: 2 ** statusSize }, (_, value) => ({
      status: `0x${value.toString(16)}`,
      message: `state ${value}`,
    }))
  const query = { listType: 'BitstringStatusList', statusPurpose: 'message' }

  it('refuses new lists of 3, 5, 6 and 7 bits, and names the possible widths', async () => {
    const did = await createDid(client())
    for (const statusSize of [3, 5, 6, 7]) {
      const fields = {
        did,
        statusListName: freshName('list'),
        statusSize,
        statusMessages: messagesOf(statusSize),
      }
      const { status, body } = await client().post('/credential-status/create/unencrypted', {
        query,
        json: fields,
      })
      assert.equal(status, 400)
      const { details } = body as { details: unknown }
      assert.deepEqual(details, [{ path: 'statusSize', message: `${statusSize} is not one of 1, 2, 4, 8` }])
    }
  })

  for (const statusSize of [3, 5, 6, 7]) {
    it(`reads, checks and updates an existing list of ${statusSize} bits in its layout`, async () => {
      const list = await existingList(statusSize)
      const values = async () => {
        const { results } = await check(client(), list, { indices: [0, 7, LENGTH - 1] }, 'message')
        return results?.map(({ status }) => status)
      }
      assert.deepEqual(await values(), [0, 0, 0])
      const highest = 2 ** statusSize - 1
      await update(client(), list, [7], `state ${highest}`)
      await update(client(), list, [LENGTH - 1], '0x5')
      assert.deepEqual(await values(), [0, highest, 5])
      const { resource } = await search(client(), list, 'message')
      assert.equal((resource as { metadata: { statusSize: number } }).metadata.statusSize, statusSize)
    })
  }

  /** Published by its own DID, as software that creates such lists does. */
  async function existingList(statusSize: number): Promise<List> {
    const list = { did: await createDid(client()), statusListName: freshName('list') }
    const type = 'BitstringStatusListCredential'
    const encodedList = `u${gzipSync(Buffer.alloc((LENGTH * statusSize) / 8)).toString('base64url')}`
    const id = `${list.did}?resourceName=${list.statusListName}&resourceType=${type}`
    const payload = {
      '@context': ['https://www.w3.org/ns/credentials/v2'],
      id,
      type: ['VerifiableCredential', type],
      issuer: list.did,
      credentialSubject: {
        id: `${id}#list`,
        type: 'BitstringStatusList',
        statusPurpose: 'message',
        encodedList,
        statusSize,
        statusMessages: messagesOf(statusSize),
      },
    }
    const data = await client().ok('POST', '/agent/didJwtCreate', {
      json: { did: list.did, payload, header: { typ: 'vc+jwt', cty: 'vc' } },
    })
    const { status, body } = await client().post(`/resource/create/${list.did}`, {
      json: { name: list.statusListName, type, data, encoding: 'utf-8' },
    })
    assert.equal(status, 201, JSON.stringify(body))
    return list
  }
}
