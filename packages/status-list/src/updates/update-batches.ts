import {
  currentAccount,
  countingCost,
  currentCaller,
  isAgentError,
  log,
  noteCost,
  whoeverWaits,
  queueName,
  type AccountEventSink,
  type StatusListTurns,
  type QueueName,
} from '@vidimus/core-types'
import type { WritingContext } from '../agent-context.js'
import {
  applyInOrder,
  dismissOverdue,
  recordsOf,
  requestedVersion,
  settle,
  type AppliedBatch,
  type UpdateOutcome,
  type WaitingCaller,
} from './applied-batch.js'
import { Lately } from '../versions/lately.js'
import { readFirst, type LocatedList } from '../versions/list-location.js'
import { OtherWriters } from './other-writers.js'
import { isOvertaken, OvertakenVersions, type StartingPoint } from './overtaken-versions.js'
import type { UpdateOperation } from './plan-update.js'
import { listEvent } from '../versions/list-event.js'
import { PacedLists } from '../pace/paced-lists.js'
import { sendBack } from '../pace/paced-update.js'
import { updateOnce } from './repeated-update.js'
import { ListSpans } from '../renewal/list-spans.js'
import { publishList } from './publish-list.js'
import { listOfKind, withConditions, type UpdateTarget } from './update-target.js'
import { openOwnList, type DecodedList, type DocumentedList } from '../versions/decoded-list.js'
import { type PublishedLists } from '../versions/published-lists.js'

interface Batch {
  /** shared by all batches of a list */
  list: QueueName
  target: UpdateTarget
  context: WritingContext
  waiting: WaitingCaller[]
  /** called when the expected number of callers is waiting */
  gathered?: { expected: number; go: () => void }
  /** versions of this batch written after unseen versions of other writers */
  overtaken: OvertakenVersions
  /** for its versions, in ncheq */
  paid: bigint
}

/** From this many concurrent callers on, a batch waits for previous callers to return. */
const LEAST_CROWD = 8
/** Maximum wait for them, in milliseconds. */
const GATHERING_TIME = 5

/** Conflicts lost to writers of the same list in other processes before the callers get an error. */
const MOST_ATTEMPTS = 25
/** Conflicts before the writer requests its turn again, more patiently. */
const ATTEMPTS_OF_A_TURN = 5

/**
 * Updates lists. While a version of a list is being published, further calls for it wait in a batch and then share the
 * next version: one compression, one signature, one publication for all of them. Each call is checked separately,
 * against the bits left by the calls before it; a refused call changes nothing and delays no other.
 *
 * - One writer per list and process. Writers in other processes are detected by `expectedPrevious`: the operations,
 *   not the bits, are then applied again to the newer version, or to the one that ours has covered (see
 *   {@link OvertakenVersions}). While other writers are active, writers take turns.
 * - A caller is answered after publication, with the version that contains its change. No version therefore has two
 *   changes of one entry: the second waits for the next version.
 * - A batch belongs to one account, in whose scope it signs, to one `statusListVersion`, and for encrypted lists to
 *   the same new conditions.
 * - Under load a batch waits a few milliseconds at most for the callers of the previous one: otherwise two groups
 *   would alternate, with half of the callers in each version. A lone caller never waits.
 */
export class UpdateBatches {
  private readonly open = new Map<string, Batch>()
  private readonly writers = new Map<QueueName, Promise<void>>()
  private readonly others = new OtherWriters()
  /** recent number of callers per list, answered and waiting */
  private readonly crowds = new Lately<number>(100)

  /**
   * @param clock - the current time
   * @param spans - validity periods of versions
   * @param turns - for lists that other processes write as well
   * @param events - receives new versions
   * @param paces - of lists that publish at intervals: their changes are stored, and answered before publication
   */
  constructor(
    private readonly lists: PublishedLists,
    private readonly clock: () => Date = () => new Date(),
    private readonly spans = new ListSpans(undefined, clock),
    private readonly turns: StatusListTurns = { take: (_list, work) => work() },
    private readonly events?: AccountEventSink,
    private readonly paces = new PacedLists(undefined, lists.ciphers, clock),
  ) {}

  /**
   * Must be called in the scope of an account that holds the DID.
   *
   * @throws AgentError as {@link planUpdate} and {@link publishList} do, `list_not_found`, `list_encrypted`,
   * `list_not_encrypted`, `malformed_list`, `invalid_credential`; `version_conflict` if other writers won every time
   */
  submit(target: UpdateTarget, operation: UpdateOperation, context: WritingContext): Promise<UpdateOutcome> {
    const { paces, lists } = this
    const read = () => this.read({ target, context })
    const publish = (asked: UpdateOperation) => this.publish(target, asked, context)
    return updateOnce(target, operation, { paces, lists, context, read, publish })
  }

  private async publish(target: UpdateTarget, operation: UpdateOperation, context: WritingContext) {
    const outcome = await new Promise<UpdateOutcome>((resolve, reject) => {
      this.join(target, context, [{ operation, resolve, reject }])
    })
    noteCost(outcome.paid)
    return outcome
  }

  /** Resolves once every accepted update is answered. */
  async idle(): Promise<void> {
    while (this.writers.size > 0) await Promise.all(this.writers.values())
  }

  /** Callers waiting for the next version of their list. */
  get waiting(): number {
    return [...this.open.values()].reduce((sum, { waiting }) => sum + waiting.length, 0)
  }

  /** Lists that are being written. */
  get writing(): number {
    return this.writers.size
  }

  private join(target: UpdateTarget, context: WritingContext, callers: readonly WaitingCaller[]): void {
    const { type, did, statusListName, resourceTypes } = target
    const { statusListVersion = null, encrypted, paymentConditions = null } = target
    const list = queueName('write the status list', JSON.stringify([type.type, did, statusListName]))
    const together = [resourceTypes, statusListVersion, encrypted, paymentConditions]
    // The first caller signs for all: a restriction of its API key must not refuse the others.
    const networks = currentCaller()?.grant?.networks?.toSorted() ?? null
    const key = JSON.stringify([list, currentAccount().id, networks, ...together])
    const batch = this.open.get(key)
    if (batch) {
      batch.waiting.push(...callers)
      if (batch.gathered && batch.waiting.length >= batch.gathered.expected) batch.gathered.go()
      return
    }
    const overtaken = new OvertakenVersions(type, this.lists)
    this.begin(key, { list, target, context, waiting: [...callers], overtaken, paid: 0n })
  }

  /** Code after `then` runs in the account scope of the caller that started the batch. */
  private begin(key: string, batch: Batch): void {
    const { list } = batch
    this.open.set(key, batch)
    const before = this.writers.get(list) ?? Promise.resolve()
    const done = before.then(async () => {
      await gather(batch, this.crowds.get(list) ?? 0)
      const callers = await this.write(key, batch)
      this.crowds.set(list, callers + (this.open.get(key)?.waiting.length ?? 0))
    })
    const forgotten = done.finally(() => {
      if (this.writers.get(list) === forgotten) this.writers.delete(list)
    })
    this.writers.set(list, forgotten)
  }

  /**
   * Answers every caller, including those that join before its turn; never rejects.
   *
   * @returns the number of callers
   */
  private async write(key: string, batch: Batch): Promise<number> {
    let callers = 0
    let attempts = 0
    const attempt = async (times: number): Promise<boolean> => {
      callers ||= this.close(key, batch)
      for (const end = attempts + times; attempts < end;) {
        attempts += 1
        if (await whoeverWaits(() => this.attempt(batch, attempts))) return true
      }
      return false
    }
    const inTurn = () => attempt(ATTEMPTS_OF_A_TURN)
    try {
      // Nobody is left if the previous batch has failed for all waiting callers.
      if (batch.waiting.length === 0) return this.close(key, batch)
      let done = !this.others.areAround(batch.list) && (await attempt(1))
      while (!done) {
        const patient = attempts >= ATTEMPTS_OF_A_TURN
        done = await this.turns.take(batch.list, inTurn, { patient })
      }
    } catch (error) {
      callers ||= this.close(key, batch)
      for (const { reject } of [...batch.waiting, ...this.takeAlike(batch, error)]) reject(error)
    }
    return callers
  }

  /** Callers waiting for an unusable list would wait as long as this batch did and fail as well. */
  private takeAlike({ list }: Batch, error: unknown): WaitingCaller[] {
    if (!isAgentError(error) || error.code !== 'unavailable') return []
    return [...this.open.values()].flatMap((other) => (other.list === list ? other.waiting.splice(0) : []))
  }

  /** From now on callers join another batch. @returns the number of callers in this one */
  private close(key: string, { waiting }: Batch): number {
    this.open.delete(key)
    return waiting.length
  }

  /** @returns whether all callers are answered or moved to another batch; `false` if another writer was faster */
  private async attempt(batch: Batch, attempt: number): Promise<boolean> {
    const { located, waiting } = await this.paces.withWaiting(() => this.read(batch))
    if (waiting && !sendBack(batch)) return true
    this.others.found(batch.list, located.metadata.resourceId)
    const list = listOfKind(located, batch.target)
    const found = await this.findStart(batch, located, list)
    const operations = batch.waiting.map(({ operation }) => operation)
    const start = waiting ? waiting.appliedTo(batch.target.type, found, operations) : found
    const batched = applyInOrder(batch.target.type, start, batch.waiting)
    batch.waiting = [...batched.applied.map(({ caller }) => caller), ...batched.deferred]
    if (batch.waiting.length === 0 && !start.differs) return true
    // Runs for all callers, not only for the one that started the batch.
    const publish = () => this.publishUnlessOvertaken(batch, located, start, batched, attempt)
    const { result: published, paid } = await countingCost(publish)
    batch.paid += paid
    if (!published) return this.lostRace(batch, attempt)
    if (start.waiting) await this.paces.settle(located.location, start.waiting.upTo)
    this.others.left(batch.list, published.metadata.resourceId)
    if (published.metadata.resourceId !== located.metadata.resourceId) {
      const [listType, callers] = [batch.target.type.type, batched.applied.length]
      this.lists.counts.callers.observe(callers, listType)
      log('debug', 'a version of a status list was published', { listType, callers })
    }
    settle(batched, published, batch.paid)
    if (batched.deferred.length > 0) this.join(batch.target, batch.context, batched.deferred)
    return true
  }

  /** @throws AgentError `invalid_credential` if there is no usable version to continue from */
  private async findStart(
    { overtaken, target: { type }, context }: Batch,
    located: LocatedList,
    list: DecodedList,
  ): Promise<StartingPoint> {
    const { failure } = list
    if (!failure || failure.keyRetired || overtaken.covers(located)) return overtaken.startFrom(located, list)
    const before = failure.outdated && (await this.lists.before(type, located, context))
    if (!before) throw failure.error
    return { ...before, differs: true }
  }

  private lostRace({ list, target }: Batch, attempt: number): false {
    this.others.met(list)
    this.lists.counts.overtaken.add(1)
    log('debug', 'another process published a version first', { listType: target.type.type, attempt })
    return false
  }

  private read({ target, context }: Pick<Batch, 'target' | 'context'>): Promise<LocatedList> {
    return readFirst(target.type, target, target.resourceTypes, this.lists, context)
  }

  /** @returns `undefined` if another writer was faster */
  private async publishUnlessOvertaken(
    { target, context, overtaken, waiting }: Batch,
    located: LocatedList,
    start: StartingPoint,
    { bits, changed, actions, applied }: AppliedBatch,
    attempt: number,
  ): Promise<DocumentedList | undefined> {
    const { type, statusListVersion } = target
    const published = await this.lists.documented(type, located, context)
    const { location, metadata, list } = published
    const before = withConditions(target, { ...published, list: start.list, doc: start.doc ?? published.doc })
    const { isAnew, resourceId } = requestedVersion(applied, metadata)
    const isNewest = changed === 0 && !start.differs && before === published.doc && !isAnew
    if (isNewest && !list.failure) return published
    const cipher = target.encrypted ? await this.lists.ciphers.find(location) : undefined
    await this.spans.noteFound(type, location, published, context)
    const same = { ...published, doc: before }
    const kept = isAnew ? await this.spans.renewed(type, location, same, context) : before
    const doc = await type.pack(kept, bits, cipher, this.clock())
    const options = {
      resourceId,
      expectedPrevious: metadata.resourceId,
      signedAfter: Math.max(list.signedAt ?? 0, start.list.signedAt ?? 0),
      ...(statusListVersion !== undefined && { resourceVersion: statusListVersion }),
    }
    const records = recordsOf(applied)
    try {
      const event = listEvent(type, location, resourceId, changed)
      const told = this.events && { events: this.events, event }
      const recorded = { told, actions, records: [...records.values()], now: this.clock() }
      return await publishList({ type, location, doc, bits, ...recorded, ...options }, this.lists, context)
    } catch (error) {
      if (dismissOverdue(waiting, records, error)) return undefined
      if (!isOvertaken(error) || attempt >= MOST_ATTEMPTS) throw error
      const seen = openOwnList(located)
      await overtaken.note({ ...options, location, seen, bits }, context)
      return undefined
    }
  }
}

async function gather(batch: Batch, expected: number): Promise<void> {
  if (expected < LEAST_CROWD || batch.waiting.length >= expected) return
  let timer: NodeJS.Timeout | undefined
  await new Promise<void>((go) => {
    batch.gathered = { expected, go }
    timer = setTimeout(go, GATHERING_TIME)
  })
  clearTimeout(timer)
}
