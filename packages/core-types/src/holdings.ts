import type { IPluginMethodMap } from '@veramo/core-types'
import type { z } from 'zod'
import type * as schemas from './schemas/index.js'

type Methods = typeof schemas.holdingsMethods

/** Selects DIDs of an account; omitted members match all. */
export type HeldDidQuery = z.output<Methods['accountDidList']['arguments']>

export type HeldDid = z.output<typeof schemas.HeldDid>

/** Selects key pairs of an account; omitted members match all. */
export type HeldKeyQuery = z.output<Methods['accountKeyList']['arguments']>

/** The public half of a key pair. */
export type ListedKey = z.output<typeof schemas.ListedKey>

/** The holdings of the account in scope, page by page. */
export interface IHoldings extends IPluginMethodMap {
  /**
   * The DIDs of the account, ordered by their text unless the query says otherwise.
   *
   * @throws AgentError `invalid_input` with every problem
   */
  accountDidList(args: HeldDidQuery): Promise<z.output<Methods['accountDidList']['returns']>>
  /**
   * The key pairs of the account, ordered by their kids unless the query says otherwise.
   *
   * @throws AgentError `invalid_input` with every problem
   */
  accountKeyList(args: HeldKeyQuery): Promise<z.output<Methods['accountKeyList']['returns']>>
  /**
   * Changes the label of a key pair; its id stays.
   *
   * @throws AgentError `invalid_input`, `key_not_found`, `alias_taken`, `forbidden`
   */
  accountKeyUpdate(args: z.output<Methods['accountKeyUpdate']['arguments']>): Promise<ListedKey>
}
