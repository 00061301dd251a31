import { homeOfDid, joinSql, sql, type Sql } from '@vidimus/database'

/**
 * Which rows are of a DID of an account, and in the home of the DID.
 *
 * @param of - what the columns are named with, as sql`d.`
 */
export const isDid = (account: string, did: string, of: Sql = sql``): Sql =>
  sql`${of}home = ${homeOfDid(did)} AND ${of}account_id = ${account} AND ${of}did = ${did}`

/** The same for several. */
export function areDids(account: string, dids: readonly string[], of: Sql = sql``): Sql {
  const [did, ...others] = dids
  if (did !== undefined && others.length === 0) return isDid(account, did, of)
  const homes = [...new Set(dids.map(homeOfDid))]
  return sql`${of}home IN (${joinSql(homes)}) AND ${of}account_id = ${account} AND ${of}did IN (${joinSql([...dids])})`
}
