import assert from 'node:assert/strict'
import { InvalidArgumentError } from 'commander'
import fc from 'fast-check'
import { expiryTime } from '../expiry-time.js'

describe('expiry of an API key', () => {
  const valid: [string, string][] = [
    ['2027-01-31', '2027-01-31T00:00:00.000Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
    ['2027-01-31T12:30Z', '2027-01-31T12:30:00.000Z'],
    ['2027-01-31T12:30:15.25+02:00', '2027-01-31T10:30:15.250Z'],
    ['2027-01-31T23:30:00-01:00', '2027-02-01T00:30:00.000Z'],
  ]
  for (const [text, time] of valid) {
    it(`may be ${text}`, () => assert.equal(expiryTime(text), time))
  }

  const invalid = [
    '9999-12-31T23:59:59-14:00',
    '0000-01-01T00:00:00+14:00',
    '2027-02-31',
    '2027-02-29',
    '2027-13-01',
    '2027-00-10',
    '2027-04-31T00:00:00Z',
    '2027-01-31T24:30:00Z',
    '2027-01-31T12:60:00Z',
    '2027-01-31T12:00:00',
    '2027-01-31 12:00:00Z',
    '2027-01-31T12:00:00+2',
    '2027-01-31T12:00:00+25:00',
    '2027-01-31 or later',
    '2027-01-31 GMT',
    '2027-01-31\n',
    '2027-1-31',
    '31.1.2027',
    'soon',
    '',
  ]
  for (const text of invalid) {
    it(`may not be ${JSON.stringify(text)}`, () => {
      assert.throws(
        () => expiryTime(text),
        (error: unknown) => error instanceof InvalidArgumentError && error.message.includes('ISO 8601'),
      )
    })
  }

  it('accepts any time that JavaScript prints', () => {
    const times = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    fc.assert(fc.property(times, (time) => assert.equal(expiryTime(time.toISOString()), time.toISOString())))
  })
})
