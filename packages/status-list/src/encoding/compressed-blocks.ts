import { promisify } from 'node:util'
import { constants, deflateRaw, deflateRawSync } from 'node:zlib'
import { asBuffer, Cache, ownMemory, type CacheOptions, type NowOrLater } from '@vidimus/core-types'

/**
 * Bits that are compressed independently, in bytes: with less the lists grow, with more the history of a one-bit
 * change does.
 */
const BLOCK_BYTES = 2048

/**
 * The length of every compressed block is a multiple. Lists are published in base64url, and in a JWT in base64url of
 * that: three bytes become four characters, and nine become sixteen. So whatever a change does to the length of its
 * block, the blocks behind it keep their characters.
 */
const ALIGNMENT = 9

/** An empty stored block of DEFLATE (RFC 1951, 3.2.4), which may appear between blocks. */
const EMPTY_BLOCK = Uint8Array.of(0, 0, 0, 0xff, 0xff)

/** Below this many bytes the thread pool costs more than it relieves. */
const SYNCHRONOUS_UP_TO = 65_536

/** Blocks that the thread pool works on at once. */
const AT_ONCE = 8

/** Higher levels cost 15 to 25 times as much for a tenth of the size. */
const LEVEL = 6
const ANOTHER_FOLLOWS = { level: LEVEL, finishFlush: constants.Z_SYNC_FLUSH }
const NONE_FOLLOWS = { level: LEVEL, finishFlush: constants.Z_FINISH }
const deflateBlock = promisify(deflateRaw)

/** A stretch of bits that becomes one compressed block. */
interface Stretch {
  bits: Buffer
  /** it ends the stream */
  last: boolean
  /** its cache key */
  key: string
}

/**
 * DEFLATE (RFC 1951) in independent blocks. Equal bits give equal bytes, and a change of one bit only changes the
 * bytes of its block. Blocks that were compressed before need not be compressed again, so that a change costs what
 * changed.
 */
export class CompressedBlocks {
  private readonly remembered: Cache<Uint8Array>

  /** @param options - of what remembers blocks */
  constructor(options?: CacheOptions<Uint8Array>) {
    this.remembered = new Cache('block', options)
  }

  /** A complete stream of DEFLATE. Each block begins and ends at a byte. */
  of(bits: Uint8Array): NowOrLater<Uint8Array[]> {
    const stretches = splitStretches(bits)
    const blocks = stretches.map(({ key }) => this.remembered.get(key))
    const missing = stretches.flatMap((stretch, place) => (blocks[place] ? [] : [{ ...stretch, place }]))
    const complete = () => blocks.filter((block) => block !== undefined)
    if (missing.reduce((sum, stretch) => sum + stretch.bits.length, 0) <= SYNCHRONOUS_UP_TO) {
      for (const stretch of missing) {
        blocks[stretch.place] = this.remember(stretch, deflateRawSync(stretch.bits, flushMarker(stretch)))
      }
      return complete()
    }
    // a caller that changes the bits meanwhile must not change the cached ones
    const unchanging = missing.map((stretch) => ({ ...stretch, bits: Buffer.from(stretch.bits) }))
    return this.compressMissing(unchanging, blocks).then(complete)
  }

  private async compressMissing(
    missing: readonly (Stretch & { place: number })[],
    blocks: (Uint8Array | undefined)[],
  ): Promise<void> {
    for (let first = 0; first < missing.length; first += AT_ONCE) {
      const some = missing.slice(first, first + AT_ONCE)
      const compressed = await Promise.all(
        some.map(async (stretch) =>
          this.remember(stretch, await deflateBlock(stretch.bits, flushMarker(stretch))),
        ),
      )
      some.forEach(({ place }, n) => (blocks[place] = compressed[n]))
    }
  }

  private remember({ key, last }: Stretch, compressed: Uint8Array): Uint8Array {
    const block = ownMemory(last ? compressed : aligned(compressed))
    this.remembered.set(key, block)
    return block
  }
}

const flushMarker = ({ last }: Stretch) => (last ? NONE_FOLLOWS : ANOTHER_FOLLOWS)

/** Adjacent blocks without any bit are one stretch: most of most lists. */
function splitStretches(bits: Uint8Array): Stretch[] {
  const all = asBuffer(bits)
  const empty = Buffer.alloc(BLOCK_BYTES)
  const stretches: Stretch[] = []
  for (let at = 0; at < all.length || stretches.length === 0;) {
    let end = at
    while (end < all.length && all.subarray(end, end + BLOCK_BYTES).equals(empty)) end += BLOCK_BYTES
    const isEmpty = end > at
    if (!isEmpty) end = Math.min(at + BLOCK_BYTES, all.length)
    const stretch = all.subarray(at, end)
    const last = end === all.length
    const content = isEmpty ? `empty ${end - at}` : `bits ${stretch.toString('latin1')}`
    stretches.push({ bits: stretch, last, key: `${last ? 'last' : 'then'} ${content}` })
    at = end
  }
  return stretches
}

/** Filled up with empty blocks to the next multiple. */
function aligned(block: Uint8Array): Uint8Array {
  const filling: Uint8Array[] = []
  for (let length = block.length; length % ALIGNMENT !== 0; length += EMPTY_BLOCK.length)
    filling.push(EMPTY_BLOCK)
  return Buffer.concat([block, ...filling])
}
