import assert from 'node:assert/strict'
import type { Client } from '../support/client.js'
import { assertRefused } from '../support/refused.js'
import { createDid, freshName, type Setup } from './suite.js'

interface Key {
  kid: string
  alias?: string
  publicKeyAlias?: string
}

/** Renaming and deleting keys, and the DIDs that need them. */
export function keyChangeSuite({ client, stranger, service }: Setup): void {
  const createKey = async () => ((await client().ok('POST', '/key/create')) as Key).kid
  const rename = (kid: string, alias: string, who: Client = client()) =>
    who.post('/key/update', { json: { kid, alias } })
  const read = (kid: string) => client().ok('GET', `/key/read/${kid}`) as Promise<Key>
  const limited = async (json: Record<string, unknown>) => {
    const { apiKey } = (await client().ok('POST', '/account/api-keys', { json })) as { apiKey: string }
    return client().as(apiKey)
  }
  const controllerOf = async (did: string) =>
    ((await client().ok('GET', `/did/read/${encodeURIComponent(did)}`)) as { controllerKeyId: string })
      .controllerKeyId

  it('lists keys with a few of the DIDs that have each, for those who may list DIDs', async () => {
    const alias = freshName('shared')
    const { kid } = (await client().ok('POST', '/key/create', { json: { alias } })) as Key
    const list = async (who: Client = client()) => {
      const query = { alias, dids: 'true' }
      const { keys } = (await who.ok('GET', '/key/list', { query })) as {
        keys: { kid: string; dids?: string[]; hasMoreDids?: true }[]
      }
      return keys[0] ?? assert.fail('the key is not listed')
    }
    assert.deepEqual(
      [(await list()).kid, (await list()).dids, (await list()).hasMoreDids],
      [kid, [], undefined],
    )
    const made: string[] = []
    for (let n = 0; n < 6; n++) {
      const { did } = (await client().ok('POST', '/did/create', {
        json: { network: 'testnet', key: kid },
      })) as { did: string }
      made.push(did)
      const { dids = [], hasMoreDids } = await list()
      assert.deepEqual(hasMoreDids, n < 5 ? undefined : true)
      if (n < 5) assert.deepEqual(dids, [...made].sort())
      else assert.ok(dids.length === 5 && dids.every((one) => made.includes(one)))
    }
    const forKeys = await limited({ scopes: ['keys'] })
    assert.equal((await forKeys.get('/key/list', { query: { alias } })).status, 200)
    assertRefused(await forKeys.get('/key/list', { query: { dids: 'true' } }), {
      status: 403,
      code: 'forbidden',
      says: /dids or read or did-list/,
    })
  })

  it('gives a key another label, or none', async () => {
    const kid = await createKey()
    const [first, second] = [freshName('label'), freshName('label')]
    for (const alias of [first, second, second]) {
      const { status, body } = await rename(kid, alias)
      assert.equal(status, 200)
      assert.deepEqual(body, await read(kid))
      assert.deepEqual([body.alias, body.publicKeyAlias], [alias, alias])
    }
    const found = async (alias: string) =>
      ((await client().ok('GET', '/key/list', { query: { alias } })) as { keys: Key[] }).keys.map(
        (key) => key.kid,
      )
    assert.deepEqual([await found(first), await found(second)], [[], [kid]])
    assert.equal((await rename(kid, '')).status, 200)
    assert.equal((await read(kid)).alias, undefined)
    assert.equal(
      ((await client().ok('POST', '/key/update', { form: { kid, alias: first } })) as Key).alias,
      first,
    )
    const events = await service().audited({ event: 'key-updated', limit: 100 })
    assert.equal(events.filter(({ subject }) => subject === kid).length, 4)
  })

  it('refuses the label of another key, and whatever is not a label', async () => {
    const [one, other, label] = [await createKey(), await createKey(), freshName('label')]
    await rename(one, label)
    assertRefused(await rename(other, label), { code: 'alias_taken', path: 'alias' })
    assert.equal((await read(other)).alias, undefined)
    assertRefused(await rename(other, 'a'.repeat(1025)), { path: 'alias' })
    assertRefused(await client().post('/key/update', { json: { kid: other } }), { path: 'alias' })
    assertRefused(await rename('no such key', 'x'), { status: 404, code: 'key_not_found' })
    assertRefused(await rename(one, 'x', stranger()), { status: 404, code: 'key_not_found' })
  })

  it('lists the DIDs that have a key', async () => {
    const did = await createDid(client())
    const kid = await controllerOf(did)
    const list = async (query: Record<string, string>, who: Client = client()) =>
      (await who.ok('GET', '/did/list', { query })) as { total: number; dids: string[] }
    assert.deepEqual(await list({ key: kid }), { total: 1, dids: [did] })
    assert.deepEqual((await list({ key: kid, provider: 'did:key' })).dids, [])
    assert.deepEqual((await list({ key: await createKey() })).dids, [])
    assert.deepEqual((await list({ key: kid }, stranger())).dids, [])
  })

  it('deletes a key, unless a DID needs it', async () => {
    const kid = await createKey()
    const { status, body } = await client().call('DELETE', `/key/${kid}`)
    assert.equal(status, 200)
    assert.equal((body as Key).kid, kid)
    assertRefused(await client().get(`/key/read/${kid}`), { status: 404 })
    assertRefused(await client().call('DELETE', `/key/${kid}`), { status: 404, code: 'key_not_found' })
    const [deleted] = await service().audited({ event: 'key-deleted', limit: 1 })
    assert.equal(deleted?.subject, kid)
    const did = await createDid(client())
    const needed = await controllerOf(did)
    assertRefused(await client().call('DELETE', `/key/${needed}`), { says: new RegExp(did) })
    assert.equal((await read(needed)).kid, needed)
    assertRefused(await stranger().call('DELETE', `/key/${needed}`), { status: 404, code: 'key_not_found' })
  })

  it('needs a scope of its own to delete, and may leave no other network', async () => {
    const kid = await createKey()
    const withKeys = await limited({ scopes: ['keys'] })
    assert.equal((await rename(kid, freshName('label'), withKeys)).status, 200)
    assertRefused(await withKeys.call('DELETE', `/key/${kid}`), { status: 403, says: /key-deletion/ })
    const withRead = await limited({ scopes: ['read'] })
    assertRefused(await rename(kid, 'x', withRead), { status: 403, says: /keys or key-update/ })
    const deleting = await limited({ scopes: ['key-deletion'] })
    assert.equal((await deleting.call('DELETE', `/key/${kid}`)).status, 200)
    const controller = await controllerOf(await createDid(client()))
    const elsewhere = await limited({ networks: ['mainnet'] })
    assertRefused(await rename(controller, 'x', elsewhere), { status: 403, code: 'forbidden' })
    assertRefused(await elsewhere.call('DELETE', `/key/${controller}`), { status: 403, code: 'forbidden' })
  })
}
