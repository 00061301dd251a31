import type { IIdentifier } from '@veramo/core-types'
import { AgentError } from '@vidimus/core-types'
import { type Connection, homeOfDid, isUniqueViolation, sql, tally } from '@vidimus/database'
import { aliasTaken } from './key-rows.js'
import { demandIdentifierBounds, type BoundIdentifier } from './identifier-bounds.js'
import { NO_LINKS, readLinks, writeLinks, type Links } from './identifier-links.js'
import { noteNetworkOfKeys } from './networks-of-keys.js'
import { scopedName, type Transaction } from './unit.js'

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

/**
 * Stores an identifier: keys and services that it no longer names are unlinked, unchanged rows stay. Completes a
 * pending creation.
 *
 * @param expectedVersion - the version that the change is based on, if any
 * @param maxServices - that a DID may have; absent if the limits were checked before, and a ledger has it now
 * @throws AgentError `alias_taken`, `key_not_found`, `version_conflict`; `invalid_input` if it grows beyond a limit
 */
export async function writeIdentifier(
  transaction: Transaction,
  account: string,
  identifier: WritableIdentifier,
  { expectedVersion, maxServices }: { expectedVersion?: number | undefined; maxServices?: number },
): Promise<WrittenIdentifier> {
  const { did } = identifier
  const { connection } = transaction
  const row = await formerRow(connection, account, did)
  // A row that was read and is to be changed must still exist.
  if (expectedVersion !== undefined && row?.version !== expectedVersion) throw changedMeanwhile(did)
  const links = row?.pending === 0 ? await readLinks(connection, account, did) : NO_LINKS
  if (maxServices !== undefined)
    demandIdentifierBounds(identifier, row && formerIdentifier(did, row, links), maxServices)
  writeRow(connection, account, identifier, row)
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
  const statement = sql`SELECT d.stored_did, d.version, d.pending, d.alias, i.provider, i."controllerKeyId" AS controller,
        c.identifier AS intent
      FROM account_did d LEFT JOIN identifier i ON i.did = d.stored_did
        LEFT JOIN did_creation c ON c.account_id = d.account_id AND c.did = d.did
      WHERE d.account_id = ${account} AND d.did = ${did}`
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
  if (intent !== null) return { alias, ...(JSON.parse(intent) as BoundIdentifier) }
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
  await deleteServices(connection, account, did)
  await releaseCredentials(connection, account, did)
  await connection.run(
    sql`DELETE FROM identifier WHERE did IN
      (SELECT stored_did FROM account_did WHERE account_id = ${account} AND did = ${did})`,
  )
  // Links to keys and services, and the intent of a creation, go with it.
  const deleted = await connection.run(
    sql`DELETE FROM account_did WHERE account_id = ${account} AND did = ${did}`,
  )
  tally(connection, account, 'dids', -deleted)
  return deleted
}

export const didAliasTaken = (alias: string | null | undefined) =>
  aliasTaken('alias', `the account already uses "${alias}" for another DID`)

function writeRow(
  connection: Connection,
  account: string,
  { did, alias, provider, controllerKeyId }: WritableIdentifier,
  before: FormerRow | undefined,
): void {
  const now = new Date().toISOString()
  const refused = (error: unknown) => (isUniqueViolation(error, 'account_did') ? didAliasTaken(alias) : error)
  if (!before) {
    const stored = scopedName(account, did)
    connection.send(
      sql`INSERT INTO account_did (account_id, did, stored_did, alias, provider, version, pending, created_at)
        VALUES (${account}, ${did}, ${stored}, ${alias ?? null}, ${provider}, 1, 0, ${now})`.changing(
        homeOfDid(did),
      ),
      refused,
    )
    tally(connection, account, 'dids', 1)
    insertIdentifier(connection, did, { stored, provider, controllerKeyId, now })
    return
  }
  const newAlias = alias === undefined ? sql`` : sql`, alias = ${alias}`
  connection.send(
    sql`UPDATE account_did SET pending = 0, version = version + 1, provider = ${provider}${newAlias}
      WHERE account_id = ${account} AND did = ${did}`.changing(homeOfDid(did)),
    refused,
  )
  if (before.pending === 1) {
    const stored = before.stored_did
    insertIdentifier(connection, did, { stored, provider, controllerKeyId, now })
    connection.send(sql`DELETE FROM did_creation WHERE account_id = ${account} AND did = ${did}`)
    return
  }
  connection.send(
    sql`UPDATE identifier SET provider = ${provider}, alias = NULL, "updateDate" = ${now},
      "controllerKeyId" = COALESCE(${controllerKeyId ?? null}, "controllerKeyId") WHERE did = ${before.stored_did}`.changing(
      homeOfDid(did),
    ),
  )
}

/** An omitted alias or controller key is unchanged. */
const isSameRow = (held: FormerRow, { alias, provider, controllerKeyId }: WritableIdentifier): boolean =>
  held.provider === provider &&
  (alias === undefined || alias === held.alias) &&
  (controllerKeyId === undefined || controllerKeyId === held.controller)

/** The alias is not stored in Veramo's table, where it would have to be unique among all accounts. */
const insertIdentifier = (
  connection: Connection,
  did: string,
  {
    stored,
    provider,
    controllerKeyId,
    now,
  }: { stored: string; provider: string; controllerKeyId: string | undefined; now: string },
): void =>
  connection.send(
    sql`INSERT INTO identifier (did, provider, alias, "saveDate", "updateDate", "controllerKeyId")
      VALUES (${stored}, ${provider}, NULL, ${now}, ${now}, ${controllerKeyId ?? null})`.changing(
      homeOfDid(did),
    ),
  )

const deleteServices = (connection: Connection, account: string, did: string) =>
  connection.run(
    sql`DELETE FROM service WHERE id IN
      (SELECT stored_id FROM account_service WHERE account_id = ${account} AND did = ${did})`,
  )

/**
 * Credentials and messages stored by Veramo's own data store refer to their parties by foreign keys. Those that the
 * DID issued are deleted with it, as in Veramo; those that only mention it stay.
 */
async function releaseCredentials(connection: Connection, account: string, did: string): Promise<void> {
  const [held] = await connection.query<HeldRow>(
    sql`SELECT stored_did, version, pending FROM account_did WHERE account_id = ${account} AND did = ${did}`,
  )
  // Only the rows of an adopted database can be named so.
  if (held?.stored_did !== did) return
  await connection.run(sql`UPDATE credential SET "subjectDid" = NULL WHERE "subjectDid" = ${did}`)
  await connection.run(sql`UPDATE claim SET "subjectDid" = NULL WHERE "subjectDid" = ${did}`)
  await connection.run(sql`UPDATE message SET "fromDid" = NULL WHERE "fromDid" = ${did}`)
  await connection.run(sql`UPDATE message SET "toDid" = NULL WHERE "toDid" = ${did}`)
}

const changedMeanwhile = (did: string) =>
  new AgentError(
    'version_conflict',
    `did: ${did} was changed or deleted by another call in the meantime; retry`,
    {
      details: [{ path: 'did', message: 'was changed or deleted by another call in the meantime; retry' }],
    },
  )
