import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { assertRefused, refusedInBothEncodings } from '../support/refused.js'
import { createDid, membersOf, type Setup } from './suite.js'

const UUID_DID = /^did:cheqd:testnet:[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

interface DidResult {
  did: string
  controllerKeyId: string
  keys: { kid: string; type: string; publicKeyHex: string; kms: string }[]
  services: Record<string, unknown>[]
}
interface Resolution {
  didDocument: Record<string, unknown> & { verificationMethod: Record<string, unknown>[] }
}

export function didCreateSuite(setup: Setup): void {
  const { client, stranger } = setup
  const create = (body: Record<string, unknown>) =>
    client().ok('POST', '/did/create', { json: body }) as Promise<DidResult>
  const resolve = async (did: string) =>
    ((await client().ok('GET', `/did/search/${did}`)) as Resolution).didDocument
  const total = async () => ((await client().ok('GET', '/did/list')) as { total: number }).total

  describe('POST /did/create', () => {
    it('creates a DID with defaults only', async () => {
      const result = await create({ network: 'testnet' })
      assert.match(result.did, UUID_DID)
      assert.deepEqual(
        Object.keys(result).sort(),
        membersOf(setup, 'controllerKeyId', 'did', 'keys', 'services'),
      )
      const [key] = result.keys
      assert.deepEqual(key, {
        kid: key?.publicKeyHex,
        type: 'Ed25519',
        publicKeyHex: key?.publicKeyHex,
        kms: 'local',
      })
      assert.equal(result.controllerKeyId, key?.kid)
      const document = await resolve(result.did)
      assert.equal(document.id, result.did)
      assert.deepEqual(document.authentication, [`${result.did}#key-1`])
      assert.deepEqual(document.assertionMethod, [`${result.did}#key-1`])
      assert.equal(document.verificationMethod[0]?.type, 'Ed25519VerificationKey2020')
    })

    it('creates the same DID from a form', async () => {
      const result = (await client().ok('POST', '/did/create', {
        form: { network: 'mainnet', identifierFormatType: 'uuid', verificationMethodType: 'JsonWebKey2020' },
      })) as DidResult
      assert.match(result.did, /^did:cheqd:mainnet:/)
      const document = await resolve(result.did)
      assert.equal(document.verificationMethod[0]?.type, 'JsonWebKey2020')
    })

    it('derives base58btc identifiers from the key', async () => {
      const { did, keys } = await create({ network: 'testnet', identifierFormatType: 'base58btc' })
      const publicKey = Buffer.from(keys[0]?.publicKeyHex ?? '', 'hex')
      const digest = createHash('sha256').update(publicKey).digest().subarray(0, 16)
      assert.equal(did, `did:cheqd:testnet:${base58(digest)}`)
    })

    for (const type of ['Ed25519VerificationKey2018', 'Ed25519VerificationKey2020', 'JsonWebKey2020']) {
      it(`creates verification methods of type ${type}, flat or in options`, async () => {
        const flat = await create({ network: 'testnet', verificationMethodType: type })
        const nested = await create({ network: 'testnet', options: { verificationMethodType: type } })
        for (const { did } of [flat, nested]) {
          assert.equal((await resolve(did)).verificationMethod[0]?.type, type)
        }
      })
    }

    it('uses a key that the account holds', async () => {
      const key = (await client().ok('POST', '/key/create', { query: { type: 'Ed25519' } })) as {
        kid: string
      }
      const { controllerKeyId, keys } = await create({ network: 'testnet', key: key.kid })
      assert.equal(controllerKeyId, key.kid)
      assert.equal(keys.length, 1)
    })

    it('refuses a missing key and one of another account alike', async () => {
      const foreign = (await stranger().ok('POST', '/key/create', { query: { type: 'Ed25519' } })) as {
        kid: string
      }
      for (const key of [foreign.kid, 'ab'.repeat(32)]) {
        await refusedInBothEncodings(
          client(),
          '/did/create',
          { network: 'testnet', key },
          { code: 'key_not_found', path: 'key' },
        )
      }
    })

    it('derives service ids from fragments, in JSON and in a form', async () => {
      const service = [
        {
          idFragment: 'hub',
          type: 'LinkedDomains',
          serviceEndpoint: ['https://example.org', 'https://example.com'],
        },
      ]
      const fromJson = await create({ network: 'testnet', service })
      const fromForm = (await client().ok('POST', '/did/create', {
        form: {
          network: 'testnet',
          'service[0][idFragment]': 'hub',
          'service[0][type]': 'LinkedDomains',
          'service[0][serviceEndpoint][0]': 'https://example.org',
          'service[0][serviceEndpoint][1]': 'https://example.com',
        },
      })) as DidResult
      for (const { did, services } of [fromJson, fromForm]) {
        assert.deepEqual(services, [
          {
            id: `${did}#hub`,
            type: 'LinkedDomains',
            serviceEndpoint: ['https://example.org', 'https://example.com'],
          },
        ])
        assert.equal(((await resolve(did)).service as { id: string }[])[0]?.id, `${did}#hub`)
      }
    })

    it("keeps the caller's contexts", async () => {
      const { did } = await create({ network: 'testnet', '@context': ['https://example.org/context/v1'] })
      const context = (await resolve(did))['@context'] as string[]
      assert.ok(context.includes('https://example.org/context/v1'))
      assert.ok(context.includes('https://www.w3.org/ns/did/v1'))
    })

    it('accepts a complete DID document', async () => {
      const id = 'did:cheqd:testnet:3fa85f64-5717-4562-b3fc-2c963f66afa6'
      const { did, services } = await create({
        didDocument: {
          '@context': ['https://www.w3.org/ns/did/v1'],
          id,
          controllers: [id],
          authentication: [`${id}#auth`],
          assertionMethod: [`${id}#auth`],
          service: [{ id: `${id}#files`, type: 'Files', serviceEndpoint: ['https://example.org/files'] }],
        },
        options: { verificationMethodType: 'Ed25519VerificationKey2020' },
      })
      assert.equal(did, id)
      assert.equal(services.length, 1)
      const document = await resolve(id)
      assert.equal(document.verificationMethod[0]?.id, `${id}#auth`)
      await refusedInBothEncodings(client(), '/did/create', { didDocument: { id } }, { code: 'did_taken' })
    })

    it('creates DIDs of the other providers', async () => {
      const { did, keys } = await create({ providerId: 'did:key' })
      assert.match(did, /^did:key:z6Mk/)
      assert.equal(keys.length, 1)
      assert.match((await create({ providerId: 'did:jwk' })).did, /^did:jwk:/)
    })

    it('creates a did:key of a P-256 key at every door', async () => {
      const options = { keyType: 'Secp256r1' }
      const { did } = await create({ providerId: 'did:key', options })
      const agent = { provider: 'did:key', options }
      const made = [
        did,
        ((await client().ok('POST', '/agent/didManagerCreate', { json: agent })) as DidResult).did,
        (
          (await client().ok('POST', '/agent/didManagerGetOrCreate', {
            json: { ...agent, alias: 'did-create-p256' },
          })) as DidResult
        ).did,
      ]
      assert.equal(new Set(made).size, 3)
      for (const each of made) {
        assert.match(each, /^did:key:zDn/)
        const [method] = (await resolve(each)).verificationMethod
        assert.equal((method?.publicKeyJwk as { crv: string }).crv, 'P-256')
      }
    })

    it('refuses options that a provider does not support at every door, and creates nothing', async () => {
      const held = 'did-create-held'
      await client().ok('POST', '/agent/didManagerCreate', { json: { provider: 'did:key', alias: held } })
      const before = await total()
      for (const provider of ['did:key', 'did:jwk', 'did:web', 'did:cheqd'])
        for (const [options, path, says] of [
          [{ keyType: 'Secp384r1' }, 'keyType', /must be one of|is unknown/],
          [{ keytype: 'Ed25519' }, '', /keytype/],
          [{ network: 'testnet', more: 1 }, '', /more/],
        ] as const)
          for (const [method, alias] of [
            ['didManagerCreate', 'did-create-refused.example'],
            ['didManagerGetOrCreate', 'did-create-refused.example'],
            ['didManagerGetOrCreate', held],
          ] as const) {
            const named = provider === 'did:web' ? 'did-create-refused.example' : alias
            const json = { provider, alias: named, options }
            const answer = await client().post(`/agent/${method}`, { json })
            assertRefused(answer, { code: 'invalid_input', says })
            if (provider !== 'did:cheqd' && path !== '')
              assertRefused(answer, { code: 'invalid_input', path: `options.${path}` })
          }
      for (const [providerId, options] of [
        ['did:key', { keyType: 'Secp384r1' }],
        ['did:jwk', { keyType: 'P-256' }],
        ['did:key', { keytype: 'Ed25519' }],
      ] as const)
        await refusedInBothEncodings(
          client(),
          '/did/create',
          { providerId, options },
          { code: 'invalid_input' },
        )
      assertRefused(
        await client().post('/1.0/create', {
          query: { method: 'key' },
          json: { options: { keyType: 'Secp384r1' } },
        }),
        { says: /keyType/ },
      )
      assert.equal(await total(), before)
    })

    it('reports for each provider whether it checks its options', async () => {
      const properties = (await client().ok('GET', '/1.0/properties')) as Record<
        string,
        { optionsChecked: boolean }
      >
      for (const method of ['cheqd', 'key', 'jwk', 'web'])
        assert.equal(properties[method]?.optionsChecked, true)
    })

    it('lists the DIDs of the account', async () => {
      const did = await createDid(client())
      const { dids } = (await client().ok('GET', '/did/list', { query: { limit: '1000' } })) as {
        dids: string[]
      }
      assert.ok(dids.includes(did))
      const others = (await stranger().ok('GET', '/did/list', { query: { limit: '1000' } })) as {
        dids: string[]
      }
      assert.ok(!others.dids.includes(did))
    })

    const id = 'did:cheqd:testnet:4fa85f64-5717-4562-b3fc-2c963f66afa6'
    const service = { idFragment: 'a', type: 'T', serviceEndpoint: ['https://example.org'] }
    const bad: [string, Record<string, unknown>, { code?: string; path: string; says?: RegExp }][] = [
      ['no network', {}, { path: 'network' }],
      ['an unknown network', { network: 'devnet' }, { path: 'network', says: /testnet/ }],
      [
        'an unknown format',
        { network: 'testnet', identifierFormatType: 'ulid' },
        { path: 'identifierFormatType' },
      ],
      [
        'an unknown method type',
        { network: 'testnet', verificationMethodType: 'X' },
        { path: 'verificationMethodType' },
      ],
      [
        'an unknown provider',
        { network: 'testnet', providerId: 'zzz' },
        { path: 'providerId', code: 'unknown_provider', says: /did:cheqd/ },
      ],
      ['a key that is not hex', { network: 'testnet', key: 'xyz' }, { path: 'key' }],
      ['a key of a wrong length', { network: 'testnet', key: 'abcd' }, { path: 'key' }],
      [
        'a service without endpoint',
        { network: 'testnet', service: [{ ...service, serviceEndpoint: [] }] },
        { path: 'service[0].serviceEndpoint' },
      ],
      [
        'an empty endpoint',
        { network: 'testnet', service: [{ ...service, serviceEndpoint: [''] }] },
        { path: 'service[0].serviceEndpoint[0]' },
      ],
      [
        'a service without type',
        { network: 'testnet', service: [{ idFragment: 'a', serviceEndpoint: ['https://example.org'] }] },
        { path: 'service[0].type' },
      ],
      [
        'duplicate services',
        { network: 'testnet', service: [service, service] },
        { path: 'service[1].idFragment' },
      ],
      ['an unknown field', { network: 'testnet', netwrk: 'testnet' }, { path: 'netwrk', says: /network/ }],
      [
        'a document of another network',
        { network: 'mainnet', didDocument: { id } },
        { path: 'network', says: /didDocument\.id/ },
      ],
      [
        'a document of another method',
        {
          network: 'testnet',
          didDocument: { id: 'did:key:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH' },
        },
        { path: 'didDocument.id' },
      ],
      [
        'a document with a malformed id',
        { network: 'testnet', didDocument: { id: 'did:cheqd:testnet:short' } },
        { path: 'didDocument.id' },
      ],
      [
        'a foreign relationship',
        {
          didDocument: {
            id,
            authentication: ['did:cheqd:testnet:5fa85f64-5717-4562-b3fc-2c963f66afa6#key-1'],
          },
        },
        { path: 'didDocument.authentication[0]' },
      ],
    ]
    for (const [title, body, refusal] of bad) {
      it(`refuses ${title}`, async () => {
        const before = await total()
        await refusedInBothEncodings(client(), '/did/create', body, refusal)
        assert.equal(await total(), before)
      })
    }

    it('names all errors at once', async () => {
      const { body } = await client().post('/did/create', {
        json: { network: 'devnet', identifierFormatType: 'ulid', verificationMethodType: 'X', surprise: 1 },
      })
      const paths = (body as { details: { path: string }[] }).details.map(({ path }) => path).sort()
      assert.deepEqual(paths, ['identifierFormatType', 'network', 'surprise', 'verificationMethodType'])
    })
  })
}

/** Base58 written out for the test, so that it does not lean on the library that the service uses. */
function base58(bytes: Uint8Array): string {
  const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
  let number = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  for (; number > 0n; number /= 58n) text = (alphabet[Number(number % 58n)] ?? '') + text
  const zeros = bytes.findIndex((byte) => byte !== 0)
  return '1'.repeat(Math.max(zeros, 0)) + text
}
