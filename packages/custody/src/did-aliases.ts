import { homeOf, isUniqueViolation, sql, type Connection, inAccount } from '@vidimus/database'
import { aliasTaken } from './key-rows.js'

/**
 * The aliases of an account's DIDs. They have rows of their own in the home of the account, whose key refuses an alias for a
 * second DID: the DIDs have homes of their own, and no constraint includes several homes.
 */
export function takeAlias(connection: Connection, account: string, did: string, alias: string): void {
  connection.send(
    sql`INSERT INTO account_did_alias (home, account_id, alias, did)
      VALUES (${homeOf(account)}, ${account}, ${alias}, ${did})`,
    (error) => (isUniqueViolation(error, 'account_did_alias') ? didAliasTaken(alias) : error),
  )
}

/** @param did - that has the alias; another's stays */
export const releaseAlias = (connection: Connection, account: string, did: string, alias: string): void =>
  connection.send(
    sql`DELETE FROM account_did_alias WHERE ${inAccount(account)} AND alias = ${alias} AND did = ${did}`,
  )

/** The DID that has the alias, or for which it is reserved. */
export async function didOfAlias(
  reader: Pick<Connection, 'query'>,
  account: string,
  alias: string,
): Promise<string | undefined> {
  const [row] = await reader.query<{ did: string }>(
    sql`SELECT did FROM account_did_alias WHERE ${inAccount(account)} AND alias = ${alias}`,
  )
  return row?.did
}

export const didAliasTaken = (alias: string | null | undefined) =>
  aliasTaken('alias', `the account already uses "${alias}" for another DID`)
