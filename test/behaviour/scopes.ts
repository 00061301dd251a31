import assert from 'node:assert/strict'
import { operations } from '../../packages/remote-server/src/operations/index.js'
import { scopesOf, scopesOfCall } from '../../packages/remote-server/src/admission/scope-table.js'
import { SCOPE_GROUPS, SCOPE_NAMES } from '../../packages/remote-server/src/admission/scopes.js'
import type { Client } from '../support/client.js'
import { assertRefused } from '../support/refused.js'
import { SEVERAL, type Door } from '../support/scope-doors.js'
import { createDid, createList, freshName, type Setup } from './suite.js'

const RESERVED = ['operator']
const AT_ONCE = 10
/** of one API key */
const MOST_SCOPES = 64

/** The scope table at both entry points: each served operation and agent method, with real API keys. */
export function scopeSuite({ client }: Setup): void {
  const keyWith = async (scopes: readonly string[]) => {
    const key = await client().ok('POST', '/account/api-keys', { json: { scopes } })
    return key as { id: string; apiKey: string }
  }
  const withKey = async (scopes: readonly string[], work: (own: Client) => Promise<void>) => {
    const { id, apiKey } = await keyWith(scopes)
    await work(client().as(apiKey))
    await client().ok('DELETE', `/account/api-keys/${id}`)
  }
  /** With API keys that have all scopes but these among them. */
  const withoutScopes = async (missing: readonly string[], work: (own: Client) => Promise<void>) => {
    const others = SCOPE_NAMES.filter((scope) => !missing.includes(scope) && !RESERVED.includes(scope))
    for (let n = 0; n < others.length; n += MOST_SCOPES) await withKey(others.slice(n, n + MOST_SCOPES), work)
  }
  const doors = async (): Promise<Door[]> => {
    const { 'x-methods': methods } = (await client().ok('GET', '/open-api.json')) as { 'x-methods': object }
    const calls = Object.keys(methods).flatMap((name) =>
      (SEVERAL[name] ?? [{}]).map((json) => ({ name, json: { ...json } })),
    )
    return [
      ...operations.map(({ id, method, path }) => ({
        method: method.toUpperCase(),
        path: path.replace(/\{\w+\}/g, 'nothing'),
        ...(method === 'post' && { json: {} }),
        scopes: scopesOf(id),
      })),
      ...calls.map(({ name, json }) => ({
        method: 'POST',
        path: `/agent/${name}`,
        json,
        scopes: scopesOfCall(name, json),
      })),
    ]
  }
  const knock = (own: Client, { method, path, json }: Door) => own.call(method, path, json && { json })
  const atOnce = async <T>(all: readonly T[], work: (one: T) => Promise<void>) => {
    for (let n = 0; n < all.length; n += AT_ONCE) await Promise.all(all.slice(n, n + AT_ONCE).map(work))
  }

  it('close every operation to API keys that have all scopes but the required ones', async () => {
    const every = await doors()
    assert.ok(every.length > 90, String(every.length))
    const groupsOf = ({ scopes }: Door) => scopes.filter((scope) => scope in SCOPE_GROUPS).join(' ')
    for (const groups of new Set(every.map(groupsOf))) {
      const row = every.filter((door) => groupsOf(door) === groups)
      await withoutScopes(
        row.flatMap(({ scopes }) => scopes),
        async (own) => {
          await atOnce(row, async (door) => {
            const answer = await knock(own, door)
            assertRefused(answer, { status: 403, code: 'forbidden', says: /scope/ })
            const { error } = answer.body as { error: string }
            for (const scope of door.scopes) assert.ok(error.includes(scope), `${door.path}: ${error}`)
          })
        },
      )
    }
  })

  it('allow signing only with "signing", and then only with supported algorithms', async () => {
    const { kid } = (await client().ok('POST', '/key/create')) as { kid: string }
    const algorithms = [
      ...['EdDSA', 'Ed25519', 'ES256', 'ES256K', 'ES256K-R', 'RS256', 'HS256', 'none', 'constructor'],
      ...['eth_signTransaction', 'eth_signMessage', 'eth_signTypedData', 'eth_rawSign', 'signTransaction'],
    ]
    const sign = (own: Client, algorithm?: string) =>
      own.post('/agent/keyManagerSign', { json: { keyRef: kid, data: '00', algorithm, encoding: 'hex' } })
    await withoutScopes(['signing', 'keyManagerSign'], async (own) => {
      for (const algorithm of [undefined, ...algorithms]) {
        assertRefused(await sign(own, algorithm), { status: 403, says: /scope: signing/ })
      }
    })
    await withKey(['signing'], async (own) => {
      const answers = await Promise.all(algorithms.map((algorithm) => sign(own, algorithm)))
      const signed = algorithms.filter((_, n) => answers[n]?.status === 200)
      assert.deepEqual(signed, ['EdDSA', 'Ed25519'])
    })
  })

  it('allow no private key to be imported with "dids", anywhere in the arguments', async () => {
    const privateKeyHex = '5a'.repeat(32)
    const key = { type: 'Ed25519', privateKeyHex, kms: 'local', publicKeyHex: '00'.repeat(32) }
    const did = await createDid(client())
    const options = [
      { keyType: 'Ed25519', privateKeyHex },
      { key },
      { key: { privateKeyHex } },
      { keys: [key] },
      { network: 'testnet', privateKeyHex },
      { network: 'testnet', key },
      { network: 'testnet', keys: [key] },
      { privateKey: privateKeyHex },
    ]
    const providers = ['did:key', 'did:jwk', 'did:web', 'did:cheqd']
    const made = ['didManagerCreate', 'didManagerGetOrCreate'].flatMap((method) =>
      providers.flatMap((provider) =>
        options.map((each) => ({
          method,
          json: { provider, alias: `${freshName('k')}.example`, options: each },
        })),
      ),
    )
    const calls = [
      ...made,
      { method: 'didManagerAddKey', json: { did, key } },
      { method: 'didManagerUpdate', json: { did, document: {}, options: { keys: [key], privateKeyHex } } },
    ]
    const { kid } = (await client().ok('POST', '/key/import', { json: { privateKeyHex } })) as { kid: string }
    await client().ok('POST', '/agent/keyManagerDelete', { json: { kid } })
    await withKey(['dids'], async (own) => {
      await atOnce(calls, async ({ method, json }) => {
        const { status, body } = await own.post(`/agent/${method}`, { json })
        if (status === 200)
          assert.ok(!JSON.stringify(body).includes(kid), `${method} ${JSON.stringify(json)}`)
      })
    })
    assert.equal((await client().get(`/key/read/${kid}`)).status, 404)
  })

  it('allow "status-lists" only unencrypted lists, and nothing else', async () => {
    const list = await createList(client())
    const listType = 'BitstringStatusList'
    await withKey(['status-lists'], async (own) => {
      await createList(own, { did: list.did })
      const query = { listType, statusAction: 'revoke' }
      await own.ok('POST', '/credential-status/update/unencrypted', {
        query,
        json: { ...list, indices: [3] },
      })
      for (const path of ['create', 'update'].map((action) => `/credential-status/${action}/encrypted`)) {
        assertRefused(await own.post(path, { json: {} }), { status: 403, says: /encrypted-status-list/ })
      }
      const resource = { did: list.did, resourceName: 'other', resourceType: 'Other', data: 'YQ' }
      assertRefused(await own.post('/agent/linkedResourceCreate', { json: resource }), {
        status: 403,
        says: /scope: dids/,
      })
    })
  })
}
