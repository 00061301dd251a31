import assert from 'node:assert/strict'
import fc from 'fast-check'
import { harmlessJson } from '../harmless.js'

describe('JSON on the command line', () => {
  it('preserves the values and contains no terminal control characters', () => {
    const steering = 'a\u001b[2J\r\nb\u007f\u009b1m\u2028c\u202ed\u{e0001}e\ud800'
    fc.assert(
      fc.property(fc.jsonValue(), fc.string({ unit: 'binary' }), (value, name) => {
        const json = harmlessJson({ value, [name]: name + steering })
        assert.deepEqual(JSON.parse(json), JSON.parse(JSON.stringify({ value, [name]: name + steering })))
        assert.doesNotMatch(json, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u)
      }),
    )
    assert.equal(harmlessJson(['\u009b1m', 'ü']), '["\\u009b1m","ü"]')
  })
})
