import type { AuditEntry, AuditEventName, EventType, NewAccountEvent } from '@vidimus/core-types'

/** The part of the audit trail that accounts get as events; ledger changes are announced beforehand instead. */
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

/** The names of an event's details there. */
const DATA: Partial<Record<AuditEventName, string>> = {
  'api-key-rotated': 'successor',
  'api-key-updated': 'addedScopes',
  'did-rotated': 'key',
}

/** @returns `undefined` for events meant only for the operator */
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
