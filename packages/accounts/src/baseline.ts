import { baseline } from '@vidimus/database'

/** What identifies a deleted account: the trail drops it. */
const LET_GO = ['subject', 'detail', 'address', 'token_subject']
const SAME = [
  ...['sequence', 'time', 'event', 'outcome', 'account_id', 'api_key_id', 'request_id', 'occurrences'],
  ...['token_issuer', 'home', 'origin', 'number'],
]

/** @param is - how a dialect compares values that may be NULL */
const letsGo = (is: string): string =>
  [
    ...LET_GO.map((column) => `NEW.${column} IS NULL`),
    ...SAME.map((column) => `NEW.${column} ${is} OLD.${column}`),
    'OLD.account_id IS NOT NULL',
    'NOT EXISTS (SELECT 1 FROM account a WHERE a.id = OLD.account_id AND a.deletion_began_at IS NULL)',
  ].join(' AND ')

const REFUSAL = 'audit_event is append-only'

/** Accounts, their API keys and quotas, what is counted for them, and the audit trail. */
export const accountsBaseline = baseline({
  room: 'Accounts',
  place: 1,
  small: ['account_quota'],
  /** Look-ups that requests repeat. */
  remembered: ['account', 'api_key'],
  tables: `
CREATE TABLE account (
  id TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL UNIQUE,
  created_at TEXT NOT NULL,
  disabled_at TEXT,
  deletion_began_at TEXT,
  kms TEXT
);
-- scopes and networks are JSON lists; none at all: not limited. token_issuer: the identity provider whose token made the
-- key, which works only as long as it is configured.
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
CREATE TABLE account_quota (
  account_id TEXT NOT NULL REFERENCES account (id),
  quota TEXT NOT NULL,
  most BIGINT NOT NULL,
  PRIMARY KEY (account_id, quota)
);
-- What an account has, counted for each home and added up.
CREATE TABLE account_tally (
  account_id TEXT NOT NULL REFERENCES account (id),
  kind TEXT NOT NULL,
  n BIGINT NOT NULL,
  home INTEGER NOT NULL,
  PRIMARY KEY (account_id, kind, home)
);
-- Without foreign keys: what happened stays true whatever becomes of those that it happened to. Numbers are never given
-- twice, so that a gap at the end shows as well. A row that is written later has an identity (origin, number): one whose
-- COMMIT was not confirmed is not written a second time.
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
CREATE INDEX audit_event_time ON audit_event (time);
CREATE INDEX audit_event_event ON audit_event (event, sequence);
-- An expression that the primary key does not have: with few accounts PostgreSQL would read that backwards, and all rows of
-- the others for an account that has few.
CREATE INDEX audit_event_of_account ON audit_event (account_id, (sequence + 0));
CREATE UNIQUE INDEX audit_event_identity ON audit_event (home, origin, event, number)
  WHERE origin IS NOT NULL;
`,
  only: {
    sqlite: `
CREATE TRIGGER audit_event_no_delete BEFORE DELETE ON audit_event
    BEGIN SELECT RAISE(ABORT, '${REFUSAL}'); END;
CREATE TRIGGER audit_event_no_update BEFORE UPDATE ON audit_event
    WHEN NOT (${letsGo('IS')}) BEGIN SELECT RAISE(ABORT, '${REFUSAL}'); END;
`,
    // The trigger against deletion looks at each row: where tables are distributed, those of whole statements do not run.
    postgres: `
CREATE FUNCTION audit_event_is_append_only() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION '${REFUSAL}'; END $$;
CREATE FUNCTION audit_event_lets_go() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN IF ${letsGo('IS NOT DISTINCT FROM')} THEN RETURN NEW; END IF; RAISE EXCEPTION '${REFUSAL}'; END $$;
CREATE TRIGGER audit_event_guard BEFORE DELETE ON audit_event
  FOR EACH ROW EXECUTE FUNCTION audit_event_is_append_only();
CREATE TRIGGER audit_event_truncate_guard BEFORE TRUNCATE ON audit_event
  FOR EACH STATEMENT EXECUTE FUNCTION audit_event_is_append_only();
CREATE TRIGGER audit_event_update_guard BEFORE UPDATE ON audit_event
  FOR EACH ROW EXECUTE FUNCTION audit_event_lets_go();
`,
  },
})
