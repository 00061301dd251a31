import assert from 'node:assert/strict'
import { AgentError, isAgentError } from '@vidimus/core-types'
import { LedgerError, uniqueIdOfKey } from '@vidimus/ledger'
import type { DIDDocument, IIdentifier } from '@veramo/core-types'
import { CheqdDIDProvider, type CheqdCreateOptions } from '../index.js'
import { refused } from './assertions.js'
import { openTestBed, type TestAgent, type TestBed } from './agent-on-ledger.js'

const UUID_DID = /^did:cheqd:testnet:[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const ID = '3fa85f64-5717-4562-b3fc-2c963f66afa6'

describe('CheqdDIDProvider', () => {
  let bed: TestBed
  let agent: TestAgent

  beforeEach(async () => {
    bed = await openTestBed()
    agent = bed.agentWith()
  })
  afterEach(() => bed.close())

  const create = (options: CheqdCreateOptions | Record<string, unknown>, on = agent) =>
    on.didManagerCreate({ provider: 'did:cheqd', options })
  const resolve = async (did: string): Promise<DIDDocument> => {
    const { didDocument } = await agent.resolveDid({ didUrl: did })
    assert.ok(didDocument)
    return didDocument
  }
  describe('construction', () => {
    const refuses = (options: unknown, ...paths: string[]) =>
      assert.throws(
        () => new CheqdDIDProvider(options as never),
        (error: AgentError) => {
          assert.equal(error.code, 'invalid_configuration')
          assert.deepEqual(
            error.details.map(({ path }) => path),
            paths,
          )
          return true
        },
      )

    it('names invalid options', () => {
      refuses({ ledgers: [], defaultKms: 'local' }, 'ledgers')
      refuses({ ledgers: [bed.testnet, bed.testnet], defaultKms: 'local' }, 'ledgers[1]')
      refuses({ ledgers: [{}], defaultKms: '' }, 'ledgers[0]', 'defaultKms')
      refuses({ ledgers: [bed.testnet], defaultKms: 'local', defaultNetwork: 'devnet' }, 'defaultNetwork')
      refuses({ ledgers: [bed.testnet], defaultKms: 'local', rpcUrl: '' }, '')
    })

    it('supports every network of did:cheqd and nothing else', () => {
      const provider = new CheqdDIDProvider({ ledgers: [bed.testnet], defaultKms: 'local' })
      assert.equal(provider.matchPrefix('did:cheqd:testnet'), true)
      assert.equal(provider.matchPrefix('did:cheqd'), true)
      assert.equal(provider.matchPrefix('did:cheqdx'), false)
      assert.equal(provider.matchPrefix('did:key'), false)
    })
  })

  describe('createIdentifier', () => {
    it('creates a DID with a new key that controls itself', async () => {
      const { did, controllerKeyId, keys, services } = await create({ network: 'testnet' })
      assert.match(did, UUID_DID)
      const [key] = keys
      assert.equal(keys.length, 1)
      assert.equal(controllerKeyId, key?.publicKeyHex)
      assert.deepEqual(services, [])
      assert.equal(JSON.stringify(keys).includes('privateKey'), false)
      const document = await resolve(did)
      const [method] = document.verificationMethod ?? []
      assert.deepEqual(document, {
        '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/suites/ed25519-2020/v1'],
        id: did,
        controller: [did],
        verificationMethod: [
          {
            id: `${did}#key-1`,
            type: 'Ed25519VerificationKey2020',
            controller: did,
            publicKeyMultibase: method?.publicKeyMultibase,
          },
        ],
        authentication: [`${did}#key-1`],
        assertionMethod: [`${did}#key-1`],
      })
    })

    it('keeps the networks apart and uses the configured default network', async () => {
      const { did } = await create({ network: 'mainnet' })
      assert.match(did, /^did:cheqd:mainnet:/)
      assert.equal(await bed.testnet.getDidDoc(did.replace('mainnet', 'testnet')), undefined)
      const withDefault = bed.agentWith({ defaultNetwork: 'mainnet' })
      assert.match((await create({}, withDefault)).did, /^did:cheqd:mainnet:/)
      assert.match((await withDefault.didManagerCreate()).did, /^did:cheqd:mainnet:/)
    })

    it('uses the network of the first ledger by default', async () => {
      assert.match((await create({})).did, UUID_DID)
      const mainnetFirst = bed.agentWith({ ledgers: [bed.mainnet, bed.testnet] })
      assert.match((await create({}, mainnetFirst)).did, /^did:cheqd:mainnet:/)
    })

    it('keeps an alias, and creates the key in the KMS that the caller names', async () => {
      const named = { provider: 'did:cheqd:testnet', alias: 'issuer', kms: 'local' }
      const { did } = await agent.didManagerCreate({ ...named, options: { network: 'testnet' } })
      assert.equal((await agent.didManagerGetByAlias({ alias: 'issuer' })).did, did)
      await assert.rejects(
        agent.didManagerCreate({ kms: 'remote', options: { network: 'testnet' } }),
        /remote/,
      )
    })

    for (const [type, member] of [
      ['Ed25519VerificationKey2018', 'publicKeyBase58'],
      ['Ed25519VerificationKey2020', 'publicKeyMultibase'],
      ['JsonWebKey2020', 'publicKeyJwk'],
    ] as const) {
      it(`writes ${type}`, async () => {
        const { did } = await create({ network: 'testnet', verificationMethodType: type })
        const [method] = (await resolve(did)).verificationMethod ?? []
        assert.equal(method?.type, type)
        assert.ok(method?.[member])
      })
    }

    it('accepts a key of the account with hex in any case', async () => {
      const { publicKeyHex } = await agent.keyManagerCreate({ kms: 'local', type: 'Ed25519' })
      const { keys } = await create({ network: 'testnet', publicKeyHex: publicKeyHex.toUpperCase() })
      assert.deepEqual(
        keys.map(({ kid }) => kid),
        [publicKeyHex],
      )
      assert.equal((await agent.keyManagerGet({ kid: publicKeyHex })).kid, publicKeyHex)
    })

    it('derives a base58 identifier from the key', async () => {
      const { publicKeyHex } = await agent.keyManagerCreate({ kms: 'local', type: 'Ed25519' })
      const options = { network: 'testnet', identifierFormatType: 'base58btc', publicKeyHex }
      const { did } = await create(options)
      assert.equal(did, `did:cheqd:testnet:${uniqueIdOfKey(Buffer.from(publicKeyHex, 'hex'))}`)
      await refused(create(options), 'did_taken', 'key')
      const { did: other, keys } = await create({ network: 'testnet', identifierFormatType: 'base58btc' })
      assert.ok(other.endsWith(uniqueIdOfKey(Buffer.from(keys[0]?.publicKeyHex ?? '', 'hex'))))
    })

    it('creates a DID with a P-256 key as JsonWebKey2020 only', async () => {
      const { publicKeyHex } = await agent.keyManagerCreate({ kms: 'local', type: 'Secp256r1' })
      await refused(create({ network: 'testnet', publicKeyHex }), 'invalid_input', 'verificationMethodType')
      const { did } = await create({
        network: 'testnet',
        publicKeyHex,
        verificationMethodType: 'JsonWebKey2020',
      })
      const [method] = (await resolve(did)).verificationMethod ?? []
      assert.equal(method?.publicKeyJwk?.crv, 'P-256')
    })

    it('keeps contexts and services', async () => {
      const { did, services } = await create({
        network: 'testnet',
        context: ['https://example.com/v1', 'https://example.com/v1'],
        service: [
          { idFragment: 'web', type: 'LinkedDomains', serviceEndpoint: 'https://example.com' },
          {
            id: '#comm',
            type: 'did-communication',
            serviceEndpoint: ['https://a.example', 'https://b.example'],
            priority: 1,
            recipientKeys: ['did:example:1#a'],
            routingKeys: ['did:example:2#a'],
            accept: ['didcomm/v2'],
          },
        ],
      })
      assert.deepEqual(services, [
        { id: `${did}#web`, type: 'LinkedDomains', serviceEndpoint: ['https://example.com'] },
        {
          id: `${did}#comm`,
          type: 'did-communication',
          serviceEndpoint: ['https://a.example', 'https://b.example'],
          priority: 1,
          recipientKeys: ['did:example:1#a'],
          routingKeys: ['did:example:2#a'],
          accept: ['didcomm/v2'],
        },
      ])
      const document = await resolve(did)
      assert.deepEqual(document['@context'], [
        'https://www.w3.org/ns/did/v1',
        'https://example.com/v1',
        'https://w3id.org/security/suites/ed25519-2020/v1',
        'https://identity.foundation/.well-known/did-configuration/v1',
      ])
      assert.equal(document.service?.[0]?.serviceEndpoint, 'https://example.com')
    })

    it('publishes the document that the caller gives', async () => {
      const id = `did:cheqd:testnet:${ID}`
      const { did, keys } = await create({
        didDocument: {
          '@context': ['https://www.w3.org/ns/did/v1'],
          id: `did:cheqd:testnet:${ID.toUpperCase()}`,
          controllers: [`did:cheqd:testnet:${ID.toUpperCase()}`],
          alsoKnownAs: ['https://example.com/me'],
          verificationMethod: [],
          authentication: ['#auth'],
          capabilityInvocation: [`${id}#auth`],
          service: [{ id: `${id}#s1`, type: 'T', serviceEndpoint: ['https://example.com'] }],
        },
      })
      assert.equal(did, id)
      assert.equal(keys.length, 1)
      const document = await resolve(did)
      assert.deepEqual(document.controller, [id])
      assert.deepEqual(
        document.verificationMethod?.map((method) => method.id),
        [`${id}#auth`],
      )
      assert.deepEqual(document.authentication, [`${id}#auth`])
      assert.deepEqual(document.capabilityInvocation, [`${id}#auth`])
      assert.equal(document.assertionMethod, undefined)
      assert.deepEqual(document.alsoKnownAs, ['https://example.com/me'])
    })

    it('adds the usual relationships to a document without any', async () => {
      const { did } = await create({ network: 'testnet', didDocument: { authentication: [] } })
      const document = await resolve(did)
      assert.deepEqual(document.authentication, [`${did}#key-1`])
      assert.deepEqual(document.assertionMethod, [`${did}#key-1`])
      assert.equal(document.controller, undefined)
    })

    it('lets a second DID of the account sign as controller', async () => {
      const parent = await create({ network: 'testnet' })
      const { did } = await create({ network: 'testnet', didDocument: { controller: parent.did } })
      assert.deepEqual((await resolve(did)).controller, [parent.did])
      assert.deepEqual(
        bed.watched.last.signatures.map(({ verificationMethodId }) => verificationMethodId).sort(),
        [`${did}#key-1`, `${parent.did}#key-1`].sort(),
      )
    })

    it('refuses controllers that cannot sign', async () => {
      const stranger = await create({ network: 'testnet' }, bed.agentWith())
      const former = await create({ network: 'testnet' })
      await agent.cheqdDeactivate({ did: former.did })
      const elsewhere = await create({ network: 'mainnet' })
      const unknown = `did:cheqd:testnet:${ID}`
      const controllers = [stranger.did, former.did, unknown, elsewhere.did, 'did:key:z6Mk']
      const error = await refused(
        create({ network: 'testnet', didDocument: { controllers } }),
        'invalid_input',
        ...[3, 4, 0, 1, 2].map((index) => `didDocument.controllers[${index}]`),
      )
      assert.match(error.details[2]?.message ?? '', /does not hold|holds none/)
      assert.match(error.details[3]?.message ?? '', /deactivated/)
      assert.match(error.details[4]?.message ?? '', /not exist/)
    })

    it('refuses a DID that is taken', async () => {
      const { did } = await create({ network: 'testnet' })
      await refused(create({ didDocument: { id: did } }), 'did_taken', 'didDocument.id')
    })

    it('refuses keys that the account does not hold or the ledger does not accept', async () => {
      const { publicKeyHex } = await bed.agentWith().keyManagerCreate({ kms: 'local', type: 'Ed25519' })
      await refused(create({ network: 'testnet', publicKeyHex }), 'key_not_found', 'key')
      await refused(create({ network: 'testnet', publicKeyHex: 'zz' }), 'invalid_input', 'key')
      for (const type of ['Secp256k1', 'X25519'] as const) {
        const key = await agent.keyManagerCreate({ kms: 'local', type })
        const verificationMethodType = 'JsonWebKey2020'
        const options = { network: 'testnet', publicKeyHex: key.publicKeyHex, verificationMethodType }
        await refused(create(options), 'invalid_input', 'key')
      }
    })

    it('locates every malformed option as in the HTTP contract', async () => {
      await refused(
        create({
          network: 'devnet',
          identifierFormatType: 'hex',
          verificationMethodType: 'Multikey',
          publicKeyHex: 12,
          context: [''],
          colour: 'red',
          service: [
            { idFragment: 'a', type: 'T', serviceEndpoint: [] },
            { idFragment: 'b', type: 'x'.repeat(256), serviceEndpoint: ['https://a.example', ' '] },
            { idFragment: 'c', type: 'T', serviceEndpoint: '', priority: -1, accept: 'didcomm/v2' },
            'service',
          ],
        }),
        'invalid_input',
        'network',
        'identifierFormatType',
        'verificationMethodType',
        'key',
        'service[0].serviceEndpoint',
        'service[1].type',
        'service[1].serviceEndpoint[1]',
        'service[2].serviceEndpoint',
        'service[2].priority',
        'service[2].accept',
        'service[3]',
        '@context[0]',
        'colour',
      )
      await refused(create({ network: 'testnet', didDocument: [] }), 'invalid_input', 'didDocument')
      const didDocument = { verificationMethod: [{}], proof: {}, authentication: [{}] }
      await refused(
        create({ network: 'testnet', didDocument }),
        'invalid_input',
        'didDocument.verificationMethod',
        'didDocument.authentication[0]',
        'didDocument.proof',
      )
      assert.deepEqual(bed.watched.submitted, [])
      assert.deepEqual(await agent.didManagerFind({}), [])
    })

    it('names every contradiction', async () => {
      await refused(
        create({
          network: 'mainnet',
          identifierFormatType: 'base58btc',
          publicKeyHex: '00',
          context: ['https://example.com'],
          service: [],
          didDocument: {
            id: `did:cheqd:testnet:${ID}`,
            controller: ['did:cheqd:mainnet:a'],
            controllers: ['did:cheqd:mainnet:b', 'did:cheqd:mainnet:b'],
            authentication: ['#auth', '#auth', '#other', 'did:cheqd:testnet:x#auth', 'auth'],
            alsoKnownAs: ['a', 'a'],
            service: [
              { id: '#auth', type: 'T', serviceEndpoint: 'https://example.com' },
              { idFragment: 'a b', type: 'T', serviceEndpoint: 'https://example.com' },
              { idFragment: 's', type: 'T', serviceEndpoint: 'https://example.com' },
              { id: '#s', type: 'T', serviceEndpoint: 'https://example.com' },
              { id: 'did:cheqd:testnet:x#s', type: 'T', serviceEndpoint: 'https://example.com' },
              { id: '#one', idFragment: 'two', type: 'T', serviceEndpoint: 'https://example.com' },
              { type: 'T', serviceEndpoint: 'https://example.com' },
            ],
          },
        }),
        'invalid_input',
        'identifierFormatType',
        'network',
        'didDocument.authentication[1]',
        'didDocument.authentication[2]',
        'didDocument.authentication[3]',
        'didDocument.authentication[4]',
        'didDocument.service[1].idFragment',
        'didDocument.service[3].id',
        'didDocument.service[4].id',
        'didDocument.service[5].idFragment',
        'didDocument.service[6].idFragment',
        'didDocument.service[0]',
        'didDocument.controller',
        'didDocument.controllers[1]',
        'didDocument.controllers[0]',
        'didDocument.controllers[1]',
        'service',
        '@context',
        'didDocument.alsoKnownAs[1]',
        'key',
      )
    })

    it('refuses invalid identifiers and networks', async () => {
      for (const id of [
        'did:key:z6Mk',
        'did:cheqd:devnet:' + ID,
        'did:cheqd:testnet:abc',
        `did:cheqd:${ID}`,
      ]) {
        await refused(create({ network: 'testnet', didDocument: { id } }), 'invalid_input', 'didDocument.id')
      }
      const testnetOnly = bed.agentWith({ ledgers: [bed.testnet] })
      await refused(create({ network: 'mainnet' }, testnetOnly), 'invalid_input', 'network')
      const didDocument = { id: `did:cheqd:mainnet:${ID}` }
      await refused(create({ didDocument }, testnetOnly), 'invalid_input', 'didDocument.id')
    })

    it('creates no key for a refused creation', async () => {
      const made: string[] = []
      const watched = bed.agentWith({}, [{ methods: { keyManagerCreate: async () => made.push('key') } }])
      await refused(
        create({ network: 'testnet', didDocument: { id: 'x' } }, watched),
        'invalid_input',
        'didDocument.id',
      )
      assert.deepEqual(made, [])
    })

    it('records the intent before it submits', async () => {
      const recorded: { identifier: IIdentifier; submitted: number }[] = []
      const recording = bed.agentWith({}, [
        {
          methods: {
            didCreationRecord: async ({ identifier }: { identifier: IIdentifier }) => {
              recorded.push({ identifier, submitted: bed.watched.submitted.length })
            },
          },
        },
      ])
      const { provider: _provider, ...identifier } = await recording.didManagerCreate({
        alias: 'issuer',
        options: { network: 'testnet' },
      })
      assert.deepEqual(recorded, [{ identifier, submitted: 0 }])
    })

    it('submits nothing if the intent cannot be recorded', async () => {
      const methods = {
        didCreationRecord: () => Promise.reject(new AgentError('alias_taken', 'alias: taken')),
      }
      const recording = bed.agentWith({}, [{ methods }])
      await refused(create({ network: 'testnet' }, recording), 'alias_taken')
      assert.deepEqual(bed.watched.submitted, [])
    })

    it('distinguishes an unreachable ledger from a refusal', async () => {
      bed.watched.failure = new LedgerError('no route', { codespace: 'vidimus', code: 9, phase: 'transport' })
      await refused(create({ network: 'testnet' }), 'ledger_unavailable')
      assert.deepEqual(await agent.didManagerFind({}), [])
    })

    it('lets one of two concurrent creations of the same DID succeed', async () => {
      const didDocument = { id: `did:cheqd:testnet:${ID}` }
      const results = await Promise.allSettled([create({ didDocument }), create({ didDocument })])
      assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
      const [failed] = results.flatMap((result) =>
        result.status === 'rejected' ? [result.reason as unknown] : [],
      )
      assert.ok(isAgentError(failed))
      assert.equal(failed.code, 'did_taken')
    })
  })
})
