import assert from 'node:assert/strict'
import { ed25519 } from '@noble/curves/ed25519'
import type { Account } from '@vidimus/core-types'
import { sql } from '@vidimus/database'
import {
  accountNamed,
  as,
  count,
  countAll,
  hasCode,
  install,
  removeFolder,
  temporaryFolder,
  type Installation,
} from './set-up.js'

const PRIVATE_KEY = 'a7'.repeat(32)
const service = (id: string, serviceEndpoint: string | Record<string, unknown> = 'https://a.example') => ({
  id,
  type: 'LinkedDomains',
  serviceEndpoint,
})

for (const kms of ['kms-node', 'kms-local'] as const) {
  describe(`account stores with ${kms}`, () => {
    let folder: string
    let here: Installation
    let one: Account
    let two: Account

    beforeEach(async () => {
      folder = await temporaryFolder()
      here = await install(folder, { kms })
      one = await accountNamed(here, 'one')
      two = await accountNamed(here, 'two')
    })
    afterEach(async () => {
      await here.stop()
      await removeFolder(folder)
    })

    const signs = async (account: Account, kid: string) => {
      const { publicKeyHex } = await as(account)(() => here.agent.keyManagerGet({ kid }))
      const signature = await as(account)(() => here.agent.keyManagerSign({ keyRef: kid, data: 'x' }))
      return ed25519.verify(
        Uint8Array.from(Buffer.from(signature, 'base64url')),
        Buffer.from('x'),
        Uint8Array.from(Buffer.from(publicKeyHex, 'hex')),
      )
    }
    const importKey = (account: Account, kid: string, meta?: Record<string, unknown>) =>
      as(account)(() =>
        here.agent.keyManagerImport({
          kid,
          kms: 'local',
          type: 'Ed25519',
          privateKeyHex: PRIVATE_KEY,
          ...(meta && { meta }),
        }),
      )

    describe('keys', () => {
      it('are created, read, used, listed and deleted', async () => {
        const made = await as(one)(() => here.agent.keyManagerCreate({ kms: 'local', type: 'Ed25519' }))
        assert.deepEqual(await as(one)(() => here.agent.keyManagerGet({ kid: made.kid })), made)
        assert.deepEqual(await as(one)(() => here.keyStore.listKeys()), [made])
        assert.ok(await signs(one, made.kid))
        assert.equal(await as(one)(() => here.agent.keyManagerDelete({ kid: made.kid })), true)
        await assert.rejects(signs(one, made.kid), hasCode('key_not_found'))
        assert.deepEqual(await countAll(here), {})
      })

      it('with the same kid belong to each account that imports them', async () => {
        await importKey(one, 'mine')
        await importKey(two, 'mine')
        assert.equal(await count(here, 'private-key'), 2)
        await as(one)(() => here.agent.keyManagerDelete({ kid: 'mine' }))
        assert.ok(await signs(two, 'mine'))
        await assert.rejects(signs(one, 'mine'), hasCode('key_not_found'))
        assert.deepEqual(await as(one)(() => here.privateKeyStore.listKeys()), [])
        assert.equal((await as(two)(() => here.privateKeyStore.listKeys())).length, 1)
        assert.deepEqual(await as(one)(() => here.keyStore.listKeys()), [])
        assert.equal((await as(two)(() => here.keyStore.listKeys())).length, 1)
      })

      it('with the same kid may differ between accounts', async () => {
        const [a, b] = [one, two].map((account) =>
          as(account)(() => here.agent.keyManagerCreate({ kms: 'local', type: 'Ed25519', kid: 'same' })),
        )
        assert.notEqual((await a)?.publicKeyHex, (await b)?.publicKeyHex)
        assert.ok((await signs(one, 'same')) && (await signs(two, 'same')))
      })

      it('can be imported again, in either form', async () => {
        const first = await importKey(one, 'mine')
        const publicHalf = Buffer.from(ed25519.getPublicKey(Buffer.from(PRIVATE_KEY, 'hex'))).toString('hex')
        const again = await as(one)(() =>
          here.agent.keyManagerImport({
            kid: 'mine',
            kms: 'local',
            type: 'Ed25519',
            privateKeyHex: PRIVATE_KEY + publicHalf,
          }),
        )
        assert.deepEqual(again, first)
        assert.equal(await count(here, 'private-key'), 1)
      })

      it('never replace one another', async () => {
        await importKey(one, 'mine')
        const other = { kid: 'mine', kms: 'local', type: 'Ed25519', privateKeyHex: 'b8'.repeat(32) } as const
        await assert.rejects(
          as(one)(() => here.agent.keyManagerImport(other)),
          hasCode('alias_taken'),
        )
        await assert.rejects(
          as(one)(() => here.agent.keyManagerCreate({ kms: 'local', type: 'Ed25519', kid: 'mine' })),
          hasCode('alias_taken'),
        )
        const { type, kms, publicKeyHex } = await as(one)(() => here.agent.keyManagerGet({ kid: 'mine' }))
        await assert.rejects(
          as(one)(() =>
            here.keyStore.importKey({
              kid: 'mine',
              type,
              kms,
              publicKeyHex: publicKeyHex.replace(/^./, 'x'),
            }),
          ),
          hasCode('alias_taken'),
        )
        assert.ok(await signs(one, 'mine'))
      })

      it('have a label that is unique within the account', async () => {
        await importKey(one, 'first', { alias: 'signer' })
        await importKey(two, 'first', { alias: 'signer' })
        const second = {
          kid: 'second',
          kms: 'local',
          type: 'Ed25519',
          privateKeyHex: 'b8'.repeat(32),
        } as const
        await assert.rejects(
          as(one)(() => here.agent.keyManagerImport({ ...second, meta: { alias: 'signer' } })),
          hasCode('alias_taken'),
        )
        // Nothing of the refused call is left.
        assert.equal(await count(here, 'private-key'), 2)
        await importKey(one, 'first')
        const { meta } = await as(one)(() => here.agent.keyManagerGet({ kid: 'first' }))
        assert.equal(meta?.alias, 'signer')
        await as(one)(() => here.agent.keyManagerImport({ ...second, meta: { alias: 'other' } }))
      })

      it('are encrypted in the database', async () => {
        await importKey(one, 'mine')
        const [row] = await here.database.query<{ privateKeyHex: string }>(
          sql`SELECT "privateKeyHex" FROM "private-key"`,
        )
        assert.match(row?.privateKeyHex ?? '', /^v1\./)
      })

      it('do not decrypt in the row of another account', async () => {
        await importKey(one, 'mine')
        await as(two)(() => here.agent.keyManagerCreate({ kms: 'local', type: 'Ed25519', kid: 'mine' }))
        await here.database.write((connection) =>
          connection.run(
            sql`UPDATE "private-key" SET "privateKeyHex" = (SELECT "privateKeyHex" FROM "private-key"
              WHERE alias = ${`${one.id}:mine`}) WHERE alias = ${`${two.id}:mine`}`,
          ),
        )
        await assert.rejects(
          as(two)(() => here.privateKeyStore.getKey({ alias: 'mine' })),
          hasCode('wrong_secret'),
        )
      })
    })

    describe('DIDs', () => {
      const create = (account: Account, alias?: string, options?: Record<string, unknown>) =>
        as(account)(() =>
          here.agent.didManagerCreate({ ...(alias && { alias }), ...(options && { options }) }),
        )
      const importDID = (account: Account, did: string, more: Record<string, unknown> = {}) =>
        as(account)(() =>
          here.agent.didManagerImport({
            did,
            provider: 'did:web',
            controllerKeyId: 'k',
            keys: [{ kid: 'k', kms: 'local', type: 'Ed25519', privateKeyHex: PRIVATE_KEY }],
            services: [service(`${did}#svc`)],
            ...more,
          }),
        )
      const get = (account: Account, did: string) => as(account)(() => here.agent.didManagerGet({ did }))

      it('are created, read, found and deleted, while their keys stay', async () => {
        const made = await create(one, 'mine')
        assert.deepEqual(await get(one, made.did), made)
        assert.deepEqual(await as(one)(() => here.agent.didManagerGetByAlias({ alias: 'mine' })), made)
        for (const filter of [
          {},
          { alias: 'mine' },
          { provider: 'did:key' },
          { alias: 'mine', provider: 'did:key' },
        ]) {
          assert.deepEqual(await as(one)(() => here.agent.didManagerFind(filter)), [made])
        }
        assert.deepEqual(await as(one)(() => here.agent.didManagerFind({ provider: 'did:web' })), [])
        assert.ok(await signs(one, made.controllerKeyId ?? ''))
        assert.equal(await as(one)(() => here.agent.didManagerDelete({ did: made.did })), true)
        assert.deepEqual(await countAll(here), {
          'private-key': 1,
          account_key: 1,
          account_private_key: 1,
          key: 1,
        })
        assert.ok(await signs(one, made.controllerKeyId ?? ''))
        await assert.rejects(get(one, made.did), hasCode('did_not_found'))
      })

      it('are not shared with other accounts', async () => {
        const made = await create(one, 'mine')
        await assert.rejects(get(two, made.did), hasCode('did_not_found'))
        await assert.rejects(
          as(two)(() => here.agent.didManagerGetByAlias({ alias: 'mine' })),
          hasCode('did_not_found'),
        )
        await assert.rejects(
          as(two)(() => here.agent.didManagerDelete({ did: made.did })),
          hasCode('did_not_found'),
        )
        await assert.rejects(
          as(two)(() => here.agent.keyManagerSign({ keyRef: made.controllerKeyId ?? '', data: 'x' })),
          hasCode('key_not_found'),
        )
        await assert.rejects(
          as(two)(() =>
            here.agent.didManagerAddKey({ did: made.did, key: made.keys[0]!, options: { localOnly: true } }),
          ),
          hasCode('did_not_found'),
        )
        assert.deepEqual(await as(two)(() => here.agent.didManagerFind()), [])
        assert.deepEqual(await get(one, made.did), made)
      })

      it('with the same name, alias and service id may be held by two accounts, and deleting one leaves the other', async () => {
        await importDID(one, 'did:web:a.example', { alias: 'shared' })
        await importDID(two, 'did:web:a.example', { alias: 'shared' })
        const before = await get(two, 'did:web:a.example')
        await as(one)(() => here.didStore.deleteDID({ did: 'did:web:a.example' }))
        await as(one)(() => here.agent.keyManagerDelete({ kid: 'k' }))
        assert.deepEqual(await get(two, 'did:web:a.example'), before)
        assert.equal(before.services.length, 1)
        assert.ok(await signs(two, 'k'))
        await assert.rejects(get(one, 'did:web:a.example'), hasCode('did_not_found'))
      })

      it('of the same account may share a key and service ids', async () => {
        await importDID(one, 'did:web:a.example', { services: [service('#svc', 'https://a.example')] })
        await importDID(one, 'did:web:b.example', { services: [service('#svc', 'https://b.example')] })
        const [a, b] = [await get(one, 'did:web:a.example'), await get(one, 'did:web:b.example')]
        assert.deepEqual(a.keys, b.keys)
        assert.deepEqual(
          [a, b].map(({ services }) => services[0]?.serviceEndpoint),
          ['https://a.example', 'https://b.example'],
        )
      })

      it('have one alias each', async () => {
        const made = await create(one, 'mine')
        await assert.rejects(create(one, 'mine'), hasCode('alias_taken'))
        await create(two, 'mine')
        const other = await create(one, 'other')
        await assert.rejects(
          as(one)(() => here.agent.didManagerSetAlias({ did: other.did, alias: 'mine' })),
          hasCode('alias_taken'),
        )
        assert.equal((await get(one, other.did)).alias, 'other')
        await as(one)(() => here.agent.didManagerSetAlias({ did: made.did, alias: 'renamed' }))
        await as(one)(() => here.agent.didManagerSetAlias({ did: other.did, alias: 'mine' }))
        assert.equal((await as(one)(() => here.agent.didManagerGetByAlias({ alias: 'mine' }))).did, other.did)
        // The key of the refused DID is gone with it.
        assert.equal(await count(here, 'key'), 3)
      })

      it('keep their alias if it is omitted, and lose it if it is empty', async () => {
        const { did, provider, keys, services } = await create(one, 'mine')
        await as(one)(() => here.didStore.importDID({ did, provider, keys, services }))
        assert.equal((await get(one, did)).alias, 'mine')
        await as(one)(() => here.didStore.importDID({ did, provider, keys, services, alias: '' }))
        assert.equal((await get(one, did)).alias, undefined)
      })

      it('are replaced as a whole', async () => {
        const did = 'did:web:a.example'
        await importDID(one, did)
        const extra = await as(one)(() => here.agent.keyManagerCreate({ kms: 'local', type: 'Ed25519' }))
        const local = { localOnly: true }
        await as(one)(() =>
          here.agent.didManagerAddKey({ did, key: extra, options: local }).catch(() => undefined),
        )
        const identifier = await get(one, did)
        await as(one)(() =>
          here.didStore.importDID({ ...identifier, keys: [extra], services: [service('#1'), service('#0')] }),
        )
        const replaced = await get(one, did)
        assert.deepEqual(
          replaced.keys.map(({ kid }) => kid),
          [extra.kid],
        )
        assert.deepEqual(
          replaced.services.map(({ id }) => id),
          ['#1', '#0'],
        )
        assert.equal(replaced.controllerKeyId, 'k')
        assert.equal(await count(here, 'service'), 2)
        // Unlinked is not deleted.
        assert.ok(await signs(one, 'k'))
      })

      it('can only refer to keys that the account holds', async () => {
        await importKey(two, 'theirs')
        const theirs = await as(two)(() => here.agent.keyManagerGet({ kid: 'theirs' }))
        await assert.rejects(
          as(one)(() =>
            here.didStore.importDID({ did: 'did:web:x', provider: 'did:web', keys: [theirs], services: [] }),
          ),
          (error: unknown) => {
            assert.ok(hasCode('key_not_found')(error))
            assert.match(String(error), /theirs/)
            return true
          },
        )
        assert.equal(await count(here, 'account_did'), 0)
      })

      it('return every form of service endpoint unchanged, alone and in a list', async () => {
        const endpoints = [
          '123',
          'true',
          'https://a.example',
          '{not json',
          { uri: 'https://a.example' },
          ['https://a.example', { x: 1 }],
        ]
        const did = 'did:web:a.example'
        await importDID(one, did, {
          services: endpoints.map((serviceEndpoint, n) => ({ ...service(`#${n}`), serviceEndpoint })),
        })
        const [listed] = await as(one)(() => here.agent.didManagerFind())
        for (const identifier of [listed, await get(one, did)]) {
          assert.deepEqual(
            identifier?.services.map(({ serviceEndpoint }) => serviceEndpoint),
            endpoints,
          )
        }
        assert.deepEqual(listed, await get(one, did))
      })

      it('refuse malformed identifiers completely', async () => {
        const good = { did: 'did:web:a', provider: 'did:web', keys: [], services: [] }
        for (const bad of [
          { ...good, did: '' },
          { ...good, did: null },
          { ...good, provider: undefined },
          { ...good, keys: null },
          { ...good, keys: [{ kid: '' }] },
          { ...good, keys: [null] },
          { ...good, services: [{ id: '#a', type: 'x' }] },
          { ...good, services: [service('#a'), service('#a')] },
          { ...good, alias: 1 },
        ]) {
          const call = as(one)(() =>
            here.didStore.importDID(bad as unknown as Parameters<typeof here.didStore.importDID>[0]),
          )
          await assert.rejects(call, hasCode('invalid_input'), JSON.stringify(bad))
        }
        assert.deepEqual(await countAll(here), {})
      })
    })

    it('treats a missing id as an error, never as a wildcard', async () => {
      const made = await as(one)(() => here.agent.didManagerCreate())
      const calls: [string, unknown][] = [undefined, null, '', 0, {}, []].flatMap((id) => [
        ['keyManagerGet', { kid: id }],
        ['keyManagerDelete', { kid: id }],
        ['keyManagerSign', { keyRef: id, data: 'x' }],
        ['didManagerGet', { did: id }],
        ['didManagerDelete', { did: id }],
        ['didManagerGetByAlias', { alias: id }],
        ['didManagerSetAlias', { did: id, alias: 'x' }],
      ])
      for (const [method, args] of [...calls, ['keyManagerDelete', undefined] as [string, unknown]]) {
        await assert.rejects(
          as(one)(() => here.agent.execute(method, args)),
          hasCode('invalid_input'),
          `${method} ${JSON.stringify(args)}`,
        )
      }
      assert.deepEqual(await as(one)(() => here.agent.didManagerGet({ did: made.did })), made)
    })

    it('does nothing outside an account scope', async () => {
      const made = await as(one)(() => here.agent.didManagerCreate({ alias: 'mine' }))
      const kid = made.controllerKeyId ?? ''
      const { did } = made
      for (const call of [
        () => here.agent.keyManagerCreate({ kms: 'local', type: 'Ed25519' }),
        () => here.agent.keyManagerGet({ kid }),
        () => here.agent.keyManagerSign({ keyRef: kid, data: 'x' }),
        () => here.agent.keyManagerDelete({ kid }),
        () => here.agent.didManagerCreate(),
        () => here.agent.didManagerCreate({ alias: 'x' }),
        () => here.agent.didManagerGet({ did }),
        () => here.agent.didManagerFind(),
        () => here.agent.didManagerDelete({ did }),
        () => here.agent.didManagerGetByAlias({ alias: 'mine' }),
        () => here.agent.didCreationRecord({ identifier: made }),
        () => here.keyStore.listKeys(),
        () => here.privateKeyStore.listKeys(),
        () => here.privateKeyStore.getKey({ alias: kid }),
        () => here.didStore.deleteDID({ did }),
      ]) {
        await assert.rejects(call, hasCode('no_account_scope'), String(call))
      }
      assert.deepEqual(await as(one)(() => here.agent.didManagerGet({ did })), made)
    })
  })
}
