import { accountEventsBaseline } from '@vidimus/account-events'
import { accountsBaseline } from '@vidimus/accounts'
import { baseline, sealedHeadIndex } from '@vidimus/database'
import { idempotencyBaseline } from '@vidimus/idempotency'
import { workBaseline } from '@vidimus/work'

/** Keys of accounts. */
const KEYS = `
-- Veramo's tables have one name space for all: stored_kid, stored_alias, stored_did and stored_id below are what a row of an
-- account is called in them.
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
CREATE TABLE "private-key" (
  alias varchar NOT NULL,
  type varchar NOT NULL,
  "privateKeyHex" varchar NOT NULL,
  home INTEGER NOT NULL,
  PRIMARY KEY (home, alias)
);
${sealedHeadIndex('private-key', 'privateKeyHex')};
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
CREATE INDEX account_key_kms ON account_key (home, account_id, kms, kid);
CREATE INDEX account_key_created ON account_key (home, account_id, created_at, kid);
CREATE TABLE account_private_key (
  account_id TEXT NOT NULL REFERENCES account (id),
  alias TEXT NOT NULL,
  stored_alias TEXT NOT NULL,
  home INTEGER NOT NULL,
  PRIMARY KEY (home, account_id, alias),
  UNIQUE (home, stored_alias)
);
-- The networks on which a key has ever controlled a DID of the account, by its public half: the document there may still
-- have it, whatever became of the DID and the key here.
CREATE TABLE account_key_network (
  account_id TEXT NOT NULL REFERENCES account (id),
  public_key TEXT NOT NULL,
  network TEXT NOT NULL,
  home INTEGER NOT NULL,
  PRIMARY KEY (home, account_id, public_key, network)
);
CREATE TABLE secret_check (
  id TEXT PRIMARY KEY NOT NULL,
  sealed TEXT NOT NULL
);
`

/** DIDs of accounts. */
const DIDS = `
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
-- A pending row reserves DID and alias while the DID is being written to a ledger.
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
CREATE INDEX account_did_did ON account_did (did);
CREATE INDEX account_did_provider ON account_did (account_id, provider, did) WHERE pending = 0;
CREATE INDEX account_did_created ON account_did (account_id, created_at, did) WHERE pending = 0;
CREATE INDEX account_did_pending ON account_did (account_id) WHERE pending = 1;
CREATE INDEX account_did_by_alias ON account_did (account_id, alias) WHERE alias IS NOT NULL;
-- A constraint includes one home: those of an account's DIDs differ, so aliases have rows in the home of the account.
CREATE TABLE account_did_alias (
  home INTEGER NOT NULL,
  account_id TEXT NOT NULL REFERENCES account (id),
  alias TEXT NOT NULL,
  did TEXT NOT NULL,
  PRIMARY KEY (home, account_id, alias)
);
-- Veramo's own column key.identifierDid lets a key belong to one DID only.
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
CREATE TABLE web_did (
  did TEXT NOT NULL,
  account_id TEXT REFERENCES account (id),
  home INTEGER NOT NULL,
  PRIMARY KEY (home, did)
);
CREATE INDEX web_did_account ON web_did (account_id);
`

/** What is under way, or must be done later. */
const WORK = `
-- Rotations of the keys of DIDs with their progress, so that any process can continue them.
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
`

const custodyBaseline = baseline({
  room: 'Custody',
  place: 3,
  small: ['secret_check'],
  /** Look-ups that requests repeat. */
  remembered: [
    'account_did',
    'account_did_key',
    'account_key',
    'account_service',
    'key',
    'service',
    'web_did',
  ],
  tables: KEYS + DIDS + WORK,
})

/**
 * The tables of keys and DIDs; of accounts and the audit trail; of the requests that clients may repeat; of the events of accounts, which are
 * written with the rows above; and of what waits.
 */
export const migrations = [
  accountsBaseline,
  accountEventsBaseline,
  custodyBaseline,
  idempotencyBaseline,
  workBaseline,
]
