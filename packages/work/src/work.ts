import { AsyncResource } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import {
  changedOnce,
  outsideOfRequests,
  RepeatedPasses,
  type AccountRows,
  type OpenTransaction,
  type WorkAction,
  type WorkKindName,
} from '@vidimus/core-types'
import { sql, type Connection, type Database, type Reader, type Sql } from '@vidimus/database'
import { CallersWork } from './callers-work.js'
import { WorkCounts } from './measurements.js'
import { LOOK_EVERY_MS, RunningKind } from './running-kind.js'
import { actUpon, mayDo, type WorkActs } from './work-acts.js'
import { dueGauges } from './work-health.js'
import type { WorkKind } from './work-kind.js'
import {
  askForWork,
  deleteWork,
  findWork,
  hastenWork,
  holders,
  insertWork,
  nextDue,
  releaseHolder,
  resumeWork,
  type NewWork,
  type WorkKey,
} from './work-rows.js'

/** And for what processes have held that are gone. */
const LOOK_FOR_GONE_MS = 5_000

const newLooks = () => new RepeatedPasses({ work: 'waiting work', pauseMs: LOOK_EVERY_MS, soonMs: 5 })

const OF_ACT = { spans: 'an item, what is beside it, and who has done what with it' }
const OF_GONE = { spans: 'what a process that is gone has held, of all homes' }

const KNOWN = new WeakMap<Database, Work>()

/** The work of a database, one object for all its users in a process. */
export function workOn(database: Database): Work {
  const known = KNOWN.get(database) ?? new Work(database)
  KNOWN.set(database, known)
  return known
}

/** What waits in a database, and who does it in this process: one look for all kinds, however many items there are. */
export class Work {
  private readonly kinds = new Map<string, RunningKind>()
  private readonly owners = new Map<WorkKindName, WorkActs>()
  private readonly counts = new WorkCounts()
  private looks = newLooks()
  private timer: NodeJS.Timeout | undefined
  private lookedForGone = -Infinity
  /** of looks, as far as they have not ended */
  private readonly parts = new Map<unknown, Promise<void>>()
  private failure: Error | undefined
  /** what callers are at themselves */
  readonly callers: CallersWork

  constructor(private readonly database: Database) {
    const looks = { begin: () => this.looks.begin(() => this.look()), wake: () => this.wake() }
    this.callers = new CallersWork(database, looks)
  }

  get measurements() {
    return [this.counts.attempts, this.counts.failures, ...dueGauges(this.database)]
  }

  /** Adds an item in the transaction of the change that makes it necessary, unless there is one. */
  add(transaction: OpenTransaction, kind: string, item: NewWork, now: Date): void {
    ;(transaction as Connection).send(insertWork(kind, item, now))
  }

  /** As {@link add}; an item that is there is done once more, after what is under way. */
  ask(transaction: OpenTransaction, kind: string, item: NewWork, now: Date): void {
    ;(transaction as Connection).send(askForWork(kind, item, now))
  }

  /** As {@link ask}; an item that waits is due then, as if it had neither failed nor been paused. */
  resume(transaction: OpenTransaction, kind: string, item: NewWork, now: Date): void {
    ;(transaction as Connection).send(resumeWork(kind, item, now))
  }

  /** An item that waits for a later time has been due since `at`. */
  hasten(transaction: OpenTransaction, kind: string, key: WorkKey, at: Date): void {
    ;(transaction as Connection).send(hastenWork(kind, key, at))
  }

  /** In the transaction that makes it needless: nothing of whoever is at it counts any more. */
  remove(transaction: OpenTransaction, kind: string, key: WorkKey): void {
    ;(transaction as Connection).send(deleteWork(kind, key))
  }

  find(kind: string, key: WorkKey, reader: Reader = this.database) {
    return findWork(reader, kind, key)
  }

  /** Says that this installation does work of a kind, running or not, and what else changes when somebody acts upon an item. */
  own(kind: WorkKindName, acts: WorkActs = {}): void {
    this.owners.set(kind, acts)
  }

  acts(kind: WorkKindName): WorkActs | undefined {
    return this.owners.get(kind)
  }

  mayDo(action: WorkAction, kind: WorkKindName): boolean {
    return mayDo(action, kind, this.acts(kind))
  }

  /**
   * Does what an action does, at whichever door it was asked for; whoever calls it has checked the rights.
   *
   * @param recorded - in the same transaction
   * @returns whether it was possible; if not, nothing is changed
   */
  async act(
    action: WorkAction,
    item: WorkKey & { kind: WorkKindName },
    recorded: (transaction: OpenTransaction) => Promise<void> = () => Promise.resolve(),
  ): Promise<boolean> {
    const { kind } = item
    if (!this.mayDo(action, kind)) return false
    const change = action === 'retry' ? undefined : this.acts(kind)?.[action]
    // A transaction may run in the scope of another request.
    const inScope = change && AsyncResource.bind(change)
    let isNew = false
    const isDone = await changedOnce<boolean>(this.database, markOf(action, item), (record) =>
      this.database.write(async (connection) => {
        const now = this.kinds.get(kind)?.now() ?? new Date()
        const found = await actUpon(connection, action, item, now)
        const isDone = found !== undefined && (await inScope?.(connection, found)) !== false
        if (isDone) await recorded(connection)
        await record(connection, isDone)
        isNew = isDone
        return isDone
      }, OF_ACT),
    )
    if (isNew) this.acts(kind)?.done?.(action)
    this.kinds.get(kind)?.unblock()
    this.wake()
    return isDone
  }

  /** Whether an earlier run of the request in scope has done it. */
  wasDone(action: WorkAction, item: WorkKey & { kind: WorkKindName }): Promise<boolean> {
    return changedOnce(this.database, markOf(action, item), () => Promise.resolve(false))
  }

  /** Something was added: looks at once. */
  wake(): void {
    this.looks.soon()
  }

  /** Works on a kind in this process, now and from then on, until it is stopped; of one name, on the first. */
  run(kind: WorkKind): RunningKind {
    const known = this.kinds.get(kind.name)
    if (known) return known
    const running = new RunningKind(this.database, kind, this.counts, () => this.wake())
    this.kinds.set(kind.name, running)
    this.looks.begin(() => this.look(), 'now')
    if (this.kinds.size > 1) this.wake()
    return running
  }

  /** Waits while the runner of this process is at an item. @returns whether it was */
  async ended(kind: string, key: WorkKey): Promise<boolean> {
    const ended = this.kinds.get(kind)?.ended(key)
    await ended
    return ended !== undefined
  }

  /** Claims nothing more of a kind, and gives back what cannot be ended in time. */
  async stop(kind: string): Promise<void> {
    const running = this.kinds.get(kind)
    await running?.stop()
    this.kinds.delete(kind)
    if (this.kinds.size > 0) return
    clearTimeout(this.timer)
    const { looks } = this
    this.looks = newLooks()
    await looks.stop()
    await Promise.all(this.parts.values())
  }

  private async look(): Promise<void> {
    const beside = [this.part(this.callers, () => this.callers.extend())]
    if (this.kinds.size === 0) return this.endLook(beside)
    if (performance.now() - this.lookedForGone >= LOOK_FOR_GONE_MS)
      beside.push(this.part('what is left', () => this.releaseGone()))
    const kinds = [...this.kinds.values()]
    const due = await nextDue(
      this.database,
      kinds.map(({ kind }) => kind.name),
    )
    let nextMs = LOOK_EVERY_MS
    const lookAt = (isUrgent: boolean, isAside = false) =>
      kinds
        .filter(({ kind }) => (kind.isUrgent ?? false) === isUrgent)
        .map((running) => {
          const at = due.get(running.kind.name)
          const waitMs = at === undefined ? Infinity : at.getTime() - running.now().getTime()
          const isDue = waitMs <= 0 || !running.isPrepared
          if (!isDue) nextMs = Math.min(nextMs, waitMs)
          return this.part(running, async () => {
            await running.extend()
            if (isDue) await running.take(isAside)
          })
        })
    await inTime(lookAt(true))
    const isBehind = kinds.some((running) => running.isBehind)
    const others = lookAt(false, isBehind)
    this.expect(nextMs)
    await this.endLook([...beside, ...others])
  }

  /** One that waits for a lock, or fails, must not hold up the others. Never rejects. */
  private part(of: unknown, work: () => Promise<void>): Promise<void> {
    const known = this.parts.get(of)
    if (known) return known
    const part = work()
      .catch((error: unknown) => {
        this.failure = error instanceof Error ? error : new Error(String(error))
      })
      .then(() => void this.parts.delete(of))
    this.parts.set(of, part)
    return part
  }

  /** @throws what a part has thrown since the last look */
  private async endLook(parts: readonly Promise<void>[]): Promise<void> {
    await inTime(parts)
    const { failure } = this
    this.failure = undefined
    if (failure) throw failure
  }

  /** Items are due to the millisecond, not to the next look. */
  private expect(ms: number): void {
    clearTimeout(this.timer)
    if (ms >= LOOK_EVERY_MS) return
    this.timer = outsideOfRequests(() => setTimeout(() => this.wake(), ms)).unref()
  }

  /** A claim ends with its process, not only with its time. */
  async releaseGone(): Promise<void> {
    this.lookedForGone = performance.now()
    for (const { holder, kind } of await holders(this.database)) {
      const running = this.kinds.get(kind)
      if (!running || (await this.database.isPresent(holder))) continue
      await this.database.write(
        (connection) => releaseHolder(connection, holder, kind, running.now()),
        OF_GONE,
      )
    }
  }
}

/** The next look goes on without those that take longer. */
async function inTime(parts: readonly Promise<void>[]): Promise<void> {
  const end = new AbortController()
  const late = pause(LOOK_EVERY_MS, undefined, { ref: false, signal: end.signal }).catch(() => undefined)
  await Promise.race([Promise.all(parts), late])
  end.abort()
}

const markOf = (action: WorkAction, { kind, home, key }: WorkKey & { kind: WorkKindName }) => [
  'work',
  action,
  kind,
  home,
  key,
]

/** Items in one transaction, so that no caller waits long for it. */
const TOGETHER = 500
const OF_ACCOUNT = { overwrite: true, spans: 'the work of a deleted account, in portions' } as const

/** The items of a kind whose owners are accounts. */
export class WorkOfAccounts implements AccountRows {
  readonly tables = ['work_item']

  constructor(
    private readonly database: Pick<Database, 'query' | 'write'>,
    private readonly kind: WorkKindName,
    readonly name: string,
    readonly fate: 'erased' | 'waited for' = 'erased',
    private readonly which = sql`TRUE`,
  ) {}

  async count(account: string): Promise<number> {
    const [row] = await this.database.query<{ n: number | string }>(
      sql`SELECT COUNT(*) AS n FROM work_item WHERE ${this.ofAccount(account)}`,
    )
    return Number(row?.n)
  }

  async erase(account: string): Promise<void> {
    if (this.fate === 'waited for') throw new Error(`${this.name} are waited for`)
    const some = sql`SELECT home, key FROM work_item WHERE ${this.ofAccount(account)} LIMIT ${TOGETHER}`
    const erasing = sql`DELETE FROM work_item WHERE kind = ${this.kind} AND (home, key) IN (${some})`
    for (let erased = TOGETHER; erased === TOGETHER;) {
      erased = await this.database.write((connection) => connection.run(erasing), OF_ACCOUNT)
    }
  }

  private ofAccount(account: string): Sql {
    return sql`kind = ${this.kind} AND owner = ${account} AND ${this.which}`
  }
}
