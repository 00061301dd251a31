import assert from 'node:assert/strict'
import fc from 'fast-check'
import { expiryGroup, periodProblem } from '../../series/expiry-groups.js'

describe('the groups of credentials by their expiry', () => {
  for (const [period, expiresAt, end] of [
    ['P3M', '2027-01-01T00:00:00.000Z', '2027-04-01T00:00:00.000Z'],
    ['P3M', '2027-03-31T23:59:59.999Z', '2027-04-01T00:00:00.000Z'],
    ['P1Y', '2027-06-30T12:00:00.000Z', '2028-01-01T00:00:00.000Z'],
    ['P1Y6M', '2027-01-01T00:00:00.000Z', '2028-07-01T00:00:00.000Z'],
    ['P7D', '1970-01-08T00:00:00.000Z', '1970-01-15T00:00:00.000Z'],
    ['PT36H', '1970-01-02T11:00:00.000Z', '1970-01-02T12:00:00.000Z'],
    ['P3M', '9999-12-31T00:00:00.000Z', '9999-12-31T23:59:59.999Z'],
  ] as const) {
    it(`of ${period} end at ${end} for ${expiresAt}`, () => {
      assert.equal(expiryGroup(period, expiresAt), end)
    })
  }

  it('are one without a period, and another for credentials that never expire', () => {
    assert.equal(expiryGroup(undefined, '2027-01-01T00:00:00.000Z'), '')
    assert.equal(expiryGroup(undefined, undefined), '')
    assert.equal(expiryGroup('P3M', undefined), 'never')
  })

  it('end after every expiry in them, and at most a period later', () => {
    const time = fc.integer({ min: 0, max: Date.parse('9990-01-01T00:00:00Z') })
    const days = fc.integer({ min: 1, max: 400 })
    fc.assert(
      fc.property(time, days, (ms, n) => {
        const end = Date.parse(expiryGroup(`P${n}D`, new Date(ms).toISOString()))
        assert.ok(end > ms && end - ms <= n * 86_400_000)
      }),
    )
  })

  for (const [period, says] of [
    ['PT1H', /at least a day/],
    ['P0M', /at least a day/],
    ['P1M1D', /not in both/],
    ['P1YT1H', /not in both/],
    ['P9999Y', /year 10000/],
  ] as const) {
    it(`are not of ${period}`, () => assert.match(periodProblem(period) ?? '', says))
  }
})
