import assert from 'node:assert/strict'
import * as didProto from '@cheqd/ts-proto/cheqd/did/v2/index.js'
import * as resourceProto from '@cheqd/ts-proto/cheqd/resource/v2/index.js'
import { Any } from '@cheqd/ts-proto/google/protobuf/any.js'
import fc from 'fast-check'
import { encodeMessage, signBytes } from '../index.js'
import type { DidDocPayload, LedgerMessage, ResourcePayload } from '../index.js'

/** Objects with a prototype, as decoders make them. */
const record = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(model, { noNullPrototype: true })

const text = fc.string({ unit: 'grapheme', maxLength: 40 })
const texts = fc.array(text, { maxLength: 4 })
const bytes = fc.uint8Array({ maxLength: 300 })

const didDocPayload: fc.Arbitrary<DidDocPayload> = record({
  context: texts,
  id: text,
  controller: texts,
  verificationMethod: fc.array(
    record({ id: text, verificationMethodType: text, controller: text, verificationMaterial: text }),
    { maxLength: 3 },
  ),
  authentication: texts,
  assertionMethod: texts,
  capabilityInvocation: texts,
  capabilityDelegation: texts,
  keyAgreement: texts,
  service: fc.array(
    record({
      id: text,
      serviceType: text,
      serviceEndpoint: texts,
      recipientKeys: texts,
      routingKeys: texts,
      accept: texts,
      priority: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff_ffff })),
    }),
    { maxLength: 3 },
  ),
  alsoKnownAs: texts,
  versionId: text,
})
const resourcePayload: fc.Arbitrary<ResourcePayload> = record({
  data: bytes,
  collectionId: text,
  id: text,
  name: text,
  version: text,
  resourceType: text,
  alsoKnownAs: fc.array(record({ uri: text, description: text }), { maxLength: 3 }),
})
const deactivatePayload = record({ id: text, versionId: text })
const signatures = fc.array(record({ verificationMethodId: text, signature: bytes }), { maxLength: 3 })

const message: fc.Arbitrary<LedgerMessage> = fc.oneof(
  record({ type: fc.constant('createDidDoc' as const), payload: didDocPayload, signatures }),
  record({ type: fc.constant('updateDidDoc' as const), payload: didDocPayload, signatures }),
  record({ type: fc.constant('deactivateDidDoc' as const), payload: deactivatePayload, signatures }),
  record({ type: fc.constant('createResource' as const), payload: resourcePayload, signatures }),
)

const payloadCodecs = {
  createDidDoc: didProto.MsgCreateDidDocPayload,
  updateDidDoc: didProto.MsgUpdateDidDocPayload,
  deactivateDidDoc: didProto.MsgDeactivateDidDocPayload,
  createResource: resourceProto.MsgCreateResourcePayload,
}
const messageCodecs = {
  '/cheqd.did.v2.MsgCreateDidDoc': didProto.MsgCreateDidDoc,
  '/cheqd.did.v2.MsgUpdateDidDoc': didProto.MsgUpdateDidDoc,
  '/cheqd.did.v2.MsgDeactivateDidDoc': didProto.MsgDeactivateDidDoc,
  '/cheqd.resource.v2.MsgCreateResource': resourceProto.MsgCreateResource,
}

const hex = (value: Uint8Array) => Buffer.from(value).toString('hex')

describe('signBytes', () => {
  it('equals the encoding of the published protobuf code byte for byte', () => {
    fc.assert(
      fc.property(message, ({ type, payload }) => {
        const expected = payloadCodecs[type].encode(payload as never).finish()
        assert.equal(hex(signBytes({ type, payload } as LedgerMessage)), hex(expected))
      }),
      { numRuns: 300 },
    )
  })

  it('is read back by the published protobuf code', () => {
    fc.assert(
      fc.property(message, ({ type, payload }) => {
        const decoded = payloadCodecs[type].decode(signBytes({ type, payload } as LedgerMessage))
        assert.deepEqual({ ...decoded }, payload)
      }),
      { numRuns: 300 },
    )
  })

  it('preserves the input: ids are not normalised', () => {
    const payload = { id: 'did:cheqd:testnet:ABCDEFAB-0000-4000-8000-000000000000', versionId: 'V' }
    const decoded = didProto.MsgDeactivateDidDocPayload.decode(
      signBytes({ type: 'deactivateDidDoc', payload }),
    )
    assert.deepEqual(decoded, payload)
  })
})

describe('encodeMessage', () => {
  it('is the Any of a transaction, including payload and signatures', () => {
    fc.assert(
      fc.property(message, (sent) => {
        const { typeUrl, value } = Any.decode(encodeMessage(sent))
        const codec = messageCodecs[typeUrl as keyof typeof messageCodecs]
        const decoded = codec.decode(value)
        assert.deepEqual({ ...decoded.payload }, sent.payload)
        assert.deepEqual(decoded.signatures, sent.signatures)
        assert.equal(hex(value), hex(codec.encode(decoded as never).finish()))
      }),
    )
  })
})
