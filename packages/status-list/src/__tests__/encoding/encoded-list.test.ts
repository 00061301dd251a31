import assert from 'node:assert/strict'
import fc from 'fast-check'
import {
  decodeAnyBase64,
  decodeBase64Url,
  decodeHex,
  encodeBase64Url,
  encodeHex,
} from '../../encoding/encoded-list.js'
import { refused } from '../refused.js'

describe('encodedList', () => {
  it('round-trips in every readable spelling', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const buffer = Buffer.from(bytes)
        const same = (decoded: Uint8Array) => {
          assert.ok(buffer.equals(decoded))
        }
        same(decodeBase64Url(encodeBase64Url(bytes)))
        same(decodeHex(encodeHex(bytes)))
        same(decodeAnyBase64(encodeBase64Url(bytes)))
        same(decodeAnyBase64(buffer.toString('base64')))
        same(decodeAnyBase64(buffer.toString('base64').replace(/=+$/, '')))
      }),
    )
  })

  it('encodes a view without the rest of its buffer', () => {
    const view = Uint8Array.of(1, 2, 3, 4).subarray(1, 3)
    assert.equal(encodeHex(view), '0203')
    assert.equal(encodeBase64Url(view), 'AgM')
  })

  for (const text of ['AAA=', 'AA==', 'A', 'AAAAA', 'AA+A', 'AA/A', 'AA A', 'AA\nA', 'AAä']) {
    it(`refuses ${JSON.stringify(text)} as base64url`, () =>
      refused(() => decodeBase64Url(text), { code: 'malformed_list' }))
  }
  for (const text of ['A', 'A===', 'AAA==', 'AA=', '+-AA', 'AA A', 'AA.A', '=AAA']) {
    it(`refuses ${JSON.stringify(text)} as base64`, () =>
      refused(() => decodeAnyBase64(text), { code: 'malformed_list' }))
  }
  for (const text of ['0', '0g', '0x00', '00 ']) {
    it(`refuses ${JSON.stringify(text)} as hex`, () =>
      refused(() => decodeHex(text), { code: 'malformed_list' }))
  }
})
