import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent } from '@veramo/core'
import { DIDManager, MemoryDIDStore } from '@veramo/did-manager'
import { DIDResolverPlugin } from '@veramo/did-resolver'
import { KeyManager, MemoryKeyStore, MemoryPrivateKeyStore } from '@veramo/key-manager'
import { KeyManagementSystem } from '@veramo/kms-local'
import type { IDIDManager, IKeyManager, IResolver, TAgent } from '@veramo/core-types'
import { FolderDIDProvider } from '../folder-did-provider.js'
import { getFolderDidResolver } from '../folder-did-resolver.js'

type Methods = IDIDManager & IKeyManager & IResolver

/** Provider and resolver in a real agent, over a real folder. */
describe('did:folder', () => {
  let folder: string
  let agent: TAgent<Methods>
  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'did-folder-')), 'documents')
    agent = agentOver(folder)
  })
  afterEach(() => rm(join(folder, '..'), { recursive: true }))

  const agentOver = (path: string) =>
    new Agent({
      plugins: [
        new KeyManager({
          store: new MemoryKeyStore(),
          kms: { local: new KeyManagementSystem(new MemoryPrivateKeyStore()) },
        }),
        new DIDManager({
          store: new MemoryDIDStore(),
          defaultProvider: 'did:folder',
          providers: { 'did:folder': new FolderDIDProvider({ folder: path, defaultKms: 'local' }) },
        }),
        new DIDResolverPlugin(getFolderDidResolver({ folder: path })),
      ],
    }) as unknown as TAgent<Methods>
  const resolve = async (didUrl: string) => agent.resolveDid({ didUrl })

  it('creates a DID document with a key that may sign', async () => {
    const { did, keys } = await agent.didManagerCreate()
    const { didDocument, didDocumentMetadata } = await resolve(did)
    const [method] = didDocument?.verificationMethod ?? []
    assert.equal(
      method?.publicKeyJwk?.x,
      Buffer.from(keys[0]?.publicKeyHex ?? '', 'hex').toString('base64url'),
    )
    assert.deepEqual(didDocument?.assertionMethod, [method?.id])
    assert.deepEqual(didDocument?.authentication, [method?.id])
    assert.ok(didDocumentMetadata.created)
    assert.deepEqual(await readdir(folder), [`${did.slice('did:folder:'.length)}.json`])
  })

  it('survives a restart of the process', async () => {
    const { did } = await agent.didManagerCreate()
    assert.deepEqual(await agentOver(folder).resolveDid({ didUrl: did }), await resolve(did))
  })

  it('adds and removes keys and services, without losing any of many concurrent changes', async () => {
    const { did, keys } = await agent.didManagerCreate()
    const added = await agent.keyManagerCreate({ kms: 'local', type: 'Ed25519' })
    const names = Array.from({ length: 10 }, (_, n) => `service-${n}`)
    const provider = new FolderDIDProvider({ folder, defaultKms: 'local' })
    const identifier = await agent.didManagerGet({ did })
    await Promise.all([
      provider.addKey({ identifier, key: added }),
      ...names.map((id) =>
        provider.addService({
          identifier,
          service: { id, type: 'LinkedDomains', serviceEndpoint: 'https://a.test' },
        }),
      ),
    ])
    const { didDocument } = await resolve(did)
    assert.deepEqual(
      didDocument?.service?.map(({ id }) => id),
      names.map((name) => `${did}#${name}`),
    )
    assert.equal(didDocument?.verificationMethod?.length, 2)
    await agent.didManagerRemoveService({ did, id: `${did}#service-3` })
    await agent.didManagerRemoveKey({ did, kid: keys[0]?.kid ?? '' })
    const changed = (await resolve(did)).didDocument
    assert.equal(changed?.service?.length, 9)
    assert.deepEqual(changed?.assertionMethod, [`${did}#${added.kid}`])
    await assert.rejects(agent.didManagerRemoveKey({ did, kid: added.kid }), /last key/)
  })

  it('refuses keys of unsupported types and services that already exist', async () => {
    const { did } = await agent.didManagerCreate()
    const key = await agent.keyManagerCreate({ kms: 'local', type: 'Secp256k1' })
    await assert.rejects(agent.didManagerAddKey({ did, key }), /must be Ed25519/)
    const service = { id: 'one', type: 'LinkedDomains', serviceEndpoint: 'https://a.test' }
    await agent.didManagerAddService({ did, service })
    await assert.rejects(agent.didManagerAddService({ did, service }), /used already/)
  })

  it('replaces the whole document, but not its subject or controller', async () => {
    const { did, keys } = await agent.didManagerCreate()
    await agent.didManagerUpdate({ did, document: { alsoKnownAs: ['https://a.test'] } })
    const { didDocument, didDocumentMetadata } = await resolve(did)
    assert.deepEqual(didDocument?.alsoKnownAs, ['https://a.test'])
    assert.ok(didDocumentMetadata.updated)
    assert.deepEqual((await agent.didManagerGet({ did })).keys, keys)
    const other = { id: 'did:folder:another' }
    await assert.rejects(agent.didManagerUpdate({ did, document: other }), /names another DID/)
  })

  it('forgets a deleted DID but keeps its document', async () => {
    const { did } = await agent.didManagerCreate()
    const before = await resolve(did)
    await agent.didManagerDelete({ did })
    await assert.rejects(agent.didManagerGet({ did }))
    assert.deepEqual(await resolve(did), before)
  })

  for (const [did, error] of [
    ['did:folder:00000000-0000-0000-0000-000000000000', 'notFound'],
    ['did:folder:nobody', 'invalidDid'],
    ['did:folder:..%2f..%2fetc%2fpasswd', 'invalidDid'],
    ['did:folder:../../etc/passwd', 'invalidDid'],
  ] as const) {
    it(`does not resolve ${did}`, async () => {
      const { didDocument, didResolutionMetadata } = await resolve(did)
      assert.equal(didDocument, null)
      assert.equal(didResolutionMetadata.error, error)
    })
  }
})
