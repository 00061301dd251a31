import { createHash } from 'node:crypto'
import type { LinkedResource, LinkedResourceMetadata, StatusListType } from '@vidimus/core-types'
import { LRUCache } from 'lru-cache'
import type { ReadingContext } from './agent-context.js'
import { ListCounts } from './measurements.js'
import { malformedList } from './malformed-list.js'

interface RecentDocument {
  resourceId: string
  doc: unknown
  /** of what was published, which the document holds once parsed and, where it is signed, once more as text */
  contentBytes: number
}

/** About what an entry takes beside the texts of its document, in bytes. */
const ENTRY_OVERHEAD = 2048

/**
 * The documents of published lists: what a type parsed, bits included in their encoded form. Checks need the decoded
 * bits alone, so documents stay in memory only where a list is being updated, and are read again otherwise.
 */
export class ListDocuments {
  private readonly recent: LRUCache<string, RecentDocument>

  /** @param maxBytes - of all documents together */
  constructor(
    maxBytes: number,
    private readonly counts = new ListCounts(),
  ) {
    this.recent = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ contentBytes }, key) => ENTRY_OVERHEAD + key.length + 2 * contentBytes,
    })
  }

  /** Memory that they take, in bytes. */
  get bytes(): number {
    return this.recent.calculatedSize
  }

  /**
   * The document of a version.
   *
   * @throws AgentError `malformed_list`, and whatever keeps the resource from being read
   */
  async of(
    type: StatusListType,
    metadata: LinkedResourceMetadata,
    context: ReadingContext,
  ): Promise<unknown> {
    const known = this.recent.get(listOf(type, metadata))
    const isKnown = known?.resourceId === metadata.resourceId
    this.counts.looked('document', isKnown)
    if (isKnown) return known.doc
    const did = metadata.resourceURI.slice(0, metadata.resourceURI.indexOf('/'))
    const resource = await context.agent.linkedResourceGet({ did, resourceId: metadata.resourceId })
    if (!resource) throw malformedList('its content is missing')
    return type.parse(contentOf(resource))
  }

  /** Takes over what was just published: the next update starts from it. */
  remember(type: StatusListType, metadata: LinkedResourceMetadata, doc: unknown, contentBytes: number): void {
    this.recent.set(listOf(type, metadata), { resourceId: metadata.resourceId, doc, contentBytes })
  }
}

/**
 * The content of a resource, if it is what its metadata says.
 *
 * @throws AgentError `malformed_list`
 */
export function contentOf({ metadata, data }: LinkedResource): Buffer {
  const content = Buffer.from(data, 'base64url')
  if (createHash('sha256').update(content).digest('hex') === metadata.checksum) return content
  throw malformedList('its content does not have the checksum of its metadata')
}

const listOf = ({ type }: StatusListType, metadata: LinkedResourceMetadata): string =>
  JSON.stringify([type, metadata.resourceCollectionId, metadata.resourceName, metadata.resourceType])
