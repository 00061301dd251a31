import {
  Counter,
  log,
  uuidOfMark,
  type Account,
  type HeldBeat,
  type StatusListPaces,
  type StatusListType,
} from '@vidimus/core-types'
import type { WritingContext } from '../agent-context.js'
import { BEATS } from '../measurements.js'
import { byAHolder } from '../renewal/by-a-holder.js'
import { updateTarget } from '../renewal/sign-list.js'
import type { UpdateBatches } from '../updates/update-batches.js'
import { findList, type FoundList } from '../versions/find-list.js'
import type { PublishedLists } from '../versions/published-lists.js'
import { nextBeat } from './pace.js'

/** How long the first version of a list may take, in milliseconds. */
const CREATION_MS = 86_400_000

interface BeatParts {
  kept: StatusListPaces
  holders: (did: string) => Promise<Account[]>
  types: readonly StatusListType[]
  lists: PublishedLists
  batches: UpdateBatches
  clock: () => Date
}

/**
 * Publishes the waiting changes of lists at their beats, in every process that shares the store. The version of a beat has an id
 * made of list and time, so that there is only one of it, also where no transaction spans the ledger.
 */
export class ListBeats {
  readonly results = new Counter(BEATS, [['published'], ['unchanged'], ['dropped'], ['failed']])

  constructor(private readonly parts: BeatParts) {}

  /** Resolves once no beat is due; those that follow are published in the background. */
  begin(context: WritingContext): Promise<void> {
    return this.parts.kept.run({
      publish: (beat) => this.publish(beat, context),
      failed: (error) => {
        this.results.add(1, 'failed')
        log('warn', 'waiting changes of a status list could not be published; it will be retried', {}, error)
      },
    })
  }

  stop(): Promise<void> {
    return this.parts.kept.stop()
  }

  /** @returns the following beat, for what is stored from now on */
  private async publish(beat: HeldBeat, context: WritingContext): Promise<Date> {
    const { list, startedAt } = beat
    const now = this.parts.clock()
    const next = nextBeat(beat, now)
    const found = await findList(list, this.parts, context)
    const isGivenUp = !found && now.getTime() - startedAt.getTime() > CREATION_MS
    const result = found ? await this.publishFound(beat, next, found, context) : 'unchanged'
    if (isGivenUp || result === undefined) await this.drop(beat)
    else this.results.add(1, result)
    return next
  }

  /** @returns `undefined` if nobody can */
  private async publishFound(
    beat: HeldBeat,
    next: Date,
    { type, located }: FoundList,
    context: WritingContext,
  ): Promise<'published' | 'unchanged' | undefined> {
    const { holders, batches } = this.parts
    const { did } = beat.list
    const resourceId = beatVersionId(beat)
    if (await context.agent.linkedResourceGet({ did, resourceId })) return 'unchanged'
    const recordOf = () => beat.withVersion(next)
    const operation = { action: 'publish', indices: [], resourceId, anew: beat.always, recordOf }
    const publish = () => batches.submit(updateTarget(type, located), operation, context)
    const outcome = await byAHolder(await holders(did), publish)
    return outcome && (outcome.published.metadata.resourceId === resourceId ? 'published' : 'unchanged')
  }

  /** Nobody can publish the list any more. */
  private async drop({ list }: HeldBeat): Promise<void> {
    const lost = await this.parts.kept.forget(list)
    if (lost > 0) log('warn', 'nobody can publish the waiting changes of a status list any more', { lost })
    this.results.add(1, 'dropped')
  }
}

const beatVersionId = ({ list: { did, statusListName, resourceType }, at }: HeldBeat): string =>
  uuidOfMark(JSON.stringify(['beat', did, statusListName, resourceType, at.toISOString()]))
