import { PAGES } from '@vidimus/core-types'
import { secondAfter, chosenVersion } from './dereference-document.js'
import { malformed, notFound } from './dereference-refusal.js'
import type { ResourceChoice } from './dereference-target.js'
import type { Ledger } from './ledger.js'
import { hasTooManyNames } from './linked-resources.js'
import type { ResourceSummary } from './messages.js'

/** The source of a DID's resources. */
export interface Collection {
  did: string
  /** unique id of the DID */
  id: string
  ledger: Ledger
}

/**
 * The requested version of the resource. Never more than two of them are read.
 *
 * @throws DereferenceRefusal `notFound`, also if resources of several types have the name; `invalidDidUrl` if
 *   resources of several names match, or if only a name was given
 */
export async function chosenResource(
  collection: Collection,
  choice: ResourceChoice,
): Promise<ResourceSummary> {
  if (choice.collectionId !== undefined && choice.collectionId !== collection.id) throw noSuchResource()
  const before = await findEnd(collection, choice)
  if (choice.id !== undefined) return resourceOfId(collection, choice.id, choice, before)
  const { name, resourceType, version, checksum } = choice
  const isNewest = [version, checksum, before].every((part) => part === undefined)
  if (name !== undefined && resourceType !== undefined && isNewest) {
    const newest = await collection.ledger.getLatestResourceMetadata(collection.id, name, resourceType)
    return newest ?? nothing()
  }
  if (name === undefined && (await hasTooManyNames(collection))) {
    const most = PAGES.counted.toLocaleString('en')
    throw malformed(`the DID has more than ${most} resources: resourceName is required`)
  }
  return theOnlyOne(
    await collection.ledger.findResources(collection.id, {
      ...(name !== undefined && { name }),
      ...(resourceType !== undefined && { resourceType }),
      ...(version !== undefined && { version }),
      ...(checksum !== undefined && { checksum }),
      ...(before && { before }),
      limit: 2,
    }),
  )
}

/** Before when a version must be made: times show whole seconds, so that a version counts from the first moment on. */
async function findEnd(
  { did, ledger }: Collection,
  { time, documentVersion }: ResourceChoice,
): Promise<Date | undefined> {
  const asksForVersion = documentVersion.versionId !== undefined || documentVersion.versionTime !== undefined
  const { until } = asksForVersion ? await chosenVersion(did, documentVersion, ledger) : {}
  const after = time && secondAfter(time)
  if (until && after) return until < after ? until : after
  return until ?? after
}

async function resourceOfId(
  { id: collectionId, ledger }: Collection,
  id: string,
  { name, resourceType, version, checksum }: ResourceChoice,
  before: Date | undefined,
): Promise<ResourceSummary> {
  const found = (await ledger.getResourceMetadata(collectionId, id)) ?? nothing()
  const fits =
    (name ?? found.name) === found.name &&
    (resourceType ?? found.resourceType) === found.resourceType &&
    (version ?? found.version) === found.version &&
    (checksum ?? found.checksum) === found.checksum &&
    (before === undefined || found.created < before)
  return fits ? found : nothing()
}

function theOnlyOne([first, second]: readonly ResourceSummary[]): ResourceSummary {
  if (!first) throw noSuchResource()
  if (!second) return first
  if (first.name !== second.name) {
    throw malformed('resources with several names match: resourceName is required')
  }
  throw notFound('resources of several types have this name: resourceType is required')
}

const noSuchResource = () => notFound('the DID has no such resource')

function nothing(): never {
  throw noSuchResource()
}
