import assert from 'node:assert/strict'
import { RoughTallies } from '../rough-tallies.js'

describe('rough tallies', () => {
  let now: number
  let rough: RoughTallies
  beforeEach(() => {
    now = 0
    rough = new RoughTallies(() => now)
  })

  it('are fresh for a second, each by itself', () => {
    rough.note('a', new Map([['resources', 5]]))
    now = 999
    rough.note('a', new Map([['statusLists', 1]]))
    assert.ok(rough.isFresh('a', ['resources', 'statusLists']))
    now = 1000
    assert.ok(!rough.isFresh('a', ['resources', 'statusLists']))
    assert.ok(rough.isFresh('a', ['statusLists']))
    assert.ok(!rough.isFresh('a', ['ledgerBytes']))
    assert.equal(rough.find('a', 'resources'), 5)
  })

  it('grow by what this process adds, and do not shrink, as that may be undone', () => {
    rough.note('a', new Map([['resources', 5]]))
    rough.add('a', { resources: 2, ledgerBytes: 7 })
    rough.add('a', { resources: -4 })
    rough.add('b', { resources: 1 })
    assert.equal(rough.find('a', 'resources'), 7)
    assert.equal(rough.find('a', 'ledgerBytes'), undefined)
    assert.equal(rough.find('b', 'resources'), undefined)
  })

  it('are kept of the accounts that were noted last', () => {
    for (let n = 0; n < 10_001; n += 1) rough.note(`${n}`, new Map([['resources', n]]))
    assert.equal(rough.find('0', 'resources'), undefined)
    assert.equal(rough.find('1', 'resources'), 1)
    rough.note('1', new Map([['resources', 9]]))
    rough.note('more', new Map([['resources', 1]]))
    assert.equal(rough.find('1', 'resources'), 9)
    assert.equal(rough.find('2', 'resources'), undefined)
  })
})
