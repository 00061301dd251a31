import { AbstractIdentifierProvider } from '@veramo/did-manager'
import type { IAgentContext, IIdentifier, IKeyManager } from '@veramo/core-types'

/** Creates DIDs of did:templatename. */
export class TemplateNameDIDProvider extends AbstractIdentifierProvider {
  private readonly defaultKms: string

  /** @param options - `defaultKms`: the KMS of new keys */
  constructor({ defaultKms }: { defaultKms: string }) {
    super()
    this.defaultKms = defaultKms
  }

  async createIdentifier(
    { kms }: { kms?: string },
    { agent }: IAgentContext<IKeyManager>,
  ): Promise<Omit<IIdentifier, 'provider'>> {
    const key = await agent.keyManagerCreate({ kms: kms ?? this.defaultKms, type: 'Ed25519' })
    const did = `did:templatename:${key.publicKeyHex}`
    return { did, controllerKeyId: key.kid, keys: [key], services: [] }
  }

  /** Lets go of the DID: other accounts may hold it as well. */
  deleteIdentifier(): Promise<boolean> {
    return Promise.resolve(true)
  }

  // The beginning of these messages makes them a mistake of the caller (400), not one of the service (500).
  updateIdentifier(): Promise<IIdentifier> {
    return Promise.reject(new Error('not_supported: did:templatename documents never change'))
  }
  addKey(): Promise<never> {
    return this.updateIdentifier() as Promise<never>
  }
  removeKey(): Promise<never> {
    return this.updateIdentifier() as Promise<never>
  }
  addService(): Promise<never> {
    return this.updateIdentifier() as Promise<never>
  }
  removeService(): Promise<never> {
    return this.updateIdentifier() as Promise<never>
  }
}
