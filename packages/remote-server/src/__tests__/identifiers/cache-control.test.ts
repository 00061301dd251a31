import assert from 'node:assert/strict'
import { cacheControlOf, REVALIDATE } from '../../identifiers/cache-control.js'

describe('cacheControlOf', () => {
  const now = new Date('2026-01-01T00:00:00Z')
  for (const [why, delivery, expected] of [
    ['no ttl', {}, REVALIDATE],
    ['a validity without ttl', { validUntil: '2030-01-01T00:00:00Z' }, REVALIDATE],
    ['a ttl', { ttlMs: 300_000 }, 'public, max-age=300'],
    ['a ttl below one second', { ttlMs: 999 }, REVALIDATE],
    ['a ttl with a fraction of a second', { ttlMs: 1999 }, 'public, max-age=1'],
    [
      'a validity that lasts longer',
      { ttlMs: 5000, validUntil: '2026-01-01T00:00:06Z' },
      'public, max-age=5',
    ],
    [
      'a validity that ends earlier',
      { ttlMs: 5000, validUntil: '2026-01-01T00:00:03.9Z' },
      'public, max-age=3',
    ],
    ['a validity that has ended', { ttlMs: 5000, validUntil: '2025-12-31T23:59:59Z' }, REVALIDATE],
    ['a malformed validity', { ttlMs: 5000, validUntil: 'soon' }, REVALIDATE],
  ] as const) {
    it(`is "${expected}" for ${why}`, () => assert.equal(cacheControlOf(delivery, now), expected))
  }
})
