import assert from 'node:assert/strict'
import { decodeJwt } from 'jose'
import { assertRefused, refusedInBothEncodings } from '../support/refused.js'
import type { Client } from '../support/client.js'
import { createSharedDid } from '../support/signed-elsewhere.js'
import { check, search, update } from './status-list.js'
import { createDid, createList, freshName, itSays, listTypesOn, type Setup } from './suite.js'

const LENGTH = 131072

export interface Entry {
  id: string
  type: string
  statusPurpose: string
  statusListIndex: string
  statusListCredential?: string
}
export interface Credential extends Record<string, unknown> {
  '@context': string[]
  credentialStatus: Entry
  proof: { type: string; jwt: string }
}
interface Verdict {
  verified: boolean
  checks: { check: string; ok: boolean }[]
  statuses?: { purpose: string; list: string; index: number; valid: boolean; revoked?: boolean }[]
  problems?: { path: string; message: string }[]
}
interface Updated {
  updated: boolean
  changed: number[]
  revoked?: boolean
  suspended?: boolean
  unsuspended?: boolean
  published: boolean
  did: string
  statusListName: string
  listType: string
  index: number
  resourceMetadata: { resourceId: string; resourceVersion: string }
}
interface Bits {
  getStatus(index: number): boolean
}
interface ListModule {
  decodeList: (options: { encodedList: string }) => Promise<Bits>
}

// These packages come without types.
const load = async (name: string): Promise<unknown> => import(name)

export const issueWithStatus = (client: Client, issuerDid: string, credentialStatus: unknown) =>
  client.ok('POST', '/credential/issue', {
    json: { issuerDid, type: ['Member'], attributes: { name: 'Bob' }, credentialStatus },
  }) as Promise<Credential>

const act = (client: Client, action: string, credential: unknown, query: Record<string, string> = {}) =>
  client.ok('POST', `/credential/${action}`, { query, json: { credential } }) as Promise<Updated>

const verify = (client: Client, credential: unknown) =>
  client.ok('POST', '/credential/verify', { json: { credential } }) as Promise<Verdict>

const indexOf = ({ credentialStatus }: Credential): number => Number(credentialStatus.statusListIndex)

const message = (value: string) => ({ status: `0x${value}`, message: value })

const reasons = ({ problems = [] }: Verdict): string => problems.map(({ message }) => message).join('; ')

export function credentialStatusSuite(setup: Setup): void {
  const { client } = setup
  let issuer: string
  before(async () => {
    issuer = await createDid(client())
  })
  const forIssuer = () => issuer
  for (const listType of listTypesOn(setup, ['StatusList2021', 'BitstringStatusList'])) {
    describe(`a credential with an entry of a ${listType}`, () => {
      revocation(setup, forIssuer, listType)
      suspension(setup, forIssuer, listType)
    })
  }
  describe('a credential with several purposes', () => severalPurposes(setup, forIssuer))
  describe('requesting an entry', () => requests(setup, forIssuer))
  describe('updating by credential', () => updates(setup, forIssuer))
  describe('indices', () => indices(setup, forIssuer))
}

function revocation({ client, stranger }: Setup, issuer: () => string, listType: string): void {
  it('is permanently revoked for every verifier', async () => {
    const list = await createList(client(), { did: issuer(), listType })
    const credential = await issueWithStatus(client(), issuer(), { statusListName: list.statusListName })
    const index = indexOf(credential)
    assert.equal(credential.credentialStatus.type, `${listType}Entry`)
    assert.ok(index >= 0 && index < LENGTH)
    const claims = decodeJwt<{ vc: Record<string, unknown> }>(credential.proof.jwt)
    assert.deepEqual(claims.vc.credentialStatus, credential.credentialStatus)
    assert.deepEqual(claims.vc['@context'], credential['@context'])

    const before = await verify(client(), credential)
    assert.equal(before.verified, true)
    assert.deepEqual(
      before.statuses?.map(({ purpose, index, valid }) => [purpose, index, valid]),
      [['revocation', index, true]],
    )
    assert.equal(await oracle(client(), list, listType, index), false)

    const revoked = await act(client(), 'revoke', credential.proof.jwt)
    assert.deepEqual(
      [revoked.updated, revoked.revoked, revoked.published, revoked.changed],
      [true, true, true, [index]],
    )
    assert.deepEqual(
      [revoked.did, revoked.statusListName, revoked.listType, revoked.index],
      [issuer(), list.statusListName, listType, index],
    )
    assert.equal(await oracle(client(), list, listType, index), true)
    for (const each of [client(), stranger()]) {
      for (const form of [credential, credential.proof.jwt]) {
        const after = await verify(each, form)
        assert.equal(after.verified, false)
        assert.match(reasons(after), new RegExp(`it is revoked .*${index}.*${list.statusListName}`))
        assert.equal(after.statuses?.[0]?.revoked, true)
      }
    }
    assert.equal((await check(client(), list, { index }, 'revocation', listType)).revoked, true)

    const again = await act(client(), 'revoke', credential)
    assert.deepEqual([again.updated, again.changed], [true, []])
    assert.equal(again.resourceMetadata.resourceId, revoked.resourceMetadata.resourceId)
    for (const action of ['reinstate', 'suspend']) {
      const answer = await client().post(`/credential/${action}`, { json: { credential } })
      assertRefused(answer, {
        code: action === 'reinstate' ? 'irreversible' : 'purpose_mismatch',
        path: 'credential',
      })
    }
  })
}

function suspension({ client }: Setup, issuer: () => string, listType: string): void {
  it('is suspended and reinstated', async () => {
    const list = await createList(client(), { did: issuer(), listType, statusPurpose: 'suspension' })
    const credential = await issueWithStatus(client(), issuer(), {
      statusListName: list.statusListName,
      statusListType: listType,
      statusPurpose: 'suspension',
    })
    const index = indexOf(credential)
    const { statusListName } = list
    const suspended = await client().ok('POST', '/credential/suspend', {
      form: { credential: credential.proof.jwt, statusListVersion: '2' },
    })
    assert.equal((suspended as Updated).suspended, true)
    assert.equal((suspended as Updated).resourceMetadata.resourceVersion, '2')
    const verdict = await verify(client(), credential)
    assert.equal(verdict.verified, false)
    assert.match(reasons(verdict), new RegExp(`it is suspended .*${index}.*${statusListName}`))
    const reinstated = await act(client(), 'reinstate', credential, { listType })
    assert.deepEqual([reinstated.unsuspended, reinstated.changed], [true, [index]])
    assert.equal((await verify(client(), credential)).verified, true)
    assertRefused(await client().post('/credential/revoke', { json: { credential } }), {
      code: 'purpose_mismatch',
      path: 'credential',
    })
  })
}

function severalPurposes({ client }: Setup, issuer: () => string): void {
  it('has one index in one list, whose messages give the status', async () => {
    const { statusListName } = await createList(client(), {
      did: issuer(),
      statusPurpose: ['message', 'revocation', 'suspension'],
      body: { statusSize: 2 },
    })
    const statusPurpose = ['revocation', 'suspension', 'message']
    const credential = await issueWithStatus(client(), issuer(), { statusListName, statusPurpose })
    const entries = credential.credentialStatus as unknown as (Entry & { statusSize: number })[]
    assert.deepEqual(
      entries.map((entry) => [entry.statusPurpose, entry.statusSize]),
      statusPurpose.map((purpose) => [purpose, 2]),
    )
    assert.equal(new Set(entries.map(({ statusListIndex }) => statusListIndex)).size, 1)
    assert.equal((await act(client(), 'suspend', credential)).suspended, true)
    assert.match(reasons(await verify(client(), credential)), /it is suspended/)
    assert.equal((await act(client(), 'reinstate', credential)).unsuspended, true)
    assert.equal((await verify(client(), credential)).verified, true)
    assert.equal((await act(client(), 'revoke', credential)).revoked, true)
    assert.match(reasons(await verify(client(), credential)), /it is revoked/)
    const answer = await client().post('/credential/reinstate', { json: { credential } })
    assertRefused(answer, { code: 'irreversible', path: 'credential' })
  })

  it('follows the messages of a list without another purpose', async () => {
    const { statusListName } = await createList(client(), { did: issuer(), statusPurpose: 'message' })
    const credential = await issueWithStatus(client(), issuer(), { statusListName })
    await act(client(), 'suspend', credential)
    assert.equal((await verify(client(), credential)).verified, false)
    await act(client(), 'reinstate', credential)
    assert.equal((await verify(client(), credential)).verified, true)
    await act(client(), 'revoke', credential)
    assert.match(reasons(await verify(client(), credential)), /it is revoked/)
  })

  it('has one index in the two lists of a StatusList2021', async () => {
    const listType = 'StatusList2021'
    const list = await createList(client(), { did: issuer(), listType })
    await client().ok('POST', '/credential-status/create/unencrypted', {
      query: { listType, statusPurpose: 'suspension' },
      json: list,
    })
    const { statusListName } = list
    const credential = await issueWithStatus(client(), issuer(), {
      statusListName,
      statusPurpose: ['revocation', 'suspension'],
    })
    const entries = credential.credentialStatus as unknown as Entry[]
    assert.deepEqual(
      entries.map(({ id }) => /StatusList2021(\w+)#/.exec(id)?.[1]),
      ['Revocation', 'Suspension'],
    )
    assert.equal(new Set(entries.map(({ statusListIndex }) => statusListIndex)).size, 1)
    await act(client(), 'suspend', credential)
    assert.match(reasons(await verify(client(), credential)), /it is suspended/)
    await act(client(), 'reinstate', credential)
    await act(client(), 'revoke', credential)
    assert.match(reasons(await verify(client(), credential)), /it is revoked/)
    assertRefused(
      await client().post('/credential/issue', {
        json: { issuerDid: issuer(), attributes: { a: 1 }, credentialStatus: { statusListName } },
      }),
      { code: 'invalid_input', path: 'credentialStatus.statusPurpose', says: /revocation, suspension/ },
    )
  })

  it('can be written as several requests, combined with ready-made entries', async () => {
    const [one, other] = await Promise.all([
      createList(client(), { did: issuer() }),
      createList(client(), { did: issuer(), listType: 'StatusList2021', statusPurpose: 'suspension' }),
    ])
    const ready = (await issueWithStatus(client(), issuer(), { statusListName: one.statusListName }))
      .credentialStatus
    const credential = await issueWithStatus(client(), issuer(), [
      { statusListName: other.statusListName },
      ready,
      { statusListName: one.statusListName },
    ])
    const entries = credential.credentialStatus as unknown as Entry[]
    assert.deepEqual(
      entries.map(({ type }) => type),
      ['StatusList2021Entry', 'BitstringStatusListEntry', 'BitstringStatusListEntry'],
    )
    assert.deepEqual(entries[1], ready)
    assert.notEqual(entries[2]?.statusListIndex, ready.statusListIndex)
    assert.equal((await verify(client(), credential)).verified, true)
    assert.deepEqual(credential['@context'].slice(1).sort(), [
      'https://w3id.org/vc/status-list/2021/v1',
      'https://www.w3.org/ns/credentials/status/v1',
    ])
    // two entries about revocation: ambiguous
    assertRefused(await client().post('/credential/revoke', { json: { credential } }), {
      code: 'invalid_input',
      path: 'credential',
    })
    assert.equal((await act(client(), 'suspend', credential)).statusListName, other.statusListName)
  })
}

function requests({ client, stranger, remote }: Setup, issuer: () => string): void {
  const body = (credentialStatus: unknown) => ({
    issuerDid: issuer(),
    attributes: { name: 'Bob' },
    credentialStatus,
  })
  // The messages are those of the API; the schema of the plugin locates the arguments of a remote agent.
  const refused = (credentialStatus: unknown, { says, ...place }: Parameters<typeof assertRefused>[1]) =>
    refusedInBothEncodings(client(), '/credential/issue', body(credentialStatus), {
      ...place,
      ...(says && !remote && { says }),
    })

  let name: string
  before(async () => {
    name = (await createList(client(), { did: issuer() })).statusListName
  })

  const bad: [string, () => unknown, { path: string; code?: string; says?: RegExp }][] = [
    ['neither request nor entry', () => ({}), { path: 'credentialStatus', says: /statusListName/ }],
    ['text', () => 'x', { path: 'credentialStatus' }],
    ['an empty list', () => [], { path: 'credentialStatus' }],
    [
      'too many entries',
      () => Array.from({ length: 17 }, () => ({ statusListName: name })),
      { path: 'credentialStatus' },
    ],
    [
      'an unknown list',
      () => ({ statusListName: 'nowhere' }),
      { code: 'list_not_found', path: 'credentialStatus.statusListName' },
    ],
    [
      'an unknown type',
      () => ({ statusListName: name, statusListType: 'Other' }),
      { code: 'unknown_list_type', path: 'credentialStatus.listType' },
    ],
    [
      'a type without such a list',
      () => ({ statusListName: name, listType: 'StatusList2021' }),
      { code: 'list_not_found', path: 'credentialStatus.statusListName' },
    ],
    [
      'two list types with such a name',
      () => ({ statusListName: name, listType: 'StatusList2021', statusListType: 'BitstringStatusList' }),
      { path: 'credentialStatus.statusListType' },
    ],
    [
      'a purpose that the list does not have',
      () => [{ statusListName: name, statusPurpose: 'suspension' }],
      { code: 'purpose_mismatch', path: 'credentialStatus[0].statusPurpose', says: /revocation/ },
    ],
    [
      'an index beyond the end',
      () => ({ statusListName: name, statusListIndex: LENGTH }),
      { code: 'index_out_of_range', path: 'credentialStatus.statusListIndex' },
    ],
    [
      'a malformed index',
      () => ({ statusListName: name, statusListIndex: '1e3' }),
      { path: 'credentialStatus.statusListIndex' },
    ],
    [
      'a choice of free indices',
      () => ({ statusListName: name, statusListRangeStart: 5, indexNotIn: [1] }),
      { path: 'credentialStatus.statusListRangeStart', says: /random free index/ },
    ],
    [
      'a typo',
      () => ({ statusListName: name, statusPurpos: 'revocation' }),
      { path: 'credentialStatus.statusPurpos', says: /did you mean \\"statusPurpose\\"/ },
    ],
    [
      'an unreadable ready-made entry',
      () => ({ type: 'BitstringStatusListEntry', statusPurpose: 'revocation', statusListIndex: '12abc' }),
      { path: 'credentialStatus', says: /statusListIndex/ },
    ],
  ]
  for (const [title, credentialStatus, refusal] of bad) {
    it(`refuses ${title}`, () => refused(credentialStatus(), refusal))
  }

  it('uses no index if the call is refused', async () => {
    const list = { statusListName: name, statusListIndex: 23 }
    const entry = (await issueWithStatus(client(), issuer(), { statusListName: name })).credentialStatus
    const ready = { ...entry, id: entry.id?.replace(/#.*/, '#24'), statusListIndex: '24' }
    const nowhere = { statusListName: 'nowhere' }
    await refused([list, ready, nowhere, { ...list, did: issuer(), statusPurpose: 'refresh' }], {
      code: 'list_not_found',
      path: 'credentialStatus[2].statusListName',
    })
    await refused([{ ...list, statusListIndex: 24 }, list, list], {
      code: 'index_taken',
      path: 'credentialStatus[2].statusListIndex',
    })
    for (const statusListIndex of [23, 24]) {
      const { credentialStatus } = await issueWithStatus(client(), issuer(), { ...list, statusListIndex })
      assert.equal(indexOf({ credentialStatus } as Credential), statusListIndex)
    }
  })

  it("refuses another account's list as if it did not exist", async () => {
    const foreign = await createList(stranger())
    for (const did of [foreign.did, 'did:cheqd:testnet:8fa85f64-5717-4562-b3fc-2c963f66afa6']) {
      await refused(
        { statusListName: foreign.statusListName, did },
        { code: 'did_not_found', path: 'credentialStatus.did' },
      )
    }
  })

  it('reports that lists of two types have the name', async () => {
    const list = await createList(client(), { did: issuer() })
    await client().ok('POST', '/credential-status/create/unencrypted', {
      query: { listType: 'StatusList2021', statusPurpose: 'revocation' },
      json: list,
    })
    const { statusListName } = list
    await refused(
      { statusListName },
      { path: 'credentialStatus.listType', says: /StatusList2021, BitstringStatusList/ },
    )
    const credential = await issueWithStatus(client(), issuer(), {
      statusListName,
      listType: 'StatusList2021',
    })
    assert.equal(credential.credentialStatus.type, 'StatusList2021Entry')
  })

  it('accepts a list of another DID of the account', async () => {
    const list = await createList(client())
    const credential = await issueWithStatus(client(), issuer(), list)
    assert.ok(credential.credentialStatus.statusListCredential?.startsWith(list.did))
    assert.equal((await verify(client(), credential)).verified, true)
    assert.equal((await act(client(), 'revoke', credential)).did, list.did)
    assert.match(reasons(await verify(client(), credential)), /it is revoked/)
  })

  it('accepts a request in a form, as JSON and in brackets', async () => {
    const forms = [
      { credentialStatus: JSON.stringify({ statusListName: name, statusListIndex: 17 }) },
      { 'credentialStatus[statusListName]': name, 'credentialStatus[statusListIndex]': '18' },
      { 'credentialStatus[0][statusListName]': name, 'credentialStatus[0][statusListIndex]': '0' },
    ]
    for (const [n, expected] of [17, 18, 0].entries()) {
      const { credentialStatus } = (await client().ok('POST', '/credential/issue', {
        form: { issuerDid: issuer(), attributes: '{"name":"Bob"}', ...forms[n] },
      })) as Credential
      assert.equal([credentialStatus].flat()[0]?.statusListIndex, String(expected))
    }
  })

  it('takes no index if the call is refused', async () => {
    const { statusListName } = await createList(client(), { did: issuer() })
    const credentialStatus = { statusListName, statusListIndex: 5 }
    const foreign = await createDid(stranger())
    for (const change of [
      { expirationDate: '2020-01-01T00:00:00Z' },
      { issuerDid: foreign },
      { attributes: {} },
      { attributes: { id: foreign } },
      { subjectDid: foreign, attributes: { id: issuer(), name: 'Bob' } },
    ]) {
      const json = { ...body(credentialStatus), ...change }
      assertRefused(await client().post('/credential/issue', { json }), {})
    }
    assert.equal(indexOf(await issueWithStatus(client(), issuer(), credentialStatus)), 5)
  })

  it('refuses an expiry date in the past', () =>
    refusedInBothEncodings(
      client(),
      '/credential/issue',
      { ...body({ statusListName: name }), expirationDate: '2020-01-01T00:00:00Z' },
      { code: 'invalid_input', path: 'expirationDate' },
    ))
}

function updates(setup: Setup, issuer: () => string): void {
  const { client, stranger } = setup
  let list: Awaited<ReturnType<typeof createList>>
  let credential: Credential
  before(async () => {
    list = await createList(client(), { did: issuer() })
    credential = await issueWithStatus(client(), issuer(), { statusListName: list.statusListName })
  })
  const versions = async () => (await search(client(), list)).resourceMetadata.resourceId

  it('is for the publisher only: to others the list looks unknown', async () => {
    const before = await versions()
    for (const action of ['revoke', 'suspend', 'reinstate']) {
      await refusedInBothEncodings(
        stranger(),
        `/credential/${action}`,
        { credential: credential.proof.jwt },
        { code: 'did_not_found', path: 'credential' },
      )
    }
    assert.equal(await versions(), before)
    assert.equal((await verify(stranger(), credential)).verified, true)
  })

  it('trusts nothing that the issuer did not sign', async () => {
    const before = await versions()
    const [header = '', payload = '', signature = ''] = credential.proof.jwt.split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { vc: object }
    const entry = { ...credential.credentialStatus, statusListIndex: '7', id: '' }
    const changed = { ...claims, vc: { ...claims.vc, credentialStatus: entry } }
    const encoded = Buffer.from(JSON.stringify(changed)).toString('base64url')
    const flipped = signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`
    for (const forged of [
      `${header}.${encoded}.${signature}`,
      `${header}.${payload}.${flipped}`,
      `${header}.${payload}.`,
      'garbage',
      { ...credential, credentialStatus: entry },
      { ...credential, proof: undefined },
      {},
    ]) {
      assertRefused(await client().post('/credential/revoke', { json: { credential: forged } }), {
        code: 'invalid_credential',
        path: 'credential',
      })
    }
    assert.equal(await versions(), before)
  })

  it('trusts no issuer of another account, whichever list it names', async () => {
    const theirs = await createDid(stranger())
    const planted = await issueWithStatus(stranger(), theirs, credential.credentialStatus)
    assert.equal((await verify(client(), planted)).verified, true)
    assertRefused(await client().post('/credential/revoke', { json: { credential: planted } }), {
      code: 'invalid_credential',
      path: 'credential',
      says: /issuer/,
    })
    assert.equal((await verify(client(), credential)).verified, true)
  })

  it('reports a credential without an entry', async () => {
    const without = (await client().ok('POST', '/credential/issue', {
      json: { issuerDid: issuer(), attributes: { a: 1 } },
    })) as Credential
    const elsewhere = await issueWithStatus(client(), issuer(), { type: 'Other2030', id: 'urn:x' })
    for (const none of [without, elsewhere]) {
      assertRefused(await client().post('/credential/revoke', { json: { credential: none } }), {
        code: 'invalid_credential',
        path: 'credential',
        says: /no entry/,
      })
    }
    assertRefused(
      await client().post('/credential/revoke', {
        query: { listType: 'StatusList2021' },
        json: { credential },
      }),
      { code: 'invalid_credential', path: 'credential' },
    )
    assert.equal((await verify(client(), elsewhere)).verified, false)
  })

  it('works for an expired credential', async () => {
    const { did, sign } = await createSharedDid(client())
    const { statusListName } = await createList(client(), { did })
    const { credentialStatus } = await issueWithStatus(client(), did, { statusListName })
    const expired = await sign({ credentialStatus }, { exp: 1_600_000_000 })
    assert.equal((await act(client(), 'revoke', expired)).revoked, true)
    const verdict = await verify(client(), expired)
    assert.deepEqual(
      verdict.checks.filter(({ ok }) => !ok).map(({ check }) => check),
      ['validity', 'status'],
    )
  })

  it('refuses an entry that does not match its list', async () => {
    const { did, sign } = await createSharedDid(client())
    const { statusListName } = await createList(client(), { did })
    const { credentialStatus: entry } = await issueWithStatus(client(), did, { statusListName })
    const elsewhere = entry.id.replace(statusListName, 'nowhere').replace(/#.*/, '')
    for (const [change, code] of [
      [{ statusPurpose: 'suspension' }, 'purpose_mismatch'],
      [{ statusListIndex: String(LENGTH) }, 'index_out_of_range'],
      [{ statusListIndex: '1e3' }, 'invalid_credential'],
      [{ statusSize: 2, statusMessage: ['0', '1', '2', '3'].map(message) }, 'invalid_credential'],
      [{ statusListCredential: elsewhere }, 'list_not_found'],
      [{ statusListCredential: 'https://example.com/list' }, 'invalid_credential'],
    ] as const) {
      const credential = await sign({ credentialStatus: { ...entry, ...change } })
      assertRefused(await client().post('/credential/revoke', { json: { credential } }), {
        code,
        path: 'credential',
      })
      assert.equal((await verify(client(), credential)).verified, false, JSON.stringify(change))
    }
  })

  it('says that the host of a list of others cannot be reached', async () => {
    const answer = await client().post('/credential-status/check', {
      query: { listType: 'BitstringStatusList', statusPurpose: 'revocation' },
      json: { statusListCredential: 'https://127.0.0.1:1/list', issuer: issuer(), index: 1 },
    })
    assertRefused(answer, { code: 'list_unreachable' })
  })

  itSays(setup, 'takes one credential in each call, and publishes it', async () => {
    await refusedInBothEncodings(client(), '/credential/revoke', {}, { path: 'credential' })
    assertRefused(await client().post('/credential/revoke', { json: { credential: [credential] } }), {
      path: 'credential',
      says: /call once for each/,
    })
    assertRefused(
      await client().post('/credential/revoke', { query: { publish: 'false' }, json: { credential } }),
      { path: 'publish', says: /every change is published/ },
    )
    const other = await issueWithStatus(client(), issuer(), { statusListName: list.statusListName })
    assert.equal((await act(client(), 'revoke', other, { publish: 'true' })).published, true)
  })

  it('is reflected in a presentation', async () => {
    const holder = await createDid(client())
    const shown = (await client().ok('POST', '/credential/issue', {
      json: {
        issuerDid: issuer(),
        subjectDid: holder,
        attributes: { a: 1 },
        credentialStatus: { statusListName: list.statusListName },
      },
    })) as Credential
    const presentation = await client().ok('POST', '/presentation/create', {
      json: { credentials: [shown], holderDid: holder },
    })
    const judge = () =>
      stranger().ok('POST', '/presentation/verify', { json: { presentation } }) as Promise<
        Verdict & { credentials: Verdict[] }
      >
    assert.equal((await judge()).verified, true)
    await act(client(), 'revoke', shown)
    const verdict = await judge()
    assert.equal(verdict.verified, false)
    assert.match(reasons(verdict), /it is revoked/)
    assert.deepEqual(
      verdict.credentials.map(({ statuses }) => statuses?.map(({ index }) => index)),
      [[indexOf(shown)]],
    )
  })
}

function indices({ client }: Setup, issuer: () => string): void {
  it('are allocated once each to concurrent callers, in an unpredictable order', async () => {
    const { statusListName } = await createList(client(), { did: issuer() })
    const issued = await Promise.all(
      Array.from({ length: 200 }, () => issueWithStatus(client(), issuer(), { statusListName })),
    )
    const given = issued.map(indexOf)
    assert.equal(new Set(given).size, 200)
    assert.ok(given.every((index) => index >= 0 && index < LENGTH))
    const spread = Math.max(...given) - Math.min(...given)
    assert.ok(spread > LENGTH / 2, `all of them lie within ${spread}`)
  })

  it('are not allocated if a caller named them or their entry is set', async () => {
    const list = await createList(client(), { did: issuer() })
    const { statusListName } = list
    const named = { statusListName, statusListIndex: 3 }
    assert.equal(indexOf(await issueWithStatus(client(), issuer(), named)), 3)
    await update(client(), list, [4])
    const ready = await issueWithStatus(client(), issuer(), { statusListName })
    const { credentialStatus } = ready
    const entry = (index: number) => ({
      ...credentialStatus,
      id: credentialStatus.id.replace(/#\d+$/, `#${index}`),
      statusListIndex: String(index),
    })
    await issueWithStatus(client(), issuer(), entry(6))
    // reissued with its previous entry
    await issueWithStatus(client(), issuer(), credentialStatus)
    for (const statusListIndex of [3, 4, 6, indexOf(ready)]) {
      assertRefused(
        await client().post('/credential/issue', {
          json: {
            issuerDid: issuer(),
            attributes: { a: 1 },
            credentialStatus: { statusListName, statusListIndex },
          },
        }),
        { code: 'index_taken', path: 'credentialStatus.statusListIndex' },
      )
    }
    assertRefused(
      await client().post('/credential/issue', {
        json: { issuerDid: issuer(), attributes: { a: 1 }, credentialStatus: entry(LENGTH) },
      }),
      { code: 'index_out_of_range', path: 'credentialStatus' },
    )
  })

  it('work with names of special URL characters', async () => {
    const statusListName = `${freshName('list')} #1 & ?a=b%20/ü`
    const list = { did: issuer(), statusListName }
    await client().ok('POST', '/credential-status/create/unencrypted', {
      query: { listType: 'BitstringStatusList', statusPurpose: 'revocation' },
      json: list,
    })
    const credential = await issueWithStatus(client(), issuer(), { statusListName })
    assert.equal((await act(client(), 'revoke', credential)).statusListName, statusListName)
    assert.equal((await verify(client(), credential)).verified, false)
  })
}

/** What an independent library reads at an index of the published list. */
async function oracle(
  client: Client,
  list: Awaited<ReturnType<typeof createList>>,
  listType: string,
  index: number,
): Promise<boolean> {
  const { resource } = await search(client, list, 'revocation', listType)
  if (listType === 'StatusList2021') {
    const { decodeList } = (await load('@digitalbazaar/vc-status-list')) as ListModule
    const { encodedList } = resource.StatusList2021 as { encodedList: string }
    return (await decodeList({ encodedList })).getStatus(index)
  }
  const { decodeList } = (await load('@digitalbazaar/vc-bitstring-status-list')) as ListModule
  const { credentialSubject } = decodeJwt<{ credentialSubject: { encodedList: string } }>(
    resource.jwt as string,
  )
  return (await decodeList(credentialSubject)).getStatus(index)
}
