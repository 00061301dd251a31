import assert from 'node:assert/strict'
import { assertRefused } from '../support/refused.js'
import { createDid, createList, freshName, unknownDid, type Setup } from './suite.js'
import { search, update } from './status-list.js'

interface Metadata {
  resourceId: string
  resourceName: string
  resourceType: string
  previousVersionId: string | null
  nextVersionId: string | null
}
interface Lists {
  total: number
  totalIsExact?: false
  next?: string
  records: unknown[]
  statusLists: {
    did: string
    statusListId: string
    statusListName: string
    listType: string
    versions: number
    resourceMetadata: Metadata
  }[]
}
interface Versions {
  total: number
  next?: string
  versions: Metadata[]
}

const NOBODY = 'did:cheqd:testnet:bfa85f64-5717-4562-b3fc-2c963f66afa6'

/** The objects of an account and the publications of a DID can be found without knowing their names. */
export function listingSuite({ client, stranger, networks }: Setup): void {
  const listsOf = (did: string, query: Record<string, string> = {}) =>
    client().ok('GET', '/credential-status/list', { query: { did, ...query } }) as Promise<Lists>

  it('shows a DID of the account with its keys, and never a private one', async () => {
    const did = await createDid(client())
    const held = (await client().ok('GET', `/did/read/${did}`)) as {
      did: string
      provider: string
      controllerKeyId: string
      keys: Record<string, string>[]
    }
    assert.equal(held.did, did)
    assert.equal(held.provider, 'did:cheqd')
    assert.deepEqual(
      held.keys.map((key) => Object.keys(key).sort()),
      [['kid', 'kms', 'publicKeyHex', 'type']],
    )
    assert.equal(held.keys[0]?.kid, held.controllerKeyId)
  })

  it('lists the DIDs of the account page by page, with or without metadata', async () => {
    const list = (query: Record<string, string>) =>
      client().ok('GET', '/did/list', { query }) as Promise<{ total: number; dids: unknown[]; next?: string }>
    const made = await Promise.all([createDid(client()), createDid(client())])
    const whole = await list({ limit: '1000' })
    assert.ok(made.every((did) => whole.dids.includes(did)))
    assert.deepEqual(whole.dids, [...whole.dids].sort())
    const { dids: first, next } = await list({ limit: '1' })
    const { dids: second } = await list({ limit: '1', after: next ?? assert.fail('there is another page') })
    assert.deepEqual([...first, ...second], whole.dids.slice(0, 2))
    assert.deepEqual((await list({ limit: '1', page: '2' })).dids, second)
    const [detailed] = (await list({ limit: '1', metadata: 'true' })).dids as { provider?: string }[]
    assert.ok(detailed?.provider)
    for (const query of [{ limit: '0' }, { page: '10001', limit: '1' }]) {
      assert.equal((await client().get('/did/list', { query })).status, 400)
    }
  })

  it('does not distinguish a DID of another account from one that nobody holds', async () => {
    const did = await createDid(client())
    const answers = await Promise.all([did, NOBODY].map((one) => stranger().get(`/did/read/${one}`)))
    const [theirs, nobodys] = answers.map(({ status, body }, n) => {
      const { error, code } = body as { error: string; code: string }
      return { status, code, error: error.replaceAll([did, NOBODY][n] ?? '', '<did>') }
    })
    assert.equal(theirs?.status, 404)
    assert.equal(theirs.code, 'did_not_found')
    assert.deepEqual(theirs, nobodys)
  })

  it('lists the status lists of a DID, of every type, with their newest versions', async () => {
    const did = await createDid(client())
    assert.deepEqual(await listsOf(did), { total: 0, statusLists: [], records: [] })
    const nobody = await client().get('/credential-status/list', { query: { did: unknownDid } })
    assertRefused(nobody, { status: 404, code: 'did_not_found' })
    const bitstring = await createList(client(), { did })
    const revoking = await createList(client(), { did, listType: 'StatusList2021' })
    await client().ok('POST', '/credential-status/create/unencrypted', {
      query: { listType: 'StatusList2021', statusPurpose: 'suspension' },
      json: revoking,
    })
    const token = await createList(client(), { did, listType: 'TokenStatusList' })
    await update(client(), bitstring, [3])

    const { total, statusLists, records } = await listsOf(did)
    assert.equal(total, 4)
    assert.deepEqual(records, statusLists)
    const newest = await search(client(), bitstring)
    assert.deepEqual(
      statusLists.map(({ statusListName, listType, versions, resourceMetadata }) => [
        statusListName,
        listType,
        versions,
        resourceMetadata.resourceType,
      ]),
      [
        [bitstring.statusListName, 'BitstringStatusList', 2, 'BitstringStatusListCredential'],
        [revoking.statusListName, 'StatusList2021', 1, 'StatusList2021Revocation'],
        [revoking.statusListName, 'StatusList2021', 1, 'StatusList2021Suspension'],
        [token.statusListName, 'TokenStatusList', 1, 'TokenStatusList'],
      ].sort(),
    )
    const listed = statusLists.find(({ listType }) => listType === 'BitstringStatusList')
    const { statusListId } = newest as unknown as { statusListId: string }
    assert.equal(listed?.statusListId, statusListId)
    const byId = await client().get(`/status-lists/${statusListId}`, { apiKey: null })
    assert.equal(byId.status, 200)
    assert.deepEqual(
      listed?.resourceMetadata,
      (newest as unknown as { resourceMetadata: Metadata }).resourceMetadata,
    )

    const pages = await Promise.all(['1', '2', '3'].map((page) => listsOf(did, { page, limit: '2' })))
    assert.deepEqual(
      pages.map(({ total, statusLists }) => [total, statusLists.length]),
      [
        [4, 2],
        [4, 2],
        [4, 0],
      ],
    )
    assert.deepEqual(await listsOf(did, { after: pages[0]?.next ?? '', limit: '2' }), pages[1])
    assert.equal(pages[1]?.next, undefined)
    assert.deepEqual(
      pages.flatMap((page) => page.statusLists),
      statusLists,
    )
  })

  it('lists the status lists of all DIDs of the account, page by page', async () => {
    const dids = await Promise.all([1, 2, 3].map(() => createDid(client())))
    const [first = '', , third = ''] = dids
    const made = [
      await createList(client(), { did: first }),
      await createList(client(), { did: first }),
      await createList(client(), { did: third }),
    ]
    const list = (query: Record<string, string>, by = client()) =>
      by.ok('GET', '/credential-status/list', { query }) as Promise<Lists>
    const seen: Lists['statusLists'] = []
    const usage = (await client().ok('GET', '/account/usage')) as { statusLists: { used: number } }
    for (let after: string | undefined, n = 0; n === 0 || after !== undefined; n++) {
      const page = await list({ limit: '1', ...(after !== undefined && { after }) })
      assert.ok(page.statusLists.length <= 1)
      // Only its nodes know the state of a network.
      assert.equal(page.totalIsExact, networks?.() && false)
      if (page.totalIsExact !== false) assert.equal(page.total, usage.statusLists.used)
      seen.push(...page.statusLists)
      after = page.next
    }
    const found = new Set(seen.map(({ did, statusListName }) => `${did} ${statusListName}`))
    for (const { did, statusListName } of made) assert.ok(found.has(`${did} ${statusListName}`))
    assert.equal(new Set(seen.map(({ resourceMetadata }) => resourceMetadata.resourceId)).size, seen.length)
    assert.deepEqual(
      seen.map(({ did }) => did),
      seen.map(({ did }) => did).sort(),
    )
    const strangers = await list({ limit: '1000' }, stranger())
    assert.ok(!strangers.statusLists.some(({ did }) => dids.includes(did)))
    assert.equal((await client().get('/credential-status/list', { query: { page: '2' } })).status, 400)
  })

  it('lists the versions of a list, newest first', async () => {
    const list = await createList(client())
    for (const index of [1, 2, 3]) await update(client(), list, [index])
    const query = { ...list, listType: 'BitstringStatusList' }
    const all = (await client().ok('GET', '/credential-status/versions', { query })) as Versions
    assert.equal(all.total, 4)
    all.versions.forEach(({ nextVersionId, previousVersionId }, n) => {
      assert.equal(nextVersionId, all.versions[n - 1]?.resourceId ?? null)
      assert.equal(previousVersionId, all.versions[n + 1]?.resourceId ?? null)
    })
    const second = (await client().ok('GET', '/credential-status/versions', {
      query: { ...query, page: '2', limit: '3' },
    })) as Versions
    assert.deepEqual(second, { total: 4, versions: all.versions.slice(3) })
    const first = (await client().ok('GET', '/credential-status/versions', {
      query: { ...query, limit: '3' },
    })) as Versions
    const after = first.next ?? ''
    assert.deepEqual(
      await client().ok('GET', '/credential-status/versions', { query: { ...query, after } }),
      second,
    )
  })

  it('distinguishes two lists of the same name by resource type', async () => {
    const list = await createList(client(), { listType: 'StatusList2021' })
    await client().ok('POST', '/credential-status/create/unencrypted', {
      query: { listType: 'StatusList2021', statusPurpose: 'suspension' },
      json: list,
    })
    const of = async (resourceType?: string) =>
      (
        (await client().ok('GET', '/credential-status/versions', {
          query: { ...list, listType: 'StatusList2021', ...(resourceType && { resourceType }) },
        })) as Versions
      ).versions.map(({ resourceType }) => resourceType)
    assert.equal((await of()).length, 2)
    assert.deepEqual(await of('StatusList2021Suspension'), ['StatusList2021Suspension'])
  })

  it('answers 404 for versions of a missing list or of one of another type', async () => {
    const list = await createList(client())
    for (const query of [
      { ...list, statusListName: freshName('none'), listType: 'BitstringStatusList' },
      { ...list, listType: 'TokenStatusList' },
      { ...list, did: NOBODY, listType: 'BitstringStatusList' },
    ]) {
      const { status, body } = await client().get('/credential-status/versions', { query })
      assert.equal(status, 404, JSON.stringify(body))
    }
  })
}
