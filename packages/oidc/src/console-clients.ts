import { AgentError, type SignInOrigin, type ConsoleLogin, type TokenHolder } from '@vidimus/core-types'
import type { ConsoleSessions } from './console-sessions.js'
import type { ConsoleSignIn, SignedIn } from './console-sign-in.js'
import type { ProviderSettings } from './options.js'
import type { Claims } from './rules.js'
import type { SignInAttempts } from './sign-in-attempts.js'

/** A provider where people sign in. */
interface Client {
  settings: ProviderSettings
  signIn: ConsoleSignIn
}

interface Parts {
  sessions: ConsoleSessions
  attempts: SignInAttempts
  /** who it is, and the id of the account by the rules of the provider */
  whoIs: (signedIn: SignedIn) => Promise<{ account: string; holder: TokenHolder; claims: Claims }>
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

  async complete(provider: string, sealed: string, address: string, origin: SignInOrigin): Promise<string> {
    const { signIn } = this.client(provider)
    const { attempts, sessions, whoIs } = this.parts
    const attempt = await attempts.use(provider, sealed, address)
    const { account, holder, claims } = await whoIs(await signIn.complete(attempt, address))
    return sessions.begin(account, holder, claims, { provider, origin })
  }

  async end(session: string, afterwards: string, origin: SignInOrigin): Promise<string | undefined> {
    const { sessions } = this.parts
    const found = await sessions.find(session)
    if (!found) return undefined
    const { issuer } = found.holder
    const client = this.clients.find(({ settings }) => settings.issuer === issuer)
    await sessions.end(session, client?.settings.id ?? issuer, origin)
    return client?.signIn.endAddress(afterwards)
  }

  /** @throws AgentError `invalid_input` */
  private client(provider: string): Client {
    const client = this.clients.find(({ settings }) => settings.id === provider)
    if (client) return client
    const ids = this.clients.map(({ settings }) => settings.id).join(', ')
    throw new AgentError('invalid_input', `provider: must be one of ${ids}`)
  }
}
