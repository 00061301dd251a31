import assert from 'node:assert/strict'
import { BOUNDS } from '@vidimus/core-types'
import { ask, postForm, postJson, serve, type TestService } from '../set-up/service.js'
import { veramoAgent } from '../set-up/veramo-agent.js'

describe('POST /did/create', () => {
  let service: TestService
  let asked: unknown[]
  beforeEach(async () => {
    const made = veramoAgent()
    asked = made.asked
    service = await serve({ agent: made.agent })
  })
  afterEach(() => service.stop())

  const create = (body: unknown) => postJson(`${service.url}/did/create`, body)

  it('passes everything to the provider of did:cheqd, the same from JSON and from a form', async () => {
    const key = await postJson(`${service.url}/key/create`, {})
    const fields = {
      network: 'testnet',
      identifierFormatType: 'base58btc',
      service: [{ idFragment: 's1', type: 'LinkedDomains', serviceEndpoint: ['https://a.test'] }],
      '@context': ['https://a.test/context'],
      options: { key: key.body.kid, verificationMethodType: 'JsonWebKey2020' },
    }
    assert.equal((await create(fields)).status, 200)
    const form = new URLSearchParams({
      network: 'testnet',
      identifierFormatType: 'base58btc',
      'service[0][idFragment]': 's1',
      'service[0][type]': 'LinkedDomains',
      'service[0][serviceEndpoint]': 'https://a.test',
      '@context': 'https://a.test/context',
      key: String(key.body.kid),
      verificationMethodType: 'JsonWebKey2020',
    })
    assert.equal((await postForm(`${service.url}/did/create`, form.toString())).status, 200)
    const wanted = {
      providerName: 'did:cheqd',
      network: 'testnet',
      identifierFormatType: 'base58btc',
      service: [{ idFragment: 's1', type: 'LinkedDomains', serviceEndpoint: ['https://a.test'] }],
      context: ['https://a.test/context'],
      publicKeyHex: key.body.kid,
      verificationMethodType: 'JsonWebKey2020',
    }
    assert.deepEqual(JSON.parse(JSON.stringify(asked)), [wanted, wanted])
  })

  it('requires a network, unless the document names one', async () => {
    const { status, body } = await create({})
    assert.equal(status, 400)
    assert.match(body.error, /^network: is required/)
    assert.equal((await create({ didDocument: { id: 'did:cheqd:testnet:abc' } })).status, 200)
  })

  it('lists the providers when an unknown one is named', async () => {
    const { status, body } = await create({ providerId: 'did:keys' })
    assert.equal(status, 400)
    assert.equal(body.code, 'unknown_provider')
    assert.match(body.error, /did:cheqd, did:key, did:jwk, did:web.*did you mean "did:key"/)
  })

  it('refuses contradictory fields, invalid verification methods and too many services', async () => {
    const services = Array.from({ length: BOUNDS.documentEntries + 1 }, (_, n) => ({
      idFragment: `s${n}`,
      type: 'X',
      serviceEndpoint: 'https://a.test',
    }))
    const { status, body } = await create({
      network: 'testnet',
      key: 'ab',
      options: { key: 'cd' },
      service: services,
    })
    assert.equal(status, 400)
    assert.deepEqual(body.details.map(({ path }) => path).sort(), ['service'])
    const twice = await create({ network: 'testnet', key: 'ab', options: { key: 'cd' } })
    assert.deepEqual(
      twice.body.details.map(({ path }) => path),
      ['options.key'],
    )
    const methods = await create({ network: 'testnet', didDocument: { verificationMethod: [{}] } })
    assert.match(methods.body.error, /^didDocument\.verificationMethod: is added by the service/)
  })

  it('refuses a key that the account does not hold', async () => {
    for (const [fields, path] of [
      [{ key: 'ab'.repeat(32) }, 'key'],
      [{ options: { key: 'ab'.repeat(32) } }, 'options.key'],
    ] as const) {
      const { status, body } = await create({ network: 'testnet', ...fields })
      assert.equal(status, 400)
      assert.equal(body.code, 'key_not_found')
      assert.equal(body.details[0]?.path, path)
    }
    assert.equal(asked.length, 0)
  })

  it('creates did:key and did:jwk with a new key, Ed25519 by default', async () => {
    for (const [providerId, keyType] of [
      ['did:key', undefined],
      ['did:jwk', undefined],
      ['did:key', 'X25519'],
      ['did:jwk', 'Secp256r1'],
    ] as const) {
      const { status, body } = await create({ providerId, ...(keyType && { options: { keyType } }) })
      assert.equal(status, 200, JSON.stringify(body))
      const [key] = body.keys as { type: string; kid: string }[]
      assert.equal(key?.type, keyType ?? 'Ed25519')
      assert.equal(body.controllerKeyId, key?.kid)
      assert.deepEqual(Object.keys(key ?? {}).sort(), ['kid', 'kms', 'publicKeyHex', 'type'])
      assert.equal((await ask(`${service.url}/did/search/${String(body.did)}`)).status, 200)
    }
  })

  it('creates did:key from a key that the account holds', async () => {
    const key = await postJson(`${service.url}/key/create?type=Ed25519`, {})
    const { body } = await create({ providerId: 'did:key', key: `0x${String(key.body.kid).toUpperCase()}` })
    assert.equal(body.controllerKeyId, key.body.kid)
  })

  it('refuses fields that did:key would ignore', async () => {
    const { status, body } = await create({
      providerId: 'did:key',
      network: 'testnet',
      '@context': ['https://a.test'],
      didDocument: {},
      key: 'ab'.repeat(32),
      options: { keyType: 'Secp256r1' },
    })
    assert.equal(status, 400)
    assert.deepEqual(body.details.map(({ path }) => path).sort(), [
      '@context',
      'didDocument',
      'network',
      'options.keyType',
    ])
  })

  it('takes the name of a did:web from the document', async () => {
    const made = await create({
      providerId: 'did:web',
      didDocument: { id: 'did:web:example.com%3A8443:users:bob' },
    })
    assert.equal(made.body.did, 'did:web:example.com%3A8443:users:bob')
    for (const didDocument of [
      undefined,
      { id: 'did:web:' },
      { id: 'did:key:z6Mk' },
      { id: 'did:web:a..b' },
    ]) {
      const { status, body } = await create({ providerId: 'did:web', ...(didDocument && { didDocument }) })
      assert.equal(status, 400)
      assert.equal(body.details[0]?.path, 'didDocument.id')
    }
  })
})
