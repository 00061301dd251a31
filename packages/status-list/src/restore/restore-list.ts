import {
  isAgentError,
  type StatusListLocation,
  type StatusListRestoreArgs,
  type StatusListRestoreResult,
  type StatusListStore,
} from '@vidimus/core-types'
import type { WritingContext } from '../agent-context.js'
import { getEntry } from '../encoding/entries.js'
import { byAHolder } from '../renewal/by-a-holder.js'
import type { UpdateBatches } from '../updates/update-batches.js'
import { openOwnList, type DecodedList } from '../versions/decoded-list.js'
import { findList, type FoundList } from '../versions/find-list.js'
import { isSameList } from '../versions/list-location.js'
import { readCopy, type CopyReaders, type PublishedCopy } from './published-copy.js'
import {
  isAlike,
  isOlder,
  setOnlyThere,
  takenOver,
  type ComparedCopy,
  type OwnVersion,
} from './taken-over.js'

export interface RestoreParts extends Omit<CopyReaders, 'context'> {
  store: StatusListStore
  batches: UpdateBatches
}

/**
 * Brings a list back after the database was restored from a backup: takes over what its lost versions said, and skips the
 * indices that may have been allocated since.
 */
export async function restoreList(
  args: StatusListRestoreArgs,
  parts: RestoreParts,
  context: WritingContext,
): Promise<StatusListRestoreResult> {
  const { list: location, restore, most } = args
  const found = await findList(location, parts, context)
  if (!found) return { problems: ['it is not a list that this service can read'] }
  const problems: string[] = []
  const own = ownVersion(found, problems)
  if (!own) return { listType: found.type.type, problems }
  const copies = await comparedCopies(args, found, own, { parts, problems, context })
  const taken = takenOver(own, copies)
  const newest = taken && copies.find(({ source }) => source === taken.source)
  for (const copy of copies) {
    const only = !copy.isKnown && copy !== newest && isOlder(copy, own) ? setOnlyThere(own, copy) : 0
    if (only > 0)
      problems.push(
        `${copy.source} is older than the ledger, and has ${only} entries set that are not set there`,
      )
  }
  const isTaken = restore === undefined || !taken || (await takeOver(found, taken.values, parts, context))
  if (!isTaken) problems.push('its lost version was not taken over: no account can publish it any more')
  const versions = [own.list, ...copies.map(({ list }) => list)]
  const isUsed = (index: number) => versions.some((list) => isSet(list, index))
  const skipped = await parts.store.restores.skip(location, {
    entries: own.list.entries,
    isUsed,
    most,
    restore,
  })
  return {
    listType: found.type.type,
    entries: own.list.entries,
    skipped,
    ...(taken && isTaken && { takenOver: { source: taken.source, entries: taken.values.size } }),
    problems,
  }
}

/** @returns `undefined` if the list cannot be continued, as it is */
function ownVersion({ located }: FoundList, problems: string[]): OwnVersion | undefined {
  try {
    const list = openOwnList(located)
    if (list.failure && !list.failure.keyRetired) problems.push(list.failure.error.message)
    return { list, time: Date.parse(located.metadata.created) }
  } catch (error) {
    if (!isAgentError(error)) throw error
    problems.push(error.message)
    return undefined
  }
}

interface Comparing {
  parts: RestoreParts
  problems: string[]
  context: WritingContext
}

async function comparedCopies(
  { list: at, copies }: StatusListRestoreArgs,
  { located }: FoundList,
  own: OwnVersion,
  { parts, problems, context }: Comparing,
): Promise<ComparedCopy[]> {
  const compared: ComparedCopy[] = []
  for (const { source, data, version } of copies) {
    try {
      const content = Buffer.from(data, 'base64url')
      const copy = await readCopy(content, version ? at : undefined, { ...parts, context })
      if (!isSameList(copy.location, at)) continue
      if (!isAlike(copy.list, own.list)) {
        problems.push(`${source} has another length or width, and was not compared`)
        continue
      }
      const resourceId = version?.id ?? copy.resourceId
      const isKnown = resourceId !== undefined && (await isOnLedger(at, resourceId, context))
      compared.push({ ...copy, source, isKnown, time: timeOf(copy, version, located.metadata.created) })
    } catch (error) {
      if (!isAgentError(error)) throw error
      problems.push(`${source} was not taken over: ${error.message}`)
    }
  }
  return compared
}

/** What is neither signed nor has a time is not newer. */
const timeOf = ({ signedAt }: PublishedCopy, version: { time: string } | undefined, own: string): number =>
  version ? Date.parse(version.time) : signedAt === undefined ? Date.parse(own) : signedAt * 1000

async function isOnLedger(
  { did }: StatusListLocation,
  resourceId: string,
  { agent }: WritingContext,
): Promise<boolean> {
  return (await agent.linkedResourceGet({ did, resourceId })) !== null
}

/** @returns `false` if no account can publish the list any more */
async function takeOver(
  { type, located: { location, list } }: FoundList,
  values: ReadonlyMap<number, number>,
  { store, batches }: RestoreParts,
  context: WritingContext,
): Promise<boolean> {
  const { resourceType, ...name } = location
  const target = { type, ...name, resourceTypes: [resourceType], encrypted: list.layout.encrypted }
  // What waited for publication at the time of the backup is in the lost version, which came later.
  const { upTo } = await store.paces.waiting(location, [])
  await store.paces.settle(location, upTo)
  // At once, and also without a change: whoever has the lost version takes only a newer one.
  const operation = { action: 'restore', indices: [...values.keys()], values, anew: true }
  const outcome = await byAHolder(await store.renewals.holders(location.did), () =>
    batches.submit(target, operation, context),
  )
  return outcome !== undefined
}

const isSet = ({ bits, layout, entries }: DecodedList, index: number): boolean =>
  index < entries && getEntry(bits, layout, index) !== 0
