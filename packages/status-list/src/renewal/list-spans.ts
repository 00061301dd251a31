import {
  type LinkedResourceMetadata,
  type StatusListLayout,
  type StatusListLocation,
  type StatusListRenewal,
  type StatusListRenewals,
  type StatusListType,
} from '@vidimus/core-types'
import type { ReadingContext } from '../agent-context.js'
import type { DocumentedList, PublishedList } from '../versions/decoded-list.js'
import { documentContent } from '../versions/list-documents.js'

/** A list is signed again when this part of its span is left. */
const LEFT = 3

/** The most versions to go back to the first one, if a list does not state how long its versions are valid. */
const LOOK_BACK = 1000

/** For how long the versions of lists are valid, which is the same for all versions of a list. */
export class ListSpans {
  /** @param kept - absent: expiring lists are not signed again */
  constructor(
    private readonly kept?: StatusListRenewals,
    private readonly clock: () => Date = () => new Date(),
  ) {}

  /** Before a first version is published: then it is signed again in time, even if this process dies. */
  async noteNew(list: StatusListLocation, { validUntil }: StatusListLayout): Promise<void> {
    if (!this.kept || validUntil === undefined) return
    const until = Date.parse(validUntil)
    await this.kept.note(newRenewal(list, until, until - this.clock().getTime()))
  }

  /** Of a list that is written here, which may have been made elsewhere. */
  async noteFound(
    type: StatusListType,
    location: StatusListLocation,
    published: PublishedList,
    context: ReadingContext,
  ): Promise<void> {
    const { validUntil } = published.list.layout
    if (!this.kept || validUntil === undefined || (await this.kept.find(location))) return
    const spanMs = await this.of(type, location, published, context)
    if (spanMs !== undefined) await this.kept.note(newRenewal(location, Date.parse(validUntil), spanMs))
  }

  /**
   * How long versions of the list are valid, in milliseconds.
   *
   * @returns `undefined` if they are valid for ever
   */
  async of(
    type: StatusListType,
    location: StatusListLocation,
    { metadata, list: { layout, signedAt } }: PublishedList,
    context: ReadingContext,
  ): Promise<number | undefined> {
    const { validFrom, validUntil } = layout
    if (validUntil === undefined) return undefined
    const known = (await this.kept?.find(location))?.spanMs
    if (known !== undefined) return known
    if (validFrom !== undefined) return positive(Date.parse(validUntil) - Date.parse(validFrom))
    // Every update signed such a list again without moving its end: only the first version shows the span.
    const first = await firstVersion(type, metadata, context)
    const begun = first?.signedAt ?? signedAt
    if (begun === undefined) return undefined
    return positive(Date.parse(first?.validUntil ?? validUntil) - begun * 1000)
  }

  /** The document, valid for the same span from now on; unchanged if it is valid for ever. */
  async renewed(
    type: StatusListType,
    location: StatusListLocation,
    published: DocumentedList,
    context: ReadingContext,
  ): Promise<unknown> {
    const spanMs = await this.of(type, location, published, context)
    if (spanMs === undefined || !type.renewed) return published.doc
    const from = this.clock()
    return type.renewed(published.doc, { from, until: new Date(from.getTime() + spanMs) })
  }
}

/** When a list is signed again whose versions are valid for so long. */
export const newRenewal = (list: StatusListLocation, until: number, spanMs: number): StatusListRenewal => ({
  list,
  spanMs,
  at: new Date(until - spanMs / LEFT),
})

const positive = (spanMs: number): number | undefined => (spanMs > 0 ? spanMs : undefined)

/** @returns `undefined` if the newest is the first one, or too many came between */
async function firstVersion(
  type: StatusListType,
  metadata: LinkedResourceMetadata,
  { agent }: ReadingContext,
): Promise<{ signedAt?: number; validUntil?: string } | undefined> {
  const did = metadata.resourceURI.slice(0, metadata.resourceURI.indexOf('/'))
  let id = metadata.previousVersionId
  let found: { signedAt?: number; validUntil?: string } | undefined
  for (let looked = 0; id !== null && looked < LOOK_BACK; looked++) {
    const resource = await agent.linkedResourceGet({ did, resourceId: id })
    if (!resource) return found
    id = resource.metadata.previousVersionId
    if (id !== null) continue
    const doc = type.parse(documentContent(resource))
    const { signedAt } = type.securingOf?.(doc) ?? {}
    const { validUntil } = type.describe(doc)
    found = { ...(signedAt !== undefined && { signedAt }), ...(validUntil !== undefined && { validUntil }) }
  }
  return found
}
