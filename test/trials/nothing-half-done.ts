import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { sql, type Database, type Sql } from '@vidimus/database'
import { openDatabase } from '../support/open-database.js'
import type { Fleet } from './fleet.js'

/**
 * What only an interrupted creation of a DID leaves behind. Where it was undone its private key is kept for a day, out of
 * every account, in case that the ledger gets the DID late.
 */
const HALF_DONE: Record<string, Sql> = {
  'an intent that nobody has settled': sql`SELECT did AS found FROM did_creation`,
  'a pending DID': sql`SELECT did AS found FROM account_did WHERE pending = 1`,
  'a DID on the ledger that no account holds': sql`SELECT "did" AS found FROM "ledger_did"
    WHERE "did" NOT IN (SELECT did FROM account_did)`,
  'a DID of an account that is not on the ledger': sql`SELECT did AS found FROM account_did
    WHERE did LIKE 'did:cheqd:%' AND did NOT IN (SELECT "did" FROM "ledger_did")`,
  'a key that no DID uses': sql`SELECT kid AS found FROM account_key k WHERE NOT EXISTS
    (SELECT 1 FROM account_did_key d WHERE d.account_id = k.account_id AND d.kid = k.kid)`,
  'a DID without its key': sql`SELECT did AS found FROM account_did d WHERE NOT EXISTS
    (SELECT 1 FROM account_did_key k WHERE k.account_id = d.account_id AND k.did = d.did)`,
  'a private key that no account holds': sql`SELECT alias AS found FROM "private-key"
    WHERE alias NOT IN (SELECT stored_alias FROM account_private_key)
      AND alias NOT IN (SELECT stored_alias FROM undone_private_key)`,
  'a private key without its public one': sql`SELECT p.alias AS found FROM account_private_key p WHERE NOT EXISTS
    (SELECT 1 FROM account_key k WHERE k.account_id = p.account_id AND k.kid = p.alias)`,
  'a key without its private one': sql`SELECT k.kid AS found FROM account_key k WHERE NOT EXISTS
    (SELECT 1 FROM account_private_key p WHERE p.account_id = k.account_id AND p.alias = k.kid)`,
  'a key of the agent that no account holds': sql`SELECT kid AS found FROM "key"
    WHERE kid NOT IN (SELECT stored_kid FROM account_key)`,
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
    for (const [what, statement] of Object.entries(HALF_DONE)) {
      const found = await database.query<{ found: string }>(statement)
      assert.deepEqual(found, [], `${found.length} × ${what}`)
    }
    const [row] = await database.query<{ count: number }>(sql`SELECT COUNT(*) AS count FROM account_did`)
    return Number(row?.count)
  } finally {
    await database.lifecycle.stop()
  }
}

async function untilSettled(database: Database): Promise<void> {
  for (const startedAt = performance.now(); performance.now() - startedAt < SETTLED_WITHIN_MS;) {
    const left = await database.query(sql`SELECT did FROM did_creation`)
    if (left.length === 0) return
    await setTimeout(50)
  }
}
