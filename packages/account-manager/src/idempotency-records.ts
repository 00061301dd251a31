import { createHash, createHmac, randomUUID } from 'node:crypto'
import {
  hasMethods,
  IdempotentRun,
  outsideOfRequests,
  parseOptions,
  type CheckResult,
  type HasLifecycle,
  type HasSealedStores,
  type IdempotencyStore,
  type IdempotentAnswer,
  type IdempotentBeginning,
  type IdempotentRequest,
  type IdempotentTurn,
  type KeyEnvelope,
  type SealedStore,
} from '@vidimus/core-types'
import { SealedTexts, sql, type Connection, type Database } from '@vidimus/database'
import { z } from 'zod'
import { HeldRecords } from './held-records.js'
import {
  beat,
  deleteExpired,
  findRecord,
  insertRecord,
  releaseRecord,
  storeAnswer,
  takeRecord,
  type HeldRecord,
  type RecordName,
  type RecordRow,
} from './idempotency-rows.js'
import type { Quotas } from './quotas.js'
import { RecordWatch } from './record-watch.js'
import { requireDatabase, requireEnvelope } from './require-parts.js'

export const Options = z.strictObject({
  keepHours: z.number().positive().max(8760).default(24),
  maxAnswerBytes: z
    .int()
    .min(1024)
    .max(64 * 1024 * 1024)
    .default(1024 * 1024),
  leaseSeconds: z.number().min(0.5).max(600).default(15),
  quotas: z
    .custom<Quotas>(
      (value) => hasMethods(value, 'hasRoomFor'),
      'has to be Quotas of @vidimus/account-manager',
    )
    .optional(),
  clock: z.custom<() => Date>((value) => typeof value === 'function', 'has to be a function').optional(),
})

export interface IdempotencyRecordsOptions {
  /** how long an answer is given again after it was first made, at most 8760; default 24 */
  keepHours?: number
  /** larger answers are not kept, 1024 to 67 108 864; default 1 048 576 */
  maxAnswerBytes?: number
  /**
   * after how long without a sign of life the process that works on a request counts as dead, 0.5 to 600; default 15
   */
  leaseSeconds?: number
  /** answers are not kept of an account whose quota of bytes is used up; left out: there is none */
  quotas?: Quotas
  /** what time it is, for {@link keepHours} alone; default: the system's clock */
  clock?: () => Date
}

interface AnsweredRow {
  account_id: string
  id: string
}

/** Signs of life for each lease: one or two may get lost. */
const BEATS_PER_LEASE = 5
const SWEEP_EVERY_MS = 60_000
/** Records deleted in one transaction, so that nobody waits long for it. */
const SWEPT_TOGETHER = 200

/** Requests with an idempotency key and their answers, in the database of the service; several processes may share it. */
export class IdempotencyRecords implements IdempotencyStore, HasLifecycle, HasSealedStores {
  /** `start` throws AgentError `wrong_secret` where the secret is not the one that sealed what is stored. */
  readonly lifecycle = { start: () => this.start(), stop: () => this.stop(), check: () => this.check() }
  readonly sealedStores: readonly SealedStore[]

  private readonly options: z.output<typeof Options>
  private readonly texts: SealedTexts<AnsweredRow>
  private readonly held: HeldRecords
  private readonly watch: RecordWatch
  private timer: NodeJS.Timeout | undefined
  private sweeping: Promise<unknown> = Promise.resolve()

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
    this.sealedStores = [this.texts]
    const leaseMs = this.options.leaseSeconds * 1000
    this.held = new HeldRecords(
      (held) => database.write((connection) => beat(connection, held, this.expiry())),
      leaseMs / BEATS_PER_LEASE,
    )
    this.watch = new RecordWatch(
      (record) => this.lookAgain(record),
      (holder) => this.held.has(holder),
      leaseMs,
    )
  }

  async begin(
    request: IdempotentRequest,
    { waitMs, signal }: { waitMs: number; signal?: AbortSignal },
  ): Promise<IdempotentBeginning> {
    const name = nameOf(request)
    const deadline = performance.now() + waitMs
    let silent: RecordRow | undefined
    for (;;) {
      const found = await this.enter(name, silent)
      if ('turn' in found) return { outcome: 'begun', turn: found.turn }
      const { row } = found
      if (row.content_digest !== name.contentDigest) return { outcome: 'reused' }
      if (row.sealed_answer !== null)
        return { outcome: 'answered', answer: this.opened(row, row.sealed_answer) }
      const watched = await this.watch.wait(row, deadline - performance.now(), signal)
      if (!watched) return { outcome: 'busy' }
      silent = watched.ended ? undefined : watched.silent
    }
  }

  /** Deletes what is no longer kept, in portions. @returns how many records */
  async sweep(): Promise<number> {
    const now = this.now().toISOString()
    let all = 0
    for (;;) {
      const deleted = await this.database.write((connection) =>
        deleteExpired(connection, now, SWEPT_TOGETHER),
      )
      all += deleted
      if (deleted < SWEPT_TOGETHER) return all
    }
  }

  /** Begins the request, where nobody has before or whoever has is known to be silent; or says how it stands. */
  private async enter(
    name: RecordName,
    silent: RecordRow | undefined,
  ): Promise<{ turn: IdempotentTurn } | { row: RecordRow }> {
    const record = { id: randomUUID(), account: name.account, holder: randomUUID() }
    const times = { now: this.now().toISOString(), expiresAt: this.expiry() }
    const entered = await this.database.write(async (connection) => {
      if (await insertRecord(connection, name, record, times)) return { record, before: undefined }
      const row = await findRecord(connection, name)
      if (!row) throw new Error('a record of an idempotency key vanished in the transaction that met it')
      const wanted = row.content_digest === name.contentDigest && row.sealed_answer === null
      const from = row.holder === null ? row : silent
      if (!wanted || from?.id !== row.id) return { row }
      if (!(await takeRecord(connection, from, record.holder, times.expiresAt))) return { row }
      const before: IdempotentRun['before'] = row.holder === null ? 'given-up' : 'taken-over'
      return { record: { ...record, id: row.id }, before }
    })
    return entered.row ? { row: entered.row } : { turn: this.turn(entered.record, entered.before) }
  }

  private turn(record: HeldRecord, before: IdempotentRun['before']): IdempotentTurn {
    this.held.add(record)
    return {
      run: new IdempotentRun(record.id, before),
      finish: (answer) => this.ending(record, () => this.finish(record, answer)),
      giveUp: () => this.ending(record, () => this.giveUp(record)),
    }
  }

  /** Whatever comes of it: this process does not work on the request any more, and must not say so. */
  private async ending<T>(record: HeldRecord, end: () => Promise<T>): Promise<T> {
    try {
      return await end()
    } finally {
      this.held.remove(record)
      this.watch.wake(record.id)
    }
  }

  private async finish(record: HeldRecord, answer: IdempotentAnswer): Promise<'kept' | 'too-large' | 'lost'> {
    const text = `${answer.status} ${answer.body}`
    if (Buffer.byteLength(answer.body) > this.options.maxAnswerBytes) {
      return (await this.giveUp(record)) === 'lost' ? 'lost' : 'too-large'
    }
    const { account, id } = record
    if ((await this.options.quotas?.hasRoomFor(account, Buffer.byteLength(text))) === false) {
      return (await this.giveUp(record)) === 'lost' ? 'lost' : 'too-large'
    }
    const stored = await this.database.write(
      async (connection: Connection) => {
        const sealed = await this.texts.seal(connection, text, contextOf(account, id))
        return storeAnswer(connection, record, sealed, this.expiry())
      },
      { lane: `answers of ${account}` },
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
    const text = this.envelope.open(sealed, contextOf(account, id))
    const end = text.indexOf(' ')
    return { status: Number(text.slice(0, end)), body: text.slice(end + 1) }
  }

  private async lookAgain({ id }: RecordRow): Promise<RecordRow | undefined> {
    const [row] = await this.database.query<RecordRow>(
      sql`SELECT id, account_id, content_digest, holder, beats, NULL AS sealed_answer FROM idempotency_record
        WHERE id = ${id}`,
    )
    return row && { ...row, beats: Number(row.beats) }
  }

  private now(): Date {
    return this.options.clock?.() ?? new Date()
  }

  private expiry(): string {
    return new Date(this.now().getTime() + this.options.keepHours * 3_600_000).toISOString()
  }

  private async start(): Promise<void> {
    await this.texts.verify()
    const sweep = () => {
      // What cannot be deleted now is deleted later.
      this.sweeping = this.sweep().catch(() => undefined)
    }
    this.timer = outsideOfRequests(() => setInterval(sweep, SWEEP_EVERY_MS)).unref()
  }

  private async stop(): Promise<void> {
    clearInterval(this.timer)
    this.held.stop()
    await this.sweeping
  }

  private async check(): Promise<CheckResult[]> {
    const name = 'idempotency'
    try {
      await this.database.probe(sql`SELECT id FROM idempotency_record WHERE id = ${''}`)
      return [{ name, ok: true }]
    } catch {
      return [{ name, ok: false, message: 'its table cannot be read from the database' }]
    }
  }
}

/** Keys may be guessed where their clients count; what the request says cannot be, even by who has the database. */
const nameOf = ({ accountId, key, content }: IdempotentRequest): RecordName => ({
  account: accountId,
  keyDigest: createHash('sha256').update(key).digest('hex'),
  contentDigest: createHmac('sha256', key).update(content).digest('hex'),
})

const contextOf = (account: string, id: string) => ['answer of a request', account, id]

const COLUMN = {
  name: 'answers of requests',
  table: sql`idempotency_record`,
  sealed: sql`sealed_answer`,
  id: sql`id`,
  joined: sql`idempotency_record`,
  context: sql`idempotency_record.account_id, idempotency_record.id`,
  contextOf: ({ account_id: account, id }: AnsweredRow) => contextOf(account, id),
  check: {
    table: sql`secret_check`,
    id: 'answers',
    text: 'the secret fits',
    context: ['secret check', 'answers'],
  },
}
