import assert from 'node:assert/strict'
import { KeyedQueue } from '../index.js'

describe('a keyed queue', () => {
  it('runs tasks of one key in sequence, others in parallel, and removes finished ones', async () => {
    const queue = new KeyedQueue()
    const order: string[] = []
    let end: () => void = () => undefined
    const first = queue.run('a', () => new Promise<void>((resolve) => (end = resolve)))
    const second = queue.run('a', async () => void order.push('second'))
    await queue.run('b', async () => void order.push('of another key'))
    assert.equal(queue.size, 1)
    await new Promise((resolve) => setImmediate(resolve))
    order.push('first')
    end()
    await Promise.all([first, second])
    assert.deepEqual([order, queue.size], [['of another key', 'first', 'second'], 0])
  })

  it('continues after a failed task', async () => {
    const queue = new KeyedQueue()
    const failing = queue.run('a', () => Promise.reject(new Error('no')))
    const next = queue.run('a', () => Promise.resolve('done'))
    await assert.rejects(failing, /no/)
    assert.equal(await next, 'done')
  })
})
