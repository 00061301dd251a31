import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { inFairOrder, SharedQueue } from '../shared-queue.js'

describe('SharedQueue', () => {
  /** Tasks that end on request, and the order in which they began. */
  const works = () => {
    const begun: string[] = []
    const ends: (() => void)[] = []
    const work = (name: string) => () => {
      begun.push(name)
      return new Promise<void>((resolve) => ends.push(resolve))
    }
    const endOne = async () => {
      ends.shift()?.()
      await new Promise((resolve) => setImmediate(resolve))
    }
    return { begun, work, endOne }
  }

  it('alternates between callers, however much one of them queues', async () => {
    const { begun, work, endOne } = works()
    const queue = new SharedQueue(1)
    for (let n = 0; n < 1000; n++) void queue.run('greedy', work(`greedy ${n}`))
    void queue.run('neighbour', work('neighbour 0'))
    void queue.run('neighbour', work('neighbour 1'))
    for (let n = 0; n < 4; n++) await endOne()
    assert.deepEqual(begun, ['greedy 0', 'greedy 1', 'neighbour 0', 'greedy 2', 'neighbour 1'])
    assert.equal(queue.length, 997)
  })

  it('alternates by time where tasks differ in how long they take', async () => {
    const { begun, work, endOne } = works()
    let now = 0
    const queue = new SharedQueue(1, 1, () => now)
    for (let n = 0; n < 4; n++) void queue.run('slow', work(`slow ${n}`))
    for (let n = 0; n < 25; n++) void queue.run('quick', work(`quick ${n}`))
    for (let n = 0; n < 25; n++) {
      now += begun.at(-1)?.startsWith('slow') ? 1000 : 100
      await endOne()
    }
    const slow = begun.flatMap((name, n) => (name.startsWith('slow') ? [n] : []))
    assert.deepEqual(slow, [0, 11, 22])
    void queue.run('newcomer', work('newcomer'))
    now += 100
    await endOne()
    assert.equal(begun.at(-1), 'newcomer')
  })

  it('reserves a slot for others if tasks never end', async () => {
    const { begun, work } = works()
    const queue = new SharedQueue(3)
    for (let n = 0; n < 5; n++) void queue.run('silent', work(`silent ${n}`))
    void queue.run('neighbour', work('neighbour'))
    await Promise.resolve()
    assert.deepEqual(begun, ['silent 0', 'silent 1', 'neighbour'])
  })

  it('passes on the result of a task and continues after a failure', async () => {
    const queue = new SharedQueue(1)
    const failure = new Error('no')
    await assert.rejects(
      queue.run('one', () => Promise.reject(failure)),
      failure,
    )
    assert.equal(await queue.run('one', () => Promise.resolve(7)), 7)
  })

  it('runs a task in the scope of its caller', async () => {
    const { work, endOne } = works()
    const queue = new SharedQueue(1)
    const scope = new AsyncLocalStorage<string>()
    const first = scope.run('first', () => queue.run('a', work('first')))
    const second = scope.run('second', () => queue.run('b', () => Promise.resolve(scope.getStore())))
    await endOne()
    await first
    assert.equal(await second, 'second')
  })

  it('interleaves existing items fairly', () => {
    assert.deepEqual(
      inFairOrder(['a1', 'a2', 'a3', 'b1', 'c1', 'b2'], (item) => item[0]!),
      ['a1', 'b1', 'c1', 'a2', 'b2', 'a3'],
    )
  })
})
