import {
  isAgentError,
  log,
  SharedQueue,
  queueName,
  type PublicationSource,
  type Publisher,
  type PublishedSubject,
} from '@vidimus/core-types'
import type { Database } from '@vidimus/database'
import { endDue, isAnythingDue, postponeDue, selectDue, keySubject, type DueRow } from './due-rows.js'
import type { PublicationCounts } from './measurements.js'
import type { PassCount } from './pass-count.js'

export interface PassParts {
  database: Database
  publisher: Publisher
  passCount: PassCount
  source: PublicationSource
  keepVersions: number
  concurrency: number
  counts: PublicationCounts
  clock: () => Date
}

/** Rows that are read at once. */
const TOGETHER = 200
const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 300_000

/** The outcome of a pass; `busy`: another process is publishing. */
export interface PassOutcome {
  published: number
  failed: number
  busy?: true
}

/**
 * Publishes what is due, in one process at a time; several at once would only wait for each other's writes. A failed
 * publication is retried later, and blocks nothing else, unless nothing can be written at all.
 */
export class PublicationPasses {
  private stopping = false

  constructor(private readonly parts: PassParts) {}

  /** Begins nothing more. */
  stop(): void {
    this.stopping = true
  }

  /** @throws what the database throws, and AgentError `unavailable` if the target cannot be used */
  async run(): Promise<PassOutcome> {
    const { database, clock } = this.parts
    const outcome: PassOutcome = { published: 0, failed: 0 }
    if (this.stopping || !(await isAnythingDue(database, clock()))) return outcome
    const release = await database.lock(queueName('publication'))
    if (!release) return { ...outcome, busy: true }
    try {
      while (!this.stopping) {
        const rows = await database.query<DueRow>(selectDue(clock(), TOGETHER))
        if (rows.length === 0) break
        const { published, failure } = await this.publishAll(rows)
        outcome.published += published
        outcome.failed += rows.length - published
        if (failure) throw failure
      }
      return outcome
    } finally {
      await release()
    }
  }

  /** @returns `failure`: of the target, so that continuing is useless */
  private async publishAll(rows: readonly DueRow[]): Promise<{ published: number; failure?: Error }> {
    const obstacle = await this.begin(rows)
    if (obstacle) return { published: 0, failure: obstacle }
    const queue = new SharedQueue(this.parts.concurrency, this.parts.concurrency)
    let published = 0
    let failure: Error | undefined
    const one = async (row: DueRow) => {
      if (failure || this.stopping) return
      try {
        await this.publish(row)
        published += 1
      } catch (error) {
        await this.postpone(row, error)
        if (isAgentError(error) && error.code === 'unavailable') failure = error
      }
    }
    await Promise.all(rows.map((row) => queue.run('', () => one(row))))
    return { published, ...(failure && { failure }) }
  }

  /** @returns why nothing can be written at all, or must not be */
  private async begin([first]: readonly DueRow[]): Promise<Error | undefined> {
    try {
      await this.parts.passCount.next()
      return undefined
    } catch (error) {
      if (first) await this.postpone(first, error)
      return error as Error
    }
  }

  private async publish(row: DueRow): Promise<void> {
    const { database, publisher, source, keepVersions, clock } = this.parts
    const subject = keySubject(row)
    const readAt = clock()
    await publisher.publish(() => source.read(subject, keepVersions))
    await database.write((connection) => endDue(connection, row, readAt))
  }

  private async postpone(row: DueRow, error: unknown): Promise<void> {
    const { database, counts, clock } = this.parts
    counts.failures.add(1)
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(row.attempts, 20), LONGEST_PAUSE_MS)
    log('warn', 'something could not be published; it will be retried', loggedSubject(keySubject(row)), error)
    await database.write((connection) => postponeDue(connection, row, new Date(clock().getTime() + pauseMs)))
  }
}

const loggedSubject = ({ kind, did }: PublishedSubject) => ({ kind, ...(did !== undefined && { did }) })
