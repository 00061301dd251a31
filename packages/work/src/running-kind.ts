import { setTimeout as pause } from 'node:timers/promises'
import {
  backOff,
  isAgentError,
  log,
  outsideOfRequests,
  overdueWork,
  queueName,
  SharedQueue,
} from '@vidimus/core-types'
import type { Connection, Database, WriteOptions } from '@vidimus/database'
import { chooseDue, itemId } from './choose-due.js'
import { HeldWork } from './held-work.js'
import type { WorkCounts } from './measurements.js'
import type { WorkKind } from './work-kind.js'
import { claimWork, extendClaims, giveBack, postponeWork, type WorkItem, type WorkKey } from './work-rows.js'

/** Claimed in advance for each one that is worked on, so that a claim is not a transaction for each item. */
const AHEAD = 2
/** How long work under way may take once it stops, before it is given back. */
const GRACE_MS = 10_000
/** The pause between two looks for work that other processes have added, in milliseconds. */
export const LOOK_EVERY_MS = 500
/** While nothing of a kind can be done, one item is tried after these pauses. */
const OBSTACLE = { firstMs: 500, mostMs: 30_000 }
const FAILURE_LENGTH = 500
/** Of kinds that do not say otherwise. */
const LEASE_MS = 60_000
const RETRY = { firstMs: 1000, mostMs: 300_000 }

const SPANS = 'claims of several homes, each of which stands for itself'
const GUARDED = 'it changes each row that it reads, if its fence is as it was'

const ENDED = Promise.resolve()

/** An item that is worked on, or waits for its turn in this process. */
interface Active {
  held: HeldWork
  claimedUntil: number
  hasBegun: boolean
  /** never rejects */
  ended: Promise<void>
}

/** A kind of work in this process: claims items, works on them, and settles them. */
export class RunningKind {
  private readonly active = new Map<string, Active>()
  private readonly queue: SharedQueue
  private taking: Promise<unknown> = Promise.resolve()
  private stopping = false
  private obstacles = 0
  private blockedUntil = 0
  private prepared: boolean
  /** claimed for each one that is worked on */
  private readonly ahead: number
  private preparing: Promise<void> | undefined
  /** what came of them could not be recorded: given back with the next look */
  private readonly unrecorded: WorkItem[] = []
  /** items that had one, so far */
  private effects = 0
  /** more is due than was claimed */
  private hasMore = false

  constructor(
    private readonly database: Database,
    readonly kind: WorkKind,
    private readonly counts: WorkCounts,
    private readonly wake: () => void,
  ) {
    this.queue = new SharedQueue(kind.most, kind.share)
    this.prepared = kind.prepare === undefined
    this.ahead = kind.isLong ? 1 : AHEAD
  }

  /** The time by the clock of the kind. */
  now(): Date {
    return this.kind.clock?.() ?? new Date()
  }

  get isPrepared(): boolean {
    return this.prepared
  }

  /** Whether it has a deadline and more to do than it can. */
  get isBehind(): boolean {
    return this.kind.isUrgent === true && this.hasMore
  }

  /** Whether nothing can be done for now. */
  get isBlocked(): boolean {
    return performance.now() < this.blockedUntil
  }

  /** Somebody believes that it can be done again. */
  unblock(): void {
    this.blockedUntil = 0
  }

  /** @param isAside - another kind comes first: one item at a time. @returns whether it has found something */
  take(isAside = false): Promise<boolean> {
    const taken = this.taking.then(() => this.claim(isAside))
    this.taking = taken.catch(() => undefined)
    return taken
  }

  /** Works until nothing is due. @returns how many items had an effect meanwhile */
  async drain(): Promise<number> {
    const before = this.effects
    for (;;) {
      const hasFound = await this.take()
      if (this.preparing) await this.preparing
      else if (this.active.size > 0) await Promise.all([...this.active.values()].map(({ ended }) => ended))
      else if (!hasFound) return this.effects - before
    }
  }

  /** When this process ends what it does with an item; `undefined`: it does nothing with it. */
  ended(key: WorkKey): Promise<void> | undefined {
    return this.active.get(itemId(key))?.ended
  }

  /** Claims of work that lasts are extended before they end; those of work that has ended are given back. */
  async extend(): Promise<void> {
    await this.giveBack(this.unrecorded.splice(0))
    const { kind } = this
    const now = this.now()
    const ending = [...this.active.values()].filter(
      ({ held, claimedUntil }) => claimedUntil - now.getTime() < this.leaseMs([held.item]) / 2,
    )
    if (ending.length === 0) return
    const items = ending.map(({ held }) => held.item)
    const until = new Date(now.getTime() + this.leaseMs(items))
    const kept = await this.write((connection) => extendClaims(connection, kind.name, items, until))
    const ours = new Set(kept.map(itemId))
    for (const one of ending) {
      if (ours.has(itemId(one.held.item))) one.claimedUntil = until.getTime()
      else one.held.lose()
    }
  }

  /** Claims nothing more, lets work under way end within its time, and gives back the rest. */
  async stop(): Promise<void> {
    this.stopping = true
    await this.taking
    await this.returnWaiting()
    const ends = [...this.active.values()].map(({ ended }) => ended)
    await Promise.race([Promise.all(ends), pause(this.kind.graceMs ?? GRACE_MS, undefined, { ref: false })])
    await this.return([...this.active.values()])
  }

  private async claim(isAside: boolean): Promise<boolean> {
    const { kind } = this
    if (this.stopping || !this.mayBegin()) return false
    const room = (isAside || this.obstacles > 0 ? 1 : this.ahead * kind.most) - this.active.size
    if (room < 1) return false
    const now = this.now()
    const { items: found, hasMore } = await chooseDue(this.database, kind, {
      now,
      room,
      share: this.ahead * kind.share,
      under: [...this.active.values()].map(({ held }) => held.item),
    })
    this.hasMore = hasMore
    if (found.length === 0) return false
    const until = new Date(now.getTime() + this.leaseMs(found))
    const holder = await this.database.presence()
    const claimed = await this.write((connection) =>
      claimWork(connection, kind.name, found, { holder, until }),
    )
    for (const item of claimed) this.begin(item, until)
    return true
  }

  private leaseMs(items: readonly WorkItem[]): number {
    return Math.min(...items.map((item) => this.kind.leaseMs?.(item) ?? LEASE_MS))
  }

  private mayBegin(): boolean {
    if (this.isBlocked) return false
    if (this.prepared) return true
    // Not waited for: other kinds go on.
    this.preparing ??= this.prepare()
    return false
  }

  private async prepare(): Promise<void> {
    try {
      await this.kind.prepare?.()
      this.prepared = true
      this.obstacles = 0
    } catch (error) {
      if (this.obstacles === 0)
        log('warn', 'work cannot begin, and will be retried', { kind: this.kind.name }, error)
      this.meetObstacle()
    } finally {
      this.preparing = undefined
      if (this.prepared) this.wake()
    }
  }

  private meetObstacle(): void {
    if (this.isBlocked) return
    this.obstacles += 1
    this.blockedUntil = performance.now() + backOff(this.obstacles, OBSTACLE)
  }

  private begin(item: WorkItem, until: Date): void {
    const { kind } = this
    const held = new HeldWork(this.database, kind.name, item, this.now())
    const active: Active = { held, claimedUntil: until.getTime(), hasBegun: false, ended: ENDED }
    this.active.set(itemId(item), active)
    const turn = () => {
      active.hasBegun = true
      return held.signal.aborted ? ENDED : this.work(held)
    }
    active.ended = outsideOfRequests(() => this.queue.run(item.owner, turn)).finally(() => {
      this.active.delete(itemId(item))
      if (kind.isUrgent || kind.isLong || (this.hasMore && this.active.size <= kind.most)) this.wake()
    })
  }

  /** Never rejects. */
  private async work(held: HeldWork): Promise<void> {
    const { kind } = this
    this.counts.attempts.add(1, kind.name)
    try {
      const { isDone, ...end } = await kind.handle(held)
      this.obstacles = 0
      if (!held.isSettled) await this.write((connection) => held.settle(connection, end))
      if (isDone && held.isSettled) this.effects += 1
      this.expect(held.dueAgain)
    } catch (error) {
      await this.fail(held, error)
    }
  }

  /** A look finds it in time, if it is not due before. */
  private expect(dueAt: Date | undefined): void {
    if (dueAt && dueAt.getTime() - this.now().getTime() < LOOK_EVERY_MS) this.wake()
  }

  private async fail(held: HeldWork, error: unknown): Promise<void> {
    const { kind } = this
    const { item } = held
    if (held.signal.aborted) return
    // Still ours, if its effect had been recorded before.
    if (overdueWork(error)) return this.giveBack([item])
    this.counts.failures.add(1, kind.name)
    kind.onFailure(error, item)
    if (kind.isObstacle?.(error)) {
      this.meetObstacle()
      void this.returnWaiting()
    }
    const retry = kind.retry?.(item) ?? RETRY
    const until = (failures: number) => new Date(this.now().getTime() + backOff(failures, retry))
    const failure = isAgentError(error) ? error.message : 'an unexpected error; see the log'
    try {
      const postponed = await this.write(async (connection) => {
        const about = { until, failure: failure.slice(0, FAILURE_LENGTH) }
        const postponed = await postponeWork(connection, kind.name, item, about)
        if (postponed) await kind.noteFailure?.(connection, error, postponed)
        return postponed
      })
      this.expect(postponed?.until)
    } catch (cause) {
      this.unrecorded.push(item)
      log('warn', 'a failure of background work could not be recorded', { kind: kind.name }, cause)
    }
  }

  private returnWaiting(): Promise<void> {
    return this.return([...this.active.values()].filter(({ hasBegun }) => !hasBegun))
  }

  private async return(some: readonly Active[]): Promise<void> {
    for (const { held } of some) held.lose()
    await this.giveBack(some.map(({ held }) => held.item))
  }

  private async giveBack(items: readonly WorkItem[]): Promise<void> {
    if (items.length === 0) return
    const { kind } = this
    try {
      await this.write((connection) => giveBack(connection, kind.name, items, this.now()))
    } catch (error) {
      this.unrecorded.push(...items)
      const fields = { kind: kind.name }
      log('warn', 'claimed work could not be given back; it will be retried', fields, error)
    }
  }

  private write<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const options: WriteOptions = {
      lane: queueName('work of kind', this.kind.name),
      guarded: GUARDED,
      spans: SPANS,
    }
    return this.database.write(work, options)
  }
}
