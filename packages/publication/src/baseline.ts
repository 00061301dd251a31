import { baseline } from '@vidimus/database'
import { workBaseline } from '@vidimus/work'

/** The migrations of this package, for the `migrations` of the database. */
export const migrations = [
  workBaseline,
  baseline({
    room: 'Publication',
    place: 8,
    small: ['publication_place'],
    tables: `
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
