import type { IIdentifier } from '@veramo/core-types'
import { AgentError } from '@vidimus/core-types'
import {
  type Connection,
  homeOf,
  homeOfDid,
  isUniqueViolation,
  sql,
  type Sql,
  tally,
  inAccount,
} from '@vidimus/database'
import { forgetCreation } from '@vidimus/idempotency'
import { deleteWork, type WorkKey } from '@vidimus/work'
import { releaseAlias, takeAlias } from './did-aliases.js'
import { isDid } from './home-conditions.js'
import { demandIdentifierBounds, type BoundIdentifier } from './identifier-bounds.js'
import { NO_LINKS, readLinks, writeLinks, type Links } from './identifier-links.js'
import { noteNetworkOfKeys } from './networks-of-keys.js'
import { scopedName, type Transaction } from './unit.js'

/** The work of completing a creation of a DID that was interrupted, or of undoing it. */
export const DID_CREATION = 'did-creation'

/** Of the intent to create a DID, whose row is pending as long as there is one. */
export const keyOfIntent = (account: string, did: string): WorkKey => ({
  home: homeOfDid(did),
  key: JSON.stringify([did, account]),
})

/** The intents `c` of the DID `d`. */
export const withIntent = (account: string, did: string): Sql =>
  sql`LEFT JOIN work_item c ON c.home = d.home AND c.kind = ${DID_CREATION} AND c.key = ${keyOfIntent(account, did).key}`

/** An identifier to be written; without `alias` its current one stays, `null` removes it. */
export type WritableIdentifier = Omit<IIdentifier, 'alias'> & { alias?: string | null }

interface HeldRow {
  stored_did: string
  version: number
  pending: number
}

/** As the account has it; for a DID that is yet to be created, missing parts are in the intent. */
interface FormerRow extends HeldRow {
  alias: string | null
  provider: string | null
  controller: string | null
  intent: string | null
}

export type FormerState = 'none' | 'pending' | 'held'

/** The state of a DID before it was stored: nothing, a creation under way, or held. */
export interface WrittenIdentifier {
  before: FormerState
  /** it was held exactly so */
  isUnchanged: boolean
}

interface WritingOptions {
  expectedVersion?: number | undefined
  maxServices?: number
  mayBeNew?: boolean
}

/**
 * Stores an identifier: keys and services that it no longer names are unlinked, unchanged rows stay. Completes a
 * pending creation.
 *
 * @param expectedVersion - the version that the change is based on, if any
 * @param maxServices - that a DID may have; absent if the limits were checked before, and a ledger has it now
 * @param mayBeNew - it is not looked for if its key was made with it; if there is one after all, a unique constraint refuses it
 * @throws AgentError `alias_taken`, `key_not_found`, `version_conflict`; `invalid_input` if it grows beyond a limit
 */
export async function writeIdentifier(
  transaction: Transaction,
  account: string,
  identifier: WritableIdentifier,
  { expectedVersion, maxServices, mayBeNew = false }: WritingOptions,
): Promise<WrittenIdentifier> {
  const { did } = identifier
  const { connection, made, presumesNew } = transaction
  const hasNewKey = identifier.keys.some(({ kid }) => made.keys.has(scopedName(account, kid)))
  const isNew = presumesNew && mayBeNew && hasNewKey
  const row = isNew ? undefined : await formerRow(connection, account, did)
  // A row that was read and is to be changed must still exist.
  if (expectedVersion !== undefined && row?.version !== expectedVersion) throw changedMeanwhile(did)
  const links = row?.pending === 0 ? await readLinks(connection, account, did) : NO_LINKS
  if (maxServices !== undefined)
    demandIdentifierBounds(identifier, row && formerIdentifier(did, row, links), maxServices)
  writeRow(connection, account, identifier, { before: row, isNew })
  noteWrittenDid(connection)
  const written = await writeLinks(transaction, account, identifier, links)
  if (!written.isUnchanged) noteNetworkOfKeys(connection, account, identifier)
  if (row?.pending !== 0) return { before: row ? 'pending' : 'none', isUnchanged: false }
  return { before: 'held', isUnchanged: isSameRow(row, identifier) && written.isUnchanged }
}

async function formerRow(
  connection: Connection,
  account: string,
  did: string,
): Promise<FormerRow | undefined> {
  const statement = sql`SELECT d.stored_did, d.version, d.pending, d.alias, d.provider, d.controller_key_id AS controller,
        c.payload AS intent
      FROM account_did d ${withIntent(account, did)}
      WHERE ${isDid(account, did, sql`d.`)}`
  const [row] = await (WRITTEN.has(connection)
    ? connection.query<FormerRow>(statement)
    : connection.queryApart<FormerRow>(statement))
  return row
}

/** Transactions that have sent rows of a DID, which whatever comes after them must see. */
const WRITTEN = new WeakSet<Connection>()

export const noteWrittenDid = (connection: Connection): void => void WRITTEN.add(connection)

function formerIdentifier(
  did: string,
  { alias, provider, controller, intent }: FormerRow,
  { keys, services }: Links,
): BoundIdentifier {
  if (intent !== null) return { alias, ...(JSON.parse(intent) as { identifier: BoundIdentifier }).identifier }
  return {
    did,
    alias,
    ...(provider !== null && { provider }),
    ...(controller !== null && { controllerKeyId: controller }),
    keys: [...keys.values()],
    services: [...services.values()].map(({ id, type, endpoint, description }) => ({
      id,
      type,
      serviceEndpoint: endpoint,
      ...(description !== null && { description }),
    })),
  }
}

/** Takes a DID out of an account; its keys stay. @returns how many DIDs it held under that name: 0 or 1 */
export async function deleteIdentifier(
  connection: Connection,
  account: string,
  did: string,
): Promise<number> {
  const former = await formerRow(connection, account, did)
  if (!former) return 0
  const home = homeOfDid(did)
  await connection.run(
    sql`DELETE FROM service WHERE home = ${home} AND id IN
      (SELECT stored_id FROM account_service WHERE ${isDid(account, did)})`.changing(home),
  )
  await connection.run(
    sql`DELETE FROM account_did_key WHERE ${inAccount(account)} AND did = ${did}`.changing(homeOf(account)),
  )
  if (former.pending === 1) connection.send(deleteWork(DID_CREATION, keyOfIntent(account, did)))
  return removeDid(connection, account, did, former.alias)
}

/** Deletes the row of a DID with its alias and the mark of the request that created it. Its services go with it. */
export async function removeDid(
  connection: Connection,
  account: string,
  did: string,
  alias: string | null | undefined,
): Promise<number> {
  if (alias) releaseAlias(connection, account, did, alias)
  await forgetCreation(connection, account, did)
  const deleted = await connection.run(
    sql`DELETE FROM account_did WHERE ${isDid(account, did)}`.changing(homeOfDid(did)),
  )
  tally(connection, account, 'dids', -deleted)
  return deleted
}

function writeRow(
  connection: Connection,
  account: string,
  { did, alias, provider, controllerKeyId }: WritableIdentifier,
  { before, isNew }: { before: FormerRow | undefined; isNew: boolean },
): void {
  const home = homeOfDid(did)
  const refused = (error: unknown) =>
    !isNew && isUniqueViolation(error, 'account_did') ? changedMeanwhile(did) : error
  if (!before) {
    connection.send(
      sql`INSERT INTO account_did
          (home, account_id, did, stored_did, alias, provider, controller_key_id, version, pending, created_at)
        VALUES (${home}, ${account}, ${did}, ${scopedName(account, did)}, ${alias ?? null}, ${provider},
          ${controllerKeyId ?? null}, 1, 0, ${new Date().toISOString()})`.changing(home),
      refused,
    )
    if (alias) takeAlias(connection, account, did, alias)
    tally(connection, account, 'dids', 1)
    return
  }
  const newAlias = alias === undefined ? sql`` : sql`, alias = ${alias}`
  if (alias !== undefined && alias !== before.alias) {
    if (before.alias) releaseAlias(connection, account, did, before.alias)
    if (alias) takeAlias(connection, account, did, alias)
  }
  connection.send(
    sql`UPDATE account_did SET pending = 0, version = version + 1, provider = ${provider},
        controller_key_id = COALESCE(${controllerKeyId ?? null}, controller_key_id)${newAlias}
      WHERE ${isDid(account, did)}`.changing(home),
  )
  if (before.pending === 1) connection.send(deleteWork(DID_CREATION, keyOfIntent(account, did)))
}

/** An omitted alias or controller key is unchanged. */
const isSameRow = (held: FormerRow, { alias, provider, controllerKeyId }: WritableIdentifier): boolean =>
  held.provider === provider &&
  (alias === undefined || alias === held.alias) &&
  (controllerKeyId === undefined || controllerKeyId === held.controller)

const changedMeanwhile = (did: string) =>
  new AgentError(
    'version_conflict',
    `did: ${did} was changed or deleted by another call in the meantime; retry`,
    {
      details: [{ path: 'did', message: 'was changed or deleted by another call in the meantime; retry' }],
    },
  )
