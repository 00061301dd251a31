import assert from 'node:assert/strict'
import {
  asDid,
  asListName,
  AgentError,
  type PaymentClaim,
  type StatusListPayments,
} from '@vidimus/core-types'
import { FeeAllowance } from '../../fees/fee-allowance.js'
import { FeePayments } from '../../fees/fee-payments.js'
import {
  Installation,
  newAddress,
  newParty,
  type FullAgent,
  type Party,
  type Process,
} from '../encrypted-set-up.js'
import { refused } from '../refused.js'

const AMOUNT = '2000000000ncheq'

const begun = async ({ store }: Process, claim: PaymentClaim) => {
  const begun = await store.payments.begin(claim, {})
  assert.ok(!('refused' in begun))
  return begun
}

/** Concurrent work of several processes, and the remains of those that die in between. */
describe('FeePayments', () => {
  let installation: Installation
  let here: Process
  let did: string
  before(async () => {
    installation = await Installation.open()
    here = await installation.start()
    ;({ did } = await here.as(newParty('publisher'), (agent) =>
      agent.didManagerCreate({ options: { network: 'testnet' } }),
    ))
  })
  after(() => installation.close())

  const newClaim = (): PaymentClaim => ({
    list: { did: asDid(did), statusListName: asListName('list'), resourceType: 'StatusList2021Revocation' },
    network: 'testnet',
    feePaymentAddress: newAddress(),
    feePaymentAmount: AMOUNT,
    windowMs: 600_000,
    condition: 0,
    conditions: 1,
  })
  /** Waiting advances the clock of the installation, so that no test waits. */
  const limits = { perList: 100, perAccountAndDay: 100 }
  const feePayments = (
    on: Process,
    payments: StatusListPayments = on.store.payments,
    meanwhile: () => Promise<void> = () => Promise.resolve(),
  ) => {
    const pauses: number[] = []
    const pause = (ms: number) => {
      pauses.push(ms)
      installation.pass(ms)
      return meanwhile()
    }
    return { fees: new FeePayments(payments, limits, undefined, () => installation.clock.now, pause), pauses }
  }
  const demand = (
    on: Process,
    party: Party,
    claim: PaymentClaim,
    fees: FeePayments,
    agent?: Partial<FullAgent>,
    allowance = new FeeAllowance(),
  ) =>
    on.as(party, (own) =>
      fees.demand(
        {
          location: claim.list,
          paymentConditions: [{ ...claim, feePaymentWindow: 10 }],
          makeFeePayment: true,
          allowance,
        },
        { agent: agent ?? own } as Parameters<FeePayments['demand']>[1],
      ),
    )
  const transfersTo = (claim: PaymentClaim) =>
    here.as(newParty('anybody'), (agent) => agent.ledgerTransfers({ did, to: claim.feePaymentAddress }))

  it('take over an abandoned payment that was not made, once, after a minute', async () => {
    const claim = newClaim()
    const reader = newParty('reader')
    const { id } = await here.as(reader, () => begun(here, claim))
    installation.pass(50_000)
    const there = await installation.start()
    const { fees, pauses } = feePayments(there)
    // while one process waits, another one waits long enough, and pays
    const other = feePayments(here, here.store.payments, () => demand(there, reader, claim, fees))
    await Promise.all([demand(here, reader, claim, other.fees), demand(here, reader, claim, other.fees)])
    assert.equal(other.pauses.length, 1)
    assert.equal(pauses.length, 39)
    assert.deepEqual(
      (await transfersTo(claim)).map(({ memo }) => memo),
      [id],
    )
  })

  it('are refused to an API key without the right to pay, but not to others waiting for the same payment', async () => {
    const claim = newClaim()
    const reader = newParty('reader')
    const limitedTo = (grant: object) => ({
      ...reader,
      account: { ...reader.account, grant: { id: 'k', ...grant } },
    })
    const { fees } = feePayments(here)
    const denied = [{ scopes: ['read'] }, { networks: ['mainnet'] }].map((grant) =>
      refused(() => demand(here, limitedTo(grant), claim, fees), { code: 'forbidden' }),
    )
    await Promise.all([...denied, demand(here, reader, claim, fees), demand(here, reader, claim, fees)])
    assert.equal((await transfersTo(claim)).length, 1)
  })

  it('are made even if the limit of a concurrent call was too low', async () => {
    const claim = newClaim()
    const reader = newParty('reader')
    const { fees } = feePayments(here)
    const poor = refused(() => demand(here, reader, claim, fees, undefined, new FeeAllowance(0.1)), {
      code: 'payment_limit',
    })
    await Promise.all([poor, demand(here, reader, claim, fees)])
    assert.equal((await transfersTo(claim)).length, 1)
  })

  it('ask the caller to retry later while another process is paying', async () => {
    const claim = newClaim()
    const reader = newParty('reader')
    await here.as(reader, () => begun(here, claim))
    const { fees, pauses } = feePayments(here)
    await refused(() => demand(here, reader, claim, fees), {
      code: 'unavailable',
      says: /repeat|try again later/,
    })
    assert.equal(
      pauses.reduce((sum, ms) => sum + ms),
      15_000,
    )
    assert.deepEqual(await transfersTo(claim), [])
  })

  it('are not repeated if somebody else finished between the check and the record', async () => {
    const claim = newClaim()
    const reader = newParty('reader')
    const { payments } = here.store
    let overtaken = false
    const slow: StatusListPayments = {
      ...bound(payments),
      begin: async (same, ...limits) => {
        if (!overtaken) {
          overtaken = true
          await demand(here, reader, claim, feePayments(here).fees)
        }
        return payments.begin(same, ...limits)
      },
    }
    await demand(here, reader, claim, feePayments(here, slow).fees)
    assert.equal((await transfersTo(claim)).length, 1)
    const { mine } = await here.as(reader, () => begun(here, claim))
    assert.equal(mine, true)
  })

  it('are looked up on the ledger if a transfer ended without a response', async () => {
    const claim = newClaim()
    const reader = newParty('reader')
    const { fees } = feePayments(here)
    await here.as(reader, async (agent) => {
      const lost: Partial<FullAgent> = {
        ledgerTransfers: (args) => agent.ledgerTransfers(args),
        ledgerTransfer: async (args) => {
          await agent.ledgerTransfer(args)
          const cause = Object.assign(new Error('the connection broke'), { phase: 'timeout' })
          throw new AgentError('ledger_unavailable', 'no answer', { cause })
        },
      }
      await refused(() => demand(here, reader, claim, fees, lost), { code: 'ledger_unavailable' })
    })
    assert.equal((await transfersTo(claim)).length, 1)
    await demand(here, reader, claim, fees)
    assert.equal((await transfersTo(claim)).length, 1)
    assert.equal((await here.as(reader, (agent) => agent.statusListPayments())).total, 1)
  })

  it('are not lost if their record could not be settled', async () => {
    const claim = newClaim()
    const reader = newParty('reader')
    const { payments } = here.store
    const failure = new Error('the database is gone')
    const broken: StatusListPayments = { ...bound(payments), settle: () => Promise.reject(failure) }
    await assert.rejects(demand(here, reader, claim, feePayments(here, broken).fees), failure)
    await demand(here, reader, claim, feePayments(here).fees)
    assert.equal((await transfersTo(claim)).length, 1)
  })

  it('are not repeated if an abandoned one was made', async () => {
    const claim = newClaim()
    const reader = newParty('reader')
    const { id } = await here.as(reader, () => begun(here, claim))
    const to = claim.feePaymentAddress
    await here.as(reader, (agent) => agent.ledgerTransfer({ did, to, amount: AMOUNT, memo: id }))
    installation.pass(2 * 60_000)
    const { fees, pauses } = feePayments(here)
    await demand(here, reader, claim, fees)
    assert.equal((await transfersTo(claim)).length, 1)
    assert.deepEqual(pauses, [])
  })

  it('are made again if an abandoned one was made too long ago', async () => {
    const claim = newClaim()
    const reader = newParty('reader')
    const { id } = await here.as(reader, () => begun(here, claim))
    const to = claim.feePaymentAddress
    await here.as(reader, (agent) => agent.ledgerTransfer({ did, to, amount: AMOUNT, memo: id }))
    installation.pass(11 * 60_000)
    await demand(here, reader, claim, feePayments(here).fees)
    assert.equal((await transfersTo(claim)).length, 2)
    assert.equal((await here.as(reader, (agent) => agent.statusListPayments())).total, 2)
  })

  it('are separate for accounts that pay the same', async () => {
    const claim = newClaim()
    const { fees } = feePayments(here)
    await Promise.all([1, 2, 3].map((n) => demand(here, newParty(`reader ${n}`), claim, fees)))
    assert.equal((await transfersTo(claim)).length, 3)
  })
})

const bound = (payments: StatusListPayments): StatusListPayments => ({
  find: (...args) => payments.find(...args),
  findBegun: (...args) => payments.findBegun(...args),
  spentToday: () => payments.spentToday(),
  begin: (...args) => payments.begin(...args),
  takeOver: (...args) => payments.takeOver(...args),
  handOver: (id) => payments.handOver(id),
  settle: (...args) => payments.settle(...args),
  drop: (...args) => payments.drop(...args),
  list: (page) => payments.list(page),
})
