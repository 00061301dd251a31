import assert from 'node:assert/strict'
import { LedgerError } from '@vidimus/ledger'
import type { DIDResolutionResult } from '@veramo/core-types'
import { Resolver } from 'did-resolver'
import { getCheqdDidResolver } from '../index.js'
import { refused } from './assertions.js'
import { openTestBed, type TestAgent, type TestBed } from './agent-on-ledger.js'

const ID = '3fa85f64-5717-4562-b3fc-2c963f66afa6'

describe('getCheqdDidResolver', () => {
  let bed: TestBed
  let agent: TestAgent
  let did: string

  beforeEach(async () => {
    bed = await openTestBed()
    agent = bed.agentWith()
    did = (await agent.didManagerCreate({ options: { network: 'testnet' } })).did
  })
  afterEach(() => bed.close())

  const resolve = (didUrl: string, options = {}): Promise<DIDResolutionResult> =>
    agent.resolveDid({ didUrl, options })
  const failsWith = async (error: string, didUrl: string, options = {}) => {
    const result = await resolve(didUrl, options)
    assert.equal(result.didResolutionMetadata.error, error, didUrl)
    assert.equal(result.didDocument, null)
    assert.deepEqual(result.didDocumentMetadata, {})
  }
  const update = async (time: string, alsoKnownAs: string): Promise<string> => {
    bed.clock.now = new Date(time)
    const { didDocument } = await resolve(did)
    assert.ok(didDocument)
    await agent.didManagerUpdate({ did, document: { ...didDocument, alsoKnownAs: [alsoKnownAs] } })
    return (await resolve(did)).didDocumentMetadata.versionId ?? ''
  }

  it('returns document and metadata', async () => {
    const { didDocument, didDocumentMetadata, didResolutionMetadata } = await resolve(did)
    assert.equal(didDocument?.id, did)
    assert.deepEqual(didResolutionMetadata, { contentType: 'application/did+ld+json' })
    const { versionId } = didDocumentMetadata
    assert.deepEqual(didDocumentMetadata, { created: '2026-01-01T00:00:00Z', versionId })
  })

  it('resolves UUIDs in any case, and DID URLs with a fragment', async () => {
    const upper = did.replace(/[^:]+$/, (id) => id.toUpperCase())
    assert.equal((await resolve(upper)).didDocument?.id, did)
    assert.equal((await resolve(`${did}#key-1`)).didDocument?.id, did)
  })

  it('reports why a DID does not resolve', async () => {
    await failsWith('notFound', `did:cheqd:testnet:${ID}`)
    await failsWith('notFound', did.replace('testnet', 'mainnet'))
    await failsWith('invalidDid', `did:cheqd:devnet:${ID}`)
    await failsWith('invalidDid', `did:cheqd:${ID}`)
    await failsWith('invalidDid', 'did:cheqd:testnet:abc')
    await failsWith('representationNotSupported', did, { accept: 'image/png' })
    const resolver = new Resolver(getCheqdDidResolver({ ledgers: [bed.testnet] }))
    const { didResolutionMetadata } = await resolver.resolve(`did:cheqd:mainnet:${ID}`)
    assert.equal(didResolutionMetadata.error, 'unsupportedDidMethod')
  })

  it('does not mistake an unreachable ledger for a missing DID', async () => {
    bed.watched.failure = new LedgerError('no route', { codespace: 'vidimus', code: 9, phase: 'transport' })
    await refused(resolve(did), 'ledger_unavailable')
  })

  it('writes plain JSON without context', async () => {
    const { didDocument, didResolutionMetadata } = await resolve(did, {
      accept: 'application/did+json;q=1, */*',
    })
    assert.equal(didResolutionMetadata.contentType, 'application/did+json')
    assert.equal(didDocument?.['@context'], undefined)
    assert.equal(didDocument?.id, did)
  })

  it('finds versions by id and by time', async () => {
    const first = (await resolve(did)).didDocumentMetadata.versionId ?? ''
    const second = await update('2026-02-01T00:00:00.900Z', 'https://example.com/2')
    const third = await update('2026-03-01T12:00:00Z', 'https://example.com/3')
    const versionOf = async (query: string, options = {}) =>
      (await resolve(`${did}${query}`, options)).didDocumentMetadata.versionId
    assert.equal(await versionOf(''), third)
    assert.equal(await versionOf(`?versionId=${first}`), first)
    assert.equal(await versionOf(`?versionId=${second.toUpperCase()}`), second)
    assert.equal(await versionOf('', { versionId: second }), second)
    assert.equal(await versionOf('?versionTime=2026-01-31T23:59:59Z'), first)
    assert.equal(await versionOf('?versionTime=2026-02-01T00:00:00Z'), second)
    assert.equal(await versionOf('?versionTime=2026-03-01'), second)
    assert.equal(await versionOf('?versionTime=2026-03-01T13:00:00%2B01:00'), third)
    assert.equal(await versionOf('?versionTime=2026-03-01T13:00:00+01:00'), third)
    assert.equal(await versionOf('', { versionTime: '2026-02-15T00:00:00Z' }), second)
    assert.equal(await versionOf('?versionTime=9999-12-31T23:59:59Z'), third)
    assert.equal(await versionOf(`?versionId=${first.toUpperCase()}&versionTime=2026-12-01`), first)
    const { didDocument, didDocumentMetadata } = await resolve(`${did}?versionId=${second}`)
    assert.deepEqual(didDocument?.alsoKnownAs, ['https://example.com/2'])
    assert.deepEqual(didDocumentMetadata, {
      created: '2026-01-01T00:00:00Z',
      updated: '2026-02-01T00:00:00Z',
      versionId: second,
      nextVersionId: third,
      previousVersionId: first,
    })
    await failsWith('notFound', `${did}?versionTime=2025-12-31T23:59:59Z`)
    await failsWith('notFound', `${did}?versionId=${ID}`)
    await failsWith('notFound', `${did}?versionId=${third}&versionTime=2026-02-15`)
  })

  it('refuses malformed versions', async () => {
    for (const query of [
      'versionId=1',
      'versionId=',
      `versionId=${ID}&versionId=${ID}`,
      'versionTime=yesterday',
    ]) {
      await failsWith('invalidDidUrl', `${did}?${query}`)
    }
    await failsWith('invalidDidUrl', did, { versionId: 1 })
    await failsWith('invalidDidUrl', `${did}?versionTime=2026-02-30`)
  })

  it('still resolves a deactivated DID, marked as such', async () => {
    const result = await agent.cheqdDeactivate({ did })
    assert.equal(result.didDocumentMetadata.deactivated, true)
    assert.deepEqual(await resolve(did), result)
  })

  it('lists the resources of the DID by default', async () => {
    const name = { did, resourceName: 'list', resourceType: 'Test' }
    await agent.linkedResourceCreate({ ...name, data: 'e30', resourceVersion: '1' })
    const second = await agent.linkedResourceCreate({ ...name, data: 'W10', resourceVersion: '2' })
    const { linkedResourceMetadata } = (await resolve(did)).didDocumentMetadata
    assert.deepEqual(linkedResourceMetadata, [second])
    bed.watched.calls.length = 0
    const { didDocumentMetadata } = await resolve(did, { linkedResourceMetadata: false })
    assert.equal('linkedResourceMetadata' in didDocumentMetadata, false)
    assert.deepEqual(bed.watched.calls, ['getDidDoc'])
  })
})
