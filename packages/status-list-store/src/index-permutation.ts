import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'

const ROUNDS = 6
/**
 * Bytes used of each HMAC: as many as a JavaScript number holds, so that the remainder is uniform to one part in
 * millions.
 */
const MIXED_BYTES = 6

/**
 * A secret order of the numbers below a length: every number has exactly one position, and without the key the next
 * number is unpredictable.
 *
 * A Feistel network over HMAC-SHA-256. Its halves are not bits but rows and columns of the smallest rectangle that
 * holds all numbers, so results rarely fall outside the range; if one does, the network is applied again.
 */
export class IndexPermutation {
  readonly #key: KeyObject
  private readonly rows: number
  private readonly columns: number

  /**
   * @param key - 32 random bytes
   * @param length - how many numbers, at least 1
   */
  constructor(
    key: Uint8Array,
    readonly length: number,
  ) {
    if (!Number.isSafeInteger(length) || length < 1) {
      throw new RangeError(`a list has at least one entry, not ${length}`)
    }
    this.#key = createSecretKey(key)
    this.rows = Math.ceil(Math.sqrt(length))
    this.columns = Math.ceil(length / this.rows)
  }

  /** The number at a position. @param position - 0 to length - 1 */
  indexAt(position: number): number {
    let value = this.permute(position)
    while (value >= this.length) value = this.permute(value)
    return value
  }

  /** The numbers from a position on; fewer at the end. */
  indicesFrom(position: number, most: number): number[] {
    const count = Math.max(0, Math.min(most, this.length - position))
    return Array.from({ length: count }, (_, n) => this.indexAt(position + n))
  }

  /** The position of a number, 0 to length - 1. */
  positionOf(index: number): number {
    let value = this.undo(index)
    while (value >= this.length) value = this.undo(value)
    return value
  }

  private undo(value: number): number {
    let row = Math.floor(value / this.columns)
    let column = value % this.columns
    for (let round = ROUNDS - 1; round >= 0; round -= 1) {
      if (round % 2 === 0) row = less(row, this.mix(round, column), this.rows)
      else column = less(column, this.mix(round, row), this.columns)
    }
    return row * this.columns + column
  }

  /** Bijective on the rectangle: each round adds to one half a function of the other. */
  private permute(value: number): number {
    let row = Math.floor(value / this.columns)
    let column = value % this.columns
    for (let round = 0; round < ROUNDS; round += 1) {
      if (round % 2 === 0) row = (row + this.mix(round, column)) % this.rows
      else column = (column + this.mix(round, row)) % this.columns
    }
    return row * this.columns + column
  }

  private mix(round: number, half: number): number {
    const message = Buffer.alloc(5)
    message.writeUInt8(round)
    message.writeUInt32BE(half, 1)
    return createHmac('sha256', this.#key).update(message).digest().readUIntBE(0, MIXED_BYTES)
  }
}

const less = (value: number, mixed: number, modulus: number): number =>
  (value - (mixed % modulus) + modulus) % modulus
