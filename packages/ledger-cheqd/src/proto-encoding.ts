import type {
  DidDoc,
  DidDocWithMetadata as ProtoDidDoc,
  Metadata,
} from '@cheqd/ts-proto/cheqd/did/v2/diddoc.js'
import type { Metadata as ProtoResource } from '@cheqd/ts-proto/cheqd/resource/v2/resource.js'
import type {
  DidDocMetadata,
  DidDocWithMetadata,
  LedgerDidDoc,
  ResourceMetadata,
  ResourceSummary,
} from '@vidimus/ledger'
import { TransportError } from './json-rpc.js'

/** @throws TransportError if something is missing that a node always gives */
export function toDidDoc(value: ProtoDidDoc | undefined): DidDocWithMetadata {
  if (!value?.didDoc || !value.metadata) throw new TransportError('its answer lacks the DID document')
  return { didDoc: toLedgerDidDoc(value.didDoc), metadata: toDidDocMetadata(value.metadata) }
}

const toLedgerDidDoc = (doc: DidDoc): LedgerDidDoc => ({
  context: doc.context,
  id: doc.id,
  controller: doc.controller,
  verificationMethod: doc.verificationMethod.map((method) => ({
    id: method.id,
    verificationMethodType: method.verificationMethodType,
    controller: method.controller,
    verificationMaterial: method.verificationMaterial,
  })),
  authentication: doc.authentication,
  assertionMethod: doc.assertionMethod,
  capabilityInvocation: doc.capabilityInvocation,
  capabilityDelegation: doc.capabilityDelegation,
  keyAgreement: doc.keyAgreement,
  service: doc.service.map((service) => ({
    id: service.id,
    serviceType: service.serviceType,
    serviceEndpoint: service.serviceEndpoint,
    recipientKeys: service.recipientKeys,
    routingKeys: service.routingKeys,
    accept: service.accept,
    priority: service.priority,
  })),
  alsoKnownAs: doc.alsoKnownAs,
})

export const toDidDocMetadata = (metadata: Metadata): DidDocMetadata => ({
  created: time(metadata.created),
  ...(metadata.updated && { updated: metadata.updated }),
  deactivated: metadata.deactivated,
  versionId: metadata.versionId,
  nextVersionId: metadata.nextVersionId,
  previousVersionId: metadata.previousVersionId,
})

/** @throws TransportError */
export const toResourceMetadata = (metadata: ProtoResource | undefined): ResourceMetadata => ({
  ...toResourceSummary(metadata),
  alsoKnownAs: (metadata?.alsoKnownAs ?? []).map(({ uri, description }) => ({ uri, description })),
})

/** @throws TransportError */
export function toResourceSummary(metadata: ProtoResource | undefined): ResourceSummary {
  if (!metadata) throw new TransportError('its answer lacks the metadata of the resource')
  return {
    collectionId: metadata.collectionId,
    id: metadata.id,
    name: metadata.name,
    version: metadata.version,
    resourceType: metadata.resourceType,
    mediaType: metadata.mediaType,
    created: time(metadata.created),
    checksum: metadata.checksum,
    previousVersionId: metadata.previousVersionId,
    nextVersionId: metadata.nextVersionId,
  }
}

function time(value: Date | undefined): Date {
  if (!value) throw new TransportError('its answer lacks a time')
  return value
}
