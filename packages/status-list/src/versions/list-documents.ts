import { createHash } from 'node:crypto'
import {
  Cache,
  type LinkedResource,
  type LinkedResourceMetadata,
  type StatusListType,
} from '@vidimus/core-types'
import type { ReadingContext } from '../agent-context.js'
import { ListCounts } from '../measurements.js'
import { malformedList } from '../types/malformed-list.js'

interface RecentDocument {
  resourceId: string
  doc: unknown
}

/**
 * The documents of published lists: as parsed by a type, with the bits in their encoded form. Checks only need the
 * decoded bits, so documents stay in memory only while a list is being updated, and are read again otherwise.
 */
export class ListDocuments {
  private readonly recent = new Cache<RecentDocument>('document')

  constructor(private readonly counts = new ListCounts()) {}

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
    const known = this.recent.get(listLabel(type, metadata))
    const isKnown = known?.resourceId === metadata.resourceId
    this.counts.looked('document', isKnown)
    if (isKnown) return known.doc
    const did = metadata.resourceURI.slice(0, metadata.resourceURI.indexOf('/'))
    const resource = await context.agent.linkedResourceGet({ did, resourceId: metadata.resourceId })
    if (!resource) throw malformedList('its content is missing')
    return type.parse(documentContent(resource))
  }

  /** Takes over what was just published: the next update starts from it. */
  remember(type: StatusListType, metadata: LinkedResourceMetadata, doc: unknown): void {
    this.recent.set(listLabel(type, metadata), { resourceId: metadata.resourceId, doc })
  }
}

/**
 * The content of a resource, if it matches its metadata.
 *
 * @throws AgentError `malformed_list`
 */
export function documentContent({ metadata, data }: LinkedResource): Buffer {
  const content = Buffer.from(data, 'base64url')
  if (createHash('sha256').update(content).digest('hex') === metadata.checksum) return content
  throw malformedList('its content does not have the checksum of its metadata')
}

const listLabel = ({ type }: StatusListType, metadata: LinkedResourceMetadata): string =>
  JSON.stringify([type, metadata.resourceCollectionId, metadata.resourceName, metadata.resourceType])
