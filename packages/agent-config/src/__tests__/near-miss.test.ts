import assert from 'node:assert/strict'
import fc from 'fast-check'
import { editDistance } from '@vidimus/core-types'
import { adviceFrom, nearest } from '../near-miss.js'

describe('near misses', () => {
  it('measures the number of changes', () => {
    assert.equal(editDistance('kitten', 'sitting'), 3)
    assert.equal(editDistance('agent', 'agnet'), 1)
    assert.equal(editDistance('', 'abc'), 3)
    assert.equal(editDistance('same', 'same'), 0)
  })

  it('is the same in both directions and at most the longer length', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        const distance = editDistance(a, b)
        assert.equal(distance, editDistance(b, a))
        assert.ok(distance <= Math.max(a.length, b.length))
        assert.equal(distance === 0, a === b)
      }),
    )
  })

  it('finds the nearest match, ignoring case', () => {
    assert.equal(nearest('cheqdd', ['local', 'cheqd']), 'cheqd')
    assert.equal(nearest('agent', ['Agent', 'agency']), 'Agent')
    assert.equal(nearest('x', ['yes', 'no']), undefined)
  })

  it('lists the alternatives, shortened if there are many', () => {
    assert.equal(
      adviceFrom('cheqdd', ['local', 'cheqd'], 'there are'),
      'did you mean "cheqd"? there are: local, cheqd',
    )
    assert.equal(adviceFrom('x', [], 'there are'), undefined)
    const many = Array.from({ length: 25 }, (_, n) => `name-${n}`)
    assert.match(adviceFrom('other', many, 'it has') ?? '', /^it has: name-0, .*name-19 and 5 more$/)
  })
})
