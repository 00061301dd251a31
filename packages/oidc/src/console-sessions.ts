import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { insertAuditEvent } from '@vidimus/accounts'
import {
  AgentError,
  placeText,
  readPage,
  readPlace,
  SESSION_PREFIX,
  type Account,
  type AccountRows,
  type AuditActor,
  type SignInOrigin,
  type EndedSessions,
  type KeyEnvelope,
  type NextPage,
  type PageRequest,
  type TokenHolder,
} from '@vidimus/core-types'
import {
  joinSql,
  readRows,
  SealedTexts,
  sql,
  TableOfAccounts,
  type Connection,
  type Database,
  type SealedColumn,
  type Sql,
} from '@vidimus/database'
import type { Claims } from './rules.js'

const LIFE_MS = 12 * 60 * 60 * 1000
const IDLE_MS = 30 * 60 * 1000
/** The last use is written this often at most. */
const BETWEEN_WRITES_MS = 60_000
const FORM = new RegExp(`^${SESSION_PREFIX}[\\w-]{43}$`)
const MOST_CLAIM_BYTES = 8192
const TWO_TRAILS = { spans: 'in the trails of accounts, and in that of the operator' }

interface SessionRow {
  id: string
  account_id: string
  name: string
  account_created_at: string
  kms: string | null
  issuer: string
  subject: string
  sealed_claims: string
  created_at: string
  used_at: string
}

/** A session: whose it is, and the claims that the rules of now are applied to. */
export interface ConsoleSession {
  id: string
  account: Account
  holder: TokenHolder
  claims: Claims
  createdAt: string
  usedAt: string
  endsAt: string
}

const claimsContext = ({ id }: Pick<SessionRow, 'id'>): readonly string[] => ['claims of a session', id]

const CLAIMS: SealedColumn<Pick<SessionRow, 'id'>> = {
  name: 'claims of sessions',
  table: sql`console_session`,
  sealed: sql`sealed_claims`,
  id: [sql`hash`],
  joined: sql`console_session`,
  context: sql`console_session.id`,
  contextOf: claimsContext,
  check: {
    table: sql`console_session_check`,
    id: 'sessions',
    text: 'the secret fits',
    context: ['secret check', 'sessions of the console'],
  },
}

/**
 * Who is signed in to the console. Sessions are in the database, so that they hold over several processes and restarts;
 * only the hash of what the browser holds is stored, and claims are sealed.
 */
export class ConsoleSessions {
  readonly accountRows: readonly AccountRows[]
  readonly texts: SealedTexts<Pick<SessionRow, 'id'>>

  constructor(
    private readonly database: Database,
    private readonly envelope: KeyEnvelope,
    private readonly now: () => Date,
  ) {
    this.accountRows = [
      new TableOfAccounts(database, {
        name: 'sessions of the console',
        table: 'console_session',
        id: ['hash'],
      }),
    ]
    this.texts = new SealedTexts(database, envelope, CLAIMS)
  }

  /**
   * @returns what the browser keeps
   * @throws AgentError `unauthenticated` for claims that are too long to be kept
   */
  async begin(
    accountId: string,
    holder: TokenHolder,
    claims: Claims,
    { provider, origin }: { provider: string; origin: SignInOrigin },
  ): Promise<string> {
    const text = JSON.stringify(claims)
    if (Buffer.byteLength(text) > MOST_CLAIM_BYTES) {
      const message = `the identity provider sends claims of more than ${MOST_CLAIM_BYTES} bytes`
      throw new AgentError('unauthenticated', message)
    }
    const session = SESSION_PREFIX + randomBytes(32).toString('base64url')
    const [id, now] = [randomUUID(), this.now().toISOString()]
    await this.database.write(async (connection) => {
      // Those that have ended are of no use to anybody.
      await connection.run(sql`DELETE FROM console_session WHERE NOT ${this.isCurrent()}`.changing())
      const sealed = await this.texts.seal(connection, text, claimsContext({ id }))
      await connection.run(
        sql`INSERT INTO console_session (hash, id, account_id, issuer, subject, sealed_claims, created_at, used_at)
          VALUES (${hashOf(session)}, ${id}, ${accountId}, ${holder.issuer}, ${holder.subject}, ${sealed}, ${now},
            ${now})`.changing(),
      )
      const actor = actorOf({ account_id: accountId, ...holder }, origin)
      await insertAuditEvent(connection, { event: 'signed-in', subject: id, detail: provider }, actor, now)
    }, TWO_TRAILS)
    return session
  }

  /** @param session - untrusted */
  async find(session: string): Promise<ConsoleSession | undefined> {
    if (!FORM.test(session)) return undefined
    const hash = hashOf(session)
    const [row] = await this.database.query<SessionRow>(
      selectSessions(sql`WHERE s.hash = ${hash} AND a.disabled_at IS NULL AND ${this.isCurrent(sql`s.`)}`),
    )
    if (!row) return undefined
    await this.noteUse(hash, row)
    return this.read(row)
  }

  /** Newest first. @throws AgentError `invalid_input` */
  async page({
    account,
    ...request
  }: PageRequest & { account?: string }): Promise<{ sessions: ConsoleSession[] } & NextPage> {
    const ofAccount = account === undefined ? sql`` : sql`AND a.name = ${account}`
    const { items: sessions, ...rest } = await readRows(
      this.database,
      {
        rows: (after: string | undefined) =>
          selectSessions(sql`WHERE ${this.isCurrent(sql`s.`)} ${ofAccount}
            ${after === undefined ? sql`` : sql`AND (s.created_at, s.id) < (${joinSql(readPlace(after, 2))})`}
            ORDER BY s.created_at DESC, s.id DESC`),
        placeOf: ({ created_at: createdAt, id }: SessionRow) => placeText([createdAt, id]),
        toItem: (row: SessionRow) => this.read(row),
      },
      readPage(request),
    )
    return { sessions, ...rest }
  }

  /** Signs somebody out. */
  async end(session: string, provider: string, origin: SignInOrigin): Promise<void> {
    await this.endAll(sql`s.hash = ${hashOf(session)}`, async (connection, row, now) => {
      const entry = { event: 'signed-out', subject: row.id, detail: provider } as const
      await insertAuditEvent(connection, entry, actorOf(row, origin), now)
    })
  }

  /** @returns how many there were. @throws AgentError `invalid_input` */
  async endBy({ id, issuer, subject }: EndedSessions, operator?: AuditActor): Promise<number> {
    const given = [
      ...(id === undefined ? [] : [sql`s.id = ${id}`]),
      ...(issuer === undefined ? [] : [sql`s.issuer = ${issuer}`]),
      ...(subject === undefined ? [] : [sql`s.subject = ${subject}`]),
    ]
    const [which] = given
    if (!which || given.length > 1)
      throw new AgentError('invalid_input', 'which sessions? the id of one, an issuer or a subject')
    return this.endAll(which, async (connection, row, now) => {
      const entry = { event: 'session-ended', subject: row.id, detail: row.issuer } as const
      await insertAuditEvent(connection, entry, { accountId: row.account_id }, now)
      if (operator) await insertAuditEvent(connection, entry, operator, now)
    })
  }

  private endAll(
    which: Sql,
    audit: (connection: Connection, row: SessionRow, now: string) => Promise<void>,
  ): Promise<number> {
    const now = this.now().toISOString()
    return this.database.write(async (connection) => {
      const rows = await connection.query<SessionRow>(selectSessions(sql`WHERE ${which} ORDER BY s.id`))
      for (const row of rows) {
        await connection.run(sql`DELETE FROM console_session WHERE id = ${row.id}`.changing())
        await audit(connection, row, now)
      }
      return rows.length
    }, TWO_TRAILS)
  }

  private async noteUse(hash: string, { used_at: usedAt }: SessionRow): Promise<void> {
    if (this.database.isReadOnly || usedAt > this.before(BETWEEN_WRITES_MS)) return
    const now = this.now().toISOString()
    await this.database.write((connection) =>
      connection.run(
        sql`UPDATE console_session SET used_at = ${now} WHERE hash = ${hash} AND used_at < ${now}`.changing(),
      ),
    )
  }

  private read(row: SessionRow): ConsoleSession {
    const {
      id,
      account_id: accountId,
      name,
      account_created_at: accountCreatedAt,
      kms,
      issuer,
      subject,
    } = row
    return {
      id,
      account: { id: accountId, name, createdAt: accountCreatedAt, ...(kms !== null && { kms }) },
      holder: { issuer, subject },
      claims: JSON.parse(this.envelope.open(row.sealed_claims, claimsContext(row))) as Claims,
      createdAt: row.created_at,
      usedAt: row.used_at,
      endsAt: new Date(Date.parse(row.created_at) + LIFE_MS).toISOString(),
    }
  }

  /** @param prefix - of its columns */
  private isCurrent(prefix: Sql = sql``): Sql {
    return sql`(${prefix}used_at >= ${this.before(IDLE_MS)} AND ${prefix}created_at >= ${this.before(LIFE_MS)})`
  }

  private before(ms: number): string {
    return new Date(this.now().getTime() - ms).toISOString()
  }
}

/** @param rest - conditions on `s`, the session, and `a`, its account; and the order */
const selectSessions = (rest: Sql): Sql =>
  sql`SELECT s.id, s.account_id, a.name, a.created_at AS account_created_at, a.kms, s.issuer, s.subject, s.sealed_claims,
      s.created_at, s.used_at
    FROM console_session s JOIN account a ON a.id = s.account_id ${rest}`

/** As rows of tokens name their holder. */
const actorOf = (
  { account_id: accountId, issuer, subject }: Pick<SessionRow, 'account_id' | 'issuer' | 'subject'>,
  { address, requestId }: SignInOrigin,
): AuditActor => ({
  accountId,
  issuer,
  tokenSubject: subject,
  ...(address !== undefined && { address }),
  ...(requestId !== undefined && { requestId }),
})

/** It has 256 random bits: a slow hash would protect it no better. */
const hashOf = (session: string): string => createHash('sha256').update(session).digest('hex')
