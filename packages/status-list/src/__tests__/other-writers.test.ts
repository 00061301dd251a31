import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { OtherWriters } from '../other-writers.js'

describe('OtherWriters', () => {
  it('notices versions that this process has not left', () => {
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

  it('forgets those who have not come back', async () => {
    const others = new OtherWriters(20)
    others.met('list')
    assert.equal(others.areAround('list'), true)
    while (others.areAround('list')) await setTimeout(5)
  })
})
