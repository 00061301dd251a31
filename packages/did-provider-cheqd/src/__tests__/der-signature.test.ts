import assert from 'node:assert/strict'
import { generateKeyPairSync, sign, verify } from 'node:crypto'
import fc from 'fast-check'
import { derSignature } from '../message-signing.js'

describe('derSignature', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

  it('keeps every signature valid in DER', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (data) => {
        const signature = sign('sha256', data, { key: privateKey, dsaEncoding: 'ieee-p1363' })
        const rewritten = derSignature(signature)
        assert.ok(verify('sha256', data, { key: publicKey, dsaEncoding: 'der' }, rewritten))
      }),
      { numRuns: 300 },
    )
  })

  it('writes minimal, never negative integers', () => {
    const joined = (r: string, s: string) => Buffer.from(r.padStart(64, '0') + s.padStart(64, '0'), 'hex')
    const hex = (r: string, s: string) => Buffer.from(derSignature(joined(r, s))).toString('hex')
    assert.equal(hex('01', '7f'), '300602010102017f')
    assert.equal(hex('80', 'ff00'), '300902020080020300ff00')
    assert.equal(hex('', ''), '3006020100020100')
    assert.equal(hex('ff'.repeat(32), '01').slice(0, 10), '3026022100')
  })

  it('refuses anything but 64 bytes', () => {
    assert.throws(() => derSignature(new Uint8Array(63)), RangeError)
    assert.throws(() => derSignature(new Uint8Array(65)), RangeError)
  })
})
