import { homeOfDid, Sql, sql } from '@vidimus/database'
import type { Network } from '@vidimus/ledger'

/** The condition for rows of a DID. @param table - its alias in the statement, if it has one */
export function ofDid(network: Network, did: string, table?: string): Sql {
  const of = prefixOf(table)
  return sql`${of}"home" = ${homeOfDid(did)} AND ${of}"network" = ${network} AND ${of}"did" = ${did}`
}

/** The condition for rows of the resources of a DID. @param table - its alias in the statement, if it has one */
export function ofCollection(network: Network, collectionId: string, table?: string): Sql {
  const of = prefixOf(table)
  return sql`${of}"home" = ${homeOfDid(collectionId)} AND ${of}"network" = ${network}
    AND ${of}"collection_id" = ${collectionId}`
}

/** The condition that joins rows of one DID's resources. */
export const sameCollection = (one: string, other: string): Sql => {
  const [a, b] = [prefixOf(one), prefixOf(other)]
  return sql`${a}"home" = ${b}"home" AND ${a}"network" = ${b}"network" AND ${a}"collection_id" = ${b}"collection_id"`
}

const prefixOf = (table: string | undefined): Sql => new Sql([table === undefined ? '' : `"${table}".`], [])
