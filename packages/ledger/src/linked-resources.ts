import { countWithin, PAGES, type Network } from '@vidimus/core-types'
import type { Ledger } from './ledger.js'
import { toLinkedResourceMetadata, type ResourceHistory, type ShownResources } from './resolver-metadata.js'

/** The source of resources. */
export interface ResourcePlace {
  network: Network
  /** unique id of the DID */
  id: string
  ledger: Ledger
}

/** Whether a DID has too many names to search all of them: anyone may ask, and each would have to be read. */
export async function hasTooManyNames({
  id,
  ledger,
}: Pick<ResourcePlace, 'id' | 'ledger'>): Promise<boolean> {
  const { seen } = await ledger.countResources(id, undefined, PAGES.counted + 1)
  return seen > PAGES.counted
}

/**
 * The newest version of each name and type; if they are too many for one response, none, so that no part looks
 * complete.
 *
 * @param before - only those created before this time
 */
export async function shownResources(place: ResourcePlace, before?: Date): Promise<ShownResources> {
  const { network, id, ledger } = place
  if (before && (await hasTooManyNames(place))) return { linkedResourceMetadataOmitted: true }
  const query = { limit: PAGES.most + 1, ...(before && { before }) }
  const found = await ledger.findResources(id, query)
  const shown = found.map((metadata) => toLinkedResourceMetadata(network, metadata))
  const isTooMuch = shown.length > PAGES.most || countWithin(shown, PAGES.bytes) < shown.length
  if (isTooMuch) return { linkedResourceMetadataOmitted: true }
  return shown.length > 0 ? { linkedResourceMetadata: shown } : {}
}

/**
 * All versions of all resources, page by page, oldest first.
 *
 * @param after - id of a version: those after it
 */
export async function resourceHistory(
  { network, id, ledger }: ResourcePlace,
  after?: string,
): Promise<ResourceHistory> {
  const page = { limit: PAGES.most + 1, ...(after !== undefined && { after }) }
  const found = await ledger.listResources(id, page)
  const shown = found.slice(0, PAGES.most).map((metadata) => toLinkedResourceMetadata(network, metadata))
  shown.splice(countWithin(shown, PAGES.bytes))
  const last = shown.at(-1)
  return {
    ...(shown.length > 0 && { linkedResourceMetadata: shown }),
    ...(last && shown.length < found.length && { linkedResourceMetadataNext: last.resourceId }),
  }
}
