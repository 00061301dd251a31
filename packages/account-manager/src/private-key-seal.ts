import type { AbstractSecretBox } from '@veramo/key-manager'
import { AgentError, type KeyEnvelope } from '@vidimus/core-types'
import { sql } from '@vidimus/database'
import type { UnitOfWork } from './unit-of-work.js'

const CHECK = { id: 'private-keys', text: 'the secret fits', context: ['secret check'] }

/** Longest private key that Veramo stores in clear, in hex: seed and public key of Ed25519. SecretBox adds to that. */
const LONGEST_CLEAR = 128

const RESEALED_TOGETHER = 200

interface ForeignRow {
  account_id: string
  alias: string
  stored_alias: string
  privateKeyHex: string
}

/** How private keys lie in the database: sealed by the envelope, or still as Veramo's own store has left them. */
export class PrivateKeySeal {
  constructor(
    private readonly unit: UnitOfWork,
    private readonly envelope: KeyEnvelope,
    private readonly legacySecretBox: AbstractSecretBox | undefined,
  ) {}

  close(account: string, alias: string, privateKeyHex: string): string {
    return this.envelope.seal(privateKeyHex, [account, alias])
  }

  /** @throws AgentError `wrong_secret` */
  async open(account: string, alias: string, stored: string): Promise<string> {
    if (this.envelope.isSealed(stored)) return this.envelope.open(stored, [account, alias])
    if (stored.length <= LONGEST_CLEAR) return stored
    return this.openLegacy(stored)
  }

  /**
   * Finds out whether the secret is the one that sealed what is stored, and seals what Veramo's own store has left.
   *
   * @throws AgentError `wrong_secret`
   */
  async verify(): Promise<void> {
    const sealed = (await this.readCheck()) ?? (await this.createCheck())
    this.mustFit(sealed, CHECK.context)
    await this.sealForeignRows()
  }

  private async readCheck(): Promise<string | undefined> {
    const [row] = await this.unit.query<{ sealed: string }>(
      sql`SELECT sealed FROM secret_check WHERE id = ${CHECK.id}`,
    )
    return row?.sealed
  }

  private async createCheck(): Promise<string> {
    const sealed = this.envelope.seal(CHECK.text, CHECK.context)
    await this.unit.transaction(({ connection }) =>
      connection.run(
        sql`INSERT INTO secret_check (id, sealed) VALUES (${CHECK.id}, ${sealed}) ON CONFLICT (id) DO NOTHING`,
      ),
    )
    // Another process may have been first, with another secret.
    return (await this.readCheck()) ?? sealed
  }

  private mustFit(sealed: string, context: readonly string[]): void {
    try {
      this.envelope.open(sealed, context)
    } catch (cause) {
      const ids = `they were sealed with the secret "${keyIdOf(sealed)}", the configured one is "${this.envelope.keyId}"`
      throw new AgentError(
        'wrong_secret',
        `the encryption secret does not fit the private keys in the database: ${ids}. ` +
          'Start with the secret (KMS_SECRET_KEY or its file in the data directory) that belongs to this database',
        { cause },
      )
    }
  }

  private async sealForeignRows(): Promise<void> {
    // Hex has no dot, a sealed text always has.
    const rows = await this.unit.query<ForeignRow>(
      sql`SELECT a.account_id, a.alias, a.stored_alias, p."privateKeyHex" FROM "private-key" p
        JOIN account_private_key a ON a.stored_alias = p.alias WHERE p."privateKeyHex" NOT LIKE '%.%'`,
    )
    // All are opened before the first is written: a wrong SecretBox leaves everything as it is.
    const opened: { row: ForeignRow; sealed: string }[] = []
    for (const row of rows) {
      const clear = await this.open(row.account_id, row.alias, row.privateKeyHex)
      opened.push({ row, sealed: this.close(row.account_id, row.alias, clear) })
    }
    for (let n = 0; n < opened.length; n += RESEALED_TOGETHER) {
      await this.unit.transaction(async ({ connection }) => {
        for (const { row, sealed } of opened.slice(n, n + RESEALED_TOGETHER)) {
          await connection.run(
            sql`UPDATE "private-key" SET "privateKeyHex" = ${sealed}
              WHERE alias = ${row.stored_alias} AND "privateKeyHex" = ${row.privateKeyHex}`,
          )
        }
      })
    }
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

const keyIdOf = (sealed: string) => sealed.split('.')[1] ?? ''

const legacyDoesNotFit = (cause?: unknown) =>
  new AgentError(
    'wrong_secret',
    'legacySecretBox does not open the private keys in the database: its key is not the dbEncryptionKey that sealed them',
    { cause },
  )
