import { baseline } from '@vidimus/database'

/** The table of what waits: every package that has work lists it among its own migrations. */
export const workBaseline = baseline({
  room: 'Work',
  place: 10,
  standsAlone: true,
  tables: `
-- What waits to be done. While it is held, due_at is when the claim ends. since is when the change happened that it is for; NULL if
-- it is scheduled. revision is new with every change that asks for it, fence with every claim and settlement.
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
CREATE INDEX work_item_owner ON work_item (owner, kind, due_at);
CREATE INDEX work_item_failed ON work_item (kind, due_at) WHERE attempts > 0;
CREATE INDEX work_item_failed_of ON work_item (owner, kind, due_at) WHERE attempts > 0;
CREATE INDEX work_item_since ON work_item (kind, since) WHERE since IS NOT NULL;
CREATE INDEX work_item_held ON work_item (kind, due_at) WHERE holder IS NOT NULL;
`,
})
