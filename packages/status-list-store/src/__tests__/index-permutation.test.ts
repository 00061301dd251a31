import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { IndexPermutation } from '../index-permutation.js'

const key = fc.uint8Array({ minLength: 32, maxLength: 32 })
const all = (permutation: IndexPermutation) => permutation.indicesFrom(0, permutation.length)

describe('IndexPermutation', () => {
  it('contains every number once, for any length', () => {
    fc.assert(
      fc.property(key, fc.integer({ min: 1, max: 1500 }), (bytes, length) => {
        const numbers = all(new IndexPermutation(bytes, length))
        assert.equal(numbers.length, length)
        assert.deepEqual(
          [...numbers].sort((a, b) => a - b),
          Array.from({ length }, (_, n) => n),
        )
      }),
      { numRuns: 60 },
    )
  })

  for (const length of [1, 2, 3, 8, 9, 255, 256, 257, 131_072]) {
    it(`contains every number below ${length} once`, () => {
      const seen = new Set(all(new IndexPermutation(randomBytes(32), length)))
      assert.equal(seen.size, length)
      for (const number of seen) assert.ok(Number.isInteger(number) && number >= 0 && number < length)
    })
  }

  it('stays in range and free of duplicates for the longest lists', () => {
    fc.assert(
      fc.property(
        key,
        fc.constantFrom(1_000_000, 10_000_000, 99_999_989, 100_000_000),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (bytes, length, where) => {
          const from = Math.floor(where * (length - 200))
          const numbers = new IndexPermutation(bytes, length).indicesFrom(from, 200)
          assert.equal(new Set(numbers).size, 200)
          for (const number of numbers) assert.ok(number >= 0 && number < length)
        },
      ),
    )
  })

  it('is deterministic per key, and different for another key', () => {
    const [one, other] = [randomBytes(32), randomBytes(32)]
    const first = new IndexPermutation(one, 131_072).indicesFrom(0, 1000)
    assert.deepEqual(new IndexPermutation(one, 131_072).indicesFrom(0, 1000), first)
    const second = new IndexPermutation(other, 131_072).indicesFrom(0, 1000)
    assert.ok(first.filter((number, n) => number === second[n]).length < 10)
    assert.ok(first.filter((number) => second.includes(number)).length < 100)
  })

  it('changes with every bit of its key', () => {
    const bytes = randomBytes(32)
    const first = new IndexPermutation(bytes, 10_000).indicesFrom(0, 100)
    for (let bit = 0; bit < 256; bit += 1) {
      const changed = Buffer.from(bytes)
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      assert.notDeepEqual(new IndexPermutation(changed, 10_000).indicesFrom(0, 100), first)
    }
  })

  it('scatters neighbours like a random order', () => {
    const length = 100_000
    const numbers = new IndexPermutation(randomBytes(32), length).indicesFrom(0, 4000)
    const rising = numbers.filter((number, n) => n > 0 && number > (numbers[n - 1] ?? 0)).length
    assert.ok(rising > 1800 && rising < 2200, `${rising} of 3999 rise`)
    const mean = numbers.reduce((sum, number) => sum + number, 0) / numbers.length
    assert.ok(Math.abs(mean - length / 2) < length * 0.03, `the mean is ${mean}`)
    // The distance of neighbours says as little as the numbers themselves.
    const distances = numbers.slice(1).map((number, n) => (number - (numbers[n] ?? 0) + length) % length)
    const buckets = Array.from({ length: 10 }, () => 0)
    for (const distance of distances) {
      const bucket = Math.floor((distance / length) * 10)
      buckets[bucket] = (buckets[bucket] ?? 0) + 1
    }
    const chiSquare = buckets.reduce((sum, n) => sum + (n - 399.9) ** 2 / 399.9, 0)
    assert.ok(chiSquare < 50, `chi square ${chiSquare} with 9 degrees of freedom`)
  })

  it('returns no more numbers than exist', () => {
    const permutation = new IndexPermutation(randomBytes(32), 10)
    assert.equal(permutation.indicesFrom(7, 64).length, 3)
    assert.deepEqual(permutation.indicesFrom(10, 64), [])
    assert.deepEqual(permutation.indicesFrom(11, 64), [])
    assert.deepEqual(
      [...permutation.indicesFrom(0, 4), ...permutation.indicesFrom(4, 6)],
      permutation.indicesFrom(0, 10),
    )
  })

  for (const length of [0, -1, 1.5, Number.NaN, 2 ** 60]) {
    it(`refuses a length of ${length}`, () => {
      assert.throws(() => new IndexPermutation(randomBytes(32), length), RangeError)
    })
  }
})
