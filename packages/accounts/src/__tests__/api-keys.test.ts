import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import {
  requireEffect,
  runInAccountScope,
  type Account,
  type ApiKeyRequest,
  type CreatedApiKey,
  type IApiKeys,
} from '@vidimus/core-types'
import { Database, sql } from '@vidimus/database'
import fc from 'fast-check'
import { rightsBeyond } from '../api-key-rights.js'
import { Accounts, ApiKeyPlugin, withoutRights } from '../index.js'
import { migrations } from '@vidimus/custody'
import { migratedDatabase, PLACES, type Place } from '../../../../test/support/fresh-database.js'
import { hasCode } from '../../../custody/src/__tests__/set-up.js'

const DAY_MS = 86_400_000

for (const place of PLACES) describe(`API keys of an account (${place})`, () => apiKeys(place))

function apiKeys(place: Place): void {
  let url: string
  let database: Database
  let now: Date
  let accounts: Accounts
  let keys: IApiKeys
  let acme: Account
  let full: CreatedApiKey

  beforeEach(async () => {
    const tables = { migrations: [migrations] }
    url = await migratedDatabase(place, tables)
    database = new Database({ url, ...tables })
    await database.lifecycle.start()
    now = new Date('2026-05-01T12:00:00.000Z')
    accounts = new Accounts(database, { clock: () => now, maxApiKeys: 5 })
    keys = new ApiKeyPlugin(accounts).methods
    acme = await accounts.create('acme')
    full = await accounts.createApiKey({ account: 'acme', name: 'full' })
  })
  afterEach(async () => {
    await accounts.lifecycle.stop()
    await database.lifecycle.stop()
  })

  /** Runs as the holder of the key. */
  const as = async <T>({ apiKey }: { apiKey: string }, work: () => Promise<T>): Promise<T> => {
    const account = await accounts.authenticate(apiKey)
    assert.ok(account)
    return runInAccountScope(account, work)
  }
  const later = (ms: number) => new Date(now.getTime() + ms).toISOString()
  const changes = [
    (args: { id: string }) => keys.apiKeyRevoke(args),
    (args: { id: string }) => keys.apiKeyRotate(args),
  ]
  const limits: ApiKeyRequest = { scopes: ['read', 'api-keys'], networks: ['testnet'] }

  it('authenticate as their account with their rights', async () => {
    const key = await accounts.createApiKey({ account: 'acme', ...limits })
    assert.deepEqual(await accounts.authenticate(key.apiKey), { ...acme, grant: { id: key.id, ...limits } })
    assert.deepEqual(await accounts.authenticate(full.apiKey), { ...acme, grant: { id: full.id } })
  })

  it('are refused with all problems at once', async () => {
    const wrong = { name: 'x'.repeat(300), scopes: ['', 'a b'], networks: ['devnet'], expiresAt: 'soon' }
    await assert.rejects(
      accounts.createApiKey({ account: 'acme', ...(wrong as object) }),
      (error: unknown) => {
        assert.ok(hasCode('invalid_input')(error))
        const { details } = error as { details: { path: string }[] }
        assert.deepEqual(
          details.map(({ path }) => path),
          ['name', 'expiresAt', 'scopes[0]', 'scopes[1]', 'networks[0]'],
        )
        return true
      },
    )
    for (const scopes of [[], 'read', Array.from({ length: 65 }, (_, n) => `s${n}`)]) {
      const request = { account: 'acme', scopes: scopes as string[] }
      await assert.rejects(accounts.createApiKey(request), hasCode('invalid_input'))
    }
    assert.equal((await accounts.listApiKeys('acme')).length, 1)
  })

  it('cannot create a key with more rights than their own', async () => {
    const limited = await accounts.createApiKey({ account: 'acme', ...limits, expiresAt: later(DAY_MS) })
    const more: ApiKeyRequest[] = [
      { scopes: ['read', 'dids'] },
      { networks: ['mainnet'] },
      { networks: ['testnet', 'mainnet'] },
      { expiresAt: later(DAY_MS + 1) },
    ]
    for (const request of more) {
      await assert.rejects(
        as(limited, () => keys.apiKeyCreate(request)),
        hasCode('forbidden'),
        inspect(request),
      )
    }
    const inherited = await as(limited, () => keys.apiKeyCreate({ name: 'child' }))
    assert.deepEqual(inherited.scopes, limits.scopes)
    assert.deepEqual(inherited.networks, limits.networks)
    assert.equal(inherited.expiresAt, later(DAY_MS))
    const narrower = await as(limited, () => keys.apiKeyCreate({ scopes: ['read'], expiresAt: later(1000) }))
    assert.deepEqual(narrower.scopes, ['read'])
    assert.equal(narrower.expiresAt, later(1000))
    assert.equal((await as(full, () => keys.apiKeyCreate({}))).scopes, undefined)
  })

  it('cannot revoke or rotate a key with more rights than their own', async () => {
    const limited = await accounts.createApiKey({ account: 'acme', ...limits })
    for (const work of changes) {
      await assert.rejects(
        as<unknown>(limited, () => work({ id: full.id })),
        hasCode('forbidden'),
      )
    }
    assert.ok(await accounts.authenticate(full.apiKey))
    assert.ok((await as(limited, () => keys.apiKeyRevoke({ id: limited.id }))).revokedAt)
    assert.equal(await accounts.authenticate(limited.apiKey), undefined)
  })

  it('stop working when revoked, even for a call in progress', async () => {
    const account = await accounts.authenticate(full.apiKey)
    await accounts.revokeApiKey(full.id)
    assert.ok(account)
    await assert.rejects(
      runInAccountScope(account, () => keys.apiKeyCreate({})),
      hasCode('unauthenticated'),
    )
  })

  it('get additional scopes from operators and keep their secret', async () => {
    const key = await accounts.createApiKey({ account: 'acme', scopes: ['keys'] })
    assert.deepEqual((await accounts.addScopes(key.id, ['signing', 'keys'])).scopes, ['keys', 'signing'])
    assert.deepEqual((await accounts.authenticate(key.apiKey))?.grant?.scopes, ['keys', 'signing'])
    const [event] = await database.query<{ event: string; detail: string }>(
      sql`SELECT event, detail FROM audit_event WHERE subject = ${key.id} ORDER BY sequence DESC LIMIT 1`,
    )
    assert.deepEqual({ ...event }, { event: 'api-key-updated', detail: 'signing keys' })
    await assert.rejects(accounts.addScopes(key.id, ['a b']), hasCode('invalid_input'))
    await assert.rejects(accounts.addScopes(full.id, ['signing']), hasCode('invalid_input'))
    await assert.rejects(accounts.addScopes('nothing', ['signing']), hasCode('api_key_not_found'))
    await accounts.revokeApiKey(key.id)
    await assert.rejects(accounts.addScopes(key.id, ['signing']), hasCode('invalid_input'))
  })

  it('are reported if limited and without rights that their groups once included', async () => {
    const limited = await accounts.createApiKey({ account: 'acme', scopes: ['keys', 'read'] })
    await accounts.createApiKey({ account: 'acme', scopes: ['credentials', 'signing'] })
    const gone = await accounts.createApiKey({ account: 'acme', scopes: ['keys'] })
    await accounts.revokeApiKey(gone.id)
    const found = await withoutRights(database, ['keys', 'credentials'], ['signing', 'key-deletion'])
    assert.deepEqual(found, { count: 1, examples: [limited.id] })
  })

  it('for operators can only be created on the command line, and rotate nothing but themselves', async () => {
    const [operator, other] = await Promise.all(
      [0, 1].map(() => accounts.createApiKey({ account: 'acme', scopes: ['operator', 'api-keys'] })),
    )
    if (!operator || !other) assert.fail('both were created')
    for (const key of [full, operator]) {
      for (const work of [
        () => keys.apiKeyCreate({ scopes: ['operator'] }),
        () => keys.apiKeyRotate({ id: other.id }),
      ]) {
        await assert.rejects(as<unknown>(key, work), hasCode('forbidden'))
      }
    }
    const child = await as(operator, () => keys.apiKeyCreate({}))
    assert.deepEqual(child.scopes, ['api-keys'])
    const may = (key: CreatedApiKey) => as(key, () => Promise.resolve().then(() => requireEffect('operate')))
    await may(operator)
    for (const key of [full, child]) await assert.rejects(may(key), hasCode('forbidden'))
    const { created } = await as(operator, () => keys.apiKeyRotate({ id: operator.id }))
    assert.deepEqual(created.scopes, ['operator', 'api-keys'])
  })

  it('of other accounts look like unknown ones', async () => {
    await accounts.create('other')
    const theirs = await accounts.createApiKey({ account: 'other' })
    for (const id of [theirs.id, 'nothing']) {
      for (const work of changes) {
        await assert.rejects(
          as<unknown>(full, () => work({ id })),
          (error: unknown) =>
            hasCode('api_key_not_found')(error) &&
            (error as Error).message === 'id: the account has no such API key',
        )
      }
    }
    assert.ok(await accounts.authenticate(theirs.apiKey))
    assert.deepEqual(
      (await as(full, () => keys.apiKeyList())).apiKeys.map(({ id }) => id),
      [full.id],
    )
  })

  it('are listed in pages, newest first, never in plain text', async () => {
    const made = [full]
    for (let n = 0; n < 3; n += 1) {
      now = new Date(now.getTime() + 1000)
      made.unshift(await accounts.createApiKey({ account: 'acme' }))
    }
    const pages = await Promise.all(
      [1, 2, 3].map((page) => as(full, () => keys.apiKeyList({ page, limit: 2 }))),
    )
    assert.deepEqual(
      pages.flatMap(({ apiKeys }) => apiKeys.map(({ id }) => id)),
      made.map(({ id }) => id),
    )
    assert.ok(pages.every(({ total }) => total === 4))
    for (const { apiKey } of made) assert.ok(!inspect(pages, { depth: 9 }).includes(apiKey.slice(12)))
    for (const wrong of [{ limit: 0 }, { limit: 1001 }, { page: 0 }, { page: 1.5 }]) {
      await assert.rejects(
        as(full, () => keys.apiKeyList(wrong)),
        hasCode('invalid_input'),
      )
    }
  })

  it('are limited in number while they work', async () => {
    for (let n = 0; n < 4; n += 1) await accounts.createApiKey({ account: 'acme' })
    await assert.rejects(accounts.createApiKey({ account: 'acme' }), hasCode('quota_exceeded'))
    // An old key that works on beside its successor counts like every key that is let in.
    await assert.rejects(accounts.rotateApiKey(full.id), hasCode('quota_exceeded'))
    assert.ok(await accounts.authenticate(full.apiKey))
    const { created } = await accounts.rotateApiKey(full.id, { overlapSeconds: 0 })
    assert.equal(await accounts.authenticate(full.apiKey), undefined)
    await assert.rejects(accounts.createApiKey({ account: 'acme' }), hasCode('quota_exceeded'))
    await accounts.revokeApiKey(created.id)
    const another = await accounts.createApiKey({ account: 'acme' })
    await accounts.revokeApiKey(another.id)
    const chain = [await accounts.createApiKey({ account: 'acme' })]
    const { apiKeys } = await as(chain[0] ?? full, () => keys.apiKeyList())
    const idle = apiKeys.find(
      ({ id, revokedAt, rotatedTo }) => id !== chain[0]?.id && !revokedAt && !rotatedTo,
    )
    await accounts.revokeApiKey(idle?.id ?? '')
    for (let n = 0; n < 5; n += 1) {
      const next = accounts.rotateApiKey(chain.at(-1)?.id ?? '').then((rotation) => rotation.created)
      await next.then((key) => chain.push(key)).catch(() => undefined)
    }
    assert.equal(chain.length, 2)
  })

  it('stay within the limit when rotated repeatedly, whichever key is used', async () => {
    const most = 100
    const usual = new Accounts(database, { clock: () => now, maxApiKeys: most })
    const all = [full]
    for (let n = 1; n < most - 1; n += 1) all.push(await usual.createApiKey({ account: 'acme' }))
    let last = full
    for (let n = 0; n < 21; n += 1) {
      const rotation = await usual.rotateApiKey(last.id).catch((error: unknown) => {
        assert.ok(hasCode('quota_exceeded')(error))
      })
      if (rotation) all.push((last = rotation.created))
    }
    const letIn = await Promise.all(all.map(({ apiKey }) => usual.authenticate(apiKey)))
    assert.equal(letIn.filter((account) => account !== undefined).length, most)
  })

  it('cannot expire after the year 9999 in any time zone', async () => {
    const limited = await accounts.createApiKey({ account: 'acme', ...limits, expiresAt: later(DAY_MS) })
    for (const expiresAt of [
      '9999-12-31T23:59:59-14:00',
      '+010000-01-01T00:00:00.000Z',
      '2027-02-31',
      '2027-01-01T00:00',
    ]) {
      for (const key of [limited, full]) {
        await assert.rejects(
          as(key, () => keys.apiKeyCreate({ expiresAt })),
          hasCode('invalid_input'),
        )
      }
      await assert.rejects(accounts.rotateApiKey(full.id, { expiresAt }), hasCode('invalid_input'))
    }
    assert.deepEqual(rightsBeyond({ expiresAt: '+010000-01-01T00:00:00.000Z' }, { expiresAt: later(0) }), [
      'expiresAt',
    ])
    const { expiresAt } = await as(full, () => keys.apiKeyCreate({ expiresAt: '2027-01-01T01:00:00+01:00' }))
    assert.equal(expiresAt, '2027-01-01T00:00:00.000Z')
  })

  describe('rotation', () => {
    it('lets both keys work during the overlap', async () => {
      const old = await accounts.createApiKey({ account: 'acme', name: 'ci', ...limits })
      const { created, rotated } = await accounts.rotateApiKey(old.id, { overlapSeconds: 3600 })
      assert.deepEqual(
        [created.name, created.scopes, created.networks, created.expiresAt],
        ['ci', limits.scopes, limits.networks, undefined],
      )
      assert.deepEqual([rotated.rotatedTo, rotated.expiresAt], [created.id, later(3_600_000)])
      assert.ok(await accounts.authenticate(old.apiKey))
      assert.deepEqual((await accounts.authenticate(created.apiKey))?.grant, { id: created.id, ...limits })
      now = new Date(now.getTime() + 3_600_000)
      assert.equal(await accounts.authenticate(old.apiKey), undefined)
      assert.ok(await accounts.authenticate(created.apiKey))
    })

    it('ends the old key immediately without an overlap, and never extends its validity', async () => {
      const ending = await accounts.createApiKey({ account: 'acme', expiresAt: later(1000) })
      const { created, rotated } = await accounts.rotateApiKey(ending.id)
      assert.deepEqual([created.expiresAt, rotated.expiresAt], [later(1000), later(1000)])
      await accounts.rotateApiKey(created.id, { overlapSeconds: 0 })
      assert.equal(await accounts.authenticate(created.apiKey), undefined)
    })

    it('can be requested with the key itself, but never extends its validity', async () => {
      const limited = await accounts.createApiKey({ account: 'acme', ...limits, expiresAt: later(DAY_MS) })
      const { created } = await as(limited, () => keys.apiKeyRotate({ id: limited.id, overlapSeconds: 60 }))
      assert.equal(created.expiresAt, later(DAY_MS))
      assert.deepEqual(created.scopes, limits.scopes)
    })

    it('works once, while the key is valid', async () => {
      await accounts.rotateApiKey(full.id)
      await assert.rejects(accounts.rotateApiKey(full.id), hasCode('invalid_input'))
      const revoked = await accounts.createApiKey({ account: 'acme' })
      await accounts.revokeApiKey(revoked.id)
      await assert.rejects(accounts.rotateApiKey(revoked.id), hasCode('invalid_input'))
      for (const overlapSeconds of [-1, 0.5, 31 * 86_400]) {
        await assert.rejects(accounts.rotateApiKey(revoked.id, { overlapSeconds }), hasCode('invalid_input'))
      }
    })

    it('succeeds for one of many concurrent callers', async () => {
      const tries = await Promise.allSettled(
        Array.from({ length: 8 }, () => accounts.rotateApiKey(full.id, { overlapSeconds: 60 })),
      )
      assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, 1)
      const [counted] = await database.query<{ n: number }>(sql`SELECT COUNT(*) AS n FROM api_key`)
      assert.equal(Number(counted?.n), 2)
    })
  })
}

describe('rightsBeyond', () => {
  const list = (values: string[]) => fc.option(fc.subarray(values, { minLength: 1 }), { nil: undefined })
  const rights = fc
    .record({
      scopes: list(['read', 'dids', 'keys']),
      networks: list(['testnet', 'mainnet']),
      expiresAt: fc.option(fc.constantFrom('2026-05-01T00:00:00.000Z', '2027-05-01T00:00:00.000Z'), {
        nil: undefined,
      }),
    })
    .map((record) => JSON.parse(JSON.stringify(record)) as Parameters<typeof rightsBeyond>[0])

  it('is empty for equal rights, and never for rights that the other key lacks', () => {
    fc.assert(
      fc.property(rights, rights, (wanted, own) => {
        assert.deepEqual(rightsBeyond(own, own), [])
        const all = (one: typeof own) => ({
          scopes: one.scopes ?? ['read', 'dids', 'keys', 'more'],
          networks: one.networks ?? ['testnet', 'mainnet'],
          end: one.expiresAt ?? '9',
        })
        const [mine, theirs] = [all(own), all(wanted)]
        const exceeds =
          theirs.scopes.some((scope) => !mine.scopes.includes(scope)) ||
          theirs.end > mine.end ||
          theirs.networks.some((network) => !mine.networks.includes(network))
        assert.ok(!exceeds || rightsBeyond(wanted, own).length > 0)
      }),
    )
  })
})
