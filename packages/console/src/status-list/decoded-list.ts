import type { AnswerOf } from '@vidimus/client'
import { reportedMeaning } from './entry-meaning.js'
import { bytesOfBase64 } from './text-encodings.js'
import { readContent, UnknownList, type BitOrder, type ListLayout } from './list-content.js'

/** A list that can be looked at, entry by entry. */
export interface DecodedList {
  layout: ListLayout
  /** one for each entry */
  values: Uint8Array
  /** why verifiers must not trust it, as far as the service says so */
  untrusted?: string
}

/** An encrypted list: only the service can read it. */
export class EncryptedList extends Error {
  override readonly name = 'EncryptedList'
  /** @param layout - in clear beside the bits */
  constructor(readonly layout: ListLayout) {
    super('the list is encrypted')
  }
}

/**
 * Decodes a published list of any type.
 *
 * @throws EncryptedList; UnknownList, also if its bits are damaged
 */
export async function decodeList(content: unknown): Promise<DecodedList> {
  const { layout, compression, compressed } = readContent(content)
  if (layout.encrypted) throw new EncryptedList(layout)
  const bits = await inflated(compressed, compression)
  const room = Math.floor((bits.length * 8) / layout.statusSize)
  const entries = Math.min(layout.length ?? room, room)
  return { layout, values: entryValues(bits, layout.statusSize, layout.order, entries) }
}

/** What the service reports about a version, whatever its type. */
export type ReportedList = AnswerOf<'/credential-status/entries', 'get'>

/**
 * The same of a type whose form is not known here: its bits and the meaning of its values are those that the service reports.
 *
 * @throws EncryptedList
 */
export async function reportedList(reported: ReportedList): Promise<DecodedList> {
  const { statusSize, order, purposes, encrypted, length, bits, values, untrusted } = reported
  const meanings = new Map(values.map((one) => [one.value, reportedMeaning(one)]))
  const actions = new Map(values.map((one) => [one.value, one.actions]))
  const messages = new Map<number, string>()
  const layout = { statusSize, order, purposes, messages, encrypted, length, reported: { meanings, actions } }
  if (bits === undefined) throw new EncryptedList(layout)
  const entries = await inflated(bytesOfBase64(bits), 'gzip')
  const decoded = { layout, values: entryValues(entries, statusSize, order, length) }
  return untrusted === undefined ? decoded : { ...decoded, untrusted }
}

async function inflated(compressed: Uint8Array, format: 'gzip' | 'deflate'): Promise<Uint8Array> {
  const stream = new Blob([compressed.slice()]).stream().pipeThrough(new DecompressionStream(format))
  try {
    return new Uint8Array(await new Response(stream).arrayBuffer())
  } catch (cause) {
    throw new UnknownList('its bits are damaged', { cause })
  }
}

/**
 * Entries of 1 to 8 bits, in one of three orders: `msb` counts bits from the left of a byte; `lsb` from the right;
 * `lsb-in-entry` counts entries from the left and the bits inside an entry from the right.
 */
export function entryValues(bits: Uint8Array, size: number, order: BitOrder, entries: number): Uint8Array {
  const values = new Uint8Array(entries)
  const mask = 2 ** size - 1
  for (let index = 0, position = 0; index < entries; index++, position += size) {
    const byte = Math.floor(position / 8)
    const offset = position % 8
    const first = bits[byte] ?? 0
    const second = bits[byte + 1] ?? 0
    const window = order === 'lsb' ? first | (second << 8) : (first << 8) | second
    const value = (window >>> (order === 'lsb' ? offset : 16 - size - offset)) & mask
    values[index] = order === 'lsb-in-entry' ? reversed(value, size) : value
  }
  return values
}

function reversed(value: number, size: number): number {
  let result = 0
  for (let bit = 0; bit < size; bit++) result |= ((value >>> bit) & 1) << (size - 1 - bit)
  return result
}

/** How many entries have each value that occurs, by value. */
export function countValues(values: Uint8Array): Map<number, number> {
  const counts = new Uint32Array(256)
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return new Map([...counts.entries()].filter(([, count]) => count > 0))
}

/** How many entries are not 0. */
export const setIn = (counts: ReadonlyMap<number, number>): number =>
  [...counts].reduce((sum, [value, count]) => (value === 0 ? sum : sum + count), 0)

/** The next entry that is not 0, wrapping around the end; `undefined` if there is none. */
export function nextSet(values: Uint8Array, from: number, step: 1 | -1): number | undefined {
  const { length } = values
  for (let n = 1; n <= length; n++) {
    const index = (((from + n * step) % length) + length) % length
    if (values[index] !== 0) return index
  }
  return undefined
}

/** How many entries differ between two versions. */
export function changesBetween(before: Uint8Array, after: Uint8Array): number {
  let changes = Math.abs(after.length - before.length)
  for (let n = 0; n < Math.min(before.length, after.length); n++) if (before[n] !== after[n]) changes++
  return changes
}
