import { baseline, sealedHeadIndex } from '@vidimus/database'

/** The migrations of this package, for the `migrations` of the database. */
export const migrations = [
  baseline({
    room: 'Oidc',
    place: 9,
    small: ['console_session_check', 'console_sign_in'],
    tables: `
-- Who is signed in to the console, by the hash of what their browser holds, with the claims of their token.
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
CREATE INDEX console_session_used ON console_session (used_at);
${sealedHeadIndex('console_session', 'sealed_claims')};
CREATE TABLE console_session_check (
  id TEXT PRIMARY KEY NOT NULL,
  sealed TEXT NOT NULL
);
-- Which attempts to sign in were used, by hash, for as long as they could be used again.
CREATE TABLE console_sign_in (
  hash TEXT PRIMARY KEY NOT NULL,
  used_at TEXT NOT NULL
);
CREATE INDEX console_sign_in_used ON console_sign_in (used_at);
`,
  }),
]
