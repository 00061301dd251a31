import type { AuditActor, AuditEventName } from '@vidimus/core-types'
import type { Connection } from '@vidimus/database'
import { insertAuditEvent, tellOtherHolders } from '@vidimus/accounts'
import type { WritableIdentifier, WrittenIdentifier } from './identifier-writes.js'

/** The caller that stores an identifier, and the context. */
export interface IdentifierWriting {
  actor: AuditActor
  /** whether the DID document was changed as well, of which the account's own rows may show nothing */
  isDocumentChange: boolean
  /** whether the DID is being created */
  isCreation: boolean
  /** whether this is part of a ledger change, which is recorded separately */
  isTold: boolean
}

/** Writes the change of a stored identifier into the audit trail; does nothing if nothing changed. */
export async function auditIdentifier(
  connection: Connection,
  identifier: WritableIdentifier,
  { actor, isDocumentChange, isCreation, isTold }: IdentifierWriting,
  { before, isUnchanged }: WrittenIdentifier,
): Promise<void> {
  if (isTold) return
  // A created DID did not exist before; a document change is always recorded.
  const isSure = isCreation || isDocumentChange || !isUnchanged
  const event = auditEvent(before, isCreation, isSure)
  if (!event) return
  await insertAuditEvent(connection, { event, subject: identifier.did }, actor)
  if (event === 'did-updated' && isDocumentChange) {
    await tellOtherHolders(connection, { type: 'did.updated', subject: identifier.did }, actor)
  }
}

function auditEvent(
  before: WrittenIdentifier['before'],
  isCreation: boolean,
  isSure: boolean,
): AuditEventName | undefined {
  if (before === 'pending') return 'did-created'
  if (before === 'none') return isCreation ? 'did-created' : 'did-imported'
  return isSure ? 'did-updated' : undefined
}
