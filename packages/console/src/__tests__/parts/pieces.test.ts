import assert from 'node:assert/strict'
import { localTime } from '../../parts/pieces.js'

describe('a time in the console', () => {
  it('is in the zone of the reader, in an order that compares', () => {
    assert.equal(localTime(new Date(2027, 0, 3, 4, 5, 6)), '2027-01-03 04:05:06')
    assert.equal(localTime(new Date(2027, 11, 31, 23, 59, 59)), '2027-12-31 23:59:59')
  })
})
