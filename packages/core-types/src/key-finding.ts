import type { IKey, IPluginMethodMap } from '@veramo/core-types'

/** A public key in Veramo's terms: type and bytes in hex. */
export type PublicKeyInHex = Pick<IKey, 'type' | 'publicKeyHex'>

export interface KeyFindArgs {
  /** points of curves may be compressed or not */
  publicKeys: readonly PublicKeyInHex[]
}

/** Finds keys by their public halves, whatever their names. */
export interface IKeyFinding extends IPluginMethodMap {
  /**
   * The keys of the account in scope whose own public key and type are among those given, in the order in which they
   * came into the account. A key that it has under several names is there several times.
   *
   * @throws AgentError `invalid_input`
   */
  keyManagerFind(args: KeyFindArgs): Promise<IKey[]>
}
