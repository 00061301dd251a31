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

/** What the account in scope holds, page by page. */
export interface IHoldings extends IPluginMethodMap {
  /**
   * The DIDs of the account, in the order of their text where the query says nothing else.
   *
   * @throws AgentError `invalid_input` with every problem
   */
  accountDidList(args: HeldDidQuery): Promise<{ dids: HeldDid[] } & Total & NextPage>
}
