import assert from 'node:assert/strict'
import fc from 'fast-check'
import { batchBytes, batchGas, takeBatch } from '../batching.js'

const LIMITS = { maxMessages: 5, maxBytes: 10_000, maxGas: 1_000_000 }
const GAS = { base: 150_000, perMessage: 60_000, perByte: 45 }

const counted = (batch: Parameters<typeof batchGas>[0]) => batchGas(batch, GAS)

const message = fc.record({
  id: fc.uuid(),
  kind: fc.constantFrom('createDidDoc' as const, 'createResource' as const, 'payment' as const),
  message: fc.nat({ max: 12_000 }).map((length) => new Uint8Array(length)),
  alone: fc.boolean(),
  gasAttempts: fc.nat({ max: 1 }),
})

const isSolitary = ({ kind, alone }: { kind: string; alone: boolean }) => kind === 'payment' || alone

describe('takeBatch', () => {
  it('takes the oldest first, no more than fits, and everything in the end', () => {
    fc.assert(
      fc.property(fc.array(message), (queued) => {
        let rest = queued
        const order: string[] = []
        while (rest.length > 0) {
          const batch = takeBatch(rest, LIMITS, counted)
          assert.equal(batch[0], rest[0])
          if (batch.length > 1) {
            assert.ok(!batch.some(isSolitary))
            assert.ok(batch.length <= LIMITS.maxMessages)
            assert.ok(batchBytes(batch) <= LIMITS.maxBytes)
            assert.ok(batchGas(batch, GAS) <= LIMITS.maxGas)
          }
          order.push(...batch.map(({ id }) => id))
          rest = rest.filter((one) => !batch.includes(one))
        }
        assert.deepEqual(order.toSorted(), queued.map(({ id }) => id).toSorted())
      }),
    )
  })

  it('fills a transaction as far as possible', () => {
    const small = Array.from({ length: 8 }, (_, n) => ({
      id: n,
      kind: 'createResource' as const,
      message: new Uint8Array(100),
      alone: false,
      gasAttempts: 0,
    }))
    assert.equal(takeBatch(small, LIMITS, counted).length, 5)
    assert.equal(takeBatch(small, { ...LIMITS, maxBytes: 700 }, counted).length, 3)
    assert.equal(takeBatch(small, { ...LIMITS, maxGas: 250_000 }, counted).length, 2)
    assert.deepEqual(takeBatch([], LIMITS, counted), [])
  })

  it('doubles the gas after running out of it', () => {
    const one = { message: new Uint8Array(1_000), gasAttempts: 0 }
    assert.equal(batchGas([one], GAS), 150_000 + 45 * 1_350)
    assert.equal(batchGas([{ ...one, gasAttempts: 1 }], GAS), 2 * (150_000 + 45 * 1_350))
  })
})
