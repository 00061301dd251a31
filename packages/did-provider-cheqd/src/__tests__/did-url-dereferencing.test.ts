import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import type { DidUrlResult, IDidUrlDereferencing, LinkedResourceMetadata } from '@vidimus/core-types'
import { LedgerError } from '@vidimus/ledger'
import type { TAgent } from '@veramo/core-types'
import { openTestBed, type TestAgent, type TestBed } from './agent-on-ledger.js'
import { refused } from './assertions.js'

const TYPE = 'BitstringStatusListCredential'

describe('didUrlDereference', () => {
  let bed: TestBed
  let agent: TestAgent & TAgent<IDidUrlDereferencing>
  let did: string

  beforeEach(async () => {
    bed = await openTestBed()
    agent = bed.agentWith() as typeof agent
    did = (await agent.didManagerCreate({ options: { network: 'testnet' } })).did
    bed.watched.calls.length = 0
  })
  afterEach(() => bed.close())

  /** The calls of the ledger; a cached response is not a call. */
  const looks = () => bed.watched.calls.filter((call) => call !== 'remember')
  const at = (time: string) => (bed.clock.now = new Date(time))
  const publish = (resourceName: string, text: string, more: object = {}) =>
    agent.linkedResourceCreate({
      did,
      resourceName,
      resourceType: TYPE,
      data: Buffer.from(text).toString('base64url'),
      ...more,
    })
  const read = (rest: string, options = {}) => agent.didUrlDereference({ didUrl: did + rest, ...options })
  const found = async <Kind extends DidUrlResult['found']>(kind: Kind, rest: string, options = {}) => {
    const result = await read(rest, options)
    assert.equal(result.found, kind, JSON.stringify(result))
    return result as Extract<DidUrlResult, { found: Kind }>
  }
  const resource = async (query: string): Promise<string> =>
    (await found('resource', query)).metadata.resourceId
  const nothing = async (error: string, rest: string, says = /./) => {
    const result = await found('nothing', rest)
    assert.equal(result.error, error, JSON.stringify(result))
    assert.match(result.message, says)
  }
  const update = async (alsoKnownAs: string): Promise<string> => {
    const { didDocument } = await agent.resolveDid({ didUrl: did })
    await agent.didManagerUpdate({ did, document: { ...didDocument, alsoKnownAs: [alsoKnownAs] } })
    return (await agent.resolveDid({ didUrl: did })).didDocumentMetadata.versionId ?? ''
  }

  describe('of documents', () => {
    it('returns the document with all resources of the DID, or without', async () => {
      const metadata = await publish('list', 'a')
      const { didDocument, didDocumentMetadata } = await found('document', '')
      const resolved = await agent.resolveDid({ didUrl: did })
      assert.deepEqual(didDocument, resolved.didDocument)
      assert.deepEqual(didDocumentMetadata, resolved.didDocumentMetadata)
      assert.deepEqual(didDocumentMetadata.linkedResourceMetadata, [metadata])
      bed.watched.calls.length = 0
      const bare = await found('document', '', { linkedResourceMetadata: false })
      assert.ok(!('linkedResourceMetadata' in bare.didDocumentMetadata))
      assert.deepEqual(looks(), ['getDidDoc'])
    })

    it('ignores the case of a UUID', async () => {
      const { didDocument } = (await agent.didUrlDereference({
        didUrl: did.replace(/[^:]+$/, (id) => id.toUpperCase()),
      })) as Extract<DidUrlResult, { found: 'document' }>
      assert.equal(didDocument.id, did)
    })

    it('finds versions by id and by time, with the resources of that time', async () => {
      const first = (await agent.resolveDid({ didUrl: did })).didDocumentMetadata.versionId ?? ''
      const early = await publish('early', 'a')
      at('2026-02-01T00:00:00.700Z')
      const second = await update('https://example.com')
      await publish('late', 'b')
      for (const rest of [
        `?versionId=${first}`,
        `/version/${first}`,
        '?versionTime=2026-01-31T23:59:59Z',
        '?versionTime=Thu, 01 Jan 2026 00:00:00 GMT',
      ]) {
        const { didDocument, didDocumentMetadata } = await found('document', rest)
        assert.equal(didDocument.alsoKnownAs, undefined)
        assert.equal(didDocumentMetadata.versionId, first)
        assert.equal(didDocumentMetadata.nextVersionId, second)
        assert.deepEqual(didDocumentMetadata.linkedResourceMetadata, [early], rest)
      }
      for (const rest of ['', `?versionId=${second}`, '?versionTime=2026-02-01T00:00:00Z']) {
        const { didDocumentMetadata } = await found('document', rest)
        assert.equal(didDocumentMetadata.versionId, second, rest)
        assert.equal((didDocumentMetadata.linkedResourceMetadata as unknown[]).length, 2)
      }
      const metadata = await found('documentMetadata', `/version/${first}/metadata`)
      assert.deepEqual(Object.keys(metadata.didDocumentMetadata), [
        'created',
        'versionId',
        'nextVersionId',
        'linkedResourceMetadata',
      ])
      assert.deepEqual(await found('documentMetadata', `?metadata=true&versionId=${first}`), metadata)
      const { versions } = await found('documentVersions', '/versions')
      assert.deepEqual(
        versions.map(({ versionId }) => versionId),
        [first, second],
      )
      await nothing('notFound', '?versionTime=2025-12-31T23:59:59Z')
      await nothing('notFound', `?versionId=${randomUUID()}`)
      await nothing('notFound', `?versionId=${first}&versionTime=2025-01-01`)
    })

    it('finds verification methods and services by their full fragment', async () => {
      const service = { id: `${did}#web`, type: 'LinkedDomains', serviceEndpoint: ['https://example.com'] }
      await agent.didManagerAddService({ did, service })
      const { part, didDocumentMetadata } = await found('documentPart', '#key-1')
      assert.equal(part.id, `${did}#key-1`)
      assert.equal(part.type, 'Ed25519VerificationKey2020')
      assert.ok(!('linkedResourceMetadata' in didDocumentMetadata))
      assert.equal((await found('documentPart', '#web')).part.type, 'LinkedDomains')
      for (const fragment of ['key', 'key-', 'ey-1', 'key-11', 'toString']) {
        await nothing('notFound', `#${fragment}`)
      }
    })

    it('redirects to services, and never to another host', async () => {
      const serviceEndpoint = ['https://example.com/base', 'https://other.example.com']
      await agent.didManagerAddService({
        did,
        service: { id: `${did}#web`, type: 'LinkedDomains', serviceEndpoint },
      })
      await agent.didManagerAddService({
        did,
        service: { id: `${did}#bare`, type: 'LinkedDomains', serviceEndpoint: ['https://example.com'] },
      })
      assert.equal((await found('serviceEndpoint', '?service=web')).uri, 'https://example.com/base')
      assert.equal(
        (await found('serviceEndpoint', '?service=web&relativeRef=%2Fa%3Fb%3Dc%23d')).uri,
        'https://example.com/base/a?b=c#d',
      )
      for (const reference of ['.evil.example', '@evil.example', ':80@evil.example/', '8.example']) {
        const rest = `?service=bare&relativeRef=${encodeURIComponent(reference)}`
        await nothing('invalidDidUrl', rest, /leaves the service/)
      }
      await nothing('notFound', '?service=we')
      await nothing('notFound', '?service=key-1')
    })

    it('converts keys to another type that can represent them', async () => {
      const keyOf = async (type: string) => {
        const { didDocument } = await found('document', `?transformKeys=${type}`)
        const method = didDocument.verificationMethod?.[0]
        assert.equal(method?.type, type)
        assert.equal(method?.id, `${did}#key-1`)
        assert.ok([didDocument['@context']].flat().some((context) => context?.includes(contexts[type] ?? '')))
        return method
      }
      const contexts: Record<string, string> = {
        JsonWebKey2020: 'jws-2020',
        Ed25519VerificationKey2018: 'ed25519-2018',
        Ed25519VerificationKey2020: 'ed25519-2020',
      }
      const jwk = (await keyOf('JsonWebKey2020'))?.publicKeyJwk
      const [key] = (await agent.didManagerGet({ did })).keys
      assert.equal(Buffer.from(jwk?.x ?? '', 'base64url').toString('hex'), key?.publicKeyHex)
      assert.match((await keyOf('Ed25519VerificationKey2018'))?.publicKeyBase58 ?? '', /^[1-9A-Za-z]{43,44}$/)
      assert.match((await keyOf('Ed25519VerificationKey2020'))?.publicKeyMultibase ?? '', /^z6Mk/)
      const { publicKeyHex } = await agent.keyManagerCreate({ kms: 'local', type: 'Secp256r1' })
      const p256 = await agent.didManagerCreate({
        options: { network: 'testnet', publicKeyHex, verificationMethodType: 'JsonWebKey2020' },
      })
      const refusal = await agent.didUrlDereference({
        didUrl: `${p256.did}?transformKeys=Ed25519VerificationKey2020`,
      })
      assert.equal(refusal.found === 'nothing' && refusal.error, 'representationNotSupported')
    })
  })

  describe('of resources', () => {
    let versions: LinkedResourceMetadata[]
    beforeEach(async () => {
      versions = []
      for (const day of ['01', '02', '03']) {
        at(`2026-03-${day}T12:00:00.400Z`)
        versions.push(await publish('list', `v${day}`, { resourceVersion: day }))
      }
      bed.watched.calls.length = 0
    })
    const id = (n: number) => versions[n]?.resourceId ?? ''
    const list = `?resourceName=list&resourceType=${TYPE}`

    it('finds the newest version of a name and type with one ledger query', async () => {
      const result = await found('resource', list)
      assert.deepEqual(result.metadata, versions[2])
      assert.equal(result.pinned, false)
      assert.deepEqual(looks(), ['getLatestResourceMetadata'])
    })

    it('finds a version by its id, permanently', async () => {
      for (const rest of [`/resources/${id(0)}`, `?resourceId=${id(0).toUpperCase()}`]) {
        const { metadata, pinned } = await found('resource', rest)
        assert.deepEqual(metadata, { ...versions[0], nextVersionId: id(1) })
        assert.deepEqual(Object.keys(metadata), Object.keys(versions[0] ?? {}))
        assert.equal(pinned, true)
      }
      assert.deepEqual(looks(), ['getResourceMetadata', 'getResourceMetadata'])
      const { metadata } = await found('resourceMetadata', `/resources/${id(0)}/metadata`)
      assert.equal(metadata.nextVersionId, id(1))
      await nothing('notFound', `/resources/${randomUUID()}`)
    })

    it('finds the newest version at a time, from the first moment of its second', async () => {
      for (const [time, n] of [
        ['2026-03-01T12:00:00Z', 0],
        ['2026-03-02T11:59:59.999Z', 0],
        ['2026-03-02T12:00:00Z', 1],
        ['2026-03-02T13:00:00+01:00', 1],
        ['2026-03-03', 1],
        ['2026-03-03T12:00:00.1Z', 2],
        ['9999-12-31', 2],
      ] as const) {
        assert.equal(await resource(`${list}&resourceVersionTime=${time}`), id(n), time)
        assert.equal(await resource(`${list}&timestamp=${time}`), id(n), time)
      }
      assert.equal(await resource(`${list}&time=${Date.parse('2026-03-02T12:00:00Z') / 1000}`), id(1))
      await nothing('notFound', `${list}&resourceVersionTime=2026-03-01T11:59:59Z`)
      assert.ok(!bed.watched.calls.includes('listResources'), 'looks at all versions')
    })

    it('finds a version by its version label and by its checksum', async () => {
      assert.equal(await resource(`${list}&resourceVersion=02`), id(1))
      assert.equal(await resource(`?resourceName=list&resourceVersion=02`), id(1))
      const checksum = createHash('sha256').update('v01').digest('hex')
      assert.equal(await resource(`?checksum=${checksum}`), id(0))
      assert.equal(await resource(`${list}&checksum=${checksum}`), id(0))
      await nothing('notFound', `${list}&resourceVersion=04`)
      await nothing('notFound', `${list}&resourceVersion=02&checksum=${checksum}`)
      await nothing('notFound', `?checksum=${'0'.repeat(64)}`)
      const again = await publish('list', 'v01')
      assert.equal(await resource(`?checksum=${checksum}`), again.resourceId)
      assert.ok(!bed.watched.calls.includes('listResources'), 'looks at all versions')
    })

    it('requires an unambiguous resource', async () => {
      assert.equal(await resource('?resourceName=list'), id(2))
      assert.equal(await resource(`?resourceType=${TYPE}`), id(2))
      await publish('other', 'x')
      await nothing('invalidDidUrl', `?resourceType=${TYPE}`, /several names/)
      assert.equal(await resource('?resourceName=list'), id(2))
      await publish('list', 'y', { resourceType: 'Other' })
      await nothing('notFound', '?resourceName=list', /several types/)
      assert.equal(await resource(list), id(2))
    })

    it('combines all parameters', async () => {
      const collection = did.split(':').at(-1) ?? ''
      assert.equal(await resource(`${list}&resourceCollectionId=${collection}`), id(2))
      await nothing('notFound', `${list}&resourceCollectionId=${randomUUID()}`)
      assert.equal(await resource(`?resourceId=${id(1)}&resourceName=list&resourceVersion=02`), id(1))
      await nothing('notFound', `?resourceId=${id(1)}&resourceName=other`)
      await nothing('notFound', `?resourceId=${id(1)}&resourceType=Other`)
      await nothing('notFound', `?resourceId=${id(1)}&resourceVersion=01`)
      await nothing('notFound', `?resourceId=${id(1)}&checksum=${'0'.repeat(64)}`)
      await nothing('notFound', `?resourceId=${id(1)}&resourceVersionTime=2026-03-01`)
      assert.equal(await resource(`${list}&resourceVersionTime=9999-12-31T23:59:59Z`), id(2))
    })

    it('finds resources as of a version of the document', async () => {
      const before = (await agent.resolveDid({ didUrl: did })).didDocumentMetadata.versionId ?? ''
      at('2026-03-04T00:00:00Z')
      const after = await update('https://example.com')
      const newest = await publish('list', 'v04')
      assert.equal(await resource(`${list}&versionId=${before}`), id(2))
      assert.equal(await resource(`${list}&versionTime=2026-03-03`), id(2))
      assert.equal(await resource(`${list}&versionId=${after}`), newest.resourceId)
      assert.equal(await resource(`${list}&versionId=${before}&resourceVersionTime=2026-03-02`), id(0))
      assert.equal(await resource(`?resourceId=${id(2)}&versionId=${before}`), id(2))
      await nothing('notFound', `?resourceId=${newest.resourceId}&versionId=${before}`)
    })

    it('reads resources of a deactivated DID', async () => {
      await agent.cheqdDeactivate({ did })
      assert.equal(await resource(list), id(2))
      assert.equal((await found('document', '')).didDocumentMetadata.deactivated, true)
    })

    it('does not find resources of another DID', async () => {
      const other = await agent.didManagerCreate({ options: { network: 'testnet' } })
      const result = await agent.didUrlDereference({ didUrl: `${other.did}/resources/${id(0)}` })
      assert.equal(result.found, 'nothing')
    })
  })

  describe('without a result', () => {
    const outcome = (didUrl: string) => agent.didUrlDereference({ didUrl })

    it('reports the reason', async () => {
      for (const [didUrl, error] of [
        [`did:cheqd:testnet:${randomUUID()}`, 'notFound'],
        [`did:cheqd:testnet:${randomUUID()}/versions`, 'notFound'],
        [`did:cheqd:testnet:${randomUUID()}?resourceName=a`, 'notFound'],
        [`did:cheqd:devnet:${randomUUID()}`, 'invalidDid'],
        [`did:cheqd:${randomUUID()}`, 'invalidDid'],
        ['did:cheqd:testnet:abc', 'invalidDid'],
        ['did:cheqd:testnet:', 'invalidDid'],
        [`did:cheqd:testnet:${'1'.repeat(1000)}`, 'invalidDid'],
        [`${did}#`, 'invalidDidUrl'],
        [`${did}#a#b`, 'invalidDidUrl'],
        [`${did}?resourceName=${'a'.repeat(5000)}`, 'invalidDidUrl'],
        ['did:unknown:a', 'methodNotSupported'],
        ['did:key', 'invalidDid'],
        ['did:key:a?resourceName=b', 'invalidDidUrl'],
        ['did:key:a/path', 'invalidDidUrl'],
        ['https://example.com', 'invalidDid'],
        ['', 'invalidDid'],
      ] as const) {
        const result = await outcome(didUrl)
        assert.equal(result.found === 'nothing' && result.error, error, didUrl.slice(0, 80))
      }
    })

    it('knows the new names of DIDs of the first ledger', async () => {
      for (const id of ['zHqbcXb3irKRCMst', 'zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz']) {
        const result = await outcome(`did:cheqd:testnet:${id}?resourceName=a`)
        assert.equal(result.found, 'renamed')
        const [present = '', query] = (result.found === 'renamed' ? result.didUrl : '').split('?')
        assert.equal(query, 'resourceName=a')
        assert.equal((await outcome(present)).found, 'nothing')
      }
    })

    it('does not mistake an unreachable ledger for a missing DID', async () => {
      bed.watched.failure = new LedgerError('no route', {
        codespace: 'vidimus',
        code: 9,
        phase: 'transport',
      })
      await refused(outcome(did), 'ledger_unavailable')
    })

    it('refuses malformed arguments', async () => {
      await refused(outcome(5 as never), 'invalid_input', 'didUrl')
      await refused(agent.didUrlDereference({ didUrl: did, other: 1 } as never), 'invalid_input', 'other')
    })
  })
})
