import type { DIDDocument, IPluginMethodMap } from '@veramo/core-types'

/** The did:web DIDs of this installation. */
export interface IWebDids extends IPluginMethodMap {
  /**
   * The DID document of a did:web that the account in scope holds, or that any holds under the public URL: that is for everybody.
   *
   * @returns `null` where there is none
   * @throws AgentError `invalid_input`
   */
  webDidDocument(args: { did: string }): Promise<DIDDocument | null>
}
