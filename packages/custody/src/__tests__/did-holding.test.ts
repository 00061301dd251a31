import assert from 'node:assert/strict'
import type { IAgentContext } from '@veramo/core-types'
import { isAgentError, type DIDAct, type IDIDHolding } from '@vidimus/core-types'
import type { DIDDocument } from 'did-resolver'
import {
  accountNamed,
  as,
  emptyDatabase,
  install,
  type Installation,
  removeFolder,
  temporaryFolder,
} from './set-up.js'
import { PLACES } from '../../../../test/support/fresh-database.js'
import { createForeignKey } from '../../../credentials/src/__tests__/foreign-signer.js'

const DID = 'did:test:controlled'
const CONTROLLER = 'did:test:controller'

for (const place of PLACES) {
  describe(`keys through which an account holds a DID (${place})`, () => {
    let folder: string
    let here: Installation
    const documents = new Map<string, DIDDocument>()
    const test = (did: string) =>
      Promise.resolve({
        didDocument: documents.get(did) ?? null,
        didDocumentMetadata: {},
        didResolutionMetadata: {},
      })
    before(async () => {
      folder = await temporaryFolder()
      here = await install(folder, {
        url: await emptyDatabase(place),
        resolvers: { test },
      })
    })
    after(async () => {
      await here.stop()
      await removeFolder(folder)
    })

    const heldFor = (act: DIDAct) =>
      (here.agent as unknown as IAgentContext<IDIDHolding>['agent']).didHeldKey({ did: DID, act })
    const isNotHeld = (error: unknown) => isAgentError(error) && error.code === 'key_not_found'
    const importDid = (did: string, key: { privateKeyHex: string; kid?: string }) =>
      here.agent.didManagerImport({
        did,
        provider: 'did:key',
        keys: [{ type: 'Ed25519', kms: 'local', ...key }],
      })
    const publish = (did: string, { jwk }: ReturnType<typeof createForeignKey>, controller?: string) => {
      const method = { id: `${did}#key-1`, type: 'JsonWebKey2020', controller: did, publicKeyJwk: jwk }
      documents.set(did, { id: did, verificationMethod: [method], ...(controller && { controller }) })
    }

    it('are identified by their material, not their name, and belong to a controller if the DID has none', async () => {
      const [published, controlling, other] = [createForeignKey(), createForeignKey(), createForeignKey()]
      publish(DID, published, CONTROLLER)
      publish(CONTROLLER, controlling)
      await as(await accountNamed(here, 'one'))(async () => {
        const name = Buffer.from(published.bytes).toString('hex')
        await assert.rejects(importDid(DID, { privateKeyHex: other.privateKeyHex, kid: name }))
        await importDid(DID, { privateKeyHex: other.privateKeyHex, kid: 'a key of another name' })
        await assert.rejects(heldFor('publish'), isNotHeld)
        await importDid(CONTROLLER, { privateKeyHex: controlling.privateKeyHex })
        assert.equal((await heldFor('publish')).methodId, `${CONTROLLER}#key-1`)
        await assert.rejects(heldFor('authentication'), isNotHeld)
      })
    })

    it('are those in the current document', async () => {
      const [former, next] = [createForeignKey(), createForeignKey()]
      publish(DID, former)
      await as(await accountNamed(here, 'former'))(async () => {
        await importDid(DID, { privateKeyHex: former.privateKeyHex })
        assert.equal((await heldFor('publish')).methodId, `${DID}#key-1`)
        publish(DID, next)
        await assert.rejects(heldFor('publish'), isNotHeld)
        const renamed = { privateKeyHex: former.privateKeyHex, kid: 'renamed' }
        await importDid(DID, renamed)
        await assert.rejects(heldFor('publish'), isNotHeld)
      })
    })

    it('sign through a holding of this account alone, which no copy of it passes for', async () => {
      const published = createForeignKey()
      publish(DID, published)
      const agent = here.agent as unknown as IAgentContext<IDIDHolding>['agent']
      const holder = await accountNamed(here, 'holder')
      const isNoHolding = (error: unknown) => isAgentError(error) && error.code === 'invalid_input'
      const holding = await as(holder)(async () => {
        await importDid(DID, { privateKeyHex: published.privateKeyHex })
        const made = await agent.didHolding({ did: DID, purpose: 'publish' })
        assert.deepEqual([made.did, made.document, made.methodId], [DID, documents.get(DID), `${DID}#key-1`])
        const [header = ''] = (await agent.didSign({ holding: made, payload: { a: 1 } })).split('.')
        const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string }
        assert.equal(kid, `${DID}#key-1`)
        const copy = JSON.parse(JSON.stringify(made)) as typeof made
        for (const forged of [copy, undefined as never, null as never])
          await assert.rejects(agent.didSign({ holding: forged, payload: {} }), isNoHolding)
        return made
      })
      await as(await accountNamed(here, 'another'))(() =>
        assert.rejects(agent.didSign({ holding, payload: {} }), isNoHolding),
      )
    })
  })
}
