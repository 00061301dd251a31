import assert from 'node:assert/strict'
import { sql } from '@vidimus/database'
import { StatusListStore } from '../index.js'
import { Envelope, openStore, removeFolder, temporaryFolder, type OpenStore } from './open-store.js'

describe('StatusListStore', () => {
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

  for (const [why, options, path] of [
    ['a missing database', { database: undefined }, 'database'],
    ['something other than a database', { database: {} }, 'database'],
    ['a missing envelope', { envelope: undefined }, 'envelope'],
    ['something other than an envelope', { envelope: { seal: true } }, 'envelope'],
    ['an invalid clock', { clock: 5 }, 'clock'],
    ['an unknown member', { secret: 'x' }, ''],
  ] as const) {
    it(`refuses ${why}`, () => {
      assert.throws(
        () =>
          new StatusListStore({
            ...{ database: here.database, envelope: new Envelope() },
            ...options,
          } as never),
        (error: { code?: string; details?: { path: string }[] }) =>
          error.code === 'invalid_configuration' && error.details?.[0]?.path === path,
      )
    })
  }

  it('reports whether its tables are readable', async () => {
    assert.deepEqual(await here.store.lifecycle.check(), [{ name: 'status-list-store', ok: true }])
    await here.database.write((connection) => connection.run(sql`ALTER TABLE "status_list" RENAME TO "gone"`))
    const [result] = await here.store.lifecycle.check()
    assert.equal(result?.ok, false)
  })
})
