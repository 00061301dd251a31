import type { IPluginMethodMap } from '@veramo/core-types'
import { hasMethods } from './required-methods.js'

/** Providers whose documents cannot be written to after their DID was made, and why. */
const FIXED: Readonly<Record<string, string>> = {
  'did:key': 'is derived from its key',
  'did:jwk': 'is derived from its key',
  'did:web': 'is published by its owner on its host',
}

/** Why the document of a provider's DIDs cannot be changed; `undefined`: it can, as far as its method is known. */
export const whyFixed = (provider: string): string | undefined =>
  Object.hasOwn(FIXED, provider) ? FIXED[provider] : undefined

/** Providers whose DIDs are made of a key. */
export const KEY_METHODS: readonly string[] = ['did:key', 'did:jwk', 'did:web']

/** The types that the key may have there, by Veramo's names. */
export const KEY_METHOD_TYPES = ['Ed25519', 'Secp256k1', 'Secp256r1', 'X25519'] as const

/**
 * A member that a provider of DIDs may have beside those of Veramo's interface: the check of `options` of
 * `didManagerCreate` and `didManagerGetOrCreate`, which is made before anything else.
 */
export interface ChecksCreateOptions {
  /**
   * @param options - as the caller sent them
   * @throws AgentError `invalid_input` with every problem, unknown members among them
   */
  checkCreateOptions(options: unknown): void
}

export const checksCreateOptions = (provider: unknown): provider is ChecksCreateOptions =>
  hasMethods(provider, 'checkCreateOptions')

/** A configured provider of DIDs. */
export interface ListedDIDProvider {
  name: string
  /** whether it has `updateIdentifier`, which Veramo leaves open to providers */
  canUpdate: boolean
  /** whether it {@link ChecksCreateOptions}; others may ignore options that they do not know */
  checksOptions: boolean
}

/** The capabilities of DID providers, beyond their names, which Veramo's DID manager reports. */
export interface IDIDProviders extends IPluginMethodMap {
  /** In the order of the configuration. */
  didManagerListProviders(): Promise<ListedDIDProvider[]>
}
