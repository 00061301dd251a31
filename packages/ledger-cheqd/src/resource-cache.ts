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
    this.kept.set(key, resource)
    this.bytes += resource.data.length
    for (const oldest of this.kept.keys()) {
      if (this.bytes <= this.maxBytes) break
      this.drop(oldest)
    }
    return resource
  }

  private drop(key: string): void {
    this.bytes -= this.kept.get(key)?.data.length ?? 0
    this.kept.delete(key)
  }
}

const keyOf = (collectionId: string, id: string) => `${collectionId}/${id}`
