import { takeSample, sql, type Database, type Sample } from '@vidimus/database'

/** The holdings of accounts, and what is missing from them. */
export interface KeyInventory {
  dids: number
  /** DIDs that no key belongs to */
  withoutKeys: Sample
  /** by the name that keys remember their KMS by */
  kms: { name: string; keys: number; withoutPrivateKey: Sample }[]
}

/**
 * Counts the DIDs and keys of all accounts. The KMS of a key determines whether its private half should be in the
 * database: that of a hardware module does not.
 */
export async function takeKeyInventory(database: Pick<Database, 'query'>): Promise<KeyInventory> {
  const [dids] = await database.query<{ count: number }>(sql`SELECT COUNT(*) AS count FROM account_did`)
  const keys = await database.query<{ name: string; count: number }>(
    sql`SELECT kms AS name, COUNT(*) AS count FROM account_key GROUP BY kms ORDER BY kms`,
  )
  const kms: KeyInventory['kms'] = []
  for (const { name, count } of keys) {
    kms.push({ name, keys: count, withoutPrivateKey: await withoutPrivateKey(database, name) })
  }
  return { dids: dids?.count ?? 0, withoutKeys: await withoutKeys(database), kms }
}

/** Not compared row by row: a DID and its links with keys have different homes. */
const withoutKeys = (database: Pick<Database, 'query'>): Promise<Sample> =>
  takeSample(
    database,
    sql`FROM (SELECT account_id, did FROM account_did WHERE pending = 0
      EXCEPT SELECT account_id, did FROM account_did_key) d`,
    sql`d.did`,
  )

const withoutPrivateKey = (database: Pick<Database, 'query'>, kms: string): Promise<Sample> =>
  takeSample(
    database,
    sql`FROM account_key a WHERE a.kms = ${kms} AND NOT EXISTS
      (SELECT 1 FROM account_private_key p WHERE p.home = a.home AND p.account_id = a.account_id AND p.alias = a.kid)`,
    sql`a.kid`,
  )
