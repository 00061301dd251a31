import assert from 'node:assert/strict'
import { PrivateKeyEnvelope } from '@vidimus/kms-node'
import { AccountPrivateKeyStore } from '../index.js'
import {
  accountNamed,
  as,
  count,
  hasCode,
  install,
  removeFolder,
  SECRET,
  temporaryFolder,
  type Installation,
} from './set-up.js'

describe('AccountPrivateKeyStore', () => {
  let folder: string
  let here: Installation
  beforeEach(async () => {
    folder = await temporaryFolder()
    here = await install(folder)
  })
  afterEach(async () => {
    await here.stop()
    await removeFolder(folder)
  })
  const storeWith = (secret: string) =>
    new AccountPrivateKeyStore(here.unit, new PrivateKeyEnvelope({ secret }))

  it('restarts only with the secret of its database', async () => {
    await storeWith(SECRET).lifecycle.start()
    await assert.rejects(storeWith('ee'.repeat(32)).lifecycle.start(), (error: unknown) => {
      assert.ok(hasCode('wrong_secret')(error))
      assert.match(String(error), /KMS_SECRET_KEY/)
      assert.ok(!String(error).includes('eeee') && !String(error).includes(SECRET.slice(0, 8)))
      return true
    })
  })

  it('keeps one secret if two processes start concurrently for the first time', async () => {
    const fresh = await temporaryFolder()
    await here.stop()
    here = await install(fresh, { secret: 'ab'.repeat(32) })
    await here.database.write(async (connection) => {
      const { sql } = await import('@vidimus/database')
      await connection.run(sql`DELETE FROM secret_check`)
    })
    const starts = await Promise.allSettled(
      ['ab'.repeat(32), 'cd'.repeat(32)].map((secret) => storeWith(secret).lifecycle.start()),
    )
    assert.deepEqual(starts.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    await removeFolder(fresh)
  })

  it('generates a name for a key without one', async () => {
    const account = await accountNamed(here, 'one')
    const key = { type: 'Ed25519', privateKeyHex: 'a7'.repeat(32) }
    const { alias } = await as(account)(() => here.privateKeyStore.importKey(key))
    assert.deepEqual(await as(account)(() => here.privateKeyStore.getKey({ alias })), { ...key, alias })
    assert.equal(await as(account)(() => here.privateKeyStore.deleteKey({ alias })), true)
    assert.equal(await as(account)(() => here.privateKeyStore.deleteKey({ alias })), true)
    assert.equal(await count(here, 'private-key'), 0)
  })

  it('keeps the first of two keys with the same name, even within one call', async () => {
    const account = await accountNamed(here, 'one')
    const [first, other] = ['a7', 'b8'].map((byte) => ({
      alias: 'mine',
      type: 'Ed25519',
      privateKeyHex: byte.repeat(32),
    }))
    assert.ok(first && other)
    await as(account)(async () => {
      const both = here.unit.run(async () => {
        await here.privateKeyStore.importKey(first)
        await here.privateKeyStore.importKey(other)
      })
      await assert.rejects(both, hasCode('alias_taken'))
      await here.privateKeyStore.importKey(first)
      assert.deepEqual(await here.privateKeyStore.importKey(first), first)
      await assert.rejects(here.privateKeyStore.importKey(other), hasCode('alias_taken'))
      await assert.rejects(
        here.privateKeyStore.importKey({ ...first, type: 'X25519' }),
        hasCode('alias_taken'),
      )
      assert.deepEqual(await here.privateKeyStore.listKeys(), [first])
    })
  })

  it('refuses invalid dependencies', () => {
    const envelope = new PrivateKeyEnvelope({ secret: SECRET })
    const wrong = (value: object) => value as never
    assert.throws(() => new AccountPrivateKeyStore(wrong({}), envelope), { code: 'invalid_configuration' })
    assert.throws(() => new AccountPrivateKeyStore(here.unit, wrong({})), { code: 'invalid_configuration' })
  })
})
