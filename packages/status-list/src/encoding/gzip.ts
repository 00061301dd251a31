import type { NowOrLater } from '@vidimus/core-types'
import { compressAs, decompressAs } from './compression.js'

/** Compresses bits with gzip (RFC 1952). */
export const compress = (bits: Uint8Array): NowOrLater<Uint8Array> => compressAs('gzip', bits)

/**
 * Decompresses gzip, strictly.
 *
 * @param maxBytes - the most that may come out
 * @throws AgentError `malformed_list`
 */
export const decompress = (bytes: Uint8Array, maxBytes: number): Promise<Uint8Array> =>
  decompressAs('gzip', bytes, maxBytes)
