import { sql, type Sql } from '@vidimus/database'

/** What the passes of recovery take away. */
export const UNSETTLED: Record<string, Sql> = {
  'an intent that nobody has settled': sql`SELECT w.key AS found FROM work_item w
    WHERE w.kind = 'did-creation' AND w.key NOT LIKE '["%","%","%"]'`,
  'a change that the ledger has got, and nobody has written down': sql`SELECT w.key AS found FROM work_item w
    WHERE w.kind = 'ledger-change' AND (EXISTS (SELECT 1 FROM "ledger_did_version" v WHERE w.key LIKE '%"' || v."version_id" || '"%')
      OR EXISTS (SELECT 1 FROM "ledger_resource" r WHERE w.key LIKE '%"' || r."id" || '"%'))`,
}

/**
 * What only an interrupted creation or change of a DID leaves behind. Where a creation was undone its private key is kept for a
 * day, out of every account, in case that the ledger gets the DID late; for a change that the ledger has not got, its note.
 */
export const HALF_DONE: Record<string, Sql> = {
  ...UNSETTLED,
  'a pending DID': sql`SELECT did AS found FROM account_did WHERE pending = 1`,
  'a DID on the ledger that no account holds': sql`SELECT "did" AS found FROM "ledger_did"
    WHERE "did" NOT IN (SELECT did FROM account_did)`,
  'a DID of an account that is not on the ledger': sql`SELECT did AS found FROM account_did
    WHERE did LIKE 'did:cheqd:%' AND did NOT IN (SELECT "did" FROM "ledger_did")`,
  'a DID without its key': sql`SELECT did AS found FROM account_did d WHERE NOT EXISTS
    (SELECT 1 FROM account_did_key k WHERE k.account_id = d.account_id AND k.did = d.did)`,
  'a private key that no account holds': sql`SELECT alias AS found FROM "private-key"
    WHERE alias NOT IN (SELECT stored_alias FROM account_private_key)
      AND alias NOT LIKE 'undone:%'`,
  'a private key without its public one': sql`SELECT p.alias AS found FROM account_private_key p WHERE NOT EXISTS
    (SELECT 1 FROM account_key k WHERE k.account_id = p.account_id AND k.kid = p.alias)`,
  'a key without its private one': sql`SELECT k.kid AS found FROM account_key k WHERE NOT EXISTS
    (SELECT 1 FROM account_private_key p WHERE p.account_id = k.account_id AND p.alias = k.kid)`,
  'a key of the agent that no account holds': sql`SELECT kid AS found FROM "key"
    WHERE kid NOT IN (SELECT stored_kid FROM account_key)`,
  'an alias without its DID': sql`SELECT alias AS found FROM account_did_alias a WHERE NOT EXISTS
    (SELECT 1 FROM account_did d WHERE d.account_id = a.account_id AND d.did = a.did AND d.alias = a.alias)`,
  'a DID without its alias': sql`SELECT did AS found FROM account_did d WHERE alias IS NOT NULL AND NOT EXISTS
    (SELECT 1 FROM account_did_alias a WHERE a.account_id = d.account_id AND a.did = d.did AND a.alias = d.alias)`,
  'a link of a key with a DID that no account holds': sql`SELECT did AS found FROM account_did_key k WHERE NOT EXISTS
    (SELECT 1 FROM account_did d WHERE d.account_id = k.account_id AND d.did = k.did AND d.pending = 0)`,
  'a mark of a DID that no account holds': sql`SELECT did AS found FROM idempotent_creation c WHERE did IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM account_did d WHERE d.account_id = c.account_id AND d.did = c.did)`,
}
