import { currentCaller, networkOf, requireNetwork, type Kid } from '@vidimus/core-types'
import { joinSql, sql, type Connection, inAccount } from '@vidimus/database'

/**
 * Records permanently that keys of the account control a DID: removing the DID from the account, or the key from the
 * DID, may leave the document on the network unchanged.
 */
export function noteNetworkOfKeys(
  connection: Connection,
  account: string,
  { did, keys }: { did: string; keys: readonly { kid: string }[] },
): void {
  const network = networkOf(did)
  if (network === undefined || keys.length === 0) return
  connection.send(
    sql`INSERT INTO account_key_network (home, account_id, public_key, network)
      SELECT DISTINCT a.home, a.account_id, LOWER(k."publicKeyHex"), CAST(${network} AS TEXT)
      FROM account_key a JOIN "key" k ON k.home = a.home AND k.kid = a.stored_kid
      WHERE ${inAccount(account, sql`a.`)} AND a.kid IN (${joinSql(keys.map(({ kid }) => kid))})
      ON CONFLICT (home, account_id, public_key, network) DO NOTHING`,
  )
}

/**
 * A caller with an API key for some networks must not use a key pair that controls a DID on another, or ever did: its
 * signatures would be valid there.
 *
 * @throws AgentError `forbidden`
 */
export async function demandNetworksOfKey(
  reader: Pick<Connection, 'query'>,
  account: string,
  kid: Kid,
): Promise<void> {
  if (currentCaller()?.grant?.networks === undefined) return
  const rows = await reader.query<{ network: string }>(
    sql`SELECT n.network FROM account_key a JOIN "key" k ON k.home = a.home AND k.kid = a.stored_kid
      JOIN account_key_network n
        ON n.home = a.home AND n.account_id = a.account_id AND n.public_key = LOWER(k."publicKeyHex")
      WHERE ${inAccount(account, sql`a.`)} AND a.kid = ${kid}`,
  )
  for (const { network } of rows) requireNetwork(network)
}
