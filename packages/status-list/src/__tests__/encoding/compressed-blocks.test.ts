import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { gzipSync, inflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { assertCountsWhatItTakes } from '../../../../../test/support/memory-taken.js'
import { CompressedBlocks } from '../../encoding/compressed-blocks.js'
import { compressAs } from '../../encoding/compression.js'
import { oracles } from '../oracles.js'

const BLOCK = 2048
const LIST_BYTES = 16_384

/** About that share of the bytes is random, the others are zero. */
const bitsOf = (bytes: number, density: number): Buffer =>
  Buffer.from(randomBytes(bytes).map((byte, n) => ((n * 37) % 100 < density * 100 ? byte : 0)))

/** Lists have parts that are empty, sparse and dense. */
const parts = fc.array(
  fc.record({ bytes: fc.integer({ min: 0, max: 6000 }), density: fc.constantFrom(0, 0.01, 0.2, 1) }),
  { maxLength: 6 },
)

const sharedAtEnds = (a: Uint8Array, b: Uint8Array): number => {
  const shorter = Math.min(a.length, b.length)
  let before = 0
  while (before < shorter && a[before] === b[before]) before++
  let behind = 0
  while (behind < shorter - before && a.at(-1 - behind) === b.at(-1 - behind)) behind++
  return before + behind
}

describe('CompressedBlocks', () => {
  it('compresses to something that inflates to the bits, cached or not', async () => {
    const blocks = new CompressedBlocks()
    await fc.assert(
      fc.asyncProperty(parts, async (some) => {
        const bits = Buffer.concat(some.map(({ bytes, density }) => bitsOf(bytes, density)))
        const first = Buffer.concat(await blocks.of(bits))
        assert.ok(inflateRawSync(first).equals(bits))
        assert.ok(Buffer.concat(await blocks.of(bits)).equals(first))
        assert.ok(Buffer.concat(await new CompressedBlocks().of(bits)).equals(first))
      }),
      { numRuns: 60 },
    )
  })

  it('changes only the bytes of one block, without affecting the blocks behind it', async () => {
    const blocks = new CompressedBlocks()
    const changes = fc.record({
      density: fc.constantFrom(0, 0.01, 0.3, 1),
      // not in the block that ends the stream
      index: fc.integer({ min: 0, max: (LIST_BYTES - BLOCK) * 8 - 1 }),
    })
    await fc.assert(
      fc.asyncProperty(changes, async ({ density, index }) => {
        const bits = bitsOf(LIST_BYTES, density)
        bits[LIST_BYTES - 1] = 1
        const changed = Buffer.from(bits)
        changed[index >> 3] = (changed[index >> 3] ?? 0) ^ (0x80 >> (index & 7))
        const before = Buffer.concat(await blocks.of(bits))
        const after = Buffer.concat(await blocks.of(changed))
        assert.equal(after.length % 9, before.length % 9)
        const published = (bytes: Buffer) =>
          Buffer.from(Buffer.from(bytes.toString('base64url')).toString('base64url'))
        const text = published(after)
        const differing = text.length - sharedAtEnds(published(before), text)
        assert.ok(differing < (BLOCK + 100) * (16 / 9), `${differing} characters differ`)
      }),
      { numRuns: 100 },
    )
  })

  it('keeps empty lists tiny and identical to those of other tools', async () => {
    assert.deepEqual(await compressAs('gzip', new Uint8Array(LIST_BYTES)), gzipSync(Buffer.alloc(LIST_BYTES)))
    assert.ok((await compressAs('gzip', new Uint8Array(1_250_000))).length < 1500)
    const one = Buffer.alloc(LIST_BYTES)
    one[5000] = 1
    assert.ok((await compressAs('gzip', one)).length < 200)
  })

  it('caches the bits as they were at the time of the call', async () => {
    const blocks = new CompressedBlocks()
    const bits = randomBytes(40 * BLOCK)
    const asked = Buffer.from(bits)
    const compressing = blocks.of(bits)
    bits.fill(0x55)
    assert.ok(inflateRawSync(Buffer.concat(await compressing)).equals(asked))
    assert.ok(inflateRawSync(Buffer.concat(await blocks.of(asked))).equals(asked))
  })

  it('does not confuse a short block with the cache key of an empty one', async () => {
    const blocks = new CompressedBlocks()
    const texts = ['empty 2048', 'bits empty 2048', 'last empty 2048'].map((text) => Buffer.from(text))
    for (const bits of [Buffer.alloc(BLOCK), ...texts, Buffer.alloc(BLOCK)]) {
      assert.deepEqual(inflateRawSync(Buffer.concat(await blocks.of(bits))), bits)
    }
  })

  it('is readable by other status list implementations', async () => {
    const { Bitstring } = await oracles()
    for (const bytes of [LIST_BYTES, 5 * BLOCK + 17, 200_000]) {
      const bits = randomBytes(bytes).fill(0, 3000, 9000)
      const encoded = Buffer.from(await compressAs('gzip', bits)).toString('base64url')
      assert.deepEqual(Buffer.from(await Bitstring.decodeBits({ encoded })), bits)
    }
  })

  it('counts the memory of its cache', async () => {
    const blocks = new CompressedBlocks()
    const { length } = Buffer.concat(await blocks.of(Buffer.alloc(BLOCK).fill(1, 0, 4)))
    await assertCountsWhatItTakes('block', { buffers: 2000 * length }, async () => {
      for (let n = 0; n < 2000; n += 1) {
        const bits = Buffer.alloc(BLOCK)
        bits.writeUInt32BE(n + 1)
        await blocks.of(bits)
      }
    })
  })
})
