import * as did from '@cheqd/ts-proto/cheqd/did/v2/index.js'
import * as resource from '@cheqd/ts-proto/cheqd/resource/v2/index.js'
import type { DidDocMetadata, DidDocWithMetadata, LedgerMessage, LedgerReceipt } from '@vidimus/ledger'

type Outcome = Pick<LedgerReceipt, 'didDoc' | 'resource'>

interface IdentityCodec {
  decode(value: Uint8Array): LedgerMessage
  responseTypeUrl: string
  encodeResponse(outcome: Outcome): Uint8Array
}

const document = ({ didDoc }: Outcome) => ({ value: didDoc && toProto(didDoc) })

/** The messages of `x/did` and `x/resource` with their responses, by type URL. */
export const IDENTITY_CODECS: Readonly<Record<string, IdentityCodec>> = {
  '/cheqd.did.v2.MsgCreateDidDoc': {
    decode(value) {
      const { payload = did.MsgCreateDidDocPayload.fromPartial({}), signatures } =
        did.MsgCreateDidDoc.decode(value)
      return { type: 'createDidDoc', payload, signatures }
    },
    responseTypeUrl: '/cheqd.did.v2.MsgCreateDidDocResponse',
    encodeResponse: (outcome) => did.MsgCreateDidDocResponse.encode(document(outcome)).finish(),
  },
  '/cheqd.did.v2.MsgUpdateDidDoc': {
    decode(value) {
      const { payload = did.MsgUpdateDidDocPayload.fromPartial({}), signatures } =
        did.MsgUpdateDidDoc.decode(value)
      return { type: 'updateDidDoc', payload, signatures }
    },
    responseTypeUrl: '/cheqd.did.v2.MsgUpdateDidDocResponse',
    encodeResponse: (outcome) => did.MsgUpdateDidDocResponse.encode(document(outcome)).finish(),
  },
  '/cheqd.did.v2.MsgDeactivateDidDoc': {
    decode(value) {
      const { payload = did.MsgDeactivateDidDocPayload.fromPartial({}), signatures } =
        did.MsgDeactivateDidDoc.decode(value)
      return { type: 'deactivateDidDoc', payload, signatures }
    },
    responseTypeUrl: '/cheqd.did.v2.MsgDeactivateDidDocResponse',
    encodeResponse: (outcome) => did.MsgDeactivateDidDocResponse.encode(document(outcome)).finish(),
  },
  '/cheqd.resource.v2.MsgCreateResource': {
    decode(value) {
      const { payload = resource.MsgCreateResourcePayload.fromPartial({}), signatures } =
        resource.MsgCreateResource.decode(value)
      return { type: 'createResource', payload, signatures }
    },
    responseTypeUrl: '/cheqd.resource.v2.MsgCreateResourceResponse',
    encodeResponse: (outcome) =>
      resource.MsgCreateResourceResponse.encode({ resource: outcome.resource }).finish(),
  },
}

/** What the signatures of a message are made over. */
export function signedBytes({ type, payload }: LedgerMessage): Uint8Array {
  switch (type) {
    case 'createDidDoc':
      return did.MsgCreateDidDocPayload.encode(payload).finish()
    case 'updateDidDoc':
      return did.MsgUpdateDidDocPayload.encode(payload).finish()
    case 'deactivateDidDoc':
      return did.MsgDeactivateDidDocPayload.encode(payload).finish()
    case 'createResource':
      return resource.MsgCreateResourcePayload.encode(payload).finish()
  }
}

/** A document with its metadata as the ledger's protobuf types have it. */
export const toProto = ({ didDoc, metadata }: DidDocWithMetadata): did.DidDocWithMetadata => ({
  didDoc,
  metadata: metadataToProto(metadata),
})

/** What is unknown is `undefined`. */
export const metadataToProto = (metadata: DidDocMetadata): did.Metadata => ({
  ...metadata,
  updated: metadata.updated,
})

/**
 * What tells one message from every other one, and stays the same when it is sent again: a resource by its id, a
 * version of a document by its version id.
 */
export function identityOf(message: LedgerMessage): string {
  if (message.type === 'createResource') {
    return `resource ${message.payload.collectionId}/${message.payload.id}`
  }
  return `version ${message.payload.id}?versionId=${message.payload.versionId}`
}

export const TYPE_URLS = {
  createDidDoc: '/cheqd.did.v2.MsgCreateDidDoc',
  updateDidDoc: '/cheqd.did.v2.MsgUpdateDidDoc',
  deactivateDidDoc: '/cheqd.did.v2.MsgDeactivateDidDoc',
  createResource: '/cheqd.resource.v2.MsgCreateResource',
} as const satisfies Record<LedgerMessage['type'], string>
