import assert from 'node:assert/strict'
import { normaliseMessage, type DidDocPayload } from '../index.js'
import { createDid, createResource, deactivateDid, didDoc, ed25519Key, newDid } from './signing.js'

describe('normaliseMessage', () => {
  const did = newDid()
  const upper = did.replace(/[^:]+$/, (id) => id.toUpperCase())

  it('lowercases the UUIDs in every id', () => {
    const documentOf = (id: string): DidDocPayload => ({
      ...didDoc(id, [ed25519Key()]),
      assertionMethod: [`${id}#key-1`, '"{}"'],
      capabilityInvocation: [`${id}#KEY`],
      capabilityDelegation: [`${id}#a`],
      keyAgreement: [`${id}#b`],
      service: [
        {
          id: `${id}#s`,
          serviceType: 'X',
          serviceEndpoint: [upper],
          recipientKeys: [],
          routingKeys: [],
          accept: [],
          priority: 0,
        },
      ],
      alsoKnownAs: [upper],
      versionId: id === did ? 'abc' : 'ABC',
    })
    const { verificationMethod } = documentOf(did)
    const expected = { ...documentOf(did), verificationMethod }
    const payload = {
      ...documentOf(upper),
      verificationMethod: verificationMethod.map((method) => ({
        ...method,
        id: `${upper}#key-1`,
        controller: upper,
      })),
    }
    assert.deepEqual(normaliseMessage({ type: 'createDidDoc', payload }).payload, expected)
  })

  it('also normalises deactivations and resources, but not their texts', () => {
    assert.equal(normaliseMessage(deactivateDid(upper)).payload.id, did)
    const { payload } = normaliseMessage(
      createResource(upper, { id: upper.split(':')[3] ?? '', name: 'LIST' }),
    )
    assert.equal(payload.collectionId, did.split(':')[3])
    assert.equal(payload.id, did.split(':')[3])
    assert.equal(payload.name, 'LIST')
  })

  it('changes neither base58 ids nor its argument', () => {
    const message = createDid(didDoc('did:cheqd:testnet:BttdoaxtC5JkYJoLeGV8ny', [ed25519Key()]))
    const before = structuredClone(message)
    assert.deepEqual(normaliseMessage(message).payload, before.payload)
    normaliseMessage(createDid(didDoc(upper, [])))
    assert.deepEqual(message, before)
  })
})
