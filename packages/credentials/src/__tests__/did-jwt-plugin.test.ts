import assert from 'node:assert/strict'
import { createPublicKey } from 'node:crypto'
import type { AgentError, DIDAct } from '@vidimus/core-types'
import type { PublicJwk } from '@vidimus/verification-methods'
import { decodeJWT, verifyJWT } from 'did-jwt'
import type { DIDDocument } from 'did-resolver'
import fc from 'fast-check'
import { jwtVerify } from 'jose'
import { createForeignKey, documentOf, ForeignSigner, methodForms } from './foreign-signer.js'
import { createKeyDid, createTestAgent, recordCalls, type KeyKind } from './test-agent.js'

const KINDS: [KeyKind, 'did:key' | 'did:jwk', string][] = [
  ['Ed25519', 'did:key', 'EdDSA'],
  ['Ed25519', 'did:jwk', 'EdDSA'],
  ['Secp256r1', 'did:jwk', 'ES256'],
  ['Secp256k1', 'did:key', 'ES256K'],
  ['Secp256k1', 'did:jwk', 'ES256K'],
]

const failsWith = (code: string, path: string | undefined, message: RegExp) => (error: AgentError) => {
  assert.equal(error.name, 'AgentError', String(error))
  assert.equal(error.code, code)
  assert.equal(error.details[0]?.path, path)
  assert.match(error.message, message)
  return true
}

describe('DIDJwtPlugin', () => {
  for (const [keyType, provider, alg] of KINDS) {
    it(`creates signatures of ${provider} with ${keyType} that independent libraries verify`, async () => {
      const { agent, resolver } = createTestAgent()
      const { did } = await createKeyDid(agent, keyType, provider)
      const jwt = await agent.didJwtCreate({ did, payload: { iss: did, a: 'ä' }, header: { typ: 'vc+jwt' } })
      const { header } = decodeJWT(jwt)
      const document = (await resolver.resolve(did)).didDocument
      const method = document?.verificationMethod?.[0]
      assert.deepEqual(header, { typ: 'vc+jwt', alg, kid: method?.id })
      const verified = await verifyJWT(jwt, { resolver, proofPurpose: 'assertionMethod' })
      assert.deepEqual(verified.payload, { iss: did, a: 'ä' })
      if (alg !== 'ES256K' && method?.publicKeyJwk) {
        const key = createPublicKey({ key: method.publicKeyJwk, format: 'jwk' })
        assert.deepEqual((await jwtVerify(jwt, key)).payload, { iss: did, a: 'ä' })
      }
      const own = await agent.didJwtVerify({ jwt, did })
      assert.deepEqual(own, { header, payload: { iss: did, a: 'ä' }, signer: method?.id })
    })
  }

  for (const [type, privateKey, short] of [
    ['Secp256r1', '17b', 'x'],
    ['Secp256r1', '2b', 'y'],
    ['Secp256k1', '7a', 'y'],
  ] as const) {
    it(`signs as a did:jwk whose ${type} key has a ${short} without leading zeros`, async () => {
      const { agent } = createTestAgent()
      const { did } = await agent.didManagerCreate({
        provider: 'did:jwk',
        options: { key: { type, privateKeyHex: privateKey.padStart(64, '0') } },
      })
      const jwk = JSON.parse(Buffer.from(did.slice('did:jwk:'.length), 'base64url').toString()) as PublicJwk
      assert.equal(Buffer.from(jwk[short] ?? '', 'base64url').length, 31)
      const jwt = await agent.didJwtCreate({ did, payload: { iss: did } })
      assert.equal((await agent.didJwtVerify({ jwt, did })).signer, `${did}#0`)
    })
  }

  it('sets typ to JWT and does not let callers replace alg and kid', async () => {
    const { agent } = createTestAgent()
    const { did } = await createKeyDid(agent)
    const plain = decodeJWT(await agent.didJwtCreate({ did, payload: {} })).header
    assert.equal(plain.typ, 'JWT')
    const header = { alg: 'none', kid: 'did:test:mallory#key-1', cty: 'vc' }
    const jwt = await agent.didJwtCreate({ did, payload: {}, header })
    assert.deepEqual(decodeJWT(jwt).header, { ...plain, cty: 'vc' })
  })

  it('needs one lookup of the DID, one resolution and one signature', async () => {
    const { agent } = createTestAgent()
    const { did } = await createKeyDid(agent)
    const calls = recordCalls(agent)
    await agent.didJwtCreate({ did, payload: {} })
    assert.deepEqual(calls, [
      'didJwtCreate',
      'didHolding',
      'didManagerGet',
      'resolveDid',
      'didSign',
      'keyManagerSign',
    ])
  })

  it('gives the same answer for foreign and unknown DIDs', async () => {
    const { agent, documents } = createTestAgent()
    const foreign = new ForeignSigner('did:test:foreign', documents)
    const messages = await Promise.all(
      [foreign.did, 'did:test:unknown'].map(async (did) => {
        const error = await agent.didJwtCreate({ did, payload: {} }).catch((thrown: unknown) => thrown)
        assert.ok(
          failsWith(
            'did_not_found',
            'did',
            /is unknown, or the account does not hold it$/,
          )(error as AgentError),
        )
        return (error as AgentError).message.replace(did, '')
      }),
    )
    assert.equal(messages[0], messages[1])
  })

  it('passes on store errors other than "not found"', async () => {
    const { agent } = createTestAgent({
      plugins: [{ methods: { didManagerGet: () => Promise.reject(new Error('database is locked')) } }],
    })
    await assert.rejects(
      agent.didJwtCreate({ did: 'did:test:a', payload: {} }),
      /^Error: database is locked$/,
    )
  })

  it('signs only with a key that the document authorises for the relationship', async () => {
    const { agent, documents } = createTestAgent()
    const did = 'did:test:own'
    const [first, second, third] = [
      createForeignKey(),
      createForeignKey('Secp256r1'),
      createForeignKey('Secp256k1'),
    ]
    const form = { type: 'JsonWebKey2020', controller: did }
    const document: DIDDocument = {
      id: did,
      verificationMethod: [
        { ...form, id: '#authentication', publicKeyJwk: second.jwk },
        { ...form, id: `${did}#foreign`, publicKeyJwk: createForeignKey().jwk },
        { ...form, id: `${did}#neither`, publicKeyJwk: first.jwk },
      ],
      assertionMethod: [
        `${did}#foreign`,
        `${did}#gone`,
        'did:test:else#key',
        { ...form, id: 'did:test:else#embedded', publicKeyJwk: first.jwk },
        { ...form, id: '#embedded', publicKeyJwk: third.jwk },
      ],
      authentication: [`${did}#authentication`],
    }
    documents.set(did, { document })
    const keys = [first, second, third].map(({ type, privateKeyHex }) => ({
      type,
      privateKeyHex,
      kms: 'local',
    }))
    await agent.didManagerImport({ did, provider: 'did:key', keys })
    const assertion = await agent.didJwtCreate({ did, payload: {} })
    assert.equal(decodeJWT(assertion).header.kid, `${did}#embedded`)
    assert.equal((await agent.didJwtVerify({ jwt: assertion, did })).signer, `${did}#embedded`)
    const relationship = 'authentication'
    const authentication = await agent.didJwtCreate({ did, payload: {}, relationship })
    assert.equal(decodeJWT(authentication).header.kid, `${did}#authentication`)
    await agent.didJwtVerify({ jwt: authentication, did, relationship })
    await assert.rejects(
      agent.didJwtVerify({ jwt: authentication, did }),
      /is not a key in the assertionMethod/,
    )
    const heldFor = async (act: DIDAct) => (await agent.didHeldKey({ did, act })).methodId
    assert.equal(await heldFor('assertionMethod'), `${did}#embedded`)
    assert.equal(await heldFor('authentication'), `${did}#authentication`)
    assert.equal(await heldFor('publish'), `${did}#authentication`)
    documents.set(did, { document: { ...document, assertionMethod: [`${did}#foreign`] } })
    await assert.rejects(heldFor('assertionMethod'), failsWith('key_not_found', 'did', /assertionMethod/))
    await assert.rejects(
      agent.didJwtCreate({ did, payload: {} }),
      failsWith('key_not_found', 'did', /holds none of the keys in the assertionMethod/),
    )
  })

  it("identifies keys by their material, not their name, and accepts a controller's key if the document has none", async () => {
    const { agent, documents } = createTestAgent()
    const [published, controlling] = [createForeignKey(), createForeignKey()]
    const did = 'did:test:controlled'
    const method = (of: string, { jwk }: ReturnType<typeof createForeignKey>) => [
      { id: `${of}#key-1`, type: 'JsonWebKey2020', controller: of, publicKeyJwk: jwk },
    ]
    const controller = 'did:test:controller'
    documents.set(did, { document: { id: did, controller, verificationMethod: method(did, published) } })
    documents.set(controller, {
      document: { id: controller, verificationMethod: method(controller, controlling) },
    })
    const key = { type: 'Ed25519' as const, kms: 'local' }
    const named = {
      ...key,
      privateKeyHex: createForeignKey().privateKeyHex,
      kid: Buffer.from(published.bytes).toString('hex'),
    }
    await agent.didManagerImport({ did, provider: 'did:key', keys: [named] })
    await assert.rejects(
      agent.didHeldKey({ did, act: 'publish' }),
      failsWith('key_not_found', 'did', /document/),
    )
    const own = { ...key, privateKeyHex: controlling.privateKeyHex }
    await agent.didManagerImport({ did: controller, provider: 'did:key', keys: [own] })
    assert.equal((await agent.didHeldKey({ did, act: 'publish' })).methodId, `${controller}#key-1`)
    await assert.rejects(agent.didHeldKey({ did, act: 'authentication' }), /key_not_found|authentication/)
  })

  it('refuses DIDs that do not resolve or are deactivated', async () => {
    const { agent, documents } = createTestAgent()
    const signer = new ForeignSigner('did:test:issuer', documents)
    const jwt = signer.sign({ iss: signer.did })
    const key = { type: 'Ed25519' as const, privateKeyHex: signer.key.privateKeyHex, kms: 'local' }
    await agent.didManagerImport({ did: signer.did, provider: 'did:key', keys: [key] })
    const { did } = signer
    const document = documentOf(did, { publicKeyJwk: signer.key.jwk })
    documents.set(did, { document, deactivated: true })
    await assert.rejects(
      agent.didJwtVerify({ jwt, did }),
      failsWith('did_deactivated', 'did', /is deactivated/),
    )
    await assert.rejects(
      agent.didJwtCreate({ did, payload: {} }),
      failsWith('did_deactivated', 'did', /deactivated/),
    )
    documents.delete(did)
    await assert.rejects(agent.didJwtVerify({ jwt, did }), failsWith('did_not_resolvable', 'did', /notFound/))
    documents.set(did, { document: { ...document, id: 'did:test:else' } })
    await assert.rejects(
      agent.didJwtVerify({ jwt, did }),
      failsWith('did_not_resolvable', 'did', /another DID/),
    )
  })

  it('hides why a resolver failed', async () => {
    const { agent, documents } = createTestAgent()
    const jwt = new ForeignSigner('did:test:issuer', documents).sign({})
    const headless = new ForeignSigner('did:test:other', documents).sign({}, { kid: undefined })
    const did = 'did:throwing:a'
    await assert.rejects(agent.didJwtVerify({ jwt: headless, did }), (error: AgentError) => {
      assert.doesNotMatch(error.message + JSON.stringify(error.details), /10\.0\.0\.7|ECONN/)
      return failsWith('did_not_resolvable', 'did', /the resolver failed/)(error)
    })
    await assert.rejects(
      agent.didJwtVerify({ jwt, did }),
      failsWith('invalid_credential', 'jwt', /is not a key of/),
    )
  })

  for (const type of ['Ed25519', 'Secp256r1', 'Secp256k1'] as const) {
    it(`verifies ${type} with every form of verification method and every form of kid`, async () => {
      const { agent, documents } = createTestAgent()
      const signer = new ForeignSigner('did:test:issuer', documents, type)
      const { did } = signer
      for (const form of methodForms(signer.key)) {
        documents.set(did, { document: documentOf(did, form) })
        for (const kid of [signer.kid, '#key-1', undefined]) {
          const jwt = signer.sign({ iss: did }, { kid })
          assert.equal((await agent.didJwtVerify({ jwt, did })).signer, signer.kid)
        }
      }
    })
  }

  it('accepts Ed25519 as a name for EdDSA, and no alg that does not fit the key', async () => {
    const { agent, documents } = createTestAgent()
    const signer = new ForeignSigner('did:test:issuer', documents)
    const { did } = signer
    await agent.didJwtVerify({ jwt: signer.sign({}, { alg: 'Ed25519' }), did })
    const curve = new ForeignSigner('did:test:curve', documents, 'Secp256r1')
    for (const [one, alg] of [
      [signer, 'ES256'],
      [curve, 'ES256K'],
      [curve, 'EdDSA'],
    ] as const) {
      await assert.rejects(
        agent.didJwtVerify({ jwt: one.sign({}, { alg }), did: one.did }),
        /signature does not match/,
      )
    }
  })

  it('refuses a kid of another DID', async () => {
    const { agent, documents } = createTestAgent()
    const signer = new ForeignSigner('did:test:issuer', documents)
    const { did } = signer
    const mallory = new ForeignSigner('did:test:issuer-2', documents)
    await assert.rejects(
      agent.didJwtVerify({ jwt: mallory.sign({ iss: did }), did }),
      /is not a key of "did:test:issuer"/,
    )
    for (const kid of ['did:test:issuer?versionId=1#key-1', 'did:test:issuerX#key-1', '']) {
      await assert.rejects(
        agent.didJwtVerify({ jwt: signer.sign({}, { kid }), did }),
        failsWith('invalid_credential', 'jwt', /is not a key of/),
      )
    }
    await assert.rejects(agent.didJwtVerify({ jwt: signer.sign({}, { kid: 7 }), did }), /not a string/)
    await assert.rejects(
      agent.didJwtVerify({ jwt: signer.sign({}, { kid: '#key-2' }), did }),
      /is not a key in/,
    )
    await assert.rejects(
      agent.didJwtVerify({ jwt: mallory.sign({}, { kid: signer.kid }), did }),
      failsWith('invalid_credential', 'jwt', /signature does not match/),
    )
  })

  it('rejects a JWT with any character changed', async () => {
    const { agent } = createTestAgent()
    for (const [keyType, provider] of KINDS.slice(1, 4)) {
      const { did } = await createKeyDid(agent, keyType, provider)
      const jwt = await agent.didJwtCreate({ did, payload: { iss: did, a: 1 } })
      const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.'
      await fc.assert(
        fc.asyncProperty(fc.nat(jwt.length - 1), fc.constantFrom(...alphabet), async (at, character) => {
          fc.pre(jwt[at] !== character)
          const changed = jwt.slice(0, at) + character + jwt.slice(at + 1)
          await assert.rejects(
            agent.didJwtVerify({ jwt: changed, did }),
            ({ code }: AgentError) => code === 'invalid_credential' || code === 'algorithm_not_supported',
          )
        }),
        { numRuns: 200, examples: [...alphabet].map((character) => [jwt.length - 1, character]) },
      )
    }
  })

  it('names every malformed argument at once', async () => {
    const { agent } = createTestAgent()
    const args = { did: 'did:test:a#key', payload: [], header: { crit: [] }, relationship: 'keyAgreement' }
    await assert.rejects(agent.didJwtCreate(args as never), (error: AgentError) => {
      assert.equal(error.code, 'invalid_input')
      assert.deepEqual(
        error.details.map(({ path }) => path),
        ['did', 'payload', 'header', 'relationship'],
      )
      return true
    })
    await assert.rejects(agent.didJwtCreate({ did: null, payload: {} } as never), { code: 'invalid_input' })
    await assert.rejects(agent.didJwtVerify({ jwt: 'a.b.c' } as never), { code: 'invalid_input' })
  })
})
