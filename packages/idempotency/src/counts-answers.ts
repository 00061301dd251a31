import { readShares, sql, type CountsStored } from '@vidimus/database'

/** What kept answers take, which is tallied. */
export const COUNTS_ANSWERS: CountsStored = {
  storedKinds: ['answerBytes'],
  countStored: (reader) =>
    readShares(
      reader,
      sql`SELECT account_id AS account, 'answerBytes' AS kind, answer_bytes AS n FROM idempotency_record`,
    ),
}
