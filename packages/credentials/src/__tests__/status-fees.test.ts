import assert from 'node:assert/strict'
import { StatusFees, type FeeTerms } from '../status/status-fees.js'

describe('StatusFees', () => {
  /** Pays 2 CHEQ where that is allowed. */
  const lookUp = (asked: FeeTerms[]) => (terms: FeeTerms) => {
    asked.push(terms)
    return Promise.resolve(terms.maxFee === undefined || terms.maxFee >= 2 ? { feesPaid: 2 } : {})
  }

  it('give each credential what the previous ones have left of the limit', async () => {
    const fees = new StatusFees(true, 5)
    const asked: FeeTerms[] = []
    await Promise.all([1, 2, 3, 4].map(() => fees.within(lookUp(asked))))
    assert.deepEqual(
      asked.map(({ maxFee }) => maxFee),
      [5, 3, 1, 1],
    )
  })

  it('count the whole limit as spent if a lookup fails', async () => {
    const fees = new StatusFees(true, 5)
    await assert.rejects(fees.within(() => Promise.reject(new Error('no answer'))))
    const asked: FeeTerms[] = []
    await fees.within(lookUp(asked))
    assert.deepEqual(asked, [{ makeFeePayment: true, maxFee: 0 }])
  })

  it('set no limit by default', async () => {
    const asked: FeeTerms[] = []
    await new StatusFees(true).within(lookUp(asked))
    await new StatusFees().within(lookUp(asked))
    assert.deepEqual(asked, [{ makeFeePayment: true }, { makeFeePayment: false }])
  })
})
