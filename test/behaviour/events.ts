import assert from 'node:assert/strict'
import { EVENT_TYPES, type AccountEvent } from '@vidimus/core-types'
import type { Client } from '../support/client.js'
import { EventStream } from '../support/event-stream.js'
import { assertRefused } from '../support/refused.js'
import { createDid, createList, type Setup } from './suite.js'

const EVENTS = '/account/events'
const HOOKS = '/account/webhooks'
const purpose = { listType: 'BitstringStatusList', statusAction: 'revoke' }

interface Listed {
  events: AccountEvent[]
  more: boolean
}

/** The events that an account can see. Their delivery is tested in `test/webhooks.test.ts`. */
export function eventSuite({ client, stranger }: Setup): void {
  const page = (who: Client, query: Record<string, string> = {}) =>
    who.ok('GET', EVENTS, { query }) as Promise<Listed>
  /** the newest; `undefined`: none so far */
  async function last(who: Client): Promise<string | undefined> {
    for (let after: string | undefined; ;) {
      const { events, more } = await page(who, { limit: '1000', ...(after !== undefined && { after }) })
      after = events.at(-1)?.id ?? after
      if (!more) return after
    }
  }
  /** The events after one; another process may report them shortly after its response. */
  async function following(who: Client, after: string | undefined, count: number): Promise<AccountEvent[]> {
    for (;;) {
      const { events } = await page(who, after === undefined ? {} : { after })
      if (events.length >= count) return events
    }
  }

  it('lists events of DIDs, keys, lists and API keys in order', async () => {
    const before = await last(client())
    const { kid } = (await client().ok('POST', '/key/create')) as { kid: string }
    const did = await createDid(client())
    const list = await createList(client(), { did })
    const versions = []
    for (const indices of [[1, 2, 3], [4]]) {
      const { resourceMetadata } = (await client().ok('POST', '/credential-status/update/unencrypted', {
        query: purpose,
        json: { ...list, indices },
      })) as { resourceMetadata: { resourceId: string } }
      versions.push(resourceMetadata.resourceId)
    }
    const key = (await client().ok('POST', '/account/api-keys', { json: {} })) as { id: string }
    await client().ok('DELETE', `/account/api-keys/${key.id}`)
    const events = await following(client(), before, 7)
    const subject = `${did}?resourceName=${list.statusListName}&resourceType=BitstringStatusListCredential`
    const named = { did, listType: 'BitstringStatusList', statusListName: list.statusListName }
    const told = events.map(({ type, subject, data }) => ({ type, subject, ...data }))
    const ofLists = told.filter(({ type }) => type.startsWith('list.'))
    assert.deepEqual(
      ofLists.map((event) => ({ ...event, versionId: '' })),
      [
        { type: 'list.created', subject, ...named, versionId: '' },
        { type: 'list.updated', subject, ...named, entriesChanged: 3, versionId: '' },
        { type: 'list.updated', subject, ...named, entriesChanged: 1, versionId: '' },
      ],
    )
    assert.deepEqual(
      ofLists.slice(1).map((event) => (event as { versionId?: string }).versionId),
      versions,
    )
    assert.deepEqual(
      told.filter(({ type }) => !type.startsWith('list.')),
      [
        { type: 'key.created', subject: kid },
        { type: 'did.created', subject: did },
        { type: 'api-key.created', subject: key.id },
        { type: 'api-key.revoked', subject: key.id },
      ],
    )
    for (const { id, type } of events) {
      assert.ok(id > (before ?? ''))
      assert.ok(type in EVENT_TYPES)
    }
    assert.deepEqual(
      events.map(({ id }) => id),
      events.map(({ id }) => id).sort(),
    )
  })

  it('reports changes and the deactivation of a DID', async () => {
    const did = await createDid(client())
    const before = await settled(client())
    const service = { id: `${did}#site`, type: 'LinkedDomains', serviceEndpoint: 'https://a.example' }
    await client().ok('POST', '/1.0/update', {
      json: { did, didDocumentOperation: ['addToDidDocument'], didDocument: [{ service: [service] }] },
    })
    await client().ok('POST', '/1.0/deactivate', { json: { did } })
    const events = await following(client(), before, 2)
    assert.deepEqual(
      events.map(({ type, subject, data }) => [type, subject, data]),
      [
        ['did.updated', did, undefined],
        ['did.deactivated', did, undefined],
      ],
    )
  })

  it('reports nothing for refused requests and those without effect', async () => {
    const list = await createList(client())
    const revoke = (json: object) =>
      client().post('/credential-status/update/unencrypted', { query: purpose, json: { ...list, ...json } })
    await revoke({ indices: [1] })
    const before = (await following(client(), undefined, 1)) && (await settled(client()))
    await revoke({ indices: [1] })
    await revoke({ indices: [100_000_000] })
    await client().post('/did/create', { json: { network: 'nowhere' } })
    const did = await createDid(client())
    const events = await following(client(), before, 1)
    assert.deepEqual(
      events.map(({ subject }) => subject),
      [did],
    )
  })

  /** The newest event, once everything has been reported. */
  async function settled(who: Client): Promise<string | undefined> {
    const did = await createDid(who)
    for (;;) {
      const { events } = await page(who, { limit: '1000', type: 'did.created,list.updated' })
      const found = events.find(({ subject }) => subject === did)
      if (found && events.at(-1) === found) return last(who)
    }
  }

  it('supports paging and types', async () => {
    const before = await last(client())
    for (let n = 0; n < 3; n++) await createDid(client())
    await client().ok('POST', '/key/create')
    const after = before === undefined ? {} : { after: before }
    const query = { ...after, type: 'did.created' }
    const first = await page(client(), { ...query, limit: '2' })
    assert.deepEqual([first.events.length, first.more], [2, true])
    const second = await page(client(), { ...query, limit: '2', after: first.events[1]?.id ?? '' })
    assert.deepEqual([second.events.length, second.more], [1, false])
    const keys = await page(client(), { ...after, type: 'key.created,key.imported' })
    assert.deepEqual(
      keys.events.map(({ type }) => type),
      ['key.created'],
    )
    assertRefused(await client().get(EVENTS, { query: { after: '7' } }), { path: 'after' })
    assertRefused(await client().get(EVENTS, { query: { limit: '0' } }), { path: 'limit' })
    assertRefused(await client().get(EVENTS, { query: { type: 'everything' } }), { path: 'type[0]' })
  })

  it('separates the events and counts of accounts', async () => {
    const before = await last(stranger())
    const did = await createDid(client())
    const own = await createDid(stranger())
    const events = await following(stranger(), before, 1)
    assert.deepEqual(
      events.map(({ subject }) => subject),
      [own],
    )
    assert.ok(!JSON.stringify(await page(stranger(), { limit: '1000' })).includes(did))
  })

  it('requires an API key with the scope read', async () => {
    assertRefused(await client().get(EVENTS, { apiKey: null }), { status: 401 })
    const make = async (scopes: string[]) =>
      client().as(
        ((await client().ok('POST', '/account/api-keys', { json: { scopes } })) as { apiKey: string }).apiKey,
      )
    assertRefused(await (await make(['dids'])).get(EVENTS), { status: 403, says: /read or event-list/ })
    const reader = await make(['read'])
    assert.equal((await reader.get(EVENTS)).status, 200)
    assertRefused(await reader.get(HOOKS), { status: 403 })
    assertRefused(await reader.post(HOOKS, { json: { url: 'https://receiver.example/' } }), { status: 403 })
  })

  describe('as a stream', () => {
    let stream: EventStream | undefined
    afterEach(() => stream?.close())

    it('delivers new events from any process', async () => {
      stream = await EventStream.open(client())
      const made = [await createDid(client()), await createDid(client()), await createDid(client())]
      await createDid(stranger())
      const events = await stream.take(3)
      assert.deepEqual(
        events.map(({ data }) => data.subject),
        made,
      )
      for (const { id, event, data } of events) assert.deepEqual([id, event], [data.id, 'did.created'])
      const { events: listed } = await page(client(), { after: before(events[0]?.id) })
      assert.deepEqual(
        events.map(({ data }) => data),
        listed.slice(0, 3),
      )
    })

    it('resumes after the last received event, with the selected types only', async () => {
      stream = await EventStream.open(client())
      await createDid(client())
      const [first] = await stream.take(1)
      stream.close()
      const missed = await createDid(client())
      await client().ok('POST', '/key/create')
      stream = await EventStream.open(client(), {
        lastEventId: first?.id ?? '',
        query: { type: 'did.created' },
      })
      const next = await createDid(client())
      const events = await stream.take(2)
      assert.deepEqual(
        events.map(({ data }) => data.subject),
        [missed, next],
      )
    })

    it('ends once its API key is revoked, without later events', async () => {
      const { id, apiKey } = (await client().ok('POST', '/account/api-keys', {
        json: { scopes: ['read'] },
      })) as { id: string; apiKey: string }
      stream = await EventStream.open(client().as(apiKey))
      const did = await createDid(client())
      const [event] = await stream.take(1)
      assert.equal(event?.data.subject, did)
      await client().ok('DELETE', `/account/api-keys/${id}`)
      await createDid(client())
      assert.deepEqual(await stream.end(), [])
    })

    it('is refused like the list', async () => {
      const headers = { accept: 'text/event-stream' }
      assertRefused(await client().get(EVENTS, { headers, apiKey: null }), { status: 401 })
      assertRefused(await client().get(EVENTS, { headers: { ...headers, 'last-event-id': 'x' } }), {
        path: 'after',
      })
    })
  })

  describe('and webhooks', () => {
    const url = 'https://receiver.example/events'
    interface Hook {
      id: string
      secret?: string
      revokedAt?: string
    }
    const create = async (json: Record<string, unknown> = {}) =>
      (await client().ok('POST', HOOKS, { json: { url, ...json } })) as Hook
    const list = async () => ((await client().ok('GET', HOOKS)) as { webhooks: Hook[] }).webhooks
    afterEach(async () => {
      for (const { id } of await list()) await client().ok('DELETE', `${HOOKS}/${id}`)
    })

    it('are created with a secret shown once, listed and revoked', async () => {
      const { secret = '', ...hook } = await create({ types: ['list.updated'] })
      assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
      const listed = (await list()).find(({ id }) => id === hook.id)
      assert.deepEqual(listed, hook)
      assert.ok(!JSON.stringify(await list()).includes(secret.slice(6)))
      const revoked = (await client().ok('DELETE', `${HOOKS}/${hook.id}`)) as Hook
      assert.ok(revoked.revokedAt)
      assert.deepEqual(await client().ok('DELETE', `${HOOKS}/${hook.id}`), revoked)
      assertRefused(await client().post(`${HOOKS}/${hook.id}/replay`, { json: {} }), { path: 'id' })
    })

    it('are refused with every problem', async () => {
      assertRefused(await client().post(HOOKS, { json: {} }), { path: 'url' })
      for (const wrong of [
        'http://receiver.example/',
        'https://127.0.0.1/',
        'https://a:b@receiver.example/',
      ]) {
        assertRefused(await client().post(HOOKS, { json: { url: wrong } }), { path: 'url' })
      }
      const answer = await client().post(HOOKS, {
        json: { url: '', types: ['did.created', 'all'], secret: 'x' },
      })
      for (const path of ['types[1]', 'secret', 'url']) assertRefused(answer, { path })
    })

    it('of another account look like missing ones', async () => {
      const { id } = await create()
      for (const [method, path] of [
        ['DELETE', (hook: string) => `${HOOKS}/${hook}`],
        ['POST', (hook: string) => `${HOOKS}/${hook}/replay`],
        ['GET', (hook: string) => `${HOOKS}/${hook}/dead-letters`],
      ] as const) {
        const [theirs, nothing] = [
          await stranger().call(method, path(id)),
          await stranger().call(method, path('nothing')),
        ]
        assertRefused(theirs, { status: 404, code: 'webhook_not_found' })
        const bare = ({ body }: typeof theirs) => ({ ...(body as object), requestId: '' })
        assert.deepEqual(bare(theirs), bare(nothing))
      }
      const theirs = (await stranger().ok('GET', HOOKS)) as { webhooks: Hook[] }
      assert.ok(!theirs.webhooks.some((hook) => hook.id === id))
    })
  })
}

/** An id before another one. */
const before = (id = ''): string => String(Number(id) - 1).padStart(id.length, '0')
