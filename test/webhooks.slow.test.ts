import assert from 'node:assert/strict'
import { createDid } from './behaviour/suite.js'
import { PLACES } from './support/fresh-database.js'
import { hasty, type Receiver, WebhookTrial } from './support/webhook-trial.js'

for (const place of PLACES) {
  describe(`interrupted webhooks (${place})`, () => {
    let trial: WebhookTrial
    let receiver: Receiver
    beforeEach(async () => {
      trial = await WebhookTrial.on(place)
      receiver = trial.receiver
    })
    afterEach(() => trial.stop())

    it('redeliver what kill -9 interrupted, as the same message', async () => {
      const { service, client } = await trial.start()
      await trial.subscribe(client)
      receiver.answer = () => undefined
      const dids = [await createDid(client), await createDid(client)]
      await receiver.until(() => receiver.arrivals.length === 1)
      await service.kill()
      receiver.answer = (response) => void response.writeHead(200).end()
      const again = await trial.start()
      await receiver.until(() => dids.every(receiver.has))
      const [interrupted, repeated, next] = receiver.arrivals
      assert.equal(repeated?.id, interrupted?.id)
      assert.deepEqual(repeated?.event, interrupted?.event)
      assert.equal(next?.event.subject, dids[1])
      while ((await trial.listed(again.client, interrupted?.id.split('.')[0] ?? '')).waiting > 0);
      assert.equal(receiver.arrivals.length, 3)
    })

    it('keep the order of events, also of those that come while the receiver is not tried again', async () => {
      const { client } = await trial.start((text) =>
        hasty(text).replace('firstRetrySeconds: 0.1', 'firstRetrySeconds: 3'),
      )
      await trial.subscribe(client)
      receiver.answer = (response) =>
        void response.writeHead(receiver.arrivals.length === 1 ? 503 : 204).end()
      await createDid(client)
      await receiver.until(() => receiver.arrivals.length === 1)
      const dids = await Promise.all(Array.from({ length: 4 }, () => createDid(client)))
      await receiver.until(() => dids.every(receiver.has))
      const [first, ...came] = receiver.arrivals.map(({ event }) => event.id)
      assert.equal(came[0], first)
      assert.deepEqual(came, [...came].sort())
    })

    it('deliver once what two processes write, and all of it if one is killed', async () => {
      const one = await trial.start()
      const other = await trial.start()
      const { id } = await trial.subscribe(one.client)
      const made = (count: number) =>
        Promise.all(
          Array.from({ length: count }, (_, n) => createDid(n % 2 === 0 ? one.client : other.client)),
        )
      const dids = await made(12)
      await receiver.until(() => dids.every(receiver.has))
      while ((await trial.listed(one.client, id)).waiting > 0);
      assert.equal(receiver.arrivals.length, 12)
      const inOrder = receiver.arrivals.map(({ event }) => event.id)
      assert.deepEqual(inOrder, [...inOrder].sort())

      receiver.answer = () => undefined
      dids.push(...(await made(6)))
      await receiver.until(() => receiver.arrivals.length > 12)
      await one.service.kill()
      receiver.answer = (response) => void response.writeHead(200).end()
      dids.push(await createDid(other.client), await createDid(other.client))
      await receiver.until(() => dids.every(receiver.has))
    })
  })
}
