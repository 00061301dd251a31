import { readFile } from 'node:fs/promises'
import { AgentError, isJsonObject, log, RepeatedPasses } from '@vidimus/core-types'
import type { VaultLogin } from './options.js'
import { VaultRefusal, type JsonObject, type VaultApi, type VaultRequest } from './vault-api.js'

interface ClientToken {
  token: string
  /** when it ends, by the clock of this process in milliseconds; `Infinity`: never */
  endsAt: number
  /** when it is to be renewed or replaced */
  renewAt: number
  renewable: boolean
}

/** The pass that checks whether the token must be renewed. */
const LOOK_EVERY_MS = 5000

/** A login at the key service whose token is renewed before it expires, and replaced if it expired anyway. */
export class VaultSession {
  private current: ClientToken | undefined
  private loggingIn: Promise<ClientToken> | undefined
  private readonly passes = new RepeatedPasses({
    work: 'renew the token of the key service',
    pauseMs: LOOK_EVERY_MS,
  })

  constructor(
    private readonly api: VaultApi,
    private readonly login: VaultLogin,
  ) {}

  /** Begins to renew the token; an unused one would expire. */
  start(): void {
    this.passes.begin(async () => {
      if (this.current && performance.now() >= this.current.renewAt) await this.renew(this.current)
    })
  }

  stop(): Promise<void> {
    return this.passes.stop()
  }

  /**
   * Sends a request with a token; with a new one if the key service no longer accepts the old one.
   *
   * @throws as {@link VaultApi.send}; AgentError `unavailable` if there is no token
   */
  async send(account: string, request: Omit<VaultRequest, 'token'>): Promise<JsonObject> {
    const { token } = await this.token()
    try {
      return await this.api.send(account, { ...request, token })
    } catch (error) {
      if (!(error instanceof VaultRefusal && error.status === 403) || this.login.kind === 'token') throw error
      if (this.current?.token === token) this.current = undefined
      const { token: another } = await this.token()
      return this.api.send(account, { ...request, token: another })
    }
  }

  private async token(): Promise<ClientToken> {
    if (this.current && performance.now() < this.current.endsAt) return this.current
    this.loggingIn ??= this.logIn().finally(() => (this.loggingIn = undefined))
    return this.loggingIn
  }

  private async logIn(): Promise<ClientToken> {
    try {
      this.current = await this.newToken()
      return this.current
    } catch (error) {
      if (error instanceof AgentError) throw error
      throw new AgentError('unavailable', `the key service rejected the login (${this.login.kind})`, {
        cause: error,
      })
    }
  }

  private async newToken(): Promise<ClientToken> {
    const { login } = this
    if (login.kind === 'token') {
      const { data } = await this.api.send('', {
        method: 'GET',
        path: 'auth/token/lookup-self',
        token: login.token,
      })
      const { ttl, renewable } = isJsonObject(data) ? data : {}
      return clientToken(login.token, ttl, renewable)
    }
    const body =
      login.kind === 'approle'
        ? { role_id: login.roleId, secret_id: login.secretId }
        : { role: login.role, jwt: (await readFile(login.tokenFile, 'utf8')).trim() }
    return readAuth(await this.api.send('', { method: 'POST', path: `auth/${login.mount}/login`, body }))
  }

  private async renew(token: ClientToken): Promise<void> {
    if (token.renewable) {
      try {
        const answer = await this.api.send('', {
          method: 'POST',
          path: 'auth/token/renew-self',
          token: token.token,
          body: {},
        })
        this.current = readAuth(answer)
        return
      } catch (error) {
        log('warn', 'the token of the key service could not be renewed', {}, error)
      }
    }
    if (this.login.kind === 'token') {
      // Nothing but the operator can bring another one; until it ends, it is looked at again.
      token.renewAt = performance.now() + LOOK_EVERY_MS
      return
    }
    this.current = await this.newToken()
  }
}

function readAuth({ auth }: JsonObject): ClientToken {
  const { client_token: token, lease_duration: lease, renewable } = isJsonObject(auth) ? auth : {}
  if (typeof token !== 'string')
    throw new AgentError('unavailable', 'the key service responded to a login without a token')
  return clientToken(token, lease, renewable)
}

/** @param seconds - how long it lives; 0 or nothing: as long as it is not revoked */
function clientToken(token: string, seconds: unknown, renewable: unknown): ClientToken {
  const now = performance.now()
  const lifeMs = typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : Infinity
  return { token, endsAt: now + lifeMs, renewAt: now + (lifeMs * 2) / 3, renewable: renewable === true }
}
