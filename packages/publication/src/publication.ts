import { setTimeout as pause } from 'node:timers/promises'
import {
  AgentError,
  isAgentError,
  parseOptions,
  AFTER_RESTORE,
  LISTS_PATH,
  type CheckResult,
  type Finding,
  type HasLifecycle,
  type HasMeasurements,
  type Measurement,
  type NoticesRestore,
  type OpenTransaction,
  type PublicationDifference,
  type PublicationOutbox,
  type PublicationSource,
  type PublishedSubject,
  type PublishedSubjects,
  type StoredFile,
} from '@vidimus/core-types'
import { sql, type Database } from '@vidimus/database'
import { workOn } from '@vidimus/work'
import type { z } from 'zod'
import { markDue, PUBLICATION, readMarks, waiting } from './due-subjects.js'
import { PublicationCounts } from './measurements.js'
import { Options, type PublicationOptions } from './options.js'
import { aheadOfDatabase, PassCount, unlessAway } from './pass-count.js'
import { PublicationWork } from './publication-work.js'

/** Subjects that are marked in one transaction, or compared one after the other before the next are asked for. */
const PAGE = 500
/** The interval for checking whether another process has published something. */
const LOOK_EVERY_MS = 50
const PAUSE_MS = 500

/** The result of a comparison with the ledger. */
export interface VerifiedPublication {
  /** subjects that were compared */
  compared: number
  /** those that are still to be published, and so were omitted */
  waiting: number
  differences: PublicationDifference[]
}

/**
 * Keeps a copy of this service's publications at a target, so that others can serve it: status lists in every form,
 * DID documents, and the aggregation. Pending publications are recorded in the transactions of the changes, and
 * deleted once they are done.
 */
export class Publication implements PublicationOutbox, HasLifecycle, HasMeasurements, NoticesRestore {
  readonly lifecycle = {
    stop: () => this.stop(),
    check: () => this.check(),
    checkWarns: true as const,
    diagnose: () => this.diagnose(),
  }
  readonly measurements: readonly Measurement[]
  readonly database: Database

  private readonly options: z.output<typeof Options>
  private readonly clock: () => Date
  private readonly counts = new PublicationCounts()
  private readonly subjects: PublishedSubjects[] = []
  private readonly passCount: PassCount
  private readonly work: PublicationWork
  private source: PublicationSource | undefined
  private preparing: Promise<void> | undefined

  /** @throws AgentError `invalid_configuration` */
  constructor(options: PublicationOptions) {
    this.options = parseOptions(Options, options)
    this.database = this.options.database
    this.clock = this.options.clock ?? (() => new Date())
    const { publisher, keepVersions, concurrency } = this.options
    this.passCount = new PassCount(this.database, publisher)
    const { counts, clock, passCount } = this
    this.work = new PublicationWork({
      ...{ publisher, passCount, keepVersions, concurrency, counts, clock },
      source: () => this.demandSource(),
      prepare: () => this.prepare(),
    })
    this.measurements = this.counts.with(() => this.lagSeconds())
    workOn(this.database).own(PUBLICATION)
  }

  /** The source of publications; call it before anything is published. */
  useSource(source: PublicationSource): void {
    this.source = source
  }

  adopt(subjects: PublishedSubjects): void {
    this.subjects.push(subjects)
  }

  mark(transaction: OpenTransaction, subject: PublishedSubject): void {
    markDue({ database: this.database, transaction }, subject, this.clock())
  }

  /** Publishes in the background what is due, now and from then on. An unknown target gets everything. */
  begin(): void {
    if (!this.database.isReadOnly) workOn(this.database).run(this.work)
  }

  async published(subject: PublishedSubject): Promise<boolean> {
    const marks = await readMarks(this.database, subject)
    if (!marks) return true
    workOn(this.database).wake()
    for (const end = performance.now() + this.options.waitMs; performance.now() < end;) {
      await pause(LOOK_EVERY_MS)
      const now = await readMarks(this.database, subject)
      if (!now || now.published >= marks.last) return true
    }
    return false
  }

  /**
   * Publishes everything again, together with other processes.
   *
   * @param tell - how many subjects still wait
   * @returns how many failed; the running service retries them
   */
  async publishAll(
    tell: (left: number) => void = () => undefined,
  ): Promise<{ subjects: number; left: number }> {
    await this.prepare()
    const subjects = await this.markAll()
    const running = workOn(this.database).run(this.work)
    for (;;) {
      const before = this.work.failed
      await running.drain()
      const { count, held } = await waiting(this.database)
      tell(count)
      if (count === 0 || (held === 0 && this.work.failed > before)) return { subjects, left: count }
      await pause(PAUSE_MS)
    }
  }

  /** Compares the content of the target with what it should be; changes nothing. */
  async verify(): Promise<VerifiedPublication> {
    await this.prepare({ fill: false })
    const { publisher } = this.options
    const found: VerifiedPublication = { compared: 0, waiting: 0, differences: [] }
    for await (const subject of this.all()) {
      const document = await this.demandSource().read(subject, this.options.keepVersions)
      const differences = document ? await publisher.compare(document) : []
      // Recent changes are not there yet.
      if (differences.length > 0 && (await readMarks(this.database, subject))) found.waiting += 1
      else found.differences.push(...differences)
      found.compared += 1
    }
    return found
  }

  /** One small read of the target. */
  async noticeRestore(): Promise<string | undefined> {
    const isBehind = await unlessAway(this.passCount.isBehind())
    return isBehind ? aheadOfDatabase(this.place) : undefined
  }

  /** Once everything that the target has is taken over: passes may write to it again. */
  async endRestore(): Promise<void> {
    await this.passCount.catchUp()
    await this.prepare()
    await this.markAll()
  }

  /** A subject in its usual form, as the target has it; `undefined`: it has none, or there is no such subject any more. */
  async stored(subject: PublishedSubject): Promise<StoredFile | undefined> {
    const document = await this.demandSource().read(subject, 0)
    const [usual] = document?.files ?? []
    return usual && this.options.publisher.stored(usual)
  }

  /** The DIDs whose documents the target has. @throws AgentError `unavailable` */
  async *dids(): AsyncGenerator<string> {
    const source = this.demandSource()
    for await (const path of this.options.publisher.paths([LISTS_PATH.slice(1)])) {
      const did = source.didAt(path)
      if (did !== undefined) yield did
    }
  }

  /** Where the publication is, for the operator. */
  get place(): string {
    return this.options.publisher.place
  }

  /** Once. @throws AgentError `unavailable` if the target cannot be used; then it is done the next time */
  private async prepare({ fill = true } = {}): Promise<void> {
    this.preparing ??= this.options.publisher.begin(this.demandSource())
    try {
      await this.preparing
      if (fill) await this.fill()
    } catch (error) {
      this.preparing = undefined
      throw error
    }
  }

  private filled = false

  /** Recorded at both ends: the target may be another one under the same name, or the database another one. */
  private async fill(): Promise<void> {
    if (this.filled) return
    const { place } = this
    const { publisher } = this.options
    const [known] = await this.database.query(sql`SELECT place FROM publication_place WHERE place = ${place}`)
    if (!known || !(await publisher.isFilled())) {
      // A database with nothing to publish is a new one, and overwrites nothing.
      if ((await this.markAll()) === 0 && !known) await this.passCount.catchUp()
      await this.database.write((connection) =>
        connection.run(
          sql`INSERT INTO publication_place (place, begun_at) VALUES (${place}, ${this.clock().toISOString()})
            ON CONFLICT (place) DO NOTHING`,
        ),
      )
      await publisher.noteFilled()
    }
    this.filled = true
  }

  private async markAll(): Promise<number> {
    let count = 0
    let page: PublishedSubject[] = []
    const write = async () => {
      const together = page
      page = []
      count += together.length
      await this.database.write(
        (connection) => {
          for (const subject of together) this.mark(connection, subject)
        },
        { spans: 'everything is due, page by page; a second time is harmless' },
      )
    }
    for await (const subject of this.all()) {
      page.push(subject)
      if (page.length === PAGE) await write()
    }
    if (page.length > 0) await write()
    return count
  }

  private async *all(): AsyncGenerator<PublishedSubject> {
    for (const subjects of this.subjects) {
      let after: PublishedSubject | undefined
      for (let length = PAGE; length === PAGE;) {
        const page = await subjects.page(after, PAGE)
        yield* page
        after = page.at(-1)
        length = page.length
      }
    }
  }

  private demandSource(): PublicationSource {
    if (this.source) return this.source
    throw new AgentError(
      'invalid_configuration',
      'nothing is configured to be published: the server must set it',
    )
  }

  private async lagSeconds(): Promise<number> {
    const { since } = await waiting(this.database)
    return since ? Math.max(0, (this.clock().getTime() - since.getTime()) / 1000) : 0
  }

  private stop(): Promise<void> {
    return workOn(this.database).stop(PUBLICATION)
  }

  /** Reads continue without it. */
  private async check(): Promise<CheckResult[]> {
    const name = 'publication'
    try {
      await this.options.publisher.check()
      const ahead = await this.noticeRestore()
      if (ahead !== undefined)
        return [{ name, ok: false, warning: true, message: `${ahead}: ${AFTER_RESTORE}` }]
      return [{ name, ok: true }]
    } catch (error) {
      const message = isAgentError(error) ? error.message : 'the location of the publication cannot be used'
      return [{ name, ok: false, warning: true, message }]
    }
  }

  private async diagnose(): Promise<Finding[]> {
    const [result] = await this.check()
    const { name = 'publication', ok, message = this.place } = result ?? {}
    if (ok) return [{ name, level: 'ok', message }]
    return [{ name, level: 'fail', message, advice: 'see docs/static-publication.md' }]
  }
}
