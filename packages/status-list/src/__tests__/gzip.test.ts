import assert from 'node:assert/strict'
import { deflateSync, gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { compress, decompress } from '../gzip.js'
import { refused } from './refused.js'

const MEBIBYTE = 1_048_576

describe('gzip', () => {
  it('gives back what went in', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 4000 }), async (bits) => {
        assert.deepEqual(new Uint8Array(await decompress(await compress(bits), 4000)), bits)
      }),
    )
  })

  it('is read by others, large lists included', async () => {
    for (const bytes of [16_384, 65_536, 65_537, 1_250_000]) {
      const bits = Uint8Array.from({ length: bytes }, (_, n) => (n * 7) & 0xff)
      assert.deepEqual(new Uint8Array(gunzipSync(await compress(bits))), bits)
    }
  })

  const good = gzipSync(Buffer.alloc(16_384, 5))
  const damaged = Buffer.from(good)
  damaged.writeUInt8(damaged.readUInt8(damaged.length - 6) ^ 1, damaged.length - 6)
  const bad: [string, Buffer][] = [
    ['nothing', Buffer.alloc(0)],
    ['a truncated stream', good.subarray(0, -3)],
    ['a wrong checksum', damaged],
    ['bytes behind the end', Buffer.concat([good, Buffer.from('xyz')])],
    ['zero bytes behind the end', Buffer.concat([good, Buffer.alloc(3)])],
    ['zlib instead of gzip', deflateSync(Buffer.alloc(16_384))],
    ['a bomb', gzipSync(Buffer.alloc(20 * MEBIBYTE))],
  ]
  for (const [title, bytes] of bad) {
    it(`refuses ${title}`, () => refused(() => decompress(bytes, MEBIBYTE), { code: 'malformed_list' }))
  }

  it('takes exactly as much as is allowed', async () => {
    const bytes = gzipSync(Buffer.alloc(1000))
    assert.equal((await decompress(bytes, 1000)).length, 1000)
    await refused(() => decompress(bytes, 999), { code: 'malformed_list', says: /999 bytes/ })
  })
})
