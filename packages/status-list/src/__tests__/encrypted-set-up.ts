import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bech32 } from '@scure/base'
import { createAgent } from '@veramo/core'
import type { IDIDManager, IKeyManager, IResolver, TAgent } from '@veramo/core-types'
import { DIDManager, MemoryDIDStore } from '@veramo/did-manager'
import { DIDResolverPlugin } from '@veramo/did-resolver'
import { KeyManager, MemoryKeyStore, MemoryPrivateKeyStore } from '@veramo/key-manager'
import { KeyManagementSystem } from '@veramo/kms-local'
import {
  runInAccountScope,
  type Account,
  type IDIDHolding,
  type IDIDJwt,
  type ILedgerBank,
  type ILinkedResource,
  type IStatusList,
  type IStatusListPayments,
} from '@vidimus/core-types'
import { Database } from '@vidimus/database'
import {
  CheqdDIDProvider,
  CheqdLedgerPlugin,
  getCheqdDidResolver,
  LedgerBankPlugin,
} from '@vidimus/did-provider-cheqd'
import { PrivateKeyEnvelope } from '@vidimus/kms-node'
import { EmbeddedLedger, migrations as ledgerMigrations } from '@vidimus/ledger-local'
import { DIDJwtPlugin } from '@vidimus/credentials'
import { didHolding } from '../../../custody/src/did-holding.js'
import { migrations as storeMigrations, StatusListStore } from '@vidimus/status-list-store'
import { BitstringStatusList } from '../types/bitstring-status-list.js'
import type { StatusListPluginOptions } from '../plugin-options.js'
import { StatusList2021 } from '../types/status-list-2021.js'
import type { ICredentialStatusCheck } from '../checks/credential-status-check.js'
import { StatusListPlugin } from '../status-list-plugin.js'

export type FullAgent = TAgent<
  IStatusList &
    IStatusListPayments &
    ICredentialStatusCheck &
    IDIDManager &
    IKeyManager &
    IResolver &
    IDIDHolding &
    IDIDJwt &
    ILinkedResource &
    ILedgerBank
>

/** The caller: an account with its keys and DIDs, whichever process serves it. */
export interface Party {
  account: Account
  keys: MemoryKeyStore
  privateKeys: MemoryPrivateKeyStore
  dids: MemoryDIDStore
}

export const newParty = (name: string): Party => ({
  account: { id: randomUUID(), name, createdAt: '2026-01-01T00:00:00.000Z' },
  keys: new MemoryKeyStore(),
  privateKeys: new MemoryPrivateKeyStore(),
  dids: new MemoryDIDStore(),
})

/** A separate process, as far as database and ledger can tell. */
export interface Process {
  database: Database
  store: StatusListStore
  /** runs in the scope of a party's account */
  as: <T>(party: Party, work: (agent: FullAgent) => Promise<T>) => Promise<T>
  stop: () => Promise<void>
}

export interface ProcessOptions {
  /** in CHEQ, of the payer; `null`: the ledger has no payer */
  money?: number | null
  plugin?: Partial<StatusListPluginOptions>
  /** without it, the agent cannot pay */
  bankPlugin?: boolean
  secret?: string
  withStore?: boolean
}

export const newAddress = (): string => bech32.encode('cheqd', bech32.toWords(randomBytes(20)))

/** A database file with ledger and store in it, and a clock. */
export class Installation {
  readonly clock = { now: new Date() }
  readonly payer = newAddress()
  private readonly secret = randomBytes(32).toString('hex')
  private readonly processes: Process[] = []

  private constructor(readonly folder: string) {}

  static async open(): Promise<Installation> {
    return new Installation(await mkdtemp(join(tmpdir(), 'vidimus-status-list-')))
  }

  async close(): Promise<void> {
    for (const process of this.processes) await process.stop()
    await rm(this.folder, { recursive: true })
  }

  pass(ms: number): void {
    this.clock.now = new Date(this.clock.now.getTime() + ms)
  }

  async start(options: ProcessOptions = {}): Promise<Process> {
    const { money = 1000, plugin: pluginOptions, bankPlugin = true, withStore = true } = options
    const migrations = [ledgerMigrations, storeMigrations]
    const database = new Database({ url: null, dataDirectory: this.folder, migrations })
    await database.lifecycle.start()
    const clock = () => this.clock.now
    const bank =
      money === null
        ? {}
        : { payer: this.payer, balances: { [this.payer]: money }, maxFeesPerDayCheq: 1_000_000 }
    const ledgers = [new EmbeddedLedger({ network: 'testnet', database, now: clock, bank })]
    const envelope = new PrivateKeyEnvelope({ secret: options.secret ?? this.secret })
    const store = new StatusListStore({ database, envelope, clock })
    const types = [StatusList2021, BitstringStatusList]
    const plugin = new StatusListPlugin({ types, ...(withStore && { store }), ...pluginOptions }, clock)
    const agents = new Map<Party, FullAgent>()
    const agentOf = (party: Party) => {
      const agent = agents.get(party) ?? agentFor(party, ledgers, plugin, bankPlugin)
      agents.set(party, agent)
      return agent
    }
    const process: Process = {
      database,
      store,
      as: (party, work) => runInAccountScope(party.account, () => work(agentOf(party))),
      stop: () => database.lifecycle.stop(),
    }
    this.processes.push(process)
    return process
  }
}

function agentFor(
  { keys, privateKeys, dids }: Party,
  ledgers: EmbeddedLedger[],
  plugin: StatusListPlugin,
  bankPlugin: boolean,
): FullAgent {
  return createAgent<FullAgent>({
    schemaValidation: false,
    plugins: [
      new KeyManager({ store: keys, kms: { local: new KeyManagementSystem(privateKeys) } }),
      new DIDManager({
        store: dids,
        defaultProvider: 'did:cheqd',
        providers: { 'did:cheqd': new CheqdDIDProvider({ ledgers, defaultKms: 'local' }) },
      }),
      new DIDResolverPlugin(getCheqdDidResolver({ ledgers })),
      new CheqdLedgerPlugin({ ledgers }),
      ...(bankPlugin ? [new LedgerBankPlugin({ ledgers })] : []),
      didHolding(),
      new DIDJwtPlugin(),
      plugin,
    ],
  })
}
