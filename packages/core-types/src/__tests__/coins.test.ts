import assert from 'node:assert/strict'
import fc from 'fast-check'
import { formatCoins, isAmount, ncheqOf, parseCoins } from '../coins.js'

const MOST = 2n ** 63n - 1n

describe('coins', () => {
  it('round-trip through their text form', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: MOST }), (ncheq) => {
        assert.equal(parseCoins(formatCoins(ncheq)), ncheq)
      }),
    )
    assert.equal(parseCoins('20000000000ncheq'), 20_000_000_000n)
    assert.equal(parseCoins('0ncheq'), 0n)
    assert.equal(parseCoins(`${MOST}ncheq`), MOST)
  })

  for (const text of [
    '',
    'ncheq',
    '5',
    '5cheq',
    '5 ncheq',
    '-5ncheq',
    '+5ncheq',
    '05ncheq',
    '5.5ncheq',
    '1e3ncheq',
    '0x5ncheq',
    '5ncheq\n',
    '5NCHEQ',
    `${MOST + 1n}ncheq`,
    `${'9'.repeat(40)}ncheq`,
  ]) {
    it(`do not include "${text.slice(0, 30).trimEnd()}"`, () => assert.equal(parseCoins(text), undefined))
  }

  it('can be created from whole CHEQ', () => {
    assert.equal(ncheqOf(0), 0n)
    assert.equal(ncheqOf(20), 20_000_000_000n)
    assert.equal(ncheqOf(9_223_372_036), 9_223_372_036_000_000_000n)
    for (const none of [9_223_372_037, -1, 0.5, Number.NaN, Infinity, 2 ** 60])
      assert.equal(ncheqOf(none), undefined)
  })

  it('are never negative and never exceed what a ledger can count', () => {
    assert.deepEqual([-1n, 0n, MOST, MOST + 1n].map(isAmount), [false, true, true, false])
  })
})
