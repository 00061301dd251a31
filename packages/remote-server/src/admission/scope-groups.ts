import { OPERATOR_SCOPE, PAYMENTS_SCOPE } from '@vidimus/core-types'

/** Groups of operations that serve as scopes of API keys. */
export const SCOPE_GROUPS = {
  read: 'Operations that change nothing, except those of API keys and webhooks',
  dids: 'DIDs: create, import, update, deactivate, list, resolve',
  keys: 'Key pairs: create, import, rename, read',
  certificates: 'Certificates of key pairs, which decide in whose name the account issues: request, set',
  'key-deletion': 'Deleting key pairs',
  signing:
    'Raw signatures and custom tokens, by agent methods: they sign anything, for every DID of the account',
  'status-lists': 'Status lists: create, update by index, check, search',
  revocation: 'Credentials: revoke, suspend, reinstate, one by one or in jobs',
  credentials: 'Credentials and presentations: issue, create, verify',
  'api-keys': 'API keys of the account: list, create, rotate, revoke; and its audit trail',
  webhooks: 'Webhooks of the account: list, create, revoke, resume, replay; they receive all events',
  [PAYMENTS_SCOPE]:
    'Spending funds of the payer on encrypted lists, in addition to the scope of the operation',
  [OPERATOR_SCOPE]:
    'Rights of an operator beyond one account; granted only on the command line, and never passed on',
} as const

export type ScopeGroup = Exclude<keyof typeof SCOPE_GROUPS, typeof PAYMENTS_SCOPE>
