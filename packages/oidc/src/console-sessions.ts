import { createHash, randomBytes } from 'node:crypto'
import {
  grantIdOfToken,
  SESSION_PREFIX,
  type AccountRows,
  type ApiKeyGrant,
  type AuthenticatedAccount,
  type Network,
  type TokenHolder,
} from '@vidimus/core-types'
import { sql, TableOfAccounts, type Database } from '@vidimus/database'

const LIFE_MS = 12 * 60 * 60 * 1000
const IDLE_MS = 30 * 60 * 1000
/** The last use is written this often at most. */
const BETWEEN_WRITES_MS = 60_000
const FORM = new RegExp(`^${SESSION_PREFIX}[\\w-]{43}$`)

interface SessionRow {
  id: string
  name: string
  createdAt: string
  kms: string | null
  issuer: string
  subject: string
  scopes: string | null
  networks: string | null
  created_at: string
  used_at: string
}

/** A session as it is used: whose it is, and what it may do. */
export interface ConsoleSession {
  account: Omit<AuthenticatedAccount, 'grant'>
  holder: TokenHolder
  grant: ApiKeyGrant
}

/**
 * Who is signed in to the console. Sessions are in the database, so that they hold over several processes and restarts;
 * only the hash of what the browser holds is stored.
 */
export class ConsoleSessions {
  readonly accountRows: readonly AccountRows[]

  constructor(
    private readonly database: Database,
    private readonly now: () => Date,
  ) {
    this.accountRows = [
      new TableOfAccounts(database, {
        name: 'sessions of the console',
        table: 'console_session',
        id: ['hash'],
      }),
    ]
  }

  /** @returns what the browser keeps */
  async begin(
    accountId: string,
    holder: TokenHolder,
    limits: Pick<ApiKeyGrant, 'scopes' | 'networks'>,
  ): Promise<string> {
    const session = SESSION_PREFIX + randomBytes(32).toString('base64url')
    const now = this.now().toISOString()
    await this.database.write(async (connection) => {
      // Those that have ended are of no use to anybody.
      await connection.run(
        sql`DELETE FROM console_session WHERE used_at < ${this.before(IDLE_MS)} OR created_at < ${this.before(LIFE_MS)}`.changing(),
      )
      await connection.run(
        sql`INSERT INTO console_session (hash, account_id, issuer, subject, scopes, networks, created_at, used_at)
          VALUES (${hashOf(session)}, ${accountId}, ${holder.issuer}, ${holder.subject}, ${listText(limits.scopes)},
            ${listText(limits.networks)}, ${now}, ${now})`.changing(),
      )
    })
    return session
  }

  /** @param session - untrusted */
  async find(session: string): Promise<ConsoleSession | undefined> {
    if (!FORM.test(session)) return undefined
    const hash = hashOf(session)
    const [row] = await this.database.query<SessionRow>(
      sql`SELECT a.id, a.name, a.created_at AS "createdAt", a.kms, s.issuer, s.subject, s.scopes, s.networks, s.created_at,
          s.used_at
        FROM console_session s JOIN account a ON a.id = s.account_id
        WHERE s.hash = ${hash} AND a.disabled_at IS NULL
          AND s.used_at >= ${this.before(IDLE_MS)} AND s.created_at >= ${this.before(LIFE_MS)}`,
    )
    if (!row) return undefined
    await this.noteUse(hash, row)
    return toSession(row)
  }

  async end(session: string): Promise<void> {
    await this.database.write((connection) =>
      connection.run(sql`DELETE FROM console_session WHERE hash = ${hashOf(session)}`.changing()),
    )
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

  private before(ms: number): string {
    return new Date(this.now().getTime() - ms).toISOString()
  }
}

function toSession({
  issuer,
  subject,
  scopes,
  networks,
  created_at: begunAt,
  ...row
}: SessionRow): ConsoleSession {
  const { id, name, createdAt, kms } = row
  const holder = { issuer, subject }
  return {
    account: { id, name, createdAt, ...(kms !== null && { kms }) },
    holder,
    grant: {
      id: grantIdOfToken(holder),
      ...(scopes !== null && { scopes: JSON.parse(scopes) as string[] }),
      ...(networks !== null && { networks: JSON.parse(networks) as Network[] }),
      expiresAt: new Date(Date.parse(begunAt) + LIFE_MS).toISOString(),
    },
  }
}

/** It has 256 random bits: a slow hash would protect it no better. */
const hashOf = (session: string): string => createHash('sha256').update(session).digest('hex')

const listText = (list: readonly string[] | undefined): string | null =>
  list === undefined ? null : JSON.stringify(list)
