import { isUuid, normaliseDid, normaliseDidUrl, normaliseUniqueId } from './identifiers.js'
import type { DidDocPayload, ResourcePayload, UnsignedLedgerMessage } from './messages.js'

/**
 * The message as the ledger keeps it: UUIDs in lower case inside of every id. Its sign bytes are those of the message
 * as it was sent, so it must not be signed or verified afterwards.
 */
export function normaliseMessage<T extends UnsignedLedgerMessage>(message: T): T
export function normaliseMessage(message: UnsignedLedgerMessage): UnsignedLedgerMessage {
  switch (message.type) {
    case 'createDidDoc':
    case 'updateDidDoc':
      return { ...message, payload: normaliseDidDocPayload(message.payload) }
    case 'deactivateDidDoc': {
      const { id, versionId } = message.payload
      return { ...message, payload: { id: normaliseDid(id), versionId: versionId.toLowerCase() } }
    }
    case 'createResource':
      return { ...message, payload: normaliseResourcePayload(message.payload) }
  }
}

function normaliseDidDocPayload(payload: DidDocPayload): DidDocPayload {
  const urls = (values: readonly string[]) => values.map(normaliseDidUrl)
  return {
    ...payload,
    id: normaliseDid(payload.id),
    controller: payload.controller.map(normaliseDid),
    verificationMethod: payload.verificationMethod.map((method) => ({
      ...method,
      id: normaliseDidUrl(method.id),
      controller: normaliseDid(method.controller),
    })),
    authentication: urls(payload.authentication),
    assertionMethod: payload.assertionMethod.map((value) =>
      value.startsWith('"') ? value : normaliseDidUrl(value),
    ),
    capabilityInvocation: urls(payload.capabilityInvocation),
    capabilityDelegation: urls(payload.capabilityDelegation),
    keyAgreement: urls(payload.keyAgreement),
    service: payload.service.map((service) => ({ ...service, id: normaliseDidUrl(service.id) })),
    versionId: payload.versionId.toLowerCase(),
  }
}

function normaliseResourcePayload(payload: ResourcePayload): ResourcePayload {
  const { collectionId, id } = payload
  return { ...payload, collectionId: normaliseUniqueId(collectionId), id: isUuid(id) ? id.toLowerCase() : id }
}
