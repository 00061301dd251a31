import { promisify } from 'node:util'
import { gunzip, gzip, gzipSync, type Gunzip } from 'node:zlib'
import type { NowOrLater } from '@vidimus/core-types'
import { malformedList } from './malformed-list.js'

/** Below this many bytes the thread pool costs more than it relieves. */
const SYNCHRONOUS_UP_TO = 65_536

/** Higher levels cost 15 to 25 times as much for a tenth of the size. */
const LEVEL = 6

/** Compresses bits with gzip (RFC 1952). The bytes depend on the zlib that this runtime brings. */
export const compress = (bits: Uint8Array): NowOrLater<Uint8Array> =>
  bits.length <= SYNCHRONOUS_UP_TO
    ? gzipSync(bits, { level: LEVEL })
    : promisify(gzip)(bits, { level: LEVEL })

/**
 * Decompresses gzip, strictly: nothing but gzip, complete, checksum right, nothing behind it.
 *
 * @param maxBytes - the most that may come out; memory stays below it, whatever the input claims
 * @throws AgentError `malformed_list`
 */
export async function decompress(bytes: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  const { buffer, consumed } = await gunzipAll(bytes, maxBytes).catch((cause: unknown) => {
    throw malformedList(reasonOf(cause, maxBytes), { cause })
  })
  if (consumed !== bytes.length) throw malformedList('there is something behind the compressed bits')
  return buffer
}

async function gunzipAll(
  bytes: Uint8Array,
  maxBytes: number,
): Promise<{ buffer: Uint8Array; consumed: number }> {
  const output = await promisify(gunzip)(bytes, { maxOutputLength: maxBytes, info: true })
  // the types do not know what `info` changes: node takes zero bytes behind the end without complaint, and only the
  // engine tells how far it read
  const { buffer, engine } = output as unknown as { buffer: Buffer; engine: Gunzip }
  return { buffer, consumed: engine.bytesWritten }
}

const reasonOf = (cause: unknown, maxBytes: number): string =>
  cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE'
    ? `its bits are more than the allowed ${maxBytes} bytes`
    : 'its bits are not compressed with gzip, or are damaged'
