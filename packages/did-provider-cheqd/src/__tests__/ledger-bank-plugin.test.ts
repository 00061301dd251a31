import assert from 'node:assert/strict'
import type { ILedgerBank, LedgerTransferQuery } from '@vidimus/core-types'
import type { Network } from '@vidimus/ledger'
import { EmbeddedLedger } from '@vidimus/ledger-local'
import { Agent } from '@veramo/core'
import type { TAgent } from '@veramo/core-types'
import { LedgerBankPlugin } from '../index.js'
import { openTestBed, type TestBed } from './agent-on-ledger.js'
import { refused } from './assertions.js'

const PAYER = 'cheqd1x6weed6d4nchwax2ajnhu0cqqr9kd5z399vxq2'
const TO = 'cheqd1qs0nhyk868c246defezhz5eymlt0dmajna2csg'
const DID = 'did:cheqd:testnet:3fa85f64-5717-4562-b3fc-2c963f66afa6'
const ON_MAINNET = DID.replace('testnet', 'mainnet')

describe('LedgerBankPlugin', () => {
  let bed: TestBed
  let agent: TAgent<ILedgerBank>

  const ledgerOf = (network: Network, cheq = 20) =>
    new EmbeddedLedger({
      network,
      database: bed.database,
      now: () => bed.clock.now,
      bank: { payer: PAYER, balances: { [PAYER]: cheq } },
    })
  const agentOn = (...ledgers: EmbeddedLedger[]) =>
    new Agent({ plugins: [new LedgerBankPlugin({ ledgers })] }) as unknown as TAgent<ILedgerBank>
  const transfer = (changes: Partial<Parameters<typeof agent.ledgerTransfer>[0]> = {}) =>
    agent.ledgerTransfer({ did: DID, to: TO, amount: '5000000000ncheq', memo: 'a memo', ...changes })

  beforeEach(async () => {
    bed = await openTestBed()
    agent = agentOn(ledgerOf('testnet'), ledgerOf('mainnet', 1))
  })
  afterEach(() => bed.close())

  it('names invalid options', () => {
    assert.throws(() => new LedgerBankPlugin({ ledgers: [] }), { code: 'invalid_configuration' })
    assert.throws(() => new LedgerBankPlugin({ ledgers: [bed.testnet], payer: PAYER } as never), {
      code: 'invalid_configuration',
    })
  })

  it('pays from the payer of the ledger of the DID', async () => {
    const paid = await transfer()
    assert.match(paid.txHash, /^[0-9A-F]{64}$/)
    assert.deepEqual(paid, {
      txHash: paid.txHash,
      time: '2026-01-01T00:00:00.500Z',
      from: PAYER,
      to: TO,
      amount: '5000000000ncheq',
      memo: 'a memo',
    })
    const balanceOf = (did: string, address: string) => agent.ledgerBalance({ did, address })
    assert.deepEqual(await balanceOf(DID, PAYER), { amount: '15000000000ncheq' })
    assert.deepEqual(await balanceOf(DID, TO), { amount: '5000000000ncheq' })
    assert.deepEqual(await balanceOf(ON_MAINNET, PAYER), { amount: '1000000000ncheq' })
    assert.deepEqual(await balanceOf(ON_MAINNET, TO), { amount: '0ncheq' })
    assert.deepEqual(await agent.ledgerTransfers({ did: DID, to: TO }), [paid])
    assert.deepEqual(await agent.ledgerTransfers({ did: ON_MAINNET, to: TO }), [])
  })

  it('finds transfers by memo, amount and time, newest first', async () => {
    const first = await transfer({ memo: 'one' })
    bed.clock.now = new Date('2026-01-01T01:00:00.000Z')
    const second = await transfer({ memo: 'two', amount: '7ncheq' })
    const find = (query: object) => agent.ledgerTransfers({ did: DID, to: TO, ...query })
    assert.deepEqual(await find({}), [second, first])
    assert.deepEqual(await find({ memo: 'one' }), [first])
    assert.deepEqual(await find({ amount: '7ncheq' }), [second])
    assert.deepEqual(await find({ notBefore: second.time }), [second])
    assert.deepEqual(await find({ notBefore: '2026-01-01T02:00:00+01:00' }), [second])
    assert.deepEqual(await find({ notBefore: '2026-01-01T01:00:00.001Z' }), [])
    assert.deepEqual(await find({ memo: 'two', amount: '8ncheq' }), [])
  })

  it('reports insufficient funds', async () => {
    await assert.rejects(transfer({ did: ON_MAINNET }), (error: { code?: string; message?: string }) => {
      assert.equal(error.code, 'insufficient_funds')
      assert.match(error.message ?? '', /has 1000000000ncheq, less than 5000000000ncheq/)
      return true
    })
    assert.deepEqual(await agent.ledgerTransfers({ did: ON_MAINNET, to: TO }), [])
  })

  it('reports which ledger has no money, has no payer or is unreachable', async () => {
    agent = agentOn(new EmbeddedLedger({ network: 'testnet', database: bed.database }))
    await assert.rejects(transfer(), { code: 'ledger_unavailable', message: /testnet.*without money/ })
    await assert.rejects(agent.ledgerBalance({ did: DID, address: TO }), { code: 'ledger_unavailable' })
    await assert.rejects(transfer({ did: ON_MAINNET }), { code: 'did_not_resolvable' })
    agent = agentOn(new EmbeddedLedger({ network: 'testnet', database: bed.database, bank: {} }))
    await assert.rejects(transfer(), { code: 'ledger_unavailable', message: /no payer/ })
  })

  it('reports every problem of a transfer', async () => {
    const wrong = { did: 5, to: 'cheqd1abc', amount: '5', memo: 'x'.repeat(257), from: PAYER }
    await assert.rejects(
      agent.ledgerTransfer(wrong as never),
      (error: { code?: string; details?: { path: string }[] }) => {
        assert.equal(error.code, 'invalid_input')
        assert.deepEqual(error.details?.map(({ path }) => path).sort(), [
          'amount',
          'did',
          'from',
          'memo',
          'to',
        ])
        return true
      },
    )
  })

  for (const [why, changes, path] of [
    ['a DID of another method', { did: 'did:key:z6Mk' }, 'did'],
    ['an empty amount', { amount: '0ncheq' }, 'amount'],
    ['an amount without a unit', { amount: '5' }, 'amount'],
    ['a negative amount', { amount: '-5ncheq' }, 'amount'],
    ['a number', { amount: 5 as never }, 'amount'],
    ['an address with a typo', { to: TO.replace('qs0', 'qs9') }, 'to'],
    ['a missing memo', { memo: undefined as never }, 'memo'],
  ] as const) {
    it(`refuses ${why}`, () => refused(transfer(changes), 'invalid_input', path))
  }

  it('refuses invalid queries', async () => {
    const to = TO
    for (const [query, path] of [
      [{ did: DID, to: 'x' }, 'to'],
      [{ did: DID, to, notBefore: 'yesterday' }, 'notBefore'],
      [{ did: DID, to, amount: '1.5ncheq' }, 'amount'],
      [{ did: DID, to, from: PAYER }, 'from'],
    ] as const) {
      await refused(agent.ledgerTransfers(query as LedgerTransferQuery), 'invalid_input', path)
    }
    await refused(agent.ledgerBalance({ did: DID, address: 'x' }), 'invalid_input', 'address')
  })

  it('adds nothing else to an agent', () => {
    const { methods } = new LedgerBankPlugin({ ledgers: [bed.testnet] })
    assert.deepEqual(Object.keys(methods).sort(), [
      'ledgerBalance',
      'ledgerFeeLimit',
      'ledgerTransfer',
      'ledgerTransfers',
    ])
  })
})
