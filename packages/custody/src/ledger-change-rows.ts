import {
  auditEntryOfChange,
  toldActions,
  type Account,
  type AuditActor,
  type LedgerChange,
  type LinkedResourceMetadata,
  type NamedVersion,
} from '@vidimus/core-types'
import { joinSql, sql, type Connection, inAccount, type Sql } from '@vidimus/database'
import { insertAuditEvent, tellOtherHolders } from '@vidimus/accounts'
import { keyNotFound } from './key-rows.js'

/** A change that a ledger was asked for, or was about to be. */
export interface NotedChange extends LedgerChange {
  id: string
  account: Account
  /** presence of the process that is at it */
  holder: string
  createdAt: Date
}

interface ChangeRow {
  id: string
  account_id: string
  account_name: string
  account_created_at: string
  holder: string
  kind: LedgerChange['kind']
  did: string
  version_id: string
  created_at: string
}

interface EndedRow extends Pick<ChangeRow, 'kind' | 'did' | 'created_at'> {
  actor: string
  actions: string
}

/** Changes that are looked at in one go. */
const LOOKED_AT_TOGETHER = 200

/**
 * @param known - the kids that the account certainly holds: those of others are looked up
 * @throws AgentError `key_not_found`
 */
export async function insertChange(
  connection: Connection,
  {
    change,
    ...row
  }: { change: LedgerChange; id: string; account: string; holder: string; actor: AuditActor },
  known: ReadonlySet<string>,
): Promise<void> {
  const kids = change.kids ?? []
  await demandKeys(
    connection,
    row.account,
    kids.filter((kid) => !known.has(kid)),
  )
  const now = new Date().toISOString()
  await connection.run(
    sql`INSERT INTO ledger_change
        (id, account_id, holder, kind, did, version_id, kids, actor, actions, created_at, next_look_at)
      VALUES (${row.id}, ${row.account}, ${row.holder}, ${change.kind}, ${change.did}, ${change.versionId},
        ${JSON.stringify(kids)}, ${JSON.stringify(row.actor)}, ${JSON.stringify(toldActions(change.actions))}, ${now}, ${now})`,
  )
}

/**
 * Writes into audit trail and events that a change has happened, on behalf of its originator.
 *
 * @returns the DID of the change; `undefined` if it is no longer recorded: that was written before, and nothing is
 *   done
 */
export async function completeChange(
  connection: Connection,
  id: string,
  resource?: LinkedResourceMetadata,
): Promise<string | undefined> {
  const [row] = await connection.query<EndedRow>(
    sql`SELECT kind, did, actor, actions, created_at FROM ledger_change WHERE id = ${id}`,
  )
  if (!row) return undefined
  await forgetChange(connection, id)
  const { kind, did, created_at: time } = row
  const actor = JSON.parse(row.actor) as AuditActor
  const change = { kind, did, actions: JSON.parse(row.actions) as string[] }
  await insertAuditEvent(connection, auditEntryOfChange(change, resource), actor, time)
  if (kind === 'document') {
    await tellOtherHolders(connection, { type: 'did.updated', subject: did }, actor, time)
  }
  return did
}

export const forgetChange = (connection: Connection, id: string): Promise<number> =>
  connection.run(sql`DELETE FROM ledger_change WHERE id = ${id}`)

/** Nobody takes the change over before this transaction has ended. @returns whether its holder still had it */
export const takeChange = async (
  connection: Connection,
  { id, holder }: Pick<NotedChange, 'id' | 'holder'>,
  taker = holder,
): Promise<boolean> =>
  (await connection.run(
    sql`UPDATE ledger_change SET holder = ${taker} WHERE id = ${id} AND holder = ${holder}`,
  )) === 1

export const postponeChange = (connection: Connection, id: string, until: Date): Promise<number> =>
  connection.run(sql`UPDATE ledger_change SET next_look_at = ${until.toISOString()} WHERE id = ${id}`)

/** Those whose time has come to be looked at, the longest waiting first; or the one of an id, or of a version. */
export async function selectChanges(
  connection: Pick<Connection, 'query'>,
  which: { now: Date } | { id: string } | (NamedVersion & { account: string }),
): Promise<NotedChange[]> {
  const condition = conditionOf(which)
  const rows = await connection.query<ChangeRow>(
    sql`SELECT c.id, c.account_id, a.name AS account_name, a.created_at AS account_created_at, c.holder, c.kind, c.did,
        c.version_id, c.created_at
      FROM ledger_change c JOIN account a ON a.id = c.account_id
      WHERE ${condition} ORDER BY c.next_look_at, c.id LIMIT ${LOOKED_AT_TOGETHER}`,
  )
  return rows.map((row) => ({
    id: row.id,
    account: { id: row.account_id, name: row.account_name, createdAt: row.account_created_at },
    holder: row.holder,
    kind: row.kind,
    did: row.did,
    versionId: row.version_id,
    createdAt: new Date(row.created_at),
  }))
}

function conditionOf(which: Parameters<typeof selectChanges>[1]): Sql {
  if ('id' in which) return sql`c.id = ${which.id}`
  if ('now' in which) return sql`c.next_look_at <= ${which.now.toISOString()}`
  return sql`c.account_id = ${which.account} AND c.did = ${which.did} AND c.version_id = ${which.versionId}`
}

async function demandKeys(connection: Connection, account: string, kids: readonly string[]): Promise<void> {
  if (kids.length === 0) return
  const rows = await connection.query<{ kid: string }>(
    sql`SELECT kid FROM account_key WHERE ${inAccount(account)} AND kid IN (${joinSql([...kids])})`,
  )
  const held = new Set(rows.map(({ kid }) => kid))
  const missing = kids.find((kid) => !held.has(kid))
  if (missing !== undefined) throw keyNotFound(missing)
}
