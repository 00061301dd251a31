import { AgentError } from '@vidimus/core-types'
import type { PostgresAddress, WantedSession } from './postgres-address.js'

/** The current state of a server. */
export interface ServerRole {
  /** it follows another one */
  isStandby: boolean
  /** its transactions cannot write, as a standby or by its settings */
  isReadOnly: boolean
}

const SERVES: Readonly<Record<WantedSession, (role: ServerRole) => boolean>> = {
  any: () => true,
  'read-write': ({ isReadOnly }) => !isReadOnly,
  'read-only': ({ isReadOnly }) => isReadOnly,
  primary: ({ isStandby }) => !isStandby,
  standby: ({ isStandby }) => isStandby,
  'prefer-standby': ({ isStandby }) => isStandby,
}

/**
 * Knows which server of an address serves, and looks for another one when that is gone. All connections of a process are to
 * the same one.
 */
export class PostgresServers {
  private readonly servers: readonly string[]
  private session: WantedSession
  private found: string | undefined
  private looking: Promise<string> | undefined

  /** @param askRole - throws AgentError `unavailable` if the server cannot be asked */
  constructor(
    { servers, session }: Pick<PostgresAddress, 'servers' | 'session'>,
    private readonly askRole: (server: string) => Promise<ServerRole>,
  ) {
    this.servers = servers
    this.session = session
    if (!this.hasChoice) this.found = servers[0]
  }

  /** @throws AgentError `unavailable` if none serves */
  find(): Promise<string> {
    if (this.found !== undefined) return Promise.resolve(this.found)
    this.looking ??= this.look()
      .then((server) => (this.found = server))
      .finally(() => (this.looking = undefined))
    return this.looking
  }

  /**
   * Connects to the current server; if that is gone, to another suitable one.
   *
   * @throws what `connect` throws, and AgentError `unavailable` if none serves
   */
  async connect<T>(connect: (server: string) => Promise<T>): Promise<T> {
    const server = this.found ?? (await this.find())
    try {
      return await connect(server)
    } catch (error) {
      if (!this.hasChoice) throw error
      this.lost(server)
      return connect(await this.find())
    }
  }

  /** It cannot be reached, or its role has changed. */
  lost(server: string | undefined): void {
    if (this.hasChoice && this.found === server) this.found = undefined
  }

  /** From now on servers without writes are unsuitable: if the current one was such, another has taken over. */
  demandWritable(): void {
    this.session = 'read-write'
  }

  private get hasChoice(): boolean {
    return this.servers.length > 1 || this.session !== 'any'
  }

  private async look(): Promise<string> {
    const { session } = this
    try {
      // If any of them is suitable, the operator's order decides.
      if (session === 'any')
        return await firstToAnswer(this.servers, (server) => this.demand(server, session))
      return await Promise.any(this.servers.map((server) => this.demand(server, session)))
    } catch (error) {
      if (session === 'prefer-standby')
        return firstToAnswer(this.servers, (server) => this.demand(server, 'any'))
      throw error instanceof AggregateError ? error.errors[0] : error
    }
  }

  private async demand(server: string, session: WantedSession): Promise<string> {
    if (SERVES[session](await this.askRole(server))) return server
    throw new AgentError('unavailable', `no server of the address is "${session}" at the moment`)
  }
}

/** @throws the error of the last one */
async function firstToAnswer(
  servers: readonly string[],
  demand: (server: string) => Promise<string>,
): Promise<string> {
  let failure: unknown
  for (const server of servers) {
    try {
      return await demand(server)
    } catch (error) {
      failure = error
    }
  }
  throw failure
}
