import {
  AgentError,
  countWithin,
  mustFitAnswer,
  PAGES,
  placeText,
  problemsError,
  readPage,
  readPlace,
  readWholeOrPage,
  type LatestResources,
  type LinkedResourceMetadata,
  type NewestResource,
  type NextPage,
  type PageRange,
  type Total,
} from '@vidimus/core-types'
import { linkedResourceMethods } from '@vidimus/core-types/schemas'
import { isUuid, toLinkedResourceMetadata, type FoundResource, type VersionPage } from '@vidimus/ledger'
import { askLedger, type LedgersByNetwork, type LocatedDid } from './ledgers-by-network.js'
import { parseInput } from './parse-input.js'

/** Names that are read at once if some of them are filtered out. */
const CHUNK = 1000

/** Versions of all resources, oldest first. @throws AgentError `invalid_input` */
export async function listResources(
  ledgers: LedgersByNetwork,
  args: unknown,
): Promise<LinkedResourceMetadata[]> {
  const { did, ...request } = parseInput(linkedResourceMethods.linkedResourceList.arguments, args)
  const { limit, isWhole, after } = readWholeOrPage(request)
  const { network, id, ledger } = ledgers.locate(did)
  const place = after === undefined ? undefined : await knownVersion({ id, ledger }, after)
  const found = await askLedger(
    ledger.listResources(id, { limit, ...(place !== undefined && { after: place }) }),
  )
  const listed = found.map((metadata) => toLinkedResourceMetadata(network, metadata))
  if (isWhole || listed.length > 0) mustFitAnswer(listed, 'versions')
  return listed
}

/** Metadata of the newest version, or `null`. @throws AgentError `invalid_input` */
export async function latestMetadata(
  ledgers: LedgersByNetwork,
  args: unknown,
): Promise<LinkedResourceMetadata | null> {
  const { did, resourceName, resourceType } = parseInput(
    linkedResourceMethods.linkedResourceGetLatestMetadata.arguments,
    args,
  )
  const { network, id, ledger } = ledgers.locate(did)
  const metadata = await askLedger(ledger.getLatestResourceMetadata(id, resourceName, resourceType))
  return metadata ? toLinkedResourceMetadata(network, metadata) : null
}

/** The newest versions of one name. @throws AgentError `invalid_input` */
export async function findLatest(ledgers: LedgersByNetwork, args: unknown): Promise<LatestResources> {
  const { resourceName, resourceTypes, ...asked } = parseInput(
    linkedResourceMethods.linkedResourceFindLatest.arguments,
    args,
  )
  const { did, network, id, ledger } = ledgers.locate(asked.did)
  const read = async (): Promise<LatestResources> => {
    const document = asked.documentVersion ? ledger.getDidDoc(did) : undefined
    const types = [...new Set(resourceTypes)]
    const [known, ...found] = await Promise.all([
      document,
      ...types.map((type) => ledger.getLatestResourceMetadata(id, resourceName, type)),
    ])
    const resources = found.flatMap((one) => (one ? [toLinkedResourceMetadata(network, one)] : []))
    const isAlive = known !== undefined && !known.metadata.deactivated
    return { resources, documentVersion: isAlive ? known.metadata.versionId : null }
  }
  // A single look is remembered as one.
  if (!ledger.remember || (!asked.documentVersion && resourceTypes.length === 1)) return askLedger(read())
  const key = `newest resources ${JSON.stringify([resourceName, resourceTypes, asked.documentVersion])}`
  return askLedger(ledger.remember(id, key, read))
}

/** The newest version of each name and type. @throws AgentError `invalid_input` */
export async function listNewest(
  ledgers: LedgersByNetwork,
  args: unknown,
): Promise<{ resources: NewestResource[] } & Total & NextPage> {
  const { did, resourceTypes, ...request } = parseInput(
    linkedResourceMethods.linkedResourceListNewest.arguments,
    args,
  )
  const range = readPage(request)
  const types = resourceTypes && new Set(resourceTypes)
  const located = ledgers.locate(did)
  const { id, ledger, network } = located
  const counted = await askLedger(ledger.countResources(id, resourceTypes, PAGES.counted + 1))
  const total = Math.min(counted.fitting, PAGES.counted)
  const { found, end } = await findFitting(
    located,
    range,
    ({ resourceType }) => types?.has(resourceType) ?? true,
  )
  const resources = found.map(({ versions, ...metadata }) => ({
    versions,
    metadata: toLinkedResourceMetadata(network, metadata),
  }))
  const fitting = countWithin(resources, PAGES.bytes)
  const last = fitting < resources.length ? found[fitting - 1] : end
  return {
    total,
    ...(counted.seen > PAGES.counted && { totalIsExact: false as const }),
    resources: resources.slice(0, fitting),
    ...(last && { next: placeText([last.name, last.resourceType]) }),
  }
}

/** @returns `end`: the last one read, if there are more after it */
async function findFitting(
  { id, ledger }: LocatedDid,
  { limit, offset, after }: PageRange,
  fits: (one: FoundResource) => boolean,
): Promise<{ found: FoundResource[]; end?: FoundResource }> {
  const found: FoundResource[] = []
  let [name = '', resourceType = ''] = after === undefined ? [] : readPlace(after, 2)
  let left = offset
  let end: FoundResource | undefined
  // Most pages are found at once.
  let chunk = Math.min(CHUNK, limit + offset)
  for (let seen = 0; seen < PAGES.counted; seen += chunk, chunk = CHUNK) {
    const read = await askLedger(
      ledger.findResources(id, { after: { name, resourceType }, limit: chunk + 1 }),
    )
    for (const one of read.slice(0, chunk)) {
      if (found.length === limit) return { found, ...(end && { end }) }
      end = one
      if (!fits(one)) continue
      if (left > 0) left -= 1
      else found.push(one)
    }
    if (!end || read.length <= chunk) return { found }
    if (found.length === limit) break
    ;({ name, resourceType } = end)
  }
  return { found, ...(end && { end }) }
}

/** The versions of one resource, newest first. @throws AgentError `invalid_input`, `resource_not_found` */
export async function listVersions(
  ledgers: LedgersByNetwork,
  args: unknown,
): Promise<{ versions: LinkedResourceMetadata[] } & Total & NextPage> {
  const { did, resourceName, resourceType, ...request } = parseInput(
    linkedResourceMethods.linkedResourceListVersions.arguments,
    args,
  )
  const { limit, offset, after } = readPage(request)
  const { network, id, ledger } = ledgers.locate(did)
  const count = await askLedger(ledger.countVersions(id, resourceName, resourceType))
  if (count === 0) throw new AgentError('resource_not_found', 'the DID has no such resource')
  const range: VersionPage = { limit: limit + 1, offset }
  if (after !== undefined) range.after = await knownVersion({ id, ledger }, after)
  const found = await askLedger(ledger.listResourceVersions(id, resourceName, resourceType, range))
  const versions = found.slice(0, limit).map((metadata) => toLinkedResourceMetadata(network, metadata))
  versions.splice(countWithin(versions, PAGES.bytes))
  const last = found.length > versions.length ? versions.at(-1) : undefined
  return { total: count, versions, ...(last && { next: last.resourceId }) }
}

/** Behind a version that there is not, there is nothing, which would look like the end. */
async function knownVersion(
  { id, ledger }: Pick<LocatedDid, 'id' | 'ledger'>,
  after: string,
): Promise<string> {
  if (isUuid(after) && (await askLedger(ledger.getResourceMetadata(id, after)))) return after
  throw problemsError('invalid_input', [{ path: 'after', message: 'must be the id of a version of the DID' }])
}
