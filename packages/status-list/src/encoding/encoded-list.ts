import { asBuffer } from '@vidimus/core-types'
import { malformedList } from '../types/malformed-list.js'

const BASE64URL = /^[A-Za-z0-9_-]*$/
const BASE64 = /^[A-Za-z0-9+/]*$/
const HEX = /^(?:[0-9a-f]{2})*$/i

/**
 * Decodes base64url without padding (RFC 4648 section 5). `Buffer.from` alone skips invalid characters.
 *
 * @param what - names the text in errors
 * @throws AgentError `malformed_list`
 */
export function decodeBase64Url(text: string, what = 'the encodedList'): Uint8Array {
  if (!BASE64URL.test(text) || text.length % 4 === 1) {
    throw malformedList(`${what} is not base64url without padding`)
  }
  return Buffer.from(text, 'base64url')
}

/**
 * Decodes either alphabet of base64, but not both mixed, with or without padding: publishers of StatusList2021 write
 * all of them.
 *
 * @throws AgentError `malformed_list`
 */
export function decodeAnyBase64(text: string): Uint8Array {
  const bare = text.replace(/={1,2}$/, '')
  const paddingFits = bare.length === text.length || text.length % 4 === 0
  if (!paddingFits || bare.length % 4 === 1 || !(BASE64URL.test(bare) || BASE64.test(bare))) {
    throw malformedList('the encodedList is not base64')
  }
  return Buffer.from(bare, 'base64')
}

/** @throws AgentError `malformed_list` */
export function decodeHex(text: string): Uint8Array {
  if (!HEX.test(text)) throw malformedList('the encodedList is not hexadecimal')
  return Buffer.from(text, 'hex')
}

/** Base64url without padding. */
export const encodeBase64Url = (bytes: Uint8Array): string => asBuffer(bytes).toString('base64url')

export const encodeHex = (bytes: Uint8Array): string => asBuffer(bytes).toString('hex')
