import assert from 'node:assert/strict'
import { sql } from '@vidimus/database'
import {
  Envelope,
  as,
  newAccount,
  newList,
  openStore,
  removeFolder,
  temporaryFolder,
  takeFree,
  type OpenStore,
} from './open-store.js'

const [OLD, NEW] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]

describe('status list keys during secret rotation', () => {
  let folder: string
  const open: OpenStore[] = []
  const start = async (envelope: Envelope) => {
    const opened = await openStore(folder, { envelope })
    open.push(opened)
    await opened.store.lifecycle.start()
    return opened
  }
  beforeEach(async () => {
    folder = await temporaryFolder()
  })
  afterEach(async () => {
    for (const { close } of open.splice(0)) await close()
    await removeFolder(folder)
  })

  it('are re-encrypted, including those of index orders, and stay the same keys', async () => {
    const lists = Array.from({ length: 7 }, (_, n) => newList(`list ${n}`))
    const before = await start(new Envelope(OLD))
    const keys = await Promise.all(lists.map((list) => before.store.keys.findOrCreate(list)))
    const taken = await Promise.all(lists.map((list) => takeFree(before.store, list, 50)))
    for (const [n, list] of lists.entries()) {
      const credential = { id: `urn:example:${n}`, issuedAt: '2026-01-01T00:00:00.000Z' }
      await as(newAccount(), () => before.store.register.import([{ ...credential, list, index: 1 }]))
    }
    const account = newAccount()
    const uid = await as(account, () => before.store.jobs.begin())
    const parts = lists.map((_, n) => ({ kind: 'rows' as const, list: n % 2, content: `rows ${n}` }))
    await as(account, () => before.store.jobs.add(uid, parts))
    const both = await start(new Envelope(NEW, OLD))
    const { keyId } = new Envelope(NEW)
    for (const store of both.store.sealedStores) {
      await store.sealWith(keyId)
      let resealed = 0
      for await (const batch of store.reseal(keyId, 2)) {
        assert.ok(batch.resealed <= 2)
        assert.deepEqual(batch.unreadable, [])
        resealed += batch.resealed
      }
      assert.equal(resealed, lists.length)
      assert.deepEqual([...(await store.countSealed())], [[keyId, lists.length]])
    }
    const after = await start(new Envelope(NEW))
    assert.deepEqual(await Promise.all(lists.map((list) => after.store.keys.findOrCreate(list))), keys)
    const kept = await as(account, () => after.store.jobs.parts({ account, uid }, 'rows', { most: 100 }))
    assert.deepEqual(
      kept.map(({ content }) => content),
      [0, 2, 4, 6, 1, 3, 5].map((n) => `rows ${n}`),
    )
    for (const [n, list] of lists.entries()) {
      const rest = await Promise.all(Array.from({ length: 49 }, () => takeFree(after.store, list, 50)))
      assert.equal(new Set([taken[n], ...rest]).size, 50)
    }
    await assert.rejects(start(new Envelope(OLD)), { code: 'wrong_secret' })
    // A process with only the old secret cannot store anything with it any more.
    await assert.rejects(before.store.keys.findOrCreate(newList()), { code: 'wrong_secret' })
    await assert.rejects(takeFree(before.store, newList(), 50), { code: 'wrong_secret' })
  })

  it('report a wrong secret at startup', async () => {
    const here = await start(new Envelope(OLD))
    await here.store.keys.findOrCreate(newList())
    const refused = (message: RegExp) =>
      assert.rejects(start(new Envelope(NEW)), { code: 'wrong_secret', message })
    await refused(/orders of status lists in the database are sealed with the secret "01010101"/)
    await here.database.write((connection) => connection.run(sql`DELETE FROM "status_list_secret_check"`))
    await refused(/keys of status lists in the database are sealed with the secret "01010101"/)
  })

  it('are reported and left alone if damaged', async () => {
    const here = await start(new Envelope(NEW, OLD))
    const [store] = here.store.sealedStores
    await takeFree(here.store, newList(), 50)
    await here.database.write((connection) =>
      connection.run(sql`UPDATE "status_list_order" SET "sealed_key" = "sealed_key" || 'A'`),
    )
    const batches = []
    for await (const batch of store!.reseal(new Envelope(OLD).keyId, 10)) batches.push(batch)
    assert.equal(batches[0]?.resealed, 0)
    assert.match(batches[0]?.unreadable[0] ?? '', /^order of a status list did:cheqd:testnet:.* employees/)
  })
})
