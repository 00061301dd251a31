import assert from 'node:assert/strict'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RestoreReport } from '../../packages/cli/src/restored/restore-report.js'
import type { CheqdSetup } from './cheqd-setup.js'
import type { Client } from './client.js'
import { commandHere } from './command-here.js'
import { ServiceHere } from './service-here.js'
import { didOf, listOf, publishing, served } from './static-publication-suite.js'
import { beginVidimus } from './vidimus-process.js'

/** Its rows are stored as they come: how many together, and so in how many transactions, depends on how quick the machine is. */
const NOT_OF_THE_AUDIT_TRAIL = '^(?![^]*audit_)'
const KILLED_AFTER_WRITES = join(import.meta.dirname, 'killed-after-writes.mjs')
const SECRET = 'a5'.repeat(32)
const LIST_TYPES = ['TokenStatusList', 'BitstringStatusList', 'StatusList2021'] as const

export type List = Awaited<ReturnType<typeof listOf>>

/** What was allocated and revoked, as its users remember it. */
export class Remembered {
  readonly lists: List[] = []
  readonly allocated = new Map<string, Set<number>>()
  readonly revoked = new Map<string, Set<number>>()

  /** @throws AssertionError if it was allocated before */
  note({ listType }: Pick<List, 'listType'>, index: number): void {
    const known = this.allocated.get(listType) ?? new Set()
    assert.equal(known.has(index), false, `${listType}: ${index} was allocated twice`)
    this.allocated.set(listType, known.add(index))
  }

  get count(): number {
    return [...this.allocated.values()].reduce((sum, { size }) => sum + size, 0)
  }

  get revocations(): number {
    return [...this.revoked.values()].reduce((sum, { size }) => sum + size, 0)
  }

  noteRevoked({ listType }: List, indices: readonly number[]): void {
    this.revoked.set(listType, new Set([...(this.revoked.get(listType) ?? []), ...indices]))
  }
}

/** An installation whose database is lost, and restored from an older backup. */
export class Disaster {
  readonly remembered = new Remembered()

  private constructor(
    private readonly folder: string,
    /** published lists, of a service that publishes */
    readonly published: string | undefined,
    /** in place of the embedded ledgers */
    private readonly networks: CheqdSetup | undefined,
  ) {}

  static async of({ publishes, networks }: { publishes: boolean; networks?: CheqdSetup }): Promise<Disaster> {
    const folder = await mkdtemp(join(tmpdir(), 'vidimus-disaster-'))
    return new Disaster(folder, publishes ? join(folder, 'published') : undefined, networks)
  }

  async end(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true })
  }

  get environment(): Record<string, string> {
    return {
      VIDIMUS_PUBLIC_URL: 'https://status.example.com',
      ...(this.published !== undefined && { VIDIMUS_PUBLISH_DIRECTORY: this.published }),
      ...this.networks?.environment,
    }
  }

  /** Everything that the service runs on, for commands and processes of their own. */
  installation(url: string) {
    return {
      dataDirectory: this.folder,
      ...this.configuration,
      environment: { ...this.environment, DATABASE_URL: url, KMS_SECRET_KEY: SECRET, LOG_LEVEL: 'error' },
    }
  }

  private get configuration() {
    if (this.networks) return { configure: this.networks.configure }
    return this.published === undefined ? {} : { configure: publishing('directory') }
  }

  start(url: string): Promise<ServiceHere> {
    return ServiceHere.start({ url, listen: true, environment: this.environment, ...this.configuration })
  }

  /** Lists of every type, of one publisher. */
  async createLists(client: Client, fields: object = {}): Promise<void> {
    const did = await didOf(client)
    for (const listType of LIST_TYPES) this.remembered.lists.push(await listOf(client, did, listType, fields))
  }

  /** @throws AssertionError for an index that was allocated before */
  async allocate(service: ServiceHere, account: string, each: number): Promise<void> {
    for (const list of this.remembered.lists) {
      for (let n = 0; n < each; n += 1) await this.allocateIn(service, account, list)
    }
  }

  /** @throws AssertionError for an index that was allocated before */
  async allocateIn(service: ServiceHere, account: string, list: List): Promise<void> {
    const call = service.as(await service.accounts.get(account)) as (
      method: string,
      args: object,
    ) => Promise<{ index: number }>
    const { did, statusListName, listType } = list
    const { index } = await call('statusListAllocate', { did, statusListName, listType })
    this.remembered.note(list, index)
  }

  /** The newest of those that are not revoked. */
  async revokeNewest(client: Client, list: List): Promise<void> {
    const revoked = this.remembered.revoked.get(list.listType)
    const index = [...(this.remembered.allocated.get(list.listType) ?? [])].findLast(
      (one) => !revoked?.has(one),
    )
    if (index !== undefined) await this.revokeIn(client, list, [index])
  }

  /** Revokes every n-th of the newest allocated ones in each list. */
  async revokeSome(client: Client, newest: number, every: number): Promise<void> {
    for (const list of this.remembered.lists) {
      const allocated = [...(this.remembered.allocated.get(list.listType) ?? [])].slice(-newest)
      const indices = allocated.filter((_, n) => n % every === 0)
      for (let from = 0; from < indices.length; from += 100) {
        await this.revokeIn(client, list, indices.slice(from, from + 100))
      }
    }
  }

  private async revokeIn(client: Client, list: List, indices: readonly number[]): Promise<void> {
    await client.ok('POST', '/credential-status/update/unencrypted', {
      query: { listType: list.listType, statusAction: 'revoke' },
      json: {
        did: list.did,
        statusListName: list.statusListName,
        indices,
        ...(this.published !== undefined && { publication: 'wait' }),
      },
    })
    this.remembered.noteRevoked(list, indices)
  }

  /** @throws AssertionError if anything that was published as revoked is not */
  async expectRevoked(client: Client, types: readonly string[] = LIST_TYPES): Promise<void> {
    for (const { did, statusListName, listType } of this.remembered.lists) {
      if (!types.includes(listType)) continue
      for (const index of this.remembered.revoked.get(listType) ?? []) {
        const { revoked } = (await client.ok('POST', '/credential-status/check', {
          query: { listType, statusPurpose: 'revocation' },
          json: { did, statusListName, index },
        })) as { revoked?: boolean }
        assert.equal(revoked, true, `${listType} ${index}`)
      }
    }
  }

  /** Saves a list as its host serves it. @returns the file */
  async save(client: Client, list: List, accept = ''): Promise<string> {
    const { body } = await served(client, `/status-lists/${list.statusListId}`, accept)
    const file = join(this.folder, `${list.listType}${accept.replaceAll('/', '-')}`)
    await writeFile(file, body)
    return file
  }

  /** What is published now is again there after whatever is published meanwhile. @returns how */
  async keepPublished(): Promise<() => Promise<void>> {
    const { published } = this
    if (published === undefined) throw new Error('it publishes nothing')
    const kept = join(this.folder, 'kept')
    await cp(published, kept, { recursive: true, preserveTimestamps: true })
    return async () => {
      await rm(published, { recursive: true })
      await cp(kept, published, { recursive: true, preserveTimestamps: true })
    }
  }

  /** Runs `vidimus restored` in a process that is killed after so many transactions. @returns how it ended */
  async restoredUntil(
    url: string,
    writes: number | undefined,
    ...args: string[]
  ): Promise<{ isKilled: boolean; writes: number }> {
    const { installationOf } = await import('./service.js')
    const { file, environment } = await installationOf(this.installation(url))
    const limit = {
      KILL_AFTER_STATEMENT: NOT_OF_THE_AUDIT_TRAIL,
      ...(writes !== undefined && { KILL_AFTER_WRITES: String(writes) }),
    }
    const { child, closed } = beginVidimus(
      ['restored', ...args, '--config', file],
      { ...environment, ...limit, PORT: '0' },
      { node: ['--import', KILLED_AFTER_WRITES] },
    )
    const { complained } = await closed
    const [, counted] = /(\d+) transactions/.exec(complained) ?? []
    return { isKilled: child.signalCode === 'SIGKILL', writes: Number(counted ?? writes) }
  }

  /** Runs `vidimus restored`. */
  async restored(
    url: string,
    ...args: string[]
  ): Promise<RestoreReport & { code: number; complained: string }> {
    const { environment } = this.installation(url)
    const { installationOf } = await import('./service.js')
    const { file } = await installationOf(this.installation(url))
    const { code, printed, complained } = await commandHere(
      ['restored', '--json', ...args, '--config', file],
      { ...environment, VIDIMUS_DATA_DIR: this.folder, PATH: process.env.PATH, PORT: '0' },
    )
    const report = (code === 0 ? JSON.parse(printed) : {}) as RestoreReport
    return { ...report, code, complained }
  }
}
