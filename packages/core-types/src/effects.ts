import { currentCaller, runInAccountScope, type ApiKeyGrant } from './account.js'
import { allowsOneOf, missingScope, OPERATOR_SCOPE, PAYMENTS_SCOPE } from './api-key.js'

const byCredential = (operation: string) => [
  'revocation',
  operation,
  'vc-api-status',
  'statusListUpdateCredential',
]

/**
 * The single table of what can be set going, and the scopes that each allow it, at every door: REST, agent methods,
 * jobs. Ids of operations and methods are listed where an effect has several doors, or is checked again where it
 * happens; elsewhere the id of a door opens that door alone.
 */
export const EFFECTS = {
  'manage-dids': ['dids'],
  'read-dids': ['dids', 'read'],
  'list-dids': ['dids', 'read', 'did-list'],
  'manage-keys': ['keys'],
  'import-key': ['keys', 'key-import', 'keyManagerImport'],
  'read-keys': ['keys', 'read'],
  'delete-key': ['key-deletion', 'key-delete', 'keyManagerDelete'],
  'sign-raw': ['signing'],
  // The authority that certifies the key believes what it signs.
  'request-certificate': ['certificates', 'key-csr', 'keyCertificateRequest'],
  // The certificate of a signing key decides in whose name the account issues.
  'name-issuer': ['certificates', 'key-certificate', 'keyCertificateSet'],
  issue: ['credentials'],
  verify: ['credentials', 'read'],
  publish: ['status-lists'],
  'publish-encrypted': ['create-encrypted-status-list', 'statusListCreate'],
  'read-lists': ['status-lists', 'read'],
  'revoke-by-index': ['status-lists', 'update-status-list', 'statusListUpdate'],
  'revoke-encrypted': ['update-encrypted-status-list', 'statusListUpdate'],
  'revoke-by-credential': byCredential('credential-revoke'),
  'suspend-by-credential': byCredential('credential-suspend'),
  'reinstate-by-credential': byCredential('credential-reinstate'),
  'read-jobs': ['credentials', 'read'],
  'read-payments': ['status-list-payments', 'statusListPayments'],
  'read-account': ['read'],
  outlive: ['api-keys'],
  // Asked for again with each delivery.
  'read-all-events': ['webhooks', 'webhook-create', 'webhook-resume'],
  'manage-webhooks': ['webhooks'],
  spend: [PAYMENTS_SCOPE],
  operate: [OPERATOR_SCOPE],
} as const satisfies Record<string, readonly string[]>

export type Effect = keyof typeof EFFECTS

/** What rows of a mass change do, each with its own right. */
export const JOB_EFFECTS = [
  'revoke-by-credential',
  'suspend-by-credential',
  'reinstate-by-credential',
  'revoke-by-index',
  'revoke-encrypted',
] as const satisfies readonly Effect[]

export type JobEffect = (typeof JOB_EFFECTS)[number]

/** @returns `undefined` for what is not an action on a credential */
export const effectByCredential = (action: unknown): JobEffect | undefined =>
  JOB_EFFECTS.find((effect) => effect === `${String(action)}-by-credential`)

/** Scopes that each allow one of the effects, in their order. */
export const scopesForEffects = (effects: readonly Effect[]): string[] => [
  ...new Set<string>(effects.flatMap((effect) => EFFECTS[effect])),
]

export const mayCause = (grant: ApiKeyGrant | undefined, effect: Effect): boolean =>
  allowsOneOf(grant, EFFECTS[effect])

/**
 * Refuses a caller whose API key allows none of the effects. Outside of any account, as on the command line, nothing is
 * refused.
 *
 * @throws AgentError `forbidden`, naming the scopes
 */
export function requireEffect(...effects: readonly Effect[]): void {
  const caller = currentCaller()
  if (!caller || effects.some((effect) => mayCause(caller.grant, effect))) return
  throw missingScope(scopesForEffects(effects), caller.grant)
}

/**
 * Runs what an operation must do but its caller may not do alone, such as importing keys after checking that they
 * belong to a DID. Only the scopes change.
 */
export function lendingEffect<T>(effect: Effect, work: () => T): T {
  const caller = currentCaller()
  const scopes = caller?.grant?.scopes
  if (!caller?.grant || !scopes) return work()
  return runInAccountScope(
    { ...caller.account, grant: { ...caller.grant, scopes: [...scopes, ...EFFECTS[effect]] } },
    work,
  )
}
