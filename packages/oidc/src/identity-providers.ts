import {
  AgentError,
  BOUNDS,
  durationMs,
  grantIdOfToken,
  isConfidentialAddress,
  LAST_TIME_MS,
  log,
  parseOptions,
  requireMethods,
  SESSION_PREFIX,
  tokenHolder,
  type AccountRows,
  type AuthenticatedAccount,
  type Authenticator,
  type CheckResult,
  type ConsoleLogin,
  type HasAccountRows,
  type HasLifecycle,
  type ApiKeyGrant,
  type GrantSource,
  type HasSealedStores,
  type ListedSession,
  type NamedScope,
  type OperatedSessions,
  type SealedStore,
  type RightsOfNow,
} from '@vidimus/core-types'
import type { Accounts } from '@vidimus/accounts'
import { decodeJwt, errors, jwtVerify, type JWTPayload } from 'jose'
import { ConsoleSessions, type ConsoleSession } from './console-sessions.js'
import { ConsoleSignIn, type SignedIn } from './console-sign-in.js'
import { IssuerKeys } from './issuer-keys.js'
import { ConsoleClients } from './console-clients.js'
import { Options, type IdentityProvidersOptions, type ProviderSettings } from './options.js'
import { rightsByRules, ruleFingerprint, type GivenRights } from './rules.js'
import { SignInAttempts } from './sign-in-attempts.js'

/** Signatures that only the issuer can make: no HMAC, whose key would be one that we can read, and no `none`. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]

/** Access tokens by RFC 9068, and those that do not say what they are; never logout tokens and the like. */
const TYPES: readonly unknown[] = [undefined, 'jwt', 'at+jwt', 'application/at+jwt']

/** Differences between clocks. */
const TOLERANCE_SECONDS = 60

/** OpenID Connect Core 2: a subject has at most 255 ASCII characters. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/

const JWT = /^eyJ[\w-]*\.[\w-]+\.[\w-]*$/

interface Provider {
  settings: ProviderSettings
  keys: IssuerKeys
}

interface VerifiedClaims extends JWTPayload {
  sub: string
  exp: number
}

/**
 * Lets the bearer tokens of identity providers in, besides API keys: each is verified by the keys that its issuer
 * publishes, and rules map its claims to an account and rights.
 */
export class IdentityProviders
  implements Authenticator, RightsOfNow, HasLifecycle, HasAccountRows, HasSealedStores
{
  readonly lifecycle = {
    start: async () => {
      this.warnOfHttp()
      await this.sessions?.texts.verify()
    },
    check: () => Promise.all([...this.providers.values()].map(check)),
    checkWarns: true as const,
  }
  /** the fixed scopes of all rules */
  readonly namedScopes: readonly NamedScope[]
  readonly protectedResource: object
  /** absent: no provider has a client for the console */
  readonly consoleLogin: ConsoleLogin | undefined

  private readonly providers: ReadonlyMap<string, Provider>
  private readonly issuers: ReadonlySet<string>
  private readonly clock: () => Date
  private readonly sessions: ConsoleSessions | undefined

  /** @throws AgentError `invalid_configuration` with every problem */
  constructor(
    private readonly accounts: Pick<Accounts, 'authenticate' | 'hasForm' | 'usable' | 'rightsNow'>,
    options: IdentityProvidersOptions,
  ) {
    requireMethods(accounts, ['authenticate', 'usable'], 'Accounts of @vidimus/accounts')
    const { providers, clock, database, envelope } = parseOptions(Options, options)
    this.clock = clock ?? (() => new Date())
    const now = () => this.clock().getTime()
    this.providers = new Map(
      providers.map((settings) => {
        const { issuer, allowHttp } = settings
        return [issuer, { settings, keys: new IssuerKeys(issuer, allowHttp, now) }]
      }),
    )
    this.issuers = new Set(this.providers.keys())
    this.namedScopes = providers.flatMap(scopesIn)
    this.protectedResource = protectedResource(providers)
    this.sessions = database && envelope ? new ConsoleSessions(database, envelope, this.clock) : undefined
    const clients = providers.flatMap((settings) => {
      const { clientId } = settings
      return clientId ? [{ settings, signIn: new ConsoleSignIn({ ...settings, clientId }, now) }] : []
    })
    this.consoleLogin =
      this.sessions && database && envelope && clients.length > 0
        ? new ConsoleClients(clients, {
            sessions: this.sessions,
            attempts: new SignInAttempts(database, envelope, this.clock),
            whoIs: (signedIn) => this.signedIn(signedIn),
          })
        : undefined
  }

  hasForm = (text: string): boolean =>
    text.startsWith(SESSION_PREFIX) || JWT.test(text) || this.accounts.hasForm(text)

  /** @throws AgentError `forbidden` for a valid token that has no account here, `unavailable` */
  async authenticate(credential: string): Promise<AuthenticatedAccount | undefined> {
    if (credential.startsWith(SESSION_PREFIX)) return this.ofSession(credential)
    if (!JWT.test(credential)) return this.accounts.authenticate(credential, this.issuers)
    const provider = this.issuerOf(credential)
    const claims = provider && (await this.verified(provider, credential))
    if (!provider || !claims) return undefined
    return this.accountOf(provider.settings, claims)
  }

  /** Without the token its claims are not known: the rule must be there as it was. */
  async rightsNow(
    accountId: string,
    source: GrantSource | undefined,
  ): Promise<{ grant?: ApiKeyGrant } | undefined> {
    const holder = source && tokenHolder(source.id)
    if (!holder) return this.accounts.rightsNow(accountId, source, this.issuers)
    const rules = this.providers.get(holder.issuer)?.settings.rules
    const isThere = rules?.some((rule) => source.rule === undefined || ruleFingerprint(rule) === source.rule)
    return isThere ? this.accounts.rightsNow(accountId, undefined) : undefined
  }

  get accountRows(): readonly AccountRows[] {
    return this.sessions?.accountRows ?? []
  }

  get sealedStores(): readonly SealedStore[] {
    return this.sessions ? [this.sessions.texts] : []
  }

  /** The sessions of the console, for operators; absent: nobody can sign in. */
  get operatedSessions(): OperatedSessions | undefined {
    const { sessions } = this
    return (
      sessions && {
        list: async (request) => {
          const { sessions: found, ...rest } = await sessions.page(request)
          return { sessions: found.map((session) => this.listed(session)), ...rest }
        },
        end: (which, operator) => sessions.endBy(which, operator),
      }
    )
  }

  private listed(session: ConsoleSession): ListedSession {
    const { id, holder, account, createdAt, usedAt, endsAt } = session
    const rights = this.rightsOfSession(session)
    const scopes = rights ? rights.scopes : []
    return {
      id,
      ...holder,
      account: account.name,
      ...(scopes && { scopes: [...scopes] }),
      createdAt,
      usedAt,
      endsAt,
    }
  }

  /** A session has the rights that the rules of now give to the claims of then, in the account that it began in. */
  private rightsOfSession({ holder, claims, account }: ConsoleSession): GivenRights | undefined {
    const provider = this.providers.get(holder.issuer)
    const rights = provider && rightsByRules(provider.settings.rules, claims)
    return rights?.account === account.name ? rights : undefined
  }

  private async ofSession(credential: string): Promise<AuthenticatedAccount | undefined> {
    const session = await this.sessions?.find(credential)
    const rights = session && this.rightsOfSession(session)
    if (!rights) return undefined
    const { account, holder, endsAt } = session
    const { account: _, ...limits } = rights
    const { apiKeyLife } = this.providers.get(holder.issuer)?.settings ?? {}
    const expiresAt = apiKeyLife ? this.keysEnd(apiKeyLife) : endsAt
    return { ...account, grant: { id: grantIdOfToken(holder), ...limits, expiresAt } }
  }

  /** The claims are those of the access token, if it is for this service, otherwise those of the ID token. */
  private async signedIn({ issuer, accessToken, idClaims }: SignedIn) {
    const provider = this.providers.get(issuer)
    if (!provider) throw new Error('the provider of a sign-in is not configured')
    const claims = JWT.test(accessToken) ? await this.verified(provider, accessToken) : undefined
    const known = claims ?? idClaims
    if (!isUsable(known)) throw new AgentError('unauthenticated', 'the identity provider names nobody')
    const { id: account } = await this.accountOf(provider.settings, known)
    return { account, holder: { issuer, subject: known.sub }, claims: known }
  }

  private keysEnd(life: string): string {
    return new Date(this.clock().getTime() + durationMs(life)).toISOString()
  }

  /** Whom the token claims to be from, before anything is verified. */
  private issuerOf(token: string): Provider | undefined {
    if (token.length > BOUNDS.bearerToken) return undefined
    try {
      const { iss } = decodeJwt(token)
      return typeof iss === 'string' ? this.providers.get(iss) : undefined
    } catch {
      return undefined
    }
  }

  private async verified({ settings, keys }: Provider, token: string): Promise<VerifiedClaims | undefined> {
    const { issuer, audience } = settings
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keys.key, {
        issuer,
        audience,
        algorithms: ALGORITHMS,
        clockTolerance: TOLERANCE_SECONDS,
        currentDate: this.clock(),
        requiredClaims: ['sub', 'exp'],
      })
      const isAccessToken = TYPES.includes(protectedHeader.typ?.toLowerCase())
      return isAccessToken && isUsable(payload) ? payload : undefined
    } catch (error) {
      if (error instanceof AgentError) throw error
      tellRefusal(issuer, error)
      return undefined
    }
  }

  private async accountOf(
    { issuer, rules, apiKeyLife }: ProviderSettings,
    { sub: subject, exp, ...claims }: VerifiedClaims,
  ): Promise<AuthenticatedAccount> {
    const rights = rightsByRules(rules, { ...claims, sub: subject })
    const account = rights && (await this.accounts.usable(rights.account))
    // The same for no rule, no such account, and one that is disabled: which accounts there are is not told.
    if (!account) throw new AgentError('forbidden', 'this token gives access to no account of this service')
    const { account: _, ...limits } = rights
    const expiresAt = apiKeyLife ? this.keysEnd(apiKeyLife) : new Date(exp * 1000).toISOString()
    return { ...account, grant: { id: grantIdOfToken({ issuer, subject }), ...limits, expiresAt } }
  }

  private warnOfHttp(): void {
    for (const { settings } of this.providers.values()) {
      const { issuer } = settings
      if (isConfidentialAddress(issuer)) continue
      log('warn', 'allowHttp: others on the way to the identity provider can forge tokens', { issuer })
    }
  }
}

/** RFC 9728 2; `device_clients` is ours. */
const protectedResource = (providers: readonly ProviderSettings[]): object => ({
  authorization_servers: providers.map(({ issuer }) => issuer),
  bearer_methods_supported: ['header'],
  device_clients: Object.fromEntries(
    providers.flatMap(({ issuer, deviceClientId }) => (deviceClientId ? [[issuer, deviceClientId]] : [])),
  ),
})

/** What is no text would be compared as one that it can be written as. */
const isUsable = (claims: Readonly<Record<string, unknown>>): claims is VerifiedClaims => {
  const { sub, exp } = claims
  const isNamed = typeof sub === 'string' && SUBJECT.test(sub)
  return isNamed && typeof exp === 'number' && exp * 1000 <= LAST_TIME_MS
}

/** For operators who set this up. Never the token, nor what is in it. */
function tellRefusal(issuer: string, error: unknown): void {
  const reason = error instanceof errors.JOSEError ? error.code : 'not verifiable'
  const claim = error instanceof errors.JWTClaimValidationFailed ? error.claim : undefined
  log('debug', 'a token was refused', { issuer, reason, ...(claim !== undefined && { claim }) })
}

/** API keys work without the issuer: its absence is a warning. Anybody reads the name, which names no host. */
async function check({ settings: { id }, keys }: Provider): Promise<CheckResult> {
  const name = `identity-provider:${id}`
  try {
    await keys.current()
    return { name, ok: true }
  } catch {
    return { name, ok: false, warning: true, message: 'its keys cannot be fetched: tokens are refused' }
  }
}

const scopesIn = ({ rules }: ProviderSettings, provider: number): NamedScope[] =>
  rules.flatMap(({ scopes }, rule) =>
    Array.isArray(scopes)
      ? scopes.map((scope, n) => ({ path: `providers[${provider}].rules[${rule}].scopes[${n}]`, scope }))
      : [],
  )
