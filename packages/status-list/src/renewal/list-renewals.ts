import {
  Counter,
  log,
  RepeatedPasses,
  SharedQueue,
  type StatusListRenewal,
  type StatusListRenewals,
  type StatusListType,
} from '@vidimus/core-types'
import { setTimeout } from 'node:timers/promises'
import type { WritingContext } from '../agent-context.js'
import { RENEWALS } from '../measurements.js'
import type { UpdateBatches } from '../updates/update-batches.js'
import { findList } from '../versions/find-list.js'
import type { PublishedLists } from '../versions/published-lists.js'
import { newRenewal, type ListSpans } from './list-spans.js'
import { byAHolder } from './by-a-holder.js'
import { signLocated } from './sign-list.js'

/** The pause between two checks for due lists, in milliseconds: a list whose process has died waits no longer. */
const PAUSE_MS = 1000
/** Lists that are looked at in one go. */
const TOGETHER = 100
/** Lists that are signed at the same time, and of these of one account. */
const MOST_AT_ONCE = 8
const SHARE = 6

/** A process claims a list for one part of this many of its span, within these limits in milliseconds. */
const LEASE = { part: 20, least: 1000, most: 60_000 }

interface RenewalParts {
  kept: StatusListRenewals
  types: readonly StatusListType[]
  lists: PublishedLists
  batches: UpdateBatches
  spans: ListSpans
  clock: () => Date
}

/**
 * Signs lists again before they expire, in every process that shares the store: a process that claims a list releases
 * it when its time is over, so that nothing depends on a single process.
 */
export class ListRenewals {
  readonly results = new Counter(RENEWALS, [['renewed'], ['failed']])
  private readonly queue = new SharedQueue(MOST_AT_ONCE, SHARE)
  private readonly passes = new RepeatedPasses({ work: 'renewal of status lists', pauseMs: PAUSE_MS })
  private stopping = false

  constructor(private readonly parts: RenewalParts) {}

  /** Begins to look from time to time. @returns how many the first look has renewed */
  async begin(context: WritingContext): Promise<number> {
    this.passes.begin(() => this.pass(context))
    return this.pass(context)
  }

  async stop(): Promise<void> {
    this.stopping = true
    await this.passes.stop()
  }

  private async pass(context: WritingContext): Promise<number> {
    const { kept, clock } = this.parts
    let renewed = 0
    for (let found = TOGETHER; found === TOGETHER && !this.stopping;) {
      // Lists that are due before the next check are waited for.
      const due = await kept.due(new Date(clock().getTime() + PAUSE_MS), TOGETHER)
      found = due.length
      const done = await Promise.all(due.map((renewal) => this.inTime(renewal, context)))
      renewed += done.filter((isRenewed) => isRenewed).length
    }
    return renewed
  }

  private async inTime(renewal: StatusListRenewal, context: WritingContext): Promise<boolean> {
    const wait = renewal.at.getTime() - this.parts.clock().getTime()
    if (wait > 0) await setTimeout(wait)
    return this.queue.run(renewal.list.did, () => this.attempt(renewal, context))
  }

  private async attempt(renewal: StatusListRenewal, context: WritingContext): Promise<boolean> {
    const { kept, clock } = this.parts
    if (this.stopping || !(await kept.claim(renewal, new Date(clock().getTime() + leaseMs(renewal)))))
      return false
    try {
      const isRenewed = await this.renew(renewal, context)
      if (isRenewed) this.results.add(1, 'renewed')
      return isRenewed
    } catch (error) {
      this.results.add(1, 'failed')
      log(
        'warn',
        'a status list that is about to expire could not be signed again; it will be retried',
        {},
        error,
      )
      return false
    }
  }

  private async renew({ list }: StatusListRenewal, context: WritingContext): Promise<boolean> {
    const { kept, spans, clock } = this.parts
    const found = await findList(list, this.parts, context)
    const spanMs = found && (await spans.of(found.type, list, found.located, context))
    const { validUntil } = found?.located.list.layout ?? {}
    if (!found?.type.renewed || spanMs === undefined || validUntil === undefined) {
      await kept.forget(list)
      return false
    }
    const next = newRenewal(list, Date.parse(validUntil), spanMs)
    if (next.at > clock()) {
      await kept.settle(next)
      return false
    }
    const { type, located } = found
    const sign = () => signLocated(type, located, undefined, this.parts.batches, context)
    const until = (await byAHolder(await kept.holders(list.did), sign))?.published.list.layout.validUntil
    if (until === undefined) await kept.forget(list)
    else await kept.settle(newRenewal(list, Date.parse(until), spanMs))
    return until !== undefined
  }
}

const leaseMs = ({ spanMs = 0 }: StatusListRenewal): number =>
  Math.min(LEASE.most, Math.max(LEASE.least, spanMs / LEASE.part))
