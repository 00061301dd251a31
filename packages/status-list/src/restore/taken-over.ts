import type { PublishedCopy } from './published-copy.js'
import { getEntry } from '../encoding/entries.js'
import type { DecodedList } from '../versions/decoded-list.js'

/** A copy of a list, and how it relates to the newest version that the ledger has. */
export interface ComparedCopy extends PublishedCopy {
  source: string
  /** whether the ledger has this very version */
  isKnown: boolean
  /** of the version, in milliseconds since 1970 */
  time: number
}

/** What of a copy replaces what the ledger has. */
export interface TakenOver {
  source: string
  /** the new values of entries */
  values: ReadonlyMap<number, number>
}

/** The newest version that the ledger has. */
export interface OwnVersion {
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
export function takenOver(own: OwnVersion, copies: readonly ComparedCopy[]): TakenOver | undefined {
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
export function setOnlyThere(own: OwnVersion, { list }: PublishedCopy): number {
  let count = 0
  for (let index = 0; index < own.list.entries; index += 1) {
    const isSetHere = getEntry(own.list.bits, own.list.layout, index) !== 0
    if (!isSetHere && getEntry(list.bits, list.layout, index) !== 0) count += 1
  }
  return count
}

/** Signatures say the second alone. */
export const isOlder = ({ time }: Pick<ComparedCopy, 'time'>, own: OwnVersion): boolean =>
  Math.floor(time / 1000) < Math.floor(own.time / 1000)

/** Whether the values of two lists can be compared index by index. */
export const isAlike = (one: DecodedList, other: DecodedList): boolean =>
  one.entries === other.entries &&
  one.layout.statusSize === other.layout.statusSize &&
  one.layout.order === other.layout.order
