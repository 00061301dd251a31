import type { IPluginMethodMap } from '@veramo/core-types'

/** What a KMS can do. */
export interface KmsAbilities {
  /** types of keys that it makes and uses, in Veramo's words */
  readonly keyTypes: readonly string[]
  /** whether it takes in private keys that were made elsewhere */
  readonly importsKeys: boolean
}

/** A KMS that says what it can do. Veramo's own, and those of others, need not. */
export interface HasKmsAbilities {
  /** @throws AgentError `unavailable` while that cannot be told, as of a token that is not there */
  abilities(): KmsAbilities | Promise<KmsAbilities>
}

/** A configured KMS; without `keyTypes` and `importsKeys` it does not say what it can do, or cannot now. */
export interface ListedKms extends Partial<KmsAbilities> {
  name: string
}

/** The configured KMSs, beside the names of them that Veramo's key manager knows. */
export interface IKeyManagement extends IPluginMethodMap {
  keyManagerListKms(): Promise<ListedKms[]>
}
