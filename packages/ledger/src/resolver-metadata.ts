import type { LinkedResourceMetadata } from '@vidimus/core-types'
import type { DIDDocumentMetadata } from 'did-resolver'
import { cheqdDid } from './identifiers.js'
import type { DidDocMetadata, Network, ResourceSummary } from './messages.js'

/** A resolver's metadata of a DID document (DID Core 7.1.3), with cheqd's own members. */
export interface CheqdDidDocumentMetadata extends DIDDocumentMetadata {
  created: string
  versionId: string
  previousVersionId?: string
  linkedResourceMetadata?: LinkedResourceMetadata[]
  /** there are too many resources for one response */
  linkedResourceMetadataOmitted?: true
  /** where the next page of a history begins */
  linkedResourceMetadataNext?: string
}

/** The resources in the metadata of a document: all names, or that there are too many. */
export type ShownResources =
  { linkedResourceMetadata?: LinkedResourceMetadata[] } | { linkedResourceMetadataOmitted: true }

/** A page of all versions of all resources, oldest first. */
export interface ResourceHistory {
  linkedResourceMetadata?: LinkedResourceMetadata[]
  /** to be sent as `after` for the next page; absent on the last one */
  linkedResourceMetadataNext?: string
}

/**
 * The metadata of a DID document as cheqd's resolver writes it; times in whole seconds.
 *
 * @param resources - those to show
 */
export function toDidDocumentMetadata(
  metadata: DidDocMetadata,
  resources: ShownResources | ResourceHistory = {},
): CheqdDidDocumentMetadata {
  const { created, updated, deactivated, versionId, nextVersionId, previousVersionId } = metadata
  return {
    created: wholeSeconds(created),
    ...(updated ? { updated: wholeSeconds(updated) } : {}),
    ...(deactivated ? { deactivated } : {}),
    versionId,
    ...(nextVersionId === '' ? {} : { nextVersionId }),
    ...(previousVersionId === '' ? {} : { previousVersionId }),
    ...resources,
  }
}

/** The metadata of a DID-Linked Resource as cheqd's resolver writes it, in its order of keys. */
export function toLinkedResourceMetadata(
  network: Network,
  metadata: ResourceSummary,
): LinkedResourceMetadata {
  const { collectionId, id } = metadata
  return {
    resourceURI: resourceUri(network, collectionId, id),
    resourceCollectionId: collectionId,
    resourceId: id,
    resourceName: metadata.name,
    resourceType: metadata.resourceType,
    mediaType: metadata.mediaType,
    resourceVersion: metadata.version,
    created: wholeSeconds(metadata.created),
    checksum: metadata.checksum,
    previousVersionId: metadata.previousVersionId || null,
    nextVersionId: metadata.nextVersionId || null,
  }
}

/** The DID URL of one version of a resource. */
export const resourceUri = (network: Network, collectionId: string, id: string): string =>
  `${cheqdDid(network, collectionId)}/resources/${id}`

const wholeSeconds = (time: Date) => `${time.toISOString().slice(0, 19)}Z`
