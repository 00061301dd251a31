import assert from 'node:assert/strict'
import {
  constants,
  createPrivateKey,
  createPublicKey,
  sign,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto'
import { bytesToBase58 } from 'did-jwt'
import { calculateJwkThumbprint, SignJWT, type JWTPayload } from 'jose'
import type { VerificationMethod } from 'did-resolver'
import { jwkOf, pairInDer } from '../../../../test/support/outside-key.js'
import { foreignLdp } from '../../../../test/support/digitalbazaar.js'
import { dataIntegrity } from '../data-integrity/data-integrity-credentials.js'
import { JoseCredentials } from '../jose/jose-credentials.js'
import { JwtCredentials } from '../jwt/jwt-credentials.js'
import { createKeyDid } from './test-agent.js'
import { assertRefused, NOW, SECONDS, setUpVerification, SUBJECT } from './verification-setup.js'

const ISSUER = 'did:test:others'
const KID = `${ISSUER}#key-1`

interface Pair {
  privateKey: KeyObject
  jwk: JsonWebKey
}

function pairOf(kind: string | number, exponent?: number): Pair {
  const made = pairInDer(kind, exponent)
  const privateKey = createPrivateKey({ key: made.privateKey, format: 'der', type: 'pkcs8' })
  return { privateKey, jwk: jwkOf(createPublicKey({ key: made.publicKey, format: 'der', type: 'spki' })) }
}

const P384 = pairOf('P-384')
const RSA = pairOf(2048)

/** [alg, key] */
const SUPPORTED: readonly [string, Pair][] = [
  ['ES384', P384],
  ['RS256', RSA],
  ['PS256', RSA],
]

describe('algorithms that others sign with', () => {
  const setUp = () => {
    const test = setUpVerification({
      options: { clock: () => NOW, formats: [JwtCredentials, JoseCredentials, dataIntegrity()] },
    })
    const publish = (method: Partial<VerificationMethod>) =>
      test.documents.set(ISSUER, {
        document: {
          id: ISSUER,
          verificationMethod: [{ type: 'JsonWebKey', ...method, id: KID, controller: ISSUER }],
          assertionMethod: [KID],
          authentication: [KID],
        },
      })
    const publishJwk = (jwk: object) => publish({ publicKeyJwk: jwk as never })
    return { ...test, publish, publishJwk }
  }
  const claims = (iss: string): JWTPayload => ({
    iss,
    nbf: SECONDS - 60,
    vc: {
      '@context': ['https://www.w3.org/2018/credentials/v1'],
      type: ['VerifiableCredential'],
      credentialSubject: { name: 'Ada' },
    },
  })
  const signed = (alg: string, { privateKey }: Pair, header: object = {}, iss = ISSUER) =>
    new SignJWT(claims(iss)).setProtectedHeader({ alg, kid: `${iss}#key-1`, ...header }).sign(privateKey)

  for (const [alg, pair] of SUPPORTED) {
    it(`verify with ${alg}, as jose signs`, async () => {
      const { publishJwk, verify } = setUp()
      publishJwk(pair.jwk)
      for (const kid of [KID, undefined, await calculateJwkThumbprint(pair.jwk)]) {
        const result = await verify(await signed(alg, pair, { kid }))
        assert.deepEqual([result.verified, result.problems, result.signer], [true, undefined, KID])
      }
    })

    it(`do not verify with ${alg} after a change, or with another key`, async () => {
      const { publishJwk, verify } = setUp()
      publishJwk(pair.jwk)
      const [header = '', payload = '', signature = ''] = (await signed(alg, pair)).split('.')
      const other = Buffer.from(payload, 'base64url').toString().replace('Ada', 'Eve')
      const bytes = Buffer.from(signature, 'base64url')
      const flipped = Buffer.from(bytes)
      flipped[7] = (flipped[7] ?? 0) ^ 1
      for (const [content, mac] of [
        [Buffer.from(other).toString('base64url'), signature],
        [payload, flipped.toString('base64url')],
        [payload, bytes.subarray(1).toString('base64url')],
        [payload, Buffer.concat([Buffer.alloc(1), bytes]).toString('base64url')],
        [payload, Buffer.alloc(bytes.length).toString('base64url')],
      ])
        assertRefused(await verify(`${header}.${content}.${mac}`), 'signature', /signature does not match/)
      publishJwk(alg === 'ES384' ? pairOf('P-384').jwk : pairOf(2048).jwk)
      assertRefused(await verify(await signed(alg, pair)), 'signature', /signature does not match/)
    })
  }

  it('verify with RSA keys of the largest size and of the exponent 3', async () => {
    const { publishJwk, verify } = setUp()
    for (const pair of [pairOf(4096), pairOf(2048, 3)]) {
      publishJwk(pair.jwk)
      for (const alg of ['RS256', 'PS256'])
        assert.equal((await verify(await signed(alg, pair))).verified, true, alg)
    }
  })

  it('do not verify where the alg is not that of the key', async () => {
    const { publishJwk, verify } = setUp()
    const input = (alg: string) =>
      [{ alg, kid: KID }, claims(ISSUER)]
        .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
        .join('.')
    const with384 = (alg: string, digest: string) =>
      `${input(alg)}.${sign(digest, Buffer.from(input(alg)), { key: P384.privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
    publishJwk(P384.jwk)
    for (const [alg, digest] of [
      ['ES256', 'sha256'],
      ['ES384', 'sha256'],
      ['EdDSA', 'sha384'],
      ['RS256', 'sha256'],
    ] as const)
      assertRefused(await verify(with384(alg, digest)), 'signature', /signature does not match/)
    publishJwk(RSA.jwk)
    const pss = await signed('PS256', RSA)
    const renamed = `${input('RS256')}.${pss.split('.')[2] ?? ''}`
    assertRefused(await verify(renamed), 'signature', /signature does not match/)
    const shortSalt = sign('sha256', Buffer.from(input('PS256')), {
      key: RSA.privateKey,
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength: 20,
    })
    const salted = `${input('PS256')}.${shortSalt.toString('base64url')}`
    assertRefused(await verify(salted), 'signature', /signature does not match/)
  })

  it('of which a refused one is named', async () => {
    const { publishJwk, verify } = setUp()
    publishJwk(RSA.jwk)
    for (const alg of ['RS384', 'RS512', 'PS384', 'PS512']) {
      const result = await verify(await signed(alg, RSA))
      assertRefused(result, 'format', new RegExp(`alg of the JWT is "${alg}", which is not supported`))
      assert.equal(result.checks.find(({ ok }) => !ok)?.code, 'algorithm_not_supported')
    }
  })

  it('of which a refused curve or size of a key is named', async () => {
    const { publishJwk, publish, verify, agent } = setUp()
    const P521 = pairOf('P-521')
    const n = (bits: number) => Buffer.alloc(bits / 8, 255).toString('base64url')
    const jwt = await signed('ES384', P384)
    for (const [jwk, name] of [
      [P521.jwk, /#key-1" is P-521, which is not supported/],
      [{ kty: 'OKP', crv: 'Ed448', x: 'AAAA' }, /is Ed448, which/],
      [{ kty: 'RSA', n: n(1024), e: 'AQAB' }, /is RSA with 1024 bits \(supported: 2048 to 4096\), which/],
      [{ kty: 'RSA', n: n(2040), e: 'AQAB' }, /is RSA with 2040 bits/],
      [{ kty: 'RSA', n: n(4104), e: 'AQAB' }, /is RSA with 4104 bits/],
      [{ kty: 'RSA', n: n(2048), e: 'AAAB' }, /is RSA with another public exponent than 65537 or 3/],
      [{ kty: 'AKP', alg: 'ML-DSA-44', pub: 'AAAA' }, /is AKP, which/],
    ] as const) {
      publishJwk(jwk)
      for (const kid of [KID, undefined, ISSUER]) {
        const result = await verify(await signed('ES384', P384, { kid }))
        assertRefused(result, 'signature', name)
        assert.equal(result.checks.find(({ ok }) => !ok)?.code, 'algorithm_not_supported')
      }
      await assert.rejects(
        agent.didJwtVerify({ jwt, did: ISSUER }),
        (error: { code?: string }) => error.code === 'algorithm_not_supported',
      )
    }
    publish({ type: 'Multikey', publicKeyMultibase: multibase('8224', Buffer.alloc(67, 2)) })
    assertRefused(await verify(jwt), 'signature', /is P-521, which is not supported/)
    // Broken keys of a supported kind are no keys.
    for (const jwk of [
      { ...P384.jwk, y: P384.jwk.x },
      { ...P384.jwk, x: '' },
      { ...P384.jwk, use: 'enc' },
      { kty: 'EC' },
    ]) {
      publishJwk(jwk)
      assertRefused(await verify(jwt), 'signature', /is not a key in the assertionMethod/)
    }
  })

  it('verify with P-384 keys of Multikey methods and of did:key', async () => {
    const { publish, verify } = setUp()
    const { x = '', y = '' } = P384.jwk as { x: string; y: string }
    const sign = 2 + ((Buffer.from(y, 'base64url').at(-1) ?? 0) & 1)
    const id = multibase('8124', Buffer.concat([Buffer.from([sign]), Buffer.from(x, 'base64url')]))
    assert.match(id, /^z82/)
    publish({ type: 'Multikey', publicKeyMultibase: id })
    assert.equal((await verify(await signed('ES384', P384))).verified, true)
    const did = `did:key:${id}`
    const result = await verify(await signed('ES384', P384, { kid: `${did}#${id}` }, did))
    assert.deepEqual([result.verified, result.problems], [true, undefined])
    for (const [prefix, name] of [
      ['8224', 'P-521'],
      ['8524', 'RSA'],
      ['8324', 'Ed448'],
    ] as const) {
      const other = `did:key:${multibase(prefix, Buffer.alloc(60, 2))}`
      const jwt = await signed('ES384', P384, { kid: undefined }, other)
      const reason = new RegExp(`cannot be resolved: its key is ${name}, which is not supported`)
      assertRefused(await verify(jwt), 'signature', reason)
    }
  })

  it('verify Data Integrity proofs of @digitalbazaar/vc with P-384, and no changed ones', async () => {
    const { publish, verify, agent } = setUp()
    const credential = {
      '@context': ['https://www.w3.org/ns/credentials/v2'],
      type: ['VerifiableCredential'],
      issuer: ISSUER,
      validFrom: '2026-01-01T00:00:00Z',
      // Blank nodes that only hashes tell apart.
      credentialSubject: [{ id: SUBJECT, name: 'Ada' }, { name: 'Bob' }, { name: 'Cy' }],
    }
    const made = await foreignLdp(credential, 'ecdsa-rdfc-2019', ISSUER, NOW, {}, 'P-384')
    const { publicKeyMultibase = '' } = made.method
    publish({ type: 'Multikey', publicKeyMultibase })
    const result = await verify(made.credential)
    assert.deepEqual([result.verified, result.problems], [true, undefined])
    assertRefused(
      await verify({ ...made.credential, validFrom: '2026-01-02T00:00:00Z' }),
      'signature',
      /signature does not match/,
    )
    const { proof } = made.credential as { proof: { proofValue: string } }
    for (const proofValue of [
      `z${bytesToBase58(Buffer.alloc(96, 1))}`,
      `z${bytesToBase58(Buffer.alloc(64, 1))}`,
    ])
      assertRefused(
        await verify({ ...made.credential, proof: { ...proof, proofValue } }),
        'signature',
        /signature does not match/,
      )
    const long = `z${bytesToBase58(Buffer.alloc(97, 1))}`
    assertRefused(
      await verify({ ...made.credential, proof: { ...proof, proofValue: long } }),
      'format',
      /proofValue of its proof must be a signature of 64 bytes/,
    )
    assert.ok(agent)
  })

  it('are not used for Data Integrity proofs with RSA', async () => {
    const { publishJwk, verify } = setUp()
    const made = await foreignLdp(
      {
        '@context': ['https://www.w3.org/ns/credentials/v2'],
        type: ['VerifiableCredential'],
        issuer: ISSUER,
        credentialSubject: { id: SUBJECT },
      },
      'ecdsa-rdfc-2019',
      ISSUER,
      NOW,
    )
    publishJwk(RSA.jwk)
    assertRefused(await verify(made.credential), 'signature', /signature does not match/)
  })

  it('are not created', async () => {
    const { agent } = setUp()
    for (const type of ['Secp384r1', 'RSA']) {
      await assert.rejects(agent.keyManagerCreate({ kms: 'local', type: type as never }))
      await assert.rejects(createKeyDid(agent, type as never, 'did:jwk'))
    }
  })
})

const multibase = (prefix: string, bytes: Uint8Array): string =>
  `z${bytesToBase58(Buffer.concat([Buffer.from(prefix, 'hex'), bytes]))}`
