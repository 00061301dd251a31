import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Events } from '@vidimus/account-events'
import type { Accounts, AuditLog } from '@vidimus/accounts'
import { loadConfiguration } from '@vidimus/agent-config'
import type { Account, AnyAgent, IAccountEvents, runInAccountScope } from '@vidimus/core-types'
import type { Publication } from '@vidimus/publication'
import type { RemoteServer } from '@vidimus/remote-server'
import { tellOfInstallation } from '../../packages/cli/src/running-installation.js'
import { Client } from './client.js'
import type { InterruptedDatabase } from './interrupted-database.js'

const root = resolve(import.meta.dirname, '../..')

/** The module that the configuration loads need not be the one that a test imports. */
const SCOPE = "\nscope: { $require: '@vidimus/core-types?t=object#runInAccountScope' }\n"

export interface ServiceHereOptions {
  url: string
  /** makes another configuration of the default one */
  configure?: (text: string) => string
  environment?: Record<string, string>
  /** with the server in front of it */
  listen?: boolean
}

/** What `agent.yml` makes, in this process, on a database that can be interrupted. */
export class ServiceHere {
  private constructor(
    readonly agent: AnyAgent,
    readonly accounts: Accounts,
    readonly audit: AuditLog,
    readonly database: InterruptedDatabase,
    readonly events: Events,
    readonly ledger: unknown,
    private readonly scope: typeof runInAccountScope,
    /** Ends it, as if its process had died, apart from what is under way: that is not waited for. */
    readonly stop: () => Promise<void>,
    private readonly server: Pick<RemoteServer, 'listen'> | undefined,
    private readonly published: Publication | undefined,
  ) {}

  static async start({ url, configure, environment, listen }: ServiceHereOptions): Promise<ServiceHere> {
    const folder = await mkdtemp(join(tmpdir(), 'vidimus-here-'))
    const standard = await readFile(join(root, 'agent.yml'), 'utf8')
    const module = join(import.meta.dirname, 'interrupted-database.ts')
    const text = standard
      .replace("'@vidimus/database#Database'", `'${module}#InterruptedDatabase'`)
      .replace('recoverEverySeconds: 60', 'recoverEverySeconds: 3600')
    const file = join(folder, 'agent.yml')
    await writeFile(file, (configure?.(text) ?? text) + SCOPE)
    const configuration = await loadConfiguration(file, {
      environment: {
        VIDIMUS_DATA_DIR: folder,
        DATABASE_URL: url,
        KMS_SECRET_KEY: 'a5'.repeat(32),
        PORT: '0',
        LOG_LEVEL: 'silent',
        ...environment,
      },
      resolveFrom: [import.meta.url, `file://${join(root, 'packages/cli/build/index.js')}`],
    })
    const built = await configuration.build(
      '/agent',
      '/accounts',
      '/audit',
      '/database',
      '/events',
      '/ledgers',
      '/scope',
      ...(listen ? ['/server'] : []),
      ...(listen && configuration.has('/publication') ? ['/publication'] : []),
    )
    const [agent, accounts, audit, database, events, ledgers, scope, server, publication] = built as [
      AnyAgent,
      Accounts,
      AuditLog,
      InterruptedDatabase,
      Events,
      unknown[],
      typeof runInAccountScope,
      RemoteServer | undefined,
      Publication | undefined,
    ]
    await configuration.start()
    tellOfInstallation(configuration, database, file)
    server?.useMeasurements(() => configuration.measurements)
    const stop = async () => {
      await configuration.stop()
      await rm(folder, { recursive: true, force: true })
    }
    return new ServiceHere(
      agent,
      accounts,
      audit,
      database,
      events,
      ledgers[0],
      scope,
      stop,
      server,
      publication,
    )
  }

  /**
   * A client of an account that is made for it; over HTTP, in this process.
   *
   * @param isNew - `false`: the account exists
   */
  async clientOf(account: string, isNew = true): Promise<Client> {
    if (!this.server) throw new Error('it was started without its server')
    if (isNew) await this.accounts.create(account)
    const { apiKey } = await this.accounts.createApiKey({ account })
    return Client.of((await this.server.listen()).url, apiKey)
  }

  /** The static publication that it is configured with. */
  get publication(): Publication {
    if (!this.published) throw new Error('it has no static publication')
    return this.published
  }

  /** What the static publication has counted. */
  async publicationFailures(): Promise<number> {
    const failures = this.publication.measurements.find(({ form }) => form.name.includes('failures'))
    return (await failures?.read())?.[0]?.value ?? 0
  }

  /** The agent as an account calls it. */
  as(account: Account): (method: string, args?: object) => Promise<never> {
    return (method, args = {}) =>
      this.scope({ ...account, grant: { id: 'k1' } }, () => this.agent.execute(method, args), {
        requestId: 'r1',
      })
  }

  async eventsOf(account: Account) {
    const list = this.agent as unknown as IAccountEvents
    return (await this.scope(account, () => list.accountEventList({ limit: 1000 }))).events
  }
}
