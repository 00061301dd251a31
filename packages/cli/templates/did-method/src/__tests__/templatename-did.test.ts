import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { Agent } from '@veramo/core'
import { DIDManager, MemoryDIDStore } from '@veramo/did-manager'
import { DIDResolverPlugin } from '@veramo/did-resolver'
import { KeyManager, MemoryKeyStore, MemoryPrivateKeyStore } from '@veramo/key-manager'
import { KeyManagementSystem } from '@veramo/kms-local'
import type { IDIDManager, IKeyManager, IResolver, TAgent } from '@veramo/core-types'
import { TemplateNameDIDProvider } from '../templatename-did-provider.js'
import { getTemplateNameDidResolver } from '../templatename-did-resolver.js'

/** Provider and resolver in a real agent. */
describe('did:templatename', () => {
  const agent = new Agent({
    plugins: [
      new KeyManager({
        store: new MemoryKeyStore(),
        kms: { local: new KeyManagementSystem(new MemoryPrivateKeyStore()) },
      }),
      new DIDManager({
        store: new MemoryDIDStore(),
        defaultProvider: 'did:templatename',
        providers: { 'did:templatename': new TemplateNameDIDProvider({ defaultKms: 'local' }) },
      }),
      new DIDResolverPlugin(getTemplateNameDidResolver()),
    ],
  }) as unknown as TAgent<IDIDManager & IKeyManager & IResolver>
  const resolve = (didUrl: string) => agent.resolveDid({ didUrl })

  it('creates DIDs that resolve to a document whose key may sign', async () => {
    const { did, keys } = await agent.didManagerCreate()
    const { didDocument } = await resolve(did)
    assert.equal(didDocument?.id, did)
    const [method] = didDocument.verificationMethod ?? []
    assert.deepEqual(didDocument.assertionMethod, [method?.id])
    const signature = await agent.keyManagerSign({ keyRef: keys[0]?.kid ?? '', data: 'hello' })
    const key = createPublicKey({ key: { ...method?.publicKeyJwk }, format: 'jwk' })
    assert.ok(verify(null, Buffer.from('hello'), key, Buffer.from(signature, 'base64url')))
  })

  it('creates a new DID each time', async () => {
    const [one, other] = await Promise.all([agent.didManagerCreate(), agent.didManagerCreate()])
    assert.notEqual(one.did, other.did)
  })

  it('reports unsupported operations and changes nothing', async () => {
    const { did } = await agent.didManagerCreate()
    const key = await agent.keyManagerCreate({ kms: 'local', type: 'Ed25519' })
    const service = { id: 'a', type: 'LinkedDomains', serviceEndpoint: 'https://a.test' }
    for (const attempt of [
      agent.didManagerAddKey({ did, key }),
      agent.didManagerRemoveKey({ did, kid: key.kid }),
      agent.didManagerAddService({ did, service }),
      agent.didManagerRemoveService({ did, id: 'a' }),
      agent.didManagerUpdate({ did, document: {} }),
    ]) {
      await assert.rejects(attempt, /^Error: not_supported: /)
    }
  })

  for (const did of ['did:templatename:', 'did:templatename:abc', `did:templatename:${'AB'.repeat(32)}`]) {
    it(`does not resolve ${did}`, async () => {
      const { didDocument, didResolutionMetadata } = await resolve(did)
      assert.equal(didDocument, null)
      assert.equal(didResolutionMetadata.error, 'invalidDid')
    })
  }
})
