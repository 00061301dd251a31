import type { AuditEntry, AuditEventName, EventType, NewAccountEvent } from '@vidimus/core-types'

/** What of the audit trail accounts are told of; what happens on a ledger is announced before instead. */
const TYPES: Partial<Record<AuditEventName, EventType>> = {
  'did-created': 'did.created',
  'did-imported': 'did.imported',
  'did-updated': 'did.updated',
  'did-rotated': 'did.rotated',
  'key-created': 'key.created',
  'key-imported': 'key.imported',
  'api-key-created': 'api-key.created',
  'api-key-revoked': 'api-key.revoked',
  'api-key-rotated': 'api-key.rotated',
  'api-key-updated': 'api-key.updated',
}

/** What the detail of an event is called there. */
const DATA: Partial<Record<AuditEventName, string>> = {
  'api-key-rotated': 'successor',
  'api-key-updated': 'addedScopes',
  'did-rotated': 'key',
}

/** @returns `undefined` for what is for the operator alone */
export function eventOfAudit({ event, outcome, subject, detail }: AuditEntry): NewAccountEvent | undefined {
  const type = TYPES[event]
  if (type === undefined || subject === undefined || outcome === 'refused') return undefined
  const member = DATA[event]
  return {
    type,
    subject,
    ...(member !== undefined && detail !== undefined && { data: { [member]: detail } }),
  }
}
