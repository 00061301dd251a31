import type { AbstractSecretBox } from '@veramo/key-manager'
import { AgentError, type KeyEnvelope } from '@vidimus/core-types'
import { openUnder, SealedTexts, sql, type Connection, type SealedColumn, type Sql } from '@vidimus/database'
import { isKeyType, publicKeysOfPrivateKey } from '@vidimus/verification-methods'
import type { UnitOfWork } from './unit-of-work.js'

/** Longest private key that Veramo stores in clear, in hex: seed and public key of Ed25519. SecretBox adds to that. */
const LONGEST_CLEAR = 128

/** Looked for at once. */
const RENAMED_TOGETHER = 200

interface ForeignRow {
  home: number
  account_id: string
  alias: string
  stored_alias: string
  type: string
  privateKeyHex: string
}

/** The context for which a private key is sealed. */
export interface KeyOwner {
  account: string
  alias: string
  type: string
}

interface OwnerRow {
  account_id: string | null
  owner_alias: string | null
  key_type: string
}

const COLUMN: SealedColumn<OwnerRow> = {
  name: 'private keys',
  table: sql`"private-key"`,
  sealed: sql`"privateKeyHex"`,
  id: [sql`"home"`, sql`"alias"`],
  // Also those that went with a creation that was undone: they may come back.
  joined: sql`"private-key"
    LEFT JOIN account_private_key a ON a.home = "private-key"."home" AND a.stored_alias = "private-key"."alias"
    LEFT JOIN undone_private_key u ON u.home = "private-key"."home" AND u.stored_alias = "private-key"."alias"`,
  context: sql`COALESCE(a.account_id, u.account_id) AS "account_id",
    COALESCE(a.sealed_as, a.alias, u.alias) AS "owner_alias", "private-key"."type" AS "key_type"`,
  contextOf: (row) => sealContexts(row)?.[0],
  earlierContextOf: (row) => sealContexts(row)?.[1],
  check: {
    table: sql`secret_check`,
    id: 'private-keys',
    text: 'the secret fits',
    context: ['secret check'],
  },
}

/** The form of private keys in the database: sealed by the envelope, or still as Veramo's own store left them. */
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
      olderTransactionsEnd: () => unit.olderTransactionsEnd(),
    }
    this.texts = new SealedTexts(database, envelope, COLUMN)
  }

  /**
   * Seals a private key for the transaction that stores it.
   *
   * @throws AgentError `wrong_secret`
   */
  close(connection: Connection, owner: KeyOwner, privateKeyHex: string): Promise<string> {
    const [context] = contextsOfKey(owner)
    return this.texts.seal(connection, privateKeyHex, context)
  }

  /**
   * @param publicKeyHex - as the key is shown; `null` if it is not
   * @throws AgentError `wrong_secret`, also for an unsealed key, which is only accepted when adopting a database, and
   *   for one that does not belong to its public half
   */
  open(owner: KeyOwner, stored: string, publicKeyHex: string | null): string {
    if (!this.envelope.isSealed(stored)) {
      throw new AgentError(
        'wrong_secret',
        `the private key of "${owner.alias}" is not encrypted, so it is refused`,
      )
    }
    const privateKeyHex = openUnder(this.envelope, stored, contextsOfKey(owner))
    if (publicKeyHex === null || isPublicHalf(owner.type, privateKeyHex, publicKeyHex)) return privateKeyHex
    throw new AgentError('wrong_secret', `the public key of "${owner.alias}" does not match its private key`)
  }

  /**
   * Checks that the secret is the one that sealed the stored keys. If nothing was sealed yet, it seals what Veramo's
   * own store left: later, an unsealed key is not ours. Keys renamed since they were sealed are re-sealed.
   *
   * @throws AgentError `wrong_secret`
   */
  async verify(): Promise<void> {
    await this.texts.verify(() => this.sealForeignRows())
    await this.sealRenamedRows()
  }

  /** Only here does a text open under another name than that of its row. */
  private async sealRenamedRows(): Promise<void> {
    for (let after = ''; ;) {
      const renamed = await this.unit.query<{ home: number; stored_alias: string; sealed_as: string }>(
        sql`SELECT home, stored_alias, sealed_as FROM account_private_key
          WHERE sealed_as IS NOT NULL AND stored_alias > ${after} ORDER BY stored_alias LIMIT ${RENAMED_TOGETHER}`,
      )
      for (const { home, stored_alias: stored, sealed_as: alias } of renamed) {
        after = stored
        const [row] = await this.unit.query<ForeignRow>(
          sql`SELECT a.home, a.account_id, a.alias, a.stored_alias, p.type, p."privateKeyHex" FROM account_private_key a
            JOIN "private-key" p ON p.home = a.home AND p.alias = a.stored_alias
            WHERE a.home = ${home} AND a.stored_alias = ${stored}`,
        )
        if (row?.privateKeyHex.includes('.')) await this.sealRenamed(row, alias)
      }
      if (renamed.length < RENAMED_TOGETHER) return
    }
  }

  private async sealRenamed(row: ForeignRow, alias: string): Promise<void> {
    const clear = this.open({ account: row.account_id, alias, type: row.type }, row.privateKeyHex, null)
    await this.unit.transaction(({ connection }) => this.sealAnew(connection, row, clear))
  }

  private async sealForeignRows(): Promise<void> {
    // Hex has no dot, a sealed text always has.
    const rows = await this.unit.query<ForeignRow>(
      sql`SELECT a.home, a.account_id, a.alias, a.stored_alias, p.type, p."privateKeyHex" FROM "private-key" p
        JOIN account_private_key a ON a.home = p.home AND a.stored_alias = p.alias WHERE p."privateKeyHex" NOT LIKE '%.%'`,
    )
    // All are opened before the first is written: a wrong SecretBox leaves everything as it is.
    const opened: { row: ForeignRow; clear: string }[] = []
    for (const row of rows) {
      const { privateKeyHex: stored } = row
      opened.push({ row, clear: stored.length <= LONGEST_CLEAR ? stored : await this.openLegacy(stored) })
    }
    // One transaction, with the note of the secret: a start that is cut short leaves no key behind.
    await this.unit.transaction(async ({ connection }) => {
      for (const { row, clear } of opened) await this.sealAnew(connection, row, clear)
    })
  }

  /** Only if it is still the same: another process may have done it. */
  private async sealAnew(connection: Connection, row: ForeignRow, clear: string): Promise<void> {
    const sealed = await this.close(connection, { ...row, account: row.account_id }, clear)
    await connection.run(
      sql`UPDATE "private-key" SET "privateKeyHex" = ${sealed}
        WHERE home = ${row.home} AND alias = ${row.stored_alias} AND "privateKeyHex" = ${row.privateKeyHex}`,
    )
    await connection.run(
      sql`UPDATE account_private_key SET sealed_as = NULL
        WHERE home = ${row.home} AND stored_alias = ${row.stored_alias}`,
    )
  }

  private async openLegacy(stored: string): Promise<string> {
    if (!this.legacySecretBox) {
      throw new AgentError(
        'wrong_secret',
        "the database has private keys encrypted by Veramo's SecretBox; pass that SecretBox (with its " +
          'dbEncryptionKey) to AccountPrivateKeyStore as legacySecretBox, for one start at least',
      )
    }
    const clear = await this.legacySecretBox.decrypt(stored).catch((cause: unknown) => {
      throw legacyDoesNotFit(cause)
    })
    // Its response to a wrong key.
    if (clear === '') throw legacyDoesNotFit()
    return clear
  }
}

/** The context of a key, and the one that an earlier version, which omitted the type, used. */
const contextsOfKey = ({ account, alias, type }: KeyOwner): [string[], string[]] => [
  [account, alias, type],
  [account, alias],
]

const sealContexts = ({ account_id: account, owner_alias: alias, key_type: type }: OwnerRow) =>
  account === null || alias === null ? undefined : contextsOfKey({ account, alias, type })

/** Keys of types whose public half nothing here can derive are believed. */
function isPublicHalf(type: string, privateKeyHex: string, publicKeyHex: string): boolean {
  if (!isKeyType(type)) return true
  const seed = Buffer.from(privateKeyHex.slice(0, 64), 'hex')
  return publicKeysOfPrivateKey(type, seed).includes(publicKeyHex.toLowerCase())
}

const legacyDoesNotFit = (cause?: unknown) =>
  new AgentError(
    'wrong_secret',
    'legacySecretBox does not decrypt the private keys in the database: its dbEncryptionKey is wrong',
    { cause },
  )
