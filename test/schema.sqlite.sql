CREATE TABLE account (
  id TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL UNIQUE,
  created_at TEXT NOT NULL,
  disabled_at TEXT,
  deletion_began_at TEXT,
  kms TEXT
);
CREATE TABLE account_did (
  account_id TEXT NOT NULL REFERENCES account (id),
  did TEXT NOT NULL,
  stored_did TEXT NOT NULL,
  alias TEXT,
  version INTEGER NOT NULL,
  pending INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  provider TEXT,
  controller_key_id TEXT,
  home INTEGER NOT NULL,
  PRIMARY KEY (account_id, did, home),
  UNIQUE (home, stored_did)
);
CREATE INDEX account_did_by_alias ON account_did (account_id, alias) WHERE alias IS NOT NULL;
CREATE INDEX account_did_created ON account_did (account_id, created_at, did) WHERE pending = 0;
CREATE INDEX account_did_did ON account_did (did);
CREATE INDEX account_did_pending ON account_did (account_id) WHERE pending = 1;
CREATE INDEX account_did_provider ON account_did (account_id, provider, did) WHERE pending = 0;
CREATE TABLE account_did_alias (
  home INTEGER NOT NULL,
  account_id TEXT NOT NULL REFERENCES account (id),
  alias TEXT NOT NULL,
  did TEXT NOT NULL,
  PRIMARY KEY (home, account_id, alias)
);
CREATE TABLE account_did_key (
  account_id TEXT NOT NULL,
  did TEXT NOT NULL,
  kid TEXT NOT NULL,
  position INTEGER NOT NULL,
  home INTEGER NOT NULL,
  PRIMARY KEY (home, account_id, did, kid),
  FOREIGN KEY (home, account_id, kid) REFERENCES account_key (home, account_id, kid) ON DELETE CASCADE
);
CREATE INDEX account_did_key_kid ON account_did_key (home, account_id, kid);
CREATE TABLE account_event (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  position BIGINT,
  account_id TEXT NOT NULL,
  time TEXT NOT NULL,
  type TEXT NOT NULL,
  subject TEXT NOT NULL,
  details TEXT,
  home INTEGER NOT NULL,
  UNIQUE (account_id, position, home)
);
CREATE INDEX account_event_time ON account_event (time);
CREATE INDEX account_event_type ON account_event (account_id, type, position);
CREATE INDEX account_event_unplaced ON account_event (sequence) WHERE position IS NULL;
CREATE TABLE account_event_head (
  account_id TEXT NOT NULL,
  last BIGINT NOT NULL,
  home INTEGER NOT NULL,
  PRIMARY KEY (home, account_id)
);
CREATE TABLE account_event_keeping (
  id TEXT PRIMARY KEY NOT NULL,
  kept_until TEXT NOT NULL
);
CREATE TABLE account_key (
  account_id TEXT NOT NULL REFERENCES account (id),
  kid TEXT NOT NULL,
  stored_kid TEXT NOT NULL,
  alias TEXT,
  created_at TEXT NOT NULL,
  kms TEXT NOT NULL DEFAULT '',
  certificate_chain TEXT,
  certificate_expires_at TEXT,
  home INTEGER NOT NULL,
  PRIMARY KEY (home, account_id, kid),
  UNIQUE (home, stored_kid),
  UNIQUE (home, account_id, alias)
);
CREATE INDEX account_key_certificate_expires_at ON account_key (certificate_expires_at)
  WHERE certificate_expires_at IS NOT NULL;
CREATE INDEX account_key_created ON account_key (home, account_id, created_at, kid);
CREATE INDEX account_key_kms ON account_key (home, account_id, kms, kid);
CREATE TABLE account_key_network (
  account_id TEXT NOT NULL REFERENCES account (id),
  public_key TEXT NOT NULL,
  network TEXT NOT NULL,
  home INTEGER NOT NULL,
  PRIMARY KEY (home, account_id, public_key, network)
);
CREATE TABLE account_private_key (
  account_id TEXT NOT NULL REFERENCES account (id),
  alias TEXT NOT NULL,
  stored_alias TEXT NOT NULL,
  home INTEGER NOT NULL,
  PRIMARY KEY (home, account_id, alias),
  UNIQUE (home, stored_alias)
);
CREATE TABLE account_quota (
  account_id TEXT NOT NULL REFERENCES account (id),
  quota TEXT NOT NULL,
  most BIGINT NOT NULL,
  PRIMARY KEY (account_id, quota)
);
CREATE TABLE account_service (
  account_id TEXT NOT NULL,
  did TEXT NOT NULL,
  id TEXT NOT NULL,
  stored_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  home INTEGER NOT NULL,
  PRIMARY KEY (home, account_id, did, id),
  UNIQUE (home, stored_id),
  FOREIGN KEY (home, account_id, did) REFERENCES account_did (home, account_id, did) ON DELETE CASCADE
);
CREATE TABLE account_tally (
  account_id TEXT NOT NULL REFERENCES account (id),
  kind TEXT NOT NULL,
  n BIGINT NOT NULL,
  home INTEGER NOT NULL,
  PRIMARY KEY (account_id, kind, home)
);
CREATE TABLE api_key (
  id TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL REFERENCES account (id),
  name TEXT,
  hash TEXT NOT NULL UNIQUE,
  prefix_shown TEXT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT,
  revoked_at TEXT,
  scopes TEXT,
  networks TEXT,
  last_used_at TEXT,
  rotated_to TEXT,
  token_issuer TEXT
);
CREATE INDEX api_key_page ON api_key (account_id, created_at, id);
CREATE TABLE audit_event (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  time TEXT NOT NULL,
  event TEXT NOT NULL,
  outcome TEXT NOT NULL,
  account_id TEXT,
  api_key_id TEXT,
  address TEXT,
  request_id TEXT,
  subject TEXT,
  detail TEXT,
  occurrences INTEGER NOT NULL,
  token_issuer TEXT,
  token_subject TEXT,
  home INTEGER NOT NULL,
  origin TEXT,
  number BIGINT
);
CREATE INDEX audit_event_event ON audit_event (event, sequence);
CREATE UNIQUE INDEX audit_event_identity ON audit_event (home, origin, event, number)
  WHERE origin IS NOT NULL;
CREATE TRIGGER audit_event_no_delete BEFORE DELETE ON audit_event
    BEGIN SELECT RAISE(ABORT, 'audit_event is append-only'); END;
CREATE TRIGGER audit_event_no_update BEFORE UPDATE ON audit_event
    WHEN NOT (NEW.subject IS NULL AND NEW.detail IS NULL AND NEW.address IS NULL AND NEW.token_subject IS NULL AND NEW.sequence IS OLD.sequence AND NEW.time IS OLD.time AND NEW.event IS OLD.event AND NEW.outcome IS OLD.outcome AND NEW.account_id IS OLD.account_id AND NEW.api_key_id IS OLD.api_key_id AND NEW.request_id IS OLD.request_id AND NEW.occurrences IS OLD.occurrences AND NEW.token_issuer IS OLD.token_issuer AND NEW.home IS OLD.home AND NEW.origin IS OLD.origin AND NEW.number IS OLD.number AND OLD.account_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM account a WHERE a.id = OLD.account_id AND a.deletion_began_at IS NULL)) BEGIN SELECT RAISE(ABORT, 'audit_event is append-only'); END;
CREATE INDEX audit_event_of_account ON audit_event (account_id, (sequence + 0));
CREATE INDEX audit_event_time ON audit_event (time);
CREATE TABLE cheqd_known_height (
  network TEXT NOT NULL,
  chain_id TEXT NOT NULL,
  height BIGINT NOT NULL,
  noted_at TEXT NOT NULL,
  missed_since TEXT,
  PRIMARY KEY (network, chain_id)
);
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
CREATE TABLE cheqd_sent (
  network TEXT NOT NULL,
  payer TEXT NOT NULL,
  mark TEXT NOT NULL,
  number BIGINT NOT NULL,
  executed BIGINT NOT NULL,
  PRIMARY KEY (network, payer)
);
CREATE TABLE cheqd_spend_day (
  network TEXT NOT NULL,
  day TEXT NOT NULL,
  account_id TEXT NOT NULL,
  ncheq BIGINT NOT NULL,
  PRIMARY KEY (network, day, account_id)
);
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
CREATE TABLE console_session (
  hash TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  sealed_claims TEXT NOT NULL,
  id TEXT,
  created_at TEXT NOT NULL,
  used_at TEXT NOT NULL
);
CREATE INDEX console_session_account ON console_session (account_id);
CREATE INDEX "console_session_sealed_head" ON "console_session" (substr("sealed_claims", 1, 12))
  WHERE "sealed_claims" LIKE '%.%';
CREATE INDEX console_session_used ON console_session (used_at);
CREATE TABLE console_session_check (
  id TEXT PRIMARY KEY NOT NULL,
  sealed TEXT NOT NULL
);
CREATE TABLE console_sign_in (
  hash TEXT PRIMARY KEY NOT NULL,
  used_at TEXT NOT NULL
);
CREATE INDEX console_sign_in_used ON console_sign_in (used_at);
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
CREATE TABLE credential_register_key (
  account_id TEXT NOT NULL REFERENCES account (id),
  sealed_key TEXT NOT NULL,
  home INTEGER NOT NULL,
  PRIMARY KEY (account_id, home)
);
CREATE INDEX "credential_register_key_sealed_head" ON "credential_register_key" (substr("sealed_key", 1, 12))
  WHERE "sealed_key" LIKE '%.%';
CREATE TABLE database_restore (
  id TEXT PRIMARY KEY NOT NULL,
  begun_at TEXT NOT NULL,
  ended_at TEXT
);
CREATE INDEX database_restore_ended ON database_restore (ended_at);
CREATE TABLE did_rotation (
  home INTEGER NOT NULL,
  account_id TEXT NOT NULL REFERENCES account (id),
  did TEXT NOT NULL,
  id TEXT NOT NULL,
  state TEXT NOT NULL,
  kid TEXT NOT NULL,
  kms TEXT NOT NULL,
  former_kid TEXT NOT NULL,
  grace_period TEXT,
  lists_after TEXT,
  lists_signed INTEGER NOT NULL,
  started_at TEXT NOT NULL,
  signs_since TEXT,
  removes_at TEXT,
  ended_at TEXT,
  failure TEXT,
  PRIMARY KEY (home, account_id, did)
);
CREATE INDEX did_rotation_account ON did_rotation (account_id);
CREATE TABLE home_version (home INTEGER NOT NULL, slot INTEGER NOT NULL, version BIGINT NOT NULL, PRIMARY KEY (home, slot));
CREATE INDEX home_version_number ON home_version (version);
CREATE TABLE idempotency_record (
  id TEXT NOT NULL,
  account_id TEXT NOT NULL REFERENCES account (id),
  key_digest TEXT NOT NULL,
  content_digest TEXT NOT NULL,
  holder TEXT,
  sealed_answer TEXT,
  expires_at TEXT NOT NULL,
  answer_bytes BIGINT NOT NULL DEFAULT 0,
  presence TEXT,
  home INTEGER NOT NULL,
  PRIMARY KEY (home, id),
  UNIQUE (home, account_id, key_digest)
);
CREATE INDEX idempotency_record_expiry ON idempotency_record (expires_at);
CREATE INDEX "idempotency_record_sealed_head" ON "idempotency_record" (substr("sealed_answer", 1, 12))
  WHERE "sealed_answer" LIKE '%.%';
CREATE TABLE idempotent_creation (
  mark TEXT NOT NULL,
  record_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  did TEXT,
  kid TEXT,
  api_key_id TEXT REFERENCES api_key (id) ON DELETE CASCADE,
  home INTEGER NOT NULL,
  change TEXT,
  PRIMARY KEY (home, mark),
  FOREIGN KEY (home, account_id, kid) REFERENCES account_key (home, account_id, kid) ON DELETE CASCADE
);
CREATE INDEX idempotent_creation_api_key ON idempotent_creation (api_key_id) WHERE api_key_id IS NOT NULL;
CREATE INDEX idempotent_creation_did ON idempotent_creation (account_id, did) WHERE did IS NOT NULL;
CREATE INDEX idempotent_creation_kid ON idempotent_creation (account_id, kid) WHERE kid IS NOT NULL;
CREATE INDEX idempotent_creation_record ON idempotent_creation (record_id);
CREATE INDEX "idempotent_creation_sealed_head" ON "idempotent_creation" (substr("change", 1, 12))
  WHERE "change" LIKE '%.%';
CREATE TABLE "key" (
  kid varchar NOT NULL,
  kms varchar NOT NULL,
  type varchar NOT NULL,
  "publicKeyHex" varchar NOT NULL,
  meta TEXT,
  "identifierDid" varchar,
  home INTEGER NOT NULL,
  PRIMARY KEY (home, kid)
);
CREATE INDEX key_identifier ON "key" ("identifierDid");
CREATE INDEX key_public_key ON "key" ("publicKeyHex");
CREATE TABLE ledger_account (
  network TEXT NOT NULL,
  address TEXT NOT NULL,
  balance TEXT NOT NULL,
  seeded TEXT,
  PRIMARY KEY (network, address)
);
CREATE TABLE ledger_did (
  network TEXT NOT NULL,
  did TEXT NOT NULL,
  latest_version_id TEXT NOT NULL,
  deactivated INTEGER NOT NULL,
  height BIGINT NOT NULL DEFAULT 0,
  last_time TEXT NOT NULL DEFAULT '',
  home INTEGER NOT NULL,
  PRIMARY KEY (home, network, did)
);
CREATE TABLE ledger_did_version (
  network TEXT NOT NULL,
  did TEXT NOT NULL,
  version_id TEXT NOT NULL,
  height BIGINT NOT NULL,
  previous_version_id TEXT NOT NULL,
  next_version_id TEXT NOT NULL,
  created TEXT NOT NULL,
  updated TEXT,
  doc TEXT NOT NULL,
  account_id TEXT NOT NULL DEFAULT '',
  home INTEGER NOT NULL,
  PRIMARY KEY (home, network, did, version_id),
  UNIQUE (home, network, did, previous_version_id)
);
CREATE INDEX ledger_did_version_by_time ON ledger_did_version (network, did, (COALESCE(updated, created)));
CREATE TABLE ledger_payment (
  network TEXT NOT NULL,
  hash TEXT NOT NULL,
  height BIGINT NOT NULL,
  time TEXT NOT NULL,
  sender TEXT NOT NULL,
  recipient TEXT NOT NULL,
  amount TEXT NOT NULL,
  memo TEXT NOT NULL,
  PRIMARY KEY (network, hash),
  UNIQUE (network, height)
);
CREATE INDEX ledger_payment_by_memo ON ledger_payment (network, recipient, memo);
CREATE INDEX ledger_payment_by_recipient ON ledger_payment (network, recipient, height);
CREATE TABLE ledger_resource (
  network TEXT NOT NULL,
  collection_id TEXT NOT NULL,
  id TEXT NOT NULL,
  height BIGINT NOT NULL,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  version TEXT NOT NULL,
  media_type TEXT NOT NULL,
  created TEXT NOT NULL,
  checksum TEXT NOT NULL,
  also_known_as TEXT NOT NULL,
  size INTEGER NOT NULL,
  previous_version_id TEXT NOT NULL,
  next_version_id TEXT NOT NULL,
  account_id TEXT NOT NULL DEFAULT '',
  counts_as TEXT NOT NULL DEFAULT '',
  home INTEGER NOT NULL,
  PRIMARY KEY (home, network, collection_id, id),
  UNIQUE (name, type, home, network, collection_id, previous_version_id)
);
CREATE INDEX ledger_resource_by_checksum
  ON ledger_resource (name, type, network, collection_id, checksum, created);
CREATE INDEX ledger_resource_by_height ON ledger_resource ((network || ' ' || collection_id), home, height);
CREATE INDEX ledger_resource_by_time ON ledger_resource (name, type, network, collection_id, created);
CREATE INDEX ledger_resource_by_version
  ON ledger_resource (name, type, network, collection_id, version, created)
  WHERE version <> '';
CREATE TABLE ledger_resource_data (
  network TEXT NOT NULL,
  collection_id TEXT NOT NULL,
  id TEXT NOT NULL,
  data BLOB NOT NULL,
  chain_length INTEGER NOT NULL DEFAULT 0,
  chain_cost INTEGER NOT NULL DEFAULT 0,
  home INTEGER NOT NULL,
  PRIMARY KEY (home, network, collection_id, id)
);
CREATE TABLE ledger_resource_delta (
  network TEXT NOT NULL,
  collection_id TEXT NOT NULL,
  id TEXT NOT NULL,
  base_id TEXT NOT NULL,
  delta BLOB NOT NULL,
  home INTEGER NOT NULL,
  PRIMARY KEY (home, network, collection_id, id)
);
CREATE TABLE ledger_resource_latest (
  network TEXT NOT NULL,
  collection_id TEXT NOT NULL,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  resource_id TEXT NOT NULL,
  versions INTEGER NOT NULL DEFAULT 1,
  home INTEGER NOT NULL,
  PRIMARY KEY (home, network, collection_id, name, type)
);
CREATE TABLE ledger_state (
  network TEXT PRIMARY KEY,
  height BIGINT NOT NULL,
  last_time TEXT NOT NULL
);
CREATE TABLE "private-key" (
  alias varchar NOT NULL,
  type varchar NOT NULL,
  "privateKeyHex" varchar NOT NULL,
  home INTEGER NOT NULL,
  PRIMARY KEY (home, alias)
);
CREATE INDEX "private-key_sealed_head" ON "private-key" (substr("privateKeyHex", 1, 12))
  WHERE "privateKeyHex" LIKE '%.%';
CREATE TABLE publication_pass (
  place TEXT PRIMARY KEY NOT NULL,
  pass BIGINT NOT NULL
);
CREATE TABLE publication_place (
  place TEXT PRIMARY KEY NOT NULL,
  begun_at TEXT NOT NULL
);
CREATE TABLE secret_check (
  id TEXT PRIMARY KEY NOT NULL,
  sealed TEXT NOT NULL
);
CREATE TABLE service (
  id varchar NOT NULL,
  type varchar NOT NULL,
  "serviceEndpoint" varchar NOT NULL,
  description varchar,
  "identifierDid" varchar,
  home INTEGER NOT NULL,
  PRIMARY KEY (home, id)
);
CREATE INDEX service_identifier ON service ("identifierDid");
CREATE TABLE status_list (
  id BIGINT NOT NULL,
  did TEXT NOT NULL,
  name TEXT NOT NULL,
  resource_type TEXT NOT NULL,
  home INTEGER NOT NULL,
  PRIMARY KEY (home, id),
  UNIQUE (home, did, name, resource_type)
);
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
CREATE TABLE status_list_change (
  list_id BIGINT NOT NULL,
  place TEXT NOT NULL,
  content TEXT NOT NULL,
  number BIGINT NOT NULL,
  home INTEGER NOT NULL,
  PRIMARY KEY (home, list_id, place),
  FOREIGN KEY (home, list_id) REFERENCES status_list (home, id)
);
CREATE TABLE status_list_fee_day (
  network TEXT NOT NULL,
  day TEXT NOT NULL,
  account_id TEXT NOT NULL,
  ncheq BIGINT NOT NULL,
  PRIMARY KEY (network, day, account_id)
);
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
CREATE UNIQUE INDEX status_list_job_by_id ON status_list_job (account_id, id, home);
CREATE INDEX status_list_job_by_time ON status_list_job (account_id, created_at, uid) WHERE id IS NOT NULL;
CREATE INDEX status_list_job_ended ON status_list_job (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX status_list_job_uploads ON status_list_job (created_at, account_id, uid) WHERE id IS NULL;
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
CREATE INDEX status_list_job_part_by_id ON status_list_job_part (part_id);
CREATE INDEX "status_list_job_part_sealed_head" ON "status_list_job_part" (substr("sealed", 1, 12))
  WHERE "sealed" LIKE '%.%';
CREATE TABLE status_list_key (
  list_id BIGINT NOT NULL,
  sealed_key TEXT NOT NULL,
  created_at TEXT NOT NULL,
  home INTEGER NOT NULL,
  PRIMARY KEY (home, list_id),
  FOREIGN KEY (home, list_id) REFERENCES status_list (home, id)
);
CREATE INDEX "status_list_key_sealed_head" ON "status_list_key" (substr("sealed_key", 1, 12))
  WHERE "sealed_key" LIKE '%.%';
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
CREATE INDEX status_list_member_expiring ON status_list_member (last_expiry)
  WHERE state IN ('open', 'full') AND last_expiry <> 'never';
CREATE UNIQUE INDEX status_list_member_open
  ON status_list_member (home, did, series, resource_type, expiry_group)
  WHERE state = 'open';
CREATE INDEX status_list_member_ready ON status_list_member (home, did, series, resource_type)
  WHERE state = 'ready';
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
CREATE INDEX "status_list_order_sealed_head" ON "status_list_order" (substr("sealed_key", 1, 12))
  WHERE "sealed_key" LIKE '%.%';
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
CREATE INDEX status_list_payment_of_list
  ON status_list_payment (account_id, network, did, list_name, resource_type, counts_until);
CREATE INDEX status_list_payment_page ON status_list_payment (account_id, paid_at, id)
  WHERE state = 'settled';
CREATE INDEX status_list_payment_settled
  ON status_list_payment (account_id, network, address, amount, paid_at)
  WHERE state = 'settled';
CREATE TABLE status_list_secret_check (
  id TEXT PRIMARY KEY NOT NULL,
  sealed TEXT NOT NULL
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
CREATE TABLE status_list_taken_index (
  list_id BIGINT NOT NULL,
  list_index BIGINT NOT NULL,
  home INTEGER NOT NULL,
  PRIMARY KEY (home, list_id, list_index),
  FOREIGN KEY (home, list_id) REFERENCES status_list (home, id)
);
CREATE TABLE web_did (
  did TEXT NOT NULL,
  account_id TEXT REFERENCES account (id),
  home INTEGER NOT NULL,
  PRIMARY KEY (home, did)
);
CREATE INDEX web_did_account ON web_did (account_id);
CREATE TABLE webhook (
  id TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  url TEXT NOT NULL,
  types TEXT,
  sealed_secret TEXT NOT NULL,
  created_at TEXT NOT NULL,
  revoked_at TEXT,
  revoked_by TEXT,
  delivered_at TEXT,
  failed_at TEXT,
  failed_status INTEGER,
  failed_reason TEXT,
  api_key_id TEXT,
  rule TEXT,
  suspended_at TEXT
);
CREATE INDEX webhook_page ON webhook (account_id, created_at, id);
CREATE INDEX webhook_revoked ON webhook (revoked_at) WHERE revoked_at IS NOT NULL;
CREATE INDEX "webhook_sealed_head" ON "webhook" (substr("sealed_secret", 1, 12))
  WHERE "sealed_secret" LIKE '%.%';
CREATE INDEX webhook_suspended ON webhook (suspended_at) WHERE suspended_at IS NOT NULL;
CREATE TABLE webhook_delivery (
  webhook_id TEXT NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
  event_sequence BIGINT NOT NULL,
  position BIGINT NOT NULL,
  attempts INTEGER NOT NULL,
  since TEXT NOT NULL,
  retry_at TEXT,
  dead_at TEXT,
  failed_at TEXT,
  failed_status INTEGER,
  failed_reason TEXT,
  home INTEGER NOT NULL,
  PRIMARY KEY (webhook_id, position, home)
);
CREATE INDEX webhook_delivery_dead ON webhook_delivery (webhook_id, position) WHERE dead_at IS NOT NULL;
CREATE INDEX webhook_delivery_event ON webhook_delivery (event_sequence);
CREATE INDEX webhook_delivery_waiting ON webhook_delivery (webhook_id, position, retry_at)
  WHERE dead_at IS NULL;
CREATE TABLE webhook_secret_check (
  id TEXT PRIMARY KEY NOT NULL,
  sealed TEXT NOT NULL
);
CREATE TABLE work_item (
  home INTEGER NOT NULL,
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  owner TEXT NOT NULL,
  due_at TEXT NOT NULL,
  since TEXT,
  revision BIGINT NOT NULL,
  fence BIGINT NOT NULL,
  holder TEXT,
  attempts INTEGER NOT NULL,
  payload TEXT,
  failure TEXT,
  PRIMARY KEY (home, kind, key)
);
CREATE INDEX work_item_due ON work_item (kind, due_at);
CREATE INDEX work_item_failed ON work_item (kind, due_at) WHERE attempts > 0;
CREATE INDEX work_item_failed_of ON work_item (owner, kind, due_at) WHERE attempts > 0;
CREATE INDEX work_item_held ON work_item (kind, due_at) WHERE holder IS NOT NULL;
CREATE INDEX work_item_owner ON work_item (owner, kind, due_at);
CREATE INDEX work_item_since ON work_item (kind, since) WHERE since IS NOT NULL;
