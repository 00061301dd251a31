import type { AuditActor, AuditEventName } from '@vidimus/core-types'
import type { Connection } from '@vidimus/database'
import { insertAuditEvent, tellOtherHolders } from '@vidimus/accounts'
import type { WritableIdentifier, WrittenIdentifier } from './identifier-writes.js'

/** Who stores an identifier, and in the course of what. */
export interface IdentifierWriting {
  actor: AuditActor
  /** whether the DID document was changed as well, of which the account's own rows may show nothing */
  isDocumentChange: boolean
  /** whether the DID is being created */
  isCreation: boolean
  /** whether a change of a ledger is behind it, which tells of itself */
  isTold: boolean
}

/** Writes into the audit trail what the storing of an identifier was: nothing, where it changed nothing. */
export async function auditIdentifier(
  connection: Connection,
  identifier: WritableIdentifier,
  { actor, isDocumentChange, isCreation, isTold }: IdentifierWriting,
  { before, isUnchanged }: WrittenIdentifier,
): Promise<void> {
  if (isTold) return
  // What is created was not there; what changes the document is written down in any case.
  const isSure = isCreation || isDocumentChange || !isUnchanged
  const event = eventOf(before, isCreation, isSure)
  if (!event) return
  await insertAuditEvent(connection, { event, subject: identifier.did }, actor)
  if (event === 'did-updated' && isDocumentChange) {
    await tellOtherHolders(connection, { type: 'did.updated', subject: identifier.did }, actor)
  }
}

function eventOf(
  before: WrittenIdentifier['before'],
  isCreation: boolean,
  isSure: boolean,
): AuditEventName | undefined {
  if (before === 'pending') return 'did-created'
  if (before === 'none') return isCreation ? 'did-created' : 'did-imported'
  return isSure ? 'did-updated' : undefined
}
