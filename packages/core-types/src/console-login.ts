/** What a session of the console begins with, so that it is not taken for an API key or token. */
export const SESSION_PREFIX = 'session_'

/** Where a request to sign in or out comes from, for the audit trail. */
export interface SignInOrigin {
  address?: string
  requestId?: string
}

/** Signs people in to the console with an identity provider. */
export interface ConsoleLogin {
  /** for the buttons, in the order of the configuration */
  readonly providers: readonly { id: string; name: string }[]
  /**
   * @param provider - its id; each has a redirect address of its own, so that none gets the codes of another
   * @param callback - the address to which the provider sends the browser back
   * @returns where to send the browser, and the sealed attempt that it keeps meanwhile
   * @throws AgentError `invalid_input`, `unavailable`
   */
  begin(provider: string, callback: string): Promise<{ address: string; attempt: string }>
  /**
   * Asks the provider only for an unused attempt that was begun there.
   *
   * @param provider - whose redirect address was opened
   * @param attempt - what the browser has kept, untrusted
   * @param address - where it was sent back to, untrusted
   * @returns what the browser keeps as its session
   * @throws AgentError `unauthenticated`, `forbidden` if the person has no account here, `unavailable`
   */
  complete(provider: string, attempt: string, address: string, origin: SignInOrigin): Promise<string>
  /**
   * @param afterwards - where the provider may send the browser
   * @returns where to send the browser, so that the provider ends its session as well
   */
  end(session: string, afterwards: string, origin: SignInOrigin): Promise<string | undefined>
}
