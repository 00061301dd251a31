import { randomUUID } from 'node:crypto'
import type { DIDResolutionResult, IAgentContext, IIdentifier, IKey, IKeyManager } from '@veramo/core-types'
import { AbstractIdentifierProvider } from '@veramo/did-manager'
import type { IDIDCreation } from '@vidimus/core-types'

export type Step = 'key made' | 'recorded' | 'submitted'

/** What survives when a process dies: who controls which DID. */
export class Ledger {
  readonly dids = new Map<string, string>()
  readonly down = { forWriting: false, forReading: false }

  readonly resolver: { test: (did: string) => Promise<DIDResolutionResult> } = {
    test: async (did) => {
      const none = { didDocument: null, didDocumentMetadata: {} }
      if (this.down.forReading) return { ...none, didResolutionMetadata: { error: 'internalError' } }
      const publicKeyHex = this.dids.get(did)
      if (publicKeyHex === undefined) return { ...none, didResolutionMetadata: { error: 'notFound' } }
      const verificationMethod = [
        { id: `${did}#key-1`, type: 'Ed25519VerificationKey2018', controller: did, publicKeyHex },
      ]
      return {
        didDocument: { id: did, verificationMethod },
        didDocumentMetadata: {},
        didResolutionMetadata: {},
      }
    },
  }
}

/** Creates DIDs in the order of a provider over a ledger: key, intent, ledger. */
export class LedgerLikeProvider extends AbstractIdentifierProvider {
  /** Called after each step; an error, or a promise that never settles, ends the creation there. */
  afterStep: (step: Step, did: string) => Promise<void> = async () => undefined

  constructor(
    private readonly ledger: Ledger,
    /** the ledger refuses by throwing */
    private readonly submit: (did: string, publicKeyHex: string) => Promise<void> = async (
      did,
      publicKeyHex,
    ) => {
      this.ledger.dids.set(did, publicKeyHex)
    },
  ) {
    super()
  }

  async createIdentifier(
    { kms = 'local', options }: { kms?: string; options?: { did?: string; kid?: string } },
    context: IAgentContext<IKeyManager & IDIDCreation>,
  ): Promise<Omit<IIdentifier, 'provider'>> {
    const did = options?.did ?? `did:test:${randomUUID()}`
    const key: IKey = options?.kid
      ? await context.agent.keyManagerGet({ kid: options.kid })
      : await context.agent.keyManagerCreate({ kms, type: 'Ed25519' })
    await this.afterStep('key made', did)
    const identifier = { did, controllerKeyId: key.kid, keys: [key], services: [] }
    await context.agent.didCreationRecord({ identifier })
    await this.afterStep('recorded', did)
    await this.submit(did, key.publicKeyHex)
    await this.afterStep('submitted', did)
    return identifier
  }

  async updateIdentifier(): Promise<IIdentifier> {
    throw new Error('not_supported')
  }
  async deleteIdentifier(): Promise<boolean> {
    return true
  }
  async addKey(): Promise<boolean> {
    return true
  }
  async removeKey(): Promise<boolean> {
    return true
  }
  async addService(): Promise<boolean> {
    return true
  }
  async removeService(): Promise<boolean> {
    return true
  }
}
