import { compareTextByBytes, SealedHeadsMigration, VACUUM_OFTEN } from '@vidimus/database'
import type { QueryRunner } from 'typeorm'

/** The register of credentials that accounts issued with a status entry, and the keys of its hashes. */
export class KeepRegister1796800000580 extends SealedHeadsMigration {
  readonly name = 'KeepRegister1796800000580'
  protected readonly columns = { credential_register_key: 'sealed_key' }

  override async up(queryRunner: QueryRunner): Promise<void> {
    const storage = queryRunner.connection.options.type === 'postgres' ? `WITH (${VACUUM_OFTEN})` : ''
    // A store used on its own has no accounts.
    const account = (await queryRunner.hasTable('account')) ? 'REFERENCES "account" ("id")' : ''
    for (const statement of statements(account, storage)) await queryRunner.query(statement)
    await compareTextByBytes(queryRunner, ['credential_register_key', 'credential_entry'])
    await super.up(queryRunner)
  }

  override async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE "credential_entry"')
    await queryRunner.query('DROP TABLE "credential_register_key"')
  }
}

const statements = (account: string, storage: string): string[] => [
  `CREATE TABLE "credential_register_key" (
    "account_id" TEXT PRIMARY KEY NOT NULL ${account},
    "sealed_key" TEXT NOT NULL
  ) ${storage}`,
  // No reference to "status_list", whose rows are deleted with the account that has the list.
  `CREATE TABLE "credential_entry" (
    "account_id" TEXT NOT NULL ${account},
    "list_id" BIGINT NOT NULL,
    "list_index" BIGINT NOT NULL,
    "credential_hash" TEXT NOT NULL,
    "signing_key_hash" TEXT NOT NULL,
    "status_purpose" TEXT,
    "issued_at" TEXT NOT NULL,
    "expires_at" TEXT,
    PRIMARY KEY ("account_id", "list_id", "list_index", "credential_hash", "signing_key_hash")
  ) ${storage}`,
  `CREATE INDEX "credential_entry_by_credential" ON "credential_entry" ("account_id", "credential_hash")`,
  `CREATE INDEX "credential_entry_by_key" ON "credential_entry" ("account_id", "signing_key_hash", "expires_at")`,
  `CREATE INDEX "credential_entry_expired" ON "credential_entry" ("expires_at") WHERE "expires_at" IS NOT NULL`,
]
