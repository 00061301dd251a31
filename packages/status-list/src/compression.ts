import { promisify } from 'node:util'
import { deflate, deflateSync, gunzip, gzip, gzipSync, inflate, type Gunzip, type Inflate } from 'node:zlib'
import type { NowOrLater } from '@vidimus/core-types'
import { malformedList } from './malformed-list.js'

/** gzip is RFC 1952, zlib is RFC 1950. */
export type CompressionFormat = 'gzip' | 'zlib'

/** Below this many bytes the thread pool costs more than it relieves. */
const SYNCHRONOUS_UP_TO = 65_536

/** Higher levels cost 15 to 25 times as much for a tenth of the size. */
const LEVEL = 6

const COMPRESS = { gzip: promisify(gzip), zlib: promisify(deflate) }
const COMPRESS_NOW = { gzip: gzipSync, zlib: deflateSync }
const DECOMPRESS = { gzip: promisify(gunzip), zlib: promisify(inflate) }

/** Compresses bits. The bytes depend on the zlib that this runtime brings. */
export const compressAs = (format: CompressionFormat, bits: Uint8Array): NowOrLater<Uint8Array> =>
  bits.length <= SYNCHRONOUS_UP_TO
    ? COMPRESS_NOW[format](bits, { level: LEVEL })
    : COMPRESS[format](bits, { level: LEVEL })

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
    throw malformedList(reasonOf(cause, format, maxBytes), { cause })
  })
  if (consumed !== bytes.length) throw malformedList('there is something behind the compressed bits')
  return buffer
}

async function decompressAll(
  format: CompressionFormat,
  bytes: Uint8Array,
  maxBytes: number,
): Promise<{ buffer: Uint8Array; consumed: number }> {
  const output = await DECOMPRESS[format](bytes, { maxOutputLength: maxBytes, info: true })
  // the types do not know what `info` changes: node takes bytes behind the end without complaint, and only the engine
  // tells how far it read
  const { buffer, engine } = output as unknown as { buffer: Buffer; engine: Gunzip | Inflate }
  return { buffer, consumed: engine.bytesWritten }
}

const reasonOf = (cause: unknown, format: CompressionFormat, maxBytes: number): string =>
  cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE'
    ? `its bits are more than the allowed ${maxBytes} bytes`
    : `its bits are not compressed with ${format}, or are damaged`
