import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { IIdentifier } from '@veramo/core-types'
import { AgentError, type Account } from '@vidimus/core-types'
import { isUniqueViolation, joinSql, sql, type Connection } from '@vidimus/database'
import type { WritableIdentifier } from './identifier-writes.js'
import { deleteKey } from './account-key-store.js'
import { deletePrivateKey } from './account-private-key-store.js'
import { didAliasTaken } from './identifier-writes.js'
import { scopedName, unscopedName, type MadeRows, type Transaction } from './unit.js'

/** A DID that is being written to a ledger, or was when its process died. */
export interface Intent {
  account: Account
  did: string
  provider: string | undefined
  identifier: Omit<IIdentifier, 'provider'>
  /** what came into being with it and goes with it */
  made: { keys: string[]; privateKeys: string[] }
  owner: Owner
  createdAt: string
}

/** Which process is at it. */
export interface Owner {
  /** this creation and no other of the same DID */
  creation: string
  pid: number
  host: string
}

interface IntentRow {
  account_id: string
  account_name: string
  account_created_at: string
  did: string
  provider: string | null
  identifier: string
  made: string
  owner: string
  created_at: string
}

/** No creation takes longer; what is older was left by a process whose id another one has now. */
const LONGEST_CREATION_MS = 60 * 60 * 1000

/** How long a process on another host is believed to be at it. */
const LONGEST_CREATION_ELSEWHERE_MS = 2 * 60 * 1000

export const newOwner = (): Owner => ({ creation: randomUUID(), pid: process.pid, host: hostname() })

/**
 * Reserves DID and alias, and keeps what is needed to complete or undo the creation.
 *
 * @throws AgentError `did_taken`, `alias_taken`
 */
export async function insertIntent(
  { connection, made }: Transaction,
  account: string,
  identifier: WritableIdentifier,
  { provider, owner }: { provider: string | undefined; owner: Owner },
): Promise<void> {
  const { did, alias } = identifier
  const now = new Date().toISOString()
  try {
    const reserved = await connection.run(
      sql`INSERT INTO account_did (account_id, did, stored_did, alias, version, pending, created_at)
        VALUES (${account}, ${did}, ${scopedName(account, did)}, ${alias ?? null}, 0, 1, ${now})
        ON CONFLICT (account_id, did) DO NOTHING`,
    )
    if (reserved === 0) throw didTaken(did)
  } catch (error) {
    throw isUniqueViolation(error, 'account_did') ? didAliasTaken(alias) : error
  }
  await connection.run(
    sql`INSERT INTO did_creation (account_id, did, provider, identifier, made, owner, created_at)
      VALUES (${account}, ${did}, ${provider ?? null}, ${JSON.stringify(identifier)},
        ${JSON.stringify(madeIn(account, made))}, ${JSON.stringify(owner)}, ${now})`,
  )
}

/** Takes the intent back, and with it the keys that were made for the DID and that no other DID uses by now. */
export async function undoIntent(connection: Connection, { account, did, made }: Intent): Promise<void> {
  const undone = await connection.run(
    sql`DELETE FROM account_did WHERE account_id = ${account.id} AND did = ${did} AND pending = 1`,
  )
  if (undone === 0) return
  await connection.run(sql`DELETE FROM did_creation WHERE account_id = ${account.id} AND did = ${did}`)
  const used = await usedKeys(connection, account.id, made.keys)
  for (const kid of made.keys) if (!used.has(kid)) await deleteKey(connection, account.id, kid)
  for (const alias of made.privateKeys) {
    if (!used.has(alias)) await deletePrivateKey(connection, account.id, alias)
  }
}

/** All intents, or those of one account that hold the DID or the alias; oldest first. */
export async function selectIntents(
  connection: Pick<Connection, 'query'>,
  of?: { account: string; did: string; alias?: string | null | undefined },
): Promise<Intent[]> {
  const filter = of
    ? sql`WHERE c.account_id = ${of.account} AND (c.did = ${of.did}${of.alias ? sql` OR d.alias = ${of.alias}` : sql``})`
    : sql``
  const rows = await connection.query<IntentRow>(
    sql`SELECT c.account_id, a.name AS account_name, a.created_at AS account_created_at, c.did, c.provider,
        c.identifier, c.made, c.owner, c.created_at
      FROM did_creation c JOIN account a ON a.id = c.account_id
        JOIN account_did d ON d.account_id = c.account_id AND d.did = c.did
      ${filter} ORDER BY c.created_at, c.did`,
  )
  return rows.map(toIntent)
}

/** Whether the process that began the creation may still be at it, seen from this one. */
export function mayBeUnderWay({ owner, createdAt }: Intent, now = Date.now()): boolean {
  const age = now - Date.parse(createdAt)
  if (age > LONGEST_CREATION_MS) return false
  if (owner.host !== hostname()) return age < LONGEST_CREATION_ELSEWHERE_MS
  return owner.pid !== process.pid && isRunning(owner.pid)
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // It runs, as somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

async function usedKeys(
  connection: Connection,
  account: string,
  kids: readonly string[],
): Promise<Set<string>> {
  if (kids.length === 0) return new Set()
  const rows = await connection.query<{ kid: string }>(
    sql`SELECT kid FROM account_did_key WHERE account_id = ${account} AND kid IN (${joinSql(kids)})`,
  )
  return new Set(rows.map(({ kid }) => kid))
}

const madeIn = (account: string, made: MadeRows): Intent['made'] => ({
  keys: [...made.keys].flatMap((name) => unscopedName(account, name) ?? []),
  privateKeys: [...made.privateKeys].flatMap((name) => unscopedName(account, name) ?? []),
})

const toIntent = (row: IntentRow): Intent => ({
  account: { id: row.account_id, name: row.account_name, createdAt: row.account_created_at },
  did: row.did,
  provider: row.provider ?? undefined,
  identifier: JSON.parse(row.identifier) as Intent['identifier'],
  made: JSON.parse(row.made) as Intent['made'],
  owner: JSON.parse(row.owner) as Owner,
  createdAt: row.created_at,
})

const didTaken = (did: string) =>
  new AgentError('did_taken', `did: the account has "${did}" already`, {
    details: [{ path: 'did', message: `the account has "${did}" already` }],
  })
