import type { AbstractSecretBox } from '@veramo/key-manager'
import { AgentError, type KeyEnvelope } from '@vidimus/core-types'
import { SealedTexts, sql, type Connection, type SealedColumn, type Sql } from '@vidimus/database'
import type { UnitOfWork } from './unit-of-work.js'

/** Longest private key that Veramo stores in clear, in hex: seed and public key of Ed25519. SecretBox adds to that. */
const LONGEST_CLEAR = 128

const RESEALED_TOGETHER = 200

interface ForeignRow {
  account_id: string
  alias: string
  stored_alias: string
  privateKeyHex: string
}

interface OwnerRow {
  account_id: string | null
  owner_alias: string | null
}

const COLUMN: SealedColumn<OwnerRow> = {
  name: 'private keys',
  table: sql`"private-key"`,
  sealed: sql`"privateKeyHex"`,
  id: sql`"alias"`,
  // Also those that went with a creation that was undone: they may come back.
  joined: sql`"private-key" LEFT JOIN account_private_key a ON a.stored_alias = "private-key"."alias"
    LEFT JOIN undone_private_key u ON u.stored_alias = "private-key"."alias"`,
  context: sql`COALESCE(a.account_id, u.account_id) AS "account_id",
    COALESCE(a.sealed_as, a.alias, u.alias) AS "owner_alias"`,
  contextOf: ({ account_id: account, owner_alias: alias }) =>
    account === null || alias === null ? undefined : contextOf(account, alias),
  check: {
    table: sql`secret_check`,
    id: 'private-keys',
    text: 'the secret fits',
    context: ['secret check'],
  },
}

/** How private keys lie in the database: sealed by the envelope, or still as Veramo's own store has left them. */
export class PrivateKeySeal {
  readonly texts: SealedTexts<OwnerRow>

  constructor(
    private readonly unit: UnitOfWork,
    private readonly envelope: KeyEnvelope,
    private readonly legacySecretBox: AbstractSecretBox | undefined,
  ) {
    const database = {
      query: <Row>(statement: Sql) => unit.query<Row>(statement),
      write: <T>(work: (connection: Connection) => Promise<T>) =>
        unit.transaction(({ connection }) => work(connection)),
    }
    this.texts = new SealedTexts(database, envelope, COLUMN)
  }

  /**
   * Seals a private key for the transaction that stores it.
   *
   * @throws AgentError `wrong_secret`
   */
  close(connection: Connection, account: string, alias: string, privateKeyHex: string): Promise<string> {
    return this.texts.seal(connection, privateKeyHex, contextOf(account, alias))
  }

  /** @throws AgentError `wrong_secret` */
  async open(account: string, alias: string, stored: string): Promise<string> {
    if (this.envelope.isSealed(stored)) return this.envelope.open(stored, contextOf(account, alias))
    if (stored.length <= LONGEST_CLEAR) return stored
    return this.openLegacy(stored)
  }

  /**
   * Finds out whether the secret is the one that sealed what is stored, and seals what Veramo's own store has left, and
   * what got another name since it was sealed.
   *
   * @throws AgentError `wrong_secret`
   */
  async verify(): Promise<void> {
    await this.texts.verify()
    await this.sealForeignRows()
    await this.sealRenamedRows()
  }

  /** Only here does a text open under another name than that of its row. */
  private async sealRenamedRows(): Promise<void> {
    const rows = await this.unit.query<ForeignRow & { sealed_as: string }>(
      sql`SELECT a.account_id, a.alias, a.stored_alias, a.sealed_as, p."privateKeyHex" FROM "private-key" p
        JOIN account_private_key a ON a.stored_alias = p.alias WHERE a.sealed_as IS NOT NULL`,
    )
    for (const row of rows) {
      const clear = await this.open(row.account_id, row.sealed_as, row.privateKeyHex)
      await this.unit.transaction(async ({ connection }) => {
        await this.sealAnew(connection, row, clear)
        await connection.run(
          sql`UPDATE account_private_key SET sealed_as = NULL WHERE stored_alias = ${row.stored_alias}`,
        )
      })
    }
  }

  private async sealForeignRows(): Promise<void> {
    // Hex has no dot, a sealed text always has.
    const rows = await this.unit.query<ForeignRow>(
      sql`SELECT a.account_id, a.alias, a.stored_alias, p."privateKeyHex" FROM "private-key" p
        JOIN account_private_key a ON a.stored_alias = p.alias
        WHERE p."privateKeyHex" NOT LIKE '%.%' AND a.sealed_as IS NULL`,
    )
    // All are opened before the first is written: a wrong SecretBox leaves everything as it is.
    const opened: { row: ForeignRow; clear: string }[] = []
    for (const row of rows) {
      opened.push({ row, clear: await this.open(row.account_id, row.alias, row.privateKeyHex) })
    }
    for (let n = 0; n < opened.length; n += RESEALED_TOGETHER) {
      await this.unit.transaction(async ({ connection }) => {
        for (const { row, clear } of opened.slice(n, n + RESEALED_TOGETHER)) {
          await this.sealAnew(connection, row, clear)
        }
      })
    }
  }

  /** Only if it is still the same: another process may have done it. */
  private async sealAnew(connection: Connection, row: ForeignRow, clear: string): Promise<void> {
    const sealed = await this.close(connection, row.account_id, row.alias, clear)
    await connection.run(
      sql`UPDATE "private-key" SET "privateKeyHex" = ${sealed}
        WHERE alias = ${row.stored_alias} AND "privateKeyHex" = ${row.privateKeyHex}`,
    )
  }

  private async openLegacy(stored: string): Promise<string> {
    if (!this.legacySecretBox) {
      throw new AgentError(
        'wrong_secret',
        "the database holds private keys that Veramo's SecretBox sealed; give that SecretBox (with its " +
          'dbEncryptionKey) to AccountPrivateKeyStore as legacySecretBox, for one start at least',
      )
    }
    const clear = await this.legacySecretBox.decrypt(stored).catch((cause: unknown) => {
      throw legacyDoesNotFit(cause)
    })
    // Its answer to a wrong key.
    if (clear === '') throw legacyDoesNotFit()
    return clear
  }
}

const contextOf = (account: string, alias: string) => [account, alias]

const legacyDoesNotFit = (cause?: unknown) =>
  new AgentError(
    'wrong_secret',
    'legacySecretBox does not open the private keys in the database: its key is not the dbEncryptionKey that sealed them',
    { cause },
  )
