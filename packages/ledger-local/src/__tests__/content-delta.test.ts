import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import * as fossil from 'fossil-delta'
import fc from 'fast-check'
import { applyDelta, applyDeltas, COST_AT_ONCE, costOfDelta, deltaBetween } from '../content-delta.js'

/** Contents that have pieces in common, repeat some, or share nothing. */
const contents = fc
  .record({
    pieces: fc.array(fc.uint8Array({ minLength: 1, maxLength: 300, size: 'max' }), {
      minLength: 1,
      maxLength: 4,
    }),
    first: fc.array(fc.nat(5), { maxLength: 40 }),
    second: fc.array(fc.nat(5), { maxLength: 40 }),
  })
  .map(({ pieces, first, second }) => {
    const joined = (order: readonly number[]) =>
      Buffer.concat(order.map((n) => pieces[n % pieces.length] ?? Buffer.alloc(0)))
    return [joined(first), joined(second)] as const
  })

describe('applyDelta', () => {
  it('applies deltas created by the library', () => {
    fc.assert(
      fc.property(contents, ([from, to]) => {
        const delta = fossil.createDelta<Uint8Array>(from, to)
        assert.deepEqual(applyDelta(from, delta), to)
        assert.deepEqual(Buffer.from(fossil.applyDelta<Uint8Array>(from, delta)), to)
      }),
    )
  })

  it('refuses truncated and invalid deltas, and always terminates', () => {
    fc.assert(
      fc.property(contents, fc.nat(), fc.uint8Array({ maxLength: 60 }), ([from, to], cut, noise) => {
        const delta = fossil.createDelta<Uint8Array>(from, to)
        assert.throws(() => applyDelta(from, delta.subarray(0, cut % delta.length)), RangeError)
        try {
          applyDelta(from, noise)
        } catch (error) {
          assert.ok(error instanceof RangeError)
        }
      }),
    )
  })
})

describe('applyDeltas', () => {
  it('yields to other tasks, more often for expensive deltas', async () => {
    const deltas: Uint8Array[] = []
    const whole = randomBytes(100_000)
    let content = Buffer.from(whole)
    let cost = 0
    for (let n = 0; n < 12; n++) {
      const next = Buffer.from(content)
      for (let at = 0; at + 90 < next.length; at += 90) randomBytes(12).copy(next, at)
      const delta = deltaBetween(content, next) ?? assert.fail('no delta')
      deltas.push(delta)
      cost += costOfDelta(delta, next)
      content = next
    }
    let turns = 0
    let applied: Uint8Array | undefined
    const done = applyDeltas(whole, deltas).then((result) => (applied = result))
    for (; !applied; turns++) await setImmediate()
    assert.deepEqual(await done, content)
    const most = Math.floor(cost / COST_AT_ONCE)
    assert.ok(turns > 2 && turns >= most / 2, `${turns} turns for ${most}`)
  })
})

describe('deltaBetween', () => {
  it('creates a delta that reproduces the content and saves at least half of it, or none', () => {
    let made = 0
    fc.assert(
      fc.property(contents, ([from, to]) => {
        const delta = deltaBetween(from, to)
        if (!delta) return
        made++
        assert.deepEqual(applyDelta(from, delta), to)
        assert.ok(delta.length <= to.length / 2)
      }),
      { numRuns: 300 },
    )
    assert.ok(made > 20, `${made} deltas`)
  })

  const list = Buffer.from(randomBytes(22_000).toString('base64url'))
  const changed = Buffer.concat([list.subarray(0, 700), Buffer.from('another'), list.subarray(720)])

  it('stays small for small changes, even in long content', () => {
    assert.ok((deltaBetween(list, changed)?.length ?? Infinity) < 60)
    const long = randomBytes(2_000_000)
    const longer = Buffer.concat([long.subarray(0, 1_000_000), randomBytes(10), long.subarray(1_000_000)])
    assert.ok((deltaBetween(longer, long)?.length ?? Infinity) < 60)
    assert.ok((deltaBetween(long, longer)?.length ?? Infinity) < 60)
  })

  it('creates none for unrelated or empty contents', () => {
    const others: [Uint8Array, Uint8Array][] = [
      [list, randomBytes(30_000)],
      [new Uint8Array(), list],
      [list, new Uint8Array()],
      [new Uint8Array(), new Uint8Array()],
      [list, Buffer.from('{"list":true}')],
    ]
    for (const [from, to] of others) assert.equal(deltaBetween(from, to), undefined)
  })

  it('creates none for highly repetitive contents, on which the library would not terminate', () => {
    const repetitive = Buffer.alloc(20_000_000, 'status')
    const other = Buffer.from(repetitive)
    for (let at = 0; at < other.length; at += 997) other[at] = 0
    assert.equal(deltaBetween(repetitive, other), undefined)
    assert.ok(deltaBetween(repetitive.subarray(0, 30_000), other.subarray(0, 30_000)))
    for (const period of [1, 3, 16, 24, 28, 112]) {
      const pattern = randomBytes(period)
      const many = Buffer.concat([randomBytes(50), Buffer.alloc(2_000_000, pattern)])
      assert.ok(!deltaBetween(many.subarray(0, 60_000), many.subarray(1)), `period ${period}`)
    }
  })

  it('creates one even if short pieces repeat in many places', () => {
    const filling = randomBytes(70)
    const blocks = Array.from({ length: 700 }, () => Buffer.concat([randomBytes(1290), filling]))
    const from = Buffer.concat(blocks)
    blocks[300] = Buffer.concat([randomBytes(1290), filling])
    assert.ok((deltaBetween(from, Buffer.concat(blocks))?.length ?? Infinity) < 1500)
  })
})
