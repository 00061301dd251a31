import { AgentError, currentCaller, FairOrder, forThisRequest, outsideOfRequests } from '@vidimus/core-types'
import { BatchedWork, type RunningTransaction } from './batched-work.js'
import type { Connection } from './connection.js'
import { isOutcomeUnknown } from './commit-outcome.js'
import { isAway, isOrderingFailure } from './errors.js'

interface Waiting {
  work: (connection: Connection) => Promise<unknown>
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

/** `ends`: called once the transaction is committed */
type Outcome = { value: unknown; ends?: BatchedWork['ends'] } | { error: unknown }

/** Runs works as one transaction, and resolves after its COMMIT. */
export type Transact = <T>(works: (transaction: RunningTransaction) => Promise<T>) => Promise<T>

/** Whose the service's own work is. */
const SERVICE = ''

/** The most works that share one COMMIT: limits how long the first of them waits for the last. */
const MAX_SHARED_COMMIT = 64

/**
 * Runs write transactions one after the other, alternating between accounts, however many each has waiting. Works
 * that are waiting when a transaction begins share its COMMIT, each in a savepoint of its own: a failing one is
 * undone alone, and no caller gets a result before the COMMIT that makes it durable.
 */
export class WriteQueue {
  private readonly waiting = new FairOrder<Waiting>()
  private draining: Promise<void> | undefined

  constructor(private readonly transact: Transact) {}

  /** Works that have not begun. */
  get length(): number {
    return this.waiting.length
  }

  run<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      // It runs for its own request, even if it shares the transaction of another.
      const own = forThisRequest(work)
      const of = currentCaller()?.account.id ?? SERVICE
      this.waiting.add(of, { work: own, resolve: resolve as (value: unknown) => void, reject })
      this.draining ??= outsideOfRequests(() => this.drain())
    })
  }

  /** Resolves when nothing is waiting or running. */
  async idle(): Promise<void> {
    while (this.draining) await this.draining
  }

  private async drain(): Promise<void> {
    // Give callers of the same round of the event loop the chance to share the first COMMIT.
    await Promise.resolve()
    while (this.waiting.length > 0) {
      const batch: Waiting[] = []
      const take = () => batch.push(...this.waiting.take(MAX_SHARED_COMMIT - batch.length))
      try {
        // Only now: those that came while it waited for a connection, and for the lane in other processes, share it.
        const outcomes = await this.transact((connection) => {
          take()
          return runAll(batch, connection)
        })
        batch.forEach((waiting, n) => settle(waiting, outcomes[n]))
      } catch (error) {
        // It may not even have got a connection.
        if (batch.length === 0) take()
        for (const { reject } of batch) reject(error)
        // Works behind a database that is away would wait as long as this batch did, for the same result.
        if (isAway(error)) for (const { reject } of this.waiting.take()) reject(notBegun(error))
      }
    }
    this.draining = undefined
  }
}

/** The outcome of a work that has not begun is known. */
const notBegun = (error: unknown): unknown =>
  isOutcomeUnknown(error)
    ? new AgentError('unavailable', 'the database cannot be reached', { cause: error })
    : error

async function runAll(batch: readonly Waiting[], transaction: RunningTransaction): Promise<Outcome[]> {
  const [only, ...others] = batch
  if (only && others.length === 0) return [{ value: await alone(only.work, transaction) }]
  const outcomes: Outcome[] = []
  let shared = {}
  for (const { work } of batch) {
    const outcome = await inSavepoint(work, transaction, shared)
    // What it knew is no longer so.
    if ('error' in outcome) shared = {}
    outcomes.push(outcome)
  }
  return outcomes
}

/** What it sent last goes with the COMMIT. */
export async function alone<T>(
  work: (connection: Connection) => Promise<T>,
  transaction: RunningTransaction,
): Promise<T> {
  const batched = new BatchedWork(transaction)
  const value = await batched.outcomeOf(work)
  await batched.commit()
  for (const end of batched.ends) end()
  return value
}

async function inSavepoint(
  work: Waiting['work'],
  transaction: RunningTransaction,
  shared: object,
): Promise<Outcome> {
  const batched = new BatchedWork(transaction, 'savepoint', shared)
  try {
    const value = await batched.outcomeOf(work)
    await batched.release()
    return { value, ends: batched.ends }
  } catch (error) {
    // It is the whole transaction that must be run again.
    if (isOrderingFailure(error)) throw error
    // Fails if the database has rolled back the whole transaction by itself (disk full, a lost connection): then
    // nothing of the batch may be reported as done.
    await batched.undo().catch((failure: unknown) => {
      // That it cannot be undone follows: the savepoint may not have been set.
      throw isAway(error) ? error : failure
    })
    return { error }
  }
}

function settle(waiting: Waiting, outcome: Outcome | undefined): void {
  if (outcome && 'value' in outcome) {
    for (const end of outcome.ends ?? []) end()
    waiting.resolve(outcome.value)
  } else waiting.reject(outcome?.error ?? new Error('a write transaction ended without an outcome'))
}
