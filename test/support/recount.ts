import { Quotas } from '@vidimus/accounts'
import { migrations as ofAccounts, UnitOfWork } from '@vidimus/custody'
import { Database, sql, type Sql } from '@vidimus/database'
import { EmbeddedLedger, migrations as ofLedger } from '@vidimus/ledger-local'
import { migrations as ofLists } from '@vidimus/status-list-store'
import { COUNTS_ANSWERS } from '../../packages/idempotency/src/counts-answers.js'

export const TABLES = { migrations: [ofAccounts, ofLedger, ofLists] }

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
    sql`SELECT account_id AS account, kind, SUM(n) AS n FROM account_tally GROUP BY account_id, kind ORDER BY account_id, kind`,
  )
  const quotas = new Quotas(database as Database)
  const unit = new UnitOfWork(database as Database, { quotas })
  const ledger = new EmbeddedLedger({ network: 'testnet', database: database as Database, quotas })
  const counted: Amount[] = []
  for (const { countStored } of [unit.countsStored, COUNTS_ANSWERS, ledger.countsStored].filter(isThere)) {
    counted.push(...(await countStored(database)))
  }
  counted.sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1))
  return { counted: counted.filter(({ n }) => n !== 0), tallied }
}

const isThere = <T>(value: T | undefined): value is T => value !== undefined
const nameOf = ({ account, kind }: Amount): string => `${account} ${kind}`
