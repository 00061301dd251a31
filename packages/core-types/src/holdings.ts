import type { IPluginMethodMap } from '@veramo/core-types'
import type { z } from 'zod'
import type * as schemas from './schemas/index.js'

type Methods = typeof schemas.holdingsMethods

/** Which DIDs of an account; what is left out may be anything. */
export type HeldDidQuery = z.output<Methods['accountDidList']['arguments']>

export type HeldDid = z.output<typeof schemas.HeldDid>

/** Which key pairs of an account; what is left out may be anything. */
export type HeldKeyQuery = z.output<Methods['accountKeyList']['arguments']>

/** The public half of a key pair. */
export type ListedKey = z.output<typeof schemas.ListedKey>

/** What the account in scope holds, page by page. */
export interface IHoldings extends IPluginMethodMap {
  /**
   * The DIDs of the account, in the order of their text where the query says nothing else.
   *
   * @throws AgentError `invalid_input` with every problem
   */
  accountDidList(args: HeldDidQuery): Promise<z.output<Methods['accountDidList']['returns']>>
  /**
   * The key pairs of the account, in the order of their kids where the query says nothing else.
   *
   * @throws AgentError `invalid_input` with every problem
   */
  accountKeyList(args: HeldKeyQuery): Promise<z.output<Methods['accountKeyList']['returns']>>
}
