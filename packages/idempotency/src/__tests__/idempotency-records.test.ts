import assert from 'node:assert/strict'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Account, IdempotentBeginning, IdempotentClaim } from '@vidimus/core-types'
import { Database, sql } from '@vidimus/database'
import { loadSecrets, PrivateKeyEnvelope } from '@vidimus/kms-node'
import { migrations } from '@vidimus/custody'
import { IdempotencyRecords, type IdempotencyRecordsOptions } from '../index.js'
import {
  accountNamed,
  hasCode,
  install,
  removeFolder,
  SECRET,
  temporaryFolder,
} from '../../../custody/src/__tests__/set-up.js'

const LONG = { waitMs: 30_000 }
const NOT_AT_ALL = { waitMs: 0 }
const ANSWER = { status: 200, body: '{"apiKey":"vidimus_very-secret"}' }

describe('IdempotencyRecords', () => {
  let folder: string
  let account: Account
  let other: Account
  const opened: { database: Database; records: IdempotencyRecords }[] = []
  /** presences that others no longer see, as of a process whose session on PostgreSQL was lost */
  const unseen = new Set<string>()

  /** Records as a process of its own has them, with its own connections. */
  async function open(
    options: IdempotencyRecordsOptions & { secret?: string } = {},
  ): Promise<IdempotencyRecords> {
    const { secret = SECRET, ...others } = options
    const database = new Database({
      url: null,
      dataDirectory: folder,
      migrations: [migrations],
    })
    await database.lifecycle.start()
    const isPresent = database.isPresent.bind(database)
    database.isPresent = async (id) => !unseen.has(id) && (await isPresent(id))
    const records = new IdempotencyRecords(database, new PrivateKeyEnvelope({ secret }), others)
    opened.push({ database, records })
    await records.lifecycle.start()
    return records
  }

  beforeEach(async () => {
    folder = await temporaryFolder()
    const here = await install(folder)
    account = await accountNamed(here, 'one')
    other = await accountNamed(here, 'two')
    await here.stop()
  })
  afterEach(async () => {
    for (const { database, records } of opened.splice(0)) {
      await records.lifecycle.stop()
      await database.lifecycle.stop()
    }
    await removeFolder(folder)
  })

  const request = (overrides: { accountId?: string; key?: string; content?: string } = {}) => ({
    accountId: account.id,
    key: 'key-1',
    content: 'POST /did/create {}',
    ...overrides,
  })

  async function begun(beginning: Promise<IdempotentBeginning>): Promise<IdempotentClaim> {
    const found = await beginning
    assert.equal(found.outcome, 'begun')
    return found.outcome === 'begun' ? found.claim : assert.fail()
  }

  it('return the original response in every process', async () => {
    const [here, there] = [await open(), await open()]
    const claim = await begun(here.begin(request(), NOT_AT_ALL))
    assert.equal(claim.run.before, undefined)
    assert.equal(await claim.finish(ANSWER), 'kept')
    for (const records of [here, there]) {
      assert.deepEqual(await records.begin(request(), NOT_AT_ALL), { outcome: 'answered', answer: ANSWER })
    }
  })

  it('preserve responses with line breaks and any status', async () => {
    const records = await open()
    const answer = { status: 404, body: '{"a": "\\n ä 😀"}\n ' }
    await (await begun(records.begin(request(), NOT_AT_ALL))).finish(answer)
    assert.deepEqual(await records.begin(request(), NOT_AT_ALL), { outcome: 'answered', answer })
  })

  it('refuse another request with the same key, whatever the outcome of the first', async () => {
    const records = await open()
    const changed = request({ content: 'POST /did/create {"network":"mainnet"}' })
    const claim = await begun(records.begin(request(), NOT_AT_ALL))
    assert.deepEqual(await records.begin(changed, LONG), { outcome: 'reused' })
    await claim.giveUp()
    assert.deepEqual(await records.begin(changed, LONG), { outcome: 'reused' })
    await (await begun(records.begin(request(), NOT_AT_ALL))).finish(ANSWER)
    assert.deepEqual(await records.begin(changed, LONG), { outcome: 'reused' })
  })

  it('keep accounts and keys apart', async () => {
    const records = await open()
    await (await begun(records.begin(request(), NOT_AT_ALL))).finish(ANSWER)
    await begun(records.begin(request({ accountId: other.id, content: 'another' }), NOT_AT_ALL))
    await begun(records.begin(request({ key: 'key-2' }), NOT_AT_ALL))
  })

  it('make all duplicates wait for the running request, in every process', async () => {
    const [here, there] = [await open(), await open()]
    const claim = await begun(here.begin(request(), NOT_AT_ALL))
    const waiting = [here, there, here, there].map((records) => records.begin(request(), LONG))
    assert.equal((await there.begin(request(), NOT_AT_ALL)).outcome, 'busy')
    await claim.finish(ANSWER)
    for (const one of await Promise.all(waiting)) {
      assert.deepEqual(one, { outcome: 'answered', answer: ANSWER })
    }
  })

  it('pass an abandoned request on to a waiting duplicate', async () => {
    const [here, there] = [await open(), await open()]
    const claim = await begun(here.begin(request(), NOT_AT_ALL))
    const waiting = [here, there, there].map((records) => records.begin(request(), LONG))
    assert.equal(await claim.giveUp(), 'given-up')
    const first = await Promise.race(waiting)
    const next = first.outcome === 'begun' ? first.claim : assert.fail()
    assert.deepEqual([next.run.recordId, next.run.before], [claim.run.recordId, 'given-up'])
    await next.finish(ANSWER)
    const outcomes = (await Promise.all(waiting)).map(({ outcome }) => outcome)
    assert.deepEqual(outcomes.sort(), ['answered', 'answered', 'begun'])
  })

  /** It seems dead, and can continue. */
  async function loseSight(dead: IdempotencyRecords): Promise<void> {
    const { database } = opened.find(({ records }) => records === dead) ?? assert.fail()
    unseen.add(await database.presence())
  }

  it('take over from a dead process, which notices if it ever continues', async () => {
    const dead = await open()
    const claim = await begun(dead.begin(request(), NOT_AT_ALL))
    await loseSight(dead)
    const heir = await begun((await open()).begin(request(), NOT_AT_ALL))
    assert.deepEqual([heir.run.recordId, heir.run.before], [claim.run.recordId, 'taken-over'])
    assert.equal(await claim.finish({ status: 200, body: '"too late"' }), 'lost')
    assert.equal(await heir.finish(ANSWER), 'kept')
    assert.equal(await claim.giveUp(), 'lost')
    assert.deepEqual(await (await open()).begin(request(), NOT_AT_ALL), {
      outcome: 'answered',
      answer: ANSWER,
    })
  })

  it('are taken over by only one of several waiting requests', async () => {
    const dead = await open()
    await begun(dead.begin(request(), NOT_AT_ALL))
    const alive = [await open(), await open()]
    const waiting = [...alive, ...alive].map((records) => records.begin(request(), LONG))
    assert.equal((await (alive[0] ?? assert.fail()).begin(request(), NOT_AT_ALL)).outcome, 'busy')
    await loseSight(dead)
    const first = await Promise.race(waiting)
    await (first.outcome === 'begun' ? first.claim : assert.fail()).finish(ANSWER)
    const outcomes = (await Promise.all(waiting)).map(({ outcome }) => outcome)
    assert.deepEqual(outcomes.sort(), ['answered', 'answered', 'answered', 'begun'])
  })

  it('are not taken over from a living process, however long it works', async () => {
    const [here, there] = [await open(), await open()]
    const claim = await begun(here.begin(request(), NOT_AT_ALL))
    const waited = await Promise.all(
      [here, there].map((records) => records.begin(request(), { waitMs: 400 })),
    )
    assert.deepEqual(waited, [{ outcome: 'busy' }, { outcome: 'busy' }])
    assert.equal(await claim.finish(ANSWER), 'kept')
  })

  it('take over from an earlier version that recorded no process', async () => {
    const records = await open()
    await begun(records.begin(request(), NOT_AT_ALL))
    const { database } = opened[0] ?? assert.fail()
    await database.write((connection) => connection.run(sql`UPDATE idempotency_record SET presence = NULL`))
    const next = await begun(records.begin(request(), NOT_AT_ALL))
    assert.equal(next.run.before, 'taken-over')
  })

  it('are released once the database is writable again, if it was down at their end', async () => {
    const [here, there] = [await open(), await open()]
    const claim = await begun(here.begin(request(), NOT_AT_ALL))
    const { database } = opened[0] ?? assert.fail()
    await database.write((connection) =>
      connection.run(
        sql`CREATE TRIGGER no_end BEFORE UPDATE ON idempotency_record BEGIN SELECT RAISE(ABORT, 'not now'); END`,
      ),
    )
    await assert.rejects(claim.finish(ANSWER))
    assert.equal((await there.begin(request(), NOT_AT_ALL)).outcome, 'busy')
    await database.write((connection) => connection.run(sql`DROP TRIGGER no_end`))
    const next = await begun(there.begin(request(), LONG))
    assert.equal(next.run.before, 'given-up')
    assert.equal(await claim.finish(ANSWER), 'lost')
  })

  it('are known as abandoned in their own process, even if that could not be stored', async () => {
    const here = await open()
    const claim = await begun(here.begin(request(), NOT_AT_ALL))
    const { database } = opened[0] ?? assert.fail()
    await database.write((connection) =>
      connection.run(
        sql`CREATE TRIGGER no_end BEFORE UPDATE OF sealed_answer ON idempotency_record
          BEGIN SELECT RAISE(ABORT, 'not now'); END`,
      ),
    )
    await assert.rejects(claim.finish(ANSWER))
    const next = await begun(here.begin(request(), NOT_AT_ALL))
    assert.equal(next.run.before, 'given-up')
  })

  it('are kept while in progress, however short the retention of responses', async () => {
    let now = 0
    const options = { keepHours: 1, clock: () => new Date(now) }
    const [here, there] = [await open(options), await open(options)]
    const claim = await begun(here.begin(request(), NOT_AT_ALL))
    now += 2 * 3_600_000
    assert.equal(await there.sweep(), 0)
    assert.equal((await there.begin(request(), NOT_AT_ALL)).outcome, 'busy')
    assert.equal(await claim.finish(ANSWER), 'kept')
  })

  it('stop waiting when aborted', async () => {
    const records = await open()
    await begun(records.begin(request(), NOT_AT_ALL))
    const impatience = new AbortController()
    const waiting = records.begin(request(), { ...LONG, signal: impatience.signal })
    setImmediate(() => impatience.abort())
    assert.deepEqual(await waiting, { outcome: 'busy' })
  })

  it('do not keep oversized responses: the request runs again', async () => {
    const records = await open({ maxAnswerBytes: 1024 })
    const exactly = { status: 200, body: 'ä'.repeat(512) }
    const claim = await begun(records.begin(request(), NOT_AT_ALL))
    assert.equal(await claim.finish({ status: 200, body: 'ä'.repeat(512) + 'a' }), 'too-large')
    const again = await begun(records.begin(request(), NOT_AT_ALL))
    assert.equal(again.run.before, 'given-up')
    assert.equal(await again.finish(exactly), 'kept')
    assert.deepEqual(await records.begin(request(), NOT_AT_ALL), { outcome: 'answered', answer: exactly })
  })

  it('expire responses in time, deleted already or not', async () => {
    let now = Date.parse('2026-01-01T00:00:00Z')
    const records = await open({ keepHours: 2, clock: () => new Date(now) })
    const pass = (hours: number) => (now += hours * 3_600_000)
    for (const key of ['key-1', 'key-2']) {
      await (await begun(records.begin(request({ key }), NOT_AT_ALL))).finish(ANSWER)
    }
    pass(1.9)
    assert.equal((await records.begin(request(), NOT_AT_ALL)).outcome, 'answered')
    assert.equal(await records.sweep(), 0)
    pass(0.2)
    const claim = await begun(records.begin(request({ content: 'another one' }), NOT_AT_ALL))
    assert.equal(claim.run.before, undefined)
    assert.equal(await records.sweep(), 1)
    assert.equal(await claim.finish(ANSWER), 'kept')
    pass(1.9)
    assert.equal(await records.sweep(), 0)
  })

  it('are deleted in batches, until none is expired', async () => {
    let now = 0
    const records = await open({ clock: () => new Date(now) })
    const keys = Array.from({ length: 450 }, (_, n) => `key ${n}`)
    const turns = await Promise.all(keys.map((key) => begun(records.begin(request({ key }), NOT_AT_ALL))))
    await Promise.all(turns.map((claim) => claim.finish(ANSWER)))
    now += 24 * 3_600_000
    assert.equal(await records.sweep(), 450)
  })

  it('store keys, requests and responses only in encrypted form', async () => {
    const records = await open()
    const secret = request({ key: 'my-idempotency-key', content: 'privateKeyHex: cafebabecafebabe' })
    await (await begun(records.begin(secret, NOT_AT_ALL))).finish(ANSWER)
    const files = (await readdir(folder)).filter((name) => name.startsWith('agent.sqlite'))
    const bytes = Buffer.concat(await Promise.all(files.map((name) => readFile(join(folder, name)))))
    assert.ok(bytes.includes(account.id))
    for (const text of ['my-idempotency-key', 'cafebabe', 'very-secret'])
      assert.ok(!bytes.includes(text), text)
  })

  it('start only with the secret that encrypted them', async () => {
    const records = await open()
    await (await begun(records.begin(request(), NOT_AT_ALL))).finish(ANSWER)
    await assert.rejects(open({ secret: 'd1'.repeat(32) }), hasCode('wrong_secret'))
  })

  it('can be re-encrypted with another secret', async () => {
    const old = await open()
    await (await begun(old.begin(request(), NOT_AT_ALL))).finish(ANSWER)
    const newSecret = 'd1'.repeat(32)
    const secrets = loadSecrets({ value: newSecret, previous: SECRET, directory: folder })
    const envelope = new PrivateKeyEnvelope({ secrets })
    const [first] = opened
    assert.ok(first)
    const rotating = new IdempotencyRecords(first.database, envelope)
    let resealed = 0
    for (const store of rotating.sealedStores) {
      await store.sealWith(envelope.keyId)
      for await (const batch of store.reseal(envelope.keyId, 1)) resealed += batch.resealed
    }
    assert.equal(resealed, 1)
    const renewed = await open({ secret: newSecret })
    assert.deepEqual(await renewed.begin(request(), NOT_AT_ALL), { outcome: 'answered', answer: ANSWER })
  })

  it('refuse invalid options', () => {
    const { database } = { database: new Database({ url: null, dataDirectory: folder, migrations: [] }) }
    const envelope = new PrivateKeyEnvelope({ secret: SECRET })
    for (const options of [{ keepHours: 0 }, { maxAnswerBytes: 1 }, { keep: 1 }]) {
      assert.throws(
        () => new IdempotencyRecords(database, envelope, options),
        hasCode('invalid_configuration'),
      )
    }
  })
})
