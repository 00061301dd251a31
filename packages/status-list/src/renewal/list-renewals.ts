import {
  Counter,
  log,
  type EndedRenewal,
  type HeldRenewal,
  type StatusListRenewals,
  type StatusListType,
} from '@vidimus/core-types'
import type { WritingContext } from '../agent-context.js'
import { RENEWALS } from '../measurements.js'
import type { UpdateBatches } from '../updates/update-batches.js'
import { findList } from '../versions/find-list.js'
import type { PublishedLists } from '../versions/published-lists.js'
import { newRenewal, type ListSpans } from './list-spans.js'
import { byAHolder } from './by-a-holder.js'
import { signLocated } from './sign-list.js'

interface RenewalParts {
  kept: StatusListRenewals
  types: readonly StatusListType[]
  lists: PublishedLists
  batches: UpdateBatches
  spans: ListSpans
  clock: () => Date
}

/** Signs lists again before they expire, in every process that shares the store. */
export class ListRenewals {
  readonly results = new Counter(RENEWALS, [['renewed'], ['failed']])

  constructor(private readonly parts: RenewalParts) {}

  /** @returns how many lists were renewed until none was due; those that follow are renewed in the background */
  begin(context: WritingContext): Promise<number> {
    return this.parts.kept.run({
      renew: async (renewal) => {
        const ended = await this.renew(renewal, context)
        if (ended.isRenewed) this.results.add(1, 'renewed')
        return ended
      },
      failed: (error) => this.fail(error),
    })
  }

  stop(): Promise<void> {
    return this.parts.kept.stop()
  }

  private fail(error: unknown): void {
    this.results.add(1, 'failed')
    log(
      'warn',
      'a status list that is about to expire could not be signed again; it will be retried',
      {},
      error,
    )
  }

  private async renew(held: HeldRenewal, context: WritingContext): Promise<EndedRenewal> {
    const { kept, spans, batches, clock } = this.parts
    const { list } = held
    const found = await findList(list, this.parts, context)
    const spanMs = found && (await spans.of(found.type, list, found.located, context))
    const { validUntil } = found?.located.list.layout ?? {}
    if (!found?.type.renewed || spanMs === undefined || validUntil === undefined) return { isRenewed: false }
    const next = newRenewal(list, Date.parse(validUntil), spanMs)
    // Signed already, by an update or before an interruption.
    if (next.at > clock()) return { next, isRenewed: false }
    const { type, located } = found
    const recordOf = () => held.withVersion(() => newRenewal(list, clock().getTime() + spanMs, spanMs))
    const sign = () => signLocated(type, located, { recordOf }, batches, context)
    const until = (await byAHolder(await kept.holders(list.did), sign))?.published.list.layout.validUntil
    if (until === undefined) return { isRenewed: false }
    return { next: newRenewal(list, Date.parse(until), spanMs), isRenewed: true }
  }
}
