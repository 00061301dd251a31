import assert from 'node:assert/strict'
import { StatusFees, type FeeTerms } from '../status/status-fees.js'

describe('StatusFees', () => {
  /** Pays 2 CHEQ where that is allowed. */
  const lookUp = (asked: FeeTerms[]) => (terms: FeeTerms) => {
    asked.push(terms)
    return Promise.resolve(terms.maxFee === undefined || terms.maxFee >= 2 ? { feesPaid: 2 } : {})
  }

  it('leave each credential what those before it have left', async () => {
    const fees = new StatusFees(true, 5)
    const asked: FeeTerms[] = []
    await Promise.all([1, 2, 3, 4].map(() => fees.within(lookUp(asked))))
    assert.deepEqual(
      asked.map(({ maxFee }) => maxFee),
      [5, 3, 1, 1],
    )
  })

  it('count everything as paid where a look-up fails', async () => {
    const fees = new StatusFees(true, 5)
    await assert.rejects(fees.within(() => Promise.reject(new Error('no answer'))))
    const asked: FeeTerms[] = []
    await fees.within(lookUp(asked))
    assert.deepEqual(asked, [{ makeFeePayment: true, maxFee: 0 }])
  })

  it('say nothing of a limit that nobody has set', async () => {
    const asked: FeeTerms[] = []
    await new StatusFees(true).within(lookUp(asked))
    await new StatusFees().within(lookUp(asked))
    assert.deepEqual(asked, [{ makeFeePayment: true }, { makeFeePayment: false }])
  })
})
