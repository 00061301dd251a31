import {
  isAgentError,
  log,
  type PublicationSource,
  type Publisher,
  type PublishedSubject,
} from '@vidimus/core-types'
import type { HeldWork, WorkItem, WorkKind, WorkOutcome } from '@vidimus/work'
import { keySubject, PUBLICATION, publishedUpTo } from './due-subjects.js'
import type { PublicationCounts } from './measurements.js'
import type { PassCount } from './pass-count.js'

export interface PublicationParts {
  publisher: Publisher
  passCount: PassCount
  source: () => PublicationSource
  /** whether the target can be written to, and is filled */
  prepare: () => Promise<void>
  keepVersions: number
  concurrency: number
  counts: PublicationCounts
  clock: () => Date
}

/** What is published within this time counts as one pass over the target. */
const PASS_MS = 1000

/**
 * Publishes what is due. It reads the newest version, so that changes share a publication, and a second one does no harm. A failed
 * publication is retried later, and blocks nothing else, unless nothing can be written at all.
 */
export class PublicationWork implements WorkKind {
  readonly name = PUBLICATION
  readonly most: number
  readonly share: number
  readonly clock: () => Date
  readonly prepare: () => Promise<void>
  private pass: { until: number; begun: Promise<void> } | undefined
  /** errors of the target itself, whatever is published */
  private readonly obstacles = new WeakSet<object>()

  constructor(private readonly parts: PublicationParts) {
    this.most = parts.concurrency
    this.share = parts.concurrency
    this.clock = parts.clock
    this.prepare = parts.prepare
  }

  isObstacle(error: unknown): boolean {
    return isAgentError(error) && (error.code === 'unavailable' || this.obstacles.has(error))
  }

  async handle({ item }: HeldWork): Promise<WorkOutcome> {
    const { publisher, source, keepVersions } = this.parts
    await this.beginPass()
    await publisher.publish(() => source().read(keySubject(item), keepVersions))
    return { isDone: true, askedPayload: publishedUpTo(item) }
  }

  onFailure(error: unknown, item: WorkItem): void {
    this.parts.counts.failures.add(1)
    this.failed += 1
    log(
      'warn',
      'something could not be published; it will be retried',
      loggedSubject(keySubject(item)),
      error,
    )
  }

  /** attempts of this process */
  failed = 0

  private async beginPass(): Promise<void> {
    const now = performance.now()
    if (!this.pass || now >= this.pass.until)
      this.pass = { until: now + PASS_MS, begun: this.parts.passCount.next() }
    try {
      await this.pass.begun
    } catch (error) {
      this.pass = undefined
      this.obstacles.add(error as object)
      throw error
    }
  }
}

const loggedSubject = ({ kind, did }: PublishedSubject) => ({ kind, ...(did !== undefined && { did }) })
