import { AGENT_METHODS, groupsOf } from '../admission/scope-table.js'

/** Methods that are served only where `agent.yml` names them, and why. */
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
 * The methods that remote agents may call where `agent.yml` says nothing else. Each of them acts in the caller's account
 * alone, or reads what is published for everybody, and answers nothing that is private.
 *
 * What an agent can do beside these, and why it is not here, {@link LEFT_OUT} tells.
 */
export const DEFAULT_METHODS: readonly string[] = AGENT_METHODS.filter(
  (method) => !Object.hasOwn(LEFT_OUT, method),
)

/** May be called with `read`, and spend money of the payer where the API key may do that. */
const SPENDING: ReadonlySet<string> = new Set([
  'statusListCheck',
  'checkCredentialStatus',
  'credentialVerify',
  'presentationVerify',
])

/** Changes nothing, and yet `read` does not let in. */
const READING: ReadonlySet<string> = new Set(['statusListPayments'])

/** Whether a method takes an idempotency key, as operations do: everything but what changes and spends nothing. */
export const methodChanges = (method: string): boolean =>
  SPENDING.has(method) || !(READING.has(method) || groupsOf(method).includes('read'))

/** Methods that no remote agent may call, whatever `agent.yml` says. */
const REFUSED: readonly (readonly [name: RegExp, why: string])[] = [
  [/^(didCreation|ledgerChange)/, 'is internal to DID providers, and acts for all accounts'],
  [
    /^didManagerImport$/,
    'accepts any claim to hold a DID, which would open encrypted lists; use POST /did/import, which checks its keys',
  ],
  [/^keyManagerFind$/, 'is internal to plugins; use keyManagerGet'],
  [/^didRotationContinue$/, 'acts for all accounts; use didRotateKey and didRotationGet'],
  [/^statusListRenew$/, 'acts for all accounts; use statusListSign'],
  [/^keyManagerListKms$/, 'is internal; use GET /key/kms'],
  [/^didManagerGetUpdatableProviders$/, 'is internal to the registrar; use GET /1.0/properties'],
  [/^ledgerTransfer$/, 'spends funds of the payer, which belongs to the service and not to an account'],
  [/^apiKey/, 'grants rights of the account; use /account/api-keys'],
  [/^(account|webhook)/, 'belongs to the account and not to an agent; use /account'],
  [/^dataStore/, 'reads and writes tables that all accounts share'],
  [/^discoverDid$/, 'reads the DIDs of all accounts'],
  [/^handleMessage$/, 'writes to tables that all accounts share'],
]

/** @returns why remote agents may never call the method; `undefined` where the configuration decides */
export const whyRefused = (method: string): string | undefined =>
  REFUSED.find(([name]) => name.test(method))?.[1]
