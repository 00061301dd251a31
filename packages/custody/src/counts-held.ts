import { readShares, sql, type CountsStored } from '@vidimus/database'

/** The rows of this package that are tallied. */
export const COUNTS_HELD: CountsStored = {
  storedKinds: ['dids', 'keys'],
  countStored: (reader) =>
    readShares(
      reader,
      sql`SELECT account_id AS account, 'dids' AS kind, 1 AS n FROM account_did
        UNION ALL SELECT account_id, 'keys', 1 FROM account_key`,
    ),
}
