import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import type { Client } from '../support/client.js'
import { assertRefused } from '../support/refused.js'
import { until } from '../support/until.js'
import { createDid, createList, freshName, type Setup } from './suite.js'

interface Key {
  id: string
  apiKey: string
  shown: string
  scopes?: string[]
  networks?: string[]
  expiresAt?: string
  lastUsedAt?: string
  rotatedTo?: string
  current?: boolean
}

const KEYS = '/account/api-keys'

/** The uses of API keys by an account, and the limits of an API key. */
export function apiKeySuite({ client, stranger, service }: Setup): void {
  const create = async (json: Record<string, unknown> = {}, by: Client = client()) =>
    (await by.ok('POST', KEYS, { json })) as Key
  const limited = async (json: Record<string, unknown>) => client().as((await create(json)).apiKey)
  const list = async (by: Client = client()) =>
    (await by.ok('GET', KEYS, { query: { limit: '1000' } })) as { total: number; apiKeys: Key[] }
  const audited = (event: string) => service().audited({ event, limit: 1000 })
  const before = { scopes: ['api-keys', 'read'], networks: ['testnet'] }

  afterEach(async () => {
    // Nothing here may use up the keys that an account can have.
    for (const { id, current } of (await list()).apiKeys) {
      if (!current) await client().call('DELETE', `${KEYS}/${id}`)
    }
  })

  describe('an API key', () => {
    it('is created, listed without being shown, and revoked immediately', async () => {
      const key = await create({ name: 'ci', ...before })
      const own = client().as(key.apiKey)
      assert.equal((await own.get('/did/list')).status, 200)
      const { apiKeys } = await list(own)
      const listed = apiKeys.find(({ id }) => id === key.id)
      assert.equal(listed?.current, true)
      assert.deepEqual([listed?.scopes, listed?.networks], [before.scopes, before.networks])
      assert.ok(!JSON.stringify(apiKeys).includes(key.apiKey.slice(12)))
      const { status, body } = await client().call('DELETE', `${KEYS}/${key.id}`)
      assert.equal(status, 200)
      assert.ok((body as { revokedAt: string }).revokedAt)
      assert.equal((await own.get('/did/list')).status, 401)
      assert.equal((await client().call('DELETE', `${KEYS}/${key.id}`)).status, 200)
    })

    it('is also created by a form', async () => {
      const key = (await client().ok('POST', KEYS, {
        form: { scopes: 'read,did-create', networks: 'testnet' },
      })) as Key
      assert.deepEqual([key.scopes, key.networks], [['read', 'did-create'], ['testnet']])
    })

    it('is rotated with or without an overlap', async () => {
      const old = await create(before)
      const rotate = (id: string, overlapSeconds: number) =>
        client().ok('POST', `${KEYS}/${id}/rotate`, { json: { overlapSeconds } }) as Promise<{
          created: Key
          rotated: Key
        }>
      const { created, rotated } = await rotate(old.id, 3600)
      assert.equal(rotated.rotatedTo, created.id)
      for (const { apiKey } of [old, created]) {
        assert.equal((await client().get('/did/list', { apiKey })).status, 200)
      }
      assertRefused(await client().post(`${KEYS}/${old.id}/rotate`, { json: {} }), { code: 'invalid_input' })
      const next = await rotate(created.id, 0)
      assert.equal((await client().get('/did/list', { apiKey: created.apiKey })).status, 401)
      assert.equal((await client().get('/did/list', { apiKey: next.created.apiKey })).status, 200)
      assert.deepEqual(next.created.scopes, before.scopes)
    })

    it('is refused with every problem', async () => {
      const json = {
        name: '',
        scopes: ['read', 'everything'],
        networks: ['devnet'],
        expiresAt: 'soon',
        admin: true,
      }
      const answer = await client().post(KEYS, { json })
      for (const path of ['name', 'networks[0]', 'expiresAt', 'admin']) assertRefused(answer, { path })
      const unknown = await client().post(KEYS, { json: { scopes: ['read', 'everything'] } })
      assertRefused(unknown, { path: 'scopes[1]', says: /status-lists/ })
      assertRefused(await client().post(KEYS, { json: { expiresAt: '2020-01-01T00:00:00Z' } }), {
        path: 'expiresAt',
      })
    })

    it('of another account looks like a missing one', async () => {
      const { id } = await create()
      for (const [method, path] of [
        ['DELETE', (key: string) => `${KEYS}/${key}`],
        ['POST', (key: string) => `${KEYS}/${key}/rotate`],
      ] as const) {
        const [theirs, nothing] = [
          await stranger().call(method, path(id)),
          await stranger().call(method, path('nothing')),
        ]
        assertRefused(theirs, { status: 404, code: 'api_key_not_found' })
        const bare = ({ body }: typeof theirs) => ({ ...(body as object), requestId: '' })
        assert.deepEqual(bare(theirs), bare(nothing))
      }
      assert.ok(!(await list(stranger())).apiKeys.some((key) => key.id === id))
    })

    it('is also accepted as bearer token', async () => {
      const { apiKey } = await create()
      const headers = { authorization: `Bearer ${apiKey}` }
      assert.equal((await client().get('/did/list', { apiKey: null, headers })).status, 200)
      assert.equal((await client().get('/did/list', { apiKey, headers })).status, 200)
      assert.equal((await stranger().get('/did/list', { headers })).status, 401)
    })

    it("takes one row on an operator's terminal, whatever its name", async () => {
      const { id } = await create({ name: 'a\u001b[31m\n11111111-forged  default\u202e', scopes: ['read'] })
      const listed = (await service().command('key', 'list')).split('\n')
      assert.ok(!listed.some((line) => line.startsWith('11111111-forged')))
      const row = listed.find((line) => line.startsWith(id)) ?? ''
      assert.ok(row.includes('a?[31m?11111111-forged  default?'), JSON.stringify(row))
    })

    it('shows its last use', async () => {
      const key = await create(before)
      assert.equal(key.lastUsedAt, undefined)
      await client().get('/did/list', { apiKey: key.apiKey })
      for (;;) {
        const used = (await list()).apiKeys.find(({ id }) => id === key.id)?.lastUsedAt
        if (used !== undefined) {
          assert.ok(Math.abs(Date.parse(used) - Date.now()) < 60_000)
          break
        }
      }
    })
  })

  describe('a limited API key', () => {
    it('cannot create a key with more rights or a later expiry', async () => {
      const soon = new Date(Date.now() + 3_600_000).toISOString()
      const own = await limited({ ...before, expiresAt: soon })
      for (const more of [
        { scopes: ['dids'] },
        { networks: ['mainnet'] },
        { expiresAt: new Date(Date.now() + 7_200_000).toISOString() },
      ]) {
        assertRefused(await own.post(KEYS, { json: more }), { status: 403, code: 'forbidden' })
      }
      const child = await create({ name: 'child' }, own)
      assert.deepEqual(
        [child.scopes, child.networks, child.expiresAt],
        [before.scopes, before.networks, soon],
      )
      const { apiKeys } = await list()
      const full = apiKeys.find(({ current }) => current)
      assertRefused(await own.call('DELETE', `${KEYS}/${full?.id}`), { status: 403 })
      assertRefused(await own.post(`${KEYS}/${full?.id}/rotate`, { json: {} }), { status: 403 })
    })

    it('can only call the operations of its scopes', async () => {
      const reader = await limited({ scopes: ['read'] })
      assert.equal((await reader.get('/did/list')).status, 200)
      const paths = ['/did/create', '/key/create', '/credential/issue', KEYS, '/key/import', '/did/import']
      for (const path of paths) {
        assertRefused(await reader.post(path, { json: {} }), {
          status: 403,
          code: 'forbidden',
          says: /lacks a required scope/,
        })
      }
      assertRefused(await reader.get(KEYS), { status: 403 })
      const creator = await limited({ scopes: ['did-create'] })
      assert.match(await createDid(creator), /^did:cheqd:testnet:/)
      assertRefused(await creator.get('/did/list'), { status: 403, says: /dids or read or did-list/ })
    })

    it('has the same rights through agent methods as through the REST API', async () => {
      const { did, keys } = (await client().ok('POST', '/did/create', { json: { network: 'testnet' } })) as {
        did: string
        keys: { kid: string }[]
      }
      const kid = keys[0]?.kid
      const list = await createList(client(), { did })
      const newList = { did, statusListName: 'hidden', listType: 'BitstringStatusList' }
      const key = { type: 'Ed25519', privateKeyHex: randomBytes(32).toString('hex') }
      const attempts: [scope: string, method: string, args: object, needs: RegExp][] = [
        ['keys', 'keyManagerSign', { keyRef: kid, data: 'x' }, /scope: signing/],
        ['keys', 'keyManagerSignJWT', { kid, data: 'x' }, /scope: signing/],
        ['keys', 'keyManagerDelete', { kid }, /scope: key-deletion/],
        ['credentials', 'didJwtCreate', { did, payload: {} }, /scope: signing/],
        ['dids', 'didManagerCreate', { provider: 'did:key', options: { key } }, /scope: keys/],
        [
          'dids',
          'didManagerCreate',
          { provider: 'did:web', alias: 'a.example', options: { key } },
          /scope: keys/,
        ],
        [
          'dids',
          'didManagerGetOrCreate',
          { provider: 'did:jwk', alias: 'a', options: { key } },
          /scope: keys/,
        ],
        [
          'status-lists',
          'statusListCreate',
          { ...newList, statusPurpose: 'revocation', encrypted: true },
          /create-encrypted-status-list/,
        ],
        [
          'status-lists',
          'statusListUpdate',
          { ...newList, ...list, statusAction: 'revoke', indices: [1], encrypted: true },
          /update-encrypted-status-list/,
        ],
        [
          'status-lists',
          'statusListUpdateCredential',
          { credential: 'x', statusAction: 'revoke' },
          /credential-revoke/,
        ],
        [
          'credential-suspend',
          'statusListUpdateCredential',
          { credential: 'x', action: 'revoke' },
          /credential-revoke/,
        ],
        ['read', 'statusListPayments', {}, /status-list-payments/],
      ]
      for (const [scope, method, json, needs] of attempts) {
        const own = await limited({ scopes: [scope] })
        const answer = await own.post(`/agent/${method}`, { json })
        assertRefused(answer, { status: 403, code: 'forbidden', says: needs })
      }
      assertRefused(await (await limited({ scopes: ['read'] })).get('/credential-status/payments'), {
        status: 403,
      })
      const keyed = await limited({ scopes: ['dids', 'keys'] })
      await keyed.ok('POST', '/agent/didManagerCreate', { json: { provider: 'did:key', options: { key } } })
      const { id, apiKey } = await create({ scopes: ['keys'] })
      await service().accounts((accounts) => accounts.addScopes(id, ['signing']))
      const signer = client().as(apiKey)
      await signer.ok('POST', '/agent/keyManagerSign', { json: { keyRef: kid, data: 'x' } })
      assertRefused(await signer.post('/agent/keyManagerDelete', { json: { kid } }), { status: 403 })
    })

    for (const [listType, resourceType] of [
      ['StatusList2021', 'StatusList2021Revocation'],
      ['BitstringStatusList', 'BitstringStatusListCredential'],
      ['TokenStatusList', 'TokenStatusList'],
    ] as const) {
      it(`with scope dids cannot publish an older version of a status list: ${listType}`, async () => {
        const own = await limited({ scopes: ['dids'] })
        const list = await createList(client(), { listType })
        const name = { did: list.did, resourceName: list.statusListName, resourceType }
        const latest = () =>
          client().ok('POST', '/agent/linkedResourceGetLatest', { json: name }) as Promise<{
            data: string
            metadata: { resourceId: string; checksum: string }
          }>
        const { data } = await latest()
        const query = { listType, statusAction: 'revoke' }
        const update = '/credential-status/update/unencrypted'
        await client().ok('POST', update, { query, json: { ...list, indices: [1, 2] } })
        const [before, told] = [await latest(), await audited('resource-updated')]
        assert.equal(told.filter(({ detail }) => detail?.includes(`"${list.statusListName}"`)).length, 1)
        const id = list.did.slice(list.did.lastIndexOf(':') + 1)
        const tries: Record<string, unknown>[] = [
          {},
          { did: list.did.replace(id, id.toUpperCase()) },
          { expectedPrevious: before.metadata.resourceId },
          { resourceId: randomUUID(), resourceVersion: '9' },
          { data: Buffer.from('{}').toString('base64url') },
        ]
        for (const each of tries) {
          for (const who of [own, client()]) {
            const json = { ...name, data, ...each }
            const answer = await who.post('/agent/linkedResourceCreate', { json })
            assertRefused(answer, { status: 400, code: 'list_exists' })
          }
        }
        assert.deepEqual(await latest(), before)
        const check = { query: { listType, statusPurpose: 'revocation' }, json: { ...list, index: 1 } }
        const { revoked } = (await client().ok('POST', '/credential-status/check', check)) as {
          revoked: boolean
        }
        assert.equal(revoked, true)
        const json = { ...name, resourceName: freshName('other'), data }
        await own.ok('POST', '/agent/linkedResourceCreate', { json })
      })
    }

    it('with scope dids can import a DID with the keys of its document', async () => {
      const privateKeyHex = randomBytes(32).toString('hex')
      const json = { provider: 'did:key', options: { keyType: 'Ed25519', privateKeyHex } }
      const { did } = (await stranger().ok('POST', '/agent/didManagerCreate', { json })) as { did: string }
      const own = await limited({ scopes: ['dids'] })
      await own.ok('POST', '/did/import', { json: { did, keys: [{ type: 'Ed25519', privateKeyHex }] } })
    })

    it('is refused before its body is read', async () => {
      const reader = await limited({ scopes: ['read'] })
      const headers = { 'content-type': 'text/plain' }
      assertRefused(await reader.post('/did/create', { body: '{', headers }), { status: 403 })
    })

    it('writes only on its networks, whatever the operation, and reads everywhere', async () => {
      const [test, main] = [await createDid(client()), await createDid(client(), { network: 'mainnet' })]
      const list = await createList(client(), { did: main })
      const key = (await client().ok('POST', '/key/create')) as { kid: string }
      const taken = await createDid(client(), { network: 'mainnet', key: key.kid })
      const own = await limited({ networks: ['testnet'] })
      const lists = { listType: 'BitstringStatusList' }
      const attempts: [string, Record<string, unknown>, Record<string, string>?][] = [
        ['/did/create', { network: 'mainnet' }],
        ['/did/create', { network: 'testnet', key: key.kid }],
        ['/did/import', { did: taken }],
        ['/credential/issue', { issuerDid: main, subjectDid: test, attributes: { a: 1 } }],
        [
          '/credential-status/create/unencrypted',
          { did: main, statusListName: 'x' },
          { ...lists, statusPurpose: 'revocation' },
        ],
        [
          '/credential-status/update/unencrypted',
          { ...list, indices: [1] },
          { ...lists, statusAction: 'revoke' },
        ],
      ]
      for (const [path, json, query] of attempts) {
        const answer = await own.post(path, { json, ...(query && { query }) })
        assertRefused(answer, { status: 403, code: 'forbidden', says: /network mainnet/ })
      }
      await createDid(own)
      await own.ok('POST', '/credential/issue', {
        json: { issuerDid: test, subjectDid: main, attributes: { a: 1 } },
      })
      await createList(own, { did: test })
      await own.ok('GET', `/did/search/${main}`)
      await own.ok('POST', '/credential-status/check', {
        query: { ...lists, statusPurpose: 'revocation' },
        json: { ...list, index: 1 },
      })
      assert.equal((await client().get('/did/list')).status, 200)
    })
  })

  describe('concurrent callers', () => {
    it("are not refused for another's lack of rights, and cannot exceed their own", async () => {
      const list = await createList(client(), { did: await createDid(client(), { network: 'mainnet' }) })
      const own = await limited({ networks: ['testnet'] })
      const revoke = async (who: Client, index: number) =>
        (
          await who.post('/credential-status/update/unencrypted', {
            query: { listType: 'BitstringStatusList', statusAction: 'revoke' },
            json: { ...list, indices: [index] },
          })
        ).status
      const indices = Array.from({ length: 12 }, (_, n) => n)
      const statuses = await Promise.all(indices.map((n) => revoke(n % 2 === 0 ? own : client(), n)))
      assert.deepEqual(
        statuses,
        indices.map((n) => (n % 2 === 0 ? 403 : 200)),
      )
      const { results } = (await client().ok('POST', '/agent/statusListCheck', {
        json: { listType: 'BitstringStatusList', statusPurpose: 'revocation', ...list, indices },
      })) as { results: { revoked: boolean }[] }
      assert.deepEqual(
        results.map(({ revoked }) => revoked),
        indices.map((n) => n % 2 === 1),
      )
    })
  })

  describe('audit trail', () => {
    it('records created, rotated and revoked keys, and by which key', async () => {
      const { id } = await create()
      const { created } = (await client().ok('POST', `${KEYS}/${id}/rotate`)) as { created: Key }
      await client().call('DELETE', `${KEYS}/${created.id}`)
      const current = (await list()).apiKeys.find((key) => key.current)
      for (const [event, subject] of [
        ['api-key-created', id],
        ['api-key-rotated', id],
        ['api-key-revoked', created.id],
      ] as const) {
        const rows = (await audited(event)).filter((row) => row.subject === subject)
        assert.equal(rows.length, 1, event)
        assert.deepEqual([rows[0]?.apiKeyId, rows[0]?.account], [current?.id, 'default'])
      }
    })

    it('records DIDs, lists and refusals', async () => {
      const { did } = await createList(client())
      const created = await audited('did-created')
      assert.equal(created.filter(({ subject }) => subject === did).length, 1)
      assert.ok(
        (await audited('resource-created')).some(({ subject }) => subject?.startsWith(`${did}/resources/`)),
      )
      // Of an account of its own: beyond twenty kinds in a minute, refusals of one account are no longer told apart.
      const reader = await service().apiKeyOf(freshName('reader'), { scopes: ['read'] })
      await client().as(reader.apiKey).post('/did/create', { json: {} })
      await client().get('/did/list', { apiKey: 'wrong' })
      // Refusals are written to the audit trail after the response.
      await until(async () =>
        (await audited('access-forbidden')).some(({ subject }) => subject === 'did-create'),
      )
      await until(async () => (await audited('authentication-failed')).length > 0)
      assert.ok((await audited('authentication-failed')).every(({ outcome }) => outcome === 'refused'))
    })

    it('records all that was signed, and each changed list once, but no subjects', async () => {
      const { id, apiKey } = await create({ name: 'auditor' })
      const own = client().as(apiKey)
      const list = await createList(own)
      const { did } = list
      const call = (path: string, json: object) => own.ok('POST', path, { json })
      const subjectDid = 'did:example:patient-of-ward-7'
      const credentialStatus = { statusListName: list.statusListName, statusListType: 'BitstringStatusList' }
      const issue = { issuerDid: did, subjectDid, attributes: { diagnosis: 'secret-illness' } }
      const issueWithStatus = {
        ...issue,
        credentialStatus: { ...credentialStatus, statusPurpose: 'revocation' },
      }
      const issued = (await call('/credential/issue', issueWithStatus)) as { proof: { jwt: string } }
      await call('/agent/credentialIssue', issue)
      await call('/agent/createVerifiableCredential', {
        credential: { issuer: { id: did }, credentialSubject: { id: subjectDid, a: 1 } },
        proofFormat: 'jwt',
      })
      const credentials = [issued.proof.jwt]
      await call('/presentation/create', { credentials, holderDid: did })
      await call('/agent/presentationCreate', { credentials, holderDid: did })
      await call('/credential/revoke', { credential: issued.proof.jwt })
      const named = { listType: 'BitstringStatusList', ...list }
      await call('/agent/statusListUpdate', { ...named, statusAction: 'revoke', indices: [7, 8] })
      const suspending = await createList(own, { did, statusPurpose: 'suspension' })
      for (const statusAction of ['suspend', 'reinstate']) {
        const query = { listType: 'BitstringStatusList', statusAction }
        const json = { ...suspending, indices: [1] }
        await own.ok('POST', '/credential-status/update/unencrypted', { query, json })
      }
      await call('/agent/didJwtCreate', { did, payload: { about: subjectDid } })
      const { keys } = (await call('/agent/didManagerGet', { did })) as { keys: { kid: string }[] }
      await call('/agent/keyManagerSign', { keyRef: keys[0]?.kid, data: 'x' })
      const events = ['credential-issued', 'presentation-created', 'resource-updated', 'data-signed'] as const
      const rows = (await Promise.all(events.map(audited))).flat().filter(({ apiKeyId }) => apiKeyId === id)
      const seen = (event: string) => rows.filter((row) => row.event === event)
      const subjects = (event: string) => seen(event).map(({ subject }) => subject)
      assert.deepEqual(subjects('credential-issued'), [did, did, did])
      assert.deepEqual(subjects('presentation-created'), [did, did])
      assert.deepEqual(subjects('data-signed'), [did, keys[0]?.kid])
      const updates = seen('resource-updated').filter(({ subject }) => subject?.startsWith(did))
      const actionsOf = ({ detail = '{}' }: { detail?: string }) =>
        (JSON.parse(detail) as { actions: string[] }).actions
      assert.deepEqual(updates.map(actionsOf), [['revoke'], ['revoke'], ['suspend'], ['reinstate']])
      assert.ok(rows.every(({ account, outcome }) => account === 'default' && outcome === 'done'))
      assert.ok(!/patient|illness|eyJ/.test(JSON.stringify(rows)))
    })

    it('contains no API key', async () => {
      const { apiKey } = await create()
      const told = JSON.stringify(await service().audited({ limit: 100_000 }))
      assert.ok(told.includes('api-key-created'))
      assert.ok(!told.includes(apiKey.slice(12)))
    })
  })
}
