import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { isPassing, type Calls, type Outcome } from './calls.js'
import type { Fleet } from './fleet.js'
import type { Action, TrialList } from './list-kinds.js'

export const LENGTH = 131_072

/** Entries that all workers change; those below belong to one worker each. */
const SHARED_FROM = 120_000
const SHARED = 8

/** An acknowledged change of a list. */
export interface Acknowledged {
  list: TrialList
  action: Action
  /** what this very call has changed, and nobody else */
  changed: number[]
  resourceId: string
}

/** A receipt that was answered, and what it must say. */
export interface Receipt {
  receipt: string
  action: Action
  indices: readonly number[]
  resourceId: string
}

export interface LoadOptions {
  workers: number
  /** changes of lists to be acknowledged; left out: until {@link ListLoad.stop} */
  updates?: number
  /** of all operations: creations of DIDs */
  creations?: number
  /** entries that all workers change as well; only where every answer arrives can be told what becomes of them */
  shared?: boolean
  /** of all changes of lists: those that ask for a receipt */
  receipts?: number
  /** the clock of the service is set meanwhile: a list may be of a time that is yet to come */
  clockSteps?: boolean
}

/**
 * Updates, checks and DID creations by many clients, who remember what they were answered. What is not answered is
 * asked for again, in the same words, until it is.
 */
export class ListLoad {
  /** what entries may be: one value, or two while an answer is missing */
  readonly entries: readonly Map<number, Set<number>>[]
  readonly acknowledged: Acknowledged[] = []
  readonly dids: string[] = []
  readonly receipts: Receipt[] = []
  updates = 0
  checks = 0
  private stopping = false
  private running: Promise<unknown> = Promise.resolve()
  private failure: { error: unknown } | undefined

  constructor(
    private readonly fleet: Fleet,
    readonly lists: readonly TrialList[],
    private readonly calls: Calls,
    private readonly options: LoadOptions,
  ) {
    this.entries = lists.map(() => new Map())
  }

  start(): this {
    const workers = Array.from({ length: this.options.workers }, (_, worker) => this.work(worker))
    this.running = Promise.all(workers).catch((error: unknown) => {
      this.stopping = true
      this.failure ??= { error }
    })
    return this
  }

  /** Resolves when all is done that was asked for. @throws what made a worker fail */
  async done(): Promise<void> {
    await this.running
    if (this.failure) throw this.failure.error
  }

  /** Lets every worker end after its request. */
  async stop(): Promise<void> {
    this.stopping = true
    await this.done()
  }

  /** Resolves when so many more updates are acknowledged. */
  async progress(updates: number, mostMs: number): Promise<number> {
    const startedAt = performance.now()
    const enough = this.updates + updates
    while (this.updates < enough) {
      if (this.failure) throw this.failure.error
      const took = performance.now() - startedAt
      assert.ok(
        took < mostMs,
        `only ${enough - this.updates} of ${updates} updates within ${mostMs} ms\n${this.calls.lastRefusals}`,
      )
      await setTimeout(20)
    }
    return Math.round(performance.now() - startedAt)
  }

  private get over(): boolean {
    return this.stopping || this.updates >= (this.options.updates ?? Infinity)
  }

  private async work(worker: number): Promise<void> {
    const { creations = 0, shared = false } = this.options
    while (!this.over) {
      const dice = Math.random()
      if (dice < creations) await this.create(worker)
      else if (dice < 0.9 || !shared) await this.changeOwn(worker)
      else await this.changeShared(worker)
    }
  }

  /** One entry, or several, which nobody else changes. */
  private async changeOwn(worker: number): Promise<void> {
    const n = Math.floor(Math.random() * this.lists.length)
    const list = this.lists[n] ?? assert.fail()
    const indices = this.ownIndices(worker)
    const revoked = indices.some(
      (index) => list.actions.includes('suspend') && list.values.suspend !== 1 && this.value(n, index) === 1,
    )
    if (revoked) {
      await this.refused(worker, list, indices)
      return
    }
    const action = pick(list.actions)
    const value = list.values[action]
    for (const index of indices) this.possible(n, index).add(value)
    if (!(await this.change(worker, n, indices, action))) return
    for (const index of indices) this.entries[n]?.set(index, new Set([value]))
    if (Math.random() < 0.2) await this.check(worker, n, indices)
  }

  /** What is revoked stays revoked: a refusal of the whole call. */
  private async refused(worker: number, list: TrialList, indices: readonly number[]): Promise<void> {
    const outcome = await this.send(worker, list, indices, 'reinstate')
    if (isPassing(outcome)) return
    assert.equal(outcome.kind === 'refused' && outcome.code, 'irreversible')
  }

  private async changeShared(worker: number): Promise<void> {
    const n = Math.floor(Math.random() * this.lists.length)
    const list = this.lists[n] ?? assert.fail()
    if (!list.actions.includes('suspend')) return
    const index = SHARED_FROM + Math.floor(Math.random() * SHARED)
    await this.change(worker, n, [index], pick<Action>(['suspend', 'reinstate']))
  }

  /** @returns whether it was acknowledged before the end */
  private async change(
    worker: number,
    n: number,
    indices: readonly number[],
    action: Action,
  ): Promise<boolean> {
    const list = this.lists[n] ?? assert.fail()
    const asked = Math.random() < (this.options.receipts ?? 0) && { receipt: true }
    for (let attempt = 0; ; attempt++) {
      const outcome = await this.send(worker + attempt, list, indices, action, asked)
      if (outcome.kind === 'done') {
        const { changed, resourceMetadata, updated, receipt } = outcome.body as Answered
        const { resourceId } = resourceMetadata
        assert.equal(updated, true)
        this.acknowledged.push({ list, action, changed, resourceId })
        assert.equal(receipt !== undefined, asked !== false)
        if (receipt !== undefined) this.receipts.push({ receipt, action, indices, resourceId })
        this.updates += 1
        return true
      }
      assert.ok(isPassing(outcome), `${action} ${indices.join()}: ${JSON.stringify(outcome)}`)
      if (this.stopping) return false
      await setTimeout(Math.min(20 * 2 ** attempt, 200) * Math.random())
    }
  }

  private send(
    worker: number,
    list: TrialList,
    indices: readonly number[],
    statusAction: Action,
    more: object | false = {},
  ): Promise<Outcome> {
    const { listType, did, statusListName } = list
    return this.calls.make(this.fleet.client(worker), 'POST', '/credential-status/update/unencrypted', {
      query: { listType, statusAction },
      json: { did, statusListName, indices, ...more },
    })
  }

  /** What was acknowledged is seen by every process at once. */
  private async check(worker: number, n: number, indices: readonly number[]): Promise<void> {
    const { listType, statusPurpose, did, statusListName } = this.lists[n] ?? assert.fail()
    const other = this.fleet.client(worker + 1 + Math.floor(Math.random() * this.fleet.size))
    const outcome = await this.calls.make(other, 'POST', '/credential-status/check', {
      query: { listType, statusPurpose },
      json: { did, statusListName, indices },
    })
    this.checks += 1
    if (isPassing(outcome)) return
    const tooEarly = outcome.kind === 'refused' && outcome.code === 'invalid_credential'
    if (this.options.clockSteps && tooEarly) return
    assert.equal(outcome.kind, 'done', JSON.stringify(outcome))
    const { results } = (outcome as { body: Checked }).body
    for (const { index, status } of results) {
      assert.ok(this.possible(n, index).has(status), `an acknowledged change of ${index} cannot be seen`)
    }
  }

  private async create(worker: number): Promise<void> {
    const outcome = await this.calls.make(this.fleet.client(worker), 'POST', '/did/create', {
      json: { network: 'testnet' },
    })
    if (outcome.kind === 'done') this.dids.push((outcome.body as { did: string }).did)
    else assert.ok(isPassing(outcome), JSON.stringify(outcome))
  }

  private ownIndices(worker: number): number[] {
    const { workers } = this.options
    const rows = Math.floor(2000 / workers)
    const count = Math.random() < 0.7 ? 1 : 2 + Math.floor(Math.random() * 8)
    const indices = Array.from({ length: count }, () => Math.floor(Math.random() * rows) * workers + worker)
    // The last one of a list counts as well as the others.
    return [...new Set(worker === 0 ? [...indices, LENGTH - 1] : indices)]
  }

  private value(n: number, index: number): number {
    const [value = 0] = this.possible(n, index)
    return value
  }

  private possible(n: number, index: number): Set<number> {
    const entries = this.entries[n] ?? assert.fail()
    const known = entries.get(index)
    if (known) return known
    const unchanged = new Set([0])
    entries.set(index, unchanged)
    return unchanged
  }

  /** Whether all workers change the entry. */
  static isShared = (index: number): boolean => index >= SHARED_FROM && index < SHARED_FROM + SHARED
}

interface Answered {
  updated: boolean
  changed: number[]
  resourceMetadata: { resourceId: string }
  receipt?: string
}
interface Checked {
  results: { index: number; status: number }[]
}

const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)] ?? assert.fail()
