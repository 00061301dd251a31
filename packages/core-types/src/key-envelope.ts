/**
 * Seals private keys at rest; the seam between the store that keeps them and the package that knows the cryptography.
 */
export interface KeyEnvelope {
  /** names the secret without telling anything of it; stands in every sealed text */
  readonly keyId: string
  /**
   * @param plaintext - the secret, for example a private key in hex
   * @param context - what the text belongs to, for example account and key; it opens only under the same context
   * @returns text that can be told from hex at a glance
   */
  seal(plaintext: string, context: readonly string[]): string
  /** @throws AgentError `wrong_secret` for another secret, another context, or a changed text */
  open(sealed: string, context: readonly string[]): string
  /** Whether the text is of the form that {@link seal} makes; any secret's. */
  isSealed(text: string): boolean
}
