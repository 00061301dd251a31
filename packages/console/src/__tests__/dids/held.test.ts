import assert from 'node:assert/strict'
import { isHeld } from '../../dids/held.js'

describe('holdings of an account', () => {
  it('are definite after a successful read, and unknown after an error', () => {
    assert.equal(isHeld({ value: { keys: [] }, loading: false }), true)
    assert.equal(isHeld({ value: null, loading: false }), false)
    // an error: there is no value
    assert.equal(isHeld({ loading: false }), false)
    assert.equal(isHeld({ loading: true }), false)
  })
})
