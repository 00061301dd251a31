import { baseline, sealedHeadIndex } from '@vidimus/database'
import { workBaseline } from '@vidimus/work'

/** Lists, their indices, keys and paces, and series of lists. */
const LISTS = `
-- A number replaces the location in the rows of taken indices, of which a list may have millions.
CREATE TABLE status_list (
  id BIGINT NOT NULL,
  did TEXT NOT NULL,
  name TEXT NOT NULL,
  resource_type TEXT NOT NULL,
  home INTEGER NOT NULL,
  PRIMARY KEY (home, id),
  UNIQUE (home, did, name, resource_type)
);
-- No reference to status_list, whose rows are deleted with an account: published lists keep the addresses in credentials.
CREATE TABLE status_list_address (
  id TEXT NOT NULL,
  did TEXT NOT NULL,
  name TEXT NOT NULL,
  resource_type TEXT NOT NULL,
  url TEXT,
  settled INTEGER NOT NULL,
  home INTEGER NOT NULL,
  PRIMARY KEY (id, home)
);
CREATE INDEX status_list_address_by_type ON status_list_address (resource_type, did) WHERE url IS NOT NULL;
CREATE TABLE status_list_order (
  list_id BIGINT NOT NULL,
  sealed_key TEXT NOT NULL,
  entries BIGINT NOT NULL,
  position BIGINT NOT NULL,
  restore_id TEXT,
  allocated BIGINT NOT NULL,
  told_nearly_full INTEGER NOT NULL,
  home INTEGER NOT NULL,
  PRIMARY KEY (home, list_id),
  FOREIGN KEY (home, list_id) REFERENCES status_list (home, id)
);
${sealedHeadIndex('status_list_order', 'sealed_key')};
-- The second writer fails here, whatever process it is in.
CREATE TABLE status_list_taken_index (
  list_id BIGINT NOT NULL,
  list_index BIGINT NOT NULL,
  home INTEGER NOT NULL,
  PRIMARY KEY (home, list_id, list_index),
  FOREIGN KEY (home, list_id) REFERENCES status_list (home, id)
);
CREATE TABLE status_list_key (
  list_id BIGINT NOT NULL,
  sealed_key TEXT NOT NULL,
  created_at TEXT NOT NULL,
  home INTEGER NOT NULL,
  PRIMARY KEY (home, list_id),
  FOREIGN KEY (home, list_id) REFERENCES status_list (home, id)
);
${sealedHeadIndex('status_list_key', 'sealed_key')};
CREATE TABLE status_list_secret_check (
  id TEXT PRIMARY KEY NOT NULL,
  sealed TEXT NOT NULL
);
CREATE TABLE status_list_pace (
  list_id BIGINT NOT NULL,
  publish_every TEXT NOT NULL,
  always INTEGER NOT NULL,
  started_at TEXT NOT NULL,
  made INTEGER NOT NULL,
  stored BIGINT NOT NULL,
  published BIGINT NOT NULL,
  waiting_since TEXT,
  hurried_until TEXT,
  home INTEGER NOT NULL,
  PRIMARY KEY (home, list_id),
  FOREIGN KEY (home, list_id) REFERENCES status_list (home, id)
);
CREATE INDEX status_list_pace_waiting ON status_list_pace (waiting_since) WHERE waiting_since IS NOT NULL;
-- Only the newest change of an entry: versions need no other.
CREATE TABLE status_list_change (
  list_id BIGINT NOT NULL,
  place TEXT NOT NULL,
  content TEXT NOT NULL,
  number BIGINT NOT NULL,
  home INTEGER NOT NULL,
  PRIMARY KEY (home, list_id, place),
  FOREIGN KEY (home, list_id) REFERENCES status_list (home, id)
);
CREATE TABLE status_list_series (
  home INTEGER NOT NULL,
  did TEXT NOT NULL,
  series TEXT NOT NULL,
  resource_type TEXT NOT NULL,
  template TEXT NOT NULL,
  period TEXT,
  PRIMARY KEY (home, did, series, resource_type)
);
CREATE TABLE status_list_member (
  home INTEGER NOT NULL,
  did TEXT NOT NULL,
  series TEXT NOT NULL,
  resource_type TEXT NOT NULL,
  member INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('begun', 'taken', 'ready', 'open', 'full', 'closed')),
  expiry_group TEXT,
  resource_id TEXT NOT NULL,
  last_expiry TEXT,
  PRIMARY KEY (home, did, series, member, resource_type)
);
-- A group has one open member, whoever writes.
CREATE UNIQUE INDEX status_list_member_open
  ON status_list_member (home, did, series, resource_type, expiry_group)
  WHERE state = 'open';
CREATE INDEX status_list_member_ready ON status_list_member (home, did, series, resource_type)
  WHERE state = 'ready';
CREATE INDEX status_list_member_expiring ON status_list_member (last_expiry)
  WHERE state IN ('open', 'full') AND last_expiry <> 'never';
`

/** Mass changes, and restores from backups. */
const JOBS = `
-- A job without an id is being uploaded, by the process with the presence holder.
CREATE TABLE status_list_job (
  account_id TEXT NOT NULL REFERENCES account (id),
  uid TEXT NOT NULL,
  id TEXT,
  state TEXT NOT NULL,
  dry_run INTEGER NOT NULL,
  row_count BIGINT NOT NULL,
  applied BIGINT NOT NULL,
  refused BIGINT NOT NULL,
  checksum TEXT,
  select_after TEXT,
  part_count BIGINT NOT NULL,
  api_key_id TEXT,
  networks TEXT,
  holder TEXT,
  failure TEXT,
  created_at TEXT NOT NULL,
  ended_at TEXT,
  home INTEGER NOT NULL,
  ordered TEXT,
  rule TEXT,
  PRIMARY KEY (account_id, uid, home)
);
CREATE INDEX status_list_job_ended ON status_list_job (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX status_list_job_by_time ON status_list_job (account_id, created_at, uid) WHERE id IS NOT NULL;
CREATE INDEX status_list_job_uploads ON status_list_job (created_at, account_id, uid) WHERE id IS NULL;
CREATE UNIQUE INDEX status_list_job_by_id ON status_list_job (account_id, id, home);
CREATE TABLE status_list_job_part (
  account_id TEXT NOT NULL REFERENCES account (id),
  job_uid TEXT NOT NULL,
  kind TEXT NOT NULL,
  list BIGINT NOT NULL,
  place BIGINT NOT NULL,
  part_id TEXT NOT NULL,
  sealed TEXT NOT NULL,
  home INTEGER NOT NULL,
  PRIMARY KEY (account_id, job_uid, kind, list, place, home)
);
-- By which a part is found when it is sealed anew.
CREATE INDEX status_list_job_part_by_id ON status_list_job_part (part_id);
${sealedHeadIndex('status_list_job_part', 'sealed')};
-- After a restore from a backup, lists skip what they may have allocated since, each once for each restore.
CREATE TABLE database_restore (
  id TEXT PRIMARY KEY NOT NULL,
  begun_at TEXT NOT NULL,
  ended_at TEXT
);
CREATE INDEX database_restore_ended ON database_restore (ended_at);
`

/** Which credentials have an entry. */
const REGISTER = `
CREATE TABLE credential_register_key (
  account_id TEXT NOT NULL REFERENCES account (id),
  sealed_key TEXT NOT NULL,
  home INTEGER NOT NULL,
  PRIMARY KEY (account_id, home)
);
${sealedHeadIndex('credential_register_key', 'sealed_key')};
-- No reference to status_list, whose rows are deleted with the account that has the list.
CREATE TABLE credential_entry (
  account_id TEXT NOT NULL REFERENCES account (id),
  list_id BIGINT NOT NULL,
  list_index BIGINT NOT NULL,
  credential_hash TEXT NOT NULL,
  signing_key_hash TEXT NOT NULL,
  status_purpose TEXT,
  issued_at TEXT NOT NULL,
  expires_at TEXT,
  home INTEGER NOT NULL,
  PRIMARY KEY (account_id, list_id, list_index, credential_hash, signing_key_hash, home)
);
CREATE INDEX credential_entry_by_credential ON credential_entry (account_id, credential_hash);
CREATE INDEX credential_entry_by_key ON credential_entry (account_id, signing_key_hash, expires_at);
CREATE INDEX credential_entry_expired ON credential_entry (expires_at) WHERE expires_at IS NOT NULL;
`

/** Payments for checks of encrypted lists. */
const PAYMENTS = `
CREATE TABLE status_list_payment (
  id TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL,
  network TEXT NOT NULL,
  did TEXT NOT NULL,
  list_name TEXT NOT NULL,
  resource_type TEXT NOT NULL,
  address TEXT NOT NULL,
  amount TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('begun', 'settled')),
  holder TEXT NOT NULL,
  begun_at TEXT NOT NULL,
  tx_hash TEXT,
  paid_at TEXT,
  condition_number BIGINT NOT NULL DEFAULT 0,
  conditions BIGINT NOT NULL DEFAULT 1,
  window_ms BIGINT NOT NULL DEFAULT 0,
  counts_until TEXT NOT NULL DEFAULT '',
  day TEXT NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX status_list_payment_begun ON status_list_payment (account_id, network, address, amount)
  WHERE state = 'begun';
CREATE INDEX status_list_payment_settled
  ON status_list_payment (account_id, network, address, amount, paid_at)
  WHERE state = 'settled';
CREATE INDEX status_list_payment_of_list
  ON status_list_payment (account_id, network, did, list_name, resource_type, counts_until);
CREATE INDEX status_list_payment_page ON status_list_payment (account_id, paid_at, id)
  WHERE state = 'settled';
-- One row per account, so that payments of different accounts never contend for a row.
CREATE TABLE status_list_fee_day (
  network TEXT NOT NULL,
  day TEXT NOT NULL,
  account_id TEXT NOT NULL,
  ncheq BIGINT NOT NULL,
  PRIMARY KEY (network, day, account_id)
);
`

/** The migrations of this package, for the `migrations` of the database. */
export const migrations = [
  workBaseline,
  baseline({
    room: 'StatusListStore',
    place: 7,
    small: ['status_list_secret_check'],
    remembered: ['status_list', 'status_list_pace', 'status_list_series'],
    standsAlone: true,
    tables: LISTS + JOBS + REGISTER + PAYMENTS,
  }),
]
