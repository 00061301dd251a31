import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import type { AccountRows } from '@vidimus/core-types'
import { Database, sql, type Sql } from '@vidimus/database'
import { migratedDatabase, PLACES } from '../../../../test/support/fresh-database.js'
import { Accounts, AuditLog } from '../index.js'
import { migrations } from '@vidimus/custody'
import { hasCode } from '../../../custody/src/__tests__/set-up.js'
import { BegunDeletions } from '../begun-deletions.js'
import { accountRows } from '../../../custody/src/account-rows.js'

const TABLES = { migrations: [migrations] }

for (const place of PLACES) {
  describe(`disabled and deleted accounts (${place})`, () => {
    let database: Database
    let accounts: Accounts

    const run = (statement: Sql) => database.write((connection) => connection.run(statement))
    beforeEach(async () => {
      database = new Database({ url: await migratedDatabase(place, TABLES), ...TABLES })
      await database.lifecycle.start()
      accounts = new Accounts(database)
      await accounts.create('acme')
      await accounts.create('globex')
    })
    afterEach(() => database.lifecycle.stop())

    it('reject every key while disabled, in every process', async () => {
      const { apiKey } = await accounts.createApiKey({ account: 'acme' })
      const { apiKey: neighbours } = await accounts.createApiKey({ account: 'globex' })
      const elsewhere = new Accounts(database)
      assert.ok(await elsewhere.authenticate(apiKey))
      const { disabledAt } = await accounts.states.disable('acme')
      assert.equal(await elsewhere.authenticate(apiKey), undefined)
      assert.ok(await elsewhere.authenticate(neighbours))
      assert.equal((await accounts.states.disable('acme')).disabledAt, disabledAt)
      assert.equal((await accounts.states.enable('acme')).disabledAt, undefined)
      assert.ok(await elsewhere.authenticate(apiKey))
      const states = (await new AuditLog(database).list({ account: 'acme' })).map(({ event }) => event)
      assert.deepEqual(states.slice(-2), ['account-disabled', 'account-enabled'])
      await assert.rejects(accounts.states.disable('nobody'), hasCode('account_not_found'))
    })

    it('stay disabled after an interrupted deletion, which resumes when requested again', async () => {
      await accounts.createApiKey({ account: 'acme' })
      let isBroken = true
      const breaking: AccountRows = {
        name: 'what breaks',
        tables: [],
        count: () => Promise.resolve(1),
        erase: () => (isBroken ? Promise.reject(new Error('killed')) : Promise.resolve()),
      }
      await assert.rejects(accounts.deletion([breaking]).run('acme'), /killed/)
      assert.ok((await accounts.list())[0]?.deletionBeganAt)
      await assert.rejects(accounts.states.enable('acme'), /being deleted/)
      const [finding] = await accounts.lifecycle.diagnose()
      assert.deepEqual([finding?.level, finding?.message], ['warn', 'the deletion of "acme" is incomplete'])
      isBroken = false
      await accounts.deletion([breaking]).run('acme')
      assert.deepEqual(
        (await accounts.list()).map(({ name }) => name),
        ['globex'],
      )
      assert.equal((await accounts.lifecycle.diagnose())[0]?.level, 'ok')
    })

    describe('whose name is taken again while they are deleted', () => {
      const begunWith = (erase: AccountRows['erase']) =>
        new BegunDeletions(accounts, () => [
          { name: 'a part', tables: [], count: () => Promise.resolve(0), erase },
        ])

      it('are not taken for the other account by a deletion that is continued', async () => {
        const { id } = await accounts.states.beginDeletion('acme')
        const erased: string[] = []
        const deletions = begunWith(async (account) => {
          if (erased.push(account) > 1) return
          // Another process took this one for dead, and was faster.
          await accounts.deletion([]).complete({ id })
          await accounts.create('acme')
        })
        await deletions.continue().drain()
        await deletions.stop()
        assert.deepEqual([...new Set(erased)], [id])
        assert.equal((await accounts.states.get('acme')).deletionBeganAt, undefined)
      })

      it('have an item until what was written meanwhile is erased too', async () => {
        const { id } = await accounts.states.beginDeletion('acme')
        let passes = 0
        const killed = begunWith(() =>
          (passes += 1) > 1 ? Promise.reject(new Error('killed')) : Promise.resolve(),
        )
        await killed.continue().drain()
        await killed.stop()
        assert.equal(await accounts.states.find('acme'), undefined)
        assert.equal(await accounts.deletion([]).untilOver(id, () => Promise.resolve('waits')), 'waits')
        await run(
          sql`UPDATE work_item SET due_at = ${new Date().toISOString()} WHERE kind = 'account-deletion'`,
        )
        const erased: string[] = []
        const next = begunWith((account) => Promise.resolve(void erased.push(account)))
        await next.continue().drain()
        await next.stop()
        assert.ok(erased.includes(id))
        assert.equal(await accounts.deletion([]).untilOver(id, () => Promise.resolve('waits')), undefined)
      })

      it('are waited for by nobody who deletes the other account', async () => {
        const { id } = await accounts.get('acme')
        const gates = new EventEmitter()
        const [gone, open] = [once(gates, 'gone'), once(gates, 'open')]
        let passes = 0
        const deletions = begunWith(async (account) => {
          if (account !== id || (passes += 1) === 1) return
          gates.emit('gone')
          await open
        })
        const first = deletions.delete('acme', 60_000, undefined)
        await gone
        await accounts.create('acme')
        const second = await deletions.delete('acme', 10_000, undefined)
        gates.emit('open')
        assert.deepEqual([second.deleted, (await first).deleted], [true, true])
        await deletions.stop()
        assert.equal(await accounts.states.find('acme'), undefined)
      })
    })

    it('are deleted only once pending ledger changes are complete', async () => {
      const { id } = await accounts.get('acme')
      const { apiKey } = await accounts.createApiKey({ account: 'acme' })
      await run(sql`INSERT INTO work_item (home, kind, key, owner, due_at, revision, fence, attempts)
        VALUES (1, 'ledger-change', 'c', ${id}, '2026', 1, 1, 0)`)
      const refused = { code: 'unavailable', message: /1 changes of ledgers under way.* try again/s }
      await assert.rejects(
        accounts.deletion(accountRows({ database })).run('acme', { patienceMs: 0 }),
        refused,
      )
      assert.equal(await accounts.authenticate(apiKey), undefined)
      assert.equal((await accounts.listApiKeys('acme')).length, 1)
      await run(sql`DELETE FROM work_item WHERE kind = 'ledger-change'`)
      await accounts.deletion(accountRows({ database })).run('acme')
      await assert.rejects(accounts.get('acme'), hasCode('account_not_found'))
    })

    it('leave anonymous rows in the audit trail and do not affect those of others', async () => {
      const { id } = await accounts.get('acme')
      const letGo = (which: Sql) =>
        run(sql`UPDATE audit_event SET subject = NULL, detail = NULL, address = NULL ${which}`)
      await assert.rejects(letGo(sql`WHERE account_id = ${id}`), /append-only/)
      await accounts.deletion([]).run('acme')
      const rows = await database.query<{ event: string; subject: string | null }>(
        sql`SELECT event, subject FROM audit_event WHERE account_id = ${id} ORDER BY sequence`,
      )
      assert.deepEqual(
        rows.map(({ event, subject }) => [event, subject]),
        [
          ['account-created', null],
          ['account-deletion-begun', null],
          ['account-deleted', null],
        ],
      )
      for (const change of [
        sql`SET event = 'x'`,
        sql`SET subject = 'x'`,
        sql`SET account_id = NULL, subject = NULL`,
      ]) {
        await assert.rejects(run(sql`UPDATE audit_event ${change} WHERE account_id = ${id}`), /append-only/)
      }
      await assert.rejects(letGo(sql`WHERE account_id <> ${id}`), /append-only/)
      await assert.rejects(run(sql`DELETE FROM audit_event WHERE account_id = ${id}`), /append-only/)
    })
  })
}
