import type { IPluginMethodMap } from '@veramo/core-types'
import type { z } from 'zod'
import { currentCaller, type ApiKeyGrant } from './account.js'
import { AgentError } from './errors.js'
import type { PageRequest } from './paging.js'
import type * as schemas from './schemas/index.js'
import { NETWORKS, type Network } from './networks.js'
import { tokenHolder } from './token-holder.js'

/** Spending the money of a ledger's payer: the one scope that belongs to no operation. */
export const PAYMENTS_SCOPE = 'payments'

/**
 * What an operator may do beyond an account: keys without scopes do not have it. It is granted only on the command
 * line, and no key passes it on.
 */
export const OPERATOR_SCOPE = 'operator'

type Methods = typeof schemas.apiKeyMethods

/** An API key as it is listed; only its owner knows its clear text. */
export type ApiKey = z.output<typeof schemas.ApiKey>

/** With the key in clear, this once. */
export type CreatedApiKey = z.output<typeof schemas.CreatedApiKey>

/** A request for a new API key. */
export type ApiKeyRequest = z.output<typeof schemas.ApiKeyRequest>

/** The new key, and the old one with its end. */
export type ApiKeyRotation = z.output<Methods['apiKeyRotate']['returns']>

/**
 * The API keys of the account in scope. Those of other accounts look nonexistent. A caller with a limited key can
 * neither create, rotate nor revoke a key that may do more, or for longer, than its own.
 *
 * Methods throw AgentError `invalid_input` with every problem, `api_key_not_found`, `forbidden`.
 */
export interface IApiKeys extends IPluginMethodMap {
  /**
   * Newest first, expired and revoked ones included.
   */
  apiKeyList(args?: PageRequest): Promise<z.output<Methods['apiKeyList']['returns']>>
  /** A key without an expiry gets that of the caller's key. */
  apiKeyCreate(args: ApiKeyRequest): Promise<CreatedApiKey>
  /** Acts at once, in every process, and for good. Revoking again changes nothing. */
  apiKeyRevoke(args: { id: string }): Promise<ApiKey>
  /** Makes a key of the same name, scopes, networks and expiry; the old one ends after the overlap. */
  apiKeyRotate(args: z.input<Methods['apiKeyRotate']['arguments']>): Promise<ApiKeyRotation>
}

/** Whether a grant contains one of the scopes; without a list it contains all but that of operators. */
export const allowsOneOf = (grant: ApiKeyGrant | undefined, scopes: readonly string[]): boolean =>
  scopes.some((scope) => (grant?.scopes ? grant.scopes.includes(scope) : scope !== OPERATOR_SCOPE))

export const missingScope = (
  scopes: readonly string[],
  grant: ApiKeyGrant | undefined = currentCaller()?.grant,
): AgentError =>
  new AgentError('forbidden', `this ${credentialName(grant)} lacks a required scope: ${scopes.join(' or ')}`)

const credentialName = (grant: ApiKeyGrant | undefined): string =>
  grant && tokenHolder(grant.id) ? 'token' : 'API key'

/**
 * Refuses a caller whose API key may not write on the network. Reading public data needs no right.
 *
 * @throws AgentError `forbidden`
 */
export function requireNetwork(network: string): void {
  const grant = currentCaller()?.grant
  const networks = grant?.networks
  if (networks === undefined || networks.some((allowed) => allowed === network)) return
  throw new AgentError('forbidden', `this ${credentialName(grant)} may not write to the network ${network}`)
}

/** As {@link requireNetwork}, for the network that a DID lives on; DIDs without a network are free. */
export function requireNetworkOf(did: string): void {
  const network = networkOf(did)
  if (network !== undefined) requireNetwork(network)
}

/** The network of a DID of did:cheqd; `undefined` for all other methods. */
export const networkOf = (did: string): Network | undefined =>
  NETWORKS.find((network) => did.startsWith(`did:cheqd:${network}:`))
