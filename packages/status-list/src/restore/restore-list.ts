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

/** A copy of a list, and how it relates to the newest version that the ledger has. */
interface ComparedCopy extends PublishedCopy {
  source: string
  /** whether the ledger has this very version */
  isKnown: boolean
  /** of the version, in milliseconds since 1970 */
  time: number
}

/** What of a copy replaces what the ledger has. */
interface TakenOver {
  source: string
  /** the new values of entries */
  values: ReadonlyMap<number, number>
}

/** The newest version that the ledger has. */
interface OwnVersion {
  list: DecodedList
  /** in milliseconds since 1970 */
  time: number
}

/**
 * The values of the newest lost version. If it was signed in the second of the one that the ledger has, and does not say
 * which version it is, only entries that are not set here are taken over.
 *
 * @returns `undefined` if no copy is of a lost version, or the newest of them is older than what the ledger has
 */
function takenOver(own: OwnVersion, copies: readonly ComparedCopy[]): TakenOver | undefined {
  const [newest] = copies.filter(({ isKnown }) => !isKnown).toSorted((a, b) => b.time - a.time)
  if (!newest || isOlder(newest, own)) return undefined
  const { source, list, time } = newest
  const wins = time > own.time || newest.resourceId !== undefined
  const values = new Map<number, number>()
  for (let index = 0; index < own.list.entries; index += 1) {
    const [here, there] = [
      getEntry(own.list.bits, own.list.layout, index),
      getEntry(list.bits, list.layout, index),
    ]
    if (here !== there && (wins || here === 0)) values.set(index, there)
  }
  return { source, values }
}

/** Entries that an older copy has set, and the ledger has not. */
function setOnlyThere(own: OwnVersion, { list }: PublishedCopy): number {
  let count = 0
  for (let index = 0; index < own.list.entries; index += 1) {
    const isSetHere = getEntry(own.list.bits, own.list.layout, index) !== 0
    if (!isSetHere && getEntry(list.bits, list.layout, index) !== 0) count += 1
  }
  return count
}

/** Signatures say the second alone. */
const isOlder = ({ time }: Pick<ComparedCopy, 'time'>, own: OwnVersion): boolean =>
  Math.floor(time / 1000) < Math.floor(own.time / 1000)

/** Whether the values of two lists can be compared index by index. */
const isAlike = (one: DecodedList, other: DecodedList): boolean =>
  one.entries === other.entries &&
  one.layout.statusSize === other.layout.statusSize &&
  one.layout.order === other.layout.order
