import assert from 'node:assert/strict'
import fc from 'fast-check'
import { assertCountsWhatItTakes } from '../../../../test/support/memory-taken.js'
import { Cache, CacheBudget, CACHES, defaultCacheBytes, memoryOf, ownMemory } from '@vidimus/core-types'

const MEBIBYTE = 1_048_576
const GIBIBYTE = 1024 * MEBIBYTE
/** to be weighed: a few hundred kilobytes at the least */
const ENTRIES = 1000

describe('Cache', () => {
  const sizeOf = (value: string) => value.length
  const pair = (bytes: number) => {
    const budget = new CacheBudget(bytes)
    return {
      budget,
      one: new Cache<string>('one', { sizeOf, budget }),
      other: new Cache<string>('other', { sizeOf, budget }),
    }
  }
  const large = 'x'.repeat(10_000)

  it('evicts the least recently used value across all caches', () => {
    const { one, other } = pair(35_000)
    one.set('a', large)
    other.set('a', large)
    one.set('b', large)
    assert.equal(one.get('a'), large)
    one.peek('b')
    other.set('c', large)
    assert.deepEqual(
      [one.peek('a'), other.peek('a'), one.peek('b'), other.peek('c')],
      [large, undefined, large, large],
    )
    other.set('d', large)
    assert.deepEqual([one.peek('a'), one.peek('b')], [large, undefined])
  })

  it('counts keys, values and overhead, by cache name', () => {
    const { budget, one, other } = pair(100_000)
    assert.deepEqual(
      [...budget.takenBy],
      [
        ['one', 0],
        ['other', 0],
      ],
    )
    one.set('a', large)
    const first = budget.takenBy.get('one') ?? 0
    assert.ok(first > 10_000 && first < 10_400)
    one.set('b'.repeat(5000), '')
    assert.ok((budget.takenBy.get('one') ?? 0) - first > 5000)
    other.set('a', 'x')
    other.set('a', large)
    one.clear()
    assert.deepEqual(
      [...budget.takenBy],
      [
        ['one', 0],
        ['other', first],
      ],
    )
    assert.equal(one.get('a'), undefined)
  })

  it('shrinks as soon as the budget is reduced', () => {
    const { budget, one } = pair(100_000)
    for (const key of ['a', 'b', 'c']) one.set(key, large)
    budget.bytes = 15_000
    assert.deepEqual(
      ['a', 'b', 'c'].map((key) => one.get(key)),
      [undefined, undefined, large],
    )
    one.set('c', 'x'.repeat(20_000))
    assert.equal(one.get('c'), undefined, 'a value larger than the budget is not kept')
    assert.equal(budget.takenBy.get('one'), 0)
  })

  it('behaves like a list in order of use', () => {
    const keys = fc.constantFrom('a', 'b', 'c', 'd', 'e')
    const step = fc.record({ at: fc.constantFrom(0, 1), key: keys, size: fc.nat(3000), set: fc.boolean() })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const budget = new CacheBudget(8000)
        const caches = ['0', '1'].map((name) => new Cache<string>(name, { sizeOf, budget }))
        let known: { at: number; key: string; value: string }[] = []
        const bytesOf = ({ key, value }: { key: string; value: string }) => 160 + memoryOf(key) + value.length
        for (const { at, key, size, set } of steps) {
          const value = set
            ? 'x'.repeat(size)
            : known.find((entry) => entry.at === at && entry.key === key)?.value
          if (set && value !== undefined) caches[at]?.set(key, value)
          else assert.equal(caches[at]?.get(key), value)
          known = known.filter((entry) => entry.at !== at || entry.key !== key)
          if (value !== undefined) known.push({ at, key, value })
          while (known.reduce((sum, entry) => sum + bytesOf(entry), 0) > 8000) known.shift()
        }
        for (const entry of known) assert.equal(caches[entry.at]?.peek(entry.key), entry.value)
        const taken = [...budget.takenBy.values()].reduce((sum, bytes) => sum + bytes, 0)
        assert.equal(
          taken,
          known.reduce((sum, entry) => sum + bytesOf(entry), 0),
        )
      }),
    )
  })

  describe('memory accounting', () => {
    const documentOf = (n: number): unknown =>
      JSON.parse(`{ "id": "did:cheqd:testnet:${n}", "controller": ["did:cheqd:testnet:${n}"], "service": [], "version": ${n},
        "verificationMethod": [{ "id": "did:cheqd:testnet:${n}#key-1", "publicKeyMultibase": "z6Mk${'x'.repeat(40)}${n}" }] }`)
    const kinds: Record<string, { valueOf: (n: number) => unknown; buffers: number }> = {
      'small bytes': {
        valueOf: (n) => ownMemory(Buffer.from(`some bytes ${n}`.padEnd(400, '.'))),
        buffers: 400,
      },
      'large bytes': { valueOf: (n) => new Uint8Array(20_000).fill(n), buffers: 20_000 },
      documents: { valueOf: documentOf, buffers: 0 },
      'rows of a database': {
        valueOf: (n) => [{ id: `${n}`, document: JSON.stringify(documentOf(n)) }],
        buffers: 0,
      },
      'texts of other scripts': { valueOf: (n) => `状態 ${n}`.repeat(50).split('').join(''), buffers: 0 },
    }
    for (const [kind, { valueOf, buffers }] of Object.entries(kinds)) {
      it(kind, async () => {
        CACHES.bytes = 512 * MEBIBYTE
        const cache = new Cache<unknown>(`test ${kind}`)
        const fill = (from: number) => {
          for (let n = 0; n < ENTRIES; n += 1)
            cache.set(`an entry with the number ${from + n}`, valueOf(from + n))
          return Promise.resolve()
        }
        await fill(10_000)
        await assertCountsWhatItTakes(`test ${kind}`, { buffers: ENTRIES * buffers }, () => fill(0))
        cache.clear()
      })
    }

    it('counts views of a larger buffer', () => {
      assert.ok(memoryOf(Buffer.alloc(65_536).subarray(0, 10)) > 65_536)
      assert.ok(memoryOf({ bytes: new Uint8Array(100), again: 1 }) < 600)
    })

    it('counts shared values once and terminates on cycles', () => {
      const shared = { text: 'x'.repeat(1000) }
      assert.ok(memoryOf([shared, shared]) < 2000)
      const circle: unknown[] = []
      circle.push(circle, new Map([['a', new Set(['b'])]]), new Error('c', { cause: circle }), null, 1n, true)
      assert.ok(memoryOf(circle) < 4000)
    })
  })
})

describe('budget of all caches', () => {
  it("is an eighth of the container limit, or of the machine's memory up to 256 MiB, and at most a quarter of the heap", () => {
    const machine = 64 * GIBIBYTE
    const heap = 4 * GIBIBYTE
    assert.equal(defaultCacheBytes({ container: 512 * MEBIBYTE, machine, heap }), 64 * MEBIBYTE)
    assert.equal(defaultCacheBytes({ container: 4 * GIBIBYTE, machine, heap }), 512 * MEBIBYTE)
    assert.equal(defaultCacheBytes({ container: 32 * GIBIBYTE, machine, heap }), GIBIBYTE)
    assert.equal(defaultCacheBytes({ container: 64 * MEBIBYTE, machine, heap }), 16 * MEBIBYTE)
    for (const container of [0, 18446744073709552000]) {
      assert.equal(defaultCacheBytes({ container, machine, heap }), 256 * MEBIBYTE)
      assert.equal(defaultCacheBytes({ container, machine: GIBIBYTE, heap }), 128 * MEBIBYTE)
    }
    assert.ok(defaultCacheBytes() >= 16 * MEBIBYTE)
  })
})
