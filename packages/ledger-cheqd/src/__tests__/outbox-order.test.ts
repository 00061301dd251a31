import assert from 'node:assert/strict'
import { OutboxOrder } from '../outbox-order.js'

describe('OutboxOrder', () => {
  const messages = (account: string, count: number) =>
    Array.from({ length: count }, (_, n) => ({ id: `${account}${n}`, account_id: account }))

  it('lets no account wait for all messages of another', () => {
    const chosen = new OutboxOrder().choose([...messages('a', 1000), ...messages('b', 2)], 5)
    assert.deepEqual(chosen, ['a0', 'b0', 'a1', 'b1', 'a2'])
  })

  it('continues with the account that waited longest', () => {
    const order = new OutboxOrder()
    const waiting = ['a', 'b', 'c', 'd'].flatMap((account) => messages(account, 10))
    assert.deepEqual(order.choose(waiting, 2), ['a0', 'b0'])
    order.took(['a0', 'b0'])
    const left = waiting.filter(({ id }) => id !== 'a0' && id !== 'b0')
    assert.deepEqual(order.choose(left, 2), ['c0', 'd0'])
  })

  it('continues with messages that found no room in the transaction', () => {
    const order = new OutboxOrder()
    const waiting = [...messages('a', 1000), ...messages('b', 1)]
    assert.deepEqual(order.choose(waiting, 5).slice(0, 2), ['a0', 'b0'])
    order.took(['a0'])
    assert.deepEqual(order.choose(waiting.slice(1), 5).slice(0, 2), ['b0', 'a1'])
  })

  it('keeps the order within an account', () => {
    assert.deepEqual(new OutboxOrder().choose(messages('a', 3), 5), ['a0', 'a1', 'a2'])
  })
})
