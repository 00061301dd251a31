import type { SigningContext } from '@vidimus/core-types'

/**
 * The key that a format chose to sign for a DID: it asks the agent for one, and a second query may return another
 * during a key rotation.
 */
export class SigningKeys {
  /** for the format */
  readonly context: SigningContext
  private publicKeyHex: string | undefined

  constructor(did: string, context: SigningContext) {
    const agent = Object.create(context.agent) as SigningContext['agent']
    agent.didHeldKey = async (args) => {
      const held = await context.agent.didHeldKey(args)
      if (args?.did === did && args.act === 'assertionMethod') this.publicKeyHex = held.key.publicKeyHex
      return held
    }
    this.context = { ...context, agent }
  }

  /** Absent: a third-party format asked for none. */
  get chosen(): { signingKey?: string } {
    return this.publicKeyHex === undefined ? {} : { signingKey: this.publicKeyHex }
  }
}
