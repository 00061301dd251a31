import { gunzipSync, gzipSync, inflateSync } from 'node:zlib'
import { AgentError } from '@vidimus/core-types'

const BASE64 = /^(?:[A-Za-z0-9_-]*|[A-Za-z0-9+/]*)={0,2}$/

/** Every gzip stream begins with this byte. */
const GZIP = 0x1f

/** Problems of a published list always have this code. */
export const malformed = (reason: string, cause?: unknown): AgentError =>
  new AgentError('malformed_list', `the resource is no RevocationList2020: ${reason}`, { cause })

/** gzip, in base64url without padding: as in the examples of the specification. */
export const encodeBits = (bits: Uint8Array): string => gzipSync(bits).toString('base64url')

/**
 * Reads the various readings of "ZLIB, base64": gzip or zlib, in either alphabet.
 *
 * @param maxBytes - passed to the decompressor, so that a small text cannot fill the memory
 */
export function decodeBits(encodedList: string, maxBytes: number): Uint8Array {
  // Buffer.from alone skips invalid characters
  if (!BASE64.test(encodedList)) throw malformed('its encodedList is not base64')
  const compressed = Buffer.from(encodedList, 'base64')
  const decompress = compressed[0] === GZIP ? gunzipSync : inflateSync
  try {
    return decompress(compressed, { maxOutputLength: maxBytes })
  } catch (cause) {
    throw malformed('its encodedList is damaged, or holds more than is allowed', cause)
  }
}
