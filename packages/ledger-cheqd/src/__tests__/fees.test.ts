import assert from 'node:assert/strict'
import type { FeeRange } from '@cheqd/ts-proto/cheqd/did/v2/fee.js'
import { feeKind, quoteLeast, roundedUp } from '../fees.js'

const USD = { denom: 'usd', minAmount: '2000000000000000000', maxAmount: '2000000000000000000' }
const NCHEQ = { denom: 'ncheq', minAmount: '50000000000', maxAmount: '100000000000' }

describe('leastOf', () => {
  const price = (ncheq: bigint | undefined) => (usd: string) => {
    assert.equal(usd, USD.minAmount)
    return Promise.resolve(ncheq)
  }

  it('uses the price in dollars if there is one', async () => {
    assert.deepEqual(await quoteLeast([NCHEQ, USD], price(44n)), { ncheq: 44n, isFixed: true })
    assert.deepEqual(await quoteLeast([NCHEQ, USD], price(undefined)), {
      ncheq: 50_000_000_000n,
      isFixed: false,
    })
  })

  it('is the minimum of a range', async () => {
    const range = { ...USD, maxAmount: '3000000000000000000' }
    const least = async (ranges: FeeRange[], ncheq: bigint) => (await quoteLeast(ranges, price(ncheq))).ncheq
    assert.equal(await least([NCHEQ], 1n), 50_000_000_000n)
    assert.equal(await least([NCHEQ, range], 1n), 50_000_000_000n)
    assert.equal(await least([NCHEQ, range], 60_000_000_000n), 60_000_000_000n)
    assert.equal(await least([{ denom: 'ncheq', minAmount: '', maxAmount: '' }], 1n), 0n)
  })

  it('is unknown without a price', async () => {
    await assert.rejects(quoteLeast([USD], price(undefined)), { name: 'LedgerError', phase: 'transport' })
    await assert.rejects(quoteLeast([], price(1n)), { name: 'LedgerError' })
  })
})

describe('roundedUp', () => {
  it('never offers less than required', () => {
    assert.equal(roundedUp('5000000000000000000001', 18), 5001n)
    assert.equal(roundedUp('5000000000000000000000', 18), 5000n)
    assert.equal(roundedUp('0', 18), 0n)
  })
})

describe('feeKindOf', () => {
  it('depends on the message, and for resources on their media type', () => {
    assert.equal(feeKind('createDidDoc', ''), 'createDid')
    assert.equal(feeKind('updateDidDoc', ''), 'updateDid')
    assert.equal(feeKind('deactivateDidDoc', ''), 'deactivateDid')
    assert.equal(feeKind('createResource', 'image/png'), 'image')
    assert.equal(feeKind('createResource', 'application/json'), 'json')
    assert.equal(feeKind('createResource', 'text/plain; charset=utf-8'), 'default')
  })
})
