import { deepFrozen, sharedPart, type StatusListPublication, type StatusListType } from '@vidimus/core-types'
import type { DocumentedList } from '../versions/decoded-list.js'

/**
 * What callers see of published versions. All callers of a version share the object, so it is immutable; and it is a
 * copy, as cached objects must not leave the cache.
 */
export class ShownPublications {
  private readonly known = new WeakMap<DocumentedList, StatusListPublication>()

  of(type: StatusListType, published: DocumentedList): StatusListPublication {
    const known = this.known.get(published)
    if (known) return known
    const { list, metadata, doc } = published
    const resource = type.toResource(doc, list.entries)
    const copy = structuredClone({ resource, resourceMetadata: metadata })
    const publication = deepFrozen({ ...copy, resource: sharedPart(copy.resource) })
    this.known.set(published, publication)
    return publication
  }
}
