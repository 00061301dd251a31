import { AgentError, currentCaller, type IdempotentRun } from '@vidimus/core-types'
import { homeOf, inAccount, joinSql, sql, type Connection, type Database } from '@vidimus/database'

/** The creations of a request with an idempotency key; `account`: the account itself, by an operator. */
export type Creation = { did: string } | { kid: string } | { apiKeyId: string } | 'account'

/** The next thing that the request in scope creates. */
export interface CreationMark {
  mark: string
  run: IdempotentRun
  /** that of the account which sent the request, whichever account gets what is created */
  home: number
}

interface CreationRow {
  account_id: string
  did: string | null
  kid: string | null
  api_key_id: string | null
}

/** The mark of a creation; `undefined` if the request has no idempotency key. */
export function nextCreation(): CreationMark | undefined {
  const { run, account } = currentCaller() ?? {}
  return run && account && { mark: run.nextMark(), run, home: homeOf(account.id) }
}

/**
 * Records in the transaction of a creation which request it belongs to.
 *
 * @throws AgentError `version_conflict` if another run of the same request has created something already: this one
 *   was considered dead. The transaction must be undone.
 */
export async function noteCreation(
  connection: Connection,
  { mark, run, home }: CreationMark,
  account: string,
  creation: Creation,
): Promise<void> {
  const of: Partial<Record<'did' | 'kid' | 'apiKeyId', string>> = creation === 'account' ? {} : creation
  const { did = null, kid = null, apiKeyId = null } = of
  const noted = await connection.run(
    sql`INSERT INTO idempotent_creation (home, mark, record_id, account_id, did, kid, api_key_id)
      VALUES (${home}, ${mark}, ${run.recordId}, ${account}, ${did}, ${kid}, ${apiKeyId})
      ON CONFLICT (home, mark) DO NOTHING`,
  )
  if (noted === 1) return
  const known = await selectCreation(connection, { mark, home })
  if (known?.did === did && known.kid === kid && known.api_key_id === apiKeyId) return
  throw new AgentError('version_conflict', 'another attempt of the same request was faster')
}

/** The creation of an earlier run of the request under this mark. */
export async function createdBefore(
  reader: Pick<Database | Connection, 'query'>,
  creation: CreationMark | undefined,
): Promise<CreationRow | undefined> {
  // A first run would look for nothing.
  return creation?.run.before && selectCreation(reader, creation)
}

/** A DID is deleted: a request that created it may create it again. That of a key goes with the row of the key. */
export const forgetCreation = (connection: Connection, account: string, did: string): Promise<number> =>
  connection.run(sql`DELETE FROM idempotent_creation WHERE ${inAccount(account)} AND did = ${did}`)

/** Of requests whose records are deleted. */
export async function forgetCreationsOf(
  connection: Connection,
  records: readonly { id: string; account_id: string }[],
): Promise<void> {
  if (records.length === 0) return
  const homes = [...new Set(records.map(({ account_id: account }) => homeOf(account)))]
  const ids = records.map(({ id }) => id)
  await connection.run(
    sql`DELETE FROM idempotent_creation WHERE home IN (${joinSql(homes)}) AND record_id IN (${joinSql(ids)})`,
  )
}

async function selectCreation(
  reader: Pick<Database | Connection, 'query'>,
  { mark, home }: Pick<CreationMark, 'mark' | 'home'>,
): Promise<CreationRow | undefined> {
  const [row] = await reader.query<CreationRow>(
    sql`SELECT account_id, did, kid, api_key_id FROM idempotent_creation WHERE home = ${home} AND mark = ${mark}`,
  )
  return row
}
