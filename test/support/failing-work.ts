import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { OperatedWork, WorkKindName } from '@vidimus/core-types'
import { sql, type Sql } from '@vidimus/database'
import { startingConfiguration } from '../../packages/cli/src/starting-configuration.js'
import { FAST } from './cheqd-installation.js'
import { CheqdSetup } from './cheqd-setup.js'
import type { Answer, Client } from './client.js'
import { commandHere } from './command-here.js'
import { emptyInstallation, type Place } from './fresh-database.js'
import { root } from './repository.js'
import { S3Double } from './s3-double.js'
import { ServiceHere } from './service-here.js'
import { until } from './until.js'
import { VaultDouble } from './vault-double.js'
import { local, Receiver } from './webhook-trial.js'

export const LATER = '2998-01-01T00:00:00.000Z'
const LOOK_EVERY_MS = 50
const S3_KEYS = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' }

interface Door {
  list: () => Promise<OperatedWork[]>
  retry: (id: string) => Promise<unknown>
}

/** A service whose network, key service, bucket, webhook receiver and database can each be stopped. */
export class FailingWork {
  /** how it is kept from sending its answers */
  private hold: { stop(): void } | undefined
  private isNetworkAway = false

  private constructor(
    readonly service: ServiceHere,
    /** of another account */
    private readonly operations: Client,
    readonly operator: Client,
    readonly operatorKey: string,
    private readonly installation: Installation,
    private readonly networks: CheqdSetup,
    readonly vault: VaultDouble,
    readonly bucket: S3Double,
    readonly receiver: Receiver,
  ) {}

  static async start(place: Place): Promise<FailingWork> {
    const networks = await CheqdSetup.start({
      requests: { ...FAST.requests, attempts: 2 },
      outbox: { ...FAST.outbox, submitTimeoutMs: 2000 },
    })
    const [vault, bucket, receiver] = await Promise.all([
      VaultDouble.start(),
      S3Double.start(),
      new Receiver().start(),
    ])
    Object.assign(process.env, S3_KEYS)
    const url = await emptyInstallation(place)
    const environment = {
      ...networks.environment,
      VAULT_ADDR: vault.url,
      VAULT_TOKEN: vault.token(),
      VIDIMUS_PUBLIC_URL: 'https://status.example.com',
      S3_BUCKET: bucket.bucket,
      S3_ENDPOINT: bucket.url,
    }
    const configure = (text: string) => configured(networks.configure(text))
    const service = await ServiceHere.start({ url, listen: true, configure, environment })
    const installation = await newInstallation(configure, { ...environment, DATABASE_URL: url })
    for (const method of ['didCreationRecover', 'statusListRenew', 'didRotationContinue'])
      await service.agent.execute(method, {})
    const client = await service.clientOf('operations')
    const { apiKey } = await service.accounts.createApiKey({
      account: 'operations',
      scopes: ['operator', 'read'],
    })
    return new FailingWork(
      service,
      client,
      client.as(apiKey),
      apiKey,
      installation,
      networks,
      vault,
      bucket,
      receiver,
    )
  }

  async stop(): Promise<void> {
    await this.service.stop()
    await Promise.all([this.networks, this.vault, this.bucket, this.receiver].map((one) => one.stop()))
    for (const name of Object.keys(S3_KEYS)) delete process.env[name]
    await rm(this.installation.folder, { recursive: true })
  }

  /**
   * Where people find work, and try it again: an account, operators, and who has the command line.
   *
   * @param client - of the account; absent: it has no door any more
   */
  doors(kind: WorkKindName, account: string, client?: Client): Door[] {
    const command = async (...args: string[]) => {
      const { folder, environment } = this.installation
      const file = join(folder, 'agent.yml')
      const { code, printed, complained } = await commandHere(
        ['work', ...args, '--config', file],
        environment,
      )
      assert.deepEqual([code, complained], [0, ''])
      return printed
    }
    const byCommand: Door = {
      list: async () =>
        JSON.parse(await command('list', '--json', '--kind', kind, '--account', account)) as OperatedWork[],
      retry: (id) => command('retry', id),
    }
    const operated = doorAt('/operator/work', this.operator, { kind }, account)
    return [...(client ? [doorAt('/work', client, { kind })] : []), operated, byCommand]
  }

  /** The item of the kind, which has failed and is not tried again by itself. */
  async failed(kind: WorkKindName, { list }: Door): Promise<OperatedWork> {
    for (;;) {
      await this.change(
        sql`due_at = ${LATER} WHERE kind = ${kind} AND attempts > 0 AND holder IS NULL AND due_at < ${LATER}`,
      )
      const item = (await list()).find(({ dueAt }) => dueAt === LATER)
      if (item) return item
      await pause(LOOK_EVERY_MS)
    }
  }

  /** Waits until an item has succeeded: what is done again and again waits for its next time. */
  over({ list }: Door, id: string): Promise<void> {
    return until(async () => {
      const item = (await list()).find((one) => one.id === id)
      return item === undefined || item.state === 'waiting'
    })
  }

  /** Everything outside is back. */
  async mend(): Promise<void> {
    this.hold?.stop()
    if (this.isNetworkAway) await this.networks.nodes.testnet.open()
    // The service leaves it alone for about as long as it was away.
    const json = { network: 'testnet' }
    while (this.isNetworkAway)
      this.isNetworkAway = (await this.operations.post('/did/create', { json })).status !== 200
    this.service.database.restore()
    this.vault.sealed = false
    this.bucket.failing = 0
    this.receive(204)
  }

  async leaveNetwork(): Promise<void> {
    this.isNetworkAway = true
    await this.networks.nodes.testnet.stop()
  }

  /** The network has what it is asked for, and does not do it yet. */
  async held(ask: () => Promise<Answer>): Promise<() => Promise<Answer>> {
    const { testnet } = this.networks.nodes
    this.hold = testnet.misbehave('holdTransaction')
    const asked = ask()
    await until(() => testnet.pending.length > 0)
    return () => asked
  }

  /** Changes items of work; nobody is at them afterwards. */
  async change(set: Sql): Promise<void> {
    const statement = sql`UPDATE work_item SET fence = fence + 1, ${set}`
    await this.service.database.write((connection) => connection.run(statement))
  }

  /** How the receiver of events answers. */
  receive(status: number): void {
    this.receiver.answer = (response) => void response.writeHead(status).end()
  }
}

const configured = (text: string) =>
  local(
    startingConfiguration({ database: 'sqlite', cheqd: [], kms: 'vault', publish: 's3' }, text)
      .replace('allowDeletion: false', 'allowDeletion: true')
      .replace('mount: transit', 'mount: transit\n      pauseMs: 1')
      .replace('recoverEverySeconds: 3600', 'recoverEverySeconds: 1'),
  )

/** @param account - of the items; omitted: there are no others */
const doorAt = (path: string, who: Client, query: Record<string, string>, account?: string): Door => ({
  list: async () => {
    const { items } = (await who.ok('GET', path, { query })) as { items: OperatedWork[] }
    return items.filter((item) => account === undefined || item.account === account)
  },
  retry: (id) => who.ok('POST', `${path}/${id}/retry`),
})

/** For commands beside the service. */
interface Installation {
  folder: string
  environment: Record<string, string>
}

async function newInstallation(
  configure: (text: string) => string,
  environment: Record<string, string>,
): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'vidimus-work-'))
  const standard = await readFile(join(root, 'agent.yml'), 'utf8')
  await writeFile(join(folder, 'agent.yml'), configure(standard))
  const own = { VIDIMUS_DATA_DIR: folder, KMS_SECRET_KEY: 'a5'.repeat(32), ...S3_KEYS }
  return { folder, environment: { ...environment, ...own } }
}
