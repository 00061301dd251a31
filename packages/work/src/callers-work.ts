import { isAgentError, log, type OpenTransaction } from '@vidimus/core-types'
import type { Connection, Database } from '@vidimus/database'
import { HeldWork } from './held-work.js'
import {
  claimWork,
  extendClaims,
  findWork,
  giveBack,
  insertHeld,
  newNumber,
  type NewWork,
  type WorkKey,
} from './work-rows.js'

/** How long a claim of a caller lasts, which is extended until the caller is done. */
const LEASE_MS = 60_000

/** Items that callers of this process are at themselves, while somebody waits: no runner takes them meanwhile. */
export class CallersWork {
  private readonly untils = new Map<HeldWork, number>()
  /** when what had failed before was due before a caller has claimed it */
  private readonly dueAts = new WeakMap<HeldWork, Date>()
  /** left by their callers while the database could not be written to */
  private readonly left = new Set<HeldWork>()

  constructor(
    private readonly database: Database,
    private readonly looks: { begin: () => void; wake: () => void },
  ) {}

  /** A new item, for {@link add}. @throws AgentError `unavailable` */
  async begin(kind: string, item: Omit<NewWork, 'dueAt' | 'holder'>): Promise<HeldWork> {
    const holder = await this.database.presence()
    const now = new Date()
    const number = newNumber(now)
    const numbers = { revision: number, fence: number, attempts: 0 }
    return new HeldWork(this.database, kind, { ...item, ...numbers, holder }, now)
  }

  /** Adds it in the transaction of the change that makes it necessary. */
  add(transaction: OpenTransaction, held: HeldWork): void {
    const { kind, item } = held
    const dueAt = new Date(Date.now() + LEASE_MS)
    this.keep(held, dueAt)
    ;(transaction as Connection).send(insertHeld(kind, { ...item, dueAt }, item.fence))
  }

  /**
   * Claims an item that waits, or that a process held which is gone.
   *
   * @param isAbandoned - a process that is at it, other than this one, is known to have ended its work
   * @returns `undefined` if there is none, or somebody is at it
   * @throws AgentError `unavailable`
   */
  async claim(kind: string, key: WorkKey, isAbandoned = false): Promise<HeldWork | undefined> {
    const { database } = this
    const found = await findWork(database, kind, key)
    if (!found) return undefined
    const isHeld = found.holder !== undefined && found.dueAt > new Date()
    if (isHeld && isAbandoned && this.isAt(kind, found)) return undefined
    if (isHeld && !isAbandoned && (await database.isPresent(found.holder ?? ''))) return undefined
    const holder = await database.presence()
    const begun = new Date()
    const until = new Date(begun.getTime() + LEASE_MS)
    const [item] = await database.write((connection) =>
      claimWork(connection, kind, [found], { holder, until }),
    )
    // Somebody else was faster, who may be at it now, or may have given it back.
    if (!item) return this.claim(kind, key, isAbandoned)
    const held = new HeldWork(database, kind, item, begun)
    if (found.attempts > 0 && found.holder === undefined) this.dueAts.set(held, found.dueAt)
    this.keep(held, until)
    return held
  }

  /**
   * Leaves to the runner what its caller could not settle: what had failed before, no earlier than without it. Never rejects.
   *
   * @param afterMs - when nothing of it can be known before
   */
  async release(held: HeldWork, afterMs = 0): Promise<void> {
    if (!this.untils.delete(held) && !this.left.delete(held)) return
    const { kind, item } = held
    const dueAt = this.dueAts.get(held) ?? new Date(Date.now() + afterMs)
    try {
      await this.database.write((connection) => giveBack(connection, kind, [item], dueAt))
      this.looks.wake()
    } catch (error) {
      this.left.add(held)
      if (!isAgentError(error)) log('error', 'work could not be given back', { kind }, error)
    }
  }

  /** Claims are extended before they end. */
  async extend(): Promise<void> {
    for (const held of [...this.left]) await this.release(held)
    for (const [held, end] of this.untils) {
      if (held.isSettled) this.untils.delete(held)
      else if (end - Date.now() < LEASE_MS / 2) await this.extendOne(held)
    }
  }

  private async extendOne(held: HeldWork): Promise<void> {
    const until = new Date(Date.now() + LEASE_MS)
    const kept = await this.database.write((connection) =>
      extendClaims(connection, held.kind, [held.item], until),
    )
    if (kept.length > 0) return this.keep(held, until)
    this.untils.delete(held)
    held.lose()
  }

  private isAt(kind: string, { home, key }: WorkKey): boolean {
    const isIt = ({ kind: of, item }: HeldWork) => of === kind && item.home === home && item.key === key
    return [...this.untils.keys()].some(isIt)
  }

  private keep(held: HeldWork, until: Date): void {
    this.untils.set(held, until.getTime())
    this.looks.begin()
  }
}
