/** What a method has to do with; the same words as for operations. */
export type MethodGroup = 'dids' | 'keys' | 'status-lists' | 'credentials' | 'read'

/**
 * The methods that remote agents may call where `agent.yml` says nothing else. Each of them acts in the caller's account
 * alone, or reads what is published for everybody, and answers nothing that is private. Whose group is `read` changes
 * nothing.
 *
 * What an agent can do beside these, and why it is not here, {@link LEFT_OUT} tells.
 */
export const DEFAULT_METHODS: Readonly<Record<string, readonly MethodGroup[]>> = {
  didManagerGetProviders: ['dids', 'read'],
  didManagerFind: ['dids', 'read'],
  didManagerGet: ['dids', 'read'],
  didManagerGetByAlias: ['dids', 'read'],
  didManagerCreate: ['dids'],
  didManagerGetOrCreate: ['dids'],
  didManagerSetAlias: ['dids'],
  didManagerUpdate: ['dids'],
  didManagerDelete: ['dids'],
  didManagerAddKey: ['dids'],
  didManagerRemoveKey: ['dids'],
  didManagerAddService: ['dids'],
  didManagerRemoveService: ['dids'],
  resolveDid: ['dids', 'read'],
  getDIDComponentById: ['dids', 'read'],
  didUrlDereference: ['dids', 'read'],
  cheqdDeactivate: ['dids'],
  cheqdNetworks: ['dids', 'read'],
  linkedResourceCreate: ['dids'],
  linkedResourceGet: ['dids', 'read'],
  linkedResourceGetLatest: ['dids', 'read'],
  linkedResourceGetLatestMetadata: ['dids', 'read'],
  linkedResourceList: ['dids', 'read'],
  keyManagerGetKeyManagementSystems: ['keys', 'read'],
  keyManagerCreate: ['keys'],
  keyManagerGet: ['keys', 'read'],
  keyManagerDelete: ['keys'],
  keyManagerSign: ['keys'],
  keyManagerSignJWT: ['keys'],
  didJwtCreate: ['credentials'],
  didJwtVerify: ['credentials', 'read'],
  credentialIssue: ['credentials'],
  credentialVerify: ['credentials', 'read'],
  presentationCreate: ['credentials'],
  presentationVerify: ['credentials', 'read'],
  createVerifiableCredential: ['credentials'],
  createVerifiablePresentation: ['credentials'],
  listUsableProofFormats: ['credentials', 'read'],
  checkCredentialStatus: ['status-lists', 'read'],
  statusListCreate: ['status-lists'],
  statusListUpdate: ['status-lists'],
  statusListCheck: ['status-lists', 'read'],
  statusListSearch: ['status-lists', 'read'],
  statusListTypes: ['status-lists', 'read'],
  statusListPayments: ['status-lists', 'read'],
  statusListAllocate: ['status-lists'],
  statusListAllocateTogether: ['status-lists'],
  statusListUpdateCredential: ['status-lists'],
  statusListDelivery: ['status-lists', 'read'],
}

/** May be called with `read`, and spend money of the payer where the API key may do that. */
const SPENDING: ReadonlySet<string> = new Set([
  'statusListCheck',
  'checkCredentialStatus',
  'credentialVerify',
  'presentationVerify',
])

/** Whether a method takes an idempotency key, as operations do: everything but what changes and spends nothing. */
export const methodChanges = (method: string): boolean =>
  SPENDING.has(method) ||
  !(Object.hasOwn(DEFAULT_METHODS, method) && DEFAULT_METHODS[method]?.includes('read'))

/** Methods that are served only where `agent.yml` names them, and why. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  keyManagerImport: 'takes a private key in; POST /key/import checks it against its public half',
  keyManagerSharedSecret: 'answers a secret from which others follow',
  keyManagerDecryptJWE: 'reads what was encrypted for a key in custody',
  keyManagerEncryptJWE: 'needs nothing that only this service has',
  keyManagerSignEthTX: 'signs transactions that spend money',
  verifyCredential: 'does not look at the status of credentials in JWT form; credentialVerify does',
  verifyPresentation: 'does not verify the credentials inside; presentationVerify does',
  ledgerTransfers: 'tells payments of other accounts',
  ledgerBalance: 'tells the money of other accounts',
}

/** Methods that no remote agent may call, whatever `agent.yml` says. */
const REFUSED: readonly (readonly [name: RegExp, why: string])[] = [
  [/^didCreation/, 'belongs to the providers of DIDs inside the agent, and acts for all accounts'],
  [
    /^didManagerImport$/,
    'believes whoever says that a DID is his, which opens encrypted lists; POST /did/import asks for its keys',
  ],
  [/^ledgerTransfer$/, 'spends the money of the payer, which belongs to the service and not to an account'],
  [/^apiKey/, 'hands out rights of the account; /account/api-keys is there for that'],
  [/^(accountEvent|webhook)/, 'belongs to the account and not to an agent; /account is there for that'],
  [/^dataStore/, 'reads and writes tables that all accounts share'],
  [/^discoverDid$/, 'reads the DIDs of all accounts'],
  [/^handleMessage$/, 'writes to tables that all accounts share'],
]

/** @returns why remote agents may never call the method; `undefined` where the configuration decides */
export const whyRefused = (method: string): string | undefined =>
  REFUSED.find(([name]) => name.test(method))?.[1]
