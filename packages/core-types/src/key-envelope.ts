import { requireMethods } from './required-methods.js'

/**
 * Seals private keys at rest; the seam between the stores that keep them and the package that knows the cryptography.
 *
 * It may know several secrets: one that is current, and earlier ones whose texts it still opens.
 */
export interface KeyEnvelope {
  /**
   * identifies the current secret without revealing anything of it
   *
   * @throws AgentError `wrong_secret` if there is no secret yet; see {@link prepare}
   */
  readonly keyId: string
  /** of every secret whose texts it can open, the current one first; empty if there is no secret yet */
  readonly keyIds: readonly string[]
  /** how many characters at the beginning of a sealed text {@link keyIdOf} needs: at most 12 */
  readonly headLength: number
  /** the source of the secrets, for a message: `the file /srv/kms-secret.key` */
  readonly origin: string
  /**
   * whether {@link prepare} creates and stores it there: such a secret is not older than the database that it seals
   */
  readonly makesSecrets: boolean
  /** for envelopes whose secret can be replaced */
  readonly replacement?: SecretReplacement

  /**
   * Creates and stores a secret if there is none yet. Call it only after checking that nothing is sealed with
   * another.
   */
  prepare(): Promise<void>
  /** Whether it has this secret; reads their source again before it returns false. */
  knows(keyId: string): boolean
  /**
   * Whether new texts may be sealed with this secret: it is the current one, or kept beside it in their source. A
   * secret removed there must not seal, although this process may still open its texts.
   */
  isInUse(keyId: string): boolean
  /**
   * @param plaintext - the secret, for example a private key in hex
   * @param context - the owner of the text, for example account and key; it opens only under the same context
   * @param keyId - of the secret to seal with; default: the current one
   * @returns text that can be told from hex at a glance
   * @throws AgentError `wrong_secret` if it does not have that secret
   */
  seal(plaintext: string, context: readonly string[], keyId?: string): string
  /** @throws AgentError `wrong_secret` for a secret that it does not have, another context, or a changed text */
  open(sealed: string, context: readonly string[]): string
  /** Whether the text has the form that {@link seal} creates; with any secret. */
  isSealed(text: string): boolean
  /** The secret that a text was sealed with; `undefined` for unsealed texts. @param text - its head is enough */
  keyIdOf(text: string): string | undefined
}

/** How the secret of an envelope is replaced by another one. Everything survives a crash and may be repeated. */
export interface SecretReplacement {
  /**
   * Makes another secret the current one and keeps the earlier ones, durably. Resumes an unfinished replacement.
   *
   * @param secret - the new one, 32 bytes in hex; default: a random one
   * @throws AgentError `invalid_configuration` if the operator must do this, with instructions
   */
  begin(secret?: string): Promise<BegunReplacement>
  /**
   * Forgets the secrets before the current one. To be called when nothing is sealed with them any more.
   *
   * @param options - `keepOld`: put them aside for old backups
   */
  finish(options: { keepOld: boolean }): Promise<FinishedReplacement>
}

export interface BegunReplacement {
  /** id of the secret that is current now */
  keyId: string
  /** ids of the earlier ones */
  previous: readonly string[]
  /** an earlier call has begun it */
  resumed: boolean
}

export interface FinishedReplacement {
  /** files that the secrets before were put aside in */
  kept: readonly string[]
  /** what remains to be done by the operator, as a sentence */
  advice?: string
}

/** @throws AgentError `invalid_configuration` */
export const requireEnvelope = (value: KeyEnvelope) =>
  requireMethods(
    value,
    ['seal', 'open', 'isSealed', 'knows', 'isInUse', 'keyIdOf', 'prepare'],
    'an envelope such as PrivateKeyEnvelope of @vidimus/kms-node',
  )
