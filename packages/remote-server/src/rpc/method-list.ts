import { AGENT_METHODS, scopeGroups } from '../admission/scope-table.js'

/** Methods served only if `agent.yml` names them, and why. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  keyManagerImport: 'imports a private key; POST /key/import checks it against its public key',
  keyManagerSharedSecret: 'returns a secret from which others are derived',
  keyManagerDecryptJWE: 'decrypts data for a key in custody',
  keyManagerEncryptJWE: 'needs nothing from this service',
  keyManagerSignEthTX: 'signs transactions that spend money',
  verifyCredential: 'does not check the status of JWT credentials; use credentialVerify',
  verifyPresentation: 'does not verify the credentials inside; use presentationVerify',
  ledgerTransfers: 'shows payments of other accounts',
  ledgerBalance: 'shows balances of other accounts',
  ledgerFeeLimit: 'shows the spending limit of all accounts',
}

/**
 * The methods that remote agents may call unless `agent.yml` says otherwise. Each acts only in the caller's account or
 * reads published data, and returns nothing private.
 *
 * {@link LEFT_OUT} gives the reasons for methods that are not included.
 */
export const DEFAULT_METHODS: readonly string[] = AGENT_METHODS.filter(
  (method) => !Object.hasOwn(LEFT_OUT, method),
)

/** Allowed by `read`, and may spend money of the payer if the API key may. */
const SPENDING: ReadonlySet<string> = new Set([
  'statusListCheck',
  'checkCredentialStatus',
  'credentialVerify',
  'presentationVerify',
])

/** Changes nothing, but is not granted by `read`. */
const READING: ReadonlySet<string> = new Set(['statusListPayments'])

/** Whether a method accepts an idempotency key, as operations do: every method that changes or spends something. */
export const methodChanges = (method: string): boolean =>
  SPENDING.has(method) || !(READING.has(method) || scopeGroups(method).includes('read'))

/** Methods that remote agents may never call, whatever `agent.yml` says. */
const REFUSED: readonly (readonly [name: RegExp, why: string])[] = [
  [/^(didCreation|ledgerChange)/, 'is internal to DID providers, and acts for all accounts'],
  [
    /^didManagerImport$/,
    'accepts any claim to hold a DID, which would open encrypted lists; use POST /did/import, which checks its keys',
  ],
  [/^keyManagerFind$/, 'is internal to plugins; use keyManagerGet'],
  [/^didRotationContinue$/, 'acts for all accounts; use didRotateKey and didRotationGet'],
  [/^statusListRenew$/, 'acts for all accounts; use statusListSign'],
  [/^statusListJobUpload$/, 'reads a file as it arrives; use POST /credential-status/jobs'],
  [/^statusListJobsContinue$/, 'acts for all accounts; use statusListJobGet'],
  [/^statusListRestore/, 'acts for all accounts; it is for `vidimus restored`'],
  [/^keyManagerListKms$/, 'is internal; use GET /key/kms'],
  [/^didManagerListProviders$/, 'is internal; use GET /1.0/properties'],
  [/^ledgerTransfer$/, 'spends funds of the payer, which belongs to the service and not to an account'],
  [/^apiKey/, 'grants rights of the account; use /account/api-keys'],
  [/^operator/, 'acts for all accounts; use /operator, with an API key of the scope operator'],
  [/^(account|webhook)/, 'belongs to the account and not to an agent; use /account'],
  [/^dataStore/, 'reads and writes tables that all accounts share'],
  [/^discoverDid$/, 'reads the DIDs of all accounts'],
  [/^handleMessage$/, 'writes to tables that all accounts share'],
]

/** @returns why remote agents may never call the method; `undefined` if the configuration decides */
export const whyRefused = (method: string): string | undefined =>
  REFUSED.find(([name]) => name.test(method))?.[1]
