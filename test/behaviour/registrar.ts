import assert from 'node:assert/strict'
import { getUniversalResolverFor } from '@veramo/did-resolver'
import { Resolver } from 'did-resolver'
import type { Answer, Client } from '../support/client.js'
import { assertRefused, type Refusal } from '../support/refused.js'
import { isReplayed, repeatable } from './idempotency.js'
import { createDid, createList, type Setup } from './suite.js'

interface State {
  jobId: null
  didState: {
    state: string
    did?: string
    error?: string
    reason?: string
    secret?: unknown
    didDocument?: Record<string, unknown> & {
      verificationMethod?: { id: string; type: string }[]
      service?: { id: string; serviceEndpoint: unknown }[]
      authentication?: string[]
    }
  }
  didRegistrationMetadata: { provider?: string; controllerKeyId?: string; keys?: { kid: string }[] }
  didDocumentMetadata: { versionId?: string; deactivated?: boolean }
  cost?: object
}

const stateOf = ({ body }: Answer) => body as State
const IDENTIFIERS = '/1.0/identifiers/'

/** An entry of a DID document for an Ed25519 key, by its hex name. */
const methodOf = (did: string, fragment: string, kid: string) => ({
  id: `${did}#${fragment}`,
  type: 'JsonWebKey2020',
  controller: did,
  publicKeyJwk: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(kid, 'hex').toString('base64url') },
})

/** DID Registration in internal secret mode, and the resolution of its results. */
export function registrarSuite({ client, stranger, service }: Setup): void {
  const create = (json: unknown = {}, method?: string, by: Client = client()) =>
    by.post('/1.0/create', { json, ...(method !== undefined && { query: { method } }) })
  const created = async (network = 'testnet') => {
    const answer = await create({ options: { network } }, 'cheqd')
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    return stateOf(answer).didState.did ?? ''
  }
  const write = (path: string, json: unknown, by: Client = client()) => by.post(`/1.0/${path}`, { json })
  const written = async (path: string, json: unknown): Promise<State> => {
    const answer = await write(path, json)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    const state = stateOf(answer)
    assert.equal(state.didState.state, 'finished')
    assert.equal(state.jobId, null)
    return state
  }
  const change = (did: string, operation: string, didDocument: object) =>
    written('update', { did, didDocumentOperation: [operation], didDocument: [didDocument] })
  const newKey = async () =>
    ((await client().ok('POST', '/key/create', { query: { type: 'Ed25519' } })) as { kid: string }).kid
  const limited = async (json: object) =>
    client().as(((await client().ok('POST', '/account/api-keys', { json })) as { apiKey: string }).apiKey)
  const resolve = (did: string) => client().get(IDENTIFIERS + did, { apiKey: null })

  /** A refusal as all errors are, and as the specification has it. */
  const assertFailed = (answer: Answer, refusal: Refusal & { did?: string }) => {
    assertRefused(answer, refusal)
    const { jobId, didState, didRegistrationMetadata, didDocumentMetadata } = stateOf(answer)
    const { code, error } = answer.body as { code: string; error: string }
    assert.deepEqual(
      { jobId, didState, didRegistrationMetadata, didDocumentMetadata },
      {
        jobId: null,
        didState: {
          state: 'failed',
          ...(refusal.did !== undefined && { did: refusal.did }),
          error: code,
          reason: error,
        },
        didRegistrationMetadata: {},
        didDocumentMetadata: {},
      },
    )
  }

  describe('POST /1.0/create', () => {
    it('creates a DID of the account, with its document and without its private key', async () => {
      const answer = await create(
        { jobId: null, did: null, options: { network: 'testnet' }, secret: {}, didDocument: {} },
        'cheqd',
      )
      assert.equal(answer.status, 201)
      const { jobId, didState, didRegistrationMetadata, didDocumentMetadata } = stateOf(answer)
      const { did = '', didDocument } = didState
      assert.equal(jobId, null)
      assert.deepEqual(Object.keys(didState).sort(), ['did', 'didDocument', 'state'])
      assert.equal(didState.state, 'finished')
      assert.match(did, /^did:cheqd:testnet:/)
      const { didDocument: resolved } = (await resolve(did)).body as { didDocument: unknown }
      assert.deepEqual(didDocument, resolved)
      assert.ok(didDocumentMetadata.versionId)
      const { dids } = (await client().ok('GET', '/did/list', { query: { limit: '1000' } })) as {
        dids: string[]
      }
      assert.ok(dids.includes(did))
      const [key] = didRegistrationMetadata.keys ?? []
      assert.equal(didRegistrationMetadata.provider, 'did:cheqd')
      assert.equal(didRegistrationMetadata.controllerKeyId, key?.kid)
      assert.deepEqual(Object.keys(key ?? {}).sort(), ['kid', 'kms', 'publicKeyHex', 'type'])
      // it is one like those of POST /did/create
      await createList(client(), { did })
    })

    it('accepts what POST /did/create accepts', async () => {
      const key = await newKey()
      const { didState, didRegistrationMetadata } = stateOf(
        await create(
          {
            options: {
              network: 'mainnet',
              identifierFormatType: 'base58btc',
              verificationMethodType: 'JsonWebKey2020',
              key,
              storeSecrets: true,
              returnSecrets: false,
              clientSecretMode: false,
            },
            didDocument: {
              '@context': ['https://example.org/context/v1'],
              service: [{ idFragment: 'files', type: 'Files', serviceEndpoint: 'https://example.org' }],
            },
          },
          'did:cheqd',
        ),
      )
      const { did = '', didDocument } = didState
      assert.match(did, /^did:cheqd:mainnet:[1-9A-HJ-NP-Za-km-z]{21,22}$/)
      assert.equal(didDocument?.verificationMethod?.[0]?.type, 'JsonWebKey2020')
      assert.equal(didDocument?.service?.[0]?.id, `${did}#files`)
      assert.ok((didDocument?.['@context'] as string[]).includes('https://example.org/context/v1'))
      assert.equal(didRegistrationMetadata.controllerKeyId, key)
    })

    it('creates DIDs of every configured method', async () => {
      for (const [method, keyType] of [
        ['key', 'Ed25519'],
        ['key', 'Secp256k1'],
        ['key', 'Secp256r1'],
        ['jwk', 'Secp256r1'],
        ['did:jwk', 'Ed25519'],
      ] as const) {
        const answer = await create({ options: { keyType }, didDocument: {} }, method)
        const { didState } = stateOf(answer)
        assert.equal(answer.status, 201, JSON.stringify(answer.body))
        assert.match(didState.did ?? '', new RegExp(`^did:${method.replace('did:', '')}:`))
        assert.equal(didState.didDocument?.id, didState.did)
      }
      const host = `did:web:registrar-${Date.now()}.example`
      const { didState } = stateOf(await create({ did: host }))
      assert.deepEqual(didState, { state: 'finished', did: host })
    })

    it('creates a requested DID once', async () => {
      const did = `did:cheqd:testnet:${crypto.randomUUID()}`
      const answer = await create({ did })
      assert.equal(answer.status, 201, JSON.stringify(answer.body))
      assert.equal(stateOf(answer).didState.did, did)
      assertFailed(await create({ did }, 'cheqd'), { code: 'did_taken', did })
    })

    it('refuses modes other than internal secret mode, with all problems', async () => {
      const answer = await create(
        {
          jobId: 'x',
          options: {
            clientSecretMode: true,
            storeSecrets: false,
            returnSecrets: true,
            network: 'x',
            more: 1,
          },
          secret: { verificationMethod: [{ privateKeyHex: 'abcdef0123456789' }] },
        },
        'cheqd',
      )
      assertFailed(answer, { code: 'invalid_input', says: /internal secret mode/ })
      const { details } = answer.body as { details: { path: string }[] }
      assert.deepEqual(details.map(({ path }) => path).sort(), [
        'jobId',
        'options.clientSecretMode',
        'options.more',
        'options.network',
        'options.returnSecrets',
        'options.storeSecrets',
        'secret',
      ])
      assert.ok(!JSON.stringify(answer.body).includes('abcdef0123456789'))
    })

    for (const [what, method, json, refusal] of [
      ['no method', undefined, {}, { path: 'method' }],
      ['an unknown method', 'cheqt', {}, { code: 'unknown_provider', path: 'method', says: /mean \\"cheqd/ }],
      ['no network', 'cheqd', {}, { path: 'options.network' }],
      ['a network for did:key', 'key', { options: { network: 'testnet' } }, { path: 'options.network' }],
      ['a document for did:key', 'key', { didDocument: { alsoKnownAs: ['a:b'] } }, { path: 'didDocument' }],
      ['a caller-chosen key', 'key', { did: 'did:key:z6Mk' }, { path: 'did', did: 'did:key:z6Mk' }],
      [
        'another method',
        'key',
        { did: 'did:cheqd:testnet:a' },
        { path: 'method', did: 'did:cheqd:testnet:a' },
      ],
      [
        'a malformed DID',
        'cheqd',
        { did: 'did:cheqd:testnet:a' },
        { path: 'did', did: 'did:cheqd:testnet:a' },
      ],
      [
        'a key that nobody holds',
        'cheqd',
        { options: { network: 'testnet', key: 'ab'.repeat(32) } },
        { code: 'key_not_found', path: 'options.key' },
      ],
      [
        'custom verification methods',
        'cheqd',
        { options: { network: 'testnet' }, didDocument: { verificationMethod: [{ id: '#key-1' }] } },
        { path: 'didDocument.verificationMethod' },
      ],
      [
        'an unknown update operation',
        'cheqd',
        { didDocumentOperation: ['setDidDocument'] },
        { path: 'didDocumentOperation' },
      ],
    ] as const) {
      it(`refuses ${what}`, async () => assertFailed(await create(json, method), refusal))
    }

    it('refuses unauthenticated requests and unsupported operations in its own form', async () => {
      const did = `did:cheqd:testnet:${crypto.randomUUID()}`
      const nobody = client().as('vidimus_none')
      for (const path of ['create', 'update', 'deactivate']) {
        assertFailed(await write(path, { did }, nobody), { status: 401, code: 'unauthenticated' })
      }
      for (const path of ['execute', 'createResource', 'updateResource', 'deactivateResource']) {
        assertFailed(await write(path, { did }), { status: 404, code: 'unknown_path' })
      }
      assertFailed(await client().get('/1.0/create'), { status: 405, code: 'method_not_allowed' })
    })

    it('accepts the API key as URL password, the only credential a Universal Registrar sends', async () => {
      const { apiKey, url: base } = service()
      const url = new URL('/1.0/create?method=key', base)
      const ask = (credentials?: string, at = url) =>
        fetch(at, {
          method: 'POST',
          body: '{"options":{"keyType":"Ed25519"}}',
          headers: {
            'content-type': 'application/json; charset=UTF-8',
            ...(credentials && { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }),
          },
        })
      const challenged = await ask()
      assert.equal(challenged.status, 401)
      // Its HTTP client sends credentials only after this response.
      assert.match(challenged.headers.get('www-authenticate') ?? '', /Basic realm="vidimus"/)
      assert.equal((await ask(`registrar:${apiKey}`)).status, 201)
      for (const wrong of [`${apiKey}:`, `registrar:${apiKey}x`, apiKey, ':']) {
        assert.equal((await ask(wrong)).status, 401, wrong)
      }
      const elsewhere = await ask(`registrar:${apiKey}`, new URL('/key/create', url))
      assert.equal(elsewhere.status, 401)
      assert.doesNotMatch(elsewhere.headers.get('www-authenticate') ?? '', /Basic/)
    })

    it('accepts JSON only', async () => {
      assertFailed(await client().post('/1.0/create', { form: { a: 'b' } }), {
        status: 415,
        code: 'unsupported_media_type',
      })
    })

    it('creates one DID per idempotency key, and repeats refusals', async () => {
      const call = repeatable(client(), '/1.0/create', {
        query: { method: 'cheqd' },
        json: { options: { network: 'testnet' } },
      })
      const [first, second] = [await call(), await call()]
      assert.deepEqual([isReplayed(first), isReplayed(second)], [false, true])
      assert.deepEqual([first.status, second.status], [201, 201])
      assert.deepEqual(second.body, first.body)
      const did = `did:cheqd:testnet:${crypto.randomUUID()}`
      const refused = repeatable(client(), '/1.0/deactivate', { json: { did } })
      const refusals = [await refused(), await refused()]
      assert.deepEqual(refusals.map(isReplayed), [false, true])
      assert.deepEqual(refusals[1]?.body, refusals[0]?.body)
      assert.equal(stateOf(refusals[1]!).didState.did, did)
    })
  })

  describe('POST /1.0/update', () => {
    const files = { id: '#files', type: 'Files', serviceEndpoint: 'https://example.org/1' }

    it('adds to the document and removes from it', async () => {
      const did = await created()
      const added = await change(did, 'addToDidDocument', {
        service: [files],
        alsoKnownAs: ['https://a.test'],
      })
      assert.deepEqual(added.didState.didDocument?.service?.[0]?.id, `${did}#files`)
      assert.deepEqual(added.didState.didDocument?.alsoKnownAs, ['https://a.test'])
      const again = await change(did, 'addToDidDocument', { service: [{ ...files, id: `${did}#files` }] })
      const { cost: _paid, ...unpaid } = added
      assert.deepEqual(again, unpaid, 'nothing is written where nothing changes')
      const removed = await change(did, 'removeFromDidDocument', {
        service: [{ id: `${did}#files` }],
        alsoKnownAs: 'https://a.test',
      })
      assert.equal(removed.didState.didDocument?.service, undefined)
      assert.equal(removed.didState.didDocument?.alsoKnownAs, undefined)
      assert.notEqual(removed.didDocumentMetadata.versionId, added.didDocumentMetadata.versionId)
      assert.deepEqual(
        removed.didState.didDocument,
        ((await resolve(did)).body as { didDocument: unknown }).didDocument,
      )
    })

    it('applies several operations in order with a single write', async () => {
      const did = await created()
      const before = await change(did, 'addToDidDocument', { service: [files] })
      const after = await written('update', {
        did,
        didDocumentOperation: ['removeFromDidDocument', 'addToDidDocument'],
        didDocument: [
          { service: [{ id: '#files' }] },
          { service: [{ ...files, serviceEndpoint: 'https://example.org/2' }] },
        ],
      })
      assert.equal(after.didState.didDocument?.service?.[0]?.serviceEndpoint, 'https://example.org/2')
      const { previousVersionId } = after.didDocumentMetadata as { previousVersionId?: string }
      assert.equal(previousVersionId, before.didDocumentMetadata.versionId)
    })

    it('replaces the document by default', async () => {
      const did = await created()
      const { didDocument } = (await resolve(did)).body as { didDocument: Record<string, unknown> }
      const next = { ...didDocument, service: [{ ...files, id: `${did}#files` }] }
      const asOne = await written('update', { did, didDocument: next })
      assert.deepEqual(asOne.didState.didDocument, next)
      const asList = await written('update', {
        did,
        didDocumentOperation: ['setDidDocument'],
        didDocument: [didDocument],
        options: { network: 'testnet' },
      })
      assert.deepEqual(asList.didState.didDocument, didDocument)
    })

    it('rotates the key, which signs from then on', async () => {
      const did = await created()
      const kid = await newKey()
      const { didState, didRegistrationMetadata } = await written('update', {
        did,
        didDocumentOperation: ['removeFromDidDocument', 'addToDidDocument'],
        didDocument: [
          { verificationMethod: [{ id: '#key-1' }] },
          {
            verificationMethod: [methodOf(did, 'key-2', kid)],
            authentication: [`${did}#key-2`],
            assertionMethod: [`${did}#key-2`],
          },
        ],
      })
      const { didDocument } = didState
      assert.deepEqual(
        didDocument?.verificationMethod?.map(({ id }) => id),
        [`${did}#key-2`],
      )
      assert.deepEqual(didDocument?.authentication, [`${did}#key-2`])
      assert.deepEqual(
        didRegistrationMetadata.keys?.map((key) => key.kid),
        [kid],
      )
      await createList(client(), { did })
    })

    it('refuses missing members, conflicting ones and those the ledger cannot store', async () => {
      const did = await created()
      await change(did, 'addToDidDocument', { service: [files] })
      const before = (await resolve(did)).body as { didDocument: unknown }
      const answer = await write('update', {
        did,
        didDocumentOperation: ['removeFromDidDocument', 'addToDidDocument'],
        didDocument: [
          { id: 'did:cheqd:testnet:other', service: [{ id: '#none' }], alsoKnownAs: ['a:b'] },
          { service: [{ ...files, type: 'Other' }] },
        ],
      })
      assertFailed(answer, { code: 'invalid_input', did })
      const { details } = answer.body as { details: { path: string }[] }
      assert.deepEqual(details.map(({ path }) => path).sort(), [
        'didDocument[0].alsoKnownAs[0]',
        'didDocument[0].id',
        'didDocument[0].service[0]',
        'didDocument[1].service[0]',
      ])
      const set = await write('update', { did, didDocument: { service: [{ id: '#s' }], other: 1 } })
      assertFailed(set, { path: 'didDocument[0].service[0].type', did })
      assertFailed(set, { path: 'didDocument[0].other', did })
      assertFailed(
        await write('update', {
          did,
          didDocumentOperation: 'addToDidDocument',
          didDocument: { service: [{ id: '#s', type: 'T' }] },
        }),
        { path: 'didDocument', says: /service\[1\]\.serviceEndpoint/, did },
      )
      assertFailed(
        await write('update', { did, didDocumentOperation: ['addToDidDocument'], didDocument: [{}, {}] }),
        { path: 'didDocumentOperation', did },
      )
      assertFailed(await write('update', { did, didDocumentOperation: ['x'], didDocument: [{}] }), {
        path: 'didDocumentOperation[0]',
        did,
      })
      assertFailed(await write('update', { did, didDocument: [{}], options: { network: 'mainnet' } }), {
        path: 'options.network',
        did,
      })
      assertFailed(await write('update', { did, didDocument: [{}], options: { clientSecretMode: true } }), {
        path: 'options.clientSecretMode',
        did,
      })
      const after = (await resolve(did)).body as { didDocument: unknown }
      assert.deepEqual(after.didDocument, before.didDocument)
    })

    it('loses none of several concurrent changes, in any process', async () => {
      const did = await created()
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          write('update', {
            did,
            didDocumentOperation: ['addToDidDocument'],
            didDocument: [{ service: [{ ...files, id: `#files-${n}` }] }],
          }),
        ),
      )
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
      const { didDocument } = (await resolve(did)).body as State['didState']
      assert.equal(didDocument?.service?.length, 8)
    })

    it('takes an empty document literally', async () => {
      const did = await created()
      assertRefused(await write('update', { did, didDocument: {} }), {})
      assertRefused(await write('update', { did, didDocument: [] }), { path: 'didDocument' })
      assertRefused(await write('update', { did }), { path: 'didDocument' })
      const { didDocument } = (await resolve(did)).body as { didDocument: object }
      const state = await change(did, 'addToDidDocument', {})
      assert.deepEqual(state.didState.didDocument, didDocument)
    })

    it('refuses to remove the last key', async () => {
      const did = await created()
      assertRefused(
        await write('update', {
          did,
          didDocumentOperation: ['removeFromDidDocument'],
          didDocument: [{ verificationMethod: [{ id: '#key-1' }] }],
        }),
        {},
      )
      await createList(client(), { did })
    })

    it('refuses DIDs of methods without updates, and those of others', async () => {
      for (const [method, json] of [
        ['key', {}],
        ['jwk', {}],
        ['web', { did: `did:web:fixed-${Date.now()}.example` }],
      ] as const) {
        const { did = '' } = stateOf(await create(json, method)).didState
        const update = { did, didDocument: [{ service: [files] }] }
        assertFailed(await write('update', update), { path: 'did', says: /cannot be updated/, did })
        assertFailed(await write('deactivate', { did }), { path: 'did', says: /cannot be deactivated/, did })
      }
      const did = await createDid(stranger())
      for (const other of [did, `did:cheqd:testnet:${crypto.randomUUID()}`]) {
        const refusal = { code: 'did_not_found', path: 'did', did: other }
        assertFailed(await write('update', { did: other, didDocument: [{}] }), refusal)
        assertFailed(await write('deactivate', { did: other }), refusal)
      }
    })
  })

  describe('POST /1.0/deactivate', () => {
    it('deactivates a DID permanently, so that it resolves with 410', async () => {
      const did = await created()
      const cached = await client().get(IDENTIFIERS + did, { headers: { accept: 'application/did' } })
      const state = await written('deactivate', { did, options: {} })
      assert.equal(state.didState.did, did)
      assert.equal(state.didDocumentMetadata.deactivated, true)
      const { status, body } = await resolve(did)
      assert.equal(status, 410)
      assert.equal((body as State).didDocumentMetadata.deactivated, true)
      const conditional = await client().get(IDENTIFIERS + did, {
        headers: { accept: 'application/did', 'if-none-match': cached.headers.get('etag') ?? '' },
      })
      assert.equal(conditional.status, 410)
      assert.deepEqual(conditional.body, state.didState.didDocument)
      assertFailed(await write('deactivate', { did }), { code: 'did_deactivated', did })
      for (const didDocumentOperation of ['setDidDocument', 'addToDidDocument']) {
        const update = { did, didDocumentOperation, didDocument: {} }
        assertFailed(await write('update', update), { code: 'did_deactivated', did })
      }
    })

    it('still returns a result to clients of resolvers', async () => {
      const did = await created()
      await written('deactivate', { did })
      const resolver = new Resolver({ ...getUniversalResolverFor(['cheqd'], client().url + IDENTIFIERS) })
      const { didDocument, didDocumentMetadata, didResolutionMetadata } = await resolver.resolve(did)
      assert.equal(didDocument?.id, did)
      assert.equal(didDocumentMetadata.deactivated, true)
      assert.equal(didResolutionMetadata.error, undefined)
    })
  })

  describe('rights', () => {
    it('are required like for every operation', async () => {
      const did = await created()
      const reader = await limited({ name: 'reader', scopes: ['read'] })
      const tester = await limited({ name: 'tester', networks: ['testnet'] })
      const creator = await limited({ name: 'creator', scopes: ['registrar-create'] })
      const mainnet = await created('mainnet')
      for (const [path, json] of [
        ['create', {}],
        ['update', { did, didDocument: [{}] }],
        ['deactivate', { did }],
      ] as const) {
        assert.equal((await client().post(`/1.0/${path}`, { json, apiKey: null })).status, 401)
        assertRefused(await write(path, json, reader), { status: 403, says: /scope: dids or registrar-/ })
      }
      assert.equal((await create({ options: { network: 'testnet' } }, 'cheqd', creator)).status, 201)
      assertRefused(await write('deactivate', { did }, creator), { status: 403 })
      assertRefused(await create({ options: { network: 'mainnet' } }, 'cheqd', tester), { status: 403 })
      assertFailed(await write('deactivate', { did: mainnet }, tester), { status: 403, did: mainnet })
      assert.equal((await reader.get('/1.0/properties')).status, 200)
    })
  })

  it('reports the operations supported per method', async () => {
    const properties = (await client().ok('GET', '/1.0/properties')) as Record<
      string,
      Record<string, unknown>
    >
    const can = ({ creatable, updatable, deactivatable }: Record<string, unknown>) => [
      creatable,
      updatable,
      deactivatable,
    ]
    assert.deepEqual(
      Object.entries(properties).map(([method, one]) => [method, can(one)]),
      [
        ['cheqd', [true, true, true]],
        ['jwk', [true, false, false]],
        ['key', [true, false, false]],
        ['web', [true, false, false]],
      ],
    )
  })

  it('lists the methods of the resolver to everybody', async () => {
    const answer = await client().get('/1.0/methods', { apiKey: null })
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body, ['cheqd', 'jwk', 'key'])
    assert.equal(answer.headers.get('access-control-allow-origin'), '*')
    const head = await client().call('HEAD', '/1.0/methods', { apiKey: null })
    assert.equal(head.status, 200)
    assert.equal((await client().call('POST', '/1.0/methods', { apiKey: null })).status, 405)
  })
}
