import { readShares, sql, type CountsStored } from '@vidimus/database'

/** The count of embedded ledgers' rows, of all networks, for the accounts that wrote them. */
export const COUNTS_STORED: CountsStored = {
  storedKinds: ['ledgerBytes', 'statusLists', 'resources'],
  countStored: (reader) =>
    readShares(
      reader,
      sql`SELECT * FROM (
        SELECT "account_id" AS "account", "counts_as" AS "kind", 1 AS "n" FROM "ledger_resource"
          WHERE "counts_as" <> ''
        UNION ALL SELECT "account_id", 'ledgerBytes', OCTET_LENGTH("doc") FROM "ledger_did_version"
        UNION ALL SELECT "account_id", 'ledgerBytes', OCTET_LENGTH("also_known_as") FROM "ledger_resource"
        UNION ALL SELECT r."account_id", 'ledgerBytes', OCTET_LENGTH(c."data") FROM "ledger_resource_data" c
          JOIN "ledger_resource" r ON r."home" = c."home" AND r."network" = c."network" AND r."collection_id" = c."collection_id"
            AND r."id" = c."id"
        UNION ALL SELECT r."account_id", 'ledgerBytes', OCTET_LENGTH(c."delta") FROM "ledger_resource_delta" c
          JOIN "ledger_resource" r ON r."home" = c."home" AND r."network" = c."network" AND r."collection_id" = c."collection_id"
            AND r."id" = c."id"
      ) "stored" WHERE "account" <> ''`,
    ),
}
