import type pg from 'pg'
import { toDatabaseError } from './errors.js'
import { loadPg } from './load-pg.js'
import type { PostgresAddress } from './postgres-address.js'
import { connectionConfig } from './postgres-pool.js'
import { PostgresServers, type ServerRole } from './postgres-servers.js'
import { setUpSession } from './postgres-session.js'
import { whenThereIsRoom } from './room-for-connections.js'

export interface ConnectingOptions {
  address: PostgresAddress
  /** of this process at the server */
  processName: string
  connectTimeoutMs: number
  statementTimeoutMs: number
}

/** Makes connections that belong to no pool, and finds out which server of the address serves. */
export class PostgresConnecting {
  readonly servers: PostgresServers

  constructor(private readonly options: ConnectingOptions) {
    this.servers = new PostgresServers(options.address, (server) => this.askRole(server))
  }

  /**
   * To the server that serves.
   *
   * @param statementTimeoutMs - how long a statement may take; 0: for ever
   * @throws AgentError `unavailable`
   */
  connect(statementTimeoutMs: number): Promise<pg.Client> {
    return this.servers.connect((server) => this.connectTo(server, statementTimeoutMs))
  }

  private async askRole(server: string): Promise<ServerRole> {
    const client = await this.connectTo(server, this.options.statementTimeoutMs)
    try {
      return await readRole(client)
    } finally {
      await client.end()
    }
  }

  private async connectTo(server: string, statementTimeoutMs: number): Promise<pg.Client> {
    const config = connectionConfig({ ...this.options, statementTimeoutMs })
    const connect = async () => {
      const client = new (loadPg().Client)({ ...config, connectionString: server })
      // The next user gets the error.
      client.on('error', () => undefined)
      await client.connect()
      await setUpSession(client, statementTimeoutMs)
      return client
    }
    try {
      return await whenThereIsRoom(connect, this.options.connectTimeoutMs)
    } catch (error) {
      throw toDatabaseError(error)
    }
  }
}

export async function readRole(client: pg.Client): Promise<ServerRole> {
  const { rows } = await client.query<{ standby: string; read_only: string }>(
    `SELECT CAST(pg_is_in_recovery() AS TEXT) AS standby, current_setting('transaction_read_only') AS read_only`,
  )
  const [role] = rows
  return { isStandby: role?.standby === 'true', isReadOnly: role?.read_only === 'on' }
}
