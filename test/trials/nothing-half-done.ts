import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { joinSql, Sql, sql, type Database } from '@vidimus/database'
import { HALF_DONE, UNSETTLED } from '../support/half-done.js'
import { openDatabase } from '../support/open-database.js'
import type { Fleet } from './fleet.js'

const WITHOUT_KEYS_OF_THEIR_OWN = {
  'a key that no DID uses': sql`SELECT kid AS found FROM account_key k WHERE NOT EXISTS
    (SELECT 1 FROM account_did_key d WHERE d.account_id = k.account_id AND d.kid = k.kid)`,
}

/** For a recovery that goes on in the background. */
const SETTLED_WITHIN_MS = 60_000

/**
 * Nothing of a DID is there without the rest of it. To be asked after a start, whose recovery it waits for, and where
 * clients have made keys by creating DIDs alone.
 *
 * @returns how many DIDs there are
 */
export async function assertNothingHalfDone(fleet: Fleet): Promise<number> {
  const database = await openDatabase(fleet.installation)
  try {
    await untilSettled(database)
    for (const [what, statement] of Object.entries({ ...HALF_DONE, ...WITHOUT_KEYS_OF_THEIR_OWN })) {
      const found = await database.query<{ found: string }>(acrossServers(statement, database))
      assert.deepEqual(found, [], `${found.length} × ${what}`)
    }
    const [row] = await database.query<{ count: number }>(sql`SELECT COUNT(*) AS count FROM account_did`)
    return Number(row?.count)
  } finally {
    await database.lifecycle.stop()
  }
}

const TABLES = [
  ...['account_did', 'account_did_alias', 'account_did_key', 'account_key', 'account_private_key'],
  ...['idempotent_creation', 'key', 'ledger_did', 'ledger_did_version', 'ledger_resource'],
  ...['private-key', 'work_item'],
].map((name) => new Sql([`"${name}"`], []))

/** Citus compares rows of several servers only after it has fetched them. */
function acrossServers(statement: Sql, { dialect }: Database): Sql {
  if (dialect === 'sqlite') return statement
  const fetched = TABLES.map((table) => sql`${table} AS MATERIALIZED (SELECT * FROM ${table})`)
  return sql`WITH ${joinSql(fetched)} ${statement}`
}

async function untilSettled(database: Database): Promise<void> {
  for (const startedAt = performance.now(); performance.now() - startedAt < SETTLED_WITHIN_MS;) {
    const left = await Promise.all(
      Object.values(UNSETTLED).map((statement) => database.query(acrossServers(statement, database))),
    )
    if (left.every(({ length }) => length === 0)) return
    await setTimeout(50)
  }
}
