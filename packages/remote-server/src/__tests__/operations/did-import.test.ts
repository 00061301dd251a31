import assert from 'node:assert/strict'
import { createECDH } from 'node:crypto'
import type { DIDDocument } from 'did-resolver'
import { outsideKey } from '../../../../../test/support/outside-key.js'
import { ask, postForm, postJson, serve, type TestService } from '../set-up/service.js'
import { veramoAgent } from '../set-up/veramo-agent.js'

function ed25519() {
  const { jwk, publicKeyHex: kid, privateKeyHex } = outsideKey()
  return { jwk, kid, privateKeyHex }
}

function document(id: string, ...keys: { jwk: object }[]): DIDDocument {
  return {
    id,
    verificationMethod: keys.map(({ jwk }, n) => ({
      id: `${id}#key-${n + 1}`,
      type: 'JsonWebKey2020',
      controller: id,
      publicKeyJwk: jwk as { kty: string },
    })),
    service: [{ id: '#s1', type: 'LinkedDomains', serviceEndpoint: ['https://a.test'] }],
  }
}

describe('POST /did/import', () => {
  const did = 'did:example:one'
  const first = ed25519()
  const second = ed25519()
  const foreign = ed25519()
  let service: TestService
  let agent: ReturnType<typeof veramoAgent>['agent']
  beforeEach(async () => {
    agent = veramoAgent({
      [did]: document(did, first, second),
      'did:example:gone': document('x', first),
    }).agent
    service = await serve({ agent })
  })
  afterEach(() => service.stop())

  const importDid = (body: unknown) => postJson(`${service.url}/did/import`, body)
  const key = ({ privateKeyHex }: { privateKeyHex: string }) => ({ type: 'Ed25519', privateKeyHex })
  const held = async () => {
    const identifiers = await agent.execute<object, { did: string }[]>('didManagerFind', {})
    return identifiers.map((identifier) => identifier.did)
  }

  it('accepts a DID with its keys, in the form of the contract', async () => {
    const { status, body } = await importDid({ did, keys: [key(first), key(second)] })
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(body, {
      did,
      controllerKeyId: first.kid,
      keys: [first, second].map(({ kid }) => ({ kid, type: 'Ed25519', publicKeyHex: kid, kms: 'local' })),
      services: [{ id: `${did}#s1`, type: 'LinkedDomains', serviceEndpoint: ['https://a.test'] }],
    })
    assert.deepEqual(await held(), [did])
    assert.deepEqual((await importDid({ did, keys: [key(second), key(first)] })).body, body)
    assert.deepEqual((await importDid({ did })).body, body)
  })

  it('accepts the form of other clients', async () => {
    const { status, body } = await postForm(
      `${service.url}/did/import`,
      `did=${did}&controllerKeyId=${second.kid}&keys[0][privateKeyHex]=${second.privateKeyHex}&keys[0][encrypted]=false&keys[0][type]=Ed25519`,
    )
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(body.controllerKeyId, second.kid)
  })

  it('refuses a key that is not in the document, and imports nothing', async () => {
    const { status, body } = await importDid({ did, keys: [key(first), key(foreign)] })
    assert.equal(status, 400)
    assert.equal(body.code, 'key_mismatch')
    assert.deepEqual(body.details, [{ path: 'keys[1].privateKeyHex', message: `does not belong to ${did}` }])
    assert.ok(!JSON.stringify(body).includes(foreign.privateKeyHex))
    assert.deepEqual(await held(), [])
    for (const { kid } of [first, foreign]) {
      assert.equal((await ask(`${service.url}/key/read/${kid}`)).status, 404)
    }
  })

  it('accepts a DID without keys if the account holds one of them', async () => {
    const none = await importDid({ did })
    assert.equal(none.status, 400)
    assert.equal(none.body.code, 'key_not_found')
    await postJson(`${service.url}/key/import`, { privateKeyHex: second.privateKeyHex })
    const { status, body } = await importDid({ did })
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(body.controllerKeyId, second.kid)
    assert.deepEqual(
      (body.keys as { kid: string }[]).map(({ kid }) => kid),
      [second.kid],
    )
    const more = await importDid({ did, keys: [key(first)] })
    assert.deepEqual(
      (more.body.keys as { kid: string }[]).map(({ kid }) => kid).sort(),
      [first.kid, second.kid].sort(),
    )
  })

  it('refuses encrypted transfer, foreign controllers and keys of the wrong size', async () => {
    for (const [body, code, path] of [
      [{ did, keys: [{ ...key(first), encrypted: true }] }, 'invalid_input', 'keys[0].encrypted'],
      [{ did, keys: [key(first)], controllerKeyId: foreign.kid }, 'key_mismatch', 'controllerKeyId'],
      [{ did, keys: [{ privateKeyHex: 'abcd' }] }, 'invalid_input', 'keys[0].privateKeyHex'],
      [{ did: 'did:example:none' }, 'did_not_resolvable', 'did'],
      [{ did: 'did:example:gone' }, 'did_deactivated', 'did'],
      [{ did: 'did:other:x' }, 'unknown_provider', 'did'],
      [{ did: `${did}#key-1` }, 'invalid_input', 'did'],
      [{}, 'invalid_input', 'did'],
    ] as const) {
      const answer = await importDid(body)
      assert.equal(answer.status, 400, JSON.stringify(answer.body))
      assert.equal(answer.body.code, code)
      assert.equal(answer.body.details[0]?.path, path)
    }
    assert.deepEqual(await held(), [])
  })
})

describe('POST /key/import', () => {
  let service: TestService
  before(async () => {
    service = await serve({ agent: veramoAgent().agent })
  })
  after(() => service.stop())

  it('returns what is known about the key, the same when repeated, and nothing private', async () => {
    const { kid, privateKeyHex } = ed25519()
    const names = { alias: '42', publicKeyAlias: '42' }
    const meta = { algorithms: ['EdDSA', 'Ed25519'] }
    const wanted = { kid, type: 'Ed25519', publicKeyHex: kid, kms: 'local', ...names, meta }
    const body = { alias: '42', privateKeyHex, encrypted: false }
    assert.deepEqual((await postJson(`${service.url}/key/import`, body)).body, wanted)
    assert.deepEqual(
      (await postForm(`${service.url}/key/import`, `alias=42&privateKeyHex=0x${privateKeyHex}`)).body,
      wanted,
    )
    const read = await ask(`${service.url}/key/read/${kid}`)
    assert.deepEqual(read.body, wanted)
  })

  it('accepts the other types', async () => {
    const ecdh = createECDH('secp256k1')
    ecdh.generateKeys()
    const privateKeyHex = ecdh.getPrivateKey('hex').padStart(64, '0')
    const { body } = await postJson(`${service.url}/key/import`, { type: 'Secp256k1', privateKeyHex })
    assert.equal(body.kid, ecdh.getPublicKey('hex'))
  })

  it('refuses missing and unknown fields', async () => {
    for (const [body, path] of [
      [{}, 'privateKeyHex'],
      [{ privateKeyHex: 'xyz' }, 'privateKeyHex'],
      [{ privateKeyHex: 'ab'.repeat(32), type: 'RSA' }, 'type'],
      [{ privateKeyHex: 'ab'.repeat(32), kid: 'x' }, 'kid'],
      [{ privateKeyHex: 'ab'.repeat(64) }, 'privateKeyHex'],
    ] as const) {
      const answer = await postJson(`${service.url}/key/import`, body)
      assert.equal(answer.status, 400)
      assert.equal(answer.body.details[0]?.path, path)
    }
  })
})

describe('GET /did/search', () => {
  let service: TestService
  before(async () => {
    service = await serve({ agent: veramoAgent().agent })
  })
  after(() => service.stop())

  it('answers 404 for a missing DID and 400 for an impossible one', async () => {
    const none = await ask(`${service.url}/did/search/did:example:none`)
    assert.deepEqual([none.status, none.body.code], [404, 'did_not_found'])
    const method = await ask(`${service.url}/did/search/did:other:x`)
    assert.deepEqual([method.status, method.body.code], [400, 'did_not_resolvable'])
    const text = await ask(`${service.url}/did/search/nonsense`)
    assert.deepEqual([text.status, text.body.code], [400, 'invalid_input'])
  })

  it('does not report an unreachable document as missing', async () => {
    for (const did of ['did:web:unreachable.test', 'did:fetched:x']) {
      const { status, body, text } = await ask(`${service.url}/did/search/${did}`)
      assert.deepEqual([status, body.code], [400, 'did_not_resolvable'], did)
      assert.match(body.error, /its document could not be fetched/)
      assert.doesNotMatch(text, /resolver_error|ECONN|x:1/)
    }
    const ledger = await ask(`${service.url}/did/search/did:ledger:x`)
    assert.deepEqual([ledger.status, ledger.body.code], [404, 'did_not_found'])
  })
})
