import type { StatusListLocation } from './status-list-type.js'
import type { WithVersion } from './with-version.js'

/** How often a list publishes its changes. */
export interface StatusListPace {
  /** ISO 8601 duration in fixed units, such as `PT15M` */
  publishEvery: string
  /** a version at each beat, even without changes */
  always: boolean
  /** beats are whole multiples of `publishEvery` after this */
  startedAt: Date
}

/** A list with a pace, and how far it is. */
export interface PacedStatusList extends StatusListPace {
  list: StatusListLocation
  /** number of the last stored change */
  stored: number
  /** the published versions contain all changes up to this one */
  published: number
  /** entries with a change that is not published yet */
  waiting: number
  /** absent: nothing waits, and no version is due */
  beatAt?: Date
}

/** The newest change of an entry that is not published yet. */
export interface WaitingChange {
  /** the entry: its index, or a keyed hash of it for encrypted lists */
  place: string
  /** as the engine wrote it; encrypted for encrypted lists */
  content: string
  /** rises with each stored change of the list */
  number: number
}

/** A change to be stored. */
export interface ChangeToStore extends Omit<WaitingChange, 'number'> {
  /** counts as allocated from now on */
  index: number
}

/** What stands in the way between the stored and the published state of a list. */
export interface WaitingChanges {
  /** see {@link PacedStatusList.published} */
  published: number
  /** number of the last stored change */
  upTo: number
  changes: WaitingChange[]
}

/** Changes of one call to be stored. */
export interface StoringRequest {
  list: StatusListLocation
  /** as read before the published version was: nothing is stored if it has moved on */
  published: number
  /** of all entries of the call */
  places: readonly string[]
  now: Date
  /** the next beat after now */
  next: Date
}

/** A call's changes, as they were planned on what waits. */
export interface PlannedStoring<T> {
  result: T
  changes: readonly ChangeToStore[]
  /** recorded together with them */
  record?: WithVersion | undefined
}

/** The result of {@link StatusListPaces.store}. */
export interface Stored<T> {
  result: T
  /** the newest stored change of the list, this one included */
  number: number
  /** when the state that the call requested is published; absent: it is already */
  visibleFrom?: Date
  /** what the call stored must not wait: see {@link StatusListPaces.hurry} */
  isHurried: boolean
}

/** A list whose beat has come, which this process publishes until another one takes over. */
export interface HeldBeat extends StatusListPace {
  list: StatusListLocation
  at: Date
  /** Records with the version when the following beat is. */
  withVersion(next: Date): WithVersion
}

/**
 * The paces of lists, and the changes that wait for the next beat. Durable when a method resolves, and safe against
 * other processes on the same database.
 */
export interface StatusListPaces {
  /**
   * Records the pace of a list that is about to be published, or has been; does nothing once it is made.
   *
   * @param options - `made`: its first version is published; `next`: the next beat, which takes place if versions are always due
   */
  note(list: StatusListLocation, pace: StatusListPace, options: { made: boolean; next: Date }): Promise<void>
  /** Forgets a pace whose list was not made. */
  dropNew(list: StatusListLocation): Promise<void>
  /** For a list that belongs to nobody any more. @returns how many changes are lost with it */
  forget(list: StatusListLocation): Promise<number>
  /** The pace alone: cheap, and as of the call, whichever process has created the list. */
  of(list: StatusListLocation): Promise<StatusListPace | undefined>
  find(list: StatusListLocation): Promise<PacedStatusList | undefined>
  /**
   * Stores a call's changes in one transaction.
   *
   * @param plan - gets the waiting changes of the requested places; may run again; what it throws is thrown
   * @returns `undefined` if changes were published meanwhile, or the list has no pace: nothing was stored
   */
  store<T>(
    request: StoringRequest,
    plan: (waiting: readonly WaitingChange[]) => PlannedStoring<T>,
  ): Promise<Stored<T> | undefined>
  /**
   * The changes that wait, as of one moment.
   *
   * @param places - only of these
   */
  waiting(list: StatusListLocation, places?: readonly string[]): Promise<WaitingChanges>
  /**
   * Until a time, changes of the lists of a DID must not wait any more, as it is about to end. Whatever was stored before
   * is among the {@link waitingLists} afterwards.
   */
  hurry(did: string, until: Date): Promise<void>
  /** Lists of a DID with waiting changes. */
  waitingLists(did: string): Promise<StatusListLocation[]>
  /** Removes changes that are published, all up to a number. */
  settle(list: StatusListLocation, upTo: number): Promise<void>
  /**
   * Publishes lists whose beat has come, from the first call on, together with all processes that share the store. Resolves once none
   * is due.
   *
   * @param work - `publish`: one process at a time calls it for a list, and again after an error, which `failed` gets. It returns the
   *   following beat, which takes place if something waits, or versions are always due
   */
  run(work: { publish: (beat: HeldBeat) => Promise<Date>; failed: (error: unknown) => void }): Promise<void>
  /** Leaves the rest to others. */
  stop(): Promise<void>
}
