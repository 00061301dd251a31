import { OPERATOR_SCOPE, PAYMENTS_SCOPE } from '@vidimus/core-types'

/** Groups of operations that an API key may be limited to. */
export const SCOPE_GROUPS = {
  read: 'Operations that change nothing, except those of API keys and webhooks',
  dids: 'DIDs: create, import, update, deactivate, list, resolve',
  keys: 'Key pairs: make, import, read',
  'key-deletion': 'Deleting key pairs',
  signing:
    'Raw signatures and tokens of own making, by agent methods: with them everything is signed as every DID',
  'status-lists': 'Status lists: create, update, check, search',
  credentials: 'Credentials and presentations: issue, create, verify',
  'api-keys': 'API keys of the account: list, create, rotate, revoke',
  webhooks: 'Webhooks of the account: list, create, revoke, replay; whoever creates one is sent the events',
  [PAYMENTS_SCOPE]: 'Spending money of the payer on encrypted lists, beside the operation that does it',
  [OPERATOR_SCOPE]:
    'What an operator may beyond an account; given on the command line alone, and never passed on',
} as const

export type ScopeGroup = Exclude<keyof typeof SCOPE_GROUPS, typeof PAYMENTS_SCOPE>
