import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { IDIDHolding, ILinkedResource } from '@vidimus/core-types'
import { Database } from '@vidimus/database'
import type { Ledger, LedgerMessage } from '@vidimus/ledger'
import { EmbeddedLedger, migrations } from '@vidimus/ledger-local'
import { Agent } from '@veramo/core'
import type { IAgentPlugin, IDIDManager, IKeyManager, IResolver, TAgent } from '@veramo/core-types'
import { DIDManager, MemoryDIDStore } from '@veramo/did-manager'
import { DIDResolverPlugin } from '@veramo/did-resolver'
import { KeyManager, MemoryKeyStore, MemoryPrivateKeyStore } from '@veramo/key-manager'
import { KeyManagementSystem } from '@veramo/kms-local'
import {
  CheqdDIDProvider,
  CheqdLedgerPlugin,
  getCheqdDidResolver,
  type CheqdDIDProviderOptions,
  type ICheqdLedger,
} from '../index.js'

export type TestAgent = TAgent<
  IDIDManager & IKeyManager & IResolver & IDIDHolding & ILinkedResource & ICheqdLedger
>

/** A ledger that records its calls and may fail. */
export class WatchedLedger {
  readonly submitted: LedgerMessage[] = []
  readonly calls: string[] = []
  failure: Error | undefined

  watch(ledger: Ledger): Ledger {
    const remember = (name: string) => this.calls.push(name)
    return new Proxy(ledger, {
      get: (target, name: keyof Ledger) => {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== 'function') return member
        return async (...args: unknown[]) => {
          remember(name)
          if (name === 'submit') this.submitted.push(args[0] as LedgerMessage)
          if (this.failure) throw this.failure
          return (member as (...values: unknown[]) => unknown).apply(target, args)
        }
      },
    })
  }

  get last(): LedgerMessage {
    const message = this.submitted.at(-1)
    if (!message) throw new Error('nothing was submitted')
    return message
  }
}

export interface TestBed {
  database: Database
  testnet: Ledger
  mainnet: Ledger
  watched: WatchedLedger
  clock: { now: Date }
  /** calls of agent methods by this agent, in their order */
  agentWith(options?: Partial<CheqdDIDProviderOptions>, plugins?: IAgentPlugin[]): TestAgent
  close(): Promise<void>
}

/** Both networks embedded in a database file of their own. */
export async function openTestBed(): Promise<TestBed> {
  const directory = await mkdtemp(join(tmpdir(), 'did-provider-cheqd-'))
  const database = new Database({
    url: `sqlite:${join(directory, 'agent.sqlite')}`,
    migrations: [migrations],
  })
  await database.lifecycle.start()
  const clock = { now: new Date('2026-01-01T00:00:00.500Z') }
  const watched = new WatchedLedger()
  const now = () => clock.now
  const testnet = watched.watch(new EmbeddedLedger({ network: 'testnet', database, now }))
  const mainnet = watched.watch(new EmbeddedLedger({ network: 'mainnet', database, now }))
  return {
    database,
    testnet,
    mainnet,
    watched,
    clock,
    agentWith: (options = {}, plugins = []) =>
      createAgent({ ledgers: [testnet, mainnet], defaultKms: 'local', ...options }, plugins),
    close: async () => {
      await database.lifecycle.stop()
      await rm(directory, { recursive: true })
    },
  }
}

function createAgent(options: CheqdDIDProviderOptions, plugins: IAgentPlugin[]): TestAgent {
  const { ledgers } = options
  return new Agent({
    plugins: [
      new KeyManager({
        store: new MemoryKeyStore(),
        kms: { local: new KeyManagementSystem(new MemoryPrivateKeyStore()) },
      }),
      new DIDManager({
        store: new MemoryDIDStore(),
        defaultProvider: 'did:cheqd',
        providers: { 'did:cheqd': new CheqdDIDProvider(options) },
      }),
      new DIDResolverPlugin(getCheqdDidResolver({ ledgers })),
      new CheqdLedgerPlugin({ ledgers }),
      ...plugins,
    ],
  }) as unknown as TestAgent
}
