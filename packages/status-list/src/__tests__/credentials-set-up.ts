import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TAgent } from '@veramo/core-types'
import type { ICredentials, IStatusListCredentials, StatusListType } from '@vidimus/core-types'
import { Database, type Connection, type Sql } from '@vidimus/database'
import { PrivateKeyEnvelope } from '@vidimus/kms-node'
import { CredentialsPlugin } from '@vidimus/credentials'
import { migrations, StatusListStore } from '@vidimus/status-list-store'
import { migratedDatabase, type Place } from '../../../../test/support/fresh-database.js'
import { BitstringStatusList } from '../types/bitstring-status-list.js'
import type { StatusListPluginOptions } from '../plugin-options.js'
import { StatusList2021 } from '../types/status-list-2021.js'
import { createTestAgent, type TestAgent } from './test-agent.js'
import type { TestLedger } from './test-ledger.js'

/** Lists that are short enough to be filled. */
export const SHORT = 64
export const Short2021: StatusListType<never> = {
  ...StatusList2021,
  minLength: 8,
  defaultLength: SHORT,
} as never
export const ShortBitstring: StatusListType<never> = {
  ...BitstringStatusList,
  minLength: 8,
  defaultLength: SHORT,
} as never

const TABLES = { migrations: [migrations] }

/** Of all agents on one folder. */
const SECRET = '5e'.repeat(32)

type Methods = IStatusListCredentials & ICredentials

export interface CredentialsAgent extends Omit<TestAgent, 'agent' | 'scoped'> {
  agent: TestAgent['agent'] & TAgent<Methods>
  scoped: <T>(work: (agent: TestAgent['agent'] & TAgent<Methods>) => Promise<T>) => Promise<T>
}

/** A folder with a database, and agents that store their allocations in it, each through its own connection. */
export class SharedFolder {
  private readonly databases: Database[] = []

  private constructor(
    private readonly path: string,
    private readonly url: string | null,
  ) {}

  /** @param place - default: a file in the folder */
  static async create(place?: Place): Promise<SharedFolder> {
    const url = place ? await migratedDatabase(place, TABLES) : null
    return new SharedFolder(await mkdtemp(join(tmpdir(), 'vidimus-credentials-')), url)
  }

  async agent(
    options: Partial<StatusListPluginOptions> = {},
    setup: { ledger?: TestLedger; clock?: () => Date } = {},
  ): Promise<CredentialsAgent> {
    const database = new Database({ url: this.url, dataDirectory: this.path, ...TABLES })
    await database.lifecycle.start()
    this.databases.push(database)
    const store = new StatusListStore({ database, envelope: new PrivateKeyEnvelope({ secret: SECRET }) })
    const types = [Short2021, ShortBitstring]
    const test = createTestAgent({
      ...setup,
      options: { types, store, ...options },
      plugins: [new CredentialsPlugin({ ...(setup.clock && { clock: setup.clock }) })],
    }) as CredentialsAgent
    Object.assign(store.series, { holders: () => Promise.resolve([test.account]) })
    return test
  }

  async run(statement: Sql): Promise<void> {
    await this.write((connection) => connection.run(statement))
  }

  async write<T>(work: (connection: Connection) => Promise<T>): Promise<T | undefined> {
    return this.databases[0]?.write(work)
  }

  async remove(): Promise<void> {
    // What stands for a killed process may be in the midst of a statement.
    await Promise.allSettled(this.databases.map((database) => database.lifecycle.stop()))
    await rm(this.path, { recursive: true, force: true })
  }
}
