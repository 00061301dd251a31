import { effectByCredential, EFFECTS, JOB_EFFECTS, scopesForEffects, type Effect } from '@vidimus/core-types'
import { SCOPE_GROUPS } from './scope-groups.js'

/** The doors to an effect. */
interface Doors {
  /** each of them opens the door; with several, the arguments decide which is needed */
  effects: readonly Effect[]
  /** ids of operations of the REST API */
  operations: readonly string[]
  /** methods at `/agent` */
  methods: readonly string[]
}

const BY_CREDENTIAL = ['revoke-by-credential', 'suspend-by-credential', 'reinstate-by-credential'] as const

/**
 * The single table of what the operations of the REST API and the agent methods set going. Which scopes allow an effect
 * is decided in one place for both, so a scope means the same in both APIs.
 */
const DOORS: readonly Doors[] = [
  {
    effects: ['manage-dids'],
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
    effects: ['read-dids'],
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
      'linkedResourceFindLatest',
      'linkedResourceList',
      'linkedResourceListNewest',
      'linkedResourceListVersions',
    ],
  },
  {
    effects: ['manage-keys'],
    operations: ['key-create', 'key-update'],
    methods: ['keyManagerCreate'],
  },
  { effects: ['import-key'], operations: ['key-import'], methods: [] },
  { effects: ['request-certificate'], operations: ['key-csr'], methods: ['keyCertificateRequest'] },
  { effects: ['name-issuer'], operations: ['key-certificate'], methods: ['keyCertificateSet'] },
  {
    effects: ['read-keys'],
    operations: ['key-kms', 'key-list', 'key-read'],
    methods: ['keyManagerGetKeyManagementSystems', 'keyManagerGet', 'keyCertificateGet'],
  },
  { effects: ['delete-key'], operations: ['key-delete'], methods: ['keyManagerDelete'] },
  {
    effects: ['sign-raw'],
    operations: [],
    methods: ['keyManagerSign', 'keyManagerSignJWT', 'keyManagerSignEthTX', 'didJwtCreate'],
  },
  {
    effects: ['issue'],
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
    effects: ['verify'],
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
    effects: ['publish'],
    operations: ['create-status-list', 'sign-status-list'],
    methods: ['statusListSign', 'statusListAllocate', 'statusListAllocateTogether'],
  },
  { effects: ['publish-encrypted'], operations: ['create-encrypted-status-list'], methods: [] },
  { effects: ['publish', 'publish-encrypted'], operations: [], methods: ['statusListCreate'] },
  { effects: ['revoke-by-index'], operations: ['update-status-list'], methods: [] },
  { effects: ['revoke-encrypted'], operations: ['update-encrypted-status-list'], methods: [] },
  { effects: ['revoke-by-index', 'revoke-encrypted'], operations: [], methods: ['statusListUpdate'] },
  {
    effects: ['read-lists'],
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
      'statusListFacts',
      'statusListReceiptVerify',
      'statusListTypes',
      'statusListDelivery',
      'statusListForms',
      'statusListLocate',
      'statusListAggregation',
    ],
  },
  { effects: ['revoke-by-credential'], operations: ['credential-revoke'], methods: [] },
  { effects: ['suspend-by-credential'], operations: ['credential-suspend'], methods: [] },
  { effects: ['reinstate-by-credential'], operations: ['credential-reinstate'], methods: [] },
  { effects: BY_CREDENTIAL, operations: ['vc-api-status'], methods: [] },
  { effects: BY_CREDENTIAL, operations: [], methods: ['statusListUpdateCredential', 'statusListJobCreate'] },
  {
    // Each row needs a right of its own, and a job those of all its rows: `status-list` checks them.
    effects: JOB_EFFECTS,
    operations: ['status-job-create', 'status-job-pause', 'status-job-resume', 'status-job-cancel'],
    methods: ['statusListJobPause', 'statusListJobResume', 'statusListJobCancel'],
  },
  {
    effects: ['read-jobs', ...JOB_EFFECTS],
    operations: ['status-job-list', 'status-job-read', 'status-job-report'],
    methods: ['statusListJobList', 'statusListJobGet', 'statusListJobReport'],
  },
  { effects: ['read-payments'], operations: ['status-list-payments'], methods: ['statusListPayments'] },
  {
    effects: ['outlive'],
    operations: ['api-key-list', 'api-key-create', 'api-key-revoke', 'api-key-rotate', 'account-audit'],
    methods: [],
  },
  {
    effects: ['read-account'],
    operations: ['event-list', 'account-usage', 'work-list'],
    methods: ['statusListFees', 'ledgerSpending'],
  },
  {
    effects: ['manage-webhooks'],
    operations: ['webhook-list', 'webhook-revoke', 'webhook-dead-letters', 'webhook-replay'],
    methods: [],
  },
  {
    // Each kind of work takes rights of its own, which `work` checks.
    effects: ['publish', 'manage-dids', 'manage-webhooks', 'delete-key', ...JOB_EFFECTS],
    operations: ['work-retry', 'work-pause', 'work-resume', 'work-cancel'],
    methods: [],
  },
  { effects: ['read-all-events'], operations: ['webhook-create', 'webhook-resume'], methods: [] },
]

/**
 * Operations and methods that a process on a standby serves although they may change something: its database refuses
 * them when they do. Of the others it serves those that change nothing, and refuses the rest before it looks at them.
 */
const SERVED_BY_READERS: ReadonlySet<string> = new Set([
  'did-import',
  'key-import',
  'check-status-list',
  'statusListCheck',
  'checkCredentialStatus',
  'credential-verify',
  'credentialVerify',
  'verifyCredential',
  'presentation-verify',
  'presentationVerify',
  'verifyPresentation',
  'presentation-create',
  'vc-api-create-presentation',
  'presentationCreate',
  'createVerifiablePresentation',
])

/** Whether a process on a standby serves the operation or method, whatever the door. */
export const isServedByReaders = ({ id, changes }: { id: string; changes: boolean }): boolean =>
  !changes || SERVED_BY_READERS.has(id)

/** Operations beyond one account: neither their ids nor an API key without scopes open them. No agent method is among them. */
const OPERATOR_OPERATIONS: readonly string[] = [
  'operator-account-list',
  'operator-account-create',
  'operator-account-disable',
  'operator-account-enable',
  'operator-account-delete',
  'operator-session-list',
  'operator-session-end',
  'operator-health',
  'operator-work-list',
  'operator-work-retry',
  'operator-work-pause',
  'operator-work-resume',
  'operator-work-cancel',
]

/** Methods whose effect depends on their arguments. */
const EFFECT_OF_CALL: Readonly<
  Record<string, (args: Readonly<Record<string, unknown>>) => Effect | undefined>
> = {
  statusListCreate: ({ encrypted }) => (encrypted === true ? 'publish-encrypted' : 'publish'),
  statusListUpdate: ({ encrypted }) => (encrypted === true ? 'revoke-encrypted' : 'revoke-by-index'),
  statusListUpdateCredential: ({ action, statusAction = action }) => effectByCredential(statusAction),
  statusListJobCreate: ({ action }) => effectByCredential(action),
}

const BY_DOOR: ReadonlyMap<string, readonly Effect[]> = new Map<string, readonly Effect[]>([
  ...DOORS.flatMap(({ effects, operations, methods }) =>
    [...operations, ...methods].map((name) => [name, effects] as const),
  ),
  ...OPERATOR_OPERATIONS.map((name) => [name, ['operate']] as const),
])

/** All operations and methods of the table whose id is a scope, each once. */
export const NAMED_RIGHTS: readonly string[] = DOORS.flatMap(({ operations, methods }) => [
  ...operations,
  ...methods,
])

/** The methods among them, in the same order. */
export const AGENT_METHODS: readonly string[] = DOORS.flatMap(({ methods }) => methods)

/** What a door can set going; nothing for methods outside the table, such as third-party methods. */
export const effectsOf = (id: string): readonly Effect[] => BY_DOOR.get(id) ?? []

/** Scopes that each open the operation or method; if its effect depends on the arguments, for some of them. */
export const scopesOf = (id: string): readonly string[] => doorScopes(id, effectsOf(id))

/** Scopes that each allow an API key to call the method with these arguments. */
export function scopesOfCall(method: string, args: Readonly<Record<string, unknown>>): readonly string[] {
  const effect = Object.hasOwn(EFFECT_OF_CALL, method) ? EFFECT_OF_CALL[method]?.(args) : undefined
  return effect ? doorScopes(method, [effect]) : scopesOf(method)
}

/** The groups among them, for the API document; none for methods outside the table, such as third-party methods. */
export const scopeGroups = (id: string): readonly string[] =>
  scopesOf(id).filter((scope) => Object.hasOwn(SCOPE_GROUPS, scope))

const doorScopes = (id: string, effects: readonly Effect[]): readonly string[] =>
  OPERATOR_OPERATIONS.includes(id) ? EFFECTS.operate : [...new Set([...scopesForEffects(effects), id])]
