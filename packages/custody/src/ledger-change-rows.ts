import {
  AgentError,
  auditEntryOfChange,
  type Account,
  type AuditActor,
  type Kid,
  type LinkedResourceMetadata,
  type NamedVersion,
} from '@vidimus/core-types'
import { homeOfDid, inAccount, joinSql, sql, type Connection } from '@vidimus/database'
import { insertAuditEvent, invalidInput, tellOtherHolders } from '@vidimus/accounts'
import type { Work, WorkItem, WorkKey } from '@vidimus/work'
import type { Intent } from './did-creation-intents.js'
import { DID_CREATION } from './identifier-writes.js'
import { keyNotFound } from './key-rows.js'

/** The work of finding out what became of changes. */
export const LEDGER_CHANGE = 'ledger-change'

/** A change that a ledger was asked for, or was about to be: what its item of work has. */
export interface NotedChange extends NamedVersion {
  kids: readonly string[]
  actions: readonly string[]
  actor: AuditActor
  /** it is in the audit trail, and only the account's rows are to follow the document */
  isTold?: true
}

export const keyOfChange = (account: string, { did, versionId }: NamedVersion): WorkKey => ({
  home: homeOfDid(did),
  key: JSON.stringify([did, versionId, account]),
})

export const notedChange = ({ payload = '' }: WorkItem): NotedChange => JSON.parse(payload) as NotedChange

/** Others have written the rows of a DID meanwhile, so that nobody knows which document they follow: they are made to once more. */
export function askToFollow(connection: Connection, work: Work, account: string, did: string): void {
  const now = new Date()
  const noted = {
    kind: 'document',
    did,
    versionId: '',
    kids: [],
    actions: [],
    actor: {},
    isTold: true,
  } as const
  const payload = JSON.stringify(noted satisfies NotedChange)
  const item = { ...keyOfChange(account, noted), owner: account, dueAt: now, since: now, payload }
  work.ask(connection, LEDGER_CHANGE, item, now)
}

/** Writes into audit trail and events that a change has happened, on behalf of its originator. */
export async function tellChange(
  connection: Connection,
  { kind, did, actions, actor }: NotedChange,
  { resource, time }: { resource: LinkedResourceMetadata | undefined; time: string | undefined },
): Promise<void> {
  await insertAuditEvent(connection, auditEntryOfChange({ kind, did, actions }, resource), actor, time)
  if (kind === 'document') {
    await tellOtherHolders(connection, { type: 'did.updated', subject: did }, actor, time)
  }
}

/** @throws AgentError `key_not_found` unless the account holds all of them */
export async function demandKeys(
  connection: Connection,
  account: string,
  kids: readonly string[],
): Promise<void> {
  if (kids.length === 0) return
  const rows = await connection.query<{ kid: string }>(
    sql`SELECT kid FROM account_key WHERE ${inAccount(account)} AND kid IN (${joinSql([...kids])})`,
  )
  const held = new Set(rows.map(({ kid }) => kid))
  const missing = kids.find((kid) => !held.has(kid))
  if (missing !== undefined) throw keyNotFound(missing)
}

/**
 * A DID without its keys could never be changed or deactivated again.
 *
 * @throws AgentError `invalid_input` if a DID of the account has the key, or one that is being created or changed
 */
export async function demandUnlinked(
  reader: Pick<Connection, 'query'>,
  account: string,
  kid: Kid,
): Promise<void> {
  const linked = await reader.query<{ did: string }>(
    sql`SELECT did FROM account_did_key WHERE ${inAccount(account)} AND kid = ${kid} ORDER BY did LIMIT 1`,
  )
  const works = await reader.query<{ key: string; payload: string }>(
    sql`SELECT w.key, w.payload FROM work_item w WHERE w.owner = ${account} AND w.kind IN (${joinSql([DID_CREATION, LEDGER_CHANGE])})`,
  )
  const work = works.find(({ payload }) =>
    kidsOf(JSON.parse(payload) as Partial<NotedChange & Intent>).includes(kid),
  )
  const did = linked[0]?.did ?? (work && (JSON.parse(work.key) as string[])[0])
  if (did !== undefined) {
    throw invalidInput('kid', `is a key of ${did}; remove it from the DID, or delete the DID, first`)
  }
}

/** An undone creation has none that its account holds. */
const kidsOf = ({ kind, kids = [], made, identifier }: Partial<NotedChange & Intent>): readonly string[] =>
  made && identifier ? identifier.keys.map((key) => key.kid) : kind === 'document' ? kids : []

/** Whose work it is. */
export async function readAccount(reader: Pick<Connection, 'query'>, id: string): Promise<Account> {
  const [account] = await reader.query<Account>(
    sql`SELECT id, name, created_at AS "createdAt" FROM account WHERE id = ${id}`,
  )
  if (account) return account
  throw new AgentError('unavailable', 'the account of the change is gone')
}

/** Those that somebody is at, and those whose ledger could not be asked. */
export async function countLeft(reader: Pick<Connection, 'query'>): Promise<number> {
  const [row] = await reader.query<{ n: number | string }>(
    sql`SELECT COUNT(*) AS n FROM work_item WHERE kind IN (${joinSql([DID_CREATION, LEDGER_CHANGE])})
      AND (holder IS NOT NULL OR attempts > 0)`,
  )
  return Number(row?.n)
}
