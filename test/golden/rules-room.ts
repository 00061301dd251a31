import {
  authoriseMessage,
  checksumOf,
  detectMediaType,
  keptMessage,
  LedgerError,
  resourceUri,
  validateMessage,
  type DidDocPayload,
  type DidDocWithMetadata,
  type LedgerDidDoc,
  type LedgerMessage,
  type LedgerState,
  type ResourceMetadata,
} from '@vidimus/ledger'
import { refusedPaths } from './member-paths.js'
import type { Outcome, Room } from './room.js'

/** The pure rules of `@vidimus/ledger`, with a state that is kept here. */
export class RulesRoom implements Room {
  readonly name = 'ledger'
  private documents = new Map<string, DidDocWithMetadata[]>()
  private resources = new Map<string, ResourceMetadata[]>()

  private readonly state: LedgerState = {
    findDidDoc: async (did) => this.documents.get(did)?.at(-1),
    hasDidDocVersion: async (did, versionId) =>
      this.documents.get(did)?.some(({ metadata }) => metadata.versionId === versionId) ?? false,
    hasResource: async (collectionId, id) =>
      this.resources.get(collectionId)?.some((resource) => resource.id === id) ?? false,
  }

  async reset(): Promise<void> {
    this.documents = new Map()
    this.resources = new Map()
  }

  async submit(message: LedgerMessage, time: Date): Promise<Outcome> {
    let stage: 'validateBasic' | 'handler' = 'validateBasic'
    try {
      validateMessage('testnet', message)
      stage = 'handler'
      const previous = await authoriseMessage('testnet', message, this.state)
      return message.type === 'createResource'
        ? { resource: this.publish(message, time) }
        : { didDoc: this.write(message, previous, time) }
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error
      const { codespace, code, message: log } = error
      const paths = refusedPaths(error, message.type === 'createResource')
      return { refused: { codespace, code, log, paths, stage } }
    }
  }

  async versionsOf(did: string): Promise<DidDocWithMetadata[]> {
    return this.documents.get(did) ?? []
  }

  async collectionOf(collectionId: string): Promise<ResourceMetadata[]> {
    return this.resources.get(collectionId) ?? []
  }

  private write(
    message: Exclude<LedgerMessage, { type: 'createResource' }>,
    previous: DidDocWithMetadata | undefined,
    time: Date,
  ): DidDocWithMetadata {
    const kept = keptMessage(message)
    const { versionId } = kept.payload
    const didDoc = kept.type === 'deactivateDidDoc' ? previous?.didDoc : withoutVersion(kept.payload)
    if (!didDoc) throw new TypeError('a deactivation without a document')
    const deactivated = kept.type === 'deactivateDidDoc'
    const metadata = {
      created: previous?.metadata.created ?? time,
      ...(previous ? { updated: time } : {}),
      deactivated,
      versionId,
      nextVersionId: '',
      previousVersionId: previous?.metadata.versionId ?? '',
    }
    const before = (this.documents.get(didDoc.id) ?? []).map((version) => ({
      ...version,
      metadata: {
        ...version.metadata,
        deactivated,
        ...(version.metadata.nextVersionId === '' ? { nextVersionId: versionId } : {}),
      },
    }))
    this.documents.set(didDoc.id, [...before, { didDoc, metadata }])
    return { didDoc, metadata }
  }

  private publish(message: Extract<LedgerMessage, { type: 'createResource' }>, time: Date): ResourceMetadata {
    const { data, ...resource } = keptMessage(message).payload
    const itself = { uri: resourceUri('testnet', resource.collectionId, resource.id), description: 'did-url' }
    const before = this.resources.get(resource.collectionId) ?? []
    const isOfIt = (other: ResourceMetadata) =>
      other.name === resource.name &&
      other.resourceType === resource.resourceType &&
      other.nextVersionId === ''
    const metadata = {
      ...resource,
      alsoKnownAs: [...resource.alsoKnownAs, itself],
      mediaType: detectMediaType(data),
      created: time,
      checksum: checksumOf(data),
      previousVersionId: before.find(isOfIt)?.id ?? '',
      nextVersionId: '',
    }
    const linked = before.map((other) => (isOfIt(other) ? { ...other, nextVersionId: resource.id } : other))
    this.resources.set(resource.collectionId, [...linked, metadata])
    return metadata
  }
}

function withoutVersion({ versionId: _, ...didDoc }: DidDocPayload): LedgerDidDoc {
  return didDoc
}
