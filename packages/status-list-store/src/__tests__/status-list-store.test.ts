import assert from 'node:assert/strict'
import { sql } from '@vidimus/database'
import { DataSource } from 'typeorm'
import { migrations, StatusListStore } from '../index.js'
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

  it('removes its tables again', async () => {
    const tables = () =>
      here.database.query(sql`SELECT "name" FROM "sqlite_master" WHERE "name" LIKE ${'status_list%'}`)
    assert.ok((await tables()).length >= 5)
    const { location } = here.database
    await here.close()
    const dataSource = new DataSource({ type: 'sqlite', database: location, migrations })
    await dataSource.initialize()
    // Those of every database are not of these.
    await dataSource.query(`DELETE FROM migrations WHERE name LIKE '%HomeVersions%'`)
    for (let left = migrations.length; left > 0; left -= 1) await dataSource.undoLastMigration()
    const rest: unknown = await dataSource.query(
      `SELECT "name" FROM "sqlite_master" WHERE "name" LIKE 'status_list%'`,
    )
    await dataSource.destroy()
    assert.deepEqual(rest, [])
    await removeFolder(folder)
    folder = await temporaryFolder()
    here = await openStore(folder)
  })

  it('names its migrations like their classes, with a time stamp', () => {
    for (const each of migrations) {
      assert.match(each.name, /^[A-Z]\w+\d{13}$/)
      assert.equal(new each().name, each.name)
    }
  })
})
