import assert from 'node:assert/strict'
import { createHash, randomUUID, sign } from 'node:crypto'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Database, sql } from '@vidimus/database'
import {
  encodeMessage,
  signBytes,
  type LedgerMessage,
  type ResourceMetadata,
  type ResourceSummary,
} from '@vidimus/ledger'
import { EmbeddedLedger, migrations } from '../index.js'
import {
  collectionOf,
  create,
  deactivate,
  didDoc,
  newDid,
  newKey,
  publish,
  signed,
  update,
  type Key,
} from './signing.js'

const TYPE = 'StatusList2021Revocation'

describe('EmbeddedLedger', () => {
  let folder: string
  let database: Database
  let ledger: EmbeddedLedger
  const opened: Database[] = []

  const open = async (file = 'ledger.sqlite') => {
    const fresh = new Database({ url: `sqlite:${join(folder, file)}`, migrations: [migrations] })
    await fresh.lifecycle.start()
    opened.push(fresh)
    return fresh
  }
  /** A DID on the ledger, with its key. */
  const createdDid = async (on = ledger): Promise<{ did: string; key: Key }> => {
    const did = newDid(on.network)
    const key = newKey()
    await on.submit(signed(did, create(didDoc(did, [key])), key))
    return { did, key }
  }

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vidimus-ledger-'))
    database = await open()
    ledger = new EmbeddedLedger({ network: 'testnet', database })
  })
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.lifecycle.stop()
    await rm(folder, { recursive: true })
  })

  describe('options', () => {
    for (const [why, options, path] of [
      ['another network', { network: 'devnet' }, 'network'],
      ['a missing database', { database: undefined }, 'database'],
      ['something other than a database', { database: {} }, 'database'],
      ['an invalid clock', { now: 5 }, 'now'],
    ] as const) {
      it(`refuses ${why}`, () => {
        assert.throws(
          () => new EmbeddedLedger({ ...{ network: 'testnet', database }, ...options } as never),
          (error: { code?: string; details?: { path: string }[] }) =>
            error.code === 'invalid_configuration' && error.details?.[0]?.path === path,
        )
      })
    }

    it('refuses unknown options', () => {
      assert.throws(() => new EmbeddedLedger({ network: 'testnet', database, driver: 'x' } as never), {
        code: 'invalid_configuration',
      })
    })
  })

  describe('DID documents', () => {
    it('preserves a document exactly, with its metadata', async () => {
      const did = newDid()
      const key = newKey()
      const service = [
        {
          id: `${did}#s`,
          serviceType: 'Ünicode',
          serviceEndpoint: ['https://a.example', 'x'],
          recipientKeys: ['r'],
          routingKeys: [],
          accept: [],
          priority: 7,
        },
      ]
      const doc = didDoc(did, [key], { service, context: ['https://example.com/v1'], alsoKnownAs: ['a:b'] })
      const message = signed(did, create(doc, 'Version-1'), key)
      const receipt = await ledger.submit(message)
      const read = await ledger.getDidDoc(did)
      assert.deepEqual(read?.didDoc, doc)
      assert.deepEqual(read?.metadata, {
        created: receipt.time,
        deactivated: false,
        versionId: 'version-1',
        nextVersionId: '',
        previousVersionId: '',
      })
      assert.deepEqual(receipt.didDoc, read)
      assert.equal(receipt.height, 1)
      assert.equal(
        receipt.txHash,
        createHash('sha256').update(encodeMessage(message)).digest('hex').toUpperCase(),
      )
    })

    it('does not find other DIDs and versions', async () => {
      const { did } = await createdDid()
      assert.equal(await ledger.getDidDoc(newDid()), undefined)
      assert.equal(await ledger.getDidDoc('nonsense'), undefined)
      assert.equal(await ledger.getDidDoc(did, randomUUID()), undefined)
      assert.deepEqual(await ledger.listDidDocVersions(newDid(), { limit: 1000 }), [])
    })

    it('finds a UUID written in upper case', async () => {
      const key = newKey()
      const did = newDid()
      const upper = did.replace(/[^:]+$/, (id) => id.toUpperCase())
      await ledger.submit(signed(upper, create(didDoc(upper, [key])), key))
      const found = await ledger.getDidDoc(upper)
      assert.equal(found?.didDoc.id, did)
      assert.equal(found?.didDoc.verificationMethod[0]?.id, `${did}#key-1`)
      assert.deepEqual(await ledger.getDidDoc(did), found)
      const versionId = found?.metadata.versionId
      assert.deepEqual(await ledger.getDidDoc(upper, versionId?.toUpperCase()), found)
    })

    it('refuses violations of the rules, leaving nothing behind', async () => {
      const { did, key } = await createdDid()
      const other = newKey()
      await assert.rejects(ledger.submit(signed(did, create(didDoc(did, [key])), key)), { code: 1200 })
      const unborn = newDid()
      await assert.rejects(ledger.submit(signed(unborn, create(didDoc(unborn, [key])), other)), {
        code: 1100,
      })
      await assert.rejects(ledger.submit(signed(unborn, create(didDoc(unborn, []), ''))), {
        code: 1205,
        phase: 'check',
      })
      assert.equal(await ledger.getDidDoc(unborn), undefined)
      const dids = await database.query(sql`SELECT "did", "height" FROM "ledger_did"`)
      assert.deepEqual(dids, [{ did, height: 1 }])
    })

    it('links the versions of a document', async () => {
      const { did, key } = await createdDid()
      const created = await ledger.getDidDoc(did)
      const receipts = []
      for (const alias of ['a:1', 'a:2']) {
        receipts.push(
          await ledger.submit(signed(did, update(didDoc(did, [key], { alsoKnownAs: [alias] })), key)),
        )
      }
      const versions = await ledger.listDidDocVersions(did, { limit: 1000 })
      const ids = versions.map(({ versionId }) => versionId)
      assert.deepEqual(ids, [
        created?.metadata.versionId,
        ...receipts.map(({ didDoc: doc }) => doc?.metadata.versionId),
      ])
      assert.deepEqual(
        versions.map(({ previousVersionId }) => previousVersionId),
        ['', ids[0], ids[1]],
      )
      assert.deepEqual(
        versions.map(({ nextVersionId }) => nextVersionId),
        [ids[1], ids[2], ''],
      )
      assert.deepEqual(
        versions.map(({ updated }) => updated),
        [undefined, ...receipts.map(({ time }) => time)],
      )
      for (const { created: time } of versions) assert.deepEqual(time, created?.metadata.created)
      const first = await ledger.getDidDoc(did, ids[0])
      assert.deepEqual(first?.didDoc.alsoKnownAs, [])
      assert.deepEqual((await ledger.getDidDoc(did))?.didDoc.alsoKnownAs, ['a:2'])
    })

    it('refuses a version id already used by the document', async () => {
      const { did, key } = await createdDid()
      const versionId = randomUUID()
      await ledger.submit(signed(did, update(didDoc(did, [key], { alsoKnownAs: ['a:1'] }), versionId), key))
      for (const message of [
        update(didDoc(did, [key]), versionId.toUpperCase()),
        deactivate(did, versionId),
      ]) {
        await assert.rejects(ledger.submit(signed(did, message, key)), {
          code: 1500,
          message: /already exists/,
        })
      }
      assert.equal((await ledger.listDidDocVersions(did, { limit: 1000 })).length, 2)
    })

    it('accepts only the new key after a rotation', async () => {
      const { did, key } = await createdDid()
      const rotated = newKey()
      const message = update(didDoc(did, [rotated]))
      const bytes = signBytes(message)
      const signatures = [key, rotated].map(({ privateKey }) => ({
        verificationMethodId: `${did}#key-1`,
        signature: new Uint8Array(sign(null, bytes, privateKey)),
      }))
      await ledger.submit({ ...message, signatures })
      await assert.rejects(ledger.submit(signed(did, publish(did), key)), { code: 1100 })
      await ledger.submit(signed(did, publish(did), rotated))
    })

    it('transfers control to another controller, whose key then signs', async () => {
      const { did, key } = await createdDid()
      const owner = await createdDid()
      const message = update(didDoc(did, [key], { controller: [owner.did] }))
      const both = [
        ...signed(did, message, key).signatures,
        ...signed(owner.did, message, owner.key).signatures,
      ]
      await ledger.submit({ ...message, signatures: both })
      const next = update(didDoc(did, [], { controller: [owner.did] }))
      const bothAgain = [
        ...signed(did, next, key).signatures,
        ...signed(owner.did, next, owner.key).signatures,
      ]
      await ledger.submit({ ...next, signatures: bothAgain })
      await assert.rejects(ledger.submit(signed(did, publish(did), key)), { code: 1101 })
      await ledger.submit(signed(owner.did, publish(did), owner.key))
    })

    it('deactivates every version permanently', async () => {
      const { did, key } = await createdDid()
      const before = await ledger.getDidDoc(did)
      const receipt = await ledger.submit(signed(did, deactivate(did), key))
      assert.equal(receipt.didDoc?.metadata.deactivated, true)
      assert.deepEqual(receipt.didDoc?.didDoc, before?.didDoc)
      assert.deepEqual(await ledger.getDidDoc(did), receipt.didDoc)
      const versions = await ledger.listDidDocVersions(did, { limit: 1000 })
      assert.deepEqual(
        versions.map(({ deactivated }) => deactivated),
        [true, true],
      )
      assert.equal(versions[0]?.nextVersionId, receipt.didDoc?.metadata.versionId)
      for (const message of [update(didDoc(did, [key])), deactivate(did), publish(did)]) {
        await assert.rejects(ledger.submit(signed(did, message, key)), { code: 1207 })
      }
    })
  })

  describe('resources', () => {
    it('preserves content and metadata', async () => {
      const { did, key } = await createdDid()
      const data = Buffer.from(JSON.stringify({ encodedList: 'x'.repeat(44_000) }))
      const alsoKnownAs = [{ uri: 'https://a.example', description: 'd' }]
      const id = randomUUID()
      const message = signed(
        did,
        publish(did, { data, alsoKnownAs, id: id.toUpperCase(), version: '1.0' }),
        key,
      )
      const receipt = await ledger.submit(message)
      const expected: ResourceMetadata = {
        collectionId: collectionOf(did),
        id,
        name: 'list',
        version: '1.0',
        resourceType: TYPE,
        alsoKnownAs: [...alsoKnownAs, { uri: `${did}/resources/${id}`, description: 'did-url' }],
        mediaType: 'application/json',
        created: receipt.time,
        checksum: createHash('sha256').update(data).digest('hex'),
        previousVersionId: '',
        nextVersionId: '',
      }
      assert.deepEqual(receipt.resource, expected)
      const collection = collectionOf(did).toUpperCase()
      const { alsoKnownAs: _unread, ...summary } = expected
      for (const found of [
        await ledger.getResource(collection, id.toUpperCase()),
        await ledger.getLatestResource(collection, 'list', TYPE),
      ]) {
        assert.deepEqual(found?.metadata, summary)
        assert.deepEqual(Buffer.from(found?.data ?? []), data)
      }
      assert.deepEqual(await ledger.getResourceMetadata(collection, id), summary)
      assert.deepEqual(await ledger.getLatestResourceMetadata(collection, 'list', TYPE), summary)
      assert.deepEqual(await ledger.listResources(collection, { limit: 1000 }), [summary])
    })

    it('preserves any bytes', async () => {
      const { did, key } = await createdDid()
      const data = Uint8Array.from({ length: 1000 }, (_, n) => n * 7)
      const padded = new Uint8Array(2000)
      padded.set(data, 500)
      const { resource } = await ledger.submit(
        signed(did, publish(did, { data: padded.subarray(500, 1500) }), key),
      )
      assert.deepEqual((await ledger.getResource(collectionOf(did), resource?.id ?? ''))?.data, data)
    })

    it('does not find other resources', async () => {
      const { did, key } = await createdDid()
      await ledger.submit(signed(did, publish(did), key))
      const collection = collectionOf(did)
      assert.equal(await ledger.getResource(collection, randomUUID()), undefined)
      assert.equal(await ledger.getLatestResource(collection, 'List', TYPE), undefined)
      assert.equal(await ledger.getLatestResourceMetadata(collection, 'list', `${TYPE}x`), undefined)
      assert.equal(await ledger.getResourceMetadata(randomUUID(), randomUUID()), undefined)
      assert.deepEqual(await ledger.listResources(randomUUID(), { limit: 1000 }), [])
    })

    it('links versions by name and type only', async () => {
      const { did, key } = await createdDid()
      const ids: string[] = []
      for (const changes of [
        {},
        { version: '2' },
        { name: 'other' },
        { resourceType: 'Other' },
        { data: Buffer.from('text') },
      ]) {
        const { resource } = await ledger.submit(signed(did, publish(did, changes), key))
        ids.push(resource?.id ?? '')
      }
      const all = await ledger.listResources(collectionOf(did), { limit: 1000 })
      assert.deepEqual(
        all.map(({ id }) => id),
        ids,
      )
      assert.deepEqual(
        all.map(({ previousVersionId }) => previousVersionId),
        ['', ids[0], '', '', ids[1]],
      )
      assert.deepEqual(
        all.map(({ nextVersionId }) => nextVersionId),
        [ids[1], ids[4], '', '', ''],
      )
      const latest = await ledger.getLatestResource(collectionOf(did), 'list', TYPE)
      assert.equal(latest?.metadata.id, ids[4])
      assert.equal(latest?.metadata.mediaType, 'text/plain; charset=utf-8')
    })

    it('refuses an id already used in the collection, but not in another one', async () => {
      const one = await createdDid()
      const two = await createdDid()
      const id = randomUUID()
      await ledger.submit(signed(one.did, publish(one.did, { id }), one.key))
      const again = publish(one.did, { id: id.toUpperCase(), name: 'other' })
      await assert.rejects(ledger.submit(signed(one.did, again, one.key)), {
        codespace: 'resource',
        code: 2200,
      })
      await ledger.submit(signed(two.did, publish(two.did, { id }), two.key))
    })

    it('refuses a DID that does not exist before checking other fields', async () => {
      const did = newDid()
      const key = newKey()
      await assert.rejects(ledger.submit(signed(did, publish(did), key)), { codespace: 'sdk', code: 38 })
      const nameless = publish(did, { name: '' })
      await assert.rejects(ledger.submit(signed(did, nameless, key)), { codespace: 'sdk', code: 38 })
      const one = await createdDid()
      await assert.rejects(ledger.submit(signed(one.did, publish(one.did, { name: '' }), one.key)), {
        codespace: 'cheqd',
        code: 1206,
      })
    })
  })

  describe('expectedPrevious', () => {
    const conflict = { codespace: 'vidimus', code: 1, phase: 'conflict', retryable: true }

    it('accepts the current version and refuses any other', async () => {
      const { did, key } = await createdDid()
      const submit = (expectedPrevious: string | null) =>
        ledger.submit(signed(did, publish(did), key), { expectedPrevious })
      await assert.rejects(submit(randomUUID()), conflict)
      const first = await submit(null)
      await assert.rejects(submit(null), conflict)
      const id = first.resource?.id ?? ''
      const second = await submit(id)
      assert.equal(second.resource?.previousVersionId, id)
      await assert.rejects(submit(id), conflict)
      assert.equal((await ledger.listResources(collectionOf(did), { limit: 1000 })).length, 2)
    })

    it('applies to document versions too', async () => {
      const { did, key } = await createdDid()
      const newest = async () => (await ledger.getDidDoc(did))?.metadata.versionId ?? ''
      const created = await newest()
      const change = (expectedPrevious: string | null) =>
        ledger.submit(
          signed(did, update(didDoc(did, [key], { alsoKnownAs: [`urn:uuid:${randomUUID()}`] })), key),
          { expectedPrevious },
        )
      await assert.rejects(change(randomUUID()), conflict)
      await assert.rejects(change(null), conflict)
      const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => change(created)))
      assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
      assert.equal((await ledger.listDidDocVersions(did, { limit: 1000 })).length, 2)
      await change((await newest()).toUpperCase())
      const close = (expectedPrevious: string) =>
        ledger.submit(signed(did, deactivate(did), key), { expectedPrevious })
      await assert.rejects(close(created), conflict)
      const { didDoc: closed } = await close(await newest())
      assert.equal(closed?.metadata.deactivated, true)
    })

    it('lets exactly one of many concurrent writers succeed', async () => {
      const { did, key } = await createdDid()
      const race = async (expectedPrevious: string | null) => {
        const outcomes = await Promise.allSettled(
          Array.from({ length: 20 }, () =>
            ledger.submit(signed(did, publish(did), key), { expectedPrevious }),
          ),
        )
        const lost = outcomes.flatMap((outcome): unknown[] =>
          outcome.status === 'rejected' ? [outcome.reason] : [],
        )
        assert.equal(lost.length, 19)
        for (const reason of lost) assert.equal((reason as { phase?: string }).phase, 'conflict')
      }
      await race(null)
      await race((await ledger.listResources(collectionOf(did), { limit: 1000 }))[0]?.id ?? null)
      assert.equal((await ledger.listResources(collectionOf(did), { limit: 1000 })).length, 2)
    })
  })

  describe('time and order', () => {
    it('gives every message a later time and the next height, whatever the clock says', async () => {
      const clock = [5_000, 5_000, 4_000, 9_000, 1_000].map((time) => new Date(time))
      const slow = new EmbeddedLedger({
        network: 'testnet',
        database,
        now: () => clock.shift() ?? new Date(0),
      })
      const { did, key } = await createdDid(slow)
      const receipts = []
      for (let n = 0; n < 4; n++) receipts.push(await slow.submit(signed(did, publish(did), key)))
      assert.deepEqual(
        receipts.map(({ time }) => time.getTime()),
        [5_001, 5_002, 9_000, 9_001],
      )
      assert.deepEqual(
        receipts.map(({ height }) => height),
        [2, 3, 4, 5],
      )
    })

    it('keeps the networks apart in one database', async () => {
      const mainnet = new EmbeddedLedger({ network: 'mainnet', database })
      const here = await createdDid(ledger)
      const there = await createdDid(mainnet)
      assert.equal(await mainnet.getDidDoc(here.did), undefined)
      assert.equal(await ledger.getDidDoc(there.did), undefined)
      const foreign = signed(here.did, update(didDoc(here.did, [here.key])), here.key)
      await assert.rejects(mainnet.submit(foreign), { code: 1206 })
      const { height } = await mainnet.submit(signed(there.did, publish(there.did), there.key))
      assert.equal(height, 2)
    })
  })

  describe('concurrency', () => {
    /** Follows the links from the newest version to the oldest. */
    const assertLinearChain = (all: ResourceSummary[], length: number) => {
      assert.equal(all.length, length)
      const byId = new Map(all.map((metadata) => [metadata.id, metadata]))
      assert.equal(all.filter(({ previousVersionId }) => previousVersionId === '').length, 1)
      assert.equal(all.filter(({ nextVersionId }) => nextVersionId === '').length, 1)
      all.forEach((metadata, n) => {
        assert.equal(metadata.previousVersionId, all[n - 1]?.id ?? '')
        assert.equal(byId.get(metadata.id)?.nextVersionId, all[n + 1]?.id ?? '')
        if (n > 0) assert.ok(metadata.created.getTime() > (all[n - 1]?.created.getTime() ?? 0))
      })
    }

    it('builds a single chain from 50 concurrent versions', async () => {
      const { did, key } = await createdDid()
      const receipts = await Promise.all(
        Array.from({ length: 50 }, () => ledger.submit(signed(did, publish(did), key))),
      )
      assertLinearChain(await ledger.listResources(collectionOf(did), { limit: 1000 }), 50)
      assert.equal(new Set(receipts.map(({ height }) => height)).size, 50)
    })

    it('does not let a refused message affect its neighbours', async () => {
      const { did, key } = await createdDid()
      const stranger = newKey()
      const outcomes = await Promise.allSettled(
        Array.from({ length: 30 }, (_, n) =>
          ledger.submit(signed(did, publish(did), n % 3 === 0 ? stranger : key)),
        ),
      )
      assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 20)
      assertLinearChain(await ledger.listResources(collectionOf(did), { limit: 1000 }), 20)
    })

    it('builds a single chain from the versions of two processes', async () => {
      const { did, key } = await createdDid()
      const neighbour = new EmbeddedLedger({ network: 'testnet', database: await open() })
      await Promise.all(
        Array.from({ length: 40 }, (_, n) =>
          (n % 2 ? ledger : neighbour).submit(signed(did, publish(did), key)),
        ),
      )
      assertLinearChain(await neighbour.listResources(collectionOf(did), { limit: 1000 }), 40)
    })

    it('lets exactly one of two processes win a race for a version or a DID', async () => {
      const neighbour = new EmbeddedLedger({ network: 'testnet', database: await open() })
      const race = async (message: () => LedgerMessage, expectedPrevious?: null) => {
        const options = expectedPrevious === undefined ? {} : { expectedPrevious }
        const outcomes = await Promise.allSettled(
          [ledger, neighbour].map((each) => each.submit(message(), options)),
        )
        return outcomes.map(({ status }) => status).sort()
      }
      for (let n = 0; n < 10; n++) {
        const { did, key } = await createdDid()
        assert.deepEqual(await race(() => signed(did, publish(did), key), null), ['fulfilled', 'rejected'])
        assert.equal((await ledger.listResources(collectionOf(did), { limit: 1000 })).length, 1)
        const unborn = newDid()
        assert.deepEqual(await race(() => signed(unborn, create(didDoc(unborn, [key])), key)), [
          'fulfilled',
          'rejected',
        ])
        assert.equal((await neighbour.listDidDocVersions(unborn, { limit: 1000 })).length, 1)
      }
    })
  })

  describe('tables', () => {
    it('cannot contain a forked history', async () => {
      const { did, key } = await createdDid()
      const { resource } = await ledger.submit(signed(did, publish(did), key))
      const fork = database.write((connection) =>
        connection.run(sql`INSERT INTO "ledger_resource" SELECT "network", "collection_id", ${randomUUID()}, "height" + 100,
          "name", "type", "version", "media_type", "created", "checksum", "also_known_as", "size",
          "previous_version_id", "next_version_id", "account_id", "counts_as", "home" FROM "ledger_resource" WHERE "id" = ${resource?.id ?? ''}`),
      )
      await assert.rejects(fork, /UNIQUE/)
      const twin = database.write((connection) =>
        connection.run(sql`INSERT INTO "ledger_did_version" SELECT "network", "did", ${randomUUID()}, "height" + 100,
          "previous_version_id", "next_version_id", "created", "updated", "doc", "account_id", "home" FROM "ledger_did_version"`),
      )
      await assert.rejects(twin, /UNIQUE/)
    })

    it('report a unique violation as a conflict, and a database failure as such', async () => {
      const { did, key } = await createdDid()
      const { resource } = await ledger.submit(signed(did, publish(did), key))
      await database.write((connection) => connection.run(sql`DELETE FROM "ledger_resource_latest"`))
      await assert.rejects(ledger.submit(signed(did, publish(did), key)), {
        phase: 'conflict',
        retryable: true,
      })
      assert.equal((await ledger.listResources(collectionOf(did), { limit: 1000 })).at(-1)?.id, resource?.id)
      await database.write((connection) => connection.run(sql`DROP TABLE "ledger_resource_latest"`))
      await assert.rejects(ledger.submit(signed(did, publish(did, { name: 'x' }), key)), {
        phase: 'transport',
        code: 2,
      })
    })

    it('provide the newest metadata through primary keys', async () => {
      const plan = await database.query<{ detail: string }>(sql`EXPLAIN QUERY PLAN SELECT "r"."id"
        FROM "ledger_resource_latest" "l" JOIN "ledger_resource" "r" ON "r"."home" = "l"."home" AND "r"."network" = "l"."network"
        AND "r"."collection_id" = "l"."collection_id" AND "r"."id" = "l"."resource_id"
        WHERE "l"."home" = ${1} AND "l"."network" = ${'a'} AND "l"."collection_id" = ${'b'} AND "l"."name" = ${'c'} AND "l"."type" = ${'d'}`)
      assert.equal(plan.length, 2)
      for (const { detail } of plan) assert.match(detail, /^SEARCH .* USING (COVERING )?INDEX/)
    })
  })

  it('preserves everything after reopening the file', async () => {
    const { did, key } = await createdDid()
    const receipts = []
    for (const name of ['a', 'a', 'b'])
      receipts.push(await ledger.submit(signed(did, publish(did, { name }), key)))
    const doc = await ledger.getDidDoc(did)
    const resources = await ledger.listResources(collectionOf(did), { limit: 1000 })
    await database.lifecycle.stop()
    database = await open()
    const reopened = new EmbeddedLedger({ network: 'testnet', database })
    assert.deepEqual(await reopened.getDidDoc(did), doc)
    assert.deepEqual(await reopened.listResources(collectionOf(did), { limit: 1000 }), resources)
    const { height } = await reopened.submit(signed(did, publish(did), key))
    assert.equal(height, (receipts.at(-1)?.height ?? 0) + 1)
  })

  it('has everything it acknowledged on disk, even without an orderly shutdown', async () => {
    const { did, key } = await createdDid()
    await ledger.submit(signed(did, publish(did), key))
    for (const suffix of ['', '-wal']) {
      await copyFile(join(folder, `ledger.sqlite${suffix}`), join(folder, `copy.sqlite${suffix}`))
    }
    const survivor = new EmbeddedLedger({ network: 'testnet', database: await open('copy.sqlite') })
    assert.equal((await survivor.listResources(collectionOf(did), { limit: 1000 })).length, 1)
  })

  it('can be aborted', async () => {
    const { did, key } = await createdDid()
    const signal = AbortSignal.abort()
    await assert.rejects(ledger.submit(signed(did, publish(did), key), { signal }), { name: 'AbortError' })
    const controller = new AbortController()
    const waiting = ledger.submit(signed(did, publish(did), key), { signal: controller.signal })
    controller.abort()
    await assert.rejects(waiting, { name: 'AbortError' })
    assert.deepEqual(await ledger.listResources(collectionOf(did), { limit: 1000 }), [])
  })

  it('reports its health', async () => {
    const message = 'embedded: its DIDs are local to this installation'
    assert.deepEqual(await ledger.lifecycle.check(), [
      { name: 'ledger:testnet', local: true, ok: true, message },
    ])
    assert.equal(ledger.kind, 'embedded')
    assert.equal(ledger.local, true)
    await database.lifecycle.stop()
    const [{ ok, local } = assert.fail()] = await ledger.check()
    assert.deepEqual([ok, local], [false, true])
    await assert.rejects(ledger.submit(signed(newDid(), create(didDoc(newDid(), [])))), {
      name: /AgentError|LedgerError/,
    })
  })
})
