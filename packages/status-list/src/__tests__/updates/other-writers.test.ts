import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { assertCountsWhatItTakes } from '../../../../../test/support/memory-taken.js'
import { OtherWriters } from '../../updates/other-writers.js'

describe('OtherWriters', () => {
  it('detects versions that this process did not write', () => {
    const others = new OtherWriters()
    others.found('list', 'first')
    assert.equal(others.areAround('list'), false, 'nothing is known of a list that is met for the first time')
    others.left('list', 'second')
    others.found('list', 'second')
    assert.equal(others.areAround('list'), false)
    others.found('list', 'third')
    assert.equal(others.areAround('list'), true)
    assert.equal(others.areAround('another list'), false)
  })

  it('forgets writers that have not returned', async () => {
    const others = new OtherWriters(20)
    others.met('list')
    assert.equal(others.areAround('list'), true)
    while (others.areAround('list')) await setTimeout(5)
  })

  it('counts its memory', async () => {
    const others = new OtherWriters(600_000)
    const meet = (amount: number) => {
      for (let n = 0; n < amount; n += 1) {
        others.left(`list ${n} of some DID`, randomUUID())
        others.met(`list ${n} of some DID`)
      }
      return Promise.resolve()
    }
    await meet(1)
    await assertCountsWhatItTakes('writer', { buffers: 0 }, () => meet(5000))
  })
})
