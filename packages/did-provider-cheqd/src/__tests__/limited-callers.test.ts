import assert from 'node:assert/strict'
import {
  runInAccountScope,
  type ApiKeyGrant,
  type AuditEntry,
  type AuditTrail,
  type ILedgerBank,
} from '@vidimus/core-types'
import { EmbeddedLedger } from '@vidimus/ledger-local'
import type { IAgentContext } from '@veramo/core-types'
import { CheqdLedgerPlugin, LedgerBankPlugin } from '../index.js'
import { openTestBed, type TestAgent, type TestBed } from './agent-on-ledger.js'

const PAYER = 'cheqd1x6weed6d4nchwax2ajnhu0cqqr9kd5z399vxq2'
const TO = 'cheqd1qs0nhyk868c246defezhz5eymlt0dmajna2csg'
const account = { id: 'a', name: 'a', createdAt: '2026-01-01T00:00:00.000Z' }
const as = <T>(grant: Omit<ApiKeyGrant, 'id'>, work: () => Promise<T>) =>
  runInAccountScope({ ...account, grant: { id: 'k', ...grant } }, work)

const forbidden = { code: 'forbidden', message: /network mainnet/ }

/** Records what it is given. */
class Notebook implements AuditTrail {
  readonly entries: AuditEntry[] = []

  async record(entry: AuditEntry): Promise<void> {
    this.entries.push(entry)
  }

  recordFirst(entry: AuditEntry): Promise<void> {
    return this.record(entry)
  }

  count(entry: AuditEntry): void {
    this.entries.push(entry)
  }
}

describe('callers of ledgers', () => {
  let bed: TestBed
  let agent: TestAgent
  beforeEach(async () => {
    bed = await openTestBed()
    agent = bed.agentWith()
  })
  afterEach(() => bed.close())

  describe('with an API key for testnet', () => {
    const limited = <T>(work: () => Promise<T>) => as({ networks: ['testnet'] }, work)

    it('write nothing on mainnet, whatever the method', async () => {
      const { did } = await agent.didManagerCreate({ options: { network: 'mainnet' } })
      const written = bed.watched.submitted.length
      const service = { id: 'a', type: 'LinkedDomains', serviceEndpoint: 'https://example.com' }
      const attempts: (() => Promise<unknown>)[] = [
        () => agent.didManagerCreate({ options: { network: 'mainnet' } }),
        () => agent.didManagerAddService({ did, service }),
        () => agent.linkedResourceCreate({ did, data: 'e30', resourceName: 'a', resourceType: 'b' }),
        () => agent.cheqdDeactivate({ did }),
      ]
      for (const attempt of attempts) await assert.rejects(limited(attempt), forbidden, attempt.toString())
      assert.equal(bed.watched.submitted.length, written)
    })

    it('write on testnet, and read everywhere', async () => {
      const { did } = await agent.didManagerCreate({ options: { network: 'mainnet' } })
      await limited(() => agent.didManagerCreate({ options: { network: 'testnet' } }))
      assert.ok((await limited(() => agent.resolveDid({ didUrl: did }))).didDocument)
      assert.deepEqual(await limited(() => agent.linkedResourceList({ did })), [])
    })
  })

  describe('audit trail of ledgers', () => {
    it('records each resource version and deactivation, but no refusals', async () => {
      const audit = new Notebook()
      const { methods } = new CheqdLedgerPlugin({ ledgers: [bed.testnet, bed.mainnet], audit })
      const context = { agent } as unknown as IAgentContext<never>
      type Create = (args: object, context: unknown) => Promise<{ resourceURI: string }>
      const create: Create = (args, of) => (methods.linkedResourceCreate as Create)(args, of)
      const { did } = await agent.didManagerCreate({ options: { network: 'testnet' } })
      const resource = { did, data: 'e30', resourceName: 'list\n', resourceType: 'b' }
      const { resourceURI } = await create(resource, context)
      const second = await create({ ...resource, data: 'e31' }, context)
      await assert.rejects(create({ ...resource, expectedPrevious: null }, context))
      await methods.cheqdDeactivate({ did }, context)
      await assert.rejects(methods.cheqdDeactivate({ did }, context))
      const detail = '{"resourceType":"b","resourceName":"list\\n"}'
      assert.deepEqual(audit.entries, [
        { event: 'resource-created', subject: resourceURI, detail },
        { event: 'resource-updated', subject: second.resourceURI, detail },
        { event: 'did-deactivated', subject: did },
      ])
    })

    it('must be writable', () => {
      for (const Plugin of [CheqdLedgerPlugin, LedgerBankPlugin]) {
        const options = { ledgers: [bed.testnet], audit: {} as AuditTrail }
        assert.throws(() => new Plugin(options), { code: 'invalid_configuration' })
      }
    })
  })

  describe('spending money of the payer', () => {
    let pay: (did: string) => Promise<{ txHash: string }>
    beforeEach(() => {
      const { database } = bed
      const bank = { payer: PAYER, balances: { [PAYER]: 20 } }
      const ledgers = (['testnet', 'mainnet'] as const).map(
        (network) => new EmbeddedLedger({ network, database, now: () => bed.clock.now, bank }),
      )
      const { ledgerTransfer } = new LedgerBankPlugin({ ledgers }).methods as Pick<
        ILedgerBank,
        'ledgerTransfer'
      >
      pay = (did) => ledgerTransfer({ did, to: TO, amount: '1ncheq', memo: 'm' })
    })
    const onTestnet = 'did:cheqd:testnet:3fa85f64-5717-4562-b3fc-2c963f66afa6'
    const onMainnet = onTestnet.replace('testnet', 'mainnet')

    it('requires the scope and the network if the API key is limited', async () => {
      await assert.rejects(
        as({ scopes: ['read', 'status-lists'] }, () => pay(onTestnet)),
        { code: 'forbidden', message: /scope: payments/ },
      )
      await assert.rejects(
        as({ networks: ['testnet'] }, () => pay(onMainnet)),
        forbidden,
      )
      await as({ scopes: ['payments'], networks: ['testnet'] }, () => pay(onTestnet))
      await as({}, () => pay(onMainnet))
    })
  })
})
