import { createHmac, randomBytes } from 'node:crypto'
import type { KeyEnvelope } from '@vidimus/core-types'
import {
  homeOf,
  inAccount,
  SealedTexts,
  sql,
  type Connection,
  type Database,
  type SealedColumn,
} from '@vidimus/database'

const KEY_BYTES = 32

interface OwnerRow {
  account_id: string
}

const COLUMN: SealedColumn<OwnerRow> = {
  name: 'keys of registers of credentials',
  table: sql`"credential_register_key"`,
  sealed: sql`"sealed_key"`,
  id: [sql`"account_id"`, sql`"home"`],
  joined: sql`"credential_register_key"`,
  context: sql`"credential_register_key"."account_id"`,
  contextOf: ({ account_id: account }) => registerKeyContext(account),
  check: {
    table: sql`"status_list_secret_check"`,
    id: 'register-keys',
    text: 'the secret fits',
    context: ['secret check', 'register-keys'],
  },
}

/**
 * The keys for hashing the ids of an account's credentials: a random key for each account, sealed at rest. The hashes
 * stay valid when the secret of the installation is replaced, and the rows alone do not allow guessed ids to be
 * confirmed.
 */
export class RegisterKeys {
  readonly texts: SealedTexts<OwnerRow>

  constructor(
    private readonly database: Database,
    private readonly envelope: KeyEnvelope,
  ) {
    this.texts = new SealedTexts(database, envelope, COLUMN)
  }

  /** @returns `undefined` if the account has not registered anything yet */
  async hash(credentialId: string, account: string): Promise<string | undefined> {
    const key = await this.find(this.database, account)
    return key && credentialHash(credentialId, key)
  }

  /** As {@link hash}; empty if the account has not registered anything yet. */
  async knownHashes(credentialIds: readonly string[], account: string): Promise<string[]> {
    const key = await this.find(this.database, account)
    return key ? credentialIds.map((id) => credentialHash(id, key)) : []
  }

  /**
   * Must run in a transaction that registers credentials; creates the account's key if it has none.
   *
   * @throws AgentError `wrong_secret`
   */
  async hashes(ids: readonly string[], account: string, connection: Connection): Promise<string[]> {
    const key = (await this.find(connection, account)) ?? (await this.create(connection, account))
    return ids.map((id) => credentialHash(id, key))
  }

  private async find(reader: Pick<Connection, 'query'>, account: string): Promise<Buffer | undefined> {
    const [row] = await reader.query<{ sealed_key: string }>(
      sql`SELECT "sealed_key" FROM "credential_register_key"
        WHERE ${inAccount(account)}`,
    )
    return row && Buffer.from(this.envelope.open(row.sealed_key, registerKeyContext(account)), 'hex')
  }

  private async create(connection: Connection, account: string): Promise<Buffer> {
    const key = randomBytes(KEY_BYTES)
    const sealed = await this.texts.seal(connection, key.toString('hex'), registerKeyContext(account))
    await connection.run(sql`INSERT INTO "credential_register_key" ("account_id", "home", "sealed_key")
      VALUES (${account}, ${homeOf(account)}, ${sealed}) ON CONFLICT ("account_id", "home") DO NOTHING`)
    // Another process may have stored another key first.
    const found = await this.find(connection, account)
    if (!found) throw new Error('the key of a register vanished in its own transaction')
    return found
  }
}

const registerKeyContext = (account: string): string[] => ['key of a register of credentials', account]

const credentialHash = (credentialId: string, key: Buffer): string =>
  createHmac('sha256', key).update(credentialId, 'utf8').digest('base64url')
