import assert from 'node:assert/strict'
import { createECDH } from 'node:crypto'
import type { Account, IKeyFinding } from '@vidimus/core-types'
import type { IKeyManager, TAgent } from '@veramo/core-types'
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

for (const place of PLACES) {
  describe(`key names (${place})`, () => {
    let folder: string
    let here: Installation
    let agent: TAgent<IKeyManager & IKeyFinding>
    let one: Account
    let other: Account
    before(async () => {
      folder = await temporaryFolder()
      here = await install(folder, { url: await emptyDatabase(place) })
      agent = here.agent as unknown as typeof agent
      one = await accountNamed(here, 'one')
      other = await accountNamed(here, 'other')
    })
    after(async () => {
      await here.stop()
      await removeFolder(folder)
    })

    const create = (kid?: string, type: 'Ed25519' | 'Secp256r1' = 'Ed25519') =>
      agent.keyManagerCreate({ kms: 'local', type, ...(kid !== undefined && { kid }) })

    it('are public keys or names chosen by callers', async () => {
      await as(one)(async () => {
        const { kid, publicKeyHex } = await create()
        assert.equal(kid, publicKeyHex)
        assert.equal((await create('signing key')).kid, 'signing key')
        await assert.rejects(create('signing key'), hasCode('alias_taken'))
        await create('x'.repeat(255))
        await assert.rejects(create('x'.repeat(256)), hasCode('invalid_input'))
      })
    })

    it('must not look like the public key of another key', async () => {
      const theirs = await as(one)(() => create())
      const { publicKeyHex: point } = await as(one)(() => create(undefined, 'Secp256r1'))
      const whole = createECDH('prime256v1')
      whole.generateKeys()
      const names = [
        theirs.kid,
        theirs.kid.toUpperCase(),
        `0x${theirs.kid}`,
        point,
        whole.getPublicKey('hex'),
      ]
      names.push(whole.getPublicKey('hex').slice(2), '00'.repeat(32))
      const before = await as(other)(() => here.keyStore.listKeys())
      for (const kid of names) {
        const attempts: (() => Promise<unknown>)[] = [
          () => create(kid),
          () =>
            agent.keyManagerImport({ kms: 'local', type: 'Ed25519', privateKeyHex: '01'.repeat(32), kid }),
          () =>
            here.keyStore.importKey({ kid, kms: 'local', type: 'Ed25519', publicKeyHex: 'ab'.repeat(32) }),
        ]
        for (const attempt of attempts) {
          await assert.rejects(as(other)(attempt), hasCode('invalid_input'), kid)
        }
      }
      assert.deepEqual(await as(other)(() => here.keyStore.listKeys()), before)
      assert.deepEqual(await as(other)(() => here.privateKeyStore.listKeys()), [])
    })

    it("may be the key's own public key in another spelling", async () => {
      const ecdh = createECDH('prime256v1')
      const privateKeyHex = ecdh.generateKeys() && ecdh.getPrivateKey('hex').padStart(64, '0')
      const kid = ecdh.getPublicKey('hex').toUpperCase()
      const key = await as(other)(() =>
        agent.keyManagerImport({ kms: 'local', type: 'Secp256r1', privateKeyHex, kid }),
      )
      assert.equal(key.kid, kid)
    })

    it('do not affect lookups by public key', async () => {
      await as(one)(async () => {
        const keys = [await create(), await create('by another name'), await create(undefined, 'Secp256r1')]
        const publicKeys = keys.map(({ type, publicKeyHex }) => ({
          type,
          publicKeyHex: publicKeyHex.toUpperCase(),
        }))
        const found = await agent.keyManagerFind({ publicKeys })
        assert.deepEqual(found.map(({ kid }) => kid).sort(), keys.map(({ kid }) => kid).sort())
        const ofOtherType = publicKeys.map(({ publicKeyHex }) => ({ type: 'X25519' as const, publicKeyHex }))
        assert.deepEqual(await agent.keyManagerFind({ publicKeys: ofOtherType }), [])
        assert.deepEqual(await as(other)(() => agent.keyManagerFind({ publicKeys })), [])
        await assert.rejects(agent.keyManagerFind({} as never), hasCode('invalid_input'))
      })
    })
  })
}
