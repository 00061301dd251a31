import assert from 'node:assert/strict'
import type { DIDDocument, IIdentifier } from '@veramo/core-types'
import type { CheqdCreateOptions } from '../index.js'
import { refused } from './assertions.js'
import { openTestBed, type TestAgent, type TestBed } from './agent-on-ledger.js'

describe('changes of DID documents', () => {
  let bed: TestBed
  let agent: TestAgent
  let identifier: IIdentifier
  let did: string

  beforeEach(async () => {
    bed = await openTestBed()
    agent = bed.agentWith()
    identifier = await create({ network: 'testnet' })
    did = identifier.did
  })
  afterEach(() => bed.close())

  const create = (options: CheqdCreateOptions) => agent.didManagerCreate({ options })
  const resolve = async (): Promise<DIDDocument> => {
    const { didDocument } = await agent.resolveDid({ didUrl: did })
    assert.ok(didDocument)
    return didDocument
  }
  const signers = () => bed.watched.last.signatures.map(({ verificationMethodId }) => verificationMethodId)
  const publish = () => agent.linkedResourceCreate({ did, resourceName: 'r', resourceType: 'T', data: 'e30' })
  const newKey = (type: 'Ed25519' | 'Secp256r1' | 'Secp256k1' = 'Ed25519') =>
    agent.keyManagerCreate({ kms: 'local', type })
  const jwkOf = (publicKeyHex: string) => ({
    crv: 'Ed25519',
    kty: 'OKP',
    x: Buffer.from(publicKeyHex, 'hex').toString('base64url'),
  })

  describe('updateIdentifier', () => {
    it('rotates the key under the same id, signed with both keys', async () => {
      const { publicKeyHex } = await newKey()
      const document = await resolve()
      const method = { id: `${did}#key-1`, type: 'JsonWebKey2020', controller: did }
      const rotated = await agent.didManagerUpdate({
        did,
        document: { ...document, verificationMethod: [{ ...method, publicKeyJwk: jwkOf(publicKeyHex) }] },
      })
      assert.deepEqual(signers(), [`${did}#key-1`, `${did}#key-1`])
      assert.deepEqual(
        rotated.keys.map(({ kid }) => kid),
        [publicKeyHex],
      )
      assert.equal(rotated.controllerKeyId, publicKeyHex)
      assert.deepEqual((await agent.didManagerGet({ did })).keys, rotated.keys)
      await publish()
    })

    it('adds a key with one signature, by a key that stays', async () => {
      const { publicKeyHex } = await newKey()
      const document = await resolve()
      const method = {
        id: '#backup',
        type: 'JsonWebKey2020',
        controller: did,
        publicKeyJwk: jwkOf(publicKeyHex),
      }
      const updated = await agent.didManagerUpdate({
        did,
        document: {
          ...document,
          verificationMethod: [...(document.verificationMethod ?? []), method],
          assertionMethod: ['#backup'],
        },
      })
      assert.deepEqual(signers(), [`${did}#key-1`])
      assert.deepEqual(
        updated.keys.map(({ kid }) => kid),
        [identifier.keys[0]?.kid, publicKeyHex],
      )
      assert.equal(updated.controllerKeyId, identifier.controllerKeyId)
      assert.deepEqual((await resolve()).assertionMethod, [`${did}#backup`])
    })

    it('hands control to another DID of the account and back', async () => {
      const parent = await create({ network: 'testnet' })
      await agent.didManagerUpdate({ did, document: { ...(await resolve()), controller: [parent.did] } })
      assert.deepEqual(signers().sort(), [`${did}#key-1`, `${parent.did}#key-1`].sort())
      await agent.didManagerUpdate({ did, document: { ...(await resolve()), controller: did } })
      assert.deepEqual(signers().sort(), [`${did}#key-1`, `${parent.did}#key-1`].sort())
      await agent.didManagerUpdate({ did, document: { ...(await resolve()), controller: [parent.did] } })
      await agent.didManagerDelete({ did: parent.did })
      await refused(
        resolve().then((document) => agent.didManagerUpdate({ did, document: { ...document, service: [] } })),
        'key_not_found',
      )
    })

    it('refuses a document that would remove control from the account', async () => {
      const { publicKeyHex } = await bed.agentWith().keyManagerCreate({ kms: 'local', type: 'Ed25519' })
      const method = {
        id: '#key-1',
        type: 'JsonWebKey2020',
        controller: did,
        publicKeyJwk: jwkOf(publicKeyHex),
      }
      const document = { ...(await resolve()), verificationMethod: [method] }
      await assert.rejects(agent.didManagerUpdate({ did, document }), { code: 'ledger_rule' })
      await publish()
    })

    it('refuses an embedded assertion method that an update would damage on the ledger', async () => {
      const { publicKeyHex } = await bed.agentWith().keyManagerCreate({ kms: 'local', type: 'Ed25519' })
      const before = bed.watched.submitted.length
      const method = {
        id: `${did}#embedded`,
        type: 'JsonWebKey2020',
        controller: did,
        publicKeyJwk: { ...jwkOf(publicKeyHex), kid: `${did}#embedded` },
      }
      const document = { ...(await resolve()), assertionMethod: [method] }
      await assert.rejects(
        agent.didManagerUpdate({ did, document }),
        (error: { code?: string; details?: { path: string; message: string }[] }) => {
          assert.equal(error.code, 'ledger_rule')
          assert.equal(error.details?.[0]?.path, 'assertionMethod[0]')
          assert.match(error.details[0].message, /^an update of the document would damage it on the ledger/)
          return true
        },
      )
      assert.equal(bed.watched.submitted.length, before)
      const { kid: _, ...publicKeyJwk } = method.publicKeyJwk
      await agent.didManagerUpdate({
        did,
        document: { ...document, assertionMethod: [{ ...method, publicKeyJwk }] },
      })
    })

    it('does not treat another spelling of a JWK as a change', async () => {
      const other = await create({ network: 'testnet', verificationMethodType: 'JsonWebKey2020' })
      did = other.did
      const document = await resolve()
      const [method] = document.verificationMethod ?? []
      assert.ok(method)
      const { kty, crv, x } = method.publicKeyJwk ?? { kty: '' }
      await agent.didManagerUpdate({
        did,
        document: {
          ...document,
          verificationMethod: [{ ...method, publicKeyJwk: { x, kty, crv } as never }],
        },
      })
      const stored = await bed.testnet.getDidDoc(did)
      const before = bed.watched.submitted.find(
        ({ type, payload }) => type === 'createDidDoc' && 'id' in payload && payload.id === did,
      )
      assert.ok(before?.type === 'createDidDoc')
      assert.deepEqual(stored?.didDoc.verificationMethod, before.payload.verificationMethod)
    })

    it("brings the account's copy of services up to date", async () => {
      const service = [{ id: '#s', type: 'T', serviceEndpoint: 'https://example.com', priority: 3 }]
      const updated = await agent.didManagerUpdate({ did, document: { ...(await resolve()), service } })
      assert.deepEqual(updated.services, [
        { id: `${did}#s`, type: 'T', serviceEndpoint: ['https://example.com'], priority: 3 },
      ])
    })

    it('leaves the ledger alone if asked to', async () => {
      const before = bed.watched.submitted.length
      const service = [{ id: '#s', type: 'T', serviceEndpoint: 'https://example.com' }]
      const document = { ...(await resolve()), service }
      const updated = await agent.didManagerUpdate({ did, document, options: { localOnly: true } })
      assert.equal(updated.services.length, 1)
      assert.equal(bed.watched.submitted.length, before)
      assert.equal((await resolve()).service, undefined)
    })

    it('names members that the ledger cannot store', async () => {
      const document = {
        ...(await resolve()),
        proof: {},
        service: [{ id: '#s', type: 'T', serviceEndpoint: { uri: 'https://example.com' } }],
      }
      await refused(
        agent.didManagerUpdate({ did, document }),
        'invalid_input',
        'document.proof',
        'document.service[0].serviceEndpoint[0]',
      )
      const other = { ...(await resolve()), id: 'did:cheqd:testnet:3fa85f64-5717-4562-b3fc-2c963f66afa6' }
      await refused(agent.didManagerUpdate({ did, document: other }), 'invalid_input', 'document.id')
    })

    it('refuses deactivated DIDs', async () => {
      const document = await resolve()
      await agent.cheqdDeactivate({ did })
      await refused(agent.didManagerUpdate({ did, document }), 'did_deactivated', 'did')
    })
  })

  describe('deleteIdentifier', () => {
    it('removes the DID from the account, while it still resolves', async () => {
      assert.equal(await agent.didManagerDelete({ did }), true)
      await assert.rejects(agent.didManagerGet({ did }))
      assert.equal((await resolve()).id, did)
    })
  })

  describe('addKey and removeKey', () => {
    it('adds a key under the next free name and removes it with its references', async () => {
      const key = await newKey('Secp256r1')
      const written = (await agent.didManagerAddKey({ did, key: { ...key, meta: null } })) as Record<
        string,
        string
      >
      assert.equal(written.versionId, (await agent.resolveDid({ didUrl: did })).didDocumentMetadata.versionId)
      assert.match(written.txHash ?? '', /^[0-9A-F]{64}$/)
      const document = await resolve()
      assert.equal(document.verificationMethod?.[1]?.id, `${did}#key-2`)
      assert.equal(document.verificationMethod[1].type, 'JsonWebKey2020')
      assert.deepEqual(document.authentication, [`${did}#key-1`, `${did}#key-2`])
      await agent.didManagerRemoveKey({ did, kid: key.kid })
      const without = await resolve()
      assert.equal(without.verificationMethod?.length, 1)
      assert.deepEqual(without.authentication, [`${did}#key-1`])
      assert.equal((await agent.didManagerGet({ did })).keys.length, 1)
      assert.equal((await agent.keyManagerGet({ kid: key.kid })).kid, key.kid)
    })

    it('can remove the first key once there is a second', async () => {
      const key = await newKey()
      const options = {
        relationships: ['keyAgreement'],
        verificationMethodType: 'Ed25519VerificationKey2018',
      }
      await agent.didManagerAddKey({ did, key: { ...key, meta: null }, options })
      assert.deepEqual((await resolve()).keyAgreement, [`${did}#key-2`])
      await agent.didManagerRemoveKey({ did, kid: identifier.keys[0]?.kid ?? '' })
      assert.deepEqual(signers(), [`${did}#key-2`])
      const document = await resolve()
      assert.deepEqual(
        document.verificationMethod?.map(({ id }) => id),
        [`${did}#key-2`],
      )
      assert.equal(document.authentication, undefined)
      await publish()
      await agent.didManagerAddKey({ did, key: { ...(await newKey()), meta: null } })
      assert.deepEqual(
        (await resolve()).verificationMethod?.map(({ id }) => id),
        [`${did}#key-2`, `${did}#key-3`],
      )
    })

    it('writes nothing for an existing key', async () => {
      const before = bed.watched.submitted.length
      const [key] = identifier.keys
      assert.ok(key)
      const { versionId } = (await agent.resolveDid({ didUrl: did })).didDocumentMetadata
      assert.deepEqual(await agent.didManagerAddKey({ did, key }), { versionId })
      assert.equal(bed.watched.submitted.length, before)
    })

    it('refuses invalid keys', async () => {
      const key = { ...(await newKey()), meta: null }
      const secp256k1 = { ...(await newKey('Secp256k1')), meta: null }
      const add = (options: object) => agent.didManagerAddKey({ did, key, options })
      await refused(
        add({ verificationMethodType: 'Multikey' }),
        'invalid_input',
        'options.verificationMethodType',
      )
      await refused(add({ relationships: ['all'] }), 'invalid_input', 'options.relationships')
      await assert.rejects(agent.didManagerAddKey({ did, key: secp256k1 }), { code: 'invalid_input' })
      await refused(agent.didManagerRemoveKey({ did, kid: 'unknown' }), 'key_not_found', 'kid')
      await refused(
        agent.didManagerRemoveKey({ did, kid: identifier.keys[0]?.kid ?? '' }),
        'invalid_input',
        'kid',
      )
    })
  })

  describe('addService and removeService', () => {
    it('accepts ids in every form', async () => {
      for (const id of ['one', '#two', `${did}#three`]) {
        const service = { id, type: 'T', serviceEndpoint: 'https://example.com', description: 'mine' }
        await agent.didManagerAddService({ did, service })
      }
      const ids = async () => (await resolve()).service?.map(({ id }) => id.slice(did.length))
      assert.deepEqual(await ids(), ['#one', '#two', '#three'])
      for (const id of ['one', `${did}#two`]) await agent.didManagerRemoveService({ did, id })
      assert.deepEqual(await ids(), ['#three'])
    })

    it('refuses invalid services', async () => {
      const add = (service: object) =>
        agent.didManagerAddService({
          did,
          service: { id: 's', type: 'T', serviceEndpoint: 'https://a', ...service },
        })
      await refused(
        add({ serviceEndpoint: { uri: 'x' }, type: '' }),
        'invalid_input',
        'service.type',
        'service.serviceEndpoint',
      )
      await refused(add({ id: 'did:cheqd:testnet:x#s' }), 'invalid_input', 'service.id')
      await refused(add({ id: '' }), 'invalid_input', 'service.id')
      await refused(add({ id: 'key-1' }), 'invalid_input', 'service.id')
      await add({})
      await refused(add({}), 'invalid_input', 'service.id')
      await refused(agent.didManagerRemoveService({ did, id: 'x' }), 'invalid_input', 'id')
    })
  })
})
