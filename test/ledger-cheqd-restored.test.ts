import assert from 'node:assert/strict'
import { sql } from '@vidimus/database'
import { LedgerError } from '@vidimus/ledger'
import type { CheqdLedgerOptions } from '@vidimus/ledger-cheqd'
import { CHEQ, CheqdInstallation, MNEMONIC, PAYER, Subject } from './support/cheqd-installation.js'
import { CheqdNode, type CheqdNodeOptions } from './support/cheqd-node/cheqd-node.js'
import { Wallet } from './support/cheqd-node/wallet.js'
import { copyOfDatabase, freshDatabase, PLACES } from './support/fresh-database.js'
import { until } from './support/until.js'

describe('a restored database, and a cheqd network that is ahead of it', () => {
  let node: CheqdNode
  let url: string
  const startNode = async (options: CheqdNodeOptions = {}) => {
    node = await CheqdNode.start({ blockTime: 15, ...options })
    await node.fund(PAYER, 1_000_000n * CHEQ)
    url = await freshDatabase('SQLite')
  }
  afterEach(() => node.stop())

  /** An installation that does something, and ends. */
  const on = async <T>(
    database: string,
    work: (installation: CheqdInstallation) => Promise<T>,
    options: Partial<CheqdLedgerOptions> = {},
  ): Promise<T> => {
    const installation = await CheqdInstallation.open(database, { rpc: node.url, ...options })
    return work(installation).finally(() => installation.close())
  }
  const notice = (database: string, options: Partial<CheqdLedgerOptions> = {}) =>
    on(database, ({ ledger }) => ledger.noticeRestore(), options)
  const create = (database: string, count = 1) =>
    on(database, async ({ ledger }) => {
      for (let n = 0; n < count; n += 1) await Subject.created(ledger)
    })
  const created = async () => {
    await startNode()
    await create(url)
    const backup = await copyOfDatabase(url)
    await create(url, 2)
    return backup
  }

  it('is noticed by a transaction that it does not know', async () => {
    const backup = await created()
    const { transaction } = node.chain.transactions.at(-1) ?? assert.fail()
    assert.equal(
      await notice(backup),
      `the network testnet is ahead of the database, which does not know transaction ${transaction.hash}`,
    )
    assert.equal(await notice(url), undefined)
  })

  it('is noticed although the payer is used elsewhere, which is no sign by itself', async () => {
    const backup = await created()
    const elsewhere = await freshDatabase('SQLite')
    await create(elsewhere, 5)
    const wallet = await Wallet.connect(node.url, MNEMONIC)
    await wallet.send([new Subject().create()])
    assert.match((await notice(backup)) ?? '', /is ahead of the database/)
    assert.equal(await notice(url), undefined)
    assert.equal(await notice(elsewhere), undefined)
    assert.equal(await notice(await freshDatabase('SQLite')), undefined)
  })

  it('signs nothing, and does again once that was accepted', async () => {
    const backup = await created()
    const sent = node.chain.transactions.length
    await on(
      backup,
      async ({ ledger }) => {
        await assert.rejects(Subject.created(ledger), (error) => {
          return error instanceof LedgerError && error.phase === 'transport'
        })
        assert.match((await ledger.report()).sendingFailure ?? '', /Run: vidimus restored/)
      },
      { outbox: { submitTimeoutMs: 300 } },
    )
    assert.equal(node.chain.transactions.length, sent)
    await on(backup, async ({ ledger }) => {
      await ledger.acceptRestore()
      assert.equal(await ledger.noticeRestore(), undefined)
      await Subject.created(ledger)
      await ledger.acceptRestore()
      await Subject.created(ledger)
    })
    assert.equal(await notice(backup), undefined)
    assert.match((await notice(url)) ?? '', /is ahead of the database/)
  })

  it('may accept transactions that no node finds, and those that still wait for a block', async () => {
    await startNode({ blockTime: 'by hand' })
    const during = async (database: string, blocks: number) =>
      on(database, async (installation) => {
        const creation = Subject.created(installation.ledger).catch(() => undefined)
        await until(() => node.pending.length > 0)
        if (blocks === 0) return
        await node.produceBlock()
        await creation
      })
    await during(url, 1)
    const backup = await copyOfDatabase(url)
    await during(url, 1)
    await during(url, 0)
    node.setIndex('off')
    await on(backup, ({ ledger }) => ledger.acceptRestore())
    node.setIndex('on')
    await node.produceBlock()
    assert.equal(node.chain.transactions.length, 3)
    assert.equal(await notice(backup), undefined)
  })

  it('is not suspected while transactions are under way, or their outcome is not known', async () => {
    await startNode({ blockTime: 'by hand' })
    const left = await on(url, async (installation) => {
      Subject.created(installation.ledger).catch(() => undefined)
      await until(() => node.pending.length > 0)
      assert.equal(await installation.ledger.noticeRestore(), undefined)
      return transactionsOf(installation)
    })
    assert.equal(left, 1)
    await node.produceBlock()
    assert.equal(node.chain.transactions.length, 1)
    assert.equal(await notice(url), undefined)
    assert.equal(await notice(await copyOfDatabase(url)), undefined)
  })
})

const transactionsOf = async ({ database }: CheqdInstallation): Promise<number> =>
  (await database.query(sql`SELECT "hash" FROM "cheqd_transaction"`)).length

describe('a restored database, and a cheqd network that does not tell', () => {
  let node: CheqdNode
  let backup: string
  before(async () => {
    node = await CheqdNode.start({ blockTime: 15 })
    await node.fund(PAYER, 1_000_000n * CHEQ)
    const url = await freshDatabase('SQLite')
    const create = async () => {
      const installation = await CheqdInstallation.open(url, { rpc: node.url })
      await Subject.created(installation.ledger)
      await installation.close()
    }
    await create()
    backup = await copyOfDatabase(url)
    await create()
  })
  after(() => node.stop())

  const notice = async (rpc = node.url) => {
    const installation = await CheqdInstallation.open(await copyOfDatabase(backup), { rpc })
    const noticed = await installation.ledger.noticeRestore()
    await installation.close()
    return noticed
  }

  it('starts if the node is behind, keeps no index, or does not answer', async () => {
    const late = await node.follower({ lagBlocks: node.chain.height - 1 })
    assert.equal(await notice(late.url), undefined)
    const forgetful = await node.follower({ lagBlocks: 0, index: 'off' })
    assert.equal(await notice(forgetful.url), undefined)
    assert.equal(await notice('http://127.0.0.1:1'), undefined)
    assert.match((await notice()) ?? '', /is ahead/)
  })

  it('asks for no more than 25 transactions of a payer that is used elsewhere', async () => {
    const wallet = await Wallet.connect(node.url, MNEMONIC)
    const calls = () => node.calls.filter(({ method }) => method === 'tx_search').length
    for (let n = 0; n < 26; n += 1) await wallet.send([new Subject().create()])
    const before = calls()
    assert.equal(await notice(), undefined)
    assert.equal(calls() - before, 25)
  })
})

for (const place of PLACES) {
  describe(`several processes that send to a cheqd network (${place})`, () => {
    it('are not taken for restored ones', async () => {
      const node = await CheqdNode.start({ blockTime: 15 })
      await node.fund(PAYER, 1_000_000n * CHEQ)
      const url = await freshDatabase(place)
      const several = await Promise.all([1, 2, 3].map(() => CheqdInstallation.open(url, { rpc: node.url })))
      await Promise.all(
        several.map(async ({ ledger }) => {
          for (let n = 0; n < 4; n += 1) {
            await Subject.created(ledger)
            assert.equal(await ledger.noticeRestore(), undefined)
          }
        }),
      )
      await Promise.all(several.map((one) => one.close()))
      await node.stop()
    })
  })
}
