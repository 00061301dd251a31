import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import {
  MsgCreateDidDocPayload,
  MsgDeactivateDidDocPayload,
  MsgUpdateDidDocPayload,
} from '@cheqd/ts-proto/cheqd/did/v2/index.js'
import { MsgCreateResourcePayload } from '@cheqd/ts-proto/cheqd/resource/v2/index.js'
import type { LedgerMessage } from '@vidimus/ledger'
import type { IIdentifier, TKeyType } from '@veramo/core-types'
import { heldMethods } from '../held-keys.js'
import { refused } from './assertions.js'
import { openTestBed, type TestAgent, type TestBed } from './agent-on-ledger.js'

/** The sign bytes by the code that cheqd generates from its protocol, not by ours. */
function independentBytes(message: LedgerMessage): Uint8Array {
  switch (message.type) {
    case 'createDidDoc':
      return MsgCreateDidDocPayload.encode(MsgCreateDidDocPayload.fromPartial(message.payload)).finish()
    case 'updateDidDoc':
      return MsgUpdateDidDocPayload.encode(MsgUpdateDidDocPayload.fromPartial(message.payload)).finish()
    case 'deactivateDidDoc':
      return MsgDeactivateDidDocPayload.encode(
        MsgDeactivateDidDocPayload.fromPartial(message.payload),
      ).finish()
    case 'createResource':
      return MsgCreateResourcePayload.encode(MsgCreateResourcePayload.fromPartial(message.payload)).finish()
  }
}

describe('signing of ledger messages', () => {
  let bed: TestBed
  let agent: TestAgent

  beforeEach(async () => {
    bed = await openTestBed()
    agent = bed.agentWith()
  })
  afterEach(() => bed.close())

  const didWith = async (type: TKeyType, didDocument?: object): Promise<IIdentifier> => {
    const { publicKeyHex } = await agent.keyManagerCreate({ kms: 'local', type })
    const verificationMethodType = 'JsonWebKey2020'
    const options = { network: 'testnet', publicKeyHex, verificationMethodType, didDocument }
    return agent.didManagerCreate({ options })
  }

  for (const type of ['Ed25519', 'Secp256r1'] as const) {
    it(`signs every kind of message with ${type} keys in a form that cheqd verifies`, async () => {
      const { did } = await didWith(type)
      const { didDocument } = await agent.resolveDid({ didUrl: did })
      assert.ok(didDocument)
      await agent.didManagerUpdate({
        did,
        document: { ...didDocument, alsoKnownAs: ['https://example.com'] },
      })
      const resourceName = { did, resourceName: 'list', resourceType: 'Test' }
      await agent.linkedResourceCreate({
        ...resourceName,
        data: Buffer.from('{"a":1}').toString('base64url'),
      })
      await agent.cheqdDeactivate({ did })
      const jwk = didDocument.verificationMethod?.[0]?.publicKeyJwk
      assert.ok(jwk)
      const key = createPublicKey({ key: jwk, format: 'jwk' })
      assert.deepEqual(
        bed.watched.submitted.map((message) => message.type),
        ['createDidDoc', 'updateDidDoc', 'createResource', 'deactivateDidDoc'],
      )
      for (const message of bed.watched.submitted) {
        const [proof, ...others] = message.signatures
        assert.ok(proof)
        assert.deepEqual(others, [])
        assert.equal(proof.verificationMethodId, `${did}#key-1`)
        const isValid = verify(
          type === 'Ed25519' ? null : 'sha256',
          independentBytes(message),
          key,
          proof.signature,
        )
        assert.ok(isValid, message.type)
      }
    })
  }

  it('signs as every controller, once each', async () => {
    const [first, second] = [await didWith('Ed25519'), await didWith('Secp256r1')]
    const spare = await agent.keyManagerCreate({ kms: 'local', type: 'Ed25519' })
    await agent.didManagerAddKey({ did: first.did, key: { ...spare, meta: null } })
    const child = await didWith('Ed25519', { controllers: [second.did, first.did] })
    const args = { did: child.did, resourceName: 'r', resourceType: 'T', data: 'e30' }
    await agent.linkedResourceCreate(args)
    assert.deepEqual(
      bed.watched.last.signatures.map(({ verificationMethodId }) => verificationMethodId).sort(),
      [child, first, second].map(({ did }) => `${did}#key-1`).sort(),
    )
    await agent.didManagerDelete({ did: second.did })
    const error = await refused(agent.linkedResourceCreate(args), 'key_not_found')
    assert.ok(error.message.includes(second.did))
  })

  it('finds keys by their public keys, whatever their names', async () => {
    const { did } = await didWith('Ed25519', { authentication: ['#auth-1'] })
    const other = bed.agentWith()
    const privateKeyHex = '11'.repeat(32)
    await other.didManagerImport({
      did,
      provider: 'did:cheqd',
      keys: [{ kid: 'mine', kms: 'local', type: 'Ed25519', privateKeyHex }],
    })
    const args = { did, resourceName: 'r', resourceType: 'T', data: 'e30' }
    await refused(other.linkedResourceCreate(args), 'key_not_found')
    await agent.keyManagerImport({ kid: 'yours', kms: 'local', type: 'Ed25519', privateKeyHex })
    await agent.didManagerAddKey({
      did,
      key: { ...(await agent.keyManagerGet({ kid: 'yours' })), meta: null },
    })
    assert.equal((await agent.didManagerGet({ did })).keys.length, 2)
    await other.linkedResourceCreate(args)
    assert.equal(bed.watched.last.signatures[0]?.verificationMethodId, `${did}#key-2`)
  })

  it('signs an update with one key of the old version and one of the new', async () => {
    const { did } = await didWith('Ed25519')
    const [spare, next] = [
      await agent.keyManagerCreate({ kms: 'local', type: 'Ed25519' }),
      await agent.keyManagerCreate({ kms: 'local', type: 'Ed25519' }),
    ]
    await agent.didManagerAddKey({ did, key: { ...spare, meta: null } })
    const x = Buffer.from(next.publicKeyHex, 'hex').toString('base64url')
    const method = { id: `${did}#next`, type: 'JsonWebKey2020', controller: did }
    const publicKeyJwk = { crv: 'Ed25519', kty: 'OKP', x }
    const document = { verificationMethod: [{ ...method, publicKeyJwk }], authentication: ['#next'] }
    await agent.didManagerUpdate({ did, document })
    assert.deepEqual(
      bed.watched.last.signatures.map(({ verificationMethodId }) => verificationMethodId),
      [`${did}#key-1`, `${did}#next`],
    )
  })

  it('recognises a P-256 key by its compressed and uncompressed point', async () => {
    const hexOf = (text = '') => Buffer.from(text, 'base64url').toString('hex')
    const parities = new Set<string>()
    while (parities.size < 2) {
      const { did, keys } = await didWith('Secp256r1')
      const document = await bed.testnet.getDidDoc(did)
      const [key] = keys
      assert.ok(document && key)
      parities.add(key.publicKeyHex.slice(0, 2))
      const material = document.didDoc.verificationMethod[0]?.verificationMaterial ?? ''
      const { x, y } = JSON.parse(material) as { x: string; y: string }
      const publicKeyHex = `04${hexOf(x)}${hexOf(y)}`.toUpperCase()
      assert.equal(heldMethods(document.didDoc, [key]).length, 1)
      assert.equal(heldMethods(document.didDoc, [{ ...key, publicKeyHex }]).length, 1)
      assert.equal(heldMethods(document.didDoc, [{ ...key, type: 'Ed25519' }]).length, 0)
    }
  })
})
