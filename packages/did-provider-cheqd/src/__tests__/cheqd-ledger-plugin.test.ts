import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { AgentError, BOUNDS, type LinkedResourceCreateArgs } from '@vidimus/core-types'
import { EmbeddedLedger } from '@vidimus/ledger-local'
import type { IAgentPlugin } from '@veramo/core-types'
import { CheqdLedgerPlugin } from '../index.js'
import { refused } from './assertions.js'
import { didHolding } from '../../../custody/src/did-holding.js'
import { openTestBed, type TestAgent, type TestBed } from './agent-on-ledger.js'

const ID = '3fa85f64-5717-4562-b3fc-2c963f66afa6'
const ED25519 = { kms: 'local', type: 'Ed25519' } as const
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('CheqdLedgerPlugin', () => {
  let bed: TestBed
  let agent: TestAgent
  let did: string

  beforeEach(async () => {
    bed = await openTestBed()
    agent = bed.agentWith()
    did = (await agent.didManagerCreate({ options: { network: 'testnet' } })).did
  })
  afterEach(() => bed.close())

  const name = () => ({ did, resourceName: 'list', resourceType: 'StatusList2021Revocation' })
  const publish = (args: Partial<LinkedResourceCreateArgs> = {}) =>
    agent.linkedResourceCreate({ ...name(), data: 'e30', ...args })

  it('names invalid options', () => {
    assert.throws(() => new CheqdLedgerPlugin({ ledgers: [] }), { code: 'invalid_configuration' })
    assert.throws(() => new CheqdLedgerPlugin(undefined as never), { code: 'invalid_configuration' })
  })

  it('lists its networks', async () => {
    assert.deepEqual(await agent.cheqdNetworks(), [
      { network: 'testnet', kind: 'embedded', local: true },
      { network: 'mainnet', kind: 'embedded', local: true },
    ])
  })

  describe('linkedResourceCreate', () => {
    it('publishes a resource and returns the metadata of the contract', async () => {
      const content = Buffer.from('{"StatusList2021":{}}')
      const metadata = await publish({
        data: content.toString('base64url'),
        resourceVersion: 'v1',
        alsoKnownAs: [{ uri: 'https://example.com/list', description: 'copy' }],
      })
      assert.match(metadata.resourceId, UUID)
      assert.deepEqual(metadata, {
        resourceURI: `${did}/resources/${metadata.resourceId}`,
        resourceCollectionId: did.split(':')[3],
        resourceId: metadata.resourceId,
        resourceName: 'list',
        resourceType: 'StatusList2021Revocation',
        mediaType: 'application/json',
        resourceVersion: 'v1',
        created: '2026-01-01T00:00:00Z',
        checksum: createHash('sha256').update(content).digest('hex'),
        previousVersionId: null,
        nextVersionId: null,
      })
      const latest = await agent.linkedResourceGetLatest(name())
      assert.deepEqual(latest, { metadata, data: content.toString('base64url') })
    })

    it('reads the account and the document once, and signs and submits once', async () => {
      const plugin: IAgentPlugin = new CheqdLedgerPlugin({ ledgers: [bed.testnet] })
      const calls: string[] = []
      const watching = new Proxy(agent, {
        get(target, method: string) {
          calls.push(method)
          return target[method]
        },
      })
      bed.watched.calls.length = 0
      await plugin.methods?.linkedResourceCreate?.({ ...name(), data: 'e30' }, { agent: watching })
      const methods = calls.filter((name) => name !== 'availableMethods' && name !== 'methods')
      assert.deepEqual(methods, ['didManagerGet', 'keyManagerSign'])
      assert.deepEqual(bed.watched.calls, ['getDidDoc', 'submit'])
    })

    it('preserves content of every size and value', async () => {
      for (const size of [1, 2, 3, 44_001]) {
        const data = randomBytes(size).toString('base64url')
        await publish({ data })
        assert.equal((await agent.linkedResourceGetLatest(name()))?.data, data)
      }
    })

    it('supports optimistic locking', async () => {
      const first = await publish({ expectedPrevious: null })
      await refused(publish({ expectedPrevious: null }), 'version_conflict')
      const second = await publish({ expectedPrevious: first.resourceId })
      assert.equal(second.previousVersionId, first.resourceId)
      await refused(publish({ expectedPrevious: first.resourceId }), 'version_conflict')
      const races = await Promise.allSettled(
        Array.from({ length: 8 }, () => publish({ expectedPrevious: second.resourceId })),
      )
      const reasons = races.flatMap((race) => (race.status === 'rejected' ? [race.reason as AgentError] : []))
      assert.equal(reasons.length, 7)
      assert.ok(reasons.every(({ code }) => code === 'version_conflict'))
      assert.equal((await agent.linkedResourceList({ did })).length, 3)
    })

    it('adds no version to a status list, except for the status list engine', async () => {
      const isList = { ttlMs: 1 }
      let answer: object | null = isList
      const plugin: IAgentPlugin = new CheqdLedgerPlugin({ ledgers: [bed.testnet] })
      const lists = {
        availableMethods: () => ['statusListTypes', 'statusListDelivery'],
        statusListTypes: () => Promise.resolve([{ resourceTypes: [name().resourceType] }]),
        statusListDelivery: () => Promise.resolve(answer),
      }
      const withLists = new Proxy(agent, {
        get: (target, method: string) => (lists as Record<string, unknown>)[method] ?? target[method],
      })
      const create = (args: LinkedResourceCreateArgs) =>
        plugin.methods?.linkedResourceCreate?.(args, { agent: withLists }) as Promise<{ resourceId: string }>
      const first = await create({ ...name(), data: 'e30' })
      await refused(create({ ...name(), data: 'e31' }), 'list_exists', 'resourceName')
      assert.equal((await agent.linkedResourceGetLatest(name()))?.metadata.resourceId, first.resourceId)
      await create({ ...name(), resourceType: 'another', data: 'e30' })
      await create({ ...name(), resourceType: 'another', data: 'e31' })
      answer = null
      await create({ ...name(), data: 'e32' })
    })

    it('publishes as a holding without reading its document again, which must still be the newest one', async () => {
      const holder = bed.agentWith({}, [didHolding()])
      const own = await holder.didManagerCreate({ options: { network: 'testnet' } })
      const { did: _did, ...named } = name()
      const holding = await holder.didHolding({ did: own.did, purpose: 'publish' })
      const version = { holding, ...named, data: 'e30' }
      bed.watched.calls.length = 0
      const first = await holder.linkedResourcePublish(version)
      assert.deepEqual(bed.watched.calls, ['submit'])
      await holder.didManagerAddKey({ did: own.did, key: await holder.keyManagerCreate(ED25519) })
      await refused(holder.linkedResourcePublish(version), 'version_conflict', 'did')
      const again = await holder.didHolding({ did: own.did, purpose: 'publish' })
      await holder.linkedResourcePublish({ ...version, holding: again, expectedPrevious: first.resourceId })
      const copy = JSON.parse(JSON.stringify(again)) as typeof again
      await refused(holder.linkedResourcePublish({ ...version, holding: copy }), 'invalid_input', 'holding')
      await refused(
        holder.linkedResourcePublish({ ...version, holding: again, data: '=' }),
        'invalid_input',
        'data',
      )
    })

    it('names every invalid argument', async () => {
      await refused(
        publish({
          did: 1 as never,
          data: 'e30=',
          resourceName: '',
          resourceType: 'ü'.repeat(33),
          resourceVersion: 'x'.repeat(65),
          alsoKnownAs: [{ uri: '', description: 'x'.repeat(129) }],
          expectedPrevious: 'none',
          encrypted: true,
        } as never),
        'invalid_input',
        'did',
        'resourceName',
        'resourceType',
        'data',
        'resourceVersion',
        'alsoKnownAs[0].uri',
        'alsoKnownAs[0].description',
        'expectedPrevious',
        'encrypted',
      )
      for (const data of ['', 'a', 'abcde', 'ab+/', 'a b'])
        await refused(publish({ data }), 'invalid_input', 'data')
      const uris = Array.from({ length: 101 }, (_, n) => ({ uri: `https://a.example/${n}`, description: '' }))
      await refused(publish({ alsoKnownAs: uris }), 'invalid_input', 'alsoKnownAs')
      const tooLong = Buffer.alloc(2_097_153).toString('base64url')
      await refused(publish({ data: tooLong }), 'invalid_input', 'data')
      await refused(publish({ did: 'did:key:z6Mk' }), 'invalid_input', 'did')
      await refused(
        agent.execute('linkedResourceCreate', undefined),
        'invalid_input',
        'did',
        'resourceName',
        'resourceType',
        'data',
      )
    })

    it('gives the same answer for unknown DIDs and those of other accounts', async () => {
      const stranger = await bed.agentWith().didManagerCreate({ options: { network: 'testnet' } })
      const messages = new Set<string>()
      for (const other of [stranger.did, `did:cheqd:testnet:${ID}`]) {
        messages.add((await refused(publish({ did: other }), 'did_not_found', 'did')).message)
        messages.add((await refused(agent.cheqdDeactivate({ did: other }), 'did_not_found', 'did')).message)
      }
      assert.equal(messages.size, 1)
    })

    it('passes on store failures', async () => {
      const failing = bed.agentWith({}, [
        { methods: { didManagerGet: () => Promise.reject(new Error('disk I/O error')) } },
      ])
      await assert.rejects(failing.linkedResourceCreate({ ...name(), data: 'e30' }), /disk I\/O error/)
      const scoped = bed.agentWith({}, [
        { methods: { didManagerGet: () => Promise.reject(new AgentError('no_account_scope', 'no scope')) } },
      ])
      await refused(scoped.linkedResourceCreate({ ...name(), data: 'e30' }), 'no_account_scope')
    })

    it('refuses a DID that its ledger has lost, and networks without a ledger', async () => {
      const { did: onMainnet } = await agent.didManagerCreate({ options: { network: 'mainnet' } })
      const plugin = new CheqdLedgerPlugin({ ledgers: [bed.testnet] })
      await refused(
        plugin.methods.linkedResourceGetLatest({ ...name(), did: onMainnet }),
        'did_not_resolvable',
        'did',
      )
      await agent.didManagerImport({ did: `did:cheqd:testnet:${ID}`, provider: 'did:cheqd', keys: [] })
      await refused(publish({ did: `did:cheqd:testnet:${ID}` }), 'did_not_found', 'did')
    })
  })

  describe('reading', () => {
    it('is open to everybody, and returns null for missing resources', async () => {
      const metadata = await publish()
      const other = bed.agentWith()
      const expected = { metadata, data: 'e30' }
      const { resourceId } = metadata
      assert.deepEqual(await other.linkedResourceGetLatest(name()), expected)
      assert.deepEqual(await other.linkedResourceGetLatestMetadata(name()), metadata)
      assert.deepEqual(await other.linkedResourceGet({ did, resourceId: resourceId.toUpperCase() }), expected)
      assert.deepEqual(await other.linkedResourceList({ did }), [metadata])
      const absent = { ...name(), resourceName: 'other' }
      assert.equal(await other.linkedResourceGetLatest(absent), null)
      assert.equal(await other.linkedResourceGetLatestMetadata(absent), null)
      assert.equal(await other.linkedResourceGet({ did, resourceId: ID }), null)
      assert.deepEqual(await other.linkedResourceList({ did: `did:cheqd:testnet:${ID}` }), [])
    })

    it('finds the newest versions of a name among several types, and the version of the document', async () => {
      const metadata = await publish()
      const newest = await publish({ data: 'W10' })
      assert.equal(newest.previousVersionId, metadata.resourceId)
      const found = (documentVersion?: boolean) => {
        const { resourceName, resourceType } = name()
        const resourceTypes = ['Other', resourceType, resourceType]
        const asked = { did, resourceName, resourceTypes, ...(documentVersion && { documentVersion }) }
        return bed.agentWith().linkedResourceFindLatest(asked)
      }
      assert.deepEqual(await found(), { resources: [newest], documentVersion: null })
      const { versionId } = (await agent.resolveDid({ didUrl: did })).didDocumentMetadata
      assert.deepEqual(await found(true), { resources: [newest], documentVersion: versionId })
      const next = await publish({ data: 'e30' })
      assert.deepEqual((await found(true)).resources, [next])
      await agent.cheqdDeactivate({ did })
      assert.deepEqual(await found(true), { resources: [next], documentVersion: null })
      const tooMany = Array.from({ length: BOUNDS.resourceTypes + 1 }, (_, n) => `T${n}`)
      await refused(
        agent.linkedResourceFindLatest({ did, resourceName: 'x', resourceTypes: tooMany }),
        'invalid_input',
        'resourceTypes',
      )
    })

    it('lists old versions, oldest first, and the newest of a name', async () => {
      const first = await publish({ data: 'e30' })
      const second = await publish({ data: 'W10' })
      const { resourceId } = first
      assert.equal((await agent.linkedResourceGet({ did, resourceId }))?.data, 'e30')
      assert.equal((await agent.linkedResourceGetLatest(name()))?.data, 'W10')
      const list = await agent.linkedResourceList({ did })
      assert.deepEqual(
        list.map((metadata) => metadata.resourceId),
        [resourceId, second.resourceId],
      )
      assert.equal(list[0]?.nextVersionId, second.resourceId)
    })

    it('refuses malformed arguments', async () => {
      await refused(agent.linkedResourceList({ did: 'nonsense' }), 'invalid_input', 'did')
      await refused(agent.execute('linkedResourceGet', { did }), 'invalid_input', 'resourceId')
      await refused(agent.execute('linkedResourceGetLatest', []), 'invalid_input', '')
    })
  })

  describe('cheqdDeactivate', () => {
    it('deactivates the DID permanently', async () => {
      const { didDocument, didDocumentMetadata } = await agent.cheqdDeactivate({ did })
      assert.equal(didDocument?.id, did)
      assert.equal(didDocumentMetadata.deactivated, true)
      assert.match(didDocumentMetadata.versionId ?? '', UUID)
      await refused(publish(), 'did_deactivated', 'did')
      await refused(agent.cheqdDeactivate({ did }), 'did_deactivated', 'did')
    })

    it('requires a key of the DID', async () => {
      const other = bed.agentWith()
      await other.didManagerImport({ did, provider: 'did:cheqd', keys: [] })
      await refused(other.cheqdDeactivate({ did }), 'key_not_found')
      assert.equal((await agent.resolveDid({ didUrl: did })).didDocumentMetadata.deactivated, undefined)
    })
  })

  it('continues with what another process stored in the database', async () => {
    const metadata = await publish()
    const reopened = new EmbeddedLedger({ network: 'testnet', database: bed.database })
    const { methods } = new CheqdLedgerPlugin({ ledgers: [reopened] })
    assert.deepEqual(await methods.linkedResourceGetLatestMetadata(name()), metadata)
  })
})
