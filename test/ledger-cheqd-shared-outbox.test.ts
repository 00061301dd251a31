import assert from 'node:assert/strict'
import type { Database } from '@vidimus/database'
import { CheqdInstallation, CHEQ, PAYER, publish, Subject } from './support/cheqd-installation.js'
import { CheqdNode } from './support/cheqd-node/cheqd-node.js'
import { freshDatabase, PLACES } from './support/fresh-database.js'

const OTHER = 'cheqd1x6weed6d4nchwax2ajnhu0cqqr9kd5z399vxq2'

for (const place of PLACES) {
  describe(`installations that share an outbox to a cheqd network (${place})`, () => {
    let node: CheqdNode
    let url: string
    before(async () => {
      node = await CheqdNode.start({ blockTime: 20 })
      await node.fund(PAYER, 100_000_000n * CHEQ)
      url = await freshDatabase(place)
    })
    after(() => node.stop())

    const executed = () =>
      new Set(node.chain.messages.filter((sent) => sent.executed).map(({ identity }) => identity))

    it('have one that sends for all, and another when that one ends', async () => {
      const [one, other] = [
        await CheqdInstallation.open(url, { rpc: node.url }),
        await CheqdInstallation.open(url, { rpc: node.url }),
      ]
      await Promise.all([one, other].map(({ ledger }) => Subject.created(ledger)))
      await one.close()
      await Subject.created(other.ledger)
      assert.deepEqual(node.chain.sentTwice, [])
      await other.close()
    })

    it('send nothing twice where several believe to be the only one', async () => {
      const forged = (database: Database) => {
        // as where a connection that holds a lock is lost without a word
        database.lock = () => Promise.resolve(() => Promise.resolve())
      }
      const several = await Promise.all(
        [1, 2, 3].map(() => CheqdInstallation.open(url, { rpc: node.url }, forged)),
      )
      const before = executed().size
      await Promise.all(
        Array.from({ length: 24 }, async (_, n) => {
          const { ledger } = several[n % 3]!
          const subject = await Subject.created(ledger)
          await publish(ledger, subject.publish(), null)
          await ledger.bank.pay({ to: OTHER, amount: 1n, memo: subject.did })
        }),
      )
      assert.deepEqual(node.chain.sentTwice, [])
      assert.equal(executed().size - before, 24 * 3)
      assert.equal(node.balanceOf(OTHER), 24n)
      await Promise.all(several.map((one) => one.close()))
    })

    it('tell one that does not send what became of its message', async () => {
      const [one, other] = await Promise.all([
        CheqdInstallation.open(url, { rpc: node.url }),
        CheqdInstallation.open(url, { rpc: node.url }),
      ])
      await Promise.all([one, other].map(({ ledger }) => Subject.created(ledger)))
      await Promise.all([one.close(), other.close()])
    })
  })
}
