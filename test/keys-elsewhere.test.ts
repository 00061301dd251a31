import assert from 'node:assert/strict'
import { startingConfiguration } from '../packages/cli/src/starting-configuration.js'
import { createDid } from './behaviour/suite.js'
import type { Client } from './support/client.js'
import { emptyInstallation, PLACES } from './support/fresh-database.js'
import { ServiceHere } from './support/service-here.js'
import { until } from './support/until.js'
import { VaultDouble } from './support/vault-double.js'

const PAGE = '<html>no route</html>'

interface Key {
  kid: string
  publicKeyHex: string
}

for (const place of PLACES) {
  describe(`keys in a key service whose answers are lost (${place})`, () => {
    let vault: VaultDouble
    let url: string
    let service: ServiceHere
    let client: Client

    const start = () =>
      ServiceHere.start({
        url,
        listen: true,
        configure: (text) =>
          startingConfiguration({ database: 'sqlite', cheqd: [], kms: 'vault', publish: 'none' }, text)
            .replace('allowDeletion: false', 'allowDeletion: true')
            .replace('mount: transit', 'mount: transit\n      pauseMs: 1'),
        environment: { VAULT_ADDR: vault.url, VAULT_TOKEN: vault.token() },
      })
    before(async () => {
      vault = await VaultDouble.start()
      url = await emptyInstallation(place)
      service = await start()
      await service.agent.execute('didCreationRecover', {})
      client = await service.clientOf('issuer')
    })
    afterEach(() => Object.assign(vault, { before: undefined, dropped: undefined, sealed: false }))
    after(async () => {
      await service?.stop()
      await vault?.stop()
    })

    const newKey = async (kid?: string) =>
      (await client.ok('POST', '/agent/keyManagerCreate', {
        json: { kms: 'vault', type: 'Ed25519', ...(kid !== undefined && { kid }) },
      })) as Key
    const deletion = ({ kid }: Key) => client.post('/agent/keyManagerDelete', { json: { kid } })
    const signed = ({ kid }: Key) =>
      client.post('/agent/keyManagerSign', { json: { keyRef: kid, algorithm: 'EdDSA', data: 'x' } })
    const isThere = ({ publicKeyHex }: Key) =>
      [...vault.keys.values()].some(
        ({ publicKey }) => Buffer.from(publicKey, 'base64').toString('hex') === publicKeyHex,
      )

    it('are not erased by a deletion that is refused because a DID has got them meanwhile', async () => {
      const did = await createDid(client)
      const key = await newKey()
      let added: { status: number } | undefined
      vault.before = async (call) => {
        if (!call.startsWith('DELETE') || added) return
        added = { status: 0 }
        added = await client.post('/agent/didManagerAddKey', {
          json: { did, key: { ...key, type: 'Ed25519', kms: 'vault' } },
        })
      }
      const { status } = await deletion(key)
      await until(() => Promise.resolve((added?.status ?? 0) > 0))
      const usable = await signed(key)
      if (status === 200) assert.equal(added?.status, 400)
      else assert.deepEqual([added?.status, usable.status], [200, 200], JSON.stringify(usable.body))
    })

    it('are created once, although the answer is lost', async () => {
      const { size } = vault.keys
      vault.dropped = /^POST .*\/keys\/[\w-]+$/
      vault.before = (call) => {
        // The answer to the second attempt arrives.
        if (vault.calls.filter((each) => each === call).length > 1) vault.dropped = undefined
        return undefined
      }
      assert.equal((await signed(await newKey())).status, 200)
      assert.equal(vault.keys.size, size + 1)
    })

    it('are erased once, although the answer is lost', async () => {
      const key = await newKey()
      vault.dropped = /^DELETE/
      assert.equal((await deletion(key)).status, 200)
      await until(() => Promise.resolve(!isThere(key)))
      vault.dropped = undefined
      assert.equal((await signed(key)).status, 400)
    })

    it('are erased under a name that their caller chose', async () => {
      const key = await newKey('mine')
      assert.equal((await deletion(key)).status, 200)
      await until(() => Promise.resolve(!isThere(key)))
    })

    it('are erased by the next process if the key service was away', async () => {
      const key = await newKey()
      vault.sealed = true
      assert.equal((await deletion(key)).status, 200)
      await service.stop()
      vault.sealed = false
      assert.ok(isThere(key))
      service = await start()
      await service.agent.execute('didCreationRecover', {})
      client = await service.clientOf('issuer', false)
      await until(() => Promise.resolve(!isThere(key)))
    })

    it('are not taken for missing because of a page of something in between', async () => {
      const key = await newKey()
      const answers = [
        { status: 404, page: PAGE },
        { status: 404, body: { message: 'no Route matched' } },
        { status: 404, body: { errors: ['no handler for route "transit/sign"'] } },
        { status: 400, body: { errors: ['overloaded'] } },
      ]
      for (const answer of answers) {
        const { length } = vault.calls
        vault.before = (call) => {
          if (call.includes('/sign/')) vault.nextAnswers.push(answer)
          return undefined
        }
        const { status, body } = await signed(key)
        assert.deepEqual(
          [status, (body as { code?: string }).code],
          [503, 'unavailable'],
          JSON.stringify(body),
        )
        assert.ok(vault.calls.length > length)
      }
      vault.before = undefined
      assert.equal((await signed(key)).status, 200)
    })
  })
}
