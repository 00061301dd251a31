import { promisify } from 'node:util'
import { crc32, deflateSync, gunzip, inflate, type Gunzip, type Inflate } from 'node:zlib'
import type { NowOrLater } from '@vidimus/core-types'
import { CompressedBlocks } from './compressed-blocks.js'
import { malformedList } from '../types/malformed-list.js'

/** gzip is RFC 1952, zlib is RFC 1950. */
export type CompressionFormat = 'gzip' | 'zlib'

const DECOMPRESS = { gzip: promisify(gunzip), zlib: promisify(inflate) }

/** The framing of the compressed blocks: RFC 1952 section 2.3, RFC 1950 section 2.2. */
const FRAMES: Record<CompressionFormat, { header: Uint8Array; trailer: (bits: Uint8Array) => Uint8Array }> = {
  gzip: {
    header: Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3),
    trailer(bits) {
      const trailer = Buffer.alloc(8)
      trailer.writeUInt32LE(crc32(bits), 0)
      trailer.writeUInt32LE(bits.length % 2 ** 32, 4)
      return trailer
    },
  },
  zlib: {
    header: Uint8Array.of(0x78, 0x9c),
    // Adler-32 is the last that zlib writes, and without compression it does little more than count it
    trailer: (bits) => deflateSync(bits, { level: 0 }).subarray(-4),
  },
}

let blocks: CompressedBlocks | undefined

/**
 * Compresses bits, in blocks (see {@link CompressedBlocks}): lists that differ little are published in bytes that
 * differ little. The bytes depend on the zlib that this runtime brings, and on nothing else but the bits.
 */
export function compressAs(format: CompressionFormat, bits: Uint8Array): NowOrLater<Uint8Array> {
  const { header, trailer } = FRAMES[format]
  const end = trailer(bits)
  const framed = (compressed: readonly Uint8Array[]) => Buffer.concat([header, ...compressed, end])
  blocks ??= new CompressedBlocks()
  const compressed = blocks.of(bits)
  return compressed instanceof Promise ? compressed.then(framed) : framed(compressed)
}

/**
 * Decompresses strictly: nothing but this format, complete, checksum right, nothing behind it.
 *
 * @param maxBytes - the most that may come out; memory stays below it, whatever the input claims
 * @throws AgentError `malformed_list`
 */
export async function decompressAs(
  format: CompressionFormat,
  bytes: Uint8Array,
  maxBytes: number,
): Promise<Uint8Array> {
  const { buffer, consumed } = await decompressAll(format, bytes, maxBytes).catch((cause: unknown) => {
    throw malformedList(decompressionFailure(cause, format, maxBytes), { cause })
  })
  if (consumed !== bytes.length) throw malformedList('there is data after the compressed bits')
  return buffer
}

async function decompressAll(
  format: CompressionFormat,
  bytes: Uint8Array,
  maxBytes: number,
): Promise<{ buffer: Uint8Array; consumed: number }> {
  const output = await DECOMPRESS[format](bytes, { maxOutputLength: maxBytes, info: true })
  // the types do not cover the effect of `info`: node accepts bytes after the end silently, and only the engine
  // reports how far it read
  const { buffer, engine } = output as unknown as { buffer: Buffer; engine: Gunzip | Inflate }
  return { buffer, consumed: engine.bytesWritten }
}

const decompressionFailure = (cause: unknown, format: CompressionFormat, maxBytes: number): string =>
  cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE'
    ? `its bits exceed the allowed ${maxBytes} bytes`
    : `its bits are not compressed with ${format}, or are damaged`
