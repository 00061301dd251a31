import {
  AgentError,
  log,
  type PlannedStoring,
  type Stored,
  type StatusListLocation,
  type StatusListPace,
  type StatusListPaces,
  type StatusListType,
} from '@vidimus/core-types'
import { getEntry } from '../encoding/entries.js'
import { isInRange } from '../indices/index-range.js'
import type { ListCiphers } from '../encryption/list-cipher.js'
import { actionFor, planUpdate, type PlannedUpdate, type UpdateOperation } from '../updates/plan-update.js'
import { openOwnList, type DecodedList } from '../versions/decoded-list.js'
import type { LocatedList } from '../versions/list-location.js'
import { nextBeat } from './pace.js'
import { WaitingChanges } from './waiting-changes.js'
import { PLAIN, valueAfter, type EntryChange, type EntryCoder } from './waiting-entries.js'

/** How long a DID may take to end, in milliseconds: its message may be in a transaction of a slow network. */
const HURRIED_MS = 3_600_000

/** Reads that were overtaken by a publication before the caller gets an error. */
const MOST_ATTEMPTS = 25

type Read = () => Promise<LocatedList>

/** An operation whose changes are stored. */
export interface StoredUpdate extends PlannedUpdate {
  /** the value of each entry of the operation */
  values: ReadonlyMap<number, number>
}

/**
 * Lists that publish at intervals. All changes of such a list are stored first, so that a stored change of an entry is
 * always the newest one, and any later version may contain it.
 */
export class PacedLists {
  /** @param kept - absent: no list has a pace */
  constructor(
    private readonly kept: StatusListPaces | undefined,
    private readonly ciphers: ListCiphers,
    private readonly clock: () => Date,
  ) {}

  get available(): boolean {
    return this.kept !== undefined
  }

  /**
   * The pace of a list. It is there before the first version, and never changes: whoever has read a version and asks
   * then knows it, whichever process has created the list.
   */
  async of(list: StatusListLocation): Promise<StatusListPace | undefined> {
    return this.kept?.of(list)
  }

  /** Before the first version of a list: from then on its changes wait, even if this process dies. */
  async noteNew(list: StatusListLocation, pace: StatusListPace | undefined): Promise<void> {
    const { kept } = this
    if (!kept) return
    if (pace) await kept.note(list, pace, { made: false, next: nextBeat(pace, this.clock()) })
    // An attempt to create it with a pace may have failed.
    else if (await kept.of(list)) await kept.dropNew(list)
  }

  /** Somebody else has published the list. */
  async dropNew(list: StatusListLocation): Promise<void> {
    if (await this.of(list)) await this.kept?.dropNew(list)
  }

  /** Once the first version of a list is published. */
  async noteMade(list: StatusListLocation, pace: StatusListPace | undefined): Promise<void> {
    if (!pace) return
    await this.kept?.note(list, pace, { made: true, next: nextBeat(pace, this.clock()) })
  }

  /** What the publisher sees of the pace of a list; empty without one. */
  async shown(list: StatusListLocation) {
    const found = (await this.of(list)) && (await this.kept?.find(list))
    if (!found) return {}
    const { publishEvery, always, waiting, beatAt } = found
    return { publishEvery, always, waiting, ...(beatAt && { visibleFrom: beatAt.toISOString() }) }
  }

  /**
   * Reads a list together with its waiting changes.
   *
   * @returns `waiting` only for a list with a pace
   */
  async withWaiting(read: Read): Promise<{ located: LocatedList; waiting?: WaitingChanges }> {
    const first = await read()
    const { location } = first
    if (!this.kept || !(await this.of(location))) return { located: first }
    const { located, changes, numbers } = await this.consistently(first, read)
    return { located, waiting: new WaitingChanges(changes, numbers) }
  }

  /** The publisher's list with everything that is stored, whether it is published or not. */
  async storedList(type: StatusListType, read: Read): Promise<DecodedList> {
    const { located, waiting } = await this.withWaiting(read)
    const list = openOwnList(located)
    return waiting ? waiting.appliedTo(type, { list, differs: false }, []).list : list
  }

  /** The stored values of entries, whether they are published or not. */
  async storedValues(
    type: StatusListType,
    list: LocatedList,
    indices: readonly number[],
    read: Read,
  ): Promise<ReadonlyMap<number, number>> {
    const { located, changes } = await this.consistently(list, read, indices)
    const valueAt = storedValue(type, openOwnList(located), changes)
    return new Map(indices.map((index) => [index, valueAt(index)]))
  }

  /**
   * Stores the changes of an operation; they are durable when this resolves.
   *
   * @returns the version that they were planned on
   * @throws AgentError as {@link planUpdate} does, `version_conflict`
   */
  async store(
    type: StatusListType,
    first: LocatedList,
    operation: UpdateOperation,
    read: Read,
  ): Promise<{ located: LocatedList; stored: Stored<StoredUpdate> }> {
    const { location } = first
    const kept = this.demandKept()
    const coder = await this.entryCoder(first)
    const places = placeKeys(operation.indices, coder)
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      const pace = await kept.find(location)
      if (!pace) break
      const located = await read()
      const list = openOwnList(located)
      const now = this.clock()
      const request = { list: location, published: pace.published, places, now, next: nextBeat(pace, now) }
      const stored = await kept.store(request, (waiting) => {
        const changes = waiting.map(({ content }) => coder.read(content))
        return planned(type, list, changes, operation, coder)
      })
      if (stored) return { located, stored }
    }
    throw overtaken(location)
  }

  /** Waiting changes up to a number are published. What cannot be noted now is published once more. */
  async settle(list: StatusListLocation, upTo: number): Promise<void> {
    try {
      await this.kept?.settle(list, upTo)
    } catch (error) {
      log('warn', 'published changes of a status list are still stored as waiting', {}, error)
    }
  }

  /**
   * Lists of a DID with waiting changes, before it ends: whatever is not in them does not wait, and later changes are
   * published at once or refused.
   */
  async lastWaiting(did: string): Promise<StatusListLocation[]> {
    const until = new Date(this.clock().getTime() + HURRIED_MS)
    await this.kept?.hurry(did, until)
    return this.waitingLists(did)
  }

  /** Lists of a DID with waiting changes. */
  async waitingLists(did: string): Promise<StatusListLocation[]> {
    return (await this.kept?.waitingLists(did)) ?? []
  }

  /**
   * A version and the changes that wait: none was published between the two reads, so that whatever does not wait is in
   * the version.
   */
  private async consistently(first: LocatedList, read: Read, indices?: readonly number[]) {
    const { location } = first
    const kept = this.demandKept()
    const coder = await this.entryCoder(first)
    const places = indices && placeKeys(indices, coder)
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      const { published } = await kept.waiting(location, [])
      const located = await read()
      const waiting = await kept.waiting(location, places)
      if (waiting.published !== published) continue
      const changes = waiting.changes.map(({ content, number }) => ({ ...coder.read(content), number }))
      return { located, changes, numbers: { published, upTo: waiting.upTo } }
    }
    throw overtaken(location)
  }

  private async entryCoder({ list: { layout }, location }: LocatedList): Promise<EntryCoder> {
    return (layout.encrypted ? await this.ciphers.hidden(location) : undefined) ?? PLAIN
  }

  private demandKept(): StatusListPaces {
    if (this.kept) return this.kept
    throw new TypeError('no list has a pace without a store')
  }
}

const placeKeys = (indices: readonly number[], coder: EntryCoder): string[] =>
  [...new Set(indices)].map((index) => coder.placeKey(index))

/** @returns a function for the value of an entry of a published list, its waiting changes included */
function storedValue(
  type: StatusListType,
  { layout, bits }: DecodedList,
  changes: readonly EntryChange[],
): (index: number) => number {
  const changed = new Map(changes.map((change) => [change.index, change]))
  return (index) => {
    const current = getEntry(bits, layout, index)
    const change = changed.get(index)
    return change ? valueAfter(type, layout, current, change) : current
  }
}

function planned(
  type: StatusListType,
  list: DecodedList,
  waiting: readonly EntryChange[],
  operation: UpdateOperation,
  coder: EntryCoder,
): PlannedStoring<StoredUpdate> {
  const valueAt = storedValue(type, list, waiting)
  const plan = planUpdate(type, list.layout, { valueAt, entries: list.entries }, operation)
  const inside = operation.indices.filter((index) => isInRange(index, list.entries))
  const values = new Map(inside.map((index) => [index, valueAt(index)]))
  for (const [index, value] of plan.changes) values.set(index, value)
  const changes = plan.changes.map(([index, value]) => {
    const content = coder.encode({ index, value, action: actionFor(operation, index) })
    return { index, place: coder.placeKey(index), content }
  })
  return { result: { ...plan, values }, changes, record: operation.recordOf?.(plan) }
}

const overtaken = ({ statusListName }: StatusListLocation) =>
  new AgentError(
    'version_conflict',
    `the status list "${statusListName}" was published too often in the meantime; try again`,
  )
