import type { SigningContext } from '@vidimus/core-types'

/**
 * Which key a format has chosen to sign for a DID: it asks the agent for one, and whoever asks again may be told another, where a
 * rotation goes on.
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

  /** Left out: a format of another author has asked for none. */
  get chosen(): { signingKey?: string } {
    return this.publicKeyHex === undefined ? {} : { signingKey: this.publicKeyHex }
  }
}
