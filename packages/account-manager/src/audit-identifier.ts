import { isDeepStrictEqual } from 'node:util'
import type { IIdentifier } from '@veramo/core-types'
import type { AuditActor, AuditEventName } from '@vidimus/core-types'
import type { Connection } from '@vidimus/database'
import { sql } from '@vidimus/database'
import { insertAuditEvent, tellOtherHolders } from './audit-rows.js'
import { selectIdentifiers, toIdentifiers, type IdentifierRow } from './identifier-rows.js'
import type { FormerState, WritableIdentifier } from './identifier-writes.js'

/** Who stores an identifier, and in the course of what. */
export interface IdentifierWriting {
  account: string
  actor: AuditActor
  /** whether the DID document was changed as well, of which the account's own rows may show nothing */
  isDocumentChange: boolean
  /** whether the DID is being created */
  isCreation: boolean
  /** whether a change of a ledger is behind it, which tells of itself */
  isTold: boolean
}

/** Stores an identifier, and writes into the audit trail what that was: nothing, where it changed nothing. */
export async function auditIdentifier(
  connection: Connection,
  identifier: WritableIdentifier,
  { account, actor, isDocumentChange, isCreation, isTold }: IdentifierWriting,
  write: () => Promise<FormerState>,
): Promise<void> {
  // What is created was not there; what changes the document is written down in any case.
  const isSure = isTold || isCreation || isDocumentChange
  const before = isSure ? undefined : await held(connection, account, identifier.did)
  const state = await write()
  if (isTold) return
  const event = eventOf(state, isCreation, () => before !== undefined && isSame(before, identifier))
  if (!event) return
  await insertAuditEvent(connection, { event, subject: identifier.did }, actor)
  if (event === 'did-updated' && isDocumentChange) {
    await tellOtherHolders(connection, { type: 'did.updated', subject: identifier.did }, actor)
  }
}

function eventOf(
  state: FormerState,
  isCreation: boolean,
  isUnchanged: () => boolean,
): AuditEventName | undefined {
  if (state === 'pending') return 'did-created'
  if (state === 'none') return isCreation ? 'did-created' : 'did-imported'
  return isUnchanged() ? undefined : 'did-updated'
}

async function held(connection: Connection, account: string, did: string): Promise<IIdentifier | undefined> {
  const rows = await connection.query<IdentifierRow>(selectIdentifiers(account, sql`AND d.did = ${did}`))
  return toIdentifiers(rows)[0]?.identifier
}

/** An alias or a controller key that is left out stays as it is. */
function isSame(before: IIdentifier, after: WritableIdentifier): boolean {
  const { alias = before.alias, controllerKeyId = before.controllerKeyId } = after
  const shape = ({ provider, keys, services }: Pick<IIdentifier, 'provider' | 'keys' | 'services'>) => ({
    provider,
    kids: keys.map(({ kid }) => kid),
    services,
  })
  return (
    (alias ?? undefined) === before.alias &&
    controllerKeyId === before.controllerKeyId &&
    isDeepStrictEqual(shape(before), shape(after))
  )
}
