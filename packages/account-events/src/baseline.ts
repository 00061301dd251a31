import { baseline, sealedHeadIndex } from '@vidimus/database'

/** Events of accounts, and the webhooks that they are sent to. */
export const accountEventsBaseline = baseline({
  room: 'AccountEvents',
  place: 2,
  small: ['account_event_keeping', 'webhook_secret_check'],
  tables: `
-- sequence is assigned when an event is written, position once everything committed before has one: transactions do not
-- commit in the order of their sequences, and a reader that continues from a position must miss nothing.
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
CREATE INDEX account_event_unplaced ON account_event (sequence) WHERE position IS NULL;
CREATE INDEX account_event_time ON account_event (time);
CREATE INDEX account_event_type ON account_event (account_id, type, position);
-- The last position of an account, kept after its event is deleted.
CREATE TABLE account_event_head (
  account_id TEXT NOT NULL,
  last BIGINT NOT NULL,
  home INTEGER NOT NULL,
  PRIMARY KEY (home, account_id)
);
-- Until when events are written: an installation that keeps none would never delete them.
CREATE TABLE account_event_keeping (
  id TEXT PRIMARY KEY NOT NULL,
  kept_until TEXT NOT NULL
);
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
CREATE INDEX webhook_suspended ON webhook (suspended_at) WHERE suspended_at IS NOT NULL;
${sealedHeadIndex('webhook', 'sealed_secret')};
CREATE TABLE webhook_secret_check (
  id TEXT PRIMARY KEY NOT NULL,
  sealed TEXT NOT NULL
);
-- Gone once it is delivered. since is from when on it counts for how long that was tried; one that the receiver refused waits until
-- retry_at, all others wait together, for the work on their webhook.
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
CREATE INDEX webhook_delivery_event ON webhook_delivery (event_sequence);
CREATE INDEX webhook_delivery_waiting ON webhook_delivery (webhook_id, position, retry_at)
  WHERE dead_at IS NULL;
CREATE INDEX webhook_delivery_dead ON webhook_delivery (webhook_id, position) WHERE dead_at IS NOT NULL;
`,
})
