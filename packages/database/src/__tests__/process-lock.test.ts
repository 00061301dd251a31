import { queueName } from '@vidimus/core-types'
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { lockFile } from '../process-lock.js'
import { SqliteFolder } from './sqlite-folder.js'

describe('database lock', () => {
  let folder: SqliteFolder
  beforeEach(async () => {
    folder = await SqliteFolder.create()
  })
  afterEach(() => folder.remove())

  it('has one holder at a time, independently per name', async () => {
    const [one, other] = [await folder.open(), await folder.open()]
    const release = await one.lock(queueName('work'))
    assert.ok(release)
    assert.equal(await other.lock(queueName('work')), undefined)
    assert.equal(await one.lock(queueName('work')), undefined)
    const another = await other.lock(queueName('other-work'))
    assert.ok(another)
    await release()
    const again = await other.lock(queueName('work'))
    assert.ok(again)
    await another()
    await again()
  })

  it('is granted to one of many concurrent requests', async () => {
    const database = await folder.open()
    const locks = await Promise.all(Array.from({ length: 10 }, () => database.lock(queueName('work'))))
    const held = locks.filter((lock) => lock !== undefined)
    assert.equal(held.length, 1)
    await held[0]?.()
  })

  it('leaves a file for the owner only, and does not block the database', async () => {
    const database = await folder.open()
    const release = await database.lock(queueName('work'))
    assert.equal((await stat(join(folder.path, 'agent.sqlite-work.lock'))).mode & 0o777, 0o600)
    await database.write(async () => undefined)
    await release?.()
  })

  it('ends with its process, even after kill -9', async () => {
    const file = join(folder.path, 'x.lock')
    const module = resolve(import.meta.dirname, '../process-lock.ts')
    const code = `const { lockFile } = await import(${JSON.stringify(module)})
      console.log(typeof (await lockFile(${JSON.stringify(file)})))
      setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [printed] = (await once(child.stdout, 'data')) as [Buffer]
    assert.equal(printed.toString().trim(), 'function')
    assert.equal(await lockFile(file), undefined)
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    const release = await lockFile(file)
    assert.ok(release)
    await release()
  })
})
