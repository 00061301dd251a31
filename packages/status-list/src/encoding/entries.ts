import { AgentError, type BitOrder } from '@vidimus/core-types'
import { isInRange, outsideList } from '../indices/index-range.js'

/** The position of single entries in the bits of a list. */
export interface EntryLayout {
  /** bits per entry, 1 to 8 */
  statusSize: number
  order: BitOrder
}

/** How many whole entries of `statusSize` bits there is room for. */
export const entriesIn = (bits: { length: number }, statusSize: number): number =>
  Math.floor((bits.length * 8) / statusSize)

/**
 * Reads the value of one entry. Entry `index` starts at bit `index * statusSize`. The three orders are:
 *
 * - `msb`: bits count from the left of a byte, the left-most bit of an entry is its highest (W3C lists);
 * - `lsb-in-entry`: entries count from the left of a byte, inside an entry the left-most bit is its lowest
 *   (cheqd's BitstringStatusList);
 * - `lsb`: bits count from the right of a byte, the right-most bit of an entry is its lowest (IETF Token Status List).
 *
 * @param index - 0 to `entriesIn(bits, statusSize) - 1`
 * @returns 0 to `2 ** statusSize - 1`
 * @throws AgentError `index_out_of_range`
 * @see W3C Bitstring Status List v1.0, sections 3.2 and 3.3; draft-ietf-oauth-status-list, section 4.1
 */
export function getEntry(bits: Uint8Array, layout: EntryLayout, index: number): number {
  const { byte, shift } = locateEntry(bits, layout, index)
  return inOrder(layout, (readWindow(bits, layout, byte) >>> shift) & entryMask(layout))
}

/**
 * Writes the value of one entry into `bits`, laid out as {@link getEntry} reads it.
 *
 * @param value - 0 to `2 ** statusSize - 1`
 * @throws AgentError `index_out_of_range`, `value_too_wide`
 */
export function setEntry(bits: Uint8Array, layout: EntryLayout, index: number, value: number): void {
  const mask = entryMask(layout)
  if (!Number.isInteger(value) || value < 0 || value > mask) {
    throw new AgentError('value_too_wide', `the value ${value} does not fit into ${layout.statusSize} bits`)
  }
  const { byte, shift } = locateEntry(bits, layout, index)
  const kept = readWindow(bits, layout, byte) & ~(mask << shift)
  writeWindow(bits, layout, byte, kept | (inOrder(layout, value) << shift))
}

const entryMask = ({ statusSize }: EntryLayout): number => (1 << statusSize) - 1

/**
 * An entry of up to eight bits is in at most two neighbouring bytes: the window. With 1, 2, 4 and 8 bits it never
 * crosses a byte; lists of others may have other sizes.
 */
function locateEntry(
  bits: Uint8Array,
  { statusSize, order }: EntryLayout,
  index: number,
): { byte: number; shift: number } {
  const entries = entriesIn(bits, statusSize)
  if (!isInRange(index, entries)) {
    throw new AgentError('index_out_of_range', outsideList(index, entries))
  }
  // `/` and `%` instead of shifts: positions may exceed 2 ** 31 bits
  const position = index * statusSize
  const offset = position % 8
  const shift = order === 'lsb' ? offset : 16 - statusSize - offset
  return { byte: Math.floor(position / 8), shift }
}

function readWindow(bits: Uint8Array, { order }: EntryLayout, byte: number): number {
  const first = bits[byte] ?? 0
  const second = bits[byte + 1] ?? 0
  return order === 'lsb' ? first | (second << 8) : (first << 8) | second
}

/** A write behind the last byte, which only holds zero bits of the window, is ignored by typed arrays. */
function writeWindow(bits: Uint8Array, { order }: EntryLayout, byte: number, window: number): void {
  bits[byte] = order === 'lsb' ? window & 0xff : window >>> 8
  bits[byte + 1] = order === 'lsb' ? window >>> 8 : window & 0xff
}

function inOrder({ statusSize, order }: EntryLayout, value: number): number {
  if (order !== 'lsb-in-entry') return value
  let reversed = 0
  for (let bit = 0; bit < statusSize; bit++) reversed |= ((value >>> bit) & 1) << (statusSize - 1 - bit)
  return reversed
}
