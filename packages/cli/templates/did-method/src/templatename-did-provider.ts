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

  /** Documents never change; this declares it to the service. */
  updateIdentifier?: never

  addKey(): Promise<never> {
    return Promise.reject(neverChanges())
  }
  removeKey(): Promise<never> {
    return Promise.reject(neverChanges())
  }
  addService(): Promise<never> {
    return Promise.reject(neverChanges())
  }
  removeService(): Promise<never> {
    return Promise.reject(neverChanges())
  }
}

/** The prefix of its message makes it an error of the caller (400), not of the service (500). */
const neverChanges = () => new Error('not_supported: did:templatename documents never change')
