import { entities, migrations as ofAccounts } from '@vidimus/account-manager'
import { Database, sql, type Sql } from '@vidimus/database'
import { migrations as ofLedger } from '@vidimus/ledger-local'
import { migrations as ofLists } from '@vidimus/status-list-store'

export const TABLES = { migrations: [ofAccounts, ofLedger, ofLists], entities: [entities] }

interface Amount {
  account: string
  kind: string
  n: number
}

/** What accounts have: counted in the rows themselves, and as it was counted while they came and went. */
export async function countedAndTallied(url: string): Promise<{ counted: Amount[]; tallied: Amount[] }> {
  const database = new Database({ url, ...TABLES })
  try {
    await database.lifecycle.start()
    return await recount(database)
  } finally {
    await database.lifecycle.stop()
  }
}

/** As {@link countedAndTallied}, in a database that is open. */
export async function recount(
  database: Pick<Database, 'query'>,
): Promise<{ counted: Amount[]; tallied: Amount[] }> {
  const read = async (statement: Sql) => {
    const rows = await database.query<{ account: string; kind: string; n: number | string }>(statement)
    return rows.map(({ account, kind, n }) => ({ account, kind, n: Number(n) })).filter(({ n }) => n !== 0)
  }
  const tallied = await read(
    sql`SELECT account_id AS account, kind, n FROM account_tally ORDER BY account_id, kind`,
  )
  const counted = await read(
    sql`SELECT account, kind, SUM(n) AS n FROM (
      SELECT account_id AS account, 'dids' AS kind, 1 AS n FROM account_did
      UNION ALL SELECT account_id, 'keys', 1 FROM account_key
      UNION ALL SELECT account_id, counts_as, 1 FROM ledger_resource WHERE counts_as <> ''
      UNION ALL SELECT account_id, 'answerBytes', answer_bytes FROM idempotency_record
      UNION ALL SELECT account_id, 'ledgerBytes', OCTET_LENGTH(doc) FROM ledger_did_version
      UNION ALL SELECT account_id, 'ledgerBytes', OCTET_LENGTH(also_known_as) FROM ledger_resource
      UNION ALL SELECT r.account_id, 'ledgerBytes', OCTET_LENGTH(c.data) FROM ledger_resource_data c
        JOIN ledger_resource r ON r.network = c.network AND r.collection_id = c.collection_id AND r.id = c.id
      UNION ALL SELECT r.account_id, 'ledgerBytes', OCTET_LENGTH(c.delta) FROM ledger_resource_delta c
        JOIN ledger_resource r ON r.network = c.network AND r.collection_id = c.collection_id AND r.id = c.id
    ) stored WHERE account <> '' GROUP BY account, kind ORDER BY account, kind`,
  )
  return { counted, tallied }
}
