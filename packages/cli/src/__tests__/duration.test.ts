import assert from 'node:assert/strict'
import { duration } from '../duration.js'

describe('duration', () => {
  for (const [text, seconds] of [
    ['0', 0],
    ['90s', 90],
    ['30m', 1800],
    ['24h', 86_400],
    ['7d', 604_800],
    ['0h', 0],
  ] as const) {
    it(`reads ${text}`, () => assert.equal(duration(text), seconds))
  }

  for (const text of ['', '24', '1.5h', '-1h', '1 h', '24H', '1w', 'h', '99999999999s']) {
    it(`refuses "${text}"`, () => assert.throws(() => duration(text), /whole number with a unit/))
  }
})
