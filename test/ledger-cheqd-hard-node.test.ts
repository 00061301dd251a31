import assert from 'node:assert/strict'
import type { LedgerError } from '@vidimus/ledger'
import type { CheqdLedgerOptions } from '@vidimus/ledger-cheqd'
import { didDoc, ed25519Key, updateDid } from '../packages/ledger/src/__tests__/signing.js'
import { CheqdInstallation, CHEQ, PAYER, publish, Subject } from './support/cheqd-installation.js'
import { CheqdNode, type CheqdNodeOptions } from './support/cheqd-node/cheqd-node.js'
import { freshDatabase } from './support/fresh-database.js'
import { withLateBlocks as lateBlocks } from './support/late-blocks.js'
import { until } from './support/until.js'

const OTHER = 'cheqd1x6weed6d4nchwax2ajnhu0cqqr9kd5z399vxq2'

/** Refusals by a real node that the driver must handle. */
describe('a cheqd network as strict as the real one', () => {
  let node: CheqdNode
  let installation: CheqdInstallation
  const start = async (
    options: CheqdNodeOptions = {},
    ledger: Partial<CheqdLedgerOptions> = {},
    funds = 100_000_000n * CHEQ,
  ) => {
    node = await CheqdNode.start({ blockTime: 15, price: 0.02, ...options })
    if (funds > 0n) await node.fund(PAYER, funds)
    installation = await CheqdInstallation.open(await freshDatabase('SQLite'), {
      rpc: node.url,
      outbox: { submitTimeoutMs: 60_000 },
      ...ledger,
    })
  }
  afterEach(async () => {
    await installation.close()
    await node.stop()
  })

  const submit = (message: Parameters<typeof installation.ledger.submit>[0]) =>
    installation.ledger.submit(message)
  const failed = () => node.chain.transactions.filter(({ result }) => result.code !== 0)
  const refused = (codespace: string, code: number, text: RegExp) => (error: LedgerError) => {
    assert.deepEqual([error.codespace, error.code], [codespace, code], error.message)
    assert.match(error.message, text)
    return true
  }
  const withLateBlocks = async <T>(work: Promise<T>) => (await lateBlocks(node, 0, work)).result

  describe('with oversized messages', () => {
    it('fails those too large for the node immediately, without delaying others', async () => {
      await start({ block: { maxBytes: 22_020_096, maxGas: 0 } })
      const subject = await Subject.created(installation.ledger)
      const large = subject.publish({ data: Buffer.alloc(770_000, 'x') })
      const [first, second] = await Promise.allSettled([submit(large), submit(new Subject().create())])
      assert.equal(second.status, 'fulfilled')
      assert.ok(first.status === 'rejected')
      refused('vidimus', 7, /no request of \d+ bytes|max_body_bytes/)(first.reason as LedgerError)
      assert.deepEqual((await installation.ledger.check())[0]?.ok, true)
      assert.equal((await installation.ledger.report()).waiting, 0)
    })

    it('fails those too large for reduced blocks immediately, with the limit', async () => {
      await start({ block: { maxBytes: 1_000_000, maxGas: 0 } })
      const subject = await Subject.created(installation.ledger)
      const first = subject.publish({ data: Buffer.alloc(250_000, 'x') })
      node.setBlock({ maxBytes: 200_000 })
      await assert.rejects(submit(first), refused('vidimus', 7, /tx size is too big: \d+, max: 199158/))
      // It is asked again.
      const second = subject.publish({ data: Buffer.alloc(250_000, 'x') })
      await assert.rejects(submit(second), refused('vidimus', 7, /max_bytes 200000/))
      await submit(new Subject().create())
    })
  })

  describe('with insufficient funds and blocks of seconds', () => {
    it('recovers with the next block after a price drop', async () => {
      await start({ blockTime: 'by hand' })
      await withLateBlocks(submit(new Subject().create()))
      node.setPrice(0.016)
      await node.produceBlock()
      await withLateBlocks(submit(new Subject().create()))
      assert.deepEqual(failed(), [])
    })

    it('does not carry the refusal of one caller over to the next', async () => {
      await start({ blockTime: 'by hand' }, {}, 150n * CHEQ)
      const owner = new Subject()
      await withLateBlocks(submit(owner.create()))
      const dear = assert.rejects(
        submit(new Subject().create()),
        refused('sdk', 5, /has \d+ncheq, but 110000000000ncheq is needed/),
      )
      const cheap = submit(owner.publish({ data: Buffer.from('text') }))
      await withLateBlocks(Promise.all([dear, cheap]))
      assert.deepEqual(failed(), [])
    })

    it('fails nobody else when only the chain detects it', async () => {
      await start({ blockTime: 'by hand' }, {}, 1_000n * CHEQ)
      await withLateBlocks(submit(new Subject().create()))
      const hit = node.misbehave('refuseSequence', { times: 9 })
      // Far more often than a failure of its own would be allowed.
      await withLateBlocks(submit(new Subject().create()))
      assert.equal(hit.struck, 9)
    })
  })

  describe('with a transaction index', () => {
    for (const index of ['off', { lagBlocks: 6 }] as const) {
      it(`that is ${index === 'off' ? 'off' : 'late'}`, async () => {
        await start({ index })
        const { ledger } = installation
        const subject = await Subject.created(ledger)
        const [resource] = await Promise.all([
          publish(ledger, subject.publish(), null),
          ...Array.from({ length: 2 }, () => Subject.created(ledger)),
        ])
        assert.ok(await ledger.getResource(resource.collectionId, resource.id))
        const payment = await ledger.bank.pay({ to: OTHER, amount: 7n, memo: '' })
        assert.equal(node.balanceOf(OTHER), 7n)
        assert.ok(payment.height > 0)
        await assert.rejects(submit(subject.create()), { codespace: 'cheqd', code: 1200 })
        assert.deepEqual(node.chain.sentTwice, [])
        const [check] = await ledger.check()
        const [finding] = await ledger.lifecycle.diagnose()
        assert.equal(check?.ok, true)
        assert.equal(finding?.level, index === 'off' ? 'warn' : 'ok')
        assert.equal((check?.message ?? '').includes('no transaction index'), index === 'off')
      })
    }

    it('that is off, sends nothing twice even if the node has pruned its blocks', async () => {
      await start({ index: 'off', pruning: { states: 2, blocks: 1 } })
      const subject = await Subject.created(installation.ledger)
      await publish(installation.ledger, subject.publish(), null)
      assert.deepEqual(node.chain.sentTwice, [])
    })
  })

  describe('with gas', () => {
    const withServices = ({ did, doc }: Subject, count: number) => ({
      ...doc,
      service: Array.from({ length: count }, (_, n) => ({
        id: `${did}#service-${n}`,
        serviceType: 'LinkedDomains',
        serviceEndpoint: [`https://example.com/${n}`],
        recipientKeys: [],
        routingKeys: [],
        accept: [],
        priority: 0,
      })),
    })

    it('uses enough the first time, for any message', async () => {
      await start()
      const { ledger } = installation
      const subjects = await Promise.all([1, 2, 3, 4].map(() => Subject.created(ledger)))
      const [versions, services, keys, names] = subjects as [Subject, Subject, Subject, Subject]
      for (let n = 0; n < 12; n++) await submit(versions.update())
      await submit(versions.deactivate())
      for (const count of [50, 10]) await submit(services.sign(updateDid(withServices(services, count))))
      await submit(services.deactivate())
      const many = didDoc(keys.did, [keys.key, ...Array.from({ length: 4 }, () => ed25519Key())])
      await submit(keys.sign(updateDid(many)))
      await submit(keys.deactivate())
      for (const length of [8, 31, 64]) {
        for (let n = 0; n < 3; n++) await submit(names.publish({ name: 'n'.repeat(length) }))
      }
      await submit(names.publish({ data: Buffer.alloc(100_000, 'x') }))
      assert.deepEqual(failed(), [])
      for (const { result } of node.chain.transactions) {
        const part = result.gasUsed / result.gasWanted
        assert.ok(part > 0.6 && part < 0.99, `${result.gasUsed} of ${result.gasWanted}`)
      }
    })

    it('determines the amount by retrying if no node simulates', async () => {
      await start({ simulates: false })
      const subject = await Subject.created(installation.ledger)
      for (let n = 0; n < 12; n++) await submit(subject.update())
      await submit(subject.deactivate())
      assert.ok(failed().length <= 3, `${failed().length} failed`)
    })

    it('refuses immediately what exceeds the gas of a block, and sends nothing', async () => {
      await start({ block: { maxGas: 500_000 } })
      const subject = await Subject.created(installation.ledger)
      for (let n = 0; n < 14; n++) await submit(subject.update())
      const before = node.chain.transactions.length
      await assert.rejects(
        submit(subject.deactivate()),
        refused('vidimus', 7, /it needs about \d+ gas, and a block of the network has 500000 \(max_gas\)/),
      )
      assert.equal(node.chain.transactions.length, before)
    })

    it('fills a batch up to the gas of a block', async () => {
      await start({ block: { maxGas: 2_000_000 } })
      const { ledger } = installation
      const subjects = await Promise.all(Array.from({ length: 8 }, () => Subject.created(ledger)))
      const before = node.chain.transactions.length
      const data = Buffer.alloc(15_000, 'x')
      await Promise.all(subjects.map((subject) => publish(ledger, subject.publish({ data }), null)))
      assert.deepEqual(failed(), [])
      assert.ok(node.chain.transactions.length - before <= 6)
    })
  })

  describe('with gas prices', () => {
    it('meets the price of the node, even if the node does not report it', async () => {
      for (const tellsPrice of [true, false]) {
        await start({ minimumGasPrice: 5_000, tellsPrice })
        const subject = await Subject.created(installation.ledger)
        const image = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(40_000)])
        await submit(subject.publish({ data: image }))
        assert.deepEqual(failed(), [])
        if (tellsPrice) await installation.close()
        if (tellsPrice) await node.stop()
      }
    })

    it("meets the fee market's price of 10,000 ncheq", async () => {
      await start({ gasPrice: 1 })
      await installation.ledger.bank.pay({ to: OTHER, amount: 7n, memo: '' })
      assert.equal(node.balanceOf(OTHER), 7n)
      assert.deepEqual(failed(), [])
    })
  })

  it('does not know yet whether a payment on its way is made', async () => {
    await start({ blockTime: 'by hand' })
    const { bank } = installation.ledger
    const payment = bank.pay({ to: OTHER, amount: 7n, memo: 'once' })
    await until(() => node.pending.length === 1)
    await assert.rejects(bank.findPayments({ to: OTHER, memo: 'once' }), {
      phase: 'transport',
      message: 'the payment once is on its way to the ledger',
    })
    assert.deepEqual(await bank.findPayments({ to: OTHER, memo: 'other' }), [])
    const { txHash } = await withLateBlocks(payment)
    const found = await bank.findPayments({ to: OTHER, memo: 'once' })
    assert.deepEqual(
      found.map((each) => each.txHash),
      [txHash],
    )
  })

  it('accepts four full transactions at a time', async () => {
    await start({ blockTime: 'by hand' }, { batch: { maxMessages: 5 } })
    const all = Array.from({ length: 45 }, () => submit(new Subject().create()))
    await until(() => node.pending.length === 4)
    for (const { messages } of node.pending) assert.equal(messages.length, 5)
    await withLateBlocks(Promise.all(all))
    assert.equal(node.chain.transactions.length, 9)
    assert.deepEqual([failed(), node.chain.sentTwice], [[], []])
  })

  it('keeps signed transactions in flight if one in the middle of a pipeline is refused', async () => {
    await start({ blockTime: 'by hand' }, { batch: { maxMessages: 5 } })
    node.misbehave('refuseTransaction', {
      times: 1,
      at: 'check',
      codespace: 'undefined',
      code: 1,
      log: 'insufficient fee: need at least 2, got 1',
      when: ({ transaction }) => transaction?.authInfo.signerInfos[0]?.sequence === 2n,
    })
    const all = Array.from({ length: 30 }, () => new Subject().create())
    await withLateBlocks(Promise.all(all.map(submit)))
    assert.deepEqual([failed(), node.chain.sentTwice], [[], []])
  })
})
