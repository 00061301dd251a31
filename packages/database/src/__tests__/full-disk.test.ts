import assert from 'node:assert/strict'
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SmallDisk } from '../../../../test/support/small-disk.js'
import { Database, sql } from '../index.js'
import { lockFile } from '../process-lock.js'
import { CreateNote1700000000000 } from './migrations.js'

const REFUSED = { code: 'unavailable', message: 'the disk of the database is full' }

describe('a SQLite file on a full disk', () => {
  let disk: SmallDisk
  let database: Database
  before(async function () {
    if ((await SmallDisk.obstacle()) !== undefined) this.skip()
  })
  beforeEach(async () => {
    disk = await SmallDisk.mount(8)
    database = await opened()
  })
  afterEach(async () => {
    await database.lifecycle.stop()
    await disk.unmount()
  })

  const opened = async () => {
    const made = new Database({
      url: null,
      dataDirectory: disk.folder,
      migrations: [[CreateNote1700000000000]],
    })
    await made.lifecycle.start()
    return made
  }
  const file = (suffix = '') => join(disk.folder, `agent.sqlite${suffix}`)
  const insert = (id: string) =>
    database.write((connection) =>
      connection.run(sql`INSERT INTO note VALUES (${id}, ${'x'.repeat(300_000)})`),
    )
  const ids = async () =>
    (await database.query<{ id: string }>(sql`SELECT id FROM note ORDER BY id`)).map(({ id }) => id)
  const check = async () => (await database.lifecycle.check())[0]

  it('serves reads, refuses and reports writes, and recovers once there is space', async () => {
    await insert('before')
    await disk.fill()
    await assert.rejects(insert('refused'), REFUSED)
    assert.deepEqual(await ids(), ['before'])
    const { ok, message = '' } = (await check()) ?? {}
    assert.deepEqual([ok, message], [true, `${REFUSED.message}: changes are refused, reads still work`])
    await disk.clear()
    await insert('later')
    assert.deepEqual(await check(), { name: 'database', ok: true })
    assert.deepEqual(await ids(), ['before', 'later'])
  })

  it('can be opened, even if it was not open before', async () => {
    await insert('before')
    await database.lifecycle.stop()
    await disk.fill()
    database = await opened()
    assert.deepEqual(await ids(), ['before'])
    await disk.fill()
    await assert.rejects(insert('refused'), REFUSED)
    const presence = await database.presence()
    assert.ok(await database.isPresent(presence))
    await disk.clear()
    await insert('later')
    await database.lifecycle.stop()
    assert.equal((await stat(file('-reserve'))).size, 262_144)
    database = await opened()
    assert.deepEqual(await ids(), ['before', 'later'])
  })

  it('cannot be opened without its reserve, and the error says why', async () => {
    await database.lifecycle.stop()
    await rm(file('-reserve'))
    await disk.fill()
    const sentence = `the database ${file()} cannot be opened: the disk of the database is full`
    await assert.rejects(opened(), { code: 'unavailable', message: sentence })
    await disk.clear()
    database = await opened()
  })

  it('has locks that need no space', async () => {
    const folder = join(disk.folder, 'locks')
    await mkdir(folder)
    await writeFile(join(folder, 'one.lock'), '')
    await disk.fill()
    const release = await lockFile(join(folder, 'one.lock'))
    assert.ok(release)
    assert.deepEqual(await readdir(folder), ['one.lock'])
    assert.equal(await lockFile(join(folder, 'one.lock')), undefined)
    await release()
  })
})
