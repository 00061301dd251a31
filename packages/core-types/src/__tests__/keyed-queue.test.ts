import assert from 'node:assert/strict'
import { KeyedQueue, queueName } from '../index.js'

describe('a keyed queue', () => {
  it('runs tasks of one key in sequence, others in parallel, and removes finished ones', async () => {
    const queue = new KeyedQueue()
    const order: string[] = []
    let end: () => void = () => undefined
    const first = queue.run(queueName('a'), () => new Promise<void>((resolve) => (end = resolve)))
    const second = queue.run(queueName('a'), async () => void order.push('second'))
    await queue.run(queueName('b'), async () => void order.push('of another queue'))
    assert.equal(queue.size, 1)
    await new Promise((resolve) => setImmediate(resolve))
    order.push('first')
    end()
    await Promise.all([first, second])
    assert.deepEqual([order, queue.size], [['of another queue', 'first', 'second'], 0])
  })

  it('continues after a failed task', async () => {
    const queue = new KeyedQueue()
    const failing = queue.run(queueName('a'), () => Promise.reject(new Error('no')))
    const next = queue.run(queueName('a'), () => Promise.resolve('done'))
    await assert.rejects(failing, /no/)
    assert.equal(await next, 'done')
  })
})
