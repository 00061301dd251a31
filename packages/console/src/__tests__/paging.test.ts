import assert from 'node:assert/strict'
import { nextOf, totalOf } from '../parts/paging.js'

describe('paging', () => {
  it('continues by page number, and by cursor where numbers end or the page is shortened', () => {
    const next = 'behind'
    assert.deepEqual(nextOf({}, 25, { total: 26, rows: 25, next }), { number: 2 })
    assert.deepEqual(nextOf({ number: 2 }, 25, { total: 26, rows: 1 }), undefined)
    assert.deepEqual(nextOf({}, 25, { total: 25, rows: 25 }), undefined)
    assert.deepEqual(nextOf({ number: 3 }, 25, { total: 200, rows: 20, next }), { after: next })
    assert.deepEqual(nextOf({ number: 400 }, 25, { total: 10_000, totalIsExact: false, rows: 25, next }), {
      after: next,
    })
    assert.deepEqual(nextOf({ after: 'a' }, 25, { total: 10_000, rows: 25, next }), { after: next })
    assert.deepEqual(nextOf({ after: 'a' }, 25, { total: 10_000, rows: 25 }), undefined)
  })

  it('shows no exact total if not everything was counted', () => {
    assert.equal(totalOf({ total: 1 }, 'DID'), '1 DID')
    assert.equal(totalOf({ total: 10_000 }, 'DID'), '10,000 DIDs')
    assert.equal(totalOf({ total: 10_000, totalIsExact: false }, 'DID'), '10,000 DIDs or more')
  })
})
