import type { IPluginMethodMap } from '@veramo/core-types'

/** Providers whose documents cannot be written to after their DID was made, and why. */
const FIXED: Readonly<Record<string, string>> = {
  'did:key': 'is derived from its key',
  'did:jwk': 'is derived from its key',
  'did:web': 'is published by its owner on its host',
}

/** Why the document of a provider's DIDs cannot be changed; `undefined`: it can, as far as its method is known. */
export const whyFixed = (provider: string): string | undefined =>
  Object.hasOwn(FIXED, provider) ? FIXED[provider] : undefined

/** The capabilities of DID providers, beyond their names, which Veramo's DID manager reports. */
export interface IDIDProviders extends IPluginMethodMap {
  /** The names of the configured providers that have `updateIdentifier`, which Veramo leaves open to them. */
  didManagerGetUpdatableProviders(): Promise<string[]>
}
