import { baseline } from '@vidimus/database'

/** The migrations of this package, for the `migrations` of the database: pending publications, one row for each subject. */
export const migrations = [
  baseline({
    room: 'Publication',
    place: 8,
    small: ['publication_place'],
    tables: `
-- mark is new with every change; first_mark is the oldest that is not published, made at the time since.
CREATE TABLE publication_due (
  home INTEGER NOT NULL,
  kind TEXT NOT NULL,
  did TEXT NOT NULL,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  mark BIGINT NOT NULL,
  first_mark BIGINT NOT NULL,
  since TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  next_attempt_at TEXT NOT NULL,
  PRIMARY KEY (home, did, kind, name, type)
);
CREATE INDEX publication_due_next ON publication_due (next_attempt_at);
CREATE INDEX publication_due_since ON publication_due (since);
-- The targets that were completely filled.
CREATE TABLE publication_place (
  place TEXT PRIMARY KEY NOT NULL,
  begun_at TEXT NOT NULL
);
CREATE TABLE publication_pass (
  place TEXT PRIMARY KEY NOT NULL,
  pass BIGINT NOT NULL
);
`,
  }),
]
