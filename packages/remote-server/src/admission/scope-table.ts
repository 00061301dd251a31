import { OPERATOR_SCOPE } from '@vidimus/core-types'
import type { ScopeGroup } from './scope-groups.js'

/** The scopes for one right, however it is requested. */
interface Right {
  /** groups that each grant it; none: only the id of the operation or method itself does */
  scopes: readonly ScopeGroup[]
  /** ids of operations of the REST API */
  operations: readonly string[]
  /** methods at `/agent` */
  methods: readonly string[]
}

/**
 * The single table of which scopes grant access, for operations of the REST API and the equivalent agent methods. Each
 * row is one right, so a scope means the same in both APIs.
 */
const RIGHTS: readonly Right[] = [
  {
    scopes: ['dids'],
    operations: [
      'did-create',
      'did-import',
      'did-update',
      'did-rotate-key',
      'did-deactivate',
      'resource-create',
      'registrar-create',
      'registrar-update',
      'registrar-deactivate',
    ],
    methods: [
      'didManagerCreate',
      'didManagerGetOrCreate',
      'didManagerSetAlias',
      'didManagerUpdate',
      'didRotateKey',
      'didManagerDelete',
      'didManagerAddKey',
      'didManagerRemoveKey',
      'didManagerAddService',
      'didManagerRemoveService',
      'cheqdDeactivate',
      'linkedResourceCreate',
    ],
  },
  {
    scopes: ['dids', 'read'],
    operations: [
      'did-list',
      'did-read',
      'did-search',
      'did-rotation-read',
      'did-document',
      'resource-search',
      'registrar-properties',
    ],
    methods: [
      'webDidDocument',
      'didRotationGet',
      'didManagerGetProviders',
      'didManagerFind',
      'didManagerGet',
      'didManagerGetByAlias',
      'resolveDid',
      'getDIDComponentById',
      'didUrlDereference',
      'cheqdNetworks',
      'linkedResourceGet',
      'linkedResourceGetLatest',
      'linkedResourceGetLatestMetadata',
      'linkedResourceList',
      'linkedResourceListNewest',
      'linkedResourceListVersions',
    ],
  },
  {
    scopes: ['keys'],
    operations: ['key-create', 'key-import', 'key-update', 'key-csr', 'key-certificate'],
    methods: ['keyManagerCreate', 'keyCertificateRequest', 'keyCertificateSet'],
  },
  {
    scopes: ['keys', 'read'],
    operations: ['key-kms', 'key-list', 'key-read'],
    methods: ['keyManagerGetKeyManagementSystems', 'keyManagerGet', 'keyCertificateGet'],
  },
  { scopes: ['key-deletion'], operations: ['key-delete'], methods: ['keyManagerDelete'] },
  {
    scopes: ['signing'],
    operations: [],
    methods: ['keyManagerSign', 'keyManagerSignJWT', 'keyManagerSignEthTX', 'didJwtCreate'],
  },
  {
    scopes: ['credentials'],
    operations: ['credential-issue', 'presentation-create', 'vc-api-issue', 'vc-api-create-presentation'],
    methods: [
      'credentialIssue',
      'credentialSign',
      'presentationCreate',
      'createVerifiableCredential',
      'createVerifiablePresentation',
    ],
  },
  {
    scopes: ['credentials', 'read'],
    operations: [
      'credential-verify',
      'presentation-verify',
      'credential-entries',
      'vc-api-verify-credential',
      'vc-api-verify-presentation',
    ],
    methods: [
      'didJwtVerify',
      'credentialVerify',
      'presentationVerify',
      'listUsableProofFormats',
      'credentialEntries',
    ],
  },
  {
    scopes: ['status-lists'],
    operations: ['create-status-list', 'update-status-list', 'sign-status-list'],
    methods: [
      'statusListCreate',
      'statusListUpdate',
      'statusListSign',
      'statusListAllocate',
      'statusListAllocateTogether',
    ],
  },
  {
    scopes: ['status-lists', 'read'],
    operations: [
      'check-status-list',
      'search-status-list',
      'status-list-entries',
      'status-list-types',
      'list-status-lists',
      'status-list-versions',
      'verify-receipt',
    ],
    methods: [
      'checkCredentialStatus',
      'statusListCheck',
      'statusListSearch',
      'statusListEntries',
      'statusListMembers',
      'statusListMemberships',
      'statusListReceiptVerify',
      'statusListTypes',
      'statusListDelivery',
      'statusListForms',
      'statusListLocate',
      'statusListAggregation',
    ],
  },
  {
    scopes: [],
    operations: ['create-encrypted-status-list', 'update-encrypted-status-list'],
    // Depends on the arguments: see PARTICULARS.
    methods: [],
  },
  {
    scopes: [],
    operations: ['credential-revoke', 'credential-suspend', 'credential-reinstate', 'vc-api-status'],
    methods: ['statusListUpdateCredential'],
  },
  { scopes: ['credentials'], operations: [], methods: ['statusListJobCreate'] },
  {
    // What rows may name is checked as they arrive.
    scopes: ['credentials', 'status-lists'],
    operations: ['status-job-create', 'status-job-pause', 'status-job-resume'],
    methods: ['statusListJobPause', 'statusListJobResume'],
  },
  {
    scopes: ['credentials', 'status-lists', 'read'],
    operations: ['status-job-read', 'status-job-report'],
    methods: ['statusListJobGet', 'statusListJobReport'],
  },
  { scopes: [], operations: ['status-list-payments'], methods: ['statusListPayments'] },
  {
    scopes: ['api-keys'],
    operations: ['api-key-list', 'api-key-create', 'api-key-revoke', 'api-key-rotate', 'account-audit'],
    methods: [],
  },
  {
    scopes: ['read'],
    operations: ['event-list', 'account-usage'],
    methods: ['statusListFees', 'ledgerSpending'],
  },
  {
    scopes: ['webhooks'],
    operations: [
      'webhook-list',
      'webhook-create',
      'webhook-revoke',
      'webhook-dead-letters',
      'webhook-replay',
    ],
    methods: [],
  },
]

/**
 * Rights beyond one account: nothing but the scope `operator` grants them, neither their ids nor an API key without
 * scopes. No agent method is among them.
 */
const OPERATOR_OPERATIONS: readonly string[] = [
  'operator-account-list',
  'operator-account-create',
  'operator-account-disable',
  'operator-account-enable',
  'operator-account-delete',
  'operator-health',
]

/** A method that corresponds to several REST operations, and how to choose one for a call. */
interface Particular {
  operations: readonly string[]
  of(args: Readonly<Record<string, unknown>>): string
}

const listOperation = (action: 'create' | 'update'): Particular => ({
  operations: [`${action}-status-list`, `${action}-encrypted-status-list`],
  of: ({ encrypted }) => `${action}${encrypted === true ? '-encrypted' : ''}-status-list`,
})

const PARTICULARS: Readonly<Record<string, Particular>> = {
  statusListCreate: listOperation('create'),
  statusListUpdate: listOperation('update'),
  statusListUpdateCredential: {
    operations: ['credential-revoke', 'credential-suspend', 'credential-reinstate'],
    of: ({ action }) => `credential-${String(action)}`,
  },
  statusListPayments: { operations: ['status-list-payments'], of: () => 'status-list-payments' },
}

const particularScope = (method: string): Particular | undefined =>
  Object.hasOwn(PARTICULARS, method) ? PARTICULARS[method] : undefined

const GROUPS: ReadonlyMap<string, readonly ScopeGroup[]> = new Map([
  ...RIGHTS.flatMap(({ scopes, operations, methods }) =>
    [...operations, ...methods].map((name) => [name, scopes] as const),
  ),
  ...OPERATOR_OPERATIONS.map((name) => [name, [OPERATOR_SCOPE]] as const),
])

/** All operations and methods of the table whose id is a scope, each once. */
export const NAMED_RIGHTS: readonly string[] = RIGHTS.flatMap(({ operations, methods }) => [
  ...operations,
  ...methods,
])

/** The methods among them, in the same order. */
export const AGENT_METHODS: readonly string[] = RIGHTS.flatMap(({ methods }) => methods)

/** @returns the groups that grant access; none for methods outside the table, such as third-party methods */
export const scopeGroups = (id: string): readonly ScopeGroup[] => GROUPS.get(id) ?? []

/** Scopes that each grant access to the operation or method; if a method has several rights, for some arguments. */
export const scopesOf = (id: string): readonly string[] => {
  const operations = particularScope(id)?.operations
  if (OPERATOR_OPERATIONS.includes(id)) return [OPERATOR_SCOPE]
  return [...new Set(operations ? operations.flatMap(scopesOf) : scopeGroups(id)), id]
}

/** Scopes that each allow an API key to call the method with these arguments. */
export function scopesOfCall(method: string, args: Readonly<Record<string, unknown>>): readonly string[] {
  const operation = particularScope(method)?.of(args)
  return operation !== undefined && GROUPS.has(operation)
    ? [...scopesOf(operation), method]
    : scopesOf(method)
}
