import type { DIDDocument, IPluginMethodMap } from '@veramo/core-types'

/** The did:web DIDs of this installation. */
export interface IWebDids extends IPluginMethodMap {
  /**
   * The DID document of a did:web that the account in scope holds, or, under the public URL, that any account holds:
   * that is public.
   *
   * @returns `null` if there is none
   * @throws AgentError `invalid_input`
   */
  webDidDocument(args: { did: string }): Promise<DIDDocument | null>
}
