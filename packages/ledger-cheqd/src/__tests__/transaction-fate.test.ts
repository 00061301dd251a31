import assert from 'node:assert/strict'
import fc from 'fast-check'
import { transactionFate } from '../transaction-fate.js'

const SENT = { sequence: 7, timeoutHeight: 100, overtakenAt: undefined }

describe('fateOf', () => {
  it('is open until its last block has passed, and a little longer', () => {
    assert.equal(transactionFate({ ...SENT, height: 50, accountSequence: 7 }), 'open')
    assert.equal(transactionFate({ ...SENT, height: 101, accountSequence: 7 }), 'open')
    assert.equal(transactionFate({ ...SENT, height: 102, accountSequence: 7 }), 'expired')
    assert.equal(transactionFate({ ...SENT, height: 102, accountSequence: 3 }), 'expired')
  })

  it('is open if its sequence was used a moment ago, possibly in its own block', () => {
    assert.equal(transactionFate({ ...SENT, height: 500, accountSequence: 8 }), 'open')
    assert.equal(transactionFate({ ...SENT, height: 51, accountSequence: 8, overtakenAt: 50 }), 'open')
    assert.equal(transactionFate({ ...SENT, height: 52, accountSequence: 8, overtakenAt: 50 }), 'replaced')
  })

  it('never declares a transaction dead that a chain may still execute', () => {
    const block = fc.nat({ max: 300 })
    fc.assert(
      fc.property(block, block, fc.option(block, { nil: undefined }), (height, lag, executedAt) => {
        // The node that is asked has all blocks up to `height`, and knows by hash those that are older than two.
        const isKnown = executedAt !== undefined && executedAt <= height - 2
        const isInTime = executedAt === undefined || executedAt <= SENT.timeoutHeight
        fc.pre(isInTime && !isKnown)
        const seenAt = Math.max(0, height - lag)
        const accountSequence = executedAt !== undefined && executedAt <= height ? 8 : 7
        const overtakenAt =
          executedAt !== undefined && executedAt <= seenAt ? Math.max(seenAt, executedAt) : undefined
        const fate = transactionFate({ ...SENT, height, accountSequence, overtakenAt })
        if (executedAt !== undefined) assert.equal(fate, 'open')
      }),
    )
  })
})
