import { baseline } from '@vidimus/database'

/**
 * The migrations of the cheqd ledger, for the `migrations` of the database. Submissions to a network stay in these tables
 * until their outcome is known: messages, and their pending transactions.
 */
export const migrations = [
  baseline({
    room: 'LedgerCheqd',
    place: 6,
    small: ['cheqd_sent', 'cheqd_known_height'],
    tables: `
-- slot holds a place that only one message may have at a time, and none when it is finished: NULLs never collide. account_id:
-- accounts alternate. A day of '': it does not count, or no longer. paid: what the chain has charged.
CREATE TABLE cheqd_message (
  id TEXT PRIMARY KEY,
  network TEXT NOT NULL,
  payer TEXT NOT NULL,
  kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  slot TEXT,
  expected_previous TEXT,
  memo TEXT NOT NULL,
  message BLOB NOT NULL,
  state TEXT NOT NULL,
  alone INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  gas_attempts INTEGER NOT NULL,
  tx_hash TEXT,
  height BIGINT,
  result BLOB,
  error TEXT,
  queued_at TEXT NOT NULL,
  finished_at TEXT,
  account_id TEXT NOT NULL DEFAULT '',
  fee BIGINT NOT NULL DEFAULT 0,
  day TEXT NOT NULL DEFAULT '',
  paid BIGINT,
  UNIQUE (network, slot)
);
CREATE INDEX cheqd_message_by_state ON cheqd_message (network, payer, state, queued_at, id);
CREATE INDEX cheqd_message_by_subject ON cheqd_message (network, subject, kind);
CREATE TABLE cheqd_transaction (
  network TEXT NOT NULL,
  hash TEXT NOT NULL,
  payer TEXT NOT NULL,
  sequence BIGINT NOT NULL,
  timeout_height BIGINT NOT NULL,
  message_ids TEXT NOT NULL,
  bytes BLOB NOT NULL,
  signed_at TEXT NOT NULL,
  PRIMARY KEY (network, hash)
);
CREATE INDEX cheqd_transaction_by_payer ON cheqd_transaction (network, payer, sequence);
-- The transactions that were signed for each payer, by which a restored backup is noticed.
CREATE TABLE cheqd_sent (
  network TEXT NOT NULL,
  payer TEXT NOT NULL,
  mark TEXT NOT NULL,
  number BIGINT NOT NULL,
  executed BIGINT NOT NULL,
  PRIMARY KEY (network, payer)
);
-- The newest block of each chain that anybody has read from: no process goes back behind it.
CREATE TABLE cheqd_known_height (
  network TEXT NOT NULL,
  chain_id TEXT NOT NULL,
  height BIGINT NOT NULL,
  noted_at TEXT NOT NULL,
  missed_since TEXT,
  PRIMARY KEY (network, chain_id)
);
CREATE TABLE cheqd_spend_day (
  network TEXT NOT NULL,
  day TEXT NOT NULL,
  account_id TEXT NOT NULL,
  ncheq BIGINT NOT NULL,
  PRIMARY KEY (network, day, account_id)
);
`,
  }),
]
