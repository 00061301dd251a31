import { setTimeout } from 'node:timers/promises'
import {
  Counter,
  log,
  outsideOfRequests,
  RepeatedPasses,
  SharedQueue,
  uuidOfMark,
  type Account,
  type DueBeat,
  type StatusListLocation,
  type StatusListPaces,
  type StatusListType,
} from '@vidimus/core-types'
import type { WritingContext } from '../agent-context.js'
import { BEATS } from '../measurements.js'
import { byAHolder } from '../renewal/by-a-holder.js'
import { updateTarget } from '../renewal/sign-list.js'
import type { UpdateOutcome } from '../updates/applied-batch.js'
import type { UpdateBatches } from '../updates/update-batches.js'
import { findList, type FoundList } from '../versions/find-list.js'
import type { PublishedLists } from '../versions/published-lists.js'
import { nextBeat } from './pace.js'
import type { PacedLists } from './paced-lists.js'

/** The pause between two looks, in milliseconds, and how far ahead each looks: beats are not late. */
const PAUSE_MS = 1000
const AHEAD_MS = 2000
/** Beats that are found in one look. */
const TOGETHER = 500
/** Lists that are published at the same time, and of these of one account. */
const MOST_AT_ONCE = 8
const SHARE = 6
/** Another process takes over a beat after this time, in milliseconds. */
const LEASE_MS = 10_000
/** How long the first version of a list may take, in milliseconds. */
const CREATION_MS = 86_400_000

interface BeatParts {
  kept: StatusListPaces
  paces: PacedLists
  holders: (did: string) => Promise<Account[]>
  types: readonly StatusListType[]
  lists: PublishedLists
  batches: UpdateBatches
  clock: () => Date
}

/**
 * Publishes the waiting changes of lists at their beats, in every process that shares the store: one of them claims a
 * beat, and another takes it over if that one dies. The version of a beat has an id made of list and time, so that
 * there is only one of it.
 */
export class ListBeats {
  readonly results = new Counter(BEATS, [['published'], ['unchanged'], ['dropped'], ['failed']])
  private readonly queue = new SharedQueue(MOST_AT_ONCE, SHARE)
  private readonly passes = new RepeatedPasses({ work: 'publication of waiting changes', pauseMs: PAUSE_MS })
  private readonly awaited = new Map<string, Promise<void>>()
  private readonly stopping = new AbortController()

  constructor(private readonly parts: BeatParts) {}

  /** Begins to look from time to time. Resolves after the beats that have come already. */
  async begin(context: WritingContext): Promise<void> {
    this.passes.begin(() => this.look(context))
    this.parts.paces.onStored = (beat) => this.expect(beat, context)
    const come = await this.look(context)
    await Promise.all(come.flatMap((list) => this.awaited.get(list) ?? []))
  }

  async stop(): Promise<void> {
    this.stopping.abort()
    await this.passes.stop()
    await Promise.all(this.awaited.values())
  }

  /** @returns the lists whose beat has come */
  private async look(context: WritingContext): Promise<string[]> {
    const now = this.parts.clock()
    const due = await this.parts.kept.due(new Date(now.getTime() + AHEAD_MS), now, TOGETHER)
    for (const beat of due) this.expect(beat, context)
    return due.filter(({ at }) => at <= now).map(({ list }) => listKey(list))
  }

  /** Takes a beat on that is near, unless it is taken on already, and the one after it. */
  private expect(beat: DueBeat, context: WritingContext): void {
    const key = listKey(beat.list)
    const isNear = beat.at.getTime() <= this.parts.clock().getTime() + AHEAD_MS
    if (!isNear || this.awaited.has(key) || this.stopping.signal.aborted) return
    const work = outsideOfRequests(() => this.inTime(beat, context)).then((isOver) => {
      this.awaited.delete(key)
      if (isOver) this.expect({ ...beat, at: nextBeat(beat, this.parts.clock()) }, context)
    })
    this.awaited.set(key, work)
  }

  /** Never rejects. @returns whether the beat was this process's, and is over */
  private async inTime(beat: DueBeat, context: WritingContext): Promise<boolean> {
    const { signal } = this.stopping
    try {
      const wait = beat.at.getTime() - this.parts.clock().getTime()
      if (wait > 0) await setTimeout(wait, undefined, { signal, ref: false })
      return await this.queue.run(beat.list.did, () => this.attempt(beat, context))
    } catch (error) {
      if (signal.aborted) return false
      this.results.add(1, 'failed')
      log('warn', 'waiting changes of a status list could not be published; it will be retried', {}, error)
      return false
    }
  }

  private async attempt(beat: DueBeat, context: WritingContext): Promise<boolean> {
    const { kept, clock } = this.parts
    if (this.stopping.signal.aborted) return false
    const now = clock()
    if (!(await kept.claim(beat, now, new Date(now.getTime() + LEASE_MS)))) return false
    this.results.add(1, await this.publish(beat, context))
    return true
  }

  private async publish(beat: DueBeat, context: WritingContext): Promise<string> {
    const { kept, holders, clock } = this.parts
    const { did } = beat.list
    const found = await findList(beat.list, this.parts, context)
    const resourceId = beatVersionId(beat)
    const isDone = found && (await context.agent.linkedResourceGet({ did, resourceId }))
    if (found && !isDone) {
      const outcome = await byAHolder(await holders(did), () => this.submit(beat, found, resourceId, context))
      if (!outcome) return this.drop(beat)
      await kept.advance(beat, nextBeat(beat, clock()))
      return outcome.published.metadata.resourceId === resourceId ? 'published' : 'unchanged'
    }
    if (!found && clock().getTime() - beat.startedAt.getTime() > CREATION_MS) return this.drop(beat)
    await kept.advance(beat, nextBeat(beat, clock()))
    return 'unchanged'
  }

  private submit(
    { always }: DueBeat,
    { type, located }: FoundList,
    resourceId: string,
    context: WritingContext,
  ): Promise<UpdateOutcome> {
    const operation = { action: 'publish', indices: [], resourceId, anew: always }
    return this.parts.batches.submit(updateTarget(type, located), operation, context)
  }

  /** Nobody can publish the list any more. */
  private async drop({ list }: DueBeat): Promise<string> {
    const lost = await this.parts.kept.forget(list)
    if (lost > 0) log('warn', 'nobody can publish the waiting changes of a status list any more', { lost })
    return 'dropped'
  }
}

const listKey = (list: StatusListLocation): string => JSON.stringify(list)

const beatVersionId = ({ list: { did, statusListName, resourceType }, at }: DueBeat): string =>
  uuidOfMark(JSON.stringify(['beat', did, statusListName, resourceType, at.toISOString()]))
