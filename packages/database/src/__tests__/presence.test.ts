import { queueName } from '@vidimus/core-types'
import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { freshDatabase, PLACES } from '../../../../test/support/fresh-database.js'
import { Database, sql } from '../index.js'

const open = async (url: string) => {
  const database = new Database({ url, migrations: [] })
  await database.lifecycle.start()
  return database
}

const children: ChildProcess[] = []
process.once('exit', () => children.forEach((child) => child.kill('SIGKILL')))

/** Another process that is present and does nothing, and has no memory of it that could be collected. */
async function presentProcess(url: string) {
  const module = resolve(import.meta.dirname, '../../build/index.js')
  const code = `const { Database } = await import(${JSON.stringify(module)})
    const database = new Database({ url: ${JSON.stringify(url)}, migrations: [] })
    await database.lifecycle.start()
    const id = await database.presence()
    setTimeout(() => {
      gc()
      console.log(id)
      setInterval(() => {}, 1000)
    }, 10)`
  const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const [printed] = (await once(child.stdout, 'data')) as [Buffer]
  return { child, id: printed.toString().trim() }
}

for (const place of PLACES) {
  describe(`presence of processes (${place})`, () => {
    let url: string
    let one: Database
    let other: Database
    beforeEach(async () => {
      url = await freshDatabase(place)
      one = await open(url)
      other = await open(url)
    })
    afterEach(async () => {
      await one.lifecycle.stop()
      await other.lifecycle.stop()
    })

    it('begins on request under one id, and ends with the database', async () => {
      const id = await one.presence()
      assert.equal(await one.presence(), id)
      assert.notEqual(await other.presence(), id)
      assert.deepEqual([await one.isPresent(id), await other.isPresent(id)], [true, true])
      await one.lifecycle.stop()
      assert.equal(await other.isPresent(id), false)
      assert.equal(await other.isPresent('of nobody'), false)
    })

    it('can be checked by many callers concurrently', async () => {
      const id = await one.presence()
      const seen = await Promise.all(Array.from({ length: 50 }, () => other.isPresent(id)))
      assert.deepEqual([...new Set(seen)], [true])
      assert.equal(await other.isPresent(id), true)
    })

    it('ends with its process, even after kill -9', async () => {
      const { child, id } = await presentProcess(url)
      assert.equal(await one.isPresent(id), true)
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
      // The server notices the end of the connection by itself.
      while (await one.isPresent(id));
    })

    it('requires an open database', async () => {
      await one.lifecycle.stop()
      await assert.rejects(one.presence(), { code: 'unavailable' })
    })

    it('provides one clock for all processes', async () => {
      const [first, second] = [await one.now(), await other.now()]
      assert.ok(second >= first)
      assert.ok(Math.abs(first.getTime() - Date.now()) < 60_000)
    })
  })
}

describe('presence on PostgreSQL', () => {
  it('may be lost with its session, and returns under the same id', async () => {
    const url = await freshDatabase('PostgreSQL')
    const [one, other] = [await open(url), await open(url)]
    const id = await one.presence()
    await other.query(
      sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'vidimus presence' AND datname = current_database()`,
    )
    while (await other.isPresent(id));
    while (!(await other.isPresent(id))) assert.equal(await one.presence(), id)
    await one.lifecycle.stop()
    await other.lifecycle.stop()
  })
})

describe('presence on a SQLite file', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vidimus-presence-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  const files = async () => (await readdir(folder)).filter((name) => name.includes('-present-'))
  // SQLite has a journal beside each while it is locked.
  const locks = async () => (await files()).filter((name) => name.endsWith('.lock')).sort()

  it('leaves no file behind', async () => {
    const database = await open(`sqlite:${join(folder, 'a.sqlite')}`)
    await database.presence()
    assert.equal((await locks()).length, 1)
    await database.lifecycle.stop()
    assert.deepEqual(await files(), [])
  })

  it('removes the files of killed processes only', async () => {
    const url = `sqlite:${join(folder, 'a.sqlite')}`
    const { child, id } = await presentProcess(url)
    const living = await presentProcess(url)
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    assert.ok((await locks()).some((name) => name.includes(id)))
    const database = await open(url)
    const own = await database.presence()
    assert.deepEqual(await locks(), [own, living.id].map((each) => `a.sqlite-present-${each}.lock`).sort())
    await database.lifecycle.stop()
  })

  it('survives when its own process opens the database again', async () => {
    const url = `sqlite:${join(folder, 'a.sqlite')}`
    const holder = await open(url)
    const release = await holder.lock(queueName('work'))
    const again = await open(url)
    // Had it opened and closed the file, the lock of the process would be gone for all others.
    assert.equal(await again.lock(queueName('work')), undefined)
    const module = resolve(import.meta.dirname, '../../build/index.js')
    const code = `const { Database } = await import(${JSON.stringify(module)})
      const database = new Database({ url: ${JSON.stringify(url)}, migrations: [] })
      await database.lifecycle.start()
      console.log(typeof (await database.lock('work')))
      await database.lifecycle.stop()`
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [printed] = (await once(child.stdout, 'data')) as [Buffer]
    assert.equal(printed.toString().trim(), 'undefined')
    await once(child, 'exit')
    await release?.()
    await again.lifecycle.stop()
    await holder.lifecycle.stop()
  })
})
