import assert from 'node:assert/strict'
import type { PaymentClaim } from '@vidimus/core-types'
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

const LONG_AGO = new Date(0)

describe('AccountPayments', () => {
  let folder: string
  let here: OpenStore
  let there: OpenStore
  let now: Date
  const account = newAccount()
  const other = newAccount('other')

  beforeEach(async () => {
    folder = await temporaryFolder()
    now = new Date('2026-05-01T10:00:00.000Z')
    here = await openStore(folder, { clock: () => now })
    there = await openStore(folder, { clock: () => now })
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
    ...changes,
  })
  const pay = async (claim: PaymentClaim, paidAt = now, txHash = 'AB') => {
    const { id } = await here.store.payments.begin(claim)
    await here.store.payments.settle(id, { txHash, paidAt })
    return id
  }

  it('finds what was paid, and lists it', async () => {
    await as(account, async () => {
      const claim = newClaim()
      assert.equal(await here.store.payments.find(claim, LONG_AGO), undefined)
      const begun = await here.store.payments.begin(claim)
      assert.deepEqual(begun, { id: begun.id, begunAt: now, mine: true })
      assert.equal(await here.store.payments.find(claim, LONG_AGO), undefined)
      assert.deepEqual(await here.store.payments.list(), [])
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
      assert.deepEqual(await there.store.payments.list(), [payment])
    })
  })

  it('counts a payment for its address, amount and network alone, whatever the list', async () => {
    await as(account, async () => {
      const claim = newClaim()
      const id = await pay(claim)
      assert.equal((await here.store.payments.find({ ...claim, list: newList() }, LONG_AGO))?.id, id)
      for (const changes of [
        { network: 'mainnet' },
        { feePaymentAddress: 'cheqd1other' },
        { feePaymentAmount: '20000000001ncheq' },
        { feePaymentAmount: '020000000000ncheq' },
      ]) {
        assert.equal(await here.store.payments.find({ ...claim, ...changes }, LONG_AGO), undefined)
      }
    })
  })

  it('counts a payment up to the end of its window', async () => {
    await as(account, async () => {
      const claim = newClaim()
      const id = await pay(claim)
      assert.equal((await here.store.payments.find(claim, now))?.id, id)
      assert.equal(await here.store.payments.find(claim, new Date(now.getTime() + 1)), undefined)
    })
  })

  it('finds and lists the newest first', async () => {
    await as(account, async () => {
      const claim = newClaim()
      const times = [5, 1, 9, 3].map((minutes) => new Date(now.getTime() + minutes * 60_000))
      for (const [n, time] of times.entries()) await pay(claim, time, `TX${n}`)
      assert.equal((await here.store.payments.find(claim, LONG_AGO))?.txHash, 'TX2')
      const listed = await here.store.payments.list()
      assert.deepEqual(
        listed.map(({ txHash }) => txHash),
        ['TX2', 'TX0', 'TX3', 'TX1'],
      )
    })
  })

  it('lets one of many begin, in whatever process', async () => {
    const claim = newClaim()
    const begun = await as(account, () =>
      Promise.all(Array.from({ length: 40 }, (_, n) => (n % 2 ? here : there).store.payments.begin(claim))),
    )
    assert.equal(begun.filter(({ mine }) => mine).length, 1)
    assert.equal(new Set(begun.map(({ id }) => id)).size, 1)
  })

  it('begins anew once the payment before is settled or dropped', async () => {
    await as(account, async () => {
      const claim = newClaim()
      const first = await here.store.payments.begin(claim)
      await here.store.payments.drop(first.id)
      const second = await there.store.payments.begin(claim)
      assert.equal(second.mine, true)
      assert.notEqual(second.id, first.id)
      await there.store.payments.settle(second.id, { txHash: 'AB', paidAt: now })
      assert.equal((await here.store.payments.begin(claim)).mine, true)
      assert.equal((await here.store.payments.list()).length, 1)
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
        assert.equal((await here.store.payments.begin({ ...claim, ...changes })).mine, true)
      }
      assert.equal((await here.store.payments.begin({ ...claim, list: newList() })).mine, false)
    })
  })

  it('hands a payment that was left over to one of many', async () => {
    await as(account, async () => {
      const claim = newClaim()
      const { id, begunAt } = await here.store.payments.begin(claim)
      const taken = await Promise.all(
        Array.from({ length: 20 }, (_, n) => (n % 2 ? here : there).store.payments.takeOver(id, begunAt)),
      )
      assert.equal(taken.filter(Boolean).length, 1)
      const again = await here.store.payments.begin(claim)
      assert.equal(again.mine, false)
      assert.equal(again.id, id)
      assert.ok(again.begunAt > begunAt)
      now = new Date(now.getTime() - 60_000)
      assert.equal(await here.store.payments.takeOver(id, again.begunAt), true)
      assert.equal(await here.store.payments.takeOver(id, again.begunAt), false)
    })
  })

  it('takes nothing over that is settled or unknown', async () => {
    await as(account, async () => {
      const { id, begunAt } = await here.store.payments.begin(newClaim())
      await here.store.payments.settle(id, { txHash: 'AB', paidAt: now })
      assert.equal(await there.store.payments.takeOver(id, begunAt), false)
      assert.equal(await there.store.payments.takeOver('nobody', begunAt), false)
    })
  })

  it('does not forget for whom gave up what somebody else has taken over', async () => {
    await as(account, async () => {
      const claim = newClaim()
      const { id, begunAt } = await here.store.payments.begin(claim)
      assert.equal(await there.store.payments.takeOver(id, begunAt), true)
      await here.store.payments.drop(id)
      assert.equal((await here.store.payments.begin(claim)).mine, false)
      await there.store.payments.settle(id, { txHash: 'AB', paidAt: now })
      assert.equal((await here.store.payments.list()).length, 1)
    })
  })

  it('never forgets or changes what is settled', async () => {
    await as(account, async () => {
      const claim = newClaim()
      const { id } = await here.store.payments.begin(claim)
      await there.store.payments.settle(id, { txHash: 'AB', paidAt: now })
      await here.store.payments.drop(id)
      await here.store.payments.settle(id, { txHash: 'CD', paidAt: new Date(now.getTime() + 5000) })
      const [payment, ...others] = await here.store.payments.list()
      assert.equal(payment?.txHash, 'AB')
      assert.equal(payment.paidAt, now.toISOString())
      assert.deepEqual(others, [])
    })
  })

  it('says so where nobody has begun what was paid', async () => {
    await as(account, () =>
      assert.rejects(here.store.payments.settle('nobody', { txHash: 'AB', paidAt: now }), {
        code: 'internal_error',
        message: /AB/,
      }),
    )
  })

  it("shows an account nothing of another's, also when both write at once", async () => {
    const claim = newClaim()
    const begun = await Promise.all(
      [account, other].map((each) => as(each, () => here.store.payments.begin(claim))),
    )
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
      const listed = await as(each, () => here.store.payments.list())
      assert.deepEqual(
        listed.map((payment) => payment.txHash),
        [txHash],
      )
      assert.equal((await as(each, () => here.store.payments.find(claim, LONG_AGO)))?.txHash, txHash)
    }
  })

  it("changes nothing of another's", async () => {
    const claim = newClaim()
    const { id, begunAt } = await as(account, () => here.store.payments.begin(claim))
    await as(other, async () => {
      assert.equal(await here.store.payments.takeOver(id, begunAt), false)
      await here.store.payments.drop(id)
      await assert.rejects(here.store.payments.settle(id, { txHash: 'B', paidAt: now }))
    })
    assert.equal((await as(account, () => here.store.payments.begin(claim))).id, id)
    await as(account, () => here.store.payments.settle(id, { txHash: 'A', paidAt: now }))
  })

  it('refuses everything outside of the scope of an account', async () => {
    const refused = { code: 'no_account_scope' }
    const { payments } = here.store
    const claim = newClaim()
    await assert.rejects(payments.find(claim, now), refused)
    await assert.rejects(payments.begin(claim), refused)
    await assert.rejects(payments.takeOver('x', now), refused)
    await assert.rejects(payments.settle('x', { txHash: 'x', paidAt: now }), refused)
    await assert.rejects(payments.drop('x'), refused)
    await assert.rejects(payments.list(), refused)
  })

  it('pays once for many callers who begin, look again and drop', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 2, maxLength: 12 }), async (processes) => {
        const claim = newClaim({ feePaymentAddress: newList().did })
        let transfers = 0
        const check = async (store: OpenStore['store']): Promise<void> => {
          for (;;) {
            if (await store.payments.find(claim, LONG_AGO)) return
            const { id, mine } = await store.payments.begin(claim)
            if (!mine) continue
            if (await store.payments.find(claim, LONG_AGO)) return store.payments.drop(id)
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
