import { ownMemory } from '@vidimus/core-types'
import type { ResourceWithMetadata } from '@vidimus/ledger'

/** The resources that were asked for last, as many as fit. */
export class ResourceCache {
  private readonly kept = new Map<string, ResourceWithMetadata>()
  private bytes = 0

  constructor(private readonly maxBytes: number) {}

  get(collectionId: string, id: string): ResourceWithMetadata | undefined {
    const key = keyOf(collectionId, id)
    const resource = this.kept.get(key)
    if (resource) {
      this.kept.delete(key)
      this.kept.set(key, resource)
    }
    return resource
  }

  put(resource: ResourceWithMetadata): ResourceWithMetadata {
    const { collectionId, id } = resource.metadata
    const key = keyOf(collectionId, id)
    this.drop(key)
    const kept = { ...resource, data: ownMemory(resource.data) }
    this.kept.set(key, kept)
    this.bytes += sizeOf(kept)
    for (const oldest of this.kept.keys()) {
      if (this.bytes <= this.maxBytes) break
      this.drop(oldest)
    }
    return resource
  }

  private drop(key: string): void {
    const kept = this.kept.get(key)
    if (kept) this.bytes -= sizeOf(kept)
    this.kept.delete(key)
  }
}

/** About what an entry takes beside its content: its metadata, its key and what holds them. */
const ENTRY_OVERHEAD = 2048

const sizeOf = ({ data }: ResourceWithMetadata): number => ENTRY_OVERHEAD + data.length

const keyOf = (collectionId: string, id: string) => `${collectionId}/${id}`
