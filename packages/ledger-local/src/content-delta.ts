import { setImmediate } from 'node:timers/promises'
import { asBuffer, BOUNDS } from '@vidimus/core-types'
import { createDelta } from 'fossil-delta'

/** Probes that compare two contents before the expensive work begins. */
const PROBES = 16
const PROBE_BYTES = 24
/** As many probes as must be found. */
const LEAST_FOUND = 6

/** The pieces that the library looks up, and how many equal ones it compares at most. */
const PIECE_BYTES = 16
const MOST_EQUAL_PIECES = 250
/** Coprime to the length of a piece: what repeats itself in whatever period is met at each of its places. */
const SAMPLE_STEP = 7
/** The most bytes to be compared for one delta: less than a tenth of a second. */
const MOST_COMPARISONS = 2 ** 26

/** The digits of its integers, most significant first. */
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~'
const NO_DIGIT = 255
/** by the code of a character */
const VALUES = Uint8Array.from({ length: 256 }, (_, code) => {
  const value = DIGITS.indexOf(String.fromCharCode(code))
  return value < 0 ? NO_DIGIT : value
})
const [COPY, INSERT, END] = ['@', ':', ';'].map((operator) => operator.charCodeAt(0))

/**
 * The delta from one content to another, in the delta format of Fossil.
 *
 * @returns `undefined` if it would not save at least half of the wanted content, or take too long to compute
 * @see https://fossil-scm.org/home/doc/trunk/www/delta_format.wiki
 */
export function deltaBetween(given: Uint8Array, wanted: Uint8Array): Uint8Array | undefined {
  const [from, to] = [asBuffer(given), asBuffer(wanted)]
  if (!areSimilar(from, to) || repeatsTooMuch(from, to)) return undefined
  const delta = createDelta<Uint8Array>(from, to)
  if (delta.length > to.length / 2) return undefined
  return asBuffer(applyDelta(from, delta)).equals(to) ? delta : undefined
}

/** Contents that have nothing in common, as every version of an encrypted list, take the library longest. */
function areSimilar(from: Buffer, to: Buffer): boolean {
  if (to.length < PROBES * PROBE_BYTES) return from.length > 0
  const step = Math.floor((to.length - PROBE_BYTES) / (PROBES - 1))
  let found = 0
  for (let n = 0; n < PROBES; n++) {
    const probe = to.subarray(n * step, n * step + PROBE_BYTES)
    if (from.includes(probe)) found++
  }
  return found >= LEAST_FOUND
}

/**
 * For each wanted byte, the library may compare every equal piece of the given content, as far as it matches. That is
 * cheap if equal pieces are rare or short, and takes minutes if they are not.
 */
function repeatsTooMuch(from: Buffer, to: Buffer): boolean {
  const bits = Math.ceil(Math.log2(from.length / PIECE_BYTES + 1)) + 2
  const counts = new Uint8Array(2 ** bits)
  for (let at = 0; at + PIECE_BYTES <= from.length; at += PIECE_BYTES) {
    const slot = hashSlot(from, at, bits)
    counts[slot] = Math.min((counts[slot] ?? 0) + 1, MOST_EQUAL_PIECES)
  }
  let comparisons = 0
  for (let at = 0; at + PIECE_BYTES <= to.length && comparisons <= MOST_COMPARISONS; at += SAMPLE_STEP) {
    comparisons += (counts[hashSlot(to, at, bits)] ?? 0) * SAMPLE_STEP * PIECE_BYTES
  }
  return comparisons > MOST_COMPARISONS
}

/** Equal pieces have the same; others rarely have. */
const hashSlot = (from: Buffer, at: number, bits: number): number =>
  Math.imul(from.readUInt32LE(at) ^ Math.imul(from.readUInt32LE(at + 8), 0x85ebca6b), 0x9e3779b1) >>>
  (32 - bits)

/**
 * The cost of applying a delta, in copied bytes. Each byte of the delta counts as many of them: three bytes may be a
 * separate operation.
 */
export const costOfDelta = (delta: Uint8Array, wanted: Uint8Array): number =>
  wanted.length + delta.length * DELTA_BYTE_COST

const DELTA_BYTE_COST = 128

/**
 * Applies a delta. Unlike the library, which copies byte by byte, this costs next to nothing: reading an old version
 * takes many of them. The delta's own checksum is not checked; callers have a better one.
 *
 * @throws RangeError if it is not a delta for this content
 */
export function applyDelta(given: Uint8Array, delta: Uint8Array): Uint8Array {
  const text = asBuffer(delta)
  let at = 0
  const readInteger = (): number => {
    let value = 0
    for (; ; at++) {
      const digit = VALUES[text[at] ?? 0] ?? NO_DIGIT
      if (digit === NO_DIGIT) return value
      value = value * 64 + digit
    }
  }
  const length = readInteger()
  if (length > BOUNDS.resourceBytes) throw new RangeError('a delta for more than a resource may hold')
  const wanted = Buffer.allocUnsafe(length)
  let filled = 0
  const take = (source: Buffer, start: number, count: number) => {
    if (start + count > source.length || filled + count > length)
      throw new RangeError('a delta that reaches too far')
    source.copy(wanted, filled, start, start + count)
    filled += count
  }
  const whole = asBuffer(given)
  at++
  for (;;) {
    const count = readInteger()
    const operator = text[at++]
    if (operator === COPY) {
      take(whole, readInteger(), count)
      at++
    } else if (operator === INSERT) {
      take(text, at, count)
      at += count
    } else if (operator === END && filled === length) {
      return wanted
    } else {
      throw new RangeError('no delta, or one that was cut off')
    }
  }
}

/**
 * After this much {@link costOfDelta} other work gets a chance: chains from earlier versions were only limited in
 * length.
 */
export const COST_AT_ONCE = 2 ** 22

/** Applies one delta after the other. @throws RangeError if one is not a delta for the result of the previous ones */
export async function applyDeltas(given: Uint8Array, deltas: readonly Uint8Array[]): Promise<Uint8Array> {
  let content = given
  let cost = 0
  for (const delta of deltas) {
    content = applyDelta(content, delta)
    cost += costOfDelta(delta, content)
    if (cost < COST_AT_ONCE) continue
    cost = 0
    await setImmediate()
  }
  return content
}
