import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Requests with an idempotency key, their responses, and their creations. */
export class CreateIdempotencyRecords1795824000030 implements MigrationInterface {
  readonly name = 'CreateIdempotencyRecords1795824000030'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE idempotent_creation')
    await queryRunner.query('DROP TABLE idempotency_record')
  }
}

const STATEMENTS = [
  // Neither key nor request can be read from the digests. Without a holder nothing works on it.
  `CREATE TABLE idempotency_record (
    id TEXT PRIMARY KEY NOT NULL,
    account_id TEXT NOT NULL REFERENCES account (id),
    key_digest TEXT NOT NULL,
    content_digest TEXT NOT NULL,
    holder TEXT,
    beats INTEGER NOT NULL,
    sealed_answer TEXT,
    expires_at TEXT NOT NULL,
    UNIQUE (account_id, key_digest)
  )`,
  'CREATE INDEX idempotency_record_expiry ON idempotency_record (expires_at)',
  // A mark is deleted with its creation: an undone creation can be repeated.
  `CREATE TABLE idempotent_creation (
    mark TEXT PRIMARY KEY NOT NULL,
    record_id TEXT NOT NULL REFERENCES idempotency_record (id) ON DELETE CASCADE,
    account_id TEXT NOT NULL,
    did TEXT,
    kid TEXT,
    api_key_id TEXT REFERENCES api_key (id) ON DELETE CASCADE,
    FOREIGN KEY (account_id, did) REFERENCES account_did (account_id, did) ON DELETE CASCADE,
    FOREIGN KEY (account_id, kid) REFERENCES account_key (account_id, kid) ON DELETE CASCADE
  )`,
  'CREATE INDEX idempotent_creation_record ON idempotent_creation (record_id)',
  'CREATE INDEX idempotent_creation_did ON idempotent_creation (account_id, did) WHERE did IS NOT NULL',
  'CREATE INDEX idempotent_creation_kid ON idempotent_creation (account_id, kid) WHERE kid IS NOT NULL',
  `CREATE INDEX idempotent_creation_api_key ON idempotent_creation (api_key_id)
    WHERE api_key_id IS NOT NULL`,
]
