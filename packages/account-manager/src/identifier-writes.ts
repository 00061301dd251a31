import { randomUUID } from 'node:crypto'
import type { IIdentifier } from '@veramo/core-types'
import { AgentError } from '@vidimus/core-types'
import { isUniqueViolation, sql, type Connection } from '@vidimus/database'
import { aliasTaken } from './account-key-store.js'
import { endpointText } from './identifier-rows.js'
import { tally } from './tally.js'
import { scopedName } from './unit.js'

/** An identifier as it is written; `alias` left out: the one that it has stays, `null`: it loses it. */
export type WritableIdentifier = Omit<IIdentifier, 'alias'> & { alias?: string | null }

interface HeldRow {
  stored_did: string
  version: number
  pending: number
}

/**
 * Stores an identifier as a whole: keys and services that it no longer names are unlinked. Completes the creation of
 * a DID that is pending.
 *
 * @param expectedVersion - the version that the change is based on, where it is based on one
 * @returns what it was before: nothing, a creation under way, or held
 * @throws AgentError `alias_taken`, `key_not_found`, `version_conflict`
 */
export async function writeIdentifier(
  connection: Connection,
  account: string,
  identifier: WritableIdentifier,
  expectedVersion?: number,
): Promise<FormerState> {
  const before = await writeHeld(connection, account, identifier, expectedVersion)
  await linkKeys(connection, account, identifier)
  await linkServices(connection, account, identifier)
  return before
}

export type FormerState = 'none' | 'pending' | 'held'

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
  await tally(connection, account, 'dids', -deleted)
  return deleted
}

export const didAliasTaken = (alias: string | null | undefined) =>
  aliasTaken('alias', `the account uses "${alias}" for another DID already`)

async function writeHeld(
  connection: Connection,
  account: string,
  identifier: WritableIdentifier,
  expectedVersion: number | undefined,
): Promise<FormerState> {
  try {
    const now = new Date().toISOString()
    if (await insertHeld(connection, account, identifier, now, expectedVersion)) return 'none'
    return await replaceHeld(connection, account, identifier, now, expectedVersion)
  } catch (error) {
    throw isUniqueViolation(error, 'account_did') ? didAliasTaken(identifier.alias) : error
  }
}

async function insertHeld(
  connection: Connection,
  account: string,
  { did, alias, provider, controllerKeyId }: WritableIdentifier,
  now: string,
  expectedVersion: number | undefined,
): Promise<boolean> {
  // What was read and is to be changed must still be there.
  if (expectedVersion !== undefined) return false
  const stored = scopedName(account, did)
  const inserted = await connection.run(
    sql`INSERT INTO account_did (account_id, did, stored_did, alias, provider, version, pending, created_at)
      VALUES (${account}, ${did}, ${stored}, ${alias ?? null}, ${provider}, 1, 0, ${now})
      ON CONFLICT (account_id, did) DO NOTHING`,
  )
  if (inserted === 0) return false
  await tally(connection, account, 'dids', 1)
  await insertIdentifier(connection, stored, provider, controllerKeyId, now)
  return true
}

async function replaceHeld(
  connection: Connection,
  account: string,
  { did, alias, provider, controllerKeyId }: WritableIdentifier,
  now: string,
  expectedVersion: number | undefined,
): Promise<FormerState> {
  const [held] = await connection.query<HeldRow>(
    sql`SELECT stored_did, version, pending FROM account_did WHERE account_id = ${account} AND did = ${did}`,
  )
  if (!held || (expectedVersion !== undefined && held.version !== expectedVersion))
    throw changedMeanwhile(did)
  const newAlias = alias === undefined ? sql`` : sql`, alias = ${alias}`
  await connection.run(
    sql`UPDATE account_did SET pending = 0, version = version + 1, provider = ${provider}${newAlias}
      WHERE account_id = ${account} AND did = ${did}`,
  )
  if (held.pending === 1) {
    await insertIdentifier(connection, held.stored_did, provider, controllerKeyId, now)
    await connection.run(sql`DELETE FROM did_creation WHERE account_id = ${account} AND did = ${did}`)
    return 'pending'
  }
  await connection.run(
    sql`UPDATE identifier SET provider = ${provider}, alias = NULL, "updateDate" = ${now},
      "controllerKeyId" = COALESCE(${controllerKeyId ?? null}, "controllerKeyId") WHERE did = ${held.stored_did}`,
  )
  await connection.run(sql`DELETE FROM account_did_key WHERE account_id = ${account} AND did = ${did}`)
  await deleteServices(connection, account, did)
  await connection.run(sql`DELETE FROM account_service WHERE account_id = ${account} AND did = ${did}`)
  return 'held'
}

/** The alias stays out of Veramo's table, where it would have to be unique among all accounts. */
const insertIdentifier = (
  connection: Connection,
  stored: string,
  provider: string,
  controllerKeyId: string | undefined,
  now: string,
) =>
  connection.run(
    sql`INSERT INTO identifier (did, provider, alias, "saveDate", "updateDate", "controllerKeyId")
      VALUES (${stored}, ${provider}, NULL, ${now}, ${now}, ${controllerKeyId ?? null})`,
  )

async function linkKeys(
  connection: Connection,
  account: string,
  { did, keys }: WritableIdentifier,
): Promise<void> {
  const missing: string[] = []
  for (const [position, kid] of [...new Set(keys.map((key) => key.kid))].entries()) {
    const linked = await connection.run(
      sql`INSERT INTO account_did_key (account_id, did, kid, position)
        SELECT account_id, CAST(${did} AS TEXT), kid, CAST(${position} AS INTEGER)
        FROM account_key WHERE account_id = ${account} AND kid = ${kid}`,
    )
    if (linked === 0) missing.push(kid)
  }
  if (missing.length === 0) return
  const details = keys.flatMap(({ kid }, n) =>
    missing.includes(kid) ? [{ path: `keys[${n}].kid`, message: `the account holds no key "${kid}"` }] : [],
  )
  throw new AgentError('key_not_found', `the account holds no key "${missing.join('", "')}"`, { details })
}

async function linkServices(
  connection: Connection,
  account: string,
  { did, services }: WritableIdentifier,
): Promise<void> {
  for (const [position, service] of services.entries()) {
    // Nobody asks for a service by its own name; two DIDs may use one service id.
    const stored = scopedName(account, randomUUID())
    await connection.run(
      sql`INSERT INTO service (id, type, "serviceEndpoint", description, "identifierDid")
        SELECT CAST(${stored} AS TEXT), CAST(${service.type} AS TEXT),
          CAST(${endpointText(service.serviceEndpoint)} AS TEXT), CAST(${service.description ?? null} AS TEXT), stored_did
        FROM account_did WHERE account_id = ${account} AND did = ${did}`,
    )
    await connection.run(
      sql`INSERT INTO account_service (account_id, did, id, stored_id, position)
        VALUES (${account}, ${did}, ${service.id}, ${stored}, ${position})`,
    )
  }
}

const deleteServices = (connection: Connection, account: string, did: string) =>
  connection.run(
    sql`DELETE FROM service WHERE id IN
      (SELECT stored_id FROM account_service WHERE account_id = ${account} AND did = ${did})`,
  )

/**
 * Credentials and messages that Veramo's own data store has kept name their parties by foreign keys. Those that the
 * DID issued go with it, as Veramo does it; those that only mention it stay.
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
    `did: ${did} was changed or deleted by another call meanwhile; repeat yours`,
    {
      details: [{ path: 'did', message: 'was changed or deleted by another call meanwhile; repeat yours' }],
    },
  )
