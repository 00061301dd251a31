import type { IPluginMethodMap, IService } from '@veramo/core-types'
import type { Network } from './networks.js'
import type { NextPage, PageRequest, Total } from './paging.js'

/** Which DIDs of an account; what is left out may be anything. */
export interface HeldDidQuery extends PageRequest {
  network?: Network | undefined
  provider?: string | undefined
  /** exact, or what it begins with where it ends in `*`; then they come in the order of their aliases */
  alias?: string | undefined
  /** RFC 3339; then they come in the order of their creation, unless they are searched by alias */
  createdAfter?: string | undefined
  createdBefore?: string | undefined
  /** reads provider, alias, controller key and services as well */
  metadata?: boolean | undefined
}

export interface HeldDid {
  did: string
  provider?: string
  alias?: string
  controllerKeyId?: string
  services?: IService[]
}

/** Which key pairs of an account; what is left out may be anything. */
export interface HeldKeyQuery extends PageRequest {
  /** this one alone */
  kid?: string | undefined
  /** name of the KMS that holds the private half */
  kms?: string | undefined
  /** exact, or what it begins with where it ends in `*`; then they come in the order of their aliases */
  alias?: string | undefined
  /** RFC 3339; then they come in the order of their creation, unless they are searched by alias */
  createdAfter?: string | undefined
  createdBefore?: string | undefined
}

/** The public half of a key pair. */
export interface ListedKey {
  kid: string
  type: string
  publicKeyHex: string
  kms: string
  alias?: string
  /** ISO 8601 in UTC; when the account got it */
  createdAt: string
}

/** What the account in scope holds, page by page. */
export interface IHoldings extends IPluginMethodMap {
  /**
   * The DIDs of the account, in the order of their text where the query says nothing else.
   *
   * @throws AgentError `invalid_input` with every problem
   */
  accountDidList(args: HeldDidQuery): Promise<{ dids: HeldDid[] } & Total & NextPage>
  /**
   * The key pairs of the account, in the order of their kids where the query says nothing else.
   *
   * @throws AgentError `invalid_input` with every problem
   */
  accountKeyList(args: HeldKeyQuery): Promise<{ keys: ListedKey[] } & Total & NextPage>
}
