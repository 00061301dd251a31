import { Refused } from './refused.js'

const BASE64URL = /^[A-Za-z0-9_-]*$/

/** Canonical base64url without padding: one text per byte sequence (RFC 4648 section 3.5). @throws Refused */
export function base64UrlBytes(text: string, what: string): Uint8Array {
  const bytes = BASE64URL.test(text) && text.length % 4 !== 1 ? bytesIn(text) : undefined
  if (!bytes || base64Url(bytes) !== text) throw new Refused(`the ${what} is not base64url without padding`)
  return bytes
}

const bytesIn = (text: string): Uint8Array =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
    character.charCodeAt(0),
  )

function base64Url(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** @throws Refused if it is not a JSON object in UTF-8 */
export function jsonObjectIn(encoded: string, what: string): Record<string, unknown> {
  const bytes = base64UrlBytes(encoded, what)
  const value = parsed(bytes)
  if (!isObject(value)) throw new Refused(`the ${what} is not a JSON object`)
  return value
}

export function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
