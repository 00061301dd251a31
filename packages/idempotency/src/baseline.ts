import { baseline, sealedHeadIndex } from '@vidimus/database'

/** Requests that clients may repeat, their answers, and what they have created. */
export const idempotencyBaseline = baseline({
  room: 'Idempotency',
  place: 4,
  tables: `
-- Neither key nor request can be read from the digests. Without a holder nothing works on it.
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
${sealedHeadIndex('idempotency_record', 'sealed_answer')};
-- A mark is deleted with its creation: an undone creation can be repeated.
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
CREATE INDEX idempotent_creation_record ON idempotent_creation (record_id);
CREATE INDEX idempotent_creation_did ON idempotent_creation (account_id, did) WHERE did IS NOT NULL;
CREATE INDEX idempotent_creation_kid ON idempotent_creation (account_id, kid) WHERE kid IS NOT NULL;
CREATE INDEX idempotent_creation_api_key ON idempotent_creation (api_key_id) WHERE api_key_id IS NOT NULL;
${sealedHeadIndex('idempotent_creation', 'change')};
`,
})
