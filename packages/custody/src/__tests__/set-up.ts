import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAgent } from '@veramo/core'
import type { IAgentPlugin, IDIDManager, IKeyManager, IResolver, TAgent } from '@veramo/core-types'
import { DIDManager, type AbstractIdentifierProvider } from '@veramo/did-manager'
import { getDidKeyResolver, KeyDIDProvider } from '@veramo/did-provider-key'
import { DIDResolverPlugin } from '@veramo/did-resolver'
import { KeyManager } from '@veramo/key-manager'
import { KeyManagementSystem } from '@veramo/kms-local'
import { AgentError, runInAccountScope, type Account, type KeyEnvelope } from '@vidimus/core-types'
import { Database, sql } from '@vidimus/database'
import { NodeKeyManagementSystem, PrivateKeyEnvelope } from '@vidimus/kms-node'
import { layMigratedDatabase, migratedDatabase, type Place } from '../../../../test/support/fresh-database.js'
import { Accounts, Quotas, type QuotasOptions } from '@vidimus/accounts'
import {
  AccountDIDStore,
  AccountKeyStore,
  AccountPrivateKeyStore,
  DIDCreationPlugin,
  inOneUnit,
  migrations,
  UnitOfWork,
  type DIDCreationOptions,
  type IDIDCreationPlugin,
} from '../index.js'
import { IS_UNDONE } from '../undone-creations.js'

export const SECRET = 'c0'.repeat(32)

export type TestAgent = TAgent<IKeyManager & IDIDManager & IResolver & IDIDCreationPlugin>

const TABLES = { migrations: [migrations] }

/** The URL of a new database with the tables of this package. */
export const emptyDatabase = (place: Place) => migratedDatabase(place, TABLES)

/** Started; the caller stops it. */
export async function startedDatabase(place: Place): Promise<Database> {
  const database = new Database({ url: await emptyDatabase(place), ...TABLES })
  await database.lifecycle.start()
  return database
}

export interface Installation {
  database: Database
  accounts: Accounts
  unit: UnitOfWork
  privateKeyStore: AccountPrivateKeyStore
  keyStore: AccountKeyStore
  didStore: AccountDIDStore
  agent: TestAgent
  stop(): Promise<void>
}

export interface InstallationOptions {
  kms?: 'kms-node' | 'kms-local'
  secret?: string
  /** in place of `secret` */
  envelope?: KeyEnvelope
  providers?: Record<string, AbstractIdentifierProvider>
  quotas?: QuotasOptions
  resolvers?: ConstructorParameters<typeof DIDResolverPlugin>[0]
  /** beside those of `agent.yml` that keys and DIDs need */
  plugins?: IAgentPlugin[]
  /** default: recovers only where it is asked to */
  creation?: DIDCreationOptions
  /** default: a file in the folder */
  url?: string
  /** takes the place of the class */
  Database?: typeof Database
}

export const temporaryFolder = () => mkdtemp(join(tmpdir(), 'vidimus-accounts-'))
export const removeFolder = (folder: string) => rm(folder, { recursive: true, force: true })

/** What `agent.yml` builds, over a database in the folder. */
export async function install(folder: string, options: InstallationOptions = {}): Promise<Installation> {
  if (options.url === undefined) await layMigratedDatabase(folder, TABLES)
  const database = new (options.Database ?? Database)({
    url: options.url ?? null,
    dataDirectory: folder,
    ...TABLES,
  })
  await database.lifecycle.start()
  const unit = new UnitOfWork(database, { quotas: new Quotas(database, options.quotas) })
  const envelope = options.envelope ?? new PrivateKeyEnvelope({ secret: options.secret ?? SECRET })
  const privateKeyStore = new AccountPrivateKeyStore(unit, envelope)
  await privateKeyStore.lifecycle.start()
  const keyStore = new AccountKeyStore(unit)
  const didStore = new AccountDIDStore(unit)
  const local =
    options.kms === 'kms-local'
      ? new KeyManagementSystem(privateKeyStore)
      : new NodeKeyManagementSystem(privateKeyStore)
  const creation = new DIDCreationPlugin(unit, options.creation ?? { recoverEverySeconds: 3600 })
  const agent: TestAgent = createAgent<IKeyManager & IDIDManager & IResolver & IDIDCreationPlugin>({
    plugins: [
      inOneUnit(unit, new KeyManager({ store: keyStore, kms: { local } })),
      inOneUnit(
        unit,
        new DIDManager({
          store: didStore,
          defaultProvider: 'did:key',
          providers: { 'did:key': new KeyDIDProvider({ defaultKms: 'local' }), ...options.providers },
        }),
      ),
      new DIDResolverPlugin({ ...getDidKeyResolver(), ...options.resolvers }),
      creation,
      ...(options.plugins ?? []),
    ],
  })
  const accounts = new Accounts(database)
  return {
    database,
    accounts,
    unit,
    privateKeyStore,
    keyStore,
    didStore,
    agent,
    stop: async () => {
      await creation.lifecycle.stop()
      await database.lifecycle.stop()
    },
  }
}

/** Gives the account of that name, made where there is none. */
export async function accountNamed({ accounts }: Installation, name: string): Promise<Account> {
  const found = (await accounts.list()).find((account) => account.name === name)
  return found ?? accounts.create(name)
}

/** Runs in the scope of an account. */
export const as =
  (account: Account) =>
  <T>(work: () => Promise<T>): Promise<T> =>
    runInAccountScope(account, work)

/** What creations wait for is due, however long they were to wait. */
export const makeDue = ({ database }: Pick<Installation, 'database'>): Promise<number> =>
  database.write((connection) =>
    connection.run(sql`UPDATE work_item SET due_at = '2000' WHERE kind = 'did-creation' AND holder IS NULL`),
  )

/** How many rows a table has, or how many of its rows are of a sort. */
export async function count({ database }: Pick<Installation, 'database'>, table: string): Promise<number> {
  const names = {
    key: sql`SELECT COUNT(*) AS n FROM "key"`,
    'private-key': sql`SELECT COUNT(*) AS n FROM "private-key"
      WHERE alias NOT LIKE 'undone:%'`,
    'undone creation': sql`SELECT COUNT(*) AS n FROM work_item WHERE kind = 'did-creation' AND ${IS_UNDONE}`,
    'hidden private key': sql`SELECT COUNT(*) AS n FROM "private-key" WHERE alias LIKE 'undone:%'`,
    service: sql`SELECT COUNT(*) AS n FROM service`,
    account_key: sql`SELECT COUNT(*) AS n FROM account_key`,
    account_private_key: sql`SELECT COUNT(*) AS n FROM account_private_key`,
    account_did: sql`SELECT COUNT(*) AS n FROM account_did`,
    account_did_key: sql`SELECT COUNT(*) AS n FROM account_did_key`,
    account_service: sql`SELECT COUNT(*) AS n FROM account_service`,
    intent: sql`SELECT COUNT(*) AS n FROM work_item WHERE kind = 'did-creation' AND NOT ${IS_UNDONE}`,
  } as const
  const statement = names[table as keyof typeof names]
  const [row] = await database.query<{ n: number }>(statement)
  return Number(row?.n)
}

/** Every table that a key or DID of an account leaves rows in. */
export async function countAll(installation: Installation): Promise<Record<string, number>> {
  const tables = [
    'key',
    'private-key',
    'service',
    'account_key',
    'account_private_key',
    'account_did',
    'account_did_key',
    'account_service',
    'intent',
  ]
  const counts = await Promise.all(
    tables.map(async (table) => [table, await count(installation, table)] as const),
  )
  return Object.fromEntries(counts.filter(([, n]) => n > 0))
}

export const hasCode = (...codes: string[]) => {
  return (error: unknown) => error instanceof AgentError && codes.includes(error.code)
}
