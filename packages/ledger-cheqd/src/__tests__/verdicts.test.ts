import assert from 'node:assert/strict'
import { MsgCreateResourceResponse } from '@cheqd/ts-proto/cheqd/resource/v2/tx.js'
import fc from 'fast-check'
import { TxMsgData } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import type { OutboxMessage, Verdict } from '../outbox-message.js'
import type { Failure } from '../refusals.js'
import { verdictsOn, verdictsOnDeath, verdictsOnFailure } from '../verdicts.js'

const message = (id: string, changes: Partial<OutboxMessage> = {}): OutboxMessage => ({
  id,
  kind: 'createResource',
  subject: 'did:cheqd:testnet:x',
  expectedPrevious: null,
  memo: '',
  message: new Uint8Array(),
  alone: false,
  attempts: 1,
  gasAttempts: 0,
  fee: 0n,
  queuedAt: 0,
  txHash: 'AA',
  ...changes,
})
const [a, b, c] = [message('a'), message('b'), message('c')]

const failure = (codespace: string, code: number, log = ''): Failure => ({
  codespace,
  code,
  log,
  phase: 'deliver',
})
const shape = (verdicts: Map<string, Verdict>) =>
  [...verdicts].map(([id, verdict]) => {
    if (verdict.kind === 'again')
      return `${id} again${verdict.alone ? ' alone' : ''}${verdict.outOfGas === undefined ? '' : ' with more gas'}`
    return 'error' in verdict.outcome ? `${id} failed ${verdict.outcome.error.code}` : `${id} done`
  })

describe('verdicts on messages', () => {
  it("of an executed transaction contain the chain's response to each", () => {
    const responses = ['', 'p1', 'p2'].map((previousVersionId) => ({
      typeUrl: '/cheqd.resource.v2.MsgCreateResourceResponse',
      value: MsgCreateResourceResponse.encode(
        MsgCreateResourceResponse.fromPartial({ resource: { previousVersionId } }),
      ).finish(),
    }))
    const data = TxMsgData.encode(TxMsgData.fromPartial({ msgResponses: responses })).finish()
    const executed = { hash: 'AA', height: 5, code: 0, codespace: '', log: '', data, bytes: new Uint8Array() }
    const messages = [a, message('b', { expectedPrevious: 'p1' }), message('c', { expectedPrevious: 'p1' })]
    const verdicts = verdictsOn(messages, executed)
    assert.deepEqual(shape(verdicts), ['a done', 'b done', 'c failed 1'])
    const last = verdicts.get('c')
    assert.ok(last?.kind === 'finished' && 'error' in last.outcome)
    assert.equal(last.outcome.error.phase, 'conflict')
    assert.equal(last.outcome.error.txHash, 'AA')
  })

  it('of an executed transaction contain the charged fee, shared in proportion to the offered fees', () => {
    const executed = { hash: 'AA', height: 5, data: new Uint8Array(), bytes: new Uint8Array() }
    const paid = (messages: OutboxMessage[], taken?: bigint) =>
      [...verdictsOn(messages, { ...executed, paid: taken }).values()].map((verdict) =>
        verdict.kind === 'finished' ? verdict.outcome.paid : undefined,
      )
    const [dear, cheap] = [message('d', { fee: 110n }), message('e', { fee: 22n })]
    assert.deepEqual(paid([dear, cheap], 120n), [100n, 20n])
    assert.deepEqual(paid([a], 7n), [7n])
    // It is unknown how the fee is shared, or what it was.
    assert.deepEqual(paid([a, b], 7n), [undefined, undefined])
    assert.deepEqual(paid([dear]), [undefined])
    fc.assert(
      fc.property(
        fc.array(fc.bigInt(1n, 10n ** 15n), { minLength: 2 }),
        fc.bigInt(0n, 10n ** 15n),
        (fees, sum) => {
          const shares = paid(
            fees.map((fee, n) => message(String(n), { fee })),
            sum,
          )
          assert.equal(
            shares.reduce<bigint>((all, share) => all + (share ?? -1n), 0n),
            sum,
          )
        },
      ),
    )
  })

  it('fail only the refused message and retry the others', () => {
    const log = 'failed to execute message; message index: 1: 123: Resource exists'
    const verdicts = verdictsOnFailure([a, b, c], failure('resource', 2200, log))
    assert.deepEqual(shape(verdicts), ['a again', 'b failed 2200', 'c again'])
    const refused = verdicts.get('b')
    assert.ok(refused?.kind === 'finished' && 'error' in refused.outcome)
    assert.equal(refused.outcome.error.message, '123: Resource exists')
  })

  for (const [why, codespace, code, expected, attempts = {}] of [
    ['it is unknown which message was refused', 'cheqd', 1205, ['a again alone', 'b again alone']],
    ['the balance is insufficient for all', 'sdk', 5, ['a again alone', 'b again alone']],
    ['the sequence differs', 'sdk', 32, ['a again', 'b again']],
    ['the fee was too low', 'sdk', 13, ['a again', 'b again']],
    ['it timed out', 'sdk', 30, ['a again', 'b again']],
    ['it ran out of gas', 'sdk', 11, ['a again with more gas', 'b again with more gas']],
    [
      'it ran out of gas again',
      'sdk',
      11,
      ['a again alone with more gas', 'b again alone with more gas'],
      { gasAttempts: 1 },
    ],
    ['the sequence keeps differing', 'sdk', 32, ['a again', 'b again'], { attempts: 60 }],
    [
      'the sequence has differed for too long',
      'sdk',
      32,
      ['a failed 32', 'b failed 32'],
      { queuedAt: -3_600_000 },
    ],
    ['the fee keeps being too low', 'sdk', 13, ['a failed 13', 'b failed 13'], { attempts: 6 }],
  ] as const) {
    it(`of a failed transaction: ${why}`, () => {
      const messages = [a, b].map((one) => ({ ...one, ...attempts }))
      assert.deepEqual(shape(verdictsOnFailure(messages, failure(codespace, code), 1_000)), expected)
    })
  }

  for (const [log, code] of [
    [
      'failed to deduct fees from cheqd1x: spendable balance 1ncheq is smaller than 2ncheq: insufficient funds',
      5,
    ],
    ['fee payer address: cheqd1x does not exist: unknown address', 5],
    ['insufficient fee: need at least 125000000000, got 110000000000', 13],
    ['invalid fixed fee: expected at least 2ncheq, got 1ncheq', 13],
    ['fee too low: expected ≥ 100000 USD, got 99990 USD', 13],
    ['no valid overlapping USD range', 13],
    ['cheq price unavailable; expected fee ≥ 50ncheq', 13],
    ['cannot verify cross-denom fixed fee: cheq price not available', 13],
    [
      'got: 1ncheq required: 2ncheq, minGasPrice: 10000.000000000000000000ncheq, gas: 3: insufficient fee',
      13,
    ],
    [
      'failed to execute message; message index: 0: x: DID Doc exists\ninsufficient fee: need at least 2, got 1',
      13,
    ],
    ['something else', 1],
  ] as const) {
    it(`of a failed transaction without a code: ${log}`, () => {
      const told = failure('undefined', 1, log)
      const [end] = shape(verdictsOnFailure([message('a', { attempts: 6 })], told))
      assert.equal(end, `a failed ${code}`)
    })
  }

  it('fail a message that was alone, or retry it if the failure was not its own', () => {
    assert.deepEqual(shape(verdictsOnFailure([a], failure('cheqd', 1100))), ['a failed 1100'])
    assert.deepEqual(shape(verdictsOnFailure([a], failure('sdk', 5))), ['a failed 5'])
    assert.deepEqual(shape(verdictsOnFailure([a], failure('sdk', 11))), ['a again with more gas'])
    const often = message('a', { gasAttempts: 4 })
    assert.deepEqual(shape(verdictsOnFailure([often], failure('sdk', 11))), ['a failed 11'])
    const all = { ...failure('sdk', 11), hadAllGas: true }
    assert.deepEqual(shape(verdictsOnFailure([a], all)), ['a failed 7'])
    for (const code of [21, 41])
      assert.deepEqual(shape(verdictsOnFailure([a], failure('sdk', code))), ['a failed 7'])
    const log = 'out of gas in location: x; gasWanted: 100, gasUsed: 345: out of gas'
    assert.deepEqual(verdictsOnFailure([a], failure('sdk', 11, log)).get('a'), {
      kind: 'again',
      alone: false,
      outOfGas: 345,
    })
  })

  it('of a dead transaction retry its messages, except payments that may have been made', () => {
    const payment = message('p', { kind: 'payment' })
    assert.deepEqual(shape(verdictsOnDeath([payment], true, 0)), ['p again'])
    assert.deepEqual(shape(verdictsOnDeath([payment, a], false)), ['p failed 3', 'a again'])
    assert.deepEqual(shape(verdictsOnDeath([a], true, 3_600_000)), ['a failed 2'])
  })

  it('become final, whatever fails and however often', () => {
    const failures = fc.record({
      codespace: fc.constantFrom('sdk', 'cheqd', 'resource', ''),
      code: fc.constantFrom(5, 11, 13, 19, 20, 41, 1205, 2200),
      log: fc.constantFrom('', 'message index: 0: x', 'message index: 1: x', 'message index: 99: x'),
      phase: fc.constant('deliver' as const),
    })
    fc.assert(
      fc.property(fc.infiniteStream(failures), fc.integer({ min: 1, max: 4 }), (stream, width) => {
        let left = Array.from({ length: width }, (_, n) => message(String(n), { attempts: 0 }))
        for (let round = 0; left.length > 0; round++) {
          assert.ok(round < 60)
          const [first] = left
          const batch = (first?.alone ? [first] : left.filter(({ alone }) => !alone)).map((one) => ({
            ...one,
            attempts: one.attempts + 1,
          }))
          const verdicts = verdictsOnFailure(batch, stream.next().value as Failure)
          assert.equal(verdicts.size, batch.length)
          left = left.flatMap((one) => {
            const sent = batch.find(({ id }) => id === one.id)
            const verdict = verdicts.get(one.id)
            if (!sent || !verdict) return [one]
            if (verdict.kind === 'finished') return []
            return [
              {
                ...sent,
                alone: sent.alone || verdict.alone,
                gasAttempts: sent.gasAttempts + (verdict.outOfGas === undefined ? 0 : 1),
                attempts: sent.attempts - (verdict.isUncounted ? 1 : 0),
              },
            ]
          })
        }
      }),
    )
  })
})
