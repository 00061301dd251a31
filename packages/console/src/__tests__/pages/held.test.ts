import assert from 'node:assert/strict'
import { isHeld } from '../../pages/held.js'

describe('what an account holds', () => {
  it('is certain once it was read, and not after an error', () => {
    assert.equal(isHeld({ value: { keys: [] }, loading: false }), true)
    assert.equal(isHeld({ value: null, loading: false }), false)
    // an error: there is no value
    assert.equal(isHeld({ loading: false }), false)
    assert.equal(isHeld({ loading: true }), false)
  })
})
