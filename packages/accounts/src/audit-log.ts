import { randomUUID } from 'node:crypto'
import {
  AgentError,
  currentActor,
  log,
  parseOptions,
  type Account,
  type AuditActor,
  type AuditEntry,
  type AuditTrail,
  type CheckResult,
  type HasLifecycle,
  checkArguments,
  placeText,
  pointInTime,
  readPage,
  readPlace,
  type AuditedEvent,
  type NextPage,
} from '@vidimus/core-types'
import {
  type Connection,
  type Database,
  DeferredRows,
  requireDatabase,
  sql,
  joinSql,
  readRows,
  type Listing,
  type Sql,
} from '@vidimus/database'
import { z } from 'zod'
import { accountAuditMethods } from '@vidimus/core-types/schemas/audit'
import { AuditCounts } from './audit-counts.js'
import {
  insertAuditRow,
  selectAuditEvents,
  toAuditEvents,
  type AuditEvent,
  type AuditQuery,
  type AuditRow,
  type StoredAuditRow,
  IN_ACCOUNT,
  toAuditEvent,
} from './audit-rows.js'
import { invalidInput, isoTime } from './checked-text.js'

export const Options = z.strictObject({
  clock: z.custom<() => Date>((value) => typeof value === 'function', 'must be a function').optional(),
})

export interface AuditLogOptions {
  /** what time it is; default: the system's clock */
  clock?: () => Date
}

/** If the database cannot be written, the log of the service has the event. */
function tellInstead({ entry, actor, occurrences }: AuditRow): Promise<void> {
  log('info', 'audit', { ...entry, ...actor, occurrences })
  return Promise.resolve()
}

/** Events that wait for a database that cannot be written to; what comes beyond them is lost, and counted. */
const MOST_WAITING = 10_000
const MOST_READ = 100_000

/** The audit trail in the table `audit_event`, to which rows are added and nothing else. */
export class AuditLog implements AuditTrail, HasLifecycle {
  readonly lifecycle = {
    check: () => this.check(),
    stop: () => this.stop(),
  }

  private readonly clock: () => Date
  private readonly counts: AuditCounts
  private readonly rows: DeferredRows<AuditRow>
  private lost = 0
  /** of this process: ids of requests may be chosen by callers */
  private readonly origin = randomUUID()
  private number = 0

  /** @throws AgentError `invalid_configuration` */
  constructor(
    private readonly database: Database,
    options: AuditLogOptions = {},
  ) {
    requireDatabase(database)
    this.clock = parseOptions(Options, options).clock ?? (() => new Date())
    this.rows = new DeferredRows(database, insertAuditRow)
    this.counts = new AuditCounts((row) => void this.write(row), this.clock)
  }

  record(entry: AuditEntry, actor: AuditActor = currentActor()): Promise<void> {
    return this.write({ entry, actor, time: this.clock().toISOString(), occurrences: 1 })
  }

  async recordFirst(entry: AuditEntry, actor: AuditActor = currentActor()): Promise<void> {
    const row = { entry, actor, time: this.clock().toISOString(), occurrences: 1 }
    if (this.database.isReadOnly) return tellInstead(row)
    if (await this.rows.store({ ...row, identity: this.nextIdentity() })) return
    throw new AgentError(
      'unavailable',
      'this cannot be recorded in the audit trail at the moment, so its result is not handed out; try again',
    )
  }

  /** Writes an event in a transaction that is running, of which it becomes a part. */
  recordWithin(connection: Connection, entry: AuditEntry, actor: AuditActor): Promise<void> {
    return insertAuditRow(connection, { entry, actor, time: this.clock().toISOString(), occurrences: 1 })
  }

  count(entry: AuditEntry, actor: AuditActor = currentActor()): void {
    this.counts.add(entry, actor)
  }

  /**
   * The newest events that fit, oldest of them first.
   *
   * @throws AgentError `invalid_input` for a malformed time or limit
   */
  async list(query: AuditQuery = {}): Promise<AuditEvent[]> {
    const { limit = 100 } = query
    if (!Number.isInteger(limit) || limit < 1 || limit > MOST_READ) {
      throw invalidInput('limit', `must be a whole number from 1 to ${MOST_READ}`)
    }
    const since = query.since === undefined ? {} : { since: isoTime(query.since, 'since') }
    const accountId = await this.findAccountId(query.account)
    if (accountId === null) return []
    const rows = await this.database.query<StoredAuditRow>(
      selectAuditEvents({ ...query, ...since, limit }, accountId),
    )
    return toAuditEvents(rows)
  }

  /**
   * A page of what concerns one account, newest first.
   *
   * @throws AgentError `invalid_input`
   */
  async page(account: Account, query: AuditPageQuery): Promise<AuditPage> {
    await this.rows.flush()
    return readAuditPage(this.database, account.id, query)
  }

  /** @returns `null` if there is no such account */
  private async findAccountId(name: string | undefined): Promise<string | undefined | null> {
    if (name === undefined) return undefined
    const [row] = await this.database.query<{ id: string }>(sql`SELECT id FROM account WHERE name = ${name}`)
    return row?.id ?? null
  }

  private write(row: AuditRow): Promise<void> {
    if (this.database.isReadOnly) return tellInstead(row)
    if (this.rows.length < MOST_WAITING) return this.rows.add({ ...row, identity: this.nextIdentity() })
    this.lost += 1
    return this.rows.flush()
  }

  private nextIdentity() {
    return { origin: this.origin, number: ++this.number }
  }

  private async stop(): Promise<void> {
    this.counts.close()
    await this.rows.flush()
  }

  private async check(): Promise<CheckResult[]> {
    await this.rows.flush()
    if (!this.rows.failing && this.lost === 0) return [{ name: 'audit trail', ok: true }]
    const message = `${this.rows.length} events have not been written yet, ${this.lost} are lost`
    return [{ name: 'audit trail', ok: !this.rows.failing, message }]
  }
}

const { accountAuditList } = accountAuditMethods

type AuditPageQuery = z.input<typeof accountAuditList.arguments>
type AuditPage = { entries: AuditedEvent[] } & NextPage

/**
 * In the order of the index of an account. A filter looks at a limited number of rows for each page.
 *
 * @throws AgentError `invalid_input` with every problem
 */
async function readAuditPage(
  database: Pick<Database, 'query'>,
  accountId: string,
  query: AuditPageQuery,
): Promise<AuditPage> {
  const { limit, after, ...search } = checkArguments(accountAuditList.arguments, query)
  const range = readPage({ ...(limit !== undefined && { limit }), ...(after !== undefined && { after }) })
  const listing: Listing<StoredAuditRow, AuditedEvent> = {
    rows: (place) =>
      sql`SELECT e.sequence, e.time, e.event, e.outcome, e.account_id, NULL AS account, e.api_key_id, e.token_issuer,
          e.token_subject, e.address, e.request_id, e.subject, e.detail, e.occurrences
        FROM audit_event e WHERE e.account_id = ${accountId}
          ${place === undefined ? sql`` : sql`AND ${IN_ACCOUNT} < ${sequenceOf(place)}`}
        ORDER BY ${IN_ACCOUNT} DESC`,
    filter: filterOf(search),
    placeOf: ({ sequence }) => placeText([String(sequence)]),
    toItem: toAuditedEvent,
  }
  const { items: entries, ...next } = await readRows(database, listing, range)
  return { entries, ...next }
}

/** @throws AgentError `invalid_input` */
function sequenceOf(place: string): number {
  const sequence = Number(readPlace(place, 1)[0])
  // What is no number is no place that was given out, and nothing comes after it.
  return Number.isSafeInteger(sequence) ? sequence : 0
}

type Search = Omit<z.output<typeof accountAuditList.arguments>, 'limit' | 'after'>

function filterOf({
  since,
  until,
  event,
  outcome,
  apiKeyId,
  tokenSubject,
  subject,
}: Search): Sql | undefined {
  const conditions = [
    ...(since === undefined ? [] : [sql`w.time >= ${pointInTime(since) ?? since}`]),
    ...(until === undefined ? [] : [sql`w.time < ${pointInTime(until) ?? until}`]),
    ...(event === undefined ? [] : [sql`w.event = ${event}`]),
    ...(outcome === undefined ? [] : [sql`w.outcome = ${outcome}`]),
    ...(apiKeyId === undefined ? [] : [sql`w.api_key_id = ${apiKeyId}`]),
    ...(tokenSubject === undefined ? [] : [sql`w.token_subject = ${tokenSubject}`]),
    ...(subject === undefined ? [] : [sql`w.subject = ${subject}`]),
  ]
  return conditions.length === 0 ? undefined : joinSql(conditions, ' AND ')
}

/** The account knows itself, and needs no number of its own. */
function toAuditedEvent(row: StoredAuditRow): AuditedEvent {
  const { sequence, accountId: _id, account: _name, ...event } = toAuditEvent(row)
  return { id: String(sequence), ...event }
}
