import { baseline } from '@vidimus/database'

/** DIDs and their resources, with all versions. */
const DOCUMENTS = `
CREATE TABLE ledger_state (
  network TEXT PRIMARY KEY,
  height BIGINT NOT NULL,
  last_time TEXT NOT NULL
);
-- A last_time of '' is before all others.
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
-- '' means "none" in the columns of version links: NULLs would not collide in a unique constraint.
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
-- In the constraint against forks, and in indices, the name comes first: only the primary key may begin with its columns, or a
-- generic plan considers another index as good, and scans all versions of the collection.
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
CREATE INDEX ledger_resource_by_time ON ledger_resource (name, type, network, collection_id, created);
CREATE INDEX ledger_resource_by_checksum
  ON ledger_resource (name, type, network, collection_id, checksum, created);
-- Versions of status lists rarely have a name: an entry would take a sixth of their size beside the content.
CREATE INDEX ledger_resource_by_version
  ON ledger_resource (name, type, network, collection_id, version, created)
  WHERE version <> '';
CREATE INDEX ledger_resource_by_height ON ledger_resource ((network || ' ' || collection_id), home, height);
-- chain_length, chain_cost: what reading a version through deltas takes.
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
-- Content stored as a delta to that of a newer version has a table of its own: content that shrinks in place leaves its page
-- of the file nearly empty.
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
`

/** Money. */
const BANK = `
-- Amounts are in ncheq and text, as no number of every database holds them exactly. seeded: what the configuration gave the
-- account when it was first named there; NULL for all others.
CREATE TABLE ledger_account (
  network TEXT NOT NULL,
  address TEXT NOT NULL,
  balance TEXT NOT NULL,
  seeded TEXT,
  PRIMARY KEY (network, address)
);
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
CREATE INDEX ledger_payment_by_recipient ON ledger_payment (network, recipient, height);
CREATE INDEX ledger_payment_by_memo ON ledger_payment (network, recipient, memo);
`

/** The migrations of the embedded ledger, for the `migrations` of the database. */
export const migrations = [
  baseline({
    room: 'LedgerLocal',
    place: 5,
    small: ['ledger_state'],
    /** Data that verifiers request again and again. */
    remembered: ['ledger_did', 'ledger_did_version', 'ledger_resource', 'ledger_resource_latest'],
    tables: DOCUMENTS + BANK,
  }),
]
