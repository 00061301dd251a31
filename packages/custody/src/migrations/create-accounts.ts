import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * Veramo's tables have one name space for all. These record which account holds what, its name in the account, and
 * its name in Veramo's tables.
 */
export class CreateAccounts1767225600000 implements MigrationInterface {
  /** Look-ups that requests repeat; `key`, `identifier` and `service` are Veramo's. */
  static readonly remembered = [
    'account',
    'account_did',
    'account_did_key',
    'account_key',
    'account_service',
    'api_key',
    'identifier',
    'key',
    'service',
  ]

  readonly name = 'CreateAccounts1767225600000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX "service_identifier"')
    await queryRunner.query('DROP INDEX "key_identifier"')
    for (const table of TABLES) await queryRunner.query(`DROP TABLE ${table}`)
  }
}

/** Those that refer to others first. */
const TABLES = [
  'secret_check',
  'did_creation',
  'account_service',
  'account_did_key',
  'account_did',
  'account_private_key',
  'account_key',
  'api_key',
  'account',
]

const STATEMENTS = [
  `CREATE TABLE account (
    id TEXT PRIMARY KEY NOT NULL,
    name TEXT NOT NULL UNIQUE,
    created_at TEXT NOT NULL
  )`,
  `CREATE TABLE api_key (
    id TEXT PRIMARY KEY NOT NULL,
    account_id TEXT NOT NULL REFERENCES account (id),
    name TEXT,
    hash TEXT NOT NULL UNIQUE,
    prefix_shown TEXT NOT NULL,
    created_at TEXT NOT NULL,
    expires_at TEXT,
    revoked_at TEXT
  )`,
  `CREATE TABLE account_key (
    account_id TEXT NOT NULL REFERENCES account (id),
    kid TEXT NOT NULL,
    stored_kid TEXT NOT NULL UNIQUE,
    alias TEXT,
    created_at TEXT NOT NULL,
    PRIMARY KEY (account_id, kid),
    UNIQUE (account_id, alias)
  )`,
  `CREATE TABLE account_private_key (
    account_id TEXT NOT NULL REFERENCES account (id),
    alias TEXT NOT NULL,
    stored_alias TEXT NOT NULL UNIQUE,
    PRIMARY KEY (account_id, alias)
  )`,
  // A pending row reserves DID and alias while the DID is being written to a ledger.
  `CREATE TABLE account_did (
    account_id TEXT NOT NULL REFERENCES account (id),
    did TEXT NOT NULL,
    stored_did TEXT NOT NULL UNIQUE,
    alias TEXT,
    version INTEGER NOT NULL,
    pending INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (account_id, did),
    UNIQUE (account_id, alias)
  )`,
  // Veramo's own column key.identifierDid lets a key belong to one DID only.
  `CREATE TABLE account_did_key (
    account_id TEXT NOT NULL,
    did TEXT NOT NULL,
    kid TEXT NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (account_id, did, kid),
    FOREIGN KEY (account_id, did) REFERENCES account_did (account_id, did) ON DELETE CASCADE,
    FOREIGN KEY (account_id, kid) REFERENCES account_key (account_id, kid) ON DELETE CASCADE
  )`,
  'CREATE INDEX account_did_key_kid ON account_did_key (account_id, kid)',
  `CREATE TABLE account_service (
    account_id TEXT NOT NULL,
    did TEXT NOT NULL,
    id TEXT NOT NULL,
    stored_id TEXT NOT NULL UNIQUE,
    position INTEGER NOT NULL,
    PRIMARY KEY (account_id, did, id),
    FOREIGN KEY (account_id, did) REFERENCES account_did (account_id, did) ON DELETE CASCADE
  )`,
  `CREATE TABLE did_creation (
    account_id TEXT NOT NULL,
    did TEXT NOT NULL,
    provider TEXT,
    identifier TEXT NOT NULL,
    made TEXT NOT NULL,
    owner TEXT NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (account_id, did),
    FOREIGN KEY (account_id, did) REFERENCES account_did (account_id, did) ON DELETE CASCADE
  )`,
  `CREATE TABLE secret_check (
    id TEXT PRIMARY KEY NOT NULL,
    sealed TEXT NOT NULL
  )`,
  'CREATE INDEX key_identifier ON "key" ("identifierDid")',
  'CREATE INDEX service_identifier ON service ("identifierDid")',
]
