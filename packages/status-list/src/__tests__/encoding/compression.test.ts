import assert from 'node:assert/strict'
import { deflateRawSync, deflateSync, gunzipSync, gzipSync, inflateSync } from 'node:zlib'
import fc from 'fast-check'
import { compressAs, decompressAs } from '../../encoding/compression.js'
import { compress, decompress } from '../../encoding/gzip.js'
import { refused } from '../refused.js'

const MEBIBYTE = 1_048_576
const FORMATS = {
  gzip: { format: 'gzip', pack: gzipSync, unpack: gunzipSync, other: deflateSync },
  zlib: { format: 'zlib', pack: deflateSync, unpack: inflateSync, other: gzipSync },
} as const

for (const { format, pack, unpack, other } of Object.values(FORMATS)) {
  describe(`compression as ${format}`, () => {
    it('round-trips', async () => {
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 4000 }), async (bits) => {
          const compressed = await compressAs(format, bits)
          assert.deepEqual(new Uint8Array(await decompressAs(format, compressed, 4000)), bits)
        }),
      )
    })

    it('is readable by others, including large lists', async () => {
      for (const bytes of [16_384, 65_536, 65_537, 1_250_000]) {
        const bits = Uint8Array.from({ length: bytes }, (_, n) => (n * 7) & 0xff)
        assert.deepEqual(new Uint8Array(unpack(await compressAs(format, bits))), bits)
      }
    })

    const good = pack(Buffer.alloc(16_384, 5))
    const damaged = Buffer.from(good)
    const inChecksum = damaged.length - (format === 'gzip' ? 6 : 2)
    damaged.writeUInt8(damaged.readUInt8(inChecksum) ^ 1, inChecksum)
    const bad: [string, Buffer][] = [
      ['nothing', Buffer.alloc(0)],
      ['a truncated stream', good.subarray(0, -3)],
      ['a stream without a checksum', good.subarray(0, format === 'gzip' ? -8 : -4)],
      ['a wrong checksum', damaged],
      ['trailing bytes', Buffer.concat([good, Buffer.from('xyz')])],
      ['trailing zero bytes', Buffer.concat([good, Buffer.alloc(3)])],
      ['the other format', other(Buffer.alloc(16_384))],
      ['raw deflate', deflateRawSync(Buffer.alloc(16_384))],
      ['a decompression bomb', pack(Buffer.alloc(20 * MEBIBYTE))],
    ]
    for (const [title, bytes] of bad) {
      it(`refuses ${title}`, () =>
        refused(() => decompressAs(format, bytes, MEBIBYTE), { code: 'malformed_list' }))
    }

    it('accepts exactly the maximum size', async () => {
      const bytes = pack(Buffer.alloc(1000))
      assert.equal((await decompressAs(format, bytes, 1000)).length, 1000)
      await refused(() => decompressAs(format, bytes, 999), { code: 'malformed_list', says: /999 bytes/ })
    })
  })
}

describe('gzip', () => {
  it('is the format of the W3C lists', async () => {
    const bits = Uint8Array.of(1, 2, 3)
    assert.deepEqual(new Uint8Array(gunzipSync(await compress(bits))), bits)
    assert.deepEqual(new Uint8Array(await decompress(gzipSync(bits), 3)), bits)
    await refused(() => decompress(deflateSync(bits), 3), { code: 'malformed_list', says: /gzip/ })
  })
})
