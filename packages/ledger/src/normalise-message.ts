import { isQuotedJson } from './embedded-method.js'
import { isUuid, normaliseDid, normaliseUniqueId } from './identifiers.js'
import { keptDidUrl, textAfterUpdate } from './kept-did-url.js'
import type { DidDocPayload, ResourcePayload, UnsignedLedgerMessage } from './messages.js'

/**
 * The message with the ids that the ledger uses: UUIDs in lower case inside of every id. Its sign bytes are those of
 * the message as it was sent, so it must not be signed or verified afterwards.
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

/** The ledger's stored form of a message: an update also changes the texts of embedded assertion methods. */
export function keptMessage<T extends UnsignedLedgerMessage>(message: T): T
export function keptMessage(message: UnsignedLedgerMessage): UnsignedLedgerMessage {
  const kept = normaliseMessage(message)
  if (kept.type !== 'updateDidDoc') return kept
  const assertionMethod = kept.payload.assertionMethod.map(textAfterUpdate)
  return { ...kept, payload: { ...kept.payload, assertionMethod } }
}

function normaliseDidDocPayload(payload: DidDocPayload): DidDocPayload {
  const urls = (values: readonly string[]) => values.map(keptDidUrl)
  return {
    ...payload,
    id: normaliseDid(payload.id),
    controller: payload.controller.map(normaliseDid),
    verificationMethod: payload.verificationMethod.map((method) => ({
      ...method,
      id: keptDidUrl(method.id),
      controller: normaliseDid(method.controller),
    })),
    authentication: urls(payload.authentication),
    assertionMethod: payload.assertionMethod.map((value) =>
      isQuotedJson(value) ? value : keptDidUrl(value),
    ),
    capabilityInvocation: urls(payload.capabilityInvocation),
    capabilityDelegation: urls(payload.capabilityDelegation),
    keyAgreement: urls(payload.keyAgreement),
    service: payload.service.map((service) => ({ ...service, id: keptDidUrl(service.id) })),
    versionId: payload.versionId.toLowerCase(),
  }
}

function normaliseResourcePayload(payload: ResourcePayload): ResourcePayload {
  const { collectionId, id } = payload
  return { ...payload, collectionId: normaliseUniqueId(collectionId), id: isUuid(id) ? id.toLowerCase() : id }
}
