import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const PREFIX = 'vidimus_'
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_BYTES = 32
/** Digits in base 62 that hold 256 bits, and those that hold a CRC-32. */
const BODY_LENGTH = 43
const CHECKSUM_LENGTH = 6
const FORM = new RegExp(`^${PREFIX}[0-9A-Za-z]{${BODY_LENGTH + CHECKSUM_LENGTH}}$`)
const SHOWN_LENGTH = PREFIX.length + 4

/**
 * A new API key: `vidimus_`, 256 random bits and a CRC-32 of them, in base 62. One double click selects it, and a
 * scanner for leaked secrets recognises it without asking anybody.
 */
export function newApiKey(): string {
  const body = base62(BigInt(`0x${randomBytes(RANDOM_BYTES).toString('hex')}`), BODY_LENGTH)
  return PREFIX + body + checksum(body)
}

/** Whether a text has the form of an API key and a correct checksum; this does not mean that the key is valid. */
export function isApiKey(text: unknown): text is string {
  if (typeof text !== 'string' || !FORM.test(text)) return false
  const body = text.slice(PREFIX.length, -CHECKSUM_LENGTH)
  return text.endsWith(checksum(body))
}

/** The stored form of a key. It has 256 random bits: a slow hash would protect it no better. */
export const hashOfApiKey = (apiKey: string) => createHash('sha256').update(apiKey).digest('hex')

/** The part of a key that may be shown, so that its owner recognises it. */
export const shownApiKey = (apiKey: string) => `${apiKey.slice(0, SHOWN_LENGTH)}…`

const checksum = (body: string) => base62(BigInt(crc32(body)), CHECKSUM_LENGTH)

function base62(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest /= 62n) text = ALPHABET.charAt(Number(rest % 62n)) + text
  return text
}
