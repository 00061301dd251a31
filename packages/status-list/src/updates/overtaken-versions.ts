import {
  isAgentError,
  type LinkedResource,
  type StatusListLocation,
  type StatusListType,
} from '@vidimus/core-types'
import type { ReadingContext } from '../agent-context.js'
import { getEntry, setEntry } from '../encoding/entries.js'
import type { DecodedList, PublishedList } from '../versions/decoded-list.js'
import type { PublishedLists } from '../versions/published-lists.js'

/** A version that a ledger answered with `version_conflict`. */
export interface AttemptedVersion {
  location: StatusListLocation
  /** the id that it was to have */
  resourceId: string
  /** the version that it was to follow */
  expectedPrevious: string
  /** as that version has it */
  seen: DecodedList
  /** as the attempted version has it */
  bits: Uint8Array
}

/** Where the next attempt begins. */
export interface StartingPoint {
  list: DecodedList
  /** in place of the document of the newest version */
  doc?: unknown
  /** whether it says something else than the newest version, and so must be published in any case */
  differs: boolean
}

/** The value of an entry that was written over unseen, and the one that stands in its place. */
interface LostValue {
  theirs: number
  instead: number
}

/**
 * What other writers have published, and versions of ours do not hold. Ledgers with blocks cannot refuse a version
 * because of the one that it follows: where two writers meet in a block, both versions are written, and the later one
 * says nothing of what the earlier one has changed. That comes to light afterwards, as a `version_conflict` of a version
 * that is there, and is put right by the next version.
 */
export class OvertakenVersions {
  private readonly lost = new Map<number, LostValue>()
  private last: { writtenId: string; list: DecodedList; doc: unknown } | undefined

  constructor(
    private readonly type: StatusListType,
    private readonly lists: PublishedLists,
  ) {}

  /** Finds out whether an attempted version was written nevertheless, and what it has covered. */
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

  /** Whether a version is one of ours that has covered another, so that the list goes on from that one. */
  covers({ metadata }: PublishedList): boolean {
    return this.last?.writtenId === metadata.resourceId
  }

  /**
   * The version that was covered last, where nobody has gone on from ours; otherwise the newest one. Entries that still
   * have the value that was written over another one unseen get the other one back.
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

  /** A version whose bits may be believed; one that is no list has nothing to keep. */
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
