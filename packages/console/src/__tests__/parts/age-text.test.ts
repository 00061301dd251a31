import assert from 'node:assert/strict'
import { ageSeconds, ageText } from '../../parts/age-text.js'

describe('ages', () => {
  it('are told in the largest unit that fits', () => {
    assert.deepEqual(
      [undefined, 0, 59.6, 120, 7199, 7200, 172_799, 172_800, 86_400 * 400].map((one) => ageText(one)),
      ['unknown', '0 s', '60 s', '2 min', '120 min', '2 h', '48 h', '2 days', '400 days'],
    )
  })

  it('are never negative', () => {
    const now = new Date('2027-01-31T12:00:00.000Z')
    assert.equal(ageSeconds('2027-01-31T11:59:00.000Z', now), 60)
    assert.equal(ageSeconds('2027-01-31T12:01:00.000Z', now), 0)
  })
})
