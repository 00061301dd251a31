import assert from 'node:assert/strict'
import { cheqText } from '@vidimus/core-types'
import { PaymentConditions } from '@vidimus/core-types/schemas'
import fc from 'fast-check'
import {
  conditionText,
  publishedConditions,
  readConditions,
  sameConditions,
} from '../../encryption/payment-conditions.js'
import { newAddress } from '../encrypted-set-up.js'
import { refused } from '../refused.js'

const conditions = fc.uniqueArray(
  fc.record(
    {
      feePaymentAddress: fc.constant(0).map(newAddress),
      feePaymentAmount: fc.bigInt(1n, 2n ** 63n - 1n).map((ncheq) => `${ncheq}ncheq`),
      feePaymentWindow: fc.integer({ min: 1, max: 5_256_000 }),
    },
    { noNullPrototype: true },
  ),
  { maxLength: 10, selector: ({ feePaymentAmount }) => feePaymentAmount },
)

describe('payment conditions', () => {
  it('are read as published', () => {
    fc.assert(
      fc.property(conditions, (some) => {
        assert.deepEqual(PaymentConditions.parse(some), some)
        const published = JSON.parse(JSON.stringify(publishedConditions(some))) as unknown
        assert.deepEqual(readConditions(published), some)
        assert.ok(sameConditions(some, readConditions(published)))
      }),
    )
    assert.deepEqual(readConditions(undefined), [])
  })

  it('are rejected if a published list has them in another form', async () => {
    const [condition] = publishedConditions([
      { feePaymentAddress: newAddress(), feePaymentAmount: '5ncheq', feePaymentWindow: 1 },
    ])
    for (const published of [
      null,
      {},
      'x',
      [null],
      [{ ...condition, type: 'free' }],
      [{ ...condition, feePaymentAmount: '0ncheq' }],
      [{ ...condition, feePaymentAmount: '-5ncheq' }],
      [{ ...condition, feePaymentAmount: '5ncheq ' }],
      [{ ...condition, feePaymentAddress: 'cheqd1' }],
      [{ ...condition, feePaymentWindow: 0 }],
    ]) {
      await refused(() => readConditions(published), { code: 'malformed_list' })
    }
  })

  it('are refused if one payment would satisfy two of them, whatever their windows', () => {
    const [one, other] = [newAddress(), newAddress()]
    const condition = (feePaymentAddress: string, feePaymentAmount: string, feePaymentWindow = 10) => ({
      feePaymentAddress,
      feePaymentAmount,
      feePaymentWindow,
    })
    const first = condition(one, '5ncheq')
    for (const different of [condition(other, '5ncheq'), condition(one, '6ncheq')]) {
      assert.ok(PaymentConditions.safeParse([first, different]).success)
    }
    const { error } = PaymentConditions.safeParse([
      first,
      condition(other, '5ncheq'),
      condition(one, '5ncheq', 20),
    ])
    assert.deepEqual(
      error?.issues.map(({ path, message }) => [path, message]),
      [[[2], 'duplicates condition 0: one payment would meet both']],
    )
  })

  it('display amounts in readable form', () => {
    assert.equal(cheqText(1n), '0.000000001 CHEQ')
    assert.equal(cheqText(2_500_000_000n), '2.5 CHEQ')
    assert.equal(cheqText(20_000_000_000n), '20 CHEQ')
    const one = { feePaymentAddress: 'a', feePaymentAmount: '1000000000ncheq', feePaymentWindow: 1 }
    assert.equal(conditionText(one), '1 CHEQ to a, at most 1 minute ago')
  })
})
