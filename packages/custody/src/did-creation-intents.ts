import { randomUUID } from 'node:crypto'
import type { IIdentifier } from '@veramo/core-types'
import { AgentError, asKid, type Kid } from '@vidimus/core-types'
import { type Connection, homeOfDid, sql, tally } from '@vidimus/database'
import type { NewWork, WorkItem } from '@vidimus/work'
import { didOfAlias, takeAlias } from './did-aliases.js'
import { isDid } from './home-conditions.js'
import type { WritableIdentifier } from './identifier-writes.js'
import { keyOfIntent, noteWrittenDid, withIntent } from './identifier-writes.js'
import { noteNetworkOfKeys } from './networks-of-keys.js'
import { scopedName, unscopedName, type MadeRows, type Transaction } from './unit.js'

/** A DID that is being written to a ledger, or was when its process died: what its item of work has. */
export interface Intent {
  /** this creation and no other of the same DID */
  creation: string
  provider?: string | undefined
  identifier: Omit<IIdentifier, 'provider'>
  /** what came into being with it and goes with it */
  made: { keys: Kid[]; privateKeys: string[] }
}

export const newCreation = (provider: string | undefined) => ({ creation: randomUUID(), provider })

export const readIntent = ({ payload = '' }: Pick<WorkItem, 'payload'>) => JSON.parse(payload) as Intent

/**
 * Reserves DID and alias, and keeps what is needed to complete or undo the creation.
 *
 * @param add - takes the item of work, in the same transaction
 * @throws AgentError `did_taken`, `alias_taken`
 */
export async function insertIntent(
  { connection, made }: Pick<Transaction, 'connection' | 'made'>,
  account: string,
  {
    identifier,
    ...origin
  }: Pick<Intent, 'creation' | 'provider'> & {
    identifier: Omit<WritableIdentifier, 'provider'>
  },
  add: (item: Omit<NewWork, 'dueAt' | 'since'> & { payload: string }) => void,
): Promise<void> {
  const { did, alias } = identifier
  const home = homeOfDid(did)
  const reserved = await connection.run(
    sql`INSERT INTO account_did (home, account_id, did, stored_did, alias, version, pending, created_at)
      VALUES (${home}, ${account}, ${did}, ${scopedName(account, did)}, ${alias ?? null}, 0, 1, ${new Date().toISOString()})
      ON CONFLICT (account_id, did, home) DO NOTHING`.changing(home),
  )
  if (reserved === 0) throw didTaken(did)
  if (alias) takeAlias(connection, account, did, alias)
  tally(connection, account, 'dids', 1)
  const payload = JSON.stringify({ ...origin, identifier, made: madeIn(account, made) })
  add({ ...keyOfIntent(account, did), owner: account, payload })
  noteWrittenDid(connection)
  noteNetworkOfKeys(connection, account, identifier)
}

/** Whether an account neither holds a DID nor is about to by this creation. */
export async function isGone(
  connection: Pick<Connection, 'query'>,
  account: string,
  { did, creation }: { did: string; creation: string },
): Promise<boolean> {
  const [row] = await connection.query<{ pending: number; intent: string | null }>(
    sql`SELECT d.pending, c.payload AS intent FROM account_did d ${withIntent(account, did)}
      WHERE ${isDid(account, did, sql`d.`)}`,
  )
  if (!row) return true
  if (row.pending === 0) return false
  return row.intent === null || readIntent({ payload: row.intent }).creation !== creation
}

/** The DIDs, held or intended, that stand in the way of one with this name and alias. */
export async function didsInTheWay(
  reader: Pick<Connection, 'query'>,
  account: string,
  { did, alias }: Pick<WritableIdentifier, 'did' | 'alias'>,
): Promise<string[]> {
  const other = alias ? await didOfAlias(reader, account, alias) : undefined
  return [...new Set([did, other ?? did])]
}

const madeIn = (account: string, made: MadeRows): Intent['made'] => ({
  keys: [...made.keys].flatMap((name) => unscopedName(account, name) ?? []).map(asKid),
  privateKeys: [...made.privateKeys].flatMap((name) => unscopedName(account, name) ?? []),
})

const didTaken = (did: string) =>
  new AgentError('did_taken', `did: the account already has "${did}"`, {
    details: [{ path: 'did', message: `the account already has "${did}"` }],
  })
