import assert from 'node:assert/strict'
import { asListName } from '@vidimus/core-types'
import { sql } from '@vidimus/database'
import { Envelope, newList, openStore, removeFolder, temporaryFolder, type OpenStore } from './open-store.js'

describe('ListKeys', () => {
  let folder: string
  let here: OpenStore

  beforeEach(async () => {
    folder = await temporaryFolder()
    here = await openStore(folder)
  })
  afterEach(async () => {
    await here.close()
    await removeFolder(folder)
  })

  it('has no key until one is requested, and then always the same', async () => {
    const list = newList()
    assert.equal(await here.store.keys.find(list), undefined)
    const key = await here.store.keys.findOrCreate(list)
    assert.equal(key.length, 32)
    assert.deepEqual(await here.store.keys.findOrCreate(list), key)
    assert.deepEqual(await here.store.keys.find(list), key)
    await here.close()
    here = await openStore(folder)
    assert.deepEqual(await here.store.keys.find(list), key)
  })

  it('has a different key for every list', async () => {
    const list = newList()
    const others = [
      newList(),
      { ...list, statusListName: asListName('x') },
      { ...list, resourceType: 'StatusList2021Suspension' },
      list,
    ]
    const keys = await Promise.all(others.map((each) => here.store.keys.findOrCreate(each)))
    assert.equal(new Set(keys.map((key) => Buffer.from(key).toString('hex'))).size, others.length)
  })

  it('creates one key for many callers in two processes', async () => {
    const there = await openStore(folder)
    const list = newList()
    const keys = await Promise.all(
      Array.from({ length: 40 }, (_, n) => (n % 2 ? here : there).store.keys.findOrCreate(list)),
    )
    assert.equal(new Set(keys.map((key) => Buffer.from(key).toString('hex'))).size, 1)
    await there.close()
  })

  it('returns a copy of the key to every caller', async () => {
    const list = newList()
    const key = await here.store.keys.findOrCreate(list)
    const before = Buffer.from(key)
    key.fill(0)
    assert.deepEqual(Buffer.from(await here.store.keys.findOrCreate(list)), before)
  })

  it('seals the key for its list only', async () => {
    const [one, other] = [newList(), newList()]
    const key = await here.store.keys.findOrCreate(one)
    await here.store.keys.findOrCreate(other)
    const rows = await here.database.query<{ sealed_key: string }>(
      sql`SELECT "sealed_key" FROM "status_list_key"`,
    )
    for (const { sealed_key: sealed } of rows) {
      assert.ok(!sealed.includes(Buffer.from(key).toString('hex')))
      assert.ok(!sealed.includes(Buffer.from(key).toString('base64url')))
    }
    await here.database.write((connection) =>
      connection.run(
        sql`UPDATE "status_list_key" SET "sealed_key" = (SELECT MIN("sealed_key") FROM "status_list_key")`,
      ),
    )
    const outcomes = await Promise.allSettled([here.store.keys.find(one), here.store.keys.find(other)])
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  })

  it('does not replace a key sealed with another secret', async () => {
    const list = newList()
    const key = await here.store.keys.findOrCreate(list)
    const there = await openStore(folder, { envelope: new Envelope(Buffer.alloc(32, 9)) })
    await assert.rejects(there.store.keys.findOrCreate(list), { code: 'wrong_secret' })
    await there.close()
    assert.deepEqual(await here.store.keys.find(list), key)
  })
})
