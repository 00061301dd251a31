import assert from 'node:assert/strict'
import fc from 'fast-check'
import { RateLimiter } from '../../admission/rate-limiter.js'

describe('RateLimiter', () => {
  let now: number
  beforeEach(() => (now = 1000))
  const limiter = (requests: number, seconds: number, callers?: number) =>
    new RateLimiter('key', { requests, seconds }, () => now, callers)

  it('allows a burst of the whole quota, and then an even rate', () => {
    const limited = limiter(3, 60)
    assert.deepEqual(
      [1, 2, 3, 4].map(() => limited.take('a')),
      [
        { allowed: true, remaining: 2, resetSeconds: 20, retryAfterSeconds: 0 },
        { allowed: true, remaining: 1, resetSeconds: 40, retryAfterSeconds: 0 },
        { allowed: true, remaining: 0, resetSeconds: 60, retryAfterSeconds: 0 },
        { allowed: false, remaining: 0, resetSeconds: 60, retryAfterSeconds: 20 },
      ],
    )
    now += 19_999
    assert.equal(limited.take('a').allowed, false)
    now += 1
    assert.equal(limited.take('a').allowed, true)
    assert.equal(limited.take('a').allowed, false)
  })

  it('does not depend on the uptime of the process', () => {
    const YEARS_MS = 1e11
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: YEARS_MS, noNaN: true }),
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 86_400 }),
        (time, requests, seconds) => {
          now = time
          const limited = limiter(requests, seconds)
          const taken = Array.from({ length: requests + 1 }, () => limited.take('a'))
          const refused = taken.pop()
          assert.deepEqual(
            taken.map(({ allowed, remaining, resetSeconds }) => [allowed, remaining, resetSeconds]),
            taken.map((_, n) => [true, requests - n - 1, Math.ceil(((n + 1) * seconds) / requests)]),
          )
          assert.deepEqual(refused, {
            allowed: false,
            remaining: 0,
            resetSeconds: seconds,
            retryAfterSeconds: Math.ceil(seconds / requests),
          })
        },
      ),
    )
  })

  it('does not accumulate quota during a long pause', () => {
    const limited = limiter(2, 60)
    limited.take('a')
    now += 3_600_000
    assert.deepEqual(
      [1, 2, 3].map(() => limited.take('a').allowed),
      [true, true, false],
    )
  })

  it('separates callers', () => {
    const limited = limiter(1, 60)
    assert.equal(limited.take('a').allowed, true)
    assert.equal(limited.take('b').allowed, true)
    assert.equal(limited.take('a').allowed, false)
  })

  it('reports its state without counting', () => {
    const limited = limiter(1, 60)
    assert.equal(limited.refusalOf('a'), undefined)
    assert.equal(limited.refusalOf('a'), undefined)
    limited.take('a')
    assert.equal(limited.refusalOf('a')?.retryAfterSeconds, 60)
  })

  it('remembers a limited number of callers', () => {
    const limited = limiter(1, 60, 10)
    for (let n = 0; n < 10_000; n += 1) limited.take(String(n))
    const remembered = Array.from({ length: 10_000 }, (_, n) => limited.refusalOf(String(n))).filter(Boolean)
    assert.equal(remembered.length, 10)
    assert.ok(limited.refusalOf('9999'))
  })

  it('forgets idle callers before busy ones', () => {
    const limited = limiter(1, 60, 2)
    limited.take('idle')
    now += 60_000
    limited.take('busy')
    limited.take('new')
    assert.ok(limited.refusalOf('busy'))
  })

  it('never allows more than the quota and what was refilled since', () => {
    const steps = fc.array(fc.integer({ min: 0, max: 5000 }), { maxLength: 200 })
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 30 }),
        steps,
        (requests, seconds, waits) => {
          now = 0
          const limited = limiter(requests, seconds)
          let allowed = 0
          for (const wait of waits) {
            now += wait
            const foretold = limited.refusalOf('a')
            const decision = limited.take('a')
            assert.equal(decision.allowed, foretold === undefined)
            if (decision.allowed) allowed += 1
            else assert.ok(decision.retryAfterSeconds >= 1)
            assert.ok(allowed <= requests + (now * requests) / (seconds * 1000) + 1e-6)
          }
        },
      ),
    )
  })

  it('admits a refused caller after the announced time', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1000 }),
        fc.integer({ min: 1, max: 3600 }),
        (requests, seconds) => {
          now = 0
          const limited = limiter(requests, seconds)
          while (limited.take('a').allowed);
          now += limited.take('a').retryAfterSeconds * 1000
          assert.ok(limited.take('a').allowed)
        },
      ),
      { numRuns: 50 },
    )
  })
})
