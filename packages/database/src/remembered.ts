import { Cache, memoryOf, type Counter } from '@vidimus/core-types'
import { readTables } from './changed-tables.js'
import type { Reader } from './connection.js'
import { isPartAway } from './errors.js'
import type { HomeWatch } from './home-versions.js'
import { EVERY_HOME } from './homes.js'
import type { Moments } from './moments.js'

interface Known {
  /** the changes of its homes that were known when it was read */
  changes: number
  value: unknown
}

interface Asked {
  changes: number
  answer: Promise<unknown>
}

/**
 * Results from the rows of some homes, cached until a transaction of any process changes one of them.
 *
 * Calls ask the database for the versions of homes, concurrent calls together, and always after they started: the
 * result includes everything committed before the call, or before an earlier one of the same request, see
 * {@link Moments}.
 */
export class Remembered {
  private readonly values = new Cache<Known>('query', { sizeOf: ({ value }) => memoryOf(value) })
  private readonly asked = new Map<string, Asked>()
  /** how often each home was seen to have changed */
  private readonly changes = new Map<number, number>()
  private readonly reader: Reader
  private asking: Promise<void> | undefined
  private next: Promise<void> | undefined
  /** homes that the next question is about */
  private awaited = new Set<number>()

  /**
   * @param reader - a connection without writes
   * @param tables - that may be read: writes to others are not tracked
   * @param moments - of requests
   * @param counted - hits and misses
   */
  constructor(
    reader: Reader,
    private readonly watch: HomeWatch,
    tables: ReadonlySet<string>,
    private readonly moments: Moments,
    private readonly counted?: Counter,
  ) {
    this.reader = {
      query: async (statement) => {
        demandWatched(statement.text(watch.dialect), tables)
        return reader.query(statement)
      },
    }
  }

  /**
   * @param key - of the look-up, in these homes
   * @returns a value shared by several callers, which must not modify it
   */
  async find<T>(homes: readonly number[], key: string, read: (reader: Reader) => Promise<T>): Promise<T> {
    if (!this.moments.knows(homes)) await this.upToDate(homes)
    const changes = this.changesOf(homes)
    const known = this.values.get(key)
    const asked = this.asked.get(key)
    const isKnown = known?.changes === changes
    const isAsked = asked?.changes === changes
    this.counted?.add(1, isKnown || isAsked ? 'hit' : 'miss')
    if (isKnown) return known.value as T
    const value = await (isAsked ? asked.answer : this.read(homes, key, read))
    // It may be newer than what the request has asked about.
    this.moments.end()
    return value as T
  }

  /** Also once the database is closed: nothing else would. */
  forget(): void {
    this.values.clear()
  }

  /** Concurrent callers share the result. A failure is not cached; its callers get it. */
  private async read<T>(
    homes: readonly number[],
    key: string,
    read: (reader: Reader) => Promise<T>,
  ): Promise<T> {
    const changes = this.changesOf(homes)
    const own = { changes, answer: read(this.reader) }
    this.asked.set(key, own)
    try {
      const value = await own.answer
      if (this.changesOf(homes) === changes) this.values.set(key, { changes, value })
      return value
    } finally {
      if (this.asked.get(key) === own) this.asked.delete(key)
    }
  }

  private changesOf(homes: readonly number[]): number {
    return [EVERY_HOME, ...homes].reduce((sum, home) => sum + (this.changes.get(home) ?? 0), 0)
  }

  /**
   * Asks about homes, and those that the request knows already, all at one time: its later look-up is never older than
   * the one before.
   */
  private async upToDate(wanted: readonly number[]): Promise<void> {
    const moment = this.moments.begin()
    const homes = [...moment.known, ...wanted]
    try {
      await this.askAbout(homes)
    } catch (error) {
      if (!isPartAway(error)) throw error
      // Perhaps only what others have asked about.
      this.noteChanges(await this.watch.changed(new Set(homes)))
    }
    moment.learned(this.watch.seesAll ? [EVERY_HOME] : homes)
  }

  /** Asks at once, or together with others as soon as the current query returns. */
  private askAbout(homes: readonly number[]): Promise<void> {
    for (const home of homes) this.awaited.add(home)
    if (!this.asking) return this.begin()
    // The current query may be older than this call.
    this.next ??= this.asking.then(
      () => this.begin(),
      () => this.begin(),
    )
    return this.next
  }

  private begin(): Promise<void> {
    const homes = this.awaited
    this.awaited = new Set()
    this.next = undefined
    this.asking = this.ask(homes)
    return this.asking
  }

  private async ask(homes: ReadonlySet<number>): Promise<void> {
    try {
      this.noteChanges(await this.watch.changed(homes))
    } finally {
      // Until the next query begins, whoever comes joins it: its homes are for no other one.
      if (!this.next) this.asking = undefined
    }
  }

  private noteChanges(homes: readonly number[]): void {
    for (const home of homes) this.changes.set(home, (this.changes.get(home) ?? 0) + 1)
  }
}

/** A programming error: what it caches would never be invalidated. */
function demandWatched(text: string, tables: ReadonlySet<string>): void {
  const unwatched = readTables(text).filter((table) => !tables.has(table))
  if (unwatched.length > 0) {
    throw new Error(
      `rows of ${unwatched.join(', ')} are not to be remembered: no migration names them in "remembered"`,
    )
  }
}
