import assert from 'node:assert/strict'
import { AgentError, announced, isAgentError, runInAccountScope } from '@vidimus/core-types'
import { Database, sql } from '@vidimus/database'
import { AuditLog } from '@vidimus/accounts'
import { migrations } from '@vidimus/custody'
import { PrivateKeyEnvelope } from '@vidimus/kms-node'
import { PLACES } from '../../../../test/support/fresh-database.js'
import { insertAccountEvent } from '../event-rows.js'
import { AccountEventsPlugin, Events } from '../index.js'
import { emptyDatabase, install, SECRET, type Installation } from './set-up.js'

const refusedWith = (code: string, path?: string) => (error: unknown) =>
  isAgentError(error) &&
  error.code === code &&
  (path === undefined || error.details.some((detail) => detail.path === path))

for (const place of PLACES) {
  describe(`events (${place})`, () => {
    let here: Installation
    let url: string
    beforeEach(async () => {
      url = await emptyDatabase(place)
      here = await install({}, { url })
    })
    afterEach(() => here.stop())

    const list = (query: Parameters<Events['list']>[0] = {}, account = here.account) =>
      here.as(account, () => here.events.list(query))
    const subjects = async (...args: Parameters<typeof list>) =>
      (await list(...args)).events.map(({ subject }) => subject)

    it('are listed by page and type, for their own account only', async () => {
      for (const subject of ['a', 'b', 'c']) await here.happen(subject)
      await here.happen('theirs', here.other)
      const first = await list({ limit: 2 })
      assert.deepEqual([first.events.map(({ subject }) => subject), first.more], [['a', 'b'], true])
      const after = first.events.at(-1)?.id ?? ''
      assert.deepEqual(await subjects({ after }), ['c'])
      assert.equal((await list({ after })).more, false)
      assert.deepEqual(await subjects({ types: ['list.updated'] }), [])
      assert.deepEqual(await subjects({}, here.other), ['theirs'])
      const last = await here.as(here.account, () => here.events.last())
      assert.deepEqual(await subjects({ after: last ?? '' }), [])
      // Nothing reveals how much happens to others.
      assert.equal((await list({}, here.other)).events[0]?.id, first.events[0]?.id)
    })

    it('cannot be listed with an invalid cursor, limit or type, or outside an account scope', async () => {
      await assert.rejects(list({ after: '7' }), refusedWith('invalid_input', 'after'))
      await assert.rejects(list({ limit: 0 }), refusedWith('invalid_input', 'limit'))
      await assert.rejects(list({ types: ['did.created', 'x'] }), refusedWith('invalid_input', 'types[1]'))
      await assert.rejects(here.events.list(), refusedWith('no_account_scope'))
    })

    it('never escape a reader while many are written concurrently', async () => {
      const wanted = 120
      const seen: string[] = []
      let after: string | undefined
      const read = async () => {
        const { events } = await list(after === undefined ? {} : { after })
        seen.push(...events.map(({ subject }) => subject))
        after = events.at(-1)?.id ?? after
      }
      const writing = Promise.all(
        Array.from({ length: wanted }, async (_, n) => {
          await here.database.write(async (connection) => {
            const time = here.clock.now().toISOString()
            insertAccountEvent(connection, here.account.id, { type: 'did.created', subject: `${n}` }, time)
            // It commits later than others that began after it.
            for (let turns = n % 7; turns > 0; turns--) await connection.query(sql`SELECT 1`)
          })
        }),
      )
      let written = false
      void writing.then(() => (written = true))
      while (!written) await read()
      await writing
      await read()
      assert.equal(seen.length, wanted)
      assert.equal(new Set(seen).size, wanted)
    })

    it('are kept for a limited time, and their ids are never reused', async () => {
      await here.happen('old')
      const [old] = (await list()).events
      here.clock.pass(31 * 86_400)
      await here.happen('not kept: nobody has said that events are')
      await here.events.sweep()
      await here.happen('new')
      const { events } = await list()
      assert.deepEqual(
        events.map(({ subject }) => subject),
        ['new'],
      )
      assert.ok((events[0]?.id ?? '') > (old?.id ?? ''))
    })

    it('of the audit trail are written in the same transaction as the change', async () => {
      const { accounts } = here
      const { id } = await here.as(here.account, () => accounts.apiKeys.create(here.account, {}))
      const { created } = await accounts.apiKeys.rotate(id, {}, { account: here.account })
      await accounts.apiKeys.revoke(id, { account: here.account })
      assert.deepEqual(
        (await list()).events.map(({ type, subject, data }) => ({ type, subject, ...data })),
        [
          { type: 'api-key.created', subject: id },
          { type: 'api-key.rotated', subject: id, successor: created.id },
          { type: 'api-key.revoked', subject: id },
        ],
      )
    })

    describe('of external changes', () => {
      const event = { type: 'list.updated', subject: 'did:x', data: { entriesChanged: 1 } } as const
      const doing = (work: () => Promise<unknown>) =>
        here.as(here.account, () => announced(here.events, event, work))
      const told = async () => (await list()).events.map(({ data }) => data)

      it('are reported once the change is done', async () => {
        await doing(async () => assert.deepEqual(await told(), []))
        assert.deepEqual(await told(), [{ entriesChanged: 1 }])
      })

      it('are not reported for a refused change', async () => {
        const refused = new AgentError('version_conflict', 'another was faster')
        await assert.rejects(
          doing(() => Promise.reject(refused)),
          refused,
        )
        assert.deepEqual(await told(), [])
      })

      it('are reported as unconfirmed when the outcome is unknown', async () => {
        for (const error of [new AgentError('ledger_unavailable', 'no answer'), new Error('x')]) {
          await assert.rejects(
            doing(() => Promise.reject(error)),
            error,
          )
        }
        const unconfirmed = { entriesChanged: 1, confirmed: false }
        assert.deepEqual(await told(), [unconfirmed, unconfirmed])
      })

      it('are reported by another process if the first one dies in between', async () => {
        await doing(async () => {
          await here.events.tellUnconfirmed()
          assert.deepEqual(await told(), [], 'this process is there')
          await here.database.write((connection) =>
            connection.run(sql`UPDATE work_item SET holder = '00000000-0000-4000-8000-000000000000'`),
          )
          await here.events.tellUnconfirmed()
        })
        // It was considered gone and comes back: the event has been reported already.
        assert.deepEqual(await told(), [{ entriesChanged: 1, confirmed: false }])
      })
    })

    describe('for webhooks', () => {
      const create = (target: string) =>
        here.as(here.account, () => here.events.webhooks.create({ url: target }))

      it('go only to https URLs on the public internet', async () => {
        const strict = new Events(here.database, here.envelope)
        for (const target of [
          'http://receiver.example/',
          'https://user:secret@receiver.example/',
          'https://127.0.0.1/',
          'https://0x7f.1/',
          'https://[::1]/',
          'https://169.254.169.254/latest',
          'https://receiver.example/#part',
          'ftp://receiver.example/',
          'receiver.example',
          `https://receiver.example/${'x'.repeat(2048)}`,
        ]) {
          await assert.rejects(
            here.as(here.account, () => strict.webhooks.create({ url: target })),
            refusedWith('invalid_input', 'url'),
            target,
          )
        }
        await here.as(here.account, () => strict.webhooks.create({ url: 'https://receiver.example/x?y=z' }))
      })

      it('are limited in number', async () => {
        for (let n = 0; n < 20; n++) await create('http://receiver.example/')
        await assert.rejects(create('http://receiver.example/'), refusedWith('quota_exceeded'))
        const { webhooks } = await here.as(here.account, () => here.events.webhooks.list())
        await here.as(here.account, () => here.events.webhooks.revoke(webhooks[0]?.id ?? ''))
        await create('http://receiver.example/')
      })

      it('name the API key that created them, and are created only together with their audit entry', async () => {
        const log = new AuditLog(here.database)
        let refusing = false
        const audit = {
          recordWithin: async (...row: Parameters<AuditLog['recordWithin']>) => {
            await log.recordWithin(...row)
            if (refusing) throw new AgentError('unavailable', 'no')
          },
        }
        const refused = async (work: () => Promise<unknown>) => {
          refusing = true
          await assert.rejects(by('one', work), refusedWith('unavailable'))
          refusing = false
        }
        const events = new Events(here.database, here.envelope, { audit, webhooks: { allowHttp: true } })
        const by = <T>(key: string, work: () => Promise<T>) =>
          runInAccountScope({ ...here.account, grant: { id: key } }, work)
        const make = () => events.webhooks.create({ url: 'http://receiver.example/' })
        await refused(make)
        assert.equal((await by('one', () => events.webhooks.usage())).used, 0)
        const { id } = await by('one', make)
        await refused(() => events.webhooks.replay(id))
        await by('two', () => events.webhooks.replay(id))
        await refused(() => events.webhooks.revoke(id))
        assert.equal((await by('one', () => events.webhooks.usage())).used, 1)
        await by('two', () => events.webhooks.revoke(id))
        await by('two', () => events.webhooks.revoke(id))
        await assert.rejects(by('two', () => events.webhooks.replay(id)))
        const rows = (await log.list()).filter(({ event }) => event.startsWith('webhook-'))
        assert.deepEqual(
          rows.map(({ event, subject, apiKeyId, detail }) => [event, subject, apiKeyId, detail]),
          [
            ['webhook-created', id, 'one', undefined],
            ['webhook-replayed', id, 'two', '0 events'],
            ['webhook-revoked', id, 'two', undefined],
          ],
        )
        const { webhooks } = await here.as(here.account, () => events.webhooks.list())
        assert.equal(webhooks.find((webhook) => webhook.id === id)?.apiKeyId, 'one')
      })

      it('are invisible to other accounts', async () => {
        const { id } = await create('http://receiver.example/')
        const { webhooks } = here.events
        for (const attempt of [
          () => webhooks.revoke(id),
          () => webhooks.replay(id),
          () => webhooks.deadLetters(id, { after: 0, limit: 1 }),
        ]) {
          await assert.rejects(here.as<unknown>(here.other, attempt), refusedWith('webhook_not_found', 'id'))
        }
        assert.deepEqual(await here.as(here.other, () => webhooks.list()), { total: 0, webhooks: [] })
      })

      it('have sealed secrets, which are re-encrypted when the encryption secret is replaced', async () => {
        const { secret } = await create('http://receiver.example/')
        const stored = () =>
          here.database.query<{ sealed_secret: string }>(sql`SELECT sealed_secret FROM webhook`)
        const [before] = await stored()
        assert.ok(!JSON.stringify(before).includes(secret.slice(6, 20)))
        const next = new PrivateKeyEnvelope({ secret: 'ab'.repeat(32), previous: [SECRET] })
        const [store] = new Events(here.database, next).sealedStores
        await store?.sealWith(next.keyId)
        for await (const { unreadable } of store?.reseal(next.keyId, 10) ?? [])
          assert.deepEqual(unreadable, [])
        const [after] = await stored()
        assert.equal(next.keyIdOf(after?.sealed_secret ?? ''), next.keyId)
        const other = new Database({ url, migrations: [migrations] })
        await other.lifecycle.start()
        await assert.rejects(
          new Events(other, new PrivateKeyEnvelope({ secret: SECRET })).lifecycle.start(),
          refusedWith('wrong_secret'),
        )
        await other.lifecycle.stop()
      })
    })

    it('are pruned and delivered by the plugin while it runs', async () => {
      const { lifecycle } = new AccountEventsPlugin(here.events)
      await lifecycle.start?.()
      assert.deepEqual(await lifecycle.check?.(), [{ name: 'webhooks', ok: true }])
      await lifecycle.stop?.()
    })
  })
}
