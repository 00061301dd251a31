import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { queueName } from '@vidimus/core-types'
import { assertCountsWhatItTakes } from '../../../../../test/support/memory-taken.js'
import { OtherWriters } from '../../updates/other-writers.js'

describe('OtherWriters', () => {
  it('detects versions that this process did not write', () => {
    const others = new OtherWriters()
    others.found(queueName('list'), 'first')
    assert.equal(
      others.areAround(queueName('list')),
      false,
      'nothing is known of a list that is met for the first time',
    )
    others.left(queueName('list'), 'second')
    others.found(queueName('list'), 'second')
    assert.equal(others.areAround(queueName('list')), false)
    others.found(queueName('list'), 'third')
    assert.equal(others.areAround(queueName('list')), true)
    assert.equal(others.areAround(queueName('another list')), false)
  })

  it('forgets writers that have not returned', async () => {
    const others = new OtherWriters(20)
    others.met(queueName('list'))
    assert.equal(others.areAround(queueName('list')), true)
    while (others.areAround(queueName('list'))) await setTimeout(5)
  })

  it('counts its memory', async () => {
    const others = new OtherWriters(600_000)
    const meet = (amount: number) => {
      for (let n = 0; n < amount; n += 1) {
        others.left(queueName(`list ${n} of some DID`), randomUUID())
        others.met(queueName(`list ${n} of some DID`))
      }
      return Promise.resolve()
    }
    await meet(1)
    await assertCountsWhatItTakes('writer', { buffers: 0 }, () => meet(5000))
  })
})
