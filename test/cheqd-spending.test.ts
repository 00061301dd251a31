import assert from 'node:assert/strict'
import { runInAccountScope, type AccountEventSink, type NewAccountEvent } from '@vidimus/core-types'
import { sql } from '@vidimus/database'
import type { LedgerError } from '@vidimus/ledger'
import { toAgentError } from '@vidimus/ledger'
import type { CheqdLedgerOptions } from '@vidimus/ledger-cheqd'
import { CHEQ, CheqdInstallation, PAYER, publish, Subject } from './support/cheqd-installation.js'
import { CheqdNode, type CheqdNodeOptions } from './support/cheqd-node/cheqd-node.js'
import { freshDatabase, PLACES } from './support/fresh-database.js'

/** The fees of the test node, with our margin. */
const DID = 44n * CHEQ
const UPDATE = 22n * CHEQ

const account = (name: string) => ({ id: name, name, createdAt: '2026-01-01T00:00:00Z' })
const one = account('one')
const other = account('other')

for (const place of PLACES) {
  describe(`spending of accounts on a cheqd network (${place})`, () => {
    let node: CheqdNode
    let url: string
    let told: NewAccountEvent[]
    let opened: CheqdInstallation[] = []
    const events: AccountEventSink = {
      announce: async (event) => {
        told.push(event)
        return { happened: () => undefined, didNotHappen: () => undefined, mayHaveHappened: () => undefined }
      },
    }
    const open = async (options: Partial<CheqdLedgerOptions> = {}) => {
      const installation = await CheqdInstallation.open(url, { rpc: node.url, events, ...options })
      opened.push(installation)
      return installation
    }
    const start = async (options: CheqdNodeOptions = {}, funds = 10_000_000n * CHEQ) => {
      node = await CheqdNode.start({ blockTime: 15, ...options })
      await node.fund(PAYER, funds)
      url = await freshDatabase(place)
      told = []
    }
    afterEach(async () => {
      for (const installation of opened) await installation.close()
      opened = []
      await node.stop()
    })

    const by = <T>(who: typeof one, work: () => Promise<T>) => runInAccountScope(who, work)
    const create = async ({ ledger }: CheqdInstallation, who = one) => {
      const subject = new Subject()
      await by(who, () => ledger.submit(subject.create()))
      return subject
    }
    const spent = async ({ ledger }: CheqdInstallation, who = one) =>
      (await ledger.spending.today(who.id)).spent
    const messages = async ({ database }: CheqdInstallation) =>
      Number((await database.query<{ n: number }>(sql`SELECT COUNT(*) AS n FROM "cheqd_message"`))[0]?.n)
    const refusal = (code: string, says: RegExp) => (error: LedgerError) => {
      const told = toAgentError(error)
      assert.equal(told.code, code)
      assert.match(told.message, says)
      return true
    }
    const OVER = (says: RegExp) => refusal('budget_exceeded', says)

    it('stops at the daily budget, creations first, leaving nothing behind', async () => {
      await start()
      const here = await open({ maxSpendPerDayCheq: 200 })
      const [subject] = [await create(here), await create(here), await create(here)]
      assert.equal(told.length, 0)
      await create(here)
      const [event] = told
      assert.deepEqual([event?.type, event?.subject], ['budget.nearly-spent', 'testnet'])
      const { until, ...data } = event?.data ?? {}
      assert.deepEqual(data, { budget: 'writes', used: 176, limit: 200 })
      assert.ok(Date.parse(String(until)) > Date.now())
      const [queued, sent] = [await messages(here), node.chain.transactions.length]
      const numbers =
        /^maxSpendPerDayCheq: 44000000000ncheq are needed, but only 4000000000ncheq of 200000000000ncheq is left .* 20000000000ncheq of it reserved for changes .* more is available at 20/
      await assert.rejects(create(here), OVER(numbers))
      assert.deepEqual([await messages(here), node.chain.transactions.length], [queued, sent])
      assert.equal(await spent(here), 4n * DID)
      // the last tenth is for changes
      await by(one, () => here.ledger.submit(subject.update()))
      assert.equal(await spent(here), 4n * DID + UPDATE)
      await assert.rejects(
        by(one, () => here.ledger.submit(subject.update())),
        OVER(/22000000000ncheq are needed, but only 2000000000ncheq/),
      )
      await create(here, other)
      assert.deepEqual([await spent(here, other), told.length], [DID, 1])
    })

    it('is counted once across processes, however many write concurrently', async () => {
      await start()
      const options = { maxSpendPerDayCheq: 200 }
      const [first, second] = [await open(options), await open(options)]
      const outcomes = await Promise.allSettled(
        Array.from({ length: 8 }, (_, n) => create(n % 2 === 0 ? first : second)),
      )
      const made = outcomes.filter(({ status }) => status === 'fulfilled').length
      assert.deepEqual([made, await spent(first), await spent(second)], [4, 4n * DID, 4n * DID])
      const spending = first.ledger.measurements.find(({ form }) => form.name === 'vidimus_spend_today_cheq')
      assert.deepEqual(await spending?.read(), [{ labels: { network: 'testnet' }, value: 176 }])
    })

    it('includes only what was executed: refusals are free, and the account learns why', async () => {
      await start({}, 50n * CHEQ)
      const here = await open({ maxSpendPerDayCheq: null })
      await create(here)
      for (let n = 0; n < 2; n++) {
        await assert.rejects(create(here), refusal('insufficient_funds', /44000000000ncheq (is|are) needed/))
      }
      assert.equal(await spent(here), DID)
      // once, however often it is tried
      assert.deepEqual(told, [{ type: 'payer.short', subject: 'testnet' }])
      const [chain, payer] = await here.ledger.check()
      assert.equal(chain?.ok, true)
      const { message = '', ...others } = payer ?? {}
      assert.deepEqual(others, { name: 'payer:testnet', ok: false, warning: true })
      assert.match(message, /^cheqd1\w+ has \d+ncheq, less than the 44000000000ncheq that one DID costs$/)
    })

    it('is refused before it is queued if no block accepts it', async () => {
      await start({ block: { maxBytes: 20_000, maxGas: 1_500_000 } })
      const here = await open()
      const subject = await create(here)
      const queued = await messages(here)
      const send = (bytes: number) =>
        by(one, () => here.ledger.submit(subject.publish({ data: Buffer.alloc(bytes, 'x') })))
      await assert.rejects(
        send(25_000),
        refusal('too_large_for_network', /a block of the network holds 19158 \(max_bytes 20000\)/),
      )
      assert.equal(await messages(here), queued)
    })

    it('is refused before it is queued if it needs more gas than a block has', async () => {
      await start({ block: { maxGas: 700_000 } })
      const here = await open()
      const subject = await create(here)
      const queued = await messages(here)
      await assert.rejects(
        by(one, () => here.ledger.submit(subject.publish({ data: Buffer.alloc(15_000, 'x') }))),
        refusal('too_large_for_network', /about \d+ gas, and a block of the network has 700000/),
      )
      assert.equal(await messages(here), queued)
      await publish(here.ledger, subject.publish())
    })
  })
}
