import { queueName } from '@vidimus/core-types'
import assert from 'node:assert/strict'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { lastingWork } from './lasting-work.js'
import { SqliteFolder } from './sqlite-folder.js'

describe('exclusive work on a SQLite file', () => {
  let folder: SqliteFolder
  beforeEach(async () => {
    folder = await SqliteFolder.create()
  })
  afterEach(() => folder.remove())

  it('is done for patient callers one at a time', async () => {
    const patience = { busyTimeoutMs: 3_600_000 }
    const [one, other] = [await folder.open(patience), await folder.open(patience)]
    const [first, second] = [lastingWork(), lastingWork()]
    const works = [
      one.inTurn(queueName('list'), first.work, { patient: true }),
      other.inTurn(queueName('another list'), second.work, { patient: true }),
    ]
    const begun = await Promise.race([first.begun.then(() => 'first'), second.begun.then(() => 'second')])
    const [running, waiting] = begun === 'first' ? [first, second] : [second, first]
    const soon = await Promise.race([waiting.begun.then(() => 'both'), setTimeout(100, 'one')])
    assert.equal(soon, 'one')
    running.end()
    await waiting.begun
    waiting.end()
    await Promise.all(works)
  })

  it('delays all others in every process, which then run in parallel', async () => {
    const [one, other] = [await folder.open(), await folder.open()]
    const first = lastingWork()
    const order: string[] = []
    const alone = one.inTurn(queueName('list'), () => first.work().then(() => order.push('alone')), {
      patient: true,
    })
    await first.begun
    const others = [one, one, other, other].map((database, n) => {
      const another = lastingWork()
      void another.begun.then(() => order.push('another'))
      return { ...another, done: database.inTurn(queueName(`list ${n}`), another.work) }
    })
    await setTimeout(50)
    first.end()
    await Promise.all(others.map(({ begun }) => begun))
    assert.deepEqual(order, ['alone', ...others.map(() => 'another')])
    for (const { end } of others) end()
    await Promise.all([alone, ...others.map(({ done }) => done)])
  })

  it('is not waited for beyond a time limit or the statement timeout', async () => {
    const [one, hasty] = [await folder.open(), await folder.open({ busyTimeoutMs: 100 })]
    const first = lastingWork()
    const working = one.inTurn(queueName('list'), first.work, { patient: true })
    await first.begun
    assert.equal(await hasty.inTurn(queueName('list'), async () => 'a while'), 'a while')
    assert.equal(
      await hasty.inTurn(queueName('list'), async () => 'a statement', { patient: true }),
      'a statement',
    )
    first.end()
    await working
    assert.equal(await hasty.inTurn(queueName('list'), async () => 'in turn', { patient: true }), 'in turn')
  })

  it('proceeds without the lock if it cannot be acquired', async () => {
    await mkdir(join(folder.path, 'agent.sqlite-turn.lock'))
    const database = await folder.open()
    for (const patient of [false, true]) {
      assert.equal(await database.inTurn(queueName('list'), async () => 'done', { patient }), 'done')
    }
  })

  it('creates no files unless requested', async () => {
    const database = await folder.open()
    await database.write(async () => undefined)
    assert.deepEqual(
      (await readdir(folder.path)).filter((name) => name.includes('turn')),
      [],
    )
  })
})
