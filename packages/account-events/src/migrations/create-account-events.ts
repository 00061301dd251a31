import { compareTextByBytes } from '@vidimus/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Events of accounts, the webhooks that they are delivered to, and pending deliveries. */
export class CreateAccountEvents1795824000080 implements MigrationInterface {
  readonly name = 'CreateAccountEvents1795824000080'

  async up(queryRunner: QueryRunner): Promise<void> {
    const isPostgres = queryRunner.connection.options.type === 'postgres'
    await queryRunner.query(events(isPostgres ? POSTGRES_SEQUENCE : SQLITE_SEQUENCE))
    for (const statement of STATEMENTS) await queryRunner.query(statement)
    await compareTextByBytes(queryRunner, TABLES)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of [...TABLES].reverse()) await queryRunner.query(`DROP TABLE ${table}`)
  }
}

const TABLES = [
  'account_event',
  'account_event_head',
  'account_event_keeping',
  'announced_event',
  'webhook',
  'webhook_secret_check',
  'webhook_delivery',
]

const SQLITE_SEQUENCE = 'INTEGER PRIMARY KEY AUTOINCREMENT'
const POSTGRES_SEQUENCE = 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY'

/**
 * `sequence` is assigned when an event is written, `position` once everything committed before has one: transactions
 * do not commit in the order of their sequences, and a reader that continues from a position must miss nothing.
 */
const events = (sequence: string) => `CREATE TABLE account_event (
  sequence ${sequence},
  position BIGINT,
  account_id TEXT NOT NULL,
  time TEXT NOT NULL,
  type TEXT NOT NULL,
  subject TEXT NOT NULL,
  details TEXT,
  UNIQUE (account_id, position)
)`

const STATEMENTS = [
  'CREATE INDEX account_event_unplaced ON account_event (sequence) WHERE position IS NULL',
  'CREATE INDEX account_event_time ON account_event (time)',
  // The last position of an account, kept after its event is deleted.
  `CREATE TABLE account_event_head (
    account_id TEXT PRIMARY KEY NOT NULL,
    last BIGINT NOT NULL
  )`,
  // Until when events are written: an installation that keeps none would never delete them.
  `CREATE TABLE account_event_keeping (
    id TEXT PRIMARY KEY NOT NULL,
    kept_until TEXT NOT NULL
  )`,
  // What a process is about to do outside the database. If the process is gone, the outcome is unknown.
  `CREATE TABLE announced_event (
    id TEXT PRIMARY KEY NOT NULL,
    holder TEXT NOT NULL,
    account_id TEXT NOT NULL,
    time TEXT NOT NULL,
    type TEXT NOT NULL,
    subject TEXT NOT NULL,
    details TEXT
  )`,
  `CREATE TABLE webhook (
    id TEXT PRIMARY KEY NOT NULL,
    account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    url TEXT NOT NULL,
    types TEXT,
    sealed_secret TEXT NOT NULL,
    created_at TEXT NOT NULL,
    revoked_at TEXT,
    revoked_by TEXT,
    failures INTEGER NOT NULL,
    delivered_at TEXT,
    failed_at TEXT,
    failed_status INTEGER,
    failed_reason TEXT
  )`,
  'CREATE INDEX webhook_account ON webhook (account_id, created_at)',
  `CREATE TABLE webhook_secret_check (
    id TEXT PRIMARY KEY NOT NULL,
    sealed TEXT NOT NULL
  )`,
  // Gone once it is delivered. `since` is from when on it counts for how long that was tried.
  `CREATE TABLE webhook_delivery (
    webhook_id TEXT NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
    event_sequence BIGINT NOT NULL REFERENCES account_event (sequence) ON DELETE CASCADE,
    position BIGINT NOT NULL,
    attempts INTEGER NOT NULL,
    since TEXT NOT NULL,
    next_attempt_at TEXT NOT NULL,
    dead_at TEXT,
    failed_at TEXT,
    failed_status INTEGER,
    failed_reason TEXT,
    PRIMARY KEY (webhook_id, position)
  )`,
  'CREATE INDEX webhook_delivery_due ON webhook_delivery (next_attempt_at) WHERE dead_at IS NULL',
  'CREATE INDEX webhook_delivery_event ON webhook_delivery (event_sequence)',
]
