import { AgentError, currentCaller, type IdempotentRun } from '@vidimus/core-types'
import { sql, type Connection, type Database } from '@vidimus/database'

/** The creations of a request with an idempotency key; `account`: the account itself, by an operator. */
export type Creation = { did: string } | { kid: string } | { apiKeyId: string } | 'account'

/** The next thing that the request in scope creates. */
export interface CreationMark {
  mark: string
  run: IdempotentRun
}

interface CreationRow {
  account_id: string
  did: string | null
  kid: string | null
  api_key_id: string | null
}

/** The mark of a creation; `undefined` if the request has no idempotency key. */
export function nextCreation(): CreationMark | undefined {
  const run = currentCaller()?.run
  return run && { mark: run.nextMark(), run }
}

/**
 * Records in the transaction of a creation which request it belongs to.
 *
 * @throws AgentError `version_conflict` if another run of the same request has created something already: this one
 *   was considered dead. The transaction must be undone.
 */
export async function noteCreation(
  connection: Connection,
  { mark, run }: CreationMark,
  account: string,
  creation: Creation,
): Promise<void> {
  const of: Partial<Record<'did' | 'kid' | 'apiKeyId', string>> = creation === 'account' ? {} : creation
  const { did = null, kid = null, apiKeyId = null } = of
  const noted = await connection.run(
    sql`INSERT INTO idempotent_creation (mark, record_id, account_id, did, kid, api_key_id)
      VALUES (${mark}, ${run.recordId}, ${account}, ${did}, ${kid}, ${apiKeyId}) ON CONFLICT (mark) DO NOTHING`,
  )
  if (noted === 1) return
  const known = await selectCreation(connection, mark)
  if (known?.did === did && known.kid === kid && known.api_key_id === apiKeyId) return
  throw new AgentError('version_conflict', 'another attempt of the same request was faster')
}

/** The creation of an earlier run of the request under this mark. */
export async function createdBefore(
  reader: Pick<Database | Connection, 'query'>,
  creation: CreationMark | undefined,
): Promise<CreationRow | undefined> {
  // A first run would look for nothing.
  return creation?.run.before && selectCreation(reader, creation.mark)
}

async function selectCreation(
  reader: Pick<Database | Connection, 'query'>,
  mark: string,
): Promise<CreationRow | undefined> {
  const [row] = await reader.query<CreationRow>(
    sql`SELECT account_id, did, kid, api_key_id FROM idempotent_creation WHERE mark = ${mark}`,
  )
  return row
}
