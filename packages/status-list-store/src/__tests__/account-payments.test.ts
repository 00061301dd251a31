import assert from 'node:assert/strict'
import { AgentError, type AuditRows, type PaymentClaim, type PaymentLimits } from '@vidimus/core-types'
import fc from 'fast-check'
import {
  as,
  newAccount,
  newList,
  openStore,
  removeFolder,
  temporaryFolder,
  type OpenStore,
} from './open-store.js'

const YEAR_MS = 31_536_000_000

const begin = async (
  { store }: Pick<OpenStore, 'store'>,
  claim: PaymentClaim,
  limits: PaymentLimits = {},
) => {
  const begun = await store.payments.begin(claim, limits)
  assert.ok(!('refused' in begun))
  return begun
}

describe('AccountPayments', () => {
  let folder: string
  let here: OpenStore
  let there: OpenStore
  let now: Date
  let told: object[]
  let lost = false
  const account = newAccount()
  const other = newAccount('other')

  beforeEach(async () => {
    folder = await temporaryFolder()
    now = new Date('2026-05-01T10:00:00.000Z')
    told = []
    const audit: AuditRows = {
      recordWithin: (_transaction, entry, actor) => {
        if (lost) return Promise.reject(new AgentError('unavailable', 'lost'))
        told.push({ ...entry, ...actor })
        return Promise.resolve()
      },
    }
    here = await openStore(folder, { clock: () => now, audit })
    there = await openStore(folder, { clock: () => now, audit })
  })
  afterEach(async () => {
    await here.close()
    await there.close()
    await removeFolder(folder)
  })

  const newClaim = (changes: Partial<PaymentClaim> = {}): PaymentClaim => ({
    list: newList(),
    network: 'testnet',
    feePaymentAddress: 'cheqd1qs0nhyk868c246defezhz5eymlt0dmajna2csg',
    feePaymentAmount: '20000000000ncheq',
    windowMs: YEAR_MS,
    condition: 0,
    conditions: 1,
    ...changes,
  })
  const pay = async (claim: PaymentClaim, paidAt = now, txHash = 'AB') => {
    const { id } = await begin(here, claim)
    await here.store.payments.settle(id, { txHash, paidAt })
    return id
  }

  it('finds and lists payments', async () => {
    await as(account, async () => {
      const claim = newClaim()
      assert.equal(await here.store.payments.find(claim, now), undefined)
      const begun = await begin(here, claim)
      const { feePaymentAddress, feePaymentAmount } = claim
      const expected = { begunAt: now, mine: true, feePaymentAddress, feePaymentAmount, nearing: [] }
      assert.deepEqual(begun, { id: begun.id, ...expected })
      assert.equal(await here.store.payments.find(claim, now), undefined)
      assert.deepEqual((await here.store.payments.list()).payments, [])
      await here.store.payments.settle(begun.id, { txHash: 'AB', paidAt: now })
      const payment = {
        id: begun.id,
        network: 'testnet',
        did: claim.list.did,
        statusListName: claim.list.statusListName,
        feePaymentAddress: claim.feePaymentAddress,
        feePaymentAmount: claim.feePaymentAmount,
        txHash: 'AB',
        paidAt: now.toISOString(),
      }
      assert.deepEqual(await there.store.payments.find(claim, now), payment)
      assert.deepEqual((await there.store.payments.list()).payments, [payment])
    })
  })

  it('counts a payment for its address, amount and network, whatever the list', async () => {
    await as(account, async () => {
      const claim = newClaim()
      const id = await pay(claim)
      assert.equal((await here.store.payments.find({ ...claim, list: newList() }, now))?.id, id)
      for (const changes of [
        { network: 'mainnet' },
        { feePaymentAddress: 'cheqd1other' },
        { feePaymentAmount: '20000000001ncheq' },
        { feePaymentAmount: '020000000000ncheq' },
      ]) {
        const another = { ...claim, list: newList(), ...changes }
        assert.equal(await here.store.payments.find(another, now), undefined)
      }
    })
  })

  it('counts a payment until the end of its window', async () => {
    await as(account, async () => {
      const claim = newClaim()
      const id = await pay(claim)
      const end = new Date(now.getTime() + YEAR_MS)
      assert.equal((await here.store.payments.find(claim, end))?.id, id)
      assert.equal(await here.store.payments.find(claim, new Date(end.getTime() + 1)), undefined)
    })
  })

  it('finds and lists the newest first', async () => {
    await as(account, async () => {
      const claim = newClaim()
      const times = [-5, -9, -1, -7].map((minutes) => new Date(now.getTime() + minutes * 60_000))
      for (const [n, time] of times.entries()) await pay(claim, time, `TX${n}`)
      assert.equal((await here.store.payments.find(claim, now))?.txHash, 'TX2')
      const { payments: listed } = await here.store.payments.list()
      assert.deepEqual(
        listed.map(({ txHash }) => txHash),
        ['TX2', 'TX0', 'TX3', 'TX1'],
      )
    })
  })

  it('counts a payment for its list until its window ends, even if the list changes its price', async () => {
    await as(account, async () => {
      const claim = newClaim({ windowMs: 600_000 })
      const id = await pay(claim)
      const raised = { ...claim, feePaymentAmount: '20000000001ncheq', feePaymentAddress: 'x', windowMs: 1 }
      assert.equal((await here.store.payments.find(raised, new Date(now.getTime() + 600_000)))?.id, id)
      assert.equal(await here.store.payments.find(raised, new Date(now.getTime() + 600_001)), undefined)
      const added = { ...raised, condition: 1, conditions: 2 }
      assert.equal((await here.store.payments.find(added, now))?.id, id)
    })
  })

  it('counts a payment for one of two conditions only', async () => {
    await as(account, async () => {
      const claim = newClaim({ conditions: 2 })
      await pay(claim)
      const other = { ...claim, condition: 1, feePaymentAmount: '1ncheq' }
      assert.equal(await here.store.payments.find(other, now), undefined)
      assert.equal((await begin(here, other)).mine, true)
    })
  })

  it('starts no other payment for a list while one is in progress, whatever the conditions', async () => {
    await as(account, async () => {
      const claim = newClaim()
      const first = await begin(here, claim)
      const second = await begin(there, { ...claim, feePaymentAmount: '20000000001ncheq' })
      assert.deepEqual(second, { ...first, mine: false })
    })
  })

  it('keeps within the limits of list, account and network, even for concurrent payers', async () => {
    const limits = { list: 40n, accountDay: 100n, networkDay: 250n }
    const tryAll = (who: typeof account, list = newList()) =>
      as(who, () =>
        Promise.all(
          Array.from({ length: 20 }, async (_, n) => {
            const claim = newClaim({ feePaymentAddress: `${who.id} ${n}`, feePaymentAmount: '20ncheq' })
            const of = n < 4 ? { ...claim, list, condition: n, conditions: 4 } : claim
            return (n % 2 ? here : there).store.payments.begin(of, limits)
          }),
        ),
      )
    const refusals = { list: 0, accountDay: 0, networkDay: 0 }
    let begun = 0
    for (const who of [account, other, newAccount('third')]) {
      for (const answer of await tryAll(who)) {
        if ('refused' in answer) refusals[answer.refused.limit] += 1
        else begun += 1
      }
    }
    assert.equal(begun, 12)
    assert.ok(refusals.list > 0 && refusals.accountDay > 0 && refusals.networkDay > 0)
  })

  it('reports what is left of a limit, and when it resets', async () => {
    await as(account, async () => {
      const small = newClaim({ feePaymentAmount: '70ncheq' })
      const begun = await begin(here, small, { accountDay: 100n })
      const claim = newClaim({ feePaymentAmount: '20ncheq' })
      const moreAt = new Date('2026-05-02T00:00:00.000Z')
      const limits = { accountDay: 100n }
      const refused = { limit: 'accountDay', most: 100n, left: 30n, moreAt }
      assert.deepEqual(await there.store.payments.begin(claim, limits, 11n), { refused })
      assert.deepEqual([...(await there.store.payments.spentToday())][0], ['testnet', 70n])
      // a payment that was not made does not count
      await here.store.payments.drop(begun.id)
      assert.equal((await begin(here, claim, limits)).mine, true)
      now = moreAt
      assert.equal((await begin(here, newClaim({ feePaymentAmount: '100ncheq' }), limits)).mine, true)
    })
  })

  it('reports once that most of a budget is spent', async () => {
    await as(account, async () => {
      const told: unknown[] = []
      for (const ncheq of [79, 1, 10]) {
        const claim = newClaim({ feePaymentAmount: `${ncheq}ncheq` })
        told.push(...(await begin(here, claim, { accountDay: 100n })).nearing)
      }
      const until = new Date('2026-05-02T00:00:00.000Z')
      assert.deepEqual(told, [{ limit: 'accountDay', used: 80n, most: 100n, until }])
    })
  })

  it('counts an abandoned payment on the day when it is taken over', async () => {
    await as(account, async () => {
      const claim = newClaim({ feePaymentAmount: '60ncheq' })
      const { id, begunAt } = await begin(here, claim, { accountDay: 100n })
      now = new Date('2026-05-02T00:01:00.000Z')
      await begin(here, newClaim({ feePaymentAmount: '50ncheq' }), { accountDay: 100n })
      const { taken, refused } = await there.store.payments.takeOver(id, begunAt, { accountDay: 100n })
      assert.deepEqual([taken, refused?.left], [false, 50n])
      assert.deepEqual(await there.store.payments.takeOver(id, begunAt, {}), { taken: true })
      assert.equal((await here.store.payments.spentToday()).get('testnet'), 110n)
    })
  })

  it('lets exactly one of many callers start, in any process', async () => {
    const claim = newClaim()
    const begun = await as(account, () =>
      Promise.all(Array.from({ length: 40 }, (_, n) => begin(n % 2 ? here : there, claim))),
    )
    assert.equal(begun.filter(({ mine }) => mine).length, 1)
    assert.equal(new Set(begun.map(({ id }) => id)).size, 1)
  })

  it('starts again once the previous payment is settled or dropped', async () => {
    await as(account, async () => {
      const claim = newClaim()
      const first = await begin(here, claim)
      await here.store.payments.drop(first.id)
      const second = await begin(there, claim)
      assert.equal(second.mine, true)
      assert.notEqual(second.id, first.id)
      await there.store.payments.settle(second.id, { txHash: 'AB', paidAt: now })
      assert.equal((await begin(here, claim)).mine, true)
      assert.equal((await here.store.payments.list()).total, 1)
    })
  })

  it('keeps different payments apart', async () => {
    await as(account, async () => {
      const claim = newClaim()
      for (const changes of [
        {},
        { network: 'mainnet' },
        { feePaymentAddress: 'x' },
        { feePaymentAmount: '1ncheq' },
      ]) {
        assert.equal((await begin(here, { ...claim, list: newList(), ...changes })).mine, true)
      }
      assert.equal((await begin(here, { ...claim, list: newList() })).mine, false)
    })
  })

  it('gives an abandoned payment to exactly one of many callers', async () => {
    await as(account, async () => {
      const claim = newClaim()
      const { id, begunAt } = await begin(here, claim)
      const taken = await Promise.all(
        Array.from({ length: 20 }, (_, n) => (n % 2 ? here : there).store.payments.takeOver(id, begunAt, {})),
      )
      assert.equal(taken.filter((each) => each.taken).length, 1)
      const again = await begin(here, claim)
      assert.equal(again.mine, false)
      assert.equal(again.id, id)
      assert.ok(again.begunAt > begunAt)
      now = new Date(now.getTime() - 60_000)
      assert.deepEqual(await here.store.payments.takeOver(id, again.begunAt, {}), { taken: true })
      assert.deepEqual(await here.store.payments.takeOver(id, again.begunAt, {}), { taken: false })
    })
  })

  it('does not take over settled or unknown payments', async () => {
    await as(account, async () => {
      const { id, begunAt } = await begin(here, newClaim())
      await here.store.payments.settle(id, { txHash: 'AB', paidAt: now })
      assert.deepEqual(await there.store.payments.takeOver(id, begunAt, {}), { taken: false })
      assert.deepEqual(await there.store.payments.takeOver('nobody', begunAt, {}), { taken: false })
    })
  })

  it('is not handed over by the previous owner after a takeover', async () => {
    await as(account, async () => {
      const { id, begunAt } = await begin(here, newClaim())
      const demand = ({ database, store }: typeof here) => {
        const handOver = store.payments.handOver(id)
        assert.equal(handOver.database, database)
        return database.write((connection) => handOver.demand(connection))
      }
      await demand(here)
      assert.deepEqual(await there.store.payments.takeOver(id, begunAt, {}), { taken: true })
      await assert.rejects(demand(here), { code: 'version_conflict' })
      await demand(there)
      await there.store.payments.settle(id, { txHash: 'AB', paidAt: now })
      await assert.rejects(demand(there), { code: 'version_conflict' })
    })
  })

  it('ignores a drop by the previous owner after a takeover', async () => {
    await as(account, async () => {
      const claim = newClaim()
      const { id, begunAt } = await begin(here, claim)
      assert.deepEqual(await there.store.payments.takeOver(id, begunAt, {}), { taken: true })
      await here.store.payments.drop(id)
      assert.equal((await begin(here, claim)).mine, false)
      await there.store.payments.settle(id, { txHash: 'AB', paidAt: now })
      assert.equal((await here.store.payments.list()).total, 1)
    })
  })

  it('records a payment in the audit trail once, in the transaction that settles it', async () => {
    await as(account, async () => {
      const claim = newClaim()
      const { id } = await begin(here, claim)
      lost = true
      await assert.rejects(here.store.payments.settle(id, { txHash: 'AB', paidAt: now }))
      lost = false
      assert.equal(await here.store.payments.find(claim, now), undefined)
      const actor = { accountId: account.id }
      await there.store.payments.settle(id, { txHash: 'AB', paidAt: now, actor })
      await here.store.payments.settle(id, { txHash: 'AB', paidAt: now })
      const detail = `${claim.feePaymentAmount} to ${claim.feePaymentAddress} for ${claim.list.did}`
      assert.deepEqual(told, [{ event: 'payment-made', subject: 'AB', detail, ...actor }])
    })
  })

  it('never drops or changes a settled payment', async () => {
    await as(account, async () => {
      const claim = newClaim()
      const { id } = await begin(here, claim)
      await there.store.payments.settle(id, { txHash: 'AB', paidAt: now })
      await here.store.payments.drop(id)
      await here.store.payments.settle(id, { txHash: 'CD', paidAt: new Date(now.getTime() + 5000) })
      const {
        payments: [payment, ...others],
      } = await here.store.payments.list()
      assert.equal(payment?.txHash, 'AB')
      assert.equal(payment.paidAt, now.toISOString())
      assert.deepEqual(others, [])
    })
  })

  it('reports a settled payment that nobody started', async () => {
    await as(account, () =>
      assert.rejects(here.store.payments.settle('nobody', { txHash: 'AB', paidAt: now }), {
        code: 'internal_error',
        message: /AB/,
      }),
    )
  })

  it('hides the payments of other accounts, even during concurrent writes', async () => {
    const claim = newClaim()
    const begun = await Promise.all([account, other].map((each) => as(each, () => begin(here, claim))))
    assert.deepEqual(
      begun.map(({ mine }) => mine),
      [true, true],
    )
    const [mine, theirs] = begun.map(({ id }) => id)
    // Their transactions share one COMMIT, which runs in the scope of the first.
    await Promise.all([
      as(account, () => here.store.payments.settle(mine!, { txHash: 'A', paidAt: now })),
      as(other, () => here.store.payments.settle(theirs!, { txHash: 'B', paidAt: now })),
    ])
    for (const [each, txHash] of [
      [account, 'A'],
      [other, 'B'],
    ] as const) {
      const { payments: listed } = await as(each, () => here.store.payments.list())
      assert.deepEqual(
        listed.map((payment) => payment.txHash),
        [txHash],
      )
      assert.equal((await as(each, () => here.store.payments.find(claim, now)))?.txHash, txHash)
    }
  })

  it('does not change the payments of other accounts', async () => {
    const claim = newClaim()
    const { id, begunAt } = await as(account, () => begin(here, claim))
    await as(other, async () => {
      assert.deepEqual(await here.store.payments.takeOver(id, begunAt, {}), { taken: false })
      await here.store.payments.drop(id)
      await assert.rejects(here.store.payments.settle(id, { txHash: 'B', paidAt: now }))
    })
    assert.equal((await as(account, () => begin(here, claim))).id, id)
    await as(account, () => here.store.payments.settle(id, { txHash: 'A', paidAt: now }))
  })

  it('refuses everything outside an account scope', async () => {
    const refused = { code: 'no_account_scope' }
    const { payments } = here.store
    const claim = newClaim()
    await assert.rejects(payments.find(claim, now), refused)
    await assert.rejects(payments.begin(claim, {}), refused)
    await assert.rejects(payments.takeOver('x', now, {}), refused)
    await assert.rejects(payments.settle('x', { txHash: 'x', paidAt: now }), refused)
    await assert.rejects(payments.drop('x'), refused)
    await assert.rejects(payments.list(), refused)
  })

  it('pays once for many callers that start, check and drop', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 2, maxLength: 12 }), async (processes) => {
        const claim = newClaim({ feePaymentAddress: newList().did })
        let transfers = 0
        const check = async (store: OpenStore['store']): Promise<void> => {
          for (;;) {
            if (await store.payments.find(claim, now)) return
            const { id, mine } = await begin({ store }, claim)
            if (!mine) continue
            if (await store.payments.find(claim, now)) return store.payments.drop(id)
            transfers += 1
            return store.payments.settle(id, { txHash: id, paidAt: now })
          }
        }
        await as(account, () => Promise.all(processes.map((first) => check((first ? here : there).store))))
        assert.equal(transfers, 1)
      }),
      { numRuns: 20 },
    )
  })
})
