import { randomUUID } from 'node:crypto'
import type { IIdentifier } from '@veramo/core-types'
import { AgentError, asKid, type Account, type Kid } from '@vidimus/core-types'
import { type Connection, homeOfDid, sql, tally } from '@vidimus/database'
import { didOfAlias, takeAlias } from './did-aliases.js'
import { areDids, isDid } from './home-conditions.js'
import type { WritableIdentifier } from './identifier-writes.js'
import { noteWrittenDid } from './identifier-writes.js'
import { noteNetworkOfKeys } from './networks-of-keys.js'
import { scopedName, unscopedName, type MadeRows, type Transaction } from './unit.js'

/** A DID that is being written to a ledger, or was when its process died. */
export interface Intent {
  account: Account
  did: string
  provider: string | undefined
  identifier: Omit<IIdentifier, 'provider'>
  /** what came into being with it and goes with it */
  made: { keys: Kid[]; privateKeys: string[] }
  owner: Owner
}

/** Which process is at it. */
export interface Owner {
  /** this creation and no other of the same DID */
  creation: string
  /** of the process, see `Database.presence`; absent in rows of earlier versions: of no process */
  presence?: string
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
}

export const newOwner = (presence: string): Owner => ({ creation: randomUUID(), presence })

/**
 * Reserves DID and alias, and keeps what is needed to complete or undo the creation.
 *
 * @throws AgentError `did_taken`, `alias_taken`
 */
export async function insertIntent(
  { connection, made }: Pick<Transaction, 'connection' | 'made'>,
  account: string,
  identifier: Omit<WritableIdentifier, 'provider'>,
  { provider, owner }: { provider: string | undefined; owner: Owner },
): Promise<void> {
  const { did, alias } = identifier
  const home = homeOfDid(did)
  const now = new Date().toISOString()
  const reserved = await connection.run(
    sql`INSERT INTO account_did (home, account_id, did, stored_did, alias, version, pending, created_at)
      VALUES (${home}, ${account}, ${did}, ${scopedName(account, did)}, ${alias ?? null}, 0, 1, ${now})
      ON CONFLICT (account_id, did, home) DO NOTHING`.changing(home),
  )
  if (reserved === 0) throw didTaken(did)
  if (alias) takeAlias(connection, account, did, alias)
  tally(connection, account, 'dids', 1)
  connection.send(
    sql`INSERT INTO did_creation (home, account_id, did, provider, identifier, made, owner, created_at)
      VALUES (${home}, ${account}, ${did}, ${provider ?? null}, ${JSON.stringify(identifier)},
        ${JSON.stringify(madeIn(account, made))}, ${JSON.stringify(owner)}, ${now})`,
  )
  noteWrittenDid(connection)
  noteNetworkOfKeys(connection, account, identifier)
}

/**
 * The state of a creation. `pending`: its intent exists; `held`: the account holds the DID; `gone`: neither, or
 * another creation wants the DID now.
 */
export async function stateOfCreation(
  connection: Pick<Connection, 'query'>,
  { account, did, creation }: { account: string; did: string; creation: string },
): Promise<'pending' | 'held' | 'gone'> {
  const [row] = await connection.query<{ pending: number; owner: string | null }>(
    sql`SELECT d.pending, c.owner FROM account_did d
        LEFT JOIN did_creation c ON c.home = d.home AND c.account_id = d.account_id AND c.did = d.did
      WHERE ${isDid(account, did, sql`d.`)}`,
  )
  if (!row) return 'gone'
  if (row.pending === 0) return 'held'
  return row.owner !== null && (JSON.parse(row.owner) as Owner).creation === creation ? 'pending' : 'gone'
}

/** Nobody takes the intent over before this transaction has ended. @returns whether its owner still had it */
export const takeIntent = async (
  connection: Connection,
  { account, did, owner }: { account: string; did: string; owner: Owner },
  taker = owner,
): Promise<boolean> =>
  (await connection.run(
    sql`UPDATE did_creation SET owner = ${JSON.stringify(taker)}
      WHERE ${isDid(account, did)} AND owner = ${JSON.stringify(owner)}`,
  )) === 1

/** How many half-done creations one pass takes on. */
const MOST_IN_PASS = 1000

/** Those to be looked at in a pass: of each account the oldest first, in fair order. */
export async function selectIntentsFairly(connection: Pick<Connection, 'query'>): Promise<Intent[]> {
  const rows = await connection.query<IntentRow>(
    sql`SELECT ${INTENT_COLUMNS} FROM (
        SELECT home, account_id, did, ROW_NUMBER() OVER (PARTITION BY account_id ORDER BY created_at, did) AS place
        FROM did_creation
      ) t JOIN did_creation c ON c.home = t.home AND c.account_id = t.account_id AND c.did = t.did ${OF_ACCOUNT}
      ORDER BY t.place, c.created_at, c.did LIMIT ${MOST_IN_PASS}`,
  )
  return rows.map(toIntent)
}

/** Those of one account that occupy the DID or the alias; oldest first. */
export async function selectIntents(
  connection: Pick<Connection, 'query'>,
  of: { account: string; did: string; alias?: string | null | undefined },
): Promise<Intent[]> {
  const other = of.alias ? await didOfAlias(connection, of.account, of.alias) : undefined
  const dids = [...new Set([of.did, other ?? of.did])]
  const rows = await connection.query<IntentRow>(
    sql`SELECT ${INTENT_COLUMNS} FROM did_creation c ${OF_ACCOUNT}
      WHERE ${areDids(of.account, dids, sql`c.`)} ORDER BY c.created_at, c.did`,
  )
  return rows.map(toIntent)
}

const INTENT_COLUMNS = sql`c.account_id, a.name AS account_name, a.created_at AS account_created_at, c.did,
  c.provider, c.identifier, c.made, c.owner`

const OF_ACCOUNT = sql`JOIN account a ON a.id = c.account_id`

const madeIn = (account: string, made: MadeRows): Intent['made'] => ({
  keys: [...made.keys].flatMap((name) => unscopedName(account, name) ?? []).map(asKid),
  privateKeys: [...made.privateKeys].flatMap((name) => unscopedName(account, name) ?? []),
})

const toIntent = (row: IntentRow): Intent => ({
  account: { id: row.account_id, name: row.account_name, createdAt: row.account_created_at },
  did: row.did,
  provider: row.provider ?? undefined,
  identifier: JSON.parse(row.identifier) as Intent['identifier'],
  made: JSON.parse(row.made) as Intent['made'],
  owner: JSON.parse(row.owner) as Owner,
})

const didTaken = (did: string) =>
  new AgentError('did_taken', `did: the account already has "${did}"`, {
    details: [{ path: 'did', message: `the account already has "${did}"` }],
  })
