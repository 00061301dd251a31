import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from './postgres-server.js'
import { until } from './until.js'

const PROGRAMS = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer']

export const NO_PGBOUNCER =
  'there is no PgBouncer on this machine: apt-get install pgbouncer, or name the program in PGBOUNCER_PATH'

/** PgBouncer in front of one database. */
export class PgBouncer {
  private constructor(
    /** of the database, through it */
    readonly url: string,
    private readonly child: ChildProcess,
    private readonly folder: string,
  ) {}

  /** `PGBOUNCER_PATH`, or the program where it usually is */
  static program(): string | undefined {
    return process.env.PGBOUNCER_PATH ?? PROGRAMS.find((file) => existsSync(file))
  }

  static async start(url: string, mode: 'session' | 'transaction' | 'statement'): Promise<PgBouncer> {
    const program = PgBouncer.program()
    if (program === undefined) throw new Error(NO_PGBOUNCER)
    const { hostname, port, pathname, username, password } = new URL(url)
    const folder = await mkdtemp(join(tmpdir(), 'vidimus-pgbouncer-'))
    // It does not run as root.
    await chmod(folder, 0o755)
    const own = await freePort()
    const name = pathname.slice(1)
    await writeFile(join(folder, 'users.txt'), `"${username}" "${password}"\n`)
    const settings = [
      '[databases]',
      `${name} = host=${hostname} port=${port} dbname=${name}`,
      '[pgbouncer]',
      `pool_mode = ${mode}`,
      'listen_addr = 127.0.0.1',
      `listen_port = ${own}`,
      'unix_socket_dir =',
      'auth_type = plain',
      `auth_file = ${join(folder, 'users.txt')}`,
      'default_pool_size = 100',
    ]
    await writeFile(join(folder, 'pgbouncer.ini'), settings.join('\n'))
    const user = process.getuid?.() === 0 ? ['-u', 'postgres'] : []
    const child = spawn(program, [...user, join(folder, 'pgbouncer.ini')], { stdio: 'ignore' })
    const started = new PgBouncer(Object.assign(new URL(url), { port: String(own) }).href, child, folder)
    await until(() => started.answers())
    return started
  }

  async end(): Promise<void> {
    this.child.kill('SIGTERM')
    await rm(this.folder, { recursive: true, force: true })
  }

  private async answers(): Promise<boolean> {
    const client = new pg.Client({ connectionString: this.url })
    try {
      await client.connect()
      return true
    } catch {
      return false
    } finally {
      await client.end().catch(() => undefined)
    }
  }
}
