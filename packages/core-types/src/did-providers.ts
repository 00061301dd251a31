import type { IPluginMethodMap } from '@veramo/core-types'

/** What providers of DIDs can do, beside the names of them that Veramo's DID manager knows. */
export interface IDIDProviders extends IPluginMethodMap {
  /** The names of the configured providers that have `updateIdentifier`, which Veramo leaves open to them. */
  didManagerGetUpdatableProviders(): Promise<string[]>
}
