import { createHash, createHmac, randomUUID } from 'node:crypto'
import {
  type AccountRows,
  type CheckResult,
  type HasAccountRows,
  type HasLifecycle,
  hasMethods,
  type HasSealedStores,
  type IdempotencyStore,
  type IdempotentAnswer,
  type IdempotentBeginning,
  type IdempotentRequest,
  IdempotentRun,
  type IdempotentClaim,
  type KeyEnvelope,
  parseOptions,
  RepeatedPasses,
  requireEnvelope,
  type SealedStore,
  queueName,
} from '@vidimus/core-types'
import {
  type AccountQuotas,
  type Connection,
  type Database,
  type HasCountsStored,
  requireDatabase,
  SealedTexts,
  sql,
} from '@vidimus/database'
import { z } from 'zod'
import { accountRows } from './account-rows.js'
import { COUNTS_ANSWERS } from './counts-answers.js'
import { HeldRecords } from './held-records.js'
import {
  deleteExpired,
  findRecord,
  insertRecord,
  isHeldAsSeen,
  releaseRecord,
  storeAnswer,
  takeRecord,
  type HeldRecord,
  type RecordName,
  type RecordRow,
} from './idempotency-rows.js'
import { RecordWatch } from './record-watch.js'
import { RecordedChanges } from './recorded-changes.js'

type RoomForAnswers = Pick<AccountQuotas, 'hasRoomFor'>

export const Options = z.strictObject({
  keepHours: z.number().positive().max(8760).default(24),
  maxAnswerBytes: z
    .int()
    .min(1024)
    .max(64 * 1024 * 1024)
    .default(1024 * 1024),
  quotas: z
    .custom<RoomForAnswers>((value) => hasMethods(value, 'hasRoomFor'), 'must be Quotas of @vidimus/accounts')
    .optional(),
  clock: z.custom<() => Date>((value) => typeof value === 'function', 'must be a function').optional(),
})

export interface IdempotencyRecordsOptions {
  /** how long a response is returned again after it was first sent, hours, at most 8760; default 24 */
  keepHours?: number
  /** larger responses are not stored, 1024 to 67 108 864; default 1 048 576 */
  maxAnswerBytes?: number
  /** responses are not stored for an account whose quota of bytes is used up; absent: there is no quota */
  quotas?: Pick<AccountQuotas, 'hasRoomFor'>
  /** the time, for {@link keepHours} only; default: the system's clock */
  clock?: () => Date
}

type AnsweredRow = Pick<RecordRow, 'account_id' | 'id'>

/** If nothing can be written, nothing can be done twice. */
const NOTHING_KEPT: IdempotentClaim = {
  run: new IdempotentRun(''),
  finish: () => Promise.resolve('kept'),
  giveUp: () => Promise.resolve('given-up'),
}

/** A record in progress is kept at least this long, however soon responses expire. */
const LEAST_HELD_HOURS = 24
const SWEEPS = { work: 'deletion of kept answers', pauseMs: 60_000 }
/** Records deleted in one transaction, so that no caller waits long for it. */
const SWEPT_TOGETHER = 200

/** Requests with an idempotency key and their responses, in a database that several processes may share. */
export class IdempotencyRecords
  implements IdempotencyStore, HasLifecycle, HasSealedStores, HasAccountRows, HasCountsStored
{
  /** `start` throws AgentError `wrong_secret` if the secret is not the one that sealed the stored data. */
  readonly lifecycle = { start: () => this.start(), stop: () => this.stop(), check: () => this.check() }
  readonly sealedStores: readonly SealedStore[]
  readonly accountRows: readonly AccountRows[]
  readonly countsStored = COUNTS_ANSWERS

  private readonly options: z.output<typeof Options>
  private readonly texts: SealedTexts<AnsweredRow>
  private readonly changes: RecordedChanges
  private readonly held: HeldRecords
  private readonly watch: RecordWatch
  private readonly sweeps = new RepeatedPasses(SWEEPS)

  /** @throws AgentError `invalid_configuration` */
  constructor(
    private readonly database: Database,
    private readonly envelope: KeyEnvelope,
    options: IdempotencyRecordsOptions = {},
  ) {
    requireDatabase(database)
    requireEnvelope(envelope)
    this.options = parseOptions(Options, options)
    this.texts = new SealedTexts(database, envelope, COLUMN)
    this.changes = new RecordedChanges(database, envelope)
    this.sealedStores = [this.texts, this.changes.texts]
    this.accountRows = accountRows(database)
    this.held = new HeldRecords((record) => this.giveUp(record))
    this.watch = new RecordWatch((row) => this.isUnderWay(row))
  }

  async begin(
    request: IdempotentRequest,
    { waitMs, signal }: { waitMs: number; signal?: AbortSignal },
  ): Promise<IdempotentBeginning> {
    if (this.database.isReadOnly) return { outcome: 'begun', claim: NOTHING_KEPT }
    const name = recordName(request)
    const deadline = performance.now() + waitMs
    let abandoned: RecordRow | undefined
    for (;;) {
      const found = await this.enter(name, abandoned)
      if ('claim' in found) return { outcome: 'begun', claim: found.claim }
      const { row } = found
      if (row.content_digest !== name.contentDigest) return { outcome: 'reused' }
      if (row.sealed_answer !== null)
        return { outcome: 'answered', answer: this.opened(row, row.sealed_answer) }
      abandoned = (await this.isWorkedOn(row)) ? undefined : row
      if (abandoned) continue
      if (!(await this.watch.wait(row, deadline - performance.now(), signal))) return { outcome: 'busy' }
    }
  }

  /** Deletes expired records, in portions. @returns how many records */
  async sweep(): Promise<number> {
    const now = this.now().toISOString()
    let all = 0
    for (;;) {
      const deleted = await this.database.write(
        (connection) => deleteExpired(connection, now, SWEPT_TOGETHER),
        { spans: 'those of all accounts, in portions' },
      )
      all += deleted
      if (deleted < SWEPT_TOGETHER) return all
    }
  }

  /** Begins the request, if nobody has before or its holder is known to be gone; or returns its state. */
  private async enter(
    name: RecordName,
    abandoned: RecordRow | undefined,
  ): Promise<{ claim: IdempotentClaim } | { row: RecordRow }> {
    const presence = await this.database.presence()
    const record: HeldRecord = { id: randomUUID(), account: name.account, holder: randomUUID(), presence }
    let entering = record
    // Before it is visible: if a holder of this process is not registered, nothing works on it.
    this.held.add(record)
    try {
      const entered = await this.database.write(async (connection) => {
        entering = record
        if (await insertRecord(connection, name, record, this.times())) return {}
        const row = await findRecord(connection, name)
        if (!row) throw new Error('a record of an idempotency key vanished in the transaction that met it')
        const wanted = row.content_digest === name.contentDigest && row.sealed_answer === null
        const isFree = row.holder === null || row.holder === abandoned?.holder
        entering = { ...record, id: row.id }
        const taken =
          wanted && isFree && (await takeRecord(connection, row, entering, this.times().heldUntil))
        return taken ? { from: row } : { row }
      })
      if (!entered.row) return { claim: this.claim(entering, earlierRun(entered.from, presence)) }
      this.held.remove(record)
      return { row: entered.row }
    } catch (error) {
      // It may have been written all the same.
      this.held.leave(entering)
      throw error
    }
  }

  /** Whether a run of this process, or of one that is present, works on a request. */
  private async isWorkedOn({ holder, presence }: RecordRow): Promise<boolean> {
    if (holder === null || presence === null) return false
    if (presence === (await this.database.presence())) return this.held.has(holder)
    return this.database.isPresent(presence)
  }

  private async isUnderWay(row: RecordRow): Promise<boolean> {
    return (await isHeldAsSeen(this.database, row)) && (await this.isWorkedOn(row))
  }

  private claim(record: HeldRecord, before: IdempotentRun['before']): IdempotentClaim {
    return {
      run: new IdempotentRun(record.id, before, this.changes.of(record)),
      finish: (answer) => this.ending(record, () => this.finish(record, answer)),
      giveUp: () => this.ending(record, () => this.giveUp(record)),
    }
  }

  /** Whatever comes of it: this process does not work on the request any more. */
  private async ending<T>(record: HeldRecord, end: () => Promise<T>): Promise<T> {
    try {
      const ended = await end()
      this.held.remove(record)
      return ended
    } catch (error) {
      this.held.leave(record)
      throw error
    } finally {
      this.watch.wake(record.id)
    }
  }

  private async finish(record: HeldRecord, answer: IdempotentAnswer): Promise<'kept' | 'too-large' | 'lost'> {
    const text = `${answer.status} ${answer.body}`
    const { account, id } = record
    const isTooLarge = Buffer.byteLength(answer.body) > this.options.maxAnswerBytes
    if (isTooLarge || (await this.options.quotas?.hasRoomFor(account, Buffer.byteLength(text))) === false) {
      return (await this.giveUp(record)) === 'lost' ? 'lost' : 'too-large'
    }
    const stored = await this.database.write(
      async (connection: Connection) => {
        const sealed = await this.texts.seal(connection, text, answerContext(account, id))
        return storeAnswer(connection, record, sealed, this.expiry())
      },
      { lane: queueName('answers of', account) },
    )
    return stored ? 'kept' : 'lost'
  }

  private async giveUp(record: HeldRecord): Promise<'given-up' | 'lost'> {
    const released = await this.database.write((connection) =>
      releaseRecord(connection, record, this.expiry()),
    )
    return released ? 'given-up' : 'lost'
  }

  private opened({ account_id: account, id }: RecordRow, sealed: string): IdempotentAnswer {
    const text = this.envelope.open(sealed, answerContext(account, id))
    const end = text.indexOf(' ')
    return { status: Number(text.slice(0, end)), body: text.slice(end + 1) }
  }

  private now(): Date {
    return this.options.clock?.() ?? new Date()
  }

  private expiry(hours = this.options.keepHours): string {
    return new Date(this.now().getTime() + hours * 3_600_000).toISOString()
  }

  private times(): { now: string; heldUntil: string } {
    const heldUntil = this.expiry(Math.max(this.options.keepHours, LEAST_HELD_HOURS))
    return { now: this.now().toISOString(), heldUntil }
  }

  private async start(): Promise<void> {
    await this.texts.verify()
    await this.changes.texts.verify()
    if (!this.database.isReadOnly) this.sweeps.begin(() => this.sweep())
  }

  private async stop(): Promise<void> {
    await Promise.all([this.sweeps.stop(), this.held.stop()])
  }

  private async check(): Promise<CheckResult[]> {
    const name = 'idempotency'
    try {
      await this.database.probe(sql`SELECT id FROM idempotency_record WHERE id = ${''} AND home = 0`)
      return [{ name, ok: true }]
    } catch {
      return [{ name, ok: false, message: 'its table cannot be read from the database' }]
    }
  }
}

/** The end of the previous run. If this process has no run for it, it gave up but could not record that. */
function earlierRun(before: RecordRow | undefined, presence: string): IdempotentRun['before'] {
  if (!before) return undefined
  return before.holder === null || before.presence === presence ? 'given-up' : 'taken-over'
}

/** Keys can be guessed if clients count them; the request's content cannot, even with the database. */
const recordName = ({ accountId, key, content }: IdempotentRequest): RecordName => ({
  account: accountId,
  keyDigest: createHash('sha256').update(key).digest('hex'),
  contentDigest: createHmac('sha256', key).update(content).digest('hex'),
})

const answerContext = (account: string, id: string) => ['answer of a request', account, id]

const COLUMN = {
  name: 'answers of requests',
  table: sql`idempotency_record`,
  sealed: sql`sealed_answer`,
  id: [sql`home`, sql`id`],
  joined: sql`idempotency_record`,
  context: sql`idempotency_record.account_id, idempotency_record.id`,
  contextOf: ({ account_id: account, id }: AnsweredRow) => answerContext(account, id),
  check: {
    table: sql`secret_check`,
    id: 'answers',
    text: 'the secret fits',
    context: ['secret check', 'answers'],
  },
}
