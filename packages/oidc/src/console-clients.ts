import { AgentError, tokenHolder, type AuthenticatedAccount, type ConsoleLogin } from '@vidimus/core-types'
import type { ConsoleSessions } from './console-sessions.js'
import type { ConsoleSignIn, SignedIn } from './console-sign-in.js'
import type { ProviderSettings } from './options.js'
import type { SignInAttempts } from './sign-in-attempts.js'

/** A provider where people sign in. */
interface Client {
  settings: ProviderSettings
  signIn: ConsoleSignIn
}

interface Parts {
  sessions: ConsoleSessions
  attempts: SignInAttempts
  /** whose account it is, by the rules of the provider */
  accountOf(signedIn: SignedIn): Promise<AuthenticatedAccount>
}

/** Signs people in to the console at the providers that have a client for it. */
export class ConsoleClients implements ConsoleLogin {
  readonly providers: ConsoleLogin['providers']

  constructor(
    private readonly clients: readonly Client[],
    private readonly parts: Parts,
  ) {
    this.providers = clients.map(({ settings: { id, name, issuer } }) => ({
      id,
      name: name ?? new URL(issuer).host,
    }))
  }

  async begin(provider: string, callback: string): Promise<{ address: string; attempt: string }> {
    const { signIn } = this.client(provider)
    const { address, attempt } = await signIn.begin(callback)
    return { address, attempt: this.parts.attempts.seal(provider, attempt) }
  }

  async complete(provider: string, sealed: string, address: string): Promise<string> {
    const { signIn } = this.client(provider)
    const attempt = await this.parts.attempts.use(provider, sealed, address)
    const { id, grant } = await this.parts.accountOf(await signIn.complete(attempt, address))
    const holder = tokenHolder(grant?.id ?? '')
    if (!holder) throw new Error('a signed-in person has no issuer and subject')
    return this.parts.sessions.begin(id, holder, grant ?? {})
  }

  async end(session: string, afterwards: string): Promise<string | undefined> {
    const { sessions } = this.parts
    const found = await sessions.find(session)
    if (!found) return undefined
    await sessions.end(session)
    const { issuer } = found.holder
    return this.clients.find(({ settings }) => settings.issuer === issuer)?.signIn.endAddress(afterwards)
  }

  /** @throws AgentError `invalid_input` */
  private client(provider: string): Client {
    const client = this.clients.find(({ settings }) => settings.id === provider)
    if (client) return client
    const ids = this.clients.map(({ settings }) => settings.id).join(', ')
    throw new AgentError('invalid_input', `provider: must be one of ${ids}`)
  }
}
