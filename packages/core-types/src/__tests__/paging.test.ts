import assert from 'node:assert/strict'
import { PAGES } from '../bounds.js'
import { countWithin, mustFitAnswer } from '../paging.js'

describe('size of one response', () => {
  const many = (count: number) => Array.from({ length: count }, () => 'x')

  it('is limited in items', () => {
    mustFitAnswer(many(PAGES.most), 'keys')
    assert.throws(() => mustFitAnswer(many(PAGES.most + 1), 'keys'), { code: 'invalid_input' })
  })

  it('is limited in bytes, with at least one item', () => {
    assert.equal(countWithin(['aa', 'bb', 'cc'], 10), 2)
    assert.equal(countWithin(['aa', 'bb', 'cc'], 15), 3)
    assert.equal(countWithin(['aa'], 1), 1)
    assert.throws(() => mustFitAnswer(['x'.repeat(PAGES.bytes), 'x'], 'keys'), { code: 'invalid_input' })
  })
})
