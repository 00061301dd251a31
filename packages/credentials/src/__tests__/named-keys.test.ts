import assert from 'node:assert/strict'
import type { VerificationMethod } from 'did-resolver'
import { calculateJwkThumbprint, calculateJwkThumbprintUri, SignJWT } from 'jose'
import { createForeignKey, ForeignSigner, methodForms, type ForeignKey } from './foreign-signer.js'
import { createTestAgent } from './test-agent.js'

const DID = 'did:test:issuer'
const TYPES = ['Ed25519', 'Secp256r1', 'Secp256k1'] as const

describe('kid of a JWT', () => {
  const setUp = (type: (typeof TYPES)[number] = 'Ed25519') => {
    const { agent, documents } = createTestAgent()
    const signer = new ForeignSigner(DID, documents, type)
    const method = (id: string, { jwk }: ForeignKey): VerificationMethod => ({
      id: `${DID}#${id}`,
      type: 'JsonWebKey2020',
      controller: DID,
      publicKeyJwk: jwk,
    })
    const publish = (methods: VerificationMethod[], assertionMethod = methods.map(({ id }) => id)) =>
      documents.set(DID, { document: { id: DID, verificationMethod: methods, assertionMethod } })
    const verify = (kid: unknown) => agent.didJwtVerify({ jwt: signer.sign({ iss: DID }, { kid }), did: DID })
    return { agent, documents, signer, method, publish, verify }
  }

  for (const type of TYPES)
    it(`is a bare DID, a bare fragment or a thumbprint that leads to one ${type} key`, async () => {
      const { signer, documents, verify } = setUp(type)
      const kids = [
        DID,
        'key-1',
        await calculateJwkThumbprint(signer.key.jwk),
        await calculateJwkThumbprintUri(signer.key.jwk),
      ]
      for (const form of methodForms(signer.key)) {
        const method = { type: '', ...form, id: signer.kid, controller: DID }
        documents.set(DID, {
          document: { id: DID, verificationMethod: [method], assertionMethod: [method.id] },
        })
        for (const kid of kids) assert.equal((await verify(kid)).signer, signer.kid, `${kid} ${method.type}`)
      }
    })

  it('is taken as jose writes it', async () => {
    const { agent, signer } = setUp()
    const jwt = await new SignJWT({ iss: DID })
      .setProtectedHeader({ alg: 'EdDSA', kid: await calculateJwkThumbprint(signer.key.jwk) })
      .sign(signer.key.privateKey)
    assert.equal((await agent.didJwtVerify({ jwt, did: DID })).signer, signer.kid)
  })

  it('chooses among several keys by fragment and thumbprint', async () => {
    const { signer, method, publish, verify } = setUp()
    publish([method('other', createForeignKey()), method('key-1', signer.key)])
    for (const kid of ['key-1', await calculateJwkThumbprint(signer.key.jwk)])
      assert.equal((await verify(kid)).signer, signer.kid)
    await assert.rejects(verify('other'), /signature does not match/)
  })

  it('is refused with that reason if it leads to several keys', async () => {
    const { signer, method, publish, verify } = setUp()
    const other = createForeignKey()
    publish([method('key-1', signer.key), method('other', other)])
    await assert.rejects(
      verify(DID),
      /kid "did:test:issuer" leads to several keys in the assertionMethod of .*#key-1, .*#other/,
    )
    // The thumbprint of one key as the fragment of another.
    const thumbprint = await calculateJwkThumbprint(signer.key.jwk)
    publish([method(thumbprint, other), method('key-1', signer.key)])
    await assert.rejects(verify(thumbprint), /leads to several keys/)
  })

  it('leads to one key that a document lists in several encodings', async () => {
    const { signer, method, publish, verify } = setUp()
    const multikey = { ...method('multi', signer.key), ...methodForms(signer.key)[2], type: 'Multikey' }
    delete multikey.publicKeyJwk
    publish([method('key-1', signer.key), multikey])
    for (const kid of [DID, await calculateJwkThumbprint(signer.key.jwk)])
      assert.equal((await verify(kid)).signer, signer.kid)
    assert.equal((await verify('multi')).signer, `${DID}#multi`)
  })

  it('leads only to keys that the relationship allows', async () => {
    const { signer, method, publish, verify } = setUp()
    publish([method('key-1', signer.key), method('other', createForeignKey())], [`${DID}#other`])
    for (const kid of ['key-1', await calculateJwkThumbprintUri(signer.key.jwk)])
      await assert.rejects(verify(kid), /is not a key in the assertionMethod of "did:test:issuer"/)
    await assert.rejects(verify(DID), /signature does not match/)
  })

  it('is refused before anything is looked up if it is one of another DID', async () => {
    const { agent, signer, documents } = setUp()
    const mallory = new ForeignSigner('did:test:mallory', documents)
    let looked = 0
    const resolve = documents.get.bind(documents)
    documents.get = (did) => {
      looked += 1
      return resolve(did)
    }
    for (const kid of [
      mallory.did,
      mallory.kid,
      `${DID}2`,
      `${DID}?versionId=1#key-1`,
      'DID:test:issuer',
      '',
    ])
      await assert.rejects(
        agent.didJwtVerify({ jwt: mallory.sign({ iss: DID }, { kid }), did: DID }),
        /which is not a key of "did:test:issuer"/,
        kid,
      )
    assert.equal(looked, 0)
    assert.ok(signer)
  })

  it('is refused if it is close to a name, or of another kind', async () => {
    const { signer, verify } = setUp()
    const thumbprint = await calculateJwkThumbprint(signer.key.jwk)
    const sha512 = await calculateJwkThumbprintUri(signer.key.jwk, 'sha512')
    for (const kid of [
      'KEY-1',
      'key-1 ',
      'key-1#',
      'key%2D1',
      `${thumbprint}=`,
      thumbprint.toLowerCase(),
      sha512,
    ])
      await assert.rejects(verify(kid), /is not a key in/, kid)
    for (const kid of [7, null, ['key-1'], {}]) await assert.rejects(verify(kid), /not a string/)
  })

  it('is not compared with any number of keys', async () => {
    const { signer, method, publish, verify } = setUp()
    const others = Array.from({ length: 150 }, (_, n) => method(`other-${n}`, createForeignKey()))
    publish([...others, method('key-1', signer.key)])
    for (const kid of [DID, await calculateJwkThumbprint(signer.key.jwk)])
      await assert.rejects(verify(kid), /the kid is no DID URL, and .* has more than 100 keys/)
    for (const kid of ['key-1', '#key-1']) assert.equal((await verify(kid)).signer, signer.kid)
  })
})
