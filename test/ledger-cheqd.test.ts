import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { CheqdInstallation, CHEQ, PAYER, publish, Subject } from './support/cheqd-installation.js'
import { CheqdNode } from './support/cheqd-node/cheqd-node.js'
import { freshDatabase, PLACES } from './support/fresh-database.js'

for (const place of PLACES) {
  describe(`a cheqd network (${place})`, () => {
    let node: CheqdNode
    let installation: CheqdInstallation
    before(async () => {
      node = await CheqdNode.start({ blockTime: 20 })
      await node.fund(PAYER, 100_000_000n * CHEQ)
      installation = await CheqdInstallation.open(await freshDatabase(place), { rpc: node.url })
    })
    after(async () => {
      await installation.close()
      await node.stop()
    })

    it('creates a DID, and reads it', async () => {
      const subject = new Subject()
      const receipt = await installation.ledger.submit(subject.create())
      assert.deepEqual(receipt.didDoc?.didDoc, subject.doc)
      assert.deepEqual(await installation.ledger.getDidDoc(subject.did), receipt.didDoc)
    })

    it('publishes resources, and reads them', async () => {
      const { ledger } = installation
      const subject = await Subject.created(ledger)
      const first = await publish(ledger, subject.publish({ name: 'a' }), null)
      const second = await publish(ledger, subject.publish({ name: 'a' }), first.id)
      assert.equal(second.previousVersionId, first.id)
      assert.deepEqual(
        (await ledger.listResources(first.collectionId)).map(({ id }) => id),
        [first.id, second.id],
      )
    })
    void pause
  })
}
