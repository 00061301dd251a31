import { base64UrlBytes, isObject, jsonObjectIn, parsed } from './encodings.js'
import { Refused } from './refused.js'

/** Limit for a decoded list: larger than any published one. */
const MOST_BYTES = 67_108_864

/** The entries of a list version that a receipt needs. */
export interface ListContent {
  /** in W3C terms; absent for token status lists */
  purposes: readonly string[] | undefined
  /** @returns `undefined` beyond the end */
  valueAt: (index: number) => number | undefined
}

interface Packed {
  format: 'gzip' | 'deflate'
  compressed: Uint8Array
  size: number
  order: 'msb' | 'lsb' | 'lsb-in-entry'
  purposes?: readonly string[]
}

/**
 * Reads a published list version: a signed Bitstring Status List or Token Status List, or the JSON of a StatusList2021.
 *
 * @returns `undefined` if the entries are encrypted
 * @throws Refused for anything else
 */
export async function readList(content: Uint8Array): Promise<ListContent | undefined> {
  const packed = packedIn(documentIn(content))
  if (packed === 'encrypted') return undefined
  const { size, order, purposes } = packed
  const bits = await decompressed(packed)
  const entries = Math.floor((bits.length * 8) / size)
  return {
    purposes,
    valueAt: (index) => (index < entries ? valueIn(bits, index, size, order) : undefined),
  }
}

/** The payload of a JWT, or JSON. The signature is not checked, as the receipt vouches for the bytes. */
function documentIn(content: Uint8Array): Record<string, unknown> {
  const json = parsed(content)
  if (isObject(json)) return json
  const [, payload = ''] = new TextDecoder().decode(content).trim().split('.')
  return jsonObjectIn(payload, 'payload of the list')
}

function packedIn(document: Record<string, unknown>): Packed | 'encrypted' {
  const { status_list: token, StatusList2021: list2021, credentialSubject } = document
  if (isObject(token)) {
    const { bits, lst } = token
    if (typeof lst === 'string')
      return { format: 'deflate', compressed: decodeBase64url(lst), size: readSize(bits, 1), order: 'lsb' }
  }
  if (isObject(list2021)) return packed2021(list2021, document.metadata)
  if (isObject(document.bitstringStatusListCredential))
    return packedOlder(document.bitstringStatusListCredential, document.metadata)
  if (!isObject(credentialSubject)) throw unreadable()
  const { encodedList, encryption, statusSize, statusPurpose } = credentialSubject
  if (encryption !== undefined) return 'encrypted'
  if (typeof encodedList !== 'string' || !encodedList.startsWith('u')) throw unreadable()
  const compressed = decodeBase64url(encodedList.slice(1))
  return {
    format: 'gzip',
    compressed,
    size: readSize(statusSize, 1),
    order: 'msb',
    purposes: textsIn(statusPurpose),
  }
}

function packed2021(
  { encodedList, statusPurpose }: Record<string, unknown>,
  metadata: unknown,
): Packed | 'encrypted' {
  const { encrypted, encoding } = isObject(metadata) ? metadata : {}
  if (encrypted === true) return 'encrypted'
  if (typeof encodedList !== 'string') throw unreadable()
  const compressed = encoding === 'hex' ? hexBytes(encodedList) : decodeBase64url(encodedList)
  return { format: 'gzip', compressed, size: 1, order: 'msb', purposes: textsIn(statusPurpose) }
}

/** A Bitstring Status List in the form that cheqd's tools publish. */
function packedOlder(
  { credentialSubject: list }: Record<string, unknown>,
  metadata: unknown,
): Packed | 'encrypted' {
  const { encrypted, statusSize, bitOrder } = isObject(metadata) ? metadata : {}
  if (encrypted === true) return 'encrypted'
  if (!isObject(list) || typeof list.encodedList !== 'string') throw unreadable()
  const order = bitOrder === 'msb' ? 'msb' : 'lsb-in-entry'
  const compressed = decodeBase64url(list.encodedList)
  return {
    format: 'gzip',
    compressed,
    size: readSize(statusSize, 2),
    order,
    purposes: textsIn(list.statusPurpose),
  }
}

/** Either base64 alphabet, with or without padding: publishers use all of them. */
const decodeBase64url = (text: string): Uint8Array =>
  base64UrlBytes(
    text
      .replace(/={1,2}$/, '')
      .replaceAll('+', '-')
      .replaceAll('/', '_'),
    'encoded list',
  )

function hexBytes(text: string): Uint8Array {
  if (!/^(?:[0-9a-f]{2})*$/i.test(text)) throw unreadable()
  return Uint8Array.from({ length: text.length / 2 }, (_, n) =>
    Number.parseInt(text.slice(2 * n, 2 * n + 2), 16),
  )
}

function readSize(value: unknown, usual: number): number {
  const size = value ?? usual
  if (Number.isInteger(size) && (size as number) >= 1 && (size as number) <= 8) return size as number
  throw unreadable()
}

const textsIn = (value: unknown): string[] =>
  ([value] as unknown[]).flat().filter((one): one is string => typeof one === 'string')

const unreadable = () => new Refused('the form of the list is unknown')

/** Stops once the output exceeds the size of any list, whatever the input claims. */
async function decompressed({ format, compressed }: Packed): Promise<Uint8Array> {
  const stream = new Blob([new Uint8Array(compressed)]).stream().pipeThrough(new DecompressionStream(format))
  const reader: ReadableStreamDefaultReader<Uint8Array> = stream.getReader()
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      length += value.length
      if (length > MOST_BYTES) break
      chunks.push(value)
    }
  } catch {
    throw new Refused('the list cannot be decompressed')
  }
  if (length > MOST_BYTES) {
    await reader.cancel()
    throw new Refused(`the list has more than ${MOST_BYTES} bytes`)
  }
  const bits = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    bits.set(chunk, at)
    at += chunk.length
  }
  return bits
}

/** Entry `index` begins at bit `index * size`, counted from the left of a byte or, with `lsb`, from the right. */
function valueIn(bits: Uint8Array, index: number, size: number, order: Packed['order']): number {
  let value = 0
  for (let n = 0; n < size; n += 1) {
    const position = index * size + n
    const offset = position % 8
    const byte = bits[Math.floor(position / 8)] ?? 0
    const bit = (byte >> (order === 'lsb' ? offset : 7 - offset)) & 1
    value = order === 'msb' ? (value << 1) | bit : value | (bit << n)
  }
  return value
}
