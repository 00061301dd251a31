import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Accounts, ApiKeyCreateArgs, AuditEvent, AuditQuery } from '@vidimus/accounts'
import type { CreatedApiKey } from '@vidimus/core-types'
import { withAccounts, withAuditLog } from '../../packages/cli/src/installation.js'
import { commandHere } from './command-here.js'
import { layEmptyInstallation } from './fresh-database.js'
import { beginVidimus, COMPILED, vidimus } from './vidimus-process.js'

const root = resolve(import.meta.dirname, '../..')

export interface ServiceOptions {
  /** kept after `stop`, for a later start on it; left out: a fresh folder that goes with the service */
  dataDirectory?: string
  environment?: Record<string, string>
  /** makes another configuration of the default one */
  configure?: (text: string) => string
  /** further ones of `vidimus start` */
  args?: readonly string[]
  /** the tables are made by this start, as those of a user are; left out: they are there already */
  fromNothing?: boolean
}

/** The real service in a process of its own, as `vidimus start` runs it. */
export class Service {
  private constructor(
    private readonly child: ChildProcess,
    readonly dataDirectory: string,
    readonly url: string,
    /** shown at the first start alone */
    readonly apiKey: string | undefined,
    private readonly output: { text: string },
    private readonly temporary: boolean,
    private readonly options: ServiceOptions,
  ) {}

  static async start(options: ServiceOptions = {}): Promise<Service> {
    const dataDirectory = options.dataDirectory ?? (await mkdtemp(join(tmpdir(), 'vidimus-service-')))
    if (!options.fromNothing && options.environment?.DATABASE_URL === undefined)
      await layEmptyInstallation(dataDirectory)
    const child = spawn(
      process.execPath,
      [
        vidimus,
        'start',
        ...(options.args ?? []),
        '--config',
        await configurationFile(dataDirectory, options),
      ],
      {
        cwd: root,
        env: environment(dataDirectory, options),
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    const output = { text: '' }
    const collect = (text: Buffer) => (output.text += text.toString())
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    await bannerOf(child, output)
    const url = /REST API {3}(\S+)/.exec(output.text)?.[1]
    if (!url) throw new Error(`the banner names no address:\n${output.text}`)
    const apiKey = /^ +(vidimus_\w+)$/m.exec(output.text)?.[1]
    return new Service(
      child,
      dataDirectory,
      url,
      apiKey,
      output,
      options.dataDirectory === undefined,
      options,
    )
  }

  /** Everything that the process wrote. */
  get log(): string {
    return this.output.text
  }

  /** `null`: the file in the data directory */
  get databaseUrl(): string | null {
    return this.options.environment?.DATABASE_URL ?? null
  }

  get pid(): number {
    return this.child.pid ?? 0
  }

  get running(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null
  }

  /** Asks it to stop, as an operator would. @returns its exit code */
  async stop(): Promise<number | null> {
    const code = await this.end('SIGTERM')
    if (this.temporary) await rm(this.dataDirectory, { recursive: true, force: true })
    return code
  }

  /** `kill -9`; the data directory stays. */
  kill(): Promise<number | null> {
    return this.end('SIGKILL')
  }

  /** Runs another command of the command line on the same installation. @returns what it printed */
  async command(...args: string[]): Promise<string> {
    return runVidimus(args, this.files)
  }

  /** A fresh API key of an account, which is created where it does not exist. */
  apiKeyOf(account: string, request: Omit<ApiKeyCreateArgs, 'account'> = {}): Promise<CreatedApiKey> {
    return this.accounts(async (accounts) => {
      if (!(await accounts.list()).some(({ name }) => name === account)) await accounts.create(account)
      return accounts.createApiKey({ account, ...request })
    })
  }

  /** Gives `work` the accounts, in this process, beside the service. */
  async accounts<T>(work: (accounts: Accounts) => Promise<T>): Promise<T> {
    const { file, environment } = await installationOf(this.files)
    return withAccounts(file, work, environment)
  }

  /** What the audit trail tells, read in this process, beside the service. */
  async audited(query: AuditQuery): Promise<AuditEvent[]> {
    const { file, environment } = await installationOf(this.files)
    return withAuditLog(file, (audit) => audit.list(query), environment)
  }

  private get files() {
    return { ...this.options, dataDirectory: this.dataDirectory }
  }

  private async end(signal: NodeJS.Signals): Promise<number | null> {
    if (!this.running) return this.child.exitCode
    const closed = once(this.child, 'close')
    this.child.kill(signal)
    await closed
    return this.child.exitCode
  }
}

/** Runs a command of the command line to its end, in this process. @returns what it printed */
export async function runVidimus(
  args: readonly string[],
  options: ServiceOptions & { dataDirectory: string },
): Promise<string> {
  const { code, printed, complained } = await codeOfVidimus(args, options)
  if (code !== 0) throw new Error(`vidimus ${args.join(' ')} ended with ${code}: ${complained}`)
  return printed
}

/** As {@link runVidimus}, with its exit code, whatever it is. */
export async function codeOfVidimus(
  args: readonly string[],
  options: ServiceOptions & { dataDirectory: string },
) {
  const { file, environment } = await installationOf(options)
  return commandHere([...args, '--config', file], environment)
}

/** As {@link codeOfVidimus}, in a process of its own. */
export async function endOfVidimus(
  args: readonly string[],
  options: ServiceOptions & { dataDirectory: string },
): Promise<{ code: number | null; printed: string; complained: string }> {
  const file = await configurationFile(options.dataDirectory, options)
  return beginVidimus([...args, '--config', file], environment(options.dataDirectory, options)).closed
}

/** The configuration and its environment, for what looks at an installation in the process of the test. */
export const installationOf = async (options: ServiceOptions & { dataDirectory: string }) => ({
  file: await configurationFile(options.dataDirectory, options),
  environment: environment(options.dataDirectory, options),
})

/** The default configuration, or a changed copy outside of the project. */
async function configurationFile(dataDirectory: string, { configure }: ServiceOptions): Promise<string> {
  const standard = join(root, 'agent.yml')
  if (!configure) return standard
  const text = await readFile(standard, 'utf8')
  const changed = configure(text)
  if (changed === text) throw new Error('the change does not fit agent.yml any more')
  const file = join(dataDirectory, 'agent.yml')
  // Another process of the same installation may be reading it.
  const unfinished = `${file}.${randomUUID()}`
  await writeFile(unfinished, changed)
  await rename(unfinished, file)
  return file
}

const environment = (dataDirectory: string, options: ServiceOptions) => ({
  ...COMPILED,
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  VIDIMUS_DATA_DIR: dataDirectory,
  PORT: '0',
  ...options.environment,
})

async function bannerOf(child: ChildProcess, output: { text: string }): Promise<void> {
  const ended = once(child, 'exit')
  for (;;) {
    if (
      output.text.includes('Health ') &&
      /\n\n.*\n/s.test(output.text.slice(output.text.indexOf('Health ')))
    )
      return
    const more = once(child.stdout ?? child, 'data')
    const [what] = await Promise.race([more.then(() => ['more']), ended.then(() => ['ended'])])
    if (what === 'ended') throw new Error(`the service did not start:\n${output.text}`)
  }
}
