import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import { Database, sql } from '@vidimus/database'
import fc from 'fast-check'
import { Accounts, isApiKey } from '../index.js'
import { migrations } from '@vidimus/custody'
import { hasCode, removeFolder, temporaryFolder } from '../../../custody/src/__tests__/set-up.js'
import { layMigratedDatabase } from '../../../../test/support/fresh-database.js'

const TABLES = { migrations: [migrations] }

describe('Accounts', () => {
  let folder: string
  let database: Database
  let now: Date
  let accounts: Accounts

  const open = async () => {
    await layMigratedDatabase(folder, TABLES)
    const opened = new Database({ url: null, dataDirectory: folder, ...TABLES })
    await opened.lifecycle.start()
    return opened
  }
  beforeEach(async () => {
    folder = await temporaryFolder()
    database = await open()
    now = new Date('2026-05-01T12:00:00.000Z')
    accounts = new Accounts(database, { clock: () => now })
  })
  afterEach(async () => {
    await database.lifecycle.stop()
    await removeFolder(folder)
  })

  it('creates, finds and lists accounts', async () => {
    const acme = await accounts.create('acme')
    const abc = await accounts.create('A.b c_1-@x')
    assert.deepEqual(await accounts.list(), [abc, acme])
    assert.deepEqual(await accounts.get('acme'), acme)
    assert.equal(acme.createdAt, now.toISOString())
    await assert.rejects(accounts.create('acme'), hasCode('invalid_input'))
    await assert.rejects(accounts.get('other'), hasCode('account_not_found'))
  })

  it('refuses names that are hard to distinguish or to type', async () => {
    for (const name of ['', ' acme', 'a\nb', 'a'.repeat(64), '../x', null, 5]) {
      await assert.rejects(accounts.create(name as string), hasCode('invalid_input'), JSON.stringify(name))
    }
    assert.deepEqual(await accounts.list(), [])
  })

  it('finds the account of an API key', async () => {
    const acme = await accounts.create('acme')
    await accounts.create('other')
    const { apiKey, ...shown } = await accounts.createApiKey({ account: 'acme', name: 'laptop' })
    assert.deepEqual(await accounts.authenticate(apiKey), { ...acme, grant: { id: shown.id } })
    await accounts.lifecycle.stop()
    assert.deepEqual(await accounts.listApiKeys(), [{ ...shown, lastUsedAt: now.toISOString() }])
    assert.deepEqual(await accounts.listApiKeys('other'), [])
    assert.deepEqual(Object.keys(shown).sort(), ['account', 'createdAt', 'id', 'name', 'shown'])
    assert.ok(apiKey.startsWith(shown.shown.slice(0, -1)))
  })

  it('never stores or lists an API key in plain text', async () => {
    await accounts.create('acme')
    const { apiKey } = await accounts.createApiKey({ account: 'acme' })
    const stored = inspect([await database.query(sql`SELECT * FROM api_key`), await accounts.listApiKeys()])
    assert.ok(!stored.includes(apiKey.slice(12)))
  })

  it('rejects an expired key', async () => {
    await accounts.create('acme')
    const expiresAt = '2026-05-01T14:00:01+02:00'
    const { apiKey, ...key } = await accounts.createApiKey({ account: 'acme', expiresAt })
    assert.equal(key.expiresAt, '2026-05-01T12:00:01.000Z')
    assert.ok(await accounts.authenticate(apiKey))
    now = new Date('2026-05-01T12:00:01.000Z')
    assert.equal(await accounts.authenticate(apiKey), undefined)
  })

  it('refuses an expiry in the past or without a valid time, and unknown accounts', async () => {
    await accounts.create('acme')
    for (const expiresAt of ['2026-05-01T12:00:00Z', 'tomorrow', '1', '2026-99-01']) {
      await assert.rejects(
        accounts.createApiKey({ account: 'acme', expiresAt }),
        hasCode('invalid_input'),
        expiresAt,
      )
    }
    await assert.rejects(accounts.createApiKey({ account: 'nobody' }), hasCode('account_not_found'))
    await assert.rejects(accounts.listApiKeys('nobody'), hasCode('account_not_found'))
    assert.deepEqual(await accounts.listApiKeys(), [])
  })

  it('revokes a key immediately and permanently', async () => {
    await accounts.create('acme')
    const kept = await accounts.createApiKey({ account: 'acme' })
    const { apiKey, id } = await accounts.createApiKey({ account: 'acme' })
    const revoked = await accounts.revokeApiKey(id)
    assert.equal(revoked.revokedAt, now.toISOString())
    assert.equal(await accounts.authenticate(apiKey), undefined)
    assert.ok(await accounts.authenticate(kept.apiKey))
    now = new Date('2026-06-01T00:00:00.000Z')
    assert.deepEqual(await accounts.revokeApiKey(id), revoked)
    await assert.rejects(accounts.revokeApiKey('nothing'), hasCode('api_key_not_found'))
    await assert.rejects(accounts.revokeApiKey(undefined as unknown as string), hasCode('invalid_input'))
  })

  it('rejects keys that it did not create', async () => {
    await accounts.create('acme')
    const { apiKey } = await accounts.createApiKey({ account: 'acme' })
    for (const wrong of [
      '',
      'x',
      apiKey.slice(0, -1),
      `${apiKey} `,
      apiKey.toUpperCase(),
      undefined,
      null,
      5,
      [apiKey],
    ]) {
      assert.equal(await accounts.authenticate(wrong as string), undefined)
    }
  })

  describe('at the first start', () => {
    it('creates one account and one key', async () => {
      const first = await accounts.firstStart()
      assert.equal(first?.account, 'default')
      assert.equal((await accounts.authenticate(first?.apiKey ?? ''))?.name, 'default')
      assert.equal(await accounts.firstStart(), undefined)
    })

    it('uses the configured account name', async () => {
      const first = await new Accounts(database, { firstAccount: 'acme' }).firstStart()
      assert.equal(first?.account, 'acme')
    })

    it('does nothing if there are accounts already', async () => {
      await accounts.create('acme')
      assert.equal(await accounts.firstStart(), undefined)
    })

    it('lets only one of several processes succeed', async () => {
      const others = await Promise.all([open(), open()])
      const all = [database, ...others].map((each) => new Accounts(each))
      const keys = await Promise.all([...all, ...all].map((each) => each.firstStart()))
      assert.equal(keys.filter((key) => key !== undefined).length, 1)
      assert.equal((await accounts.list()).length, 1)
      for (const each of others) await each.lifecycle.stop()
    })
  })

  it('validates its options', () => {
    for (const options of [{ firstAccount: '' }, { first: 'x' }, { clock: 5 }, { maxApiKeys: 0 }]) {
      assert.throws(() => new Accounts(database, options as object), { code: 'invalid_configuration' })
    }
    assert.throws(() => new Accounts({} as Database), { code: 'invalid_configuration' })
  })

  it('reports whether it can be read', async () => {
    assert.deepEqual(await accounts.lifecycle.check(), [{ name: 'accounts', ok: true }])
    await database.lifecycle.stop()
    assert.equal((await accounts.lifecycle.check())[0]?.ok, false)
  })
})

describe('isApiKey', () => {
  it('tells a key from a near miss', async () => {
    const { newApiKey } = await import('../api-key.js')
    const keys = Array.from({ length: 200 }, newApiKey)
    assert.equal(new Set(keys).size, keys.length)
    for (const key of keys) {
      assert.match(key, /^vidimus_[0-9A-Za-z]{49}$/)
      assert.ok(isApiKey(key))
    }
    const [key = ''] = keys
    for (let n = 0; n < key.length; n += 1) {
      const changed = key.slice(0, n) + (key[n] === 'a' ? 'b' : 'a') + key.slice(n + 1)
      assert.ok(!isApiKey(changed), `character ${n}`)
    }
    fc.assert(fc.property(fc.anything(), (value) => !isApiKey(value)))
  })
})
