import type { IKey, IPluginMethodMap } from '@veramo/core-types'
import type { z } from 'zod'
import type * as schemas from './schemas/index.js'

export type DIDHeldKeyArgs = z.output<typeof schemas.DIDHeldKeyArgs>

/**
 * What is to be done as a DID, and so where a key must stand in its document. `publish`: to publish what nobody signs,
 * for which whatever the ledger accepts will do: any verification method, or one of a controller.
 */
export type DIDAct = DIDHeldKeyArgs['act']

/** A key of the account, and the verification method that it stands behind. */
export interface HeldKey {
  /** absolute DID URL */
  methodId: string
  key: Pick<IKey, 'kid' | 'kms' | 'type' | 'publicKeyHex'>
}

/** Who holds a DID, the one definition for everybody who signs, reads what is closed or hands out indices. */
export interface IDIDHolding extends IPluginMethodMap {
  /**
   * The key by which the account in scope holds a DID for an act: the DID is one of its own, and the key's own public
   * key and type stand in the document as it resolves now, where the act needs them.
   *
   * @throws AgentError `did_not_found` where the DID is none of the account's, `key_not_found` where the document has
   * none of its keys for the act, `did_not_resolvable`, `did_deactivated`; details at the path `did`
   */
  didHeldKey(args: DIDHeldKeyArgs): Promise<HeldKey>
}
