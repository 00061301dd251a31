import type { IKey, IPluginMethodMap } from '@veramo/core-types'
import type { z } from 'zod'
import type * as schemas from './schemas/index.js'

export type DIDHeldKeyArgs = z.output<typeof schemas.DIDHeldKeyArgs>

/**
 * What is to be done as a DID, which determines where a key must be in its document. `publish`: to publish unsigned
 * content, for which anything that the ledger accepts will do: any verification method, or one of a controller.
 */
export type DIDAct = DIDHeldKeyArgs['act']

/** A key of the account, and its verification method. */
export interface HeldKey {
  /** absolute DID URL */
  methodId: string
  key: Pick<IKey, 'kid' | 'kms' | 'type' | 'publicKeyHex'>
}

/** The one definition of who holds a DID, for all code that signs, reads protected content or allocates indices. */
export interface IDIDHolding extends IPluginMethodMap {
  /**
   * The key by which the account in scope holds a DID for an act: the account has the DID, and the key's own public
   * key and type are in the document as it resolves now, under the relationship that the act needs.
   *
   * @throws AgentError `did_not_found` if the account does not have the DID, `key_not_found` if the document has none
   *   of its keys for the act, `did_not_resolvable`, `did_deactivated`; details at the path `did`
   */
  didHeldKey(args: DIDHeldKeyArgs): Promise<HeldKey>
}
