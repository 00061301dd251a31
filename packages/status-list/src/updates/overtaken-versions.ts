import {
  isAgentError,
  isSignerLeft,
  type LinkedResource,
  type StatusListLocation,
  type StatusListType,
} from '@vidimus/core-types'
import type { ReadingContext } from '../agent-context.js'
import { getEntry, setEntry } from '../encoding/entries.js'
import type { DecodedList, PublishedList } from '../versions/decoded-list.js'
import type { PublishedLists } from '../versions/published-lists.js'

/** A version that a ledger rejected with `version_conflict`. */
export interface AttemptedVersion {
  location: StatusListLocation
  /** its intended id */
  resourceId: string
  /** the version that it was meant to follow */
  expectedPrevious: string
  /** as of that version */
  seen: DecodedList
  /** as of the attempted version */
  bits: Uint8Array
}

/** The base of the next attempt. */
export interface StartingPoint {
  list: DecodedList
  /** replaces the document of the newest version */
  doc?: unknown
  /** whether it differs from the newest version, and so must be published in any case */
  differs: boolean
  /** changes that waited for this version, if the list has a pace; they are in `list` */
  waiting?: {
    /** entries that they change */
    changed: number
    actions: readonly string[]
    /** number of the last stored change that the version contains */
    upTo: number
  }
}

/** Whether another version of the list came first; not whether a signature came too late. */
export const isOvertaken = (error: unknown): boolean =>
  isAgentError(error) && error.code === 'version_conflict' && !isSignerLeft(error)

/** The value of an entry that was overwritten unseen, and the value that replaced it. */
interface LostValue {
  theirs: number
  instead: number
}

/**
 * Changes published by other writers that versions of ours do not contain. Ledgers with blocks cannot refuse a version
 * for the one that it follows: if two writers share a block, both versions are written, and the later one lacks the
 * changes of the earlier. This shows afterwards, as a `version_conflict` for a version that exists, and the next
 * version repairs it.
 */
export class OvertakenVersions {
  private readonly lost = new Map<number, LostValue>()
  private last: { writtenId: string; list: DecodedList; doc: unknown } | undefined

  constructor(
    private readonly type: StatusListType,
    private readonly lists: PublishedLists,
  ) {}

  /** Checks whether an attempted version was written nevertheless, and what it has covered. */
  async note(attempted: AttemptedVersion, context: ReadingContext): Promise<void> {
    const { location, resourceId, expectedPrevious, seen, bits } = attempted
    const written: LinkedResource | null = await context.agent.linkedResourceGet({
      did: location.did,
      resourceId,
    })
    const covered = written?.metadata.previousVersionId
    if (!covered || covered === expectedPrevious) return
    const theirs = await this.readable(location, covered, context)
    if (!theirs) return
    this.last = { writtenId: resourceId, ...theirs }
    if (!isAlike(theirs.list, seen)) {
      this.lost.clear()
      return
    }
    for (let index = 0; index < seen.entries; index++) {
      const value = getEntry(theirs.list.bits, seen.layout, index)
      if (value === getEntry(seen.bits, seen.layout, index)) continue
      this.lost.set(index, { theirs: value, instead: getEntry(bits, seen.layout, index) })
    }
  }

  /** Whether a version is one of ours that covered another, so that the list continues from the covered one. */
  covers({ metadata }: PublishedList): boolean {
    return this.last?.writtenId === metadata.resourceId
  }

  /**
   * The last covered version, if no other writer has built on ours; otherwise the newest one. Entries that still have a
   * value written over an unseen one get the unseen one back.
   */
  startFrom({ metadata }: PublishedList, newest: DecodedList): StartingPoint {
    if (!this.last) return { list: newest, differs: false }
    const covered = this.last.writtenId === metadata.resourceId ? this.last : undefined
    const from = covered?.list ?? newest
    const bits = new Uint8Array(from.bits)
    for (const [index, { theirs, instead }] of this.lost) {
      if (index < from.entries && getEntry(bits, from.layout, index) === instead) {
        setEntry(bits, from.layout, index, theirs)
      }
    }
    const differs = covered !== undefined || !Buffer.from(bits.buffer).equals(newest.bits)
    return { list: { ...from, bits }, ...(covered && { doc: covered.doc }), differs }
  }

  /** A version with trustworthy bits; a version that is not a list has nothing to keep. */
  private async readable(location: StatusListLocation, resourceId: string, context: ReadingContext) {
    try {
      const found = await this.lists.version(this.type, location, resourceId, context)
      return found && !found.list.failure && !found.list.locked ? found : undefined
    } catch (error) {
      if (isAgentError(error) && error.code === 'malformed_list') return undefined
      throw error
    }
  }
}

const isAlike = (one: DecodedList, other: DecodedList): boolean =>
  one.entries === other.entries &&
  one.layout.statusSize === other.layout.statusSize &&
  one.layout.order === other.layout.order
