import type { StatusListPublication, StatusListType } from '@vidimus/core-types'
import type { PublishedList } from './published-lists.js'

/**
 * What callers are shown of published versions. All callers who share a version share this as well, so nobody can
 * change it; and it is a copy, as what the cache holds belongs to nobody outside.
 */
export class ShownPublications {
  private readonly known = new WeakMap<PublishedList, StatusListPublication>()

  of(type: StatusListType, published: PublishedList): StatusListPublication {
    const known = this.known.get(published)
    if (known) return known
    const { list, metadata } = published
    const resource = type.toResource(list.doc, list.entries)
    const publication = deepFrozen(structuredClone({ resource, resourceMetadata: metadata }))
    this.known.set(published, publication)
    return publication
  }
}

function deepFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(deepFrozen)
  return Object.freeze(value)
}
