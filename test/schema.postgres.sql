CREATE OR REPLACE FUNCTION public.audit_event_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $function$ BEGIN RAISE EXCEPTION 'audit_event is append-only'; END $function$ ;
CREATE OR REPLACE FUNCTION public.audit_event_lets_go() RETURNS trigger LANGUAGE plpgsql AS $function$ BEGIN IF NEW.subject IS NULL AND NEW.detail IS NULL AND NEW.address IS NULL AND NEW.token_subject IS NULL AND NEW.sequence IS NOT DISTINCT FROM OLD.sequence AND NEW.time IS NOT DISTINCT FROM OLD.time AND NEW.event IS NOT DISTINCT FROM OLD.event AND NEW.outcome IS NOT DISTINCT FROM OLD.outcome AND NEW.account_id IS NOT DISTINCT FROM OLD.account_id AND NEW.api_key_id IS NOT DISTINCT FROM OLD.api_key_id AND NEW.request_id IS NOT DISTINCT FROM OLD.request_id AND NEW.occurrences IS NOT DISTINCT FROM OLD.occurrences AND NEW.token_issuer IS NOT DISTINCT FROM OLD.token_issuer AND NEW.home IS NOT DISTINCT FROM OLD.home AND NEW.origin IS NOT DISTINCT FROM OLD.origin AND NEW.number IS NOT DISTINCT FROM OLD.number AND OLD.account_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM account a WHERE a.id = OLD.account_id AND a.deletion_began_at IS NULL) THEN RETURN NEW; END IF; RAISE EXCEPTION 'audit_event is append-only'; END $function$ ;
CREATE TABLE account (
  id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  created_at text COLLATE "C" NOT NULL,
  disabled_at text COLLATE "C",
  deletion_began_at text COLLATE "C",
  kms text COLLATE "C",
  PRIMARY KEY (id),
  UNIQUE (name)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE TABLE account_did (
  account_id text COLLATE "C" NOT NULL,
  did text COLLATE "C" NOT NULL,
  stored_did text COLLATE "C" NOT NULL,
  alias text COLLATE "C",
  version integer NOT NULL,
  pending integer NOT NULL,
  created_at text COLLATE "C" NOT NULL,
  provider text COLLATE "C",
  controller_key_id text COLLATE "C",
  home integer NOT NULL,
  PRIMARY KEY (account_id, did, home),
  UNIQUE (home, stored_did),
  FOREIGN KEY (account_id) REFERENCES account(id)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE INDEX account_did_by_alias ON account_did USING btree (account_id, alias) WHERE (alias IS NOT NULL);
CREATE INDEX account_did_created ON account_did USING btree (account_id, created_at, did) WHERE (pending = 0);
CREATE INDEX account_did_did ON account_did USING btree (did);
CREATE INDEX account_did_pending ON account_did USING btree (account_id) WHERE (pending = 1);
CREATE INDEX account_did_provider ON account_did USING btree (account_id, provider, did) WHERE (pending = 0);
CREATE TABLE account_did_alias (
  home integer NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  alias text COLLATE "C" NOT NULL,
  did text COLLATE "C" NOT NULL,
  PRIMARY KEY (home, account_id, alias),
  FOREIGN KEY (account_id) REFERENCES account(id)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE TABLE account_did_key (
  account_id text COLLATE "C" NOT NULL,
  did text COLLATE "C" NOT NULL,
  kid text COLLATE "C" NOT NULL,
  "position" integer NOT NULL,
  home integer NOT NULL,
  PRIMARY KEY (home, account_id, did, kid),
  FOREIGN KEY (home, account_id, kid) REFERENCES account_key(home, account_id, kid) ON DELETE CASCADE
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE INDEX account_did_key_kid ON account_did_key USING btree (home, account_id, kid);
CREATE TABLE account_event (
  sequence bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  "position" bigint,
  account_id text COLLATE "C" NOT NULL,
  "time" text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  details text COLLATE "C",
  home integer NOT NULL,
  PRIMARY KEY (sequence, home),
  UNIQUE (account_id, "position", home)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE INDEX account_event_time ON account_event USING btree ("time");
CREATE INDEX account_event_type ON account_event USING btree (account_id, type, "position");
CREATE INDEX account_event_unplaced ON account_event USING btree (sequence) WHERE ("position" IS NULL);
CREATE TABLE account_event_head (
  account_id text COLLATE "C" NOT NULL,
  last bigint NOT NULL,
  home integer NOT NULL,
  PRIMARY KEY (home, account_id)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE TABLE account_event_keeping (
  id text COLLATE "C" NOT NULL,
  kept_until text COLLATE "C" NOT NULL,
  PRIMARY KEY (id)
);
CREATE TABLE account_key (
  account_id text COLLATE "C" NOT NULL,
  kid text COLLATE "C" NOT NULL,
  stored_kid text COLLATE "C" NOT NULL,
  alias text COLLATE "C",
  created_at text COLLATE "C" NOT NULL,
  kms text COLLATE "C" DEFAULT ''::text NOT NULL,
  certificate_chain text COLLATE "C",
  certificate_expires_at text COLLATE "C",
  home integer NOT NULL,
  PRIMARY KEY (home, account_id, kid),
  UNIQUE (home, account_id, alias),
  UNIQUE (home, stored_kid),
  FOREIGN KEY (account_id) REFERENCES account(id)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE INDEX account_key_certificate_expires_at ON account_key USING btree (certificate_expires_at) WHERE (certificate_expires_at IS NOT NULL);
CREATE INDEX account_key_created ON account_key USING btree (home, account_id, created_at, kid);
CREATE INDEX account_key_kms ON account_key USING btree (home, account_id, kms, kid);
CREATE TABLE account_key_network (
  account_id text COLLATE "C" NOT NULL,
  public_key text COLLATE "C" NOT NULL,
  network text COLLATE "C" NOT NULL,
  home integer NOT NULL,
  PRIMARY KEY (home, account_id, public_key, network),
  FOREIGN KEY (account_id) REFERENCES account(id)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE TABLE account_private_key (
  account_id text COLLATE "C" NOT NULL,
  alias text COLLATE "C" NOT NULL,
  stored_alias text COLLATE "C" NOT NULL,
  home integer NOT NULL,
  PRIMARY KEY (home, account_id, alias),
  UNIQUE (home, stored_alias),
  FOREIGN KEY (account_id) REFERENCES account(id)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE TABLE account_quota (
  account_id text COLLATE "C" NOT NULL,
  quota text COLLATE "C" NOT NULL,
  most bigint NOT NULL,
  PRIMARY KEY (account_id, quota),
  FOREIGN KEY (account_id) REFERENCES account(id)
);
CREATE TABLE account_service (
  account_id text COLLATE "C" NOT NULL,
  did text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  stored_id text COLLATE "C" NOT NULL,
  "position" integer NOT NULL,
  home integer NOT NULL,
  PRIMARY KEY (home, account_id, did, id),
  UNIQUE (home, stored_id),
  FOREIGN KEY (home, account_id, did) REFERENCES account_did(home, account_id, did) ON DELETE CASCADE
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE TABLE account_tally (
  account_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  n bigint NOT NULL,
  home integer NOT NULL,
  PRIMARY KEY (account_id, kind, home),
  FOREIGN KEY (account_id) REFERENCES account(id)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE TABLE api_key (
  id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  name text COLLATE "C",
  hash text COLLATE "C" NOT NULL,
  prefix_shown text COLLATE "C" NOT NULL,
  created_at text COLLATE "C" NOT NULL,
  expires_at text COLLATE "C",
  revoked_at text COLLATE "C",
  scopes text COLLATE "C",
  networks text COLLATE "C",
  last_used_at text COLLATE "C",
  rotated_to text COLLATE "C",
  token_issuer text COLLATE "C",
  PRIMARY KEY (id),
  UNIQUE (hash),
  FOREIGN KEY (account_id) REFERENCES account(id)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE INDEX api_key_page ON api_key USING btree (account_id, created_at, id);
CREATE TABLE audit_event (
  sequence bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  "time" text COLLATE "C" NOT NULL,
  event text COLLATE "C" NOT NULL,
  outcome text COLLATE "C" NOT NULL,
  account_id text COLLATE "C",
  api_key_id text COLLATE "C",
  address text COLLATE "C",
  request_id text COLLATE "C",
  subject text COLLATE "C",
  detail text COLLATE "C",
  occurrences integer NOT NULL,
  token_issuer text COLLATE "C",
  token_subject text COLLATE "C",
  home integer NOT NULL,
  origin text COLLATE "C",
  number bigint,
  PRIMARY KEY (sequence, home)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE INDEX audit_event_event ON audit_event USING btree (event, sequence);
CREATE UNIQUE INDEX audit_event_identity ON audit_event USING btree (home, origin, event, number) WHERE (origin IS NOT NULL);
CREATE INDEX audit_event_of_account ON audit_event USING btree (account_id, ((sequence + 0)));
CREATE INDEX audit_event_time ON audit_event USING btree ("time");
CREATE TRIGGER audit_event_guard BEFORE DELETE ON audit_event FOR EACH ROW EXECUTE FUNCTION audit_event_is_append_only();
CREATE TRIGGER audit_event_truncate_guard BEFORE TRUNCATE ON audit_event FOR EACH STATEMENT EXECUTE FUNCTION audit_event_is_append_only();
CREATE TRIGGER audit_event_update_guard BEFORE UPDATE ON audit_event FOR EACH ROW EXECUTE FUNCTION audit_event_lets_go();
CREATE TABLE cheqd_known_height (
  network text COLLATE "C" NOT NULL,
  chain_id text COLLATE "C" NOT NULL,
  height bigint NOT NULL,
  noted_at text COLLATE "C" NOT NULL,
  missed_since text COLLATE "C",
  PRIMARY KEY (network, chain_id)
);
CREATE TABLE cheqd_message (
  id text COLLATE "C" NOT NULL,
  network text COLLATE "C" NOT NULL,
  payer text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  slot text COLLATE "C",
  expected_previous text COLLATE "C",
  memo text COLLATE "C" NOT NULL,
  message bytea NOT NULL,
  state text COLLATE "C" NOT NULL,
  alone integer NOT NULL,
  attempts integer NOT NULL,
  gas_attempts integer NOT NULL,
  tx_hash text COLLATE "C",
  height bigint,
  result bytea,
  error text COLLATE "C",
  queued_at text COLLATE "C" NOT NULL,
  finished_at text COLLATE "C",
  account_id text COLLATE "C" DEFAULT ''::text NOT NULL,
  fee bigint DEFAULT 0 NOT NULL,
  day text COLLATE "C" DEFAULT ''::text NOT NULL,
  paid bigint,
  PRIMARY KEY (id),
  UNIQUE (network, slot)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE INDEX cheqd_message_by_state ON cheqd_message USING btree (network, payer, state, queued_at, id);
CREATE INDEX cheqd_message_by_subject ON cheqd_message USING btree (network, subject, kind);
CREATE TABLE cheqd_sent (
  network text COLLATE "C" NOT NULL,
  payer text COLLATE "C" NOT NULL,
  mark text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  executed bigint NOT NULL,
  PRIMARY KEY (network, payer)
);
CREATE TABLE cheqd_spend_day (
  network text COLLATE "C" NOT NULL,
  day text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  ncheq bigint NOT NULL,
  PRIMARY KEY (network, day, account_id)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE TABLE cheqd_transaction (
  network text COLLATE "C" NOT NULL,
  hash text COLLATE "C" NOT NULL,
  payer text COLLATE "C" NOT NULL,
  sequence bigint NOT NULL,
  timeout_height bigint NOT NULL,
  message_ids text COLLATE "C" NOT NULL,
  bytes bytea NOT NULL,
  signed_at text COLLATE "C" NOT NULL,
  PRIMARY KEY (network, hash)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE INDEX cheqd_transaction_by_payer ON cheqd_transaction USING btree (network, payer, sequence);
CREATE TABLE console_session (
  hash text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  issuer text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  sealed_claims text COLLATE "C" NOT NULL,
  id text COLLATE "C",
  created_at text COLLATE "C" NOT NULL,
  used_at text COLLATE "C" NOT NULL,
  PRIMARY KEY (hash),
  FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE INDEX console_session_account ON console_session USING btree (account_id);
CREATE INDEX console_session_sealed_head ON console_session USING btree (substr(sealed_claims, 1, 12)) WHERE (sealed_claims ~~ '%.%'::text);
CREATE INDEX console_session_used ON console_session USING btree (used_at);
CREATE TABLE console_session_check (
  id text COLLATE "C" NOT NULL,
  sealed text COLLATE "C" NOT NULL,
  PRIMARY KEY (id)
);
CREATE TABLE console_sign_in (
  hash text COLLATE "C" NOT NULL,
  used_at text COLLATE "C" NOT NULL,
  PRIMARY KEY (hash)
);
CREATE INDEX console_sign_in_used ON console_sign_in USING btree (used_at);
CREATE TABLE credential_entry (
  account_id text COLLATE "C" NOT NULL,
  list_id bigint NOT NULL,
  list_index bigint NOT NULL,
  credential_hash text COLLATE "C" NOT NULL,
  signing_key_hash text COLLATE "C" NOT NULL,
  status_purpose text COLLATE "C",
  issued_at text COLLATE "C" NOT NULL,
  expires_at text COLLATE "C",
  home integer NOT NULL,
  PRIMARY KEY (account_id, list_id, list_index, credential_hash, signing_key_hash, home),
  FOREIGN KEY (account_id) REFERENCES account(id)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE INDEX credential_entry_by_credential ON credential_entry USING btree (account_id, credential_hash);
CREATE INDEX credential_entry_by_key ON credential_entry USING btree (account_id, signing_key_hash, expires_at);
CREATE INDEX credential_entry_expired ON credential_entry USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE TABLE credential_register_key (
  account_id text COLLATE "C" NOT NULL,
  sealed_key text COLLATE "C" NOT NULL,
  home integer NOT NULL,
  PRIMARY KEY (account_id, home),
  FOREIGN KEY (account_id) REFERENCES account(id)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE INDEX credential_register_key_sealed_head ON credential_register_key USING btree (substr(sealed_key, 1, 12)) WHERE (sealed_key ~~ '%.%'::text);
CREATE TABLE database_restore (
  id text COLLATE "C" NOT NULL,
  begun_at text COLLATE "C" NOT NULL,
  ended_at text COLLATE "C",
  PRIMARY KEY (id)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE INDEX database_restore_ended ON database_restore USING btree (ended_at);
CREATE TABLE did_rotation (
  home integer NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  did text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  kid text COLLATE "C" NOT NULL,
  kms text COLLATE "C" NOT NULL,
  former_kid text COLLATE "C" NOT NULL,
  grace_period text COLLATE "C",
  lists_after text COLLATE "C",
  lists_signed integer NOT NULL,
  started_at text COLLATE "C" NOT NULL,
  signs_since text COLLATE "C",
  removes_at text COLLATE "C",
  ended_at text COLLATE "C",
  failure text COLLATE "C",
  PRIMARY KEY (home, account_id, did),
  FOREIGN KEY (account_id) REFERENCES account(id)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE INDEX did_rotation_account ON did_rotation USING btree (account_id);
CREATE TABLE home_version (
  home integer NOT NULL,
  part integer NOT NULL,
  slot integer NOT NULL,
  version bigint NOT NULL,
  PRIMARY KEY (home, part, slot)
) WITH (fillfactor=50, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE TABLE idempotency_record (
  id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  key_digest text COLLATE "C" NOT NULL,
  content_digest text COLLATE "C" NOT NULL,
  holder text COLLATE "C",
  sealed_answer text COLLATE "C",
  expires_at text COLLATE "C" NOT NULL,
  answer_bytes bigint DEFAULT 0 NOT NULL,
  presence text COLLATE "C",
  home integer NOT NULL,
  PRIMARY KEY (home, id),
  UNIQUE (home, account_id, key_digest),
  FOREIGN KEY (account_id) REFERENCES account(id)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE INDEX idempotency_record_expiry ON idempotency_record USING btree (expires_at);
CREATE INDEX idempotency_record_sealed_head ON idempotency_record USING btree (substr(sealed_answer, 1, 12)) WHERE (sealed_answer ~~ '%.%'::text);
CREATE TABLE idempotent_creation (
  mark text COLLATE "C" NOT NULL,
  record_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  did text COLLATE "C",
  kid text COLLATE "C",
  api_key_id text COLLATE "C",
  home integer NOT NULL,
  change text COLLATE "C",
  PRIMARY KEY (home, mark),
  FOREIGN KEY (api_key_id) REFERENCES api_key(id) ON DELETE CASCADE,
  FOREIGN KEY (home, account_id, kid) REFERENCES account_key(home, account_id, kid) ON DELETE CASCADE
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE INDEX idempotent_creation_api_key ON idempotent_creation USING btree (api_key_id) WHERE (api_key_id IS NOT NULL);
CREATE INDEX idempotent_creation_did ON idempotent_creation USING btree (account_id, did) WHERE (did IS NOT NULL);
CREATE INDEX idempotent_creation_kid ON idempotent_creation USING btree (account_id, kid) WHERE (kid IS NOT NULL);
CREATE INDEX idempotent_creation_record ON idempotent_creation USING btree (record_id);
CREATE INDEX idempotent_creation_sealed_head ON idempotent_creation USING btree (substr(change, 1, 12)) WHERE (change ~~ '%.%'::text);
CREATE TABLE key (
  kid character varying COLLATE "C" NOT NULL,
  kms character varying COLLATE "C" NOT NULL,
  type character varying COLLATE "C" NOT NULL,
  "publicKeyHex" character varying COLLATE "C" NOT NULL,
  meta text COLLATE "C",
  "identifierDid" character varying COLLATE "C",
  home integer NOT NULL,
  PRIMARY KEY (home, kid)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE INDEX key_identifier ON key USING btree ("identifierDid");
CREATE INDEX key_public_key ON key USING btree ("publicKeyHex");
CREATE TABLE ledger_account (
  network text COLLATE "C" NOT NULL,
  address text COLLATE "C" NOT NULL,
  balance text COLLATE "C" NOT NULL,
  seeded text COLLATE "C",
  PRIMARY KEY (network, address)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE TABLE ledger_did (
  network text COLLATE "C" NOT NULL,
  did text COLLATE "C" NOT NULL,
  latest_version_id text COLLATE "C" NOT NULL,
  deactivated integer NOT NULL,
  height bigint DEFAULT 0 NOT NULL,
  last_time text COLLATE "C" DEFAULT ''::text NOT NULL,
  home integer NOT NULL,
  PRIMARY KEY (home, network, did)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE TABLE ledger_did_version (
  network text COLLATE "C" NOT NULL,
  did text COLLATE "C" NOT NULL,
  version_id text COLLATE "C" NOT NULL,
  height bigint NOT NULL,
  previous_version_id text COLLATE "C" NOT NULL,
  next_version_id text COLLATE "C" NOT NULL,
  created text COLLATE "C" NOT NULL,
  updated text COLLATE "C",
  doc text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" DEFAULT ''::text NOT NULL,
  home integer NOT NULL,
  PRIMARY KEY (home, network, did, version_id),
  UNIQUE (home, network, did, previous_version_id)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE INDEX ledger_did_version_by_time ON ledger_did_version USING btree (network, did, COALESCE(updated, created));
CREATE TABLE ledger_payment (
  network text COLLATE "C" NOT NULL,
  hash text COLLATE "C" NOT NULL,
  height bigint NOT NULL,
  "time" text COLLATE "C" NOT NULL,
  sender text COLLATE "C" NOT NULL,
  recipient text COLLATE "C" NOT NULL,
  amount text COLLATE "C" NOT NULL,
  memo text COLLATE "C" NOT NULL,
  PRIMARY KEY (network, hash),
  UNIQUE (network, height)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE INDEX ledger_payment_by_memo ON ledger_payment USING btree (network, recipient, memo);
CREATE INDEX ledger_payment_by_recipient ON ledger_payment USING btree (network, recipient, height);
CREATE TABLE ledger_resource (
  network text COLLATE "C" NOT NULL,
  collection_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  height bigint NOT NULL,
  name text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  version text COLLATE "C" NOT NULL,
  media_type text COLLATE "C" NOT NULL,
  created text COLLATE "C" NOT NULL,
  checksum text COLLATE "C" NOT NULL,
  also_known_as text COLLATE "C" NOT NULL,
  size integer NOT NULL,
  previous_version_id text COLLATE "C" NOT NULL,
  next_version_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" DEFAULT ''::text NOT NULL,
  counts_as text COLLATE "C" DEFAULT ''::text NOT NULL,
  home integer NOT NULL,
  PRIMARY KEY (home, network, collection_id, id),
  UNIQUE (name, type, home, network, collection_id, previous_version_id)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE INDEX ledger_resource_by_checksum ON ledger_resource USING btree (name, type, network, collection_id, checksum, created);
CREATE INDEX ledger_resource_by_height ON ledger_resource USING btree ((((network || ' '::text) || collection_id)), home, height);
CREATE INDEX ledger_resource_by_time ON ledger_resource USING btree (name, type, network, collection_id, created);
CREATE INDEX ledger_resource_by_version ON ledger_resource USING btree (name, type, network, collection_id, version, created) WHERE (version <> ''::text);
CREATE TABLE ledger_resource_data (
  network text COLLATE "C" NOT NULL,
  collection_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  data bytea NOT NULL,
  chain_length integer DEFAULT 0 NOT NULL,
  chain_cost integer DEFAULT 0 NOT NULL,
  home integer NOT NULL,
  PRIMARY KEY (home, network, collection_id, id)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE TABLE ledger_resource_delta (
  network text COLLATE "C" NOT NULL,
  collection_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  base_id text COLLATE "C" NOT NULL,
  delta bytea NOT NULL,
  home integer NOT NULL,
  PRIMARY KEY (home, network, collection_id, id)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE TABLE ledger_resource_latest (
  network text COLLATE "C" NOT NULL,
  collection_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  resource_id text COLLATE "C" NOT NULL,
  versions integer DEFAULT 1 NOT NULL,
  home integer NOT NULL,
  PRIMARY KEY (home, network, collection_id, name, type)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE TABLE ledger_state (
  network text COLLATE "C" NOT NULL,
  height bigint NOT NULL,
  last_time text COLLATE "C" NOT NULL,
  PRIMARY KEY (network)
);
CREATE TABLE "private-key" (
  alias character varying COLLATE "C" NOT NULL,
  type character varying COLLATE "C" NOT NULL,
  "privateKeyHex" character varying COLLATE "C" NOT NULL,
  home integer NOT NULL,
  PRIMARY KEY (home, alias)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE INDEX "private-key_sealed_head" ON "private-key" USING btree (substr(("privateKeyHex")::text, 1, 12)) WHERE (("privateKeyHex")::text ~~ '%.%'::text);
CREATE TABLE publication_pass (
  place text COLLATE "C" NOT NULL,
  pass bigint NOT NULL,
  PRIMARY KEY (place)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE TABLE publication_place (
  place text COLLATE "C" NOT NULL,
  begun_at text COLLATE "C" NOT NULL,
  PRIMARY KEY (place)
);
CREATE TABLE secret_check (
  id text COLLATE "C" NOT NULL,
  sealed text COLLATE "C" NOT NULL,
  PRIMARY KEY (id)
);
CREATE TABLE service (
  id character varying COLLATE "C" NOT NULL,
  type character varying COLLATE "C" NOT NULL,
  "serviceEndpoint" character varying COLLATE "C" NOT NULL,
  description character varying COLLATE "C",
  "identifierDid" character varying COLLATE "C",
  home integer NOT NULL,
  PRIMARY KEY (home, id)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE INDEX service_identifier ON service USING btree ("identifierDid");
CREATE TABLE shared_home_version (
  part integer NOT NULL,
  slot integer NOT NULL,
  version bigint NOT NULL,
  PRIMARY KEY (part, slot)
) WITH (fillfactor=50, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE TABLE status_list (
  id bigint NOT NULL,
  did text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  resource_type text COLLATE "C" NOT NULL,
  home integer NOT NULL,
  PRIMARY KEY (home, id),
  UNIQUE (home, did, name, resource_type)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE TABLE status_list_address (
  id text COLLATE "C" NOT NULL,
  did text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  resource_type text COLLATE "C" NOT NULL,
  url text COLLATE "C",
  settled integer NOT NULL,
  home integer NOT NULL,
  PRIMARY KEY (id, home)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE INDEX status_list_address_by_type ON status_list_address USING btree (resource_type, did) WHERE (url IS NOT NULL);
CREATE TABLE status_list_change (
  list_id bigint NOT NULL,
  place text COLLATE "C" NOT NULL,
  content text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  home integer NOT NULL,
  PRIMARY KEY (home, list_id, place),
  FOREIGN KEY (home, list_id) REFERENCES status_list(home, id)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE TABLE status_list_fee_day (
  network text COLLATE "C" NOT NULL,
  day text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  ncheq bigint NOT NULL,
  PRIMARY KEY (network, day, account_id)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE TABLE status_list_job (
  account_id text COLLATE "C" NOT NULL,
  uid text COLLATE "C" NOT NULL,
  id text COLLATE "C",
  state text COLLATE "C" NOT NULL,
  dry_run integer NOT NULL,
  row_count bigint NOT NULL,
  applied bigint NOT NULL,
  refused bigint NOT NULL,
  checksum text COLLATE "C",
  select_after text COLLATE "C",
  part_count bigint NOT NULL,
  api_key_id text COLLATE "C",
  networks text COLLATE "C",
  holder text COLLATE "C",
  failure text COLLATE "C",
  created_at text COLLATE "C" NOT NULL,
  ended_at text COLLATE "C",
  home integer NOT NULL,
  ordered text COLLATE "C",
  rule text COLLATE "C",
  PRIMARY KEY (account_id, uid, home),
  FOREIGN KEY (account_id) REFERENCES account(id)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE UNIQUE INDEX status_list_job_by_id ON status_list_job USING btree (account_id, id, home);
CREATE INDEX status_list_job_by_time ON status_list_job USING btree (account_id, created_at, uid) WHERE (id IS NOT NULL);
CREATE INDEX status_list_job_ended ON status_list_job USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX status_list_job_uploads ON status_list_job USING btree (created_at, account_id, uid) WHERE (id IS NULL);
CREATE TABLE status_list_job_part (
  account_id text COLLATE "C" NOT NULL,
  job_uid text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  list bigint NOT NULL,
  place bigint NOT NULL,
  part_id text COLLATE "C" NOT NULL,
  sealed text COLLATE "C" NOT NULL,
  home integer NOT NULL,
  PRIMARY KEY (account_id, job_uid, kind, list, place, home),
  FOREIGN KEY (account_id) REFERENCES account(id)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE INDEX status_list_job_part_by_id ON status_list_job_part USING btree (part_id);
CREATE INDEX status_list_job_part_sealed_head ON status_list_job_part USING btree (substr(sealed, 1, 12)) WHERE (sealed ~~ '%.%'::text);
CREATE TABLE status_list_key (
  list_id bigint NOT NULL,
  sealed_key text COLLATE "C" NOT NULL,
  created_at text COLLATE "C" NOT NULL,
  home integer NOT NULL,
  PRIMARY KEY (home, list_id),
  FOREIGN KEY (home, list_id) REFERENCES status_list(home, id)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE INDEX status_list_key_sealed_head ON status_list_key USING btree (substr(sealed_key, 1, 12)) WHERE (sealed_key ~~ '%.%'::text);
CREATE TABLE status_list_member (
  home integer NOT NULL,
  did text COLLATE "C" NOT NULL,
  series text COLLATE "C" NOT NULL,
  resource_type text COLLATE "C" NOT NULL,
  member integer NOT NULL,
  state text COLLATE "C" NOT NULL,
  expiry_group text COLLATE "C",
  resource_id text COLLATE "C" NOT NULL,
  last_expiry text COLLATE "C",
  CHECK ((state = ANY (ARRAY['begun'::text, 'taken'::text, 'ready'::text, 'open'::text, 'full'::text, 'closed'::text]))),
  PRIMARY KEY (home, did, series, member, resource_type)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE INDEX status_list_member_expiring ON status_list_member USING btree (last_expiry) WHERE ((state = ANY (ARRAY['open'::text, 'full'::text])) AND (last_expiry <> 'never'::text));
CREATE UNIQUE INDEX status_list_member_open ON status_list_member USING btree (home, did, series, resource_type, expiry_group) WHERE (state = 'open'::text);
CREATE INDEX status_list_member_ready ON status_list_member USING btree (home, did, series, resource_type) WHERE (state = 'ready'::text);
CREATE TABLE status_list_order (
  list_id bigint NOT NULL,
  sealed_key text COLLATE "C" NOT NULL,
  entries bigint NOT NULL,
  "position" bigint NOT NULL,
  restore_id text COLLATE "C",
  allocated bigint NOT NULL,
  told_nearly_full integer NOT NULL,
  home integer NOT NULL,
  PRIMARY KEY (home, list_id),
  FOREIGN KEY (home, list_id) REFERENCES status_list(home, id)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE INDEX status_list_order_sealed_head ON status_list_order USING btree (substr(sealed_key, 1, 12)) WHERE (sealed_key ~~ '%.%'::text);
CREATE TABLE status_list_pace (
  list_id bigint NOT NULL,
  publish_every text COLLATE "C" NOT NULL,
  always integer NOT NULL,
  started_at text COLLATE "C" NOT NULL,
  made integer NOT NULL,
  stored bigint NOT NULL,
  published bigint NOT NULL,
  waiting_since text COLLATE "C",
  hurried_until text COLLATE "C",
  home integer NOT NULL,
  PRIMARY KEY (home, list_id),
  FOREIGN KEY (home, list_id) REFERENCES status_list(home, id)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE INDEX status_list_pace_waiting ON status_list_pace USING btree (waiting_since) WHERE (waiting_since IS NOT NULL);
CREATE TABLE status_list_payment (
  id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  network text COLLATE "C" NOT NULL,
  did text COLLATE "C" NOT NULL,
  list_name text COLLATE "C" NOT NULL,
  resource_type text COLLATE "C" NOT NULL,
  address text COLLATE "C" NOT NULL,
  amount text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  holder text COLLATE "C" NOT NULL,
  begun_at text COLLATE "C" NOT NULL,
  tx_hash text COLLATE "C",
  paid_at text COLLATE "C",
  condition_number bigint DEFAULT 0 NOT NULL,
  conditions bigint DEFAULT 1 NOT NULL,
  window_ms bigint DEFAULT 0 NOT NULL,
  counts_until text COLLATE "C" DEFAULT ''::text NOT NULL,
  day text COLLATE "C" DEFAULT ''::text NOT NULL,
  CHECK ((state = ANY (ARRAY['begun'::text, 'settled'::text]))),
  PRIMARY KEY (id)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE UNIQUE INDEX status_list_payment_begun ON status_list_payment USING btree (account_id, network, address, amount) WHERE (state = 'begun'::text);
CREATE INDEX status_list_payment_of_list ON status_list_payment USING btree (account_id, network, did, list_name, resource_type, counts_until);
CREATE INDEX status_list_payment_page ON status_list_payment USING btree (account_id, paid_at, id) WHERE (state = 'settled'::text);
CREATE INDEX status_list_payment_settled ON status_list_payment USING btree (account_id, network, address, amount, paid_at) WHERE (state = 'settled'::text);
CREATE TABLE status_list_secret_check (
  id text COLLATE "C" NOT NULL,
  sealed text COLLATE "C" NOT NULL,
  PRIMARY KEY (id)
);
CREATE TABLE status_list_series (
  home integer NOT NULL,
  did text COLLATE "C" NOT NULL,
  series text COLLATE "C" NOT NULL,
  resource_type text COLLATE "C" NOT NULL,
  template text COLLATE "C" NOT NULL,
  period text COLLATE "C",
  PRIMARY KEY (home, did, series, resource_type)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE TABLE status_list_taken_index (
  list_id bigint NOT NULL,
  list_index bigint NOT NULL,
  home integer NOT NULL,
  PRIMARY KEY (home, list_id, list_index),
  FOREIGN KEY (home, list_id) REFERENCES status_list(home, id)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE TABLE web_did (
  did text COLLATE "C" NOT NULL,
  account_id text COLLATE "C",
  home integer NOT NULL,
  PRIMARY KEY (home, did),
  FOREIGN KEY (account_id) REFERENCES account(id)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE INDEX web_did_account ON web_did USING btree (account_id);
CREATE TABLE webhook (
  id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  url text COLLATE "C" NOT NULL,
  types text COLLATE "C",
  sealed_secret text COLLATE "C" NOT NULL,
  created_at text COLLATE "C" NOT NULL,
  revoked_at text COLLATE "C",
  revoked_by text COLLATE "C",
  delivered_at text COLLATE "C",
  failed_at text COLLATE "C",
  failed_status integer,
  failed_reason text COLLATE "C",
  api_key_id text COLLATE "C",
  rule text COLLATE "C",
  suspended_at text COLLATE "C",
  PRIMARY KEY (id),
  FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE INDEX webhook_page ON webhook USING btree (account_id, created_at, id);
CREATE INDEX webhook_revoked ON webhook USING btree (revoked_at) WHERE (revoked_at IS NOT NULL);
CREATE INDEX webhook_sealed_head ON webhook USING btree (substr(sealed_secret, 1, 12)) WHERE (sealed_secret ~~ '%.%'::text);
CREATE INDEX webhook_suspended ON webhook USING btree (suspended_at) WHERE (suspended_at IS NOT NULL);
CREATE TABLE webhook_delivery (
  webhook_id text COLLATE "C" NOT NULL,
  event_sequence bigint NOT NULL,
  "position" bigint NOT NULL,
  attempts integer NOT NULL,
  since text COLLATE "C" NOT NULL,
  retry_at text COLLATE "C",
  dead_at text COLLATE "C",
  failed_at text COLLATE "C",
  failed_status integer,
  failed_reason text COLLATE "C",
  home integer NOT NULL,
  PRIMARY KEY (webhook_id, "position", home),
  FOREIGN KEY (webhook_id) REFERENCES webhook(id) ON DELETE CASCADE
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE INDEX webhook_delivery_dead ON webhook_delivery USING btree (webhook_id, "position") WHERE (dead_at IS NOT NULL);
CREATE INDEX webhook_delivery_event ON webhook_delivery USING btree (event_sequence);
CREATE INDEX webhook_delivery_waiting ON webhook_delivery USING btree (webhook_id, "position", retry_at) WHERE (dead_at IS NULL);
CREATE TABLE webhook_secret_check (
  id text COLLATE "C" NOT NULL,
  sealed text COLLATE "C" NOT NULL,
  PRIMARY KEY (id)
);
CREATE TABLE work_item (
  home integer NOT NULL,
  kind text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  owner text COLLATE "C" NOT NULL,
  due_at text COLLATE "C" NOT NULL,
  since text COLLATE "C",
  revision bigint NOT NULL,
  fence bigint NOT NULL,
  holder text COLLATE "C",
  attempts integer NOT NULL,
  payload text COLLATE "C",
  failure text COLLATE "C",
  PRIMARY KEY (home, kind, key)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
CREATE INDEX work_item_due ON work_item USING btree (kind, due_at);
CREATE INDEX work_item_failed ON work_item USING btree (kind, due_at) WHERE (attempts > 0);
CREATE INDEX work_item_failed_of ON work_item USING btree (owner, kind, due_at) WHERE (attempts > 0);
CREATE INDEX work_item_held ON work_item USING btree (kind, due_at) WHERE (holder IS NOT NULL);
CREATE INDEX work_item_owner ON work_item USING btree (owner, kind, due_at);
CREATE INDEX work_item_since ON work_item USING btree (kind, since) WHERE (since IS NOT NULL);
