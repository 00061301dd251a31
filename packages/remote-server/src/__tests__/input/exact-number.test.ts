import assert from 'node:assert/strict'
import fc from 'fast-check'
import { isKeptExactly } from '../../input/exact-number.js'

const kept = (text: string) => isKeptExactly(text, Number(text))

describe('isKeptExactly', () => {
  it('accepts every double as written in JSON, except integers beyond 2^53 - 1', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = JSON.stringify(value)
        assert.equal(kept(text), !/^-?\d+$/.test(text) || Number.isSafeInteger(value))
        assert.ok(kept(value.toExponential(16)))
      }),
    )
  })

  for (const text of [
    '0',
    '-0',
    '0.0',
    '1.50',
    '1e5',
    '10E-1',
    '9007199254740991',
    '-9007199254740991',
    '1e300',
    '0.10000000000000001',
    '0.00100',
  ]) {
    it(`accepts ${text}`, () => assert.ok(kept(text)))
  }
  for (const text of [
    '9007199254740992',
    '-9007199254740992',
    '12345678901234567890',
    '12345678901234567890.0',
    '9007199254740993e0',
    '0.1234567890123456789012',
    '1.00000000000000000001',
    '1e-400',
  ]) {
    it(`refuses ${text}`, () => assert.ok(!kept(text)))
  }
})
