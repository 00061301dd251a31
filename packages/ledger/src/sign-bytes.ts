import { BinaryWriter } from '@bufbuild/protobuf/wire'
import type {
  AlternativeUri,
  DeactivatePayload,
  DidDocPayload,
  LedgerMessage,
  LedgerService,
  LedgerVerificationMethod,
  ResourcePayload,
  SignInfo,
  UnsignedLedgerMessage,
} from './messages.js'

const TYPE_URLS = {
  createDidDoc: '/cheqd.did.v2.MsgCreateDidDoc',
  updateDidDoc: '/cheqd.did.v2.MsgUpdateDidDoc',
  deactivateDidDoc: '/cheqd.did.v2.MsgDeactivateDidDoc',
  createResource: '/cheqd.resource.v2.MsgCreateResource',
} as const satisfies Record<LedgerMessage['type'], string>

/**
 * The signed bytes of a message: the protobuf encoding of its payload exactly as it is sent, before the ledger
 * converts UUIDs to lower case (`GetSignBytes` of cheqd-node).
 */
export function signBytes(message: UnsignedLedgerMessage): Uint8Array {
  switch (message.type) {
    case 'createDidDoc':
    case 'updateDidDoc':
      return didDocPayload(message.payload)
    case 'deactivateDidDoc':
      return deactivatePayload(message.payload)
    case 'createResource':
      return resourcePayload(message.payload)
  }
}

/** The message with its signatures as a transaction carries it: `google.protobuf.Any`. */
export function encodeMessage(message: LedgerMessage): Uint8Array {
  const value = new BinaryWriter()
  value.uint32(tag(1, LENGTH_DELIMITED)).bytes(signBytes(message))
  embed(value, 2, message.signatures, signInfo)
  const any = new BinaryWriter()
  text(any, 1, TYPE_URLS[message.type])
  any.uint32(tag(2, LENGTH_DELIMITED)).bytes(value.finish())
  return any.finish()
}

function didDocPayload(payload: DidDocPayload): Uint8Array {
  const writer = new BinaryWriter()
  texts(writer, 1, payload.context)
  text(writer, 2, payload.id)
  texts(writer, 3, payload.controller)
  embed(writer, 4, payload.verificationMethod, verificationMethod)
  texts(writer, 5, payload.authentication)
  texts(writer, 6, payload.assertionMethod)
  texts(writer, 7, payload.capabilityInvocation)
  texts(writer, 8, payload.capabilityDelegation)
  texts(writer, 9, payload.keyAgreement)
  embed(writer, 10, payload.service, service)
  texts(writer, 11, payload.alsoKnownAs)
  text(writer, 12, payload.versionId)
  return writer.finish()
}

function verificationMethod(writer: BinaryWriter, method: LedgerVerificationMethod): void {
  text(writer, 1, method.id)
  text(writer, 2, method.verificationMethodType)
  text(writer, 3, method.controller)
  text(writer, 4, method.verificationMaterial)
}

function service(writer: BinaryWriter, value: LedgerService): void {
  text(writer, 1, value.id)
  text(writer, 2, value.serviceType)
  texts(writer, 3, value.serviceEndpoint)
  texts(writer, 4, value.recipientKeys)
  texts(writer, 5, value.routingKeys)
  texts(writer, 6, value.accept)
  if (value.priority !== 0) writer.uint32(tag(7, VARINT)).uint32(value.priority)
}

function deactivatePayload(payload: DeactivatePayload): Uint8Array {
  const writer = new BinaryWriter()
  text(writer, 1, payload.id)
  text(writer, 2, payload.versionId)
  return writer.finish()
}

function resourcePayload(payload: ResourcePayload): Uint8Array {
  const writer = new BinaryWriter()
  if (payload.data.length > 0) writer.uint32(tag(1, LENGTH_DELIMITED)).bytes(payload.data)
  text(writer, 2, payload.collectionId)
  text(writer, 3, payload.id)
  text(writer, 4, payload.name)
  text(writer, 5, payload.version)
  text(writer, 6, payload.resourceType)
  embed(writer, 7, payload.alsoKnownAs, alternativeUri)
  return writer.finish()
}

function alternativeUri(writer: BinaryWriter, value: AlternativeUri): void {
  text(writer, 1, value.uri)
  text(writer, 2, value.description)
}

function signInfo(writer: BinaryWriter, value: SignInfo): void {
  text(writer, 1, value.verificationMethodId)
  if (value.signature.length > 0) writer.uint32(tag(2, LENGTH_DELIMITED)).bytes(value.signature)
}

const VARINT = 0
const LENGTH_DELIMITED = 2
const tag = (field: number, wireType: number) => (field << 3) | wireType

/** proto3 leaves out a single field that has its default value. */
function text(writer: BinaryWriter, field: number, value: string): void {
  if (value !== '') writer.uint32(tag(field, LENGTH_DELIMITED)).string(value)
}

/** Repeated fields keep their empty elements. */
function texts(writer: BinaryWriter, field: number, values: readonly string[]): void {
  for (const value of values) writer.uint32(tag(field, LENGTH_DELIMITED)).string(value)
}

function embed<T>(
  writer: BinaryWriter,
  field: number,
  values: readonly T[],
  write: (writer: BinaryWriter, value: T) => void,
): void {
  for (const value of values) {
    writer.uint32(tag(field, LENGTH_DELIMITED)).fork()
    write(writer, value)
    writer.join()
  }
}
