import assert from 'node:assert/strict'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { homeOf, sql, type SealedTexts, type Sql } from '@vidimus/database'
import { loadSecrets, PrivateKeyEnvelope, rotateSecret, type RotationProgress } from '@vidimus/kms-node'
import { PLACES } from '../../../../test/support/fresh-database.js'
import {
  accountNamed,
  as,
  emptyDatabase,
  hasCode,
  install,
  type Installation,
  removeFolder,
  temporaryFolder,
} from './set-up.js'

const [OLD, NEW] = ['0d'.repeat(32), 'e3'.repeat(32)]

describe('private keys during secret rotation', () => {
  let folder: string
  const running: Installation[] = []
  beforeEach(async () => {
    folder = await temporaryFolder()
  })
  afterEach(async () => {
    for (const each of running.splice(0)) await each.stop()
    await removeFolder(folder)
  })

  /** A process that keeps the secret in the file of the folder. */
  const fromFile = async () =>
    new PrivateKeyEnvelope({ secrets: loadSecrets({ value: null, directory: folder }) })
  const start = async (envelope?: PrivateKeyEnvelope) => {
    const installation = await install(folder, { envelope: envelope ?? (await fromFile()) })
    running.push(installation)
    return installation
  }
  const importKey = async (here: Installation, n: number) => {
    const key = { alias: `key ${n}`, type: 'Ed25519' as const, privateKeyHex: hexOf(n) }
    await as(await accountNamed(here, 'one'))(() => here.privateKeyStore.importKey(key))
  }
  const storedTexts = async ({ database }: Installation) =>
    (await database.query<{ sealed: string }>(sql`SELECT "privateKeyHex" AS sealed FROM "private-key"`)).map(
      ({ sealed }) => sealed,
    )
  const assertAll = async (here: Installation, count: number) => {
    const keys = await as(await accountNamed(here, 'one'))(() => here.privateKeyStore.listKeys())
    assert.deepEqual(
      new Map(keys.map(({ alias, privateKeyHex }) => [alias, privateKeyHex])),
      new Map(Array.from({ length: count }, (_, n) => [`key ${n}`, hexOf(n)])),
    )
  }

  it('are re-encrypted while older processes continue to store and read', async () => {
    const [service, other] = [await start(), await start()]
    await accountNamed(service, 'one')
    for (let n = 0; n < 40; n += 1) await importKey(service, n)
    const before = (await fromFile()).keyId
    let next = 40
    let rotated = false
    const load = [service, other].map(async (process) => {
      while (!rotated) {
        await importKey(process, next++)
        await assertOpens(process)
      }
    })
    const rotating = await start()
    const progress: RotationProgress[] = []
    const rotation = await rotateSecret({
      stores: rotating.privateKeyStore.sealedStores,
      most: 3,
      onProgress: (each) => progress.push(each),
    })
    rotated = true
    await Promise.all(load)
    await importKey(service, next++)
    assert.ok(rotation)
    assert.ok((rotation.stores[0]?.resealed ?? 0) >= 40)
    assert.ok(progress.length >= 13 && progress.every(({ resealed, total }) => resealed <= total))
    assert.ok(next > 42, 'nothing was stored meanwhile')
    const fresh = await fromFile()
    assert.deepEqual(fresh.keyIds, [rotation.keyId])
    const texts = await storedTexts(service)
    assert.equal(texts.length, next)
    assert.deepEqual([...new Set(texts.map((text) => fresh.keyIdOf(text)))], [rotation.keyId])
    assert.deepEqual(rotation.previous, [before])
    await assertAll(await start(), next)
    await assertAll(service, next)
  })

  it('stay encrypted with the old secret until the rotation begins, so that no process is locked out', async () => {
    const behind = await start(new PrivateKeyEnvelope({ secret: OLD }))
    await accountNamed(behind, 'one')
    const both = new PrivateKeyEnvelope({ secret: NEW, previous: [OLD] })
    const ahead = await start(both)
    await importKey(ahead, 0)
    await importKey(behind, 1)
    await assertAll(behind, 2)
    assert.deepEqual(
      [...new Set((await storedTexts(ahead)).map((text) => both.keyIdOf(text)))],
      [new PrivateKeyEnvelope({ secret: OLD }).keyId],
    )
  })

  it('are never stored under the old secret after the rotation has begun', async () => {
    const behind = await start(new PrivateKeyEnvelope({ secret: OLD }))
    await accountNamed(behind, 'one')
    await importKey(behind, 0)
    const ahead = await start(new PrivateKeyEnvelope({ secret: NEW, previous: [OLD] }))
    const rotation = await rotateSecret({ stores: ahead.privateKeyStore.sealedStores })
    assert.match(rotation?.advice ?? '', /KMS_SECRET_KEY_PREVIOUS/)
    await assert.rejects(importKey(behind, 1), (error: unknown) => {
      assert.ok(hasCode('wrong_secret')(error))
      assert.match(String(error), /was replaced.*restart it with the new secret/)
      return true
    })
    await assert.rejects(assertOpens(behind), hasCode('wrong_secret'))
    await assertAll(await start(new PrivateKeyEnvelope({ secret: NEW })), 1)
    await assert.rejects(start(new PrivateKeyEnvelope({ secret: OLD })), hasCode('wrong_secret'))
  })

  it('resume from any point of an interrupted rotation', async () => {
    const here = await start()
    await accountNamed(here, 'one')
    for (let n = 0; n < 12; n += 1) await importKey(here, n)
    let keyId: string | undefined
    for (let batches = 1; batches <= 4; batches += 1) {
      const interruption = new AbortController()
      let seen = 0
      const stores = (await start()).privateKeyStore.sealedStores
      const onProgress = () => {
        if (++seen === batches) interruption.abort()
      }
      await assert.rejects(
        rotateSecret({ stores, most: 1, signal: interruption.signal, onProgress }),
        hasCode('unavailable'),
      )
      keyId ??= (await fromFile()).keyId
      assert.equal((await fromFile()).keyId, keyId)
      await assertAll(here, 12)
    }
    const last = await rotateSecret({ stores: (await start()).privateKeyStore.sealedStores })
    assert.deepEqual([last?.resumed, last?.keyId, last?.stores[0]?.resealed], [true, keyId, 2])
    await assertAll(await start(), 12)
  })

  it('keep the old secret if one does not decrypt, and name its owner', async () => {
    const here = await start()
    const account = await accountNamed(here, 'one')
    for (let n = 0; n < 3; n += 1) await importKey(here, n)
    await here.database.write((connection) =>
      connection.run(sql`UPDATE "private-key" SET "privateKeyHex" = "privateKeyHex" || 'AAAA'
        WHERE alias LIKE '%key 1'`),
    )
    const rotate = () => rotateSecret({ stores: here.privateKeyStore.sealedStores })
    await assert.rejects(rotate(), (error: unknown) => {
      assert.ok(hasCode('wrong_secret')(error))
      assert.ok(String(error).includes(`${account.id} key 1 Ed25519 (private keys)`), String(error))
      return true
    })
    assert.equal((await fromFile()).keyIds.length, 2)
    await as(account)(() => here.privateKeyStore.deleteKey({ alias: 'key 1' }))
    assert.equal((await rotate())?.resumed, true)
    assert.equal((await fromFile()).keyIds.length, 1)
  })

  it('are not restored over a key that replaced one read before', async () => {
    const here = await start()
    const account = await accountNamed(here, 'one')
    await importKey(here, 0)
    await importKey(here, 1)
    const { keyId } = await (await fromFile()).replacement.begin()
    const [store] = here.privateKeyStore.sealedStores
    await store?.sealWith(keyId)
    const transaction = here.unit.transaction.bind(here.unit)
    const replaced = { alias: 'key 0', type: 'Ed25519' as const, privateKeyHex: hexOf(77) }
    here.unit.transaction = async (work, made) => {
      here.unit.transaction = transaction
      await as(account)(async () => {
        await here.privateKeyStore.deleteKey({ alias: 'key 0' })
        await here.privateKeyStore.importKey(replaced)
      })
      return transaction(work, made)
    }
    const batches = []
    for await (const batch of store?.reseal(keyId, 10) ?? []) batches.push(batch)
    assert.deepEqual(batches, [{ resealed: 1, unreadable: [] }])
    assert.deepEqual(await as(account)(() => here.privateKeyStore.getKey({ alias: 'key 0' })), replaced)
  })

  it('are not re-encrypted if their secret is missing', async () => {
    const here = await start()
    await accountNamed(here, 'one')
    await importKey(here, 0)
    const { keyId } = await fromFile()
    await rm(join(folder, 'kms-secret.key'))
    for (const noted of [true, false]) {
      if (!noted) await here.database.write((connection) => connection.run(sql`DELETE FROM secret_check`))
      await assert.rejects(start(), (error: unknown) => {
        assert.ok(hasCode('wrong_secret')(error))
        assert.match(String(error), /secret is missing.*private keys.*kms-secret\.key, and none was created/)
        assert.ok(String(error).includes(`"${keyId}"`))
        return true
      })
      assert.ok(!(await readdir(folder)).includes('kms-secret.key'))
    }
  })

  it('report every missing secret, even if the recorded one is present', async () => {
    const here = await start(new PrivateKeyEnvelope({ secret: OLD }))
    await accountNamed(here, 'one')
    await importKey(here, 0)
    const { keyId } = new PrivateKeyEnvelope({ secret: OLD })
    await here.database.write((connection) => connection.run(sql`DELETE FROM secret_check`))
    await here.privateKeyStore.sealedStores[0]?.sealWith(keyId)
    const both = await start(new PrivateKeyEnvelope({ secret: NEW, previous: [OLD] }))
    await both.privateKeyStore.sealedStores[0]?.sealWith(new PrivateKeyEnvelope({ secret: NEW }).keyId)
    await assert.rejects(start(new PrivateKeyEnvelope({ secret: NEW })), (error: unknown) => {
      assert.ok(hasCode('wrong_secret')(error) && String(error).includes(`"${keyId}"`))
      return true
    })
  })

  it('need no rotation before there is a secret', async () => {
    const here = await start(new PrivateKeyEnvelope({ secret: OLD }))
    const [store] = here.privateKeyStore.sealedStores
    assert.ok(store)
    const empty = { ...store, envelope: await fromFile() }
    assert.equal(await rotateSecret({ stores: [empty] }), undefined)
    await assert.rejects(rotateSecret({ stores: [] }), hasCode('invalid_configuration'))
    await assert.rejects(rotateSecret({ stores: [store, empty] }), hasCode('invalid_configuration'))
  })

  describe('manipulated in the database', () => {
    const change = (here: Installation, statement: Sql) =>
      here.database.write((connection) => connection.run(statement))
    const read = async (here: Installation) =>
      as(await accountNamed(here, 'one'))(() => here.privateKeyStore.getKey({ alias: 'key 0' }))

    it('are not accepted in plain text, even by the next start', async () => {
      const here = await start()
      await accountNamed(here, 'one')
      await importKey(here, 0)
      await change(here, sql`UPDATE "private-key" SET "privateKeyHex" = ${hexOf(9)}`)
      for (const process of [here, await start()]) {
        await assert.rejects(read(process), (error: unknown) => {
          assert.ok(hasCode('wrong_secret')(error) && String(error).includes('is not encrypted'))
          assert.ok(!String(error).includes(hexOf(9)))
          return true
        })
      }
      assert.deepEqual(await storedTexts(here), [hexOf(9)])
      await change(here, sql`DELETE FROM "private-key"`)
    })

    it('decrypt only for their own type and public key', async () => {
      const here = await start()
      const account = await accountNamed(here, 'one')
      const key = { kid: undefined as never, kms: 'local', type: 'Ed25519' as const, privateKeyHex: hexOf(0) }
      const { kid } = await as(account)(() => here.agent.keyManagerImport(key))
      const open = () => as(account)(() => here.privateKeyStore.getKey({ alias: kid }))
      await open()
      await change(here, sql`UPDATE "private-key" SET "type" = ${'Secp256k1'}`)
      await assert.rejects(open(), hasCode('wrong_secret'))
      await change(here, sql`UPDATE "private-key" SET "type" = ${'Ed25519'}`)
      await open()
      await change(here, sql`UPDATE "key" SET "publicKeyHex" = ${'ab'.repeat(32)}`)
      await assert.rejects(open(), /public key .* does not match its private key/)
    })

    it('are not encrypted with a forgotten secret or an unauthenticated one', async () => {
      const here = await start()
      await accountNamed(here, 'one')
      await importKey(here, 0)
      const noteOf = async () =>
        (await here.database.query<{ sealed: string }>(sql`SELECT sealed FROM secret_check`))[0]?.sealed ?? ''
      const old = await noteOf()
      const bystander = await start()
      await importKey(bystander, 1)
      await rotateSecret({ stores: here.privateKeyStore.sealedStores })
      const now = await noteOf()
      await change(here, sql`UPDATE secret_check SET sealed = ${old}`)
      for (const process of [here, bystander]) {
        await assert.rejects(importKey(process, 2), /was replaced/)
      }
      const forged = [...now.split('.').slice(0, 3), old.split('.')[3]].join('.')
      await change(here, sql`UPDATE secret_check SET sealed = ${forged}`)
      await assert.rejects(importKey(here, 2), hasCode('wrong_secret'))
      await assert.rejects(start(), hasCode('wrong_secret'))
      await change(here, sql`UPDATE secret_check SET sealed = ${now}`)
      await importKey(here, 2)
      await assertAll(here, 3)
    })
  })

  for (const place of PLACES) {
    it(`cannot be stored by a transaction that began before the rotation, on ${place}`, async () => {
      const url = await emptyDatabase(place)
      const here = await install(folder, { envelope: await fromFile(), url })
      running.push(here)
      const account = await accountNamed(here, 'one')
      // With others to be re-encrypted, PostgreSQL may see for itself that the transactions do not go together.
      const [texts] = here.privateKeyStore.sealedStores as SealedTexts<unknown>[]
      assert.ok(texts)
      const [sealed, mayCommit] = [signal(), signal()]
      const storing = here.database.write(async (connection) => {
        const text = await texts.seal(connection, hexOf(0), [account.id, 'key 0', 'Ed25519'])
        sealed.give()
        await mayCommit.given
        await connection.run(
          sql`INSERT INTO account_private_key (home, account_id, alias, stored_alias)
            VALUES (${homeOf(account.id)}, ${account.id}, 'key 0', ${`${account.id}:key 0`})`,
        )
        await connection.run(
          sql`INSERT INTO "private-key" (home, alias, type, "privateKeyHex")
            VALUES (${homeOf(account.id)}, ${`${account.id}:key 0`}, 'Ed25519', ${text})`,
        )
      })
      await sealed.given
      const waits = signal()
      const { database } = here
      const olderTransactionsEnd = database.olderTransactionsEnd.bind(database)
      database.olderTransactionsEnd = () => {
        waits.give()
        return olderTransactionsEnd()
      }
      const rotating = rotateSecret({ stores: here.privateKeyStore.sealedStores })
      // It waits, or is done with what it has found; on SQLite it waits for the transaction from the start.
      await Promise.race([rotating, waits.given, ...(place === 'SQLite' ? [sleep(100)] : [])])
      mayCommit.give()
      await Promise.all([rotating, storing])
      const { keyIds, keyId } = await fromFile()
      assert.deepEqual(keyIds, [keyId])
      assert.deepEqual([...(await texts.countSealed())], [[keyId, 1]])
      await assertAll(here, 1)
    })
  }

  async function assertOpens(here: Installation): Promise<void> {
    await as(await accountNamed(here, 'one'))(() => here.privateKeyStore.listKeys())
  }
})

const hexOf = (n: number) => n.toString(16).padStart(64, '7')

/** Something that happens once, and those that wait for it. */
function signal() {
  let give = () => undefined as void
  const given = new Promise<void>((resolve) => (give = resolve))
  return { given, give }
}
