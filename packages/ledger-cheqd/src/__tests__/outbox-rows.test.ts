import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Database, sql } from '@vidimus/database'
import { freshDatabase, PLACES } from '../../../../test/support/fresh-database.js'
import { migrations } from '../migrations.js'
import type { NewTransaction, Outcome } from '../outbox-message.js'
import { OutboxRows, OvertakenError, type NewMessage } from '../outbox-rows.js'

const PAYER = 'cheqd1payer'
const DONE: Outcome = { txHash: 'AA', height: 5, result: Buffer.from([1, 2, 0, 255]), paid: 40n }
const FAILED: Outcome = {
  error: { message: 'no', codespace: 'cheqd', code: 1100, phase: 'deliver', retryable: false, txHash: 'AA' },
  paid: undefined,
}

const newMessage = (changes: Partial<NewMessage> = {}): NewMessage => ({
  id: randomUUID(),
  kind: 'createResource',
  subject: 'did:cheqd:testnet:a',
  slot: null,
  expectedPrevious: null,
  memo: '',
  message: Buffer.from([0, 1, 254, 255]),
  ...changes,
})

const transaction = (hash: string, messages: readonly NewMessage[], sequence = 1): NewTransaction => ({
  hash,
  sequence,
  timeoutHeight: 100,
  messageIds: messages.map(({ id }) => id),
  bytes: Buffer.from(hash),
  count: { mark: 'a', number: sequence },
})

for (const place of PLACES) {
  describe(`outbox rows (${place})`, () => {
    let url: string
    let database: Database
    let rows: OutboxRows
    beforeEach(async () => {
      url = await freshDatabase(place)
      database = new Database({ url, migrations: [migrations] })
      await database.lifecycle.start()
      rows = new OutboxRows(database, 'testnet')
    })
    afterEach(() => database.lifecycle.stop())

    const add = async (changes: Partial<NewMessage> = {}) => {
      const message = newMessage(changes)
      assert.ok(await rows.add(PAYER, message))
      return message
    }
    const finished = (id: string, outcome: Outcome) => new Map([[id, { kind: 'finished' as const, outcome }]])

    it('move from the queue into a transaction, and end with it', async () => {
      const message = await add({ memo: 'm', expectedPrevious: '' })
      const [queued] = await rows.queued(PAYER, 10)
      const { slot: _slot, ...given } = message
      const fresh = {
        alone: false,
        attempts: 0,
        gasAttempts: 0,
        txHash: undefined,
        fee: 0n,
        queuedAt: queued?.queuedAt,
      }
      assert.deepEqual(queued, { ...given, ...fresh })
      const sent = transaction('AA', [message])
      await rows.sign(PAYER, sent, [])
      assert.deepEqual(await rows.queued(PAYER, 10), [])
      assert.equal(await rows.withdraw(message.id), false)
      assert.deepEqual(
        (await rows.sent(PAYER)).map(({ hash, sequence }) => [hash, sequence]),
        [['AA', 1]],
      )
      assert.equal((await rows.inTransaction(sent))[0]?.attempts, 1)
      await rows.settle(PAYER, sent, finished(message.id, DONE))
      assert.deepEqual(await rows.sent(PAYER), [])
      assert.deepEqual(await rows.outcomes([message.id]), new Map([[message.id, DONE]]))
      assert.equal(await rows.waiting(PAYER), 0)
    })

    it('are not stored if what must still be the case is not', async () => {
      const refused = new Error('taken over')
      const handOver = { database, demand: () => Promise.reject(refused) }
      await assert.rejects(rows.add(PAYER, newMessage({ handOver })), refused)
      await add({ handOver: { ...handOver, database: {} } })
      assert.equal(await rows.waiting(PAYER), 1)
    })

    it('count their cost from the start, and nothing if never executed', async () => {
      const expense = { fee: 50n, isChange: false }
      const spent = async () => rows.spending.today(database, await database.now(), '')
      const [withdrawn, failed, done] = [
        await add({ expense }),
        await add({ expense }),
        await add({ expense }),
      ]
      await add()
      assert.equal(await spent(), 150n)
      await rows.withdraw(withdrawn.id)
      assert.equal(await spent(), 100n)
      const fees = new Map([
        [failed.id, 50n],
        [done.id, 60n],
      ])
      const sent = transaction('AA', [failed, done])
      await rows.sign(PAYER, sent, [], fees)
      assert.equal(await spent(), 110n)
      await rows.settle(PAYER, sent, new Map([...finished(failed.id, FAILED), ...finished(done.id, DONE)]))
      assert.equal(await spent(), 60n)
      const [executed, never] = [await add({ expense }), await add({ expense })]
      const overtaken: Outcome = 'error' in FAILED ? { error: { ...FAILED.error, height: 7 } } : DONE
      await rows.finish(new Map([...[[executed.id, overtaken] as const], [never.id, FAILED]]))
      assert.equal(await spent(), 110n)
    })

    it('report how many are waiting, and how long', async () => {
      const nothing = { byState: { queued: 0, signed: 0 }, oldestSeconds: 0 }
      assert.deepEqual(await rows.load(), nothing)
      const [first] = [await add(), await add(), await add()]
      await rows.sign(PAYER, transaction('AA', [first]), [])
      const past = new Date((await database.now()).getTime() - 90_000).toISOString()
      await database.write((write) =>
        write.run(sql`UPDATE "cheqd_message" SET "queued_at" = ${past} WHERE "id" = ${first.id}`),
      )
      const { byState, oldestSeconds } = await rows.load()
      assert.deepEqual(byState, { queued: 2, signed: 1 })
      assert.ok(oldestSeconds >= 90 && oldestSeconds < 150, `${oldestSeconds} s`)
      assert.deepEqual(await new OutboxRows(database, 'mainnet').load(), nothing)
      await rows.settle(PAYER, transaction('AA', [first]), finished(first.id, DONE))
      const later = await rows.load()
      assert.deepEqual(later.byState, { queued: 2, signed: 0 })
      assert.ok(later.oldestSeconds < 60)
    })

    it('return to the queue with what was learned', async () => {
      const message = await add()
      const sent = transaction('AA', [message])
      await rows.sign(PAYER, sent, [])
      await rows.settle(PAYER, sent, new Map([[message.id, { kind: 'again', alone: true, outOfGas: 1 }]]))
      const [queued] = await rows.queued(PAYER, 10)
      assert.deepEqual(
        [queued?.alone, queued?.attempts, queued?.gasAttempts, queued?.txHash],
        [true, 1, 1, 'AA'],
      )
    })

    it('are counted in the transactions that are signed, and in those that are executed', async () => {
      const [first, second, third] = [await add(), await add(), await add()]
      await rows.sign(PAYER, transaction('AA', [first], 1), [])
      await assert.rejects(rows.sign(PAYER, transaction('BB', [second], 3), ['AA']), OvertakenError)
      const other = { ...transaction('BB', [second], 2), count: { mark: 'b', number: 2 } }
      await assert.rejects(rows.sign(PAYER, other, ['AA']), OvertakenError)
      await rows.sign(PAYER, transaction('BB', [second], 2), ['AA'])
      await rows.settle(PAYER, transaction('AA', [first], 1), finished(first.id, DONE))
      const counts = () => rows.counts.read(database)
      assert.deepEqual(await counts(), [{ payer: PAYER, mark: 'a', number: 2, executed: 1 }])
      await rows.settle(PAYER, transaction('BB', [second], 2), finished(second.id, FAILED))
      await rows.finish(new Map([[third.id, DONE]]))
      assert.deepEqual(await counts(), [{ payer: PAYER, mark: 'a', number: 2, executed: 1 }])
      assert.deepEqual(await rows.counts.next(database, PAYER), { mark: 'a', number: 3 })
      assert.deepEqual(await new OutboxRows(database, 'mainnet').counts.read(database), [])
    })

    it('are neither taken nor settled twice', async () => {
      const [first, second] = [await add(), await add()]
      const sent = transaction('AA', [first])
      await rows.sign(PAYER, sent, [])
      const overtaken = (work: Promise<void>) => assert.rejects(work, OvertakenError)
      // It does not know of the other transaction, takes a message of it, or one that was withdrawn.
      await overtaken(rows.sign(PAYER, transaction('BB', [second]), []))
      await overtaken(rows.sign(PAYER, transaction('BB', [first, second]), ['AA']))
      await rows.withdraw(second.id)
      await overtaken(rows.sign(PAYER, transaction('BB', [second]), ['AA']))
      assert.deepEqual(
        (await rows.sent(PAYER)).map(({ hash }) => hash),
        ['AA'],
      )
      await rows.settle(PAYER, sent, finished(first.id, DONE))
      await overtaken(rows.settle(PAYER, sent, finished(first.id, FAILED)))
      assert.deepEqual(await rows.outcomes([first.id]), new Map([[first.id, DONE]]))
    })

    it('occupy a slot until they are finished', async () => {
      const first = await add({ slot: 'a' })
      assert.equal(await rows.add(PAYER, newMessage({ slot: 'a' })), false)
      await add({ slot: 'b' })
      const elsewhere = new OutboxRows(database, 'mainnet')
      assert.ok(await elsewhere.add(PAYER, newMessage({ slot: 'a' })))
      await rows.finish(new Map([[first.id, FAILED]]))
      await add({ slot: 'a' })
      const withdrawn = await add({ slot: 'c' })
      assert.ok(await rows.withdraw(withdrawn.id))
      await add({ slot: 'c' })
    })

    it('report whether the creation of a DID is in progress or where it was executed', async () => {
      const subject = 'did:cheqd:testnet:new'
      const creationOf = async (did: string) => {
        const { waiting, height } = await rows.underWay(did, ['createDidDoc'])
        return { pending: waiting.length > 0, height }
      }
      assert.deepEqual(await creationOf(subject), { pending: false, height: 0 })
      const message = await add({ kind: 'createDidDoc', subject })
      assert.deepEqual(await creationOf(subject), { pending: true, height: 0 })
      const sent = transaction('AA', [message])
      await rows.sign(PAYER, sent, [])
      assert.deepEqual(await creationOf(subject), { pending: true, height: 0 })
      await rows.settle(PAYER, sent, finished(message.id, DONE))
      assert.deepEqual(await creationOf(subject), { pending: false, height: 5 })
      const refused = await add({ kind: 'createDidDoc', subject: 'did:cheqd:testnet:refused' })
      await rows.finish(new Map([[refused.id, FAILED]]))
      assert.deepEqual(await creationOf('did:cheqd:testnet:refused'), { pending: false, height: 0 })
    })

    it('keep no content of finished messages, and expire', async () => {
      const [done, waiting] = [await add(), await add()]
      await rows.finish(new Map([[done.id, FAILED]]))
      const [row] = await database.query<{ message: Buffer }>(
        sql`SELECT "message" FROM "cheqd_message" WHERE "id" = ${done.id}`,
      )
      assert.equal(row?.message.length, 0)
      await rows.forget(PAYER, new Date(Date.now() - 60_000))
      assert.equal((await rows.outcomes([done.id])).size, 1)
      await rows.forget(PAYER, new Date(Date.now() + 60_000))
      assert.equal((await rows.outcomes([done.id])).size, 0)
      assert.deepEqual(
        (await rows.queued(PAYER, 10)).map(({ id }) => id),
        [waiting.id],
      )
    })
  })
}
