import { readShares, sql, type CountsStored } from '@vidimus/database'

/** The tallied size of stored responses. */
export const COUNTS_ANSWERS: CountsStored = {
  storedKinds: ['answerBytes'],
  countStored: (reader) =>
    readShares(
      reader,
      sql`SELECT account_id AS account, 'answerBytes' AS kind, answer_bytes AS n FROM idempotency_record`,
    ),
}
