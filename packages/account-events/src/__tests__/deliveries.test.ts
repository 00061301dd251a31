import assert from 'node:assert/strict'
import { Webhook as Oracle } from 'standardwebhooks'
import type { CreatedWebhook, DeadLetter, Webhook } from '@vidimus/core-types'
import { homeOf, sql } from '@vidimus/database'
import { workOn } from '@vidimus/work'
import { PLACES } from '../../../../test/support/fresh-database.js'
import { until } from '../../../../test/support/until.js'
import { placeEvents } from '../event-places.js'
import type { EventsOptions } from '../index.js'
import { emptyDatabase, install, Receiver, type Installation } from './set-up.js'

for (const place of PLACES) {
  describe(`deliveries (${place})`, () => {
    let here: Installation
    let receiver: Receiver
    beforeEach(async () => {
      receiver = await new Receiver().start()
    })
    afterEach(async () => {
      await here.stop()
      await receiver.stop()
    })

    async function begin(options: EventsOptions['webhooks'] = {}): Promise<CreatedWebhook> {
      here = await install(options, { url: await emptyDatabase(place) })
      return create()
    }
    const create = (url = receiver.url, types?: string[]) =>
      here.as(here.account, () => here.events.webhooks.create({ url, ...(types && { types }) }))
    const listed = async (): Promise<Webhook> => {
      const { webhooks } = await here.as(here.account, () => here.events.webhooks.list())
      return webhooks[0] ?? assert.fail('there is no webhook')
    }
    const dead = async ({ id }: Webhook): Promise<DeadLetter[]> =>
      (await here.as(here.account, () => here.events.webhooks.deadLetters(id, { after: 0, limit: 1000 })))
        .deadLetters
    const happen = async (...subjects: string[]) => {
      for (const subject of subjects) await here.happen(subject)
    }

    it('arrive in order, exactly once, with signatures that an independent library verifies', async () => {
      const { secret, id } = await begin()
      await happen('a', 'b', 'c')
      await here.happen('not ours', here.other)
      await here.deliver()
      await here.deliver()
      assert.deepEqual(receiver.subjects, ['a', 'b', 'c'])
      const { events } = await here.as(here.account, () => here.events.list())
      for (const [n, { headers, body }] of receiver.received.entries()) {
        // The clock of the test differs from that of the library.
        assert.equal(headers['webhook-timestamp'], String(here.clock.now().getTime() / 1000))
        const message = { id: String(headers['webhook-id']), at: here.clock.now() }
        assert.equal(headers['webhook-signature'], new Oracle(secret).sign(message.id, message.at, body))
        const event = events.find(({ subject }) => subject === receiver.subjects[n])
        assert.deepEqual(JSON.parse(body), event)
        assert.equal(message.id, `${id}.${event?.id}`)
      }
      assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 3)
      const { waiting, deadLetters, lastDeliveredAt } = await listed()
      assert.deepEqual([waiting, deadLetters, lastDeliveredAt], [0, 0, here.clock.now().toISOString()])
    })

    it('cover the subscribed types, from the creation of the webhook onwards', async () => {
      here = await install({}, { url: await emptyDatabase(place) })
      await happen('before')
      await create(receiver.url, ['list.updated', 'did.created'])
      const others = await new Receiver().start()
      await create(others.url, ['list.updated'])
      await happen('after')
      await here.deliver()
      assert.deepEqual([receiver.subjects, others.subjects], [['after'], []])
      await others.stop()
    })

    it('wait for an unreachable receiver and keep their order', async () => {
      await begin({ firstRetrySeconds: 10, longestRetrySeconds: 60 })
      receiver.answer = () => 503
      await happen('a', 'b', 'c')
      await here.deliver()
      await here.deliver()
      assert.deepEqual(receiver.subjects, ['a'])
      assert.equal((await listed()).waiting, 3)
      assert.deepEqual((await listed()).lastFailure, {
        time: here.clock.now().toISOString(),
        status: 503,
        reason: 'its host responded with 503',
      })
      here.clock.pass(13)
      await here.deliver()
      assert.deepEqual(receiver.subjects, ['a', 'a'])
      const [first, second] = receiver.received
      assert.equal(first?.headers['webhook-id'], second?.headers['webhook-id'])
      // The pause is twice as long now.
      here.clock.pass(13)
      // What happens meanwhile waits as well, behind the others.
      await happen('d')
      await here.deliver()
      assert.equal(receiver.received.length, 2)
      receiver.answer = () => 200
      await happen('e')
      await here.deliver()
      assert.equal(receiver.received.length, 2)
      here.clock.pass(13)
      await here.deliver()
      assert.deepEqual(receiver.subjects, ['a', 'a', 'a', 'b', 'c', 'd', 'e'])
      assert.equal((await listed()).lastFailure, undefined)
    })

    it('keep their order if clocks differ, or one is set back', async () => {
      await begin({ firstRetrySeconds: 1 })
      here.clock.pass(60)
      await happen('a')
      await placeEvents(here.database, here.clock.now)
      here.clock.pass(-60)
      await happen('b')
      receiver.answer = () => 503
      await here.deliver()
      receiver.answer = () => 200
      here.clock.pass(2)
      await happen('c')
      await here.deliver()
      assert.deepEqual(receiver.subjects, ['a', 'a', 'b', 'c'])
    })

    /** A process that others considered gone while it waited for the receiver, whose answer comes late. */
    const FROZEN: Record<string, { answers: number; others: number; subjects: string[]; held: boolean }> = {
      'does not end the back-off that another has set': {
        answers: 204,
        others: 503,
        subjects: ['a', 'a'],
        held: true,
      },
      'does not hold up what another delivers': {
        answers: 503,
        others: 204,
        subjects: ['a', 'a', 'b'],
        held: false,
      },
      'does not end the webhook after another has delivered': {
        answers: 410,
        others: 204,
        subjects: ['a', 'a', 'b'],
        held: false,
      },
    }
    for (const [title, { answers, others, subjects, held }] of Object.entries(FROZEN)) {
      it(`of a process that was frozen: its late outcome ${title}`, async () => {
        const url = await emptyDatabase(place)
        here = await install({ firstRetrySeconds: 10 }, { url })
        await create()
        await happen('a', 'b')
        let answer: ((status: number) => void) | undefined
        receiver.answer = (_, response) => {
          answer = (status) => response.writeHead(status).end()
          return undefined
        }
        const late = here.deliver()
        await until(() => Promise.resolve(answer !== undefined))
        const other = await install({ firstRetrySeconds: 10 }, { url, clock: here.clock.now })
        // As others do with what a process held that seems to be gone.
        await other.database.write((connection) =>
          connection.run(sql`UPDATE work_item SET fence = fence + 1, holder = NULL,
            due_at = ${here.clock.now().toISOString()} WHERE kind = 'delivery'`),
        )
        receiver.answer = () => others
        await other.deliver()
        await other.stop()
        answer?.(answers)
        await late
        const { waiting, lastFailure, revokedAt } = await listed()
        assert.deepEqual(
          [waiting, lastFailure?.status, revokedAt],
          [held ? 2 : 0, held ? 503 : undefined, undefined],
        )
        assert.deepEqual(receiver.subjects, subjects)
        await here.deliver()
        assert.deepEqual(receiver.subjects, subjects)
      })
    }

    it('continue past an event that the receiver rejects', async () => {
      await begin({ firstRetrySeconds: 10 })
      receiver.answer = ({ subject }) => (subject === 'a' ? 400 : 204)
      await happen('a', 'b', 'c')
      await here.deliver()
      assert.deepEqual(receiver.subjects, ['a', 'b', 'c'])
      receiver.answer = () => 204
      here.clock.pass(13)
      await here.deliver()
      assert.deepEqual(receiver.subjects, ['a', 'b', 'c', 'a'])
    })

    it('that fail for a day become dead letters, which can be listed and replayed', async () => {
      const webhook = await begin({ firstRetrySeconds: 60, longestRetrySeconds: 3600 })
      receiver.answer = () => 500
      await happen('a', 'b')
      for (let hour = 0; hour < 25; hour++) {
        await here.deliver()
        here.clock.pass(3600 * 1.25)
      }
      await here.deliver()
      const letters = await dead(webhook)
      assert.deepEqual(
        letters.map(({ event, failure }) => [event.subject, failure.status]),
        [
          ['a', 500],
          ['b', 500],
        ],
      )
      assert.ok((letters[0]?.attempts ?? 0) > 15, 'it was tried often')
      assert.deepEqual([(await listed()).waiting, (await listed()).deadLetters], [0, 2])
      const before = receiver.received.length
      here.clock.pass(86_400)
      await here.deliver()
      assert.equal(receiver.received.length, before)

      receiver.answer = () => 204
      const replay = (events?: string[]) =>
        here.as(here.account, () => here.events.webhooks.replay(webhook.id, events))
      assert.deepEqual(await replay([letters[1]?.event.id ?? '']), { replayed: 1 })
      await here.deliver()
      assert.equal(receiver.subjects.at(-1), 'b')
      assert.deepEqual(await replay(), { replayed: 1 })
      await here.deliver()
      assert.equal(receiver.subjects.at(-1), 'a')
      assert.deepEqual(await replay(), { replayed: 0 })
      assert.deepEqual(await dead(webhook), [])
    })

    it('are retried for a day after the first failure, however long the service was down', async () => {
      const webhook = await begin({ firstRetrySeconds: 60, longestRetrySeconds: 3600 })
      receiver.answer = ({ subject }) => (subject === 'refused' ? 400 : 503)
      await happen('refused', 'a', 'b')
      await placeEvents(here.database, here.clock.now)
      here.clock.pass(48 * 3600)
      await here.deliver()
      assert.deepEqual(receiver.subjects, ['refused', 'a'])
      here.clock.pass(22 * 3600)
      await here.deliver()
      await happen('c')
      assert.deepEqual(await dead(webhook), [])
      here.clock.pass(2 * 3600)
      await here.deliver()
      const subjects = (await dead(webhook)).map(({ event }) => event.subject)
      assert.deepEqual(subjects, ['refused', 'a', 'b'])
      assert.equal((await listed()).waiting, 1)
    })

    it('stop when the receiver answers 410', async () => {
      await begin()
      receiver.answer = () => 410
      await happen('a', 'b')
      await here.deliver()
      await happen('c')
      await here.deliver()
      assert.deepEqual(receiver.subjects, ['a'])
      const { revokedAt, revokedBy, waiting } = await listed()
      assert.deepEqual([revokedAt, revokedBy, waiting], [here.clock.now().toISOString(), 'receiver', 0])
    })

    it('stop when the webhook or its account is deleted', async () => {
      const { id } = await begin()
      await happen('a')
      await here.as(here.account, () => here.events.webhooks.revoke(id))
      await create()
      await happen('b')
      await here.as(here.account, () => here.events.list())
      await here.database.write(async (connection) => {
        await connection.run(sql`DELETE FROM account WHERE id = ${here.account.id}`)
      })
      await here.deliver()
      assert.deepEqual(receiver.subjects, [])
    })

    it('pause while their account is disabled', async () => {
      await begin()
      await happen('a')
      await here.accounts.states.disable('one')
      await here.as(here.other, () => here.events.webhooks.create({ url: receiver.url }))
      await here.happen('b', here.other)
      await here.deliver()
      assert.deepEqual(receiver.subjects, ['b'])
      await here.accounts.states.enable('one')
      here.clock.pass(10)
      await here.deliver()
      assert.deepEqual(receiver.subjects, ['b', 'a'])
    })

    it('wait when the rights of their owner have ended, and nobody resumes the webhook for as long as events are kept', async () => {
      const kept = await begin()
      const keyOf = () => here.accounts.createApiKey({ account: here.account.name, scopes: ['webhooks'] })
      const [key, other] = [await keyOf(), await keyOf()]
      const by = <T>({ id }: { id: string }, work: () => Promise<T>) =>
        here.as({ ...here.account, grant: { id } }, work)
      const stateOf = async (id: string) => {
        const { webhooks } = await here.as(here.account, () => here.events.webhooks.list())
        const { state, revokedBy, waiting } = webhooks.find((one) => one.id === id) ?? assert.fail()
        return [state ?? revokedBy, waiting]
      }
      const { id } = await by(key, () => create(receiver.url, ['did.created']))
      const { id: silent } = await by(key, () => create(receiver.url, ['did.deactivated']))
      await here.accounts.revokeApiKey(key.id)
      assert.deepEqual(await stateOf(id), ['suspended', 0])
      await here.as(here.account, () => here.events.webhooks.revoke(kept.id))
      await happen('a', 'b')
      await here.deliver()
      await happen('c')
      await here.deliver()
      assert.deepEqual([receiver.subjects, await stateOf(id)], [[], ['suspended', 3]])
      await assert.rejects(
        here.as(here.account, () => here.events.webhooks.replay(id)),
        /suspended; resume/,
      )
      await by(other, () => here.events.webhooks.resume(id))
      assert.deepEqual(await stateOf(id), ['active', 3])
      await here.deliver()
      assert.deepEqual(
        [receiver.subjects, await stateOf(id)],
        [
          ['a', 'b', 'c'],
          ['active', 0],
        ],
      )
      await here.accounts.revokeApiKey(other.id)
      await happen('d')
      await here.deliver()
      await here.events.sweep()
      here.clock.pass(29 * 86_400)
      await here.events.sweep()
      assert.deepEqual(
        [await stateOf(id), await stateOf(silent)],
        [
          ['suspended', 1],
          ['suspended', 0],
        ],
      )
      here.clock.pass(2 * 86_400)
      await here.events.sweep()
      assert.deepEqual(
        [await stateOf(id), await stateOf(silent)],
        [
          ['service', 0],
          ['service', 0],
        ],
      )
      assert.deepEqual(receiver.subjects, ['a', 'b', 'c'])
    })

    it('wait while they are paused, behind one another, and become dead letters when they are cancelled', async () => {
      const webhook = await begin()
      const item = { kind: 'delivery', home: homeOf(here.account.id), key: webhook.id } as const
      await happen('a')
      await placeEvents(here.database, here.clock.now)
      assert.ok(await workOn(here.database).act('pause', item))
      await happen('b')
      await here.deliver()
      assert.deepEqual(receiver.subjects, [])
      assert.ok(await workOn(here.database).act('resume', item))
      // Where nothing delivers, it is resumed by the clock of the system.
      here.clock.pass((Date.now() - here.clock.now().getTime()) / 1000 + 60)
      await here.deliver()
      assert.deepEqual(receiver.subjects, ['a', 'b'])
      await here.events.sweep()
      await happen('c')
      await placeEvents(here.database, here.clock.now)
      assert.ok(await workOn(here.database).act('cancel', item))
      await happen('d')
      await here.deliver()
      assert.deepEqual(receiver.subjects, ['a', 'b', 'd'])
      assert.deepEqual(
        (await dead(webhook)).map(({ event, failure }) => [event.subject, failure.reason]),
        [['c', 'it was cancelled']],
      )
    })

    it('continue when the secret of another webhook cannot be decrypted', async () => {
      const { id } = await begin({ concurrency: 1 })
      await create()
      await here.database.write((connection) =>
        connection.run(sql`UPDATE webhook SET sealed_secret = 'x.y' WHERE id = ${id}`),
      )
      await happen('a')
      await here.deliver()
      assert.deepEqual(receiver.subjects, ['a'])
      const { webhooks } = await here.as(here.account, () => here.events.webhooks.list())
      const { lastFailure } = webhooks.find((webhook) => webhook.id === id) ?? assert.fail()
      assert.equal(lastFailure?.reason, 'its secret cannot be decrypted')
    })

    it('neither follow redirects nor store anything of a response', async () => {
      await begin()
      const elsewhere = await new Receiver().start()
      receiver.answer = (_, response) => {
        response.writeHead(307, { location: elsewhere.url }).end('secret text')
        return undefined
      }
      await happen('a')
      await here.deliver()
      assert.deepEqual([receiver.subjects, elsewhere.subjects], [['a'], []])
      assert.equal((await listed()).lastFailure?.status, 307)
      const rows = await here.database.query(sql`SELECT * FROM webhook`)
      const more = await here.database.query(sql`SELECT * FROM webhook_delivery`)
      assert.ok(!JSON.stringify([rows, more]).includes('secret text'))
      await elsewhere.stop()
    })

    it('time out on a response that never comes or never ends', async () => {
      await begin({ timeoutMs: 1000 })
      receiver.answer = () => undefined
      await happen('a')
      await here.deliver()
      assert.equal((await listed()).lastFailure?.reason, 'its host did not respond within 1000 ms')
      // Where the status came, the rest is not waited for.
      receiver.answer = (_, response) => {
        response.writeHead(200).write('and then nothing')
        return undefined
      }
      here.clock.pass(10)
      await here.deliver()
      assert.equal((await listed()).waiting, 0)
    })

    it('never go to non-public addresses, whatever their host name resolves to', async () => {
      // It was allowed when they were made.
      const made = await begin()
      const { port } = receiver
      const urls = [`http://localhost:${port}/`, `http://[::ffff:127.0.0.1]:${port}/`]
      for (const url of urls) await create(url)
      const strict = await install({ allowPrivateAddresses: false }, { url: await emptyDatabase(place) })
      await here.stop()
      here = strict
      for (const url of [made.url, ...urls]) {
        await here.database.write((connection) =>
          connection.run(sql`INSERT INTO webhook (id, account_id, url, sealed_secret, created_at)
            VALUES (${url}, ${here.account.id}, ${url}, ${here.envelope.seal('whsec_AAAA', [
              'secret of a webhook',
              here.account.id,
              url,
            ])}, '2026-01-01T00:00:00.000Z')`),
        )
      }
      await happen('a')
      await here.deliver()
      assert.deepEqual(receiver.subjects, [])
      const { webhooks } = await here.as(here.account, () => here.events.webhooks.list())
      for (const { lastFailure, url } of webhooks) {
        assert.equal(lastFailure?.reason, 'its host cannot be reached, or has no public address', url)
      }
      assert.equal(webhooks.length, 3)
    })

    // A quarter of all is an account's.
    for (const [whose, limits] of [
      ['host', { concurrency: 40, concurrencyPerHost: 2 }],
      ['account', { concurrency: 8, concurrencyPerHost: 8 }],
    ] as const) {
      it(`to a slow receiver delay nobody else and stay within the share of its ${whose}`, async () => {
        await begin(limits)
        const waiting: (() => void)[] = []
        receiver.answer = (_, response) => {
          waiting.push(() => response.writeHead(200).end())
          return undefined
        }
        for (let n = 0; n < 5; n++) await create()
        const quick = await new Receiver().start()
        await here.as(here.other, () => here.events.webhooks.create({ url: quick.url }))
        await happen('a')
        await here.happen('b', here.other)
        quick.answer = () => {
          // The others are under way and have no answer yet.
          quickAnswered()
          return 204
        }
        let quickAnswered = () => undefined as void
        const answered = new Promise<void>((done) => (quickAnswered = done))
        const pass = here.deliver()
        await answered
        assert.ok(receiver.received.length <= 2, `${receiver.received.length} at the same time`)
        receiver.answer = () => 200
        while (receiver.received.length < 6 || waiting.length > 0) {
          waiting.splice(0).forEach((go) => go())
          await new Promise((done) => setImmediate(done))
        }
        await pass
        assert.equal(receiver.received.length, 6)
        await quick.stop()
      })
    }

    it('are shared by processes, each event once and those of a webhook in order', async () => {
      const url = await emptyDatabase(place)
      const clock = (here = await install({}, { url })).clock.now
      const others = await Promise.all([1, 2, 3].map(() => install({}, { url, clock })))
      const receivers = await Promise.all([1, 2, 3, 4].map(() => new Receiver().start()))
      for (const { url: of } of receivers) await create(of)
      const subjects = Array.from({ length: 8 }, (_, n) => `event ${n}`)
      await happen(...subjects)
      await Promise.all([here, ...others].map((one) => one.deliver()))
      for (const other of others) await other.stop()
      for (const one of receivers) {
        await one.stop()
        assert.deepEqual(one.subjects, subjects)
      }
    })
  })
}
