import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { ImportedRegistration, NewRegistration } from '@vidimus/core-types'
import { sql } from '@vidimus/database'
import { PLACES } from '../../../../test/support/fresh-database.js'
import { StatusListStore } from '../index.js'
import {
  as,
  emptyDatabase,
  Envelope,
  neverUsed,
  newAccount,
  newList,
  openStore,
  type OpenStore,
  removeFolder,
  temporaryFolder,
} from './open-store.js'

const KEY = 'ab'.repeat(32)
const PAGE = { limit: 100, offset: 0 }
const DAY_MS = 86_400_000

const newCredential = (more: Partial<NewRegistration> = {}): NewRegistration => ({
  id: `urn:uuid:${randomUUID()}`,
  signingKey: KEY,
  issuedAt: '2026-01-01T00:00:00.000Z',
  ...more,
})

for (const place of PLACES) {
  describe(`CredentialRegister (${place})`, () => {
    let folder: string
    let here: OpenStore
    let now = new Date('2026-06-01T00:00:00.000Z')
    const account = newAccount()

    before(async () => {
      folder = await temporaryFolder()
      const url = place === 'PostgreSQL' ? await emptyDatabase(place) : null
      here = await openStore(folder, { url, clock: () => now })
    })
    after(async () => {
      await here.close()
      await removeFolder(folder)
    })

    const take = (credential: NewRegistration, list = newList(), who = account) =>
      as(who, async () => {
        const wanted = { lists: [list], entries: 1000, isUsed: neverUsed }
        const [index] = await here.store.indices.take([wanted], credential)
        assert.ok(index !== undefined)
        return { list, index }
      })
    const entriesOf = (credentialId: string, who = account) =>
      as(who, async () => (await here.store.register.find({ credentialId }, PAGE)).entries)
    const at = (list: ReturnType<typeof newList>, index: number, who = account) =>
      as(who, async () => (await here.store.register.find({ list, index }, PAGE)).entries)

    it('finds a credential by its id and its entry, and returns only a hash of the id', async () => {
      const credential = newCredential({ expiresAt: '2027-01-01T00:00:00.000Z' })
      const { list, index } = await take(credential)
      const [entry, ...others] = await entriesOf(credential.id)
      assert.deepEqual(others, [])
      const { credentialHash, ...rest } = entry ?? assert.fail('it is registered')
      const { issuedAt, expiresAt } = credential
      assert.deepEqual(rest, { list, index, issuedAt, expiresAt })
      assert.match(credentialHash, /^[\w-]{43}$/)
      assert.deepEqual(await at(list, index), [entry])
      assert.deepEqual(await at(list, index + 1), [])
    })

    it('hashes the same id differently in each account, and finds nothing of others', async () => {
      const credential = newCredential()
      const other = newAccount('other')
      const mine = await take(credential)
      await take(credential, newList(), other)
      const [[one], [two]] = [await entriesOf(credential.id), await entriesOf(credential.id, other)]
      assert.notEqual(one?.credentialHash, two?.credentialHash)
      assert.deepEqual(await at(mine.list, mine.index, other), [])
      assert.deepEqual(await entriesOf(credential.id, newAccount('third')), [])
    })

    it('stores neither the id nor the key of the hashes in plain text', async () => {
      const credential = newCredential()
      await take(credential)
      for (const table of [sql`"credential_entry"`, sql`"credential_register_key"`]) {
        const stored = JSON.stringify(await here.database.query(sql`SELECT * FROM ${table}`))
        assert.ok(!stored.includes(credential.id) && !stored.includes(KEY))
      }
    })

    it('takes an index and registers its credential atomically', async () => {
      const list = newList()
      const wanted = { lists: [list], entries: 1000, isUsed: neverUsed }
      const broken = newCredential({ issuedAt: null as never })
      await assert.rejects(as(account, () => here.store.indices.take([wanted], broken)))
      assert.deepEqual(await entriesOf(broken.id), [])
      const rows = await here.database.query(
        sql`SELECT 1 FROM "status_list_taken_index" t JOIN "status_list" l ON l."id" = t."list_id" WHERE l."did" = ${list.did}`,
      )
      assert.deepEqual(rows, [])
    })

    it('registers nothing if an index is unavailable', async () => {
      const list = newList()
      const named = { lists: [list], index: 7 }
      await as(account, () => here.store.indices.take([named], newCredential()))
      const late = newCredential()
      assert.deepEqual(await as(account, () => here.store.indices.take([named], late)), [undefined])
      assert.deepEqual(await entriesOf(late.id), [])
    })

    it('registers all entries of a credential, and each of them once', async () => {
      const [one, two] = [newList('one'), newList('two')]
      const credential = newCredential()
      await as(account, () =>
        here.store.indices.take(
          [
            { lists: [one, two], index: 3 },
            { lists: [one], index: 3, again: true },
          ],
          credential,
        ),
      )
      const places = (await entriesOf(credential.id)).map(({ list, index }) => [list.statusListName, index])
      assert.deepEqual(places.sort(), [
        ['one', 3],
        ['two', 3],
      ])
    })

    it('paginates the entries of an id', async () => {
      const credential = newCredential()
      const list = newList()
      for (let n = 0; n < 5; n += 1) await take(credential, list)
      const seen = await as(account, async () => {
        const indices: number[] = []
        let after: string | undefined
        do {
          const page = { limit: 2, offset: 0, ...(after !== undefined && { after }) }
          const { entries, next } = await here.store.register.find({ credentialId: credential.id }, page)
          indices.push(...entries.map(({ index }) => index))
          after = next
        } while (after !== undefined)
        return indices
      })
      assert.equal(new Set(seen).size, 5)
      assert.equal(seen.length, 5)
    })

    it('imports each credential once, however often requested', async () => {
      const list = newList()
      const rows = Array.from({ length: 450 }, (_, index): ImportedRegistration => ({
        ...newCredential(),
        list,
        index,
      }))
      const imported = (some: typeof rows) => as(account, () => here.store.register.import(some))
      assert.equal(await imported(rows.slice(0, 300)), 300)
      assert.equal(await imported(rows), 150)
      assert.equal(await imported(rows), 0)
      assert.equal((await at(list, 449)).length, 1)
    })

    it('knows when the last credential of a key expires, and whether one never expires', async () => {
      const owner = newAccount('signer')
      const signedBy = (key: string) => as(owner, () => here.store.register.signedBy(key))
      assert.deepEqual(await signedBy(KEY), { isEndless: false })
      await take(newCredential({ expiresAt: '2028-01-01T00:00:00.000Z' }), newList(), owner)
      await take(newCredential({ expiresAt: '2027-01-01T00:00:00.000Z' }), newList(), owner)
      await take(newCredential({ signingKey: 'cd'.repeat(32) }), newList(), owner)
      const last = { isEndless: false, lastExpiry: '2028-01-01T00:00:00.000Z' }
      assert.deepEqual(await signedBy(KEY), last)
      assert.deepEqual(await signedBy(KEY.toUpperCase()), last)
      assert.deepEqual(await signedBy('cd'.repeat(32)), { isEndless: true })
    })

    it('prunes what expired long enough ago, however much, and nothing else', async () => {
      const owner = newAccount('forgetful')
      const list = newList()
      const expiresAt = '2026-06-02T00:00:00.000Z'
      const gone = Array.from({ length: 450 }, (_, index): ImportedRegistration => ({
        ...newCredential({ expiresAt }),
        list,
        index,
      }))
      await as(owner, () => here.store.register.import(gone))
      const later = newCredential({ expiresAt: '2026-06-03T00:00:00.000Z' })
      const endless = newCredential()
      await take(later, newList(), owner)
      await take(endless, newList(), owner)
      const sweep = () => (here.store.register as unknown as { sweep(): Promise<void> }).sweep()
      now = new Date(Date.parse(expiresAt) + 90 * DAY_MS)
      await sweep()
      assert.equal((await at(list, 0, owner)).length, 1)
      now = new Date(now.getTime() + 1)
      await sweep()
      assert.equal((await at(list, 0, owner)).length + (await at(list, 449, owner)).length, 0)
      assert.equal((await entriesOf(later.id, owner)).length + (await entriesOf(endless.id, owner)).length, 2)
    })

    it("produces the same hashes after the installation's secret was replaced", async () => {
      const owner = newAccount('rotated')
      const credential = newCredential()
      await take(credential, newList(), owner)
      const both = new Envelope(Buffer.alloc(32, 9), Buffer.alloc(32, 7))
      const there = new StatusListStore({ database: here.database, envelope: both })
      for (const texts of there.sealedStores) {
        await texts.sealWith(both.keyId)
        for await (const { unreadable } of texts.reseal(both.keyId, 100)) assert.deepEqual(unreadable, [])
      }
      const found = await as(owner, () => there.register.find({ credentialId: credential.id }, PAGE))
      assert.equal(found.entries.length, 1)
    })
  })
}
