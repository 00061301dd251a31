import { AGENT_METHODS, groupsOf } from '../admission/scope-table.js'

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
  ledgerFeeLimit: 'tells what all accounts may spend',
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
  [
    /^(didCreation|ledgerChange)/,
    'belongs to the providers of DIDs inside the agent, and acts for all accounts',
  ],
  [
    /^didManagerImport$/,
    'believes whoever says that a DID is his, which opens encrypted lists; POST /did/import asks for its keys',
  ],
  [
    /^keyManagerFind$/,
    'is for the plugins inside the agent, which find a DID’s keys by it; keyManagerGet reads a key',
  ],
  [/^didRotationContinue$/, 'acts for all accounts; didRotateKey and didRotationGet are for an account'],
  [/^statusListRenew$/, 'acts for all accounts; statusListSign signs a list again'],
  [/^keyManagerListKms$/, 'is for the service itself; GET /key/kms tells the same'],
  [
    /^didManagerGetUpdatableProviders$/,
    'is for the registrar inside the service; GET /1.0/properties tells the same',
  ],
  [/^ledgerTransfer$/, 'spends the money of the payer, which belongs to the service and not to an account'],
  [/^apiKey/, 'hands out rights of the account; /account/api-keys is there for that'],
  [/^(account|webhook)/, 'belongs to the account and not to an agent; /account is there for that'],
  [/^dataStore/, 'reads and writes tables that all accounts share'],
  [/^discoverDid$/, 'reads the DIDs of all accounts'],
  [/^handleMessage$/, 'writes to tables that all accounts share'],
]

/** @returns why remote agents may never call the method; `undefined` where the configuration decides */
export const whyRefused = (method: string): string | undefined =>
  REFUSED.find(([name]) => name.test(method))?.[1]
