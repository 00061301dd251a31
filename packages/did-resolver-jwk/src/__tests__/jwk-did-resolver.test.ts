import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { BOUNDS } from '@vidimus/core-types'
import { VERIFICATION_RELATIONSHIPS } from '@vidimus/verification-methods'
import { Resolver, type DIDResolutionResult } from 'did-resolver'
import fc from 'fast-check'
import { jwkOf, outsideKey } from '../../../../test/support/outside-key.js'
import { getJwkDidResolver } from '../index.js'

const resolver = new Resolver({ ...getJwkDidResolver() })
const resolve = (did: string) => resolver.resolve(did)
const didOf = (content: unknown) =>
  `did:jwk:${Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)).toString('base64url')}`

const SIGNING = VERIFICATION_RELATIONSHIPS.filter((each) => each !== 'keyAgreement')
const { jwk: P256 } = outsideKey('Secp256r1')
const { jwk: ED25519 } = outsideKey('Ed25519')
const { jwk: X25519 } = outsideKey('X25519')
const RSA = { kty: 'RSA', n: Buffer.alloc(256, 255).toString('base64url'), e: 'AQAB' }

/** The relationships of the only key. */
function relationshipsOf({ didDocument }: DIDResolutionResult) {
  const found = VERIFICATION_RELATIONSHIPS.filter((each) => didDocument?.[each] !== undefined)
  for (const each of found) assert.deepEqual(didDocument?.[each], [`${didDocument?.id}#0`])
  return found
}

function assertInvalid({ didDocument, didResolutionMetadata }: DIDResolutionResult, says: RegExp) {
  assert.equal(didDocument, null)
  assert.equal(didResolutionMetadata.error, 'invalidDid')
  assert.match(String(didResolutionMetadata.message), says)
}

describe('the did:jwk resolver', () => {
  it('produces the example documents of the specification', async () => {
    const did =
      'did:jwk:eyJjcnYiOiJQLTI1NiIsImt0eSI6IkVDIiwieCI6ImFjYklRaXVNczNpOF91c3pFakoydHBUdFJNNEVVM3l6OTFQSDZDZEgyVjAiLCJ5IjoiX0tjeUxqOXZXTXB0bm1LdG00NkdxRHo4d2Y3NEk1TEtncmwyR3pIM25TRSJ9'
    const { didDocument, didResolutionMetadata } = await resolve(did)
    assert.deepEqual(didResolutionMetadata, { contentType: 'application/did+ld+json' })
    assert.deepEqual(didDocument, {
      '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/suites/jws-2020/v1'],
      id: did,
      verificationMethod: [
        {
          id: `${did}#0`,
          type: 'JsonWebKey2020',
          controller: did,
          publicKeyJwk: {
            crv: 'P-256',
            kty: 'EC',
            x: 'acbIQiuMs3i8_uszEjJ2tpTtRM4EU3yz91PH6CdH2V0',
            y: '_KcyLj9vWMptnmKtm46GqDz8wf74I5LKgrl2GzH3nSE',
          },
        },
      ],
      assertionMethod: [`${did}#0`],
      authentication: [`${did}#0`],
      capabilityInvocation: [`${did}#0`],
      capabilityDelegation: [`${did}#0`],
      keyAgreement: [`${did}#0`],
    })
    const forEncryption = await resolve(
      'did:jwk:eyJrdHkiOiJPS1AiLCJjcnYiOiJYMjU1MTkiLCJ1c2UiOiJlbmMiLCJ4IjoiM3A3YmZYdDl3YlRUVzJIQzdPUTFOei1EUThoYmVHZE5yZngtRkctSUswOCJ9',
    )
    assert.deepEqual(relationshipsOf(forEncryption), ['keyAgreement'])
  })

  it('gives keys of every curve all relationships, unless their use restricts them', async () => {
    const p384 = jwkOf(generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey)
    for (const jwk of [P256, outsideKey('Secp256k1').jwk, ED25519, X25519, RSA, p384]) {
      for (const [members, relationships] of [
        [{}, VERIFICATION_RELATIONSHIPS],
        [{ use: 'sig' }, SIGNING],
        [{ use: 'enc' }, ['keyAgreement']],
        [{ use: 'other', kid: 'my-key', alg: 'any' }, VERIFICATION_RELATIONSHIPS],
      ] as const) {
        const result = await resolve(didOf({ ...jwk, ...members }))
        assert.deepEqual(relationshipsOf(result), relationships, JSON.stringify({ ...jwk, ...members }))
        assert.deepEqual(result.didDocument?.verificationMethod?.[0]?.publicKeyJwk, { ...jwk, ...members })
      }
    }
  })

  it('returns the id that was requested, however its JWK is written', async () => {
    const { kty, crv, x } = ED25519
    for (const text of [
      JSON.stringify({ x, kty, crv }),
      JSON.stringify(ED25519, null, 2),
      `{"kty":"\\u004fKP","crv":"${crv}","x":"${x}","note":"ä"}`,
    ]) {
      const { didDocument } = await resolve(`${didOf(text)}?versionId=1#0`)
      assert.equal(didDocument?.id, didOf(text))
      assert.equal(didDocument.verificationMethod?.[0]?.id, `${didOf(text)}#0`)
    }
  })

  const refusals: [string, unknown, RegExp][] = [
    ['text that is not JSON', 'no JSON', /not JSON/],
    ['JSON with a byte order mark', `\ufeff${JSON.stringify(P256)}`, /not JSON/],
    [
      'JSON that is nested too deep',
      { ...P256, x5c: JSON.parse('['.repeat(100) + ']'.repeat(100)) as [] },
      /too deep/,
    ],
    ['a DID beyond the size limit', { ...P256, note: 'x'.repeat(BOUNDS.did) }, /more than 2048 characters/],
    ['a list', [P256], /not an object/],
    ['null', 'null', /not an object/],
    ['a missing key', {}, /not a public key/],
    ['a use that is not text', { ...P256, use: ['enc'] }, /use of its key/],
    ['a symmetric key', { kty: 'oct', k: 'c2VjcmV0' }, /private key/],
    ['an unknown key type', { ...P256, kty: 'XY' }, /not a public key/],
    ['a missing coordinate', { ...P256, y: undefined }, /not a public key/],
    ['a coordinate that is not text', { ...P256, y: { toString: 'y' } }, /not a public key/],
    ['a coordinate that is not base64url', { ...P256, y: `${P256.y}==` }, /not a public key/],
    ['a point that is not on the curve', { ...P256, y: P256.x }, /not a public key/],
    ['too few bytes', { ...ED25519, x: 'AAAA' }, /not a public key/],
    ['a low-order point', { ...ED25519, x: Buffer.alloc(32).toString('base64url') }, /not a public key/],
  ]
  for (const [title, content, says] of refusals) {
    it(`refuses ${title}`, async () => assertInvalid(await resolve(didOf(content)), says))
  }

  it('names a key that is not supported', async () => {
    for (const [jwk, says] of [
      [{ ...ED25519, crv: 'Ed1' }, 'its key is Ed1, which is not supported'],
      [
        { ...RSA, n: RSA.n.slice(4) },
        'its key is RSA with 2024 bits (supported: 2048 to 4096), which is not supported',
      ],
      [{ kty: 'AKP', alg: 'ML-DSA-44', pub: 'AAAA' }, 'its key is AKP, which is not supported'],
    ] as const) {
      const { didDocument, didResolutionMetadata } = await resolve(didOf(jwk))
      assert.equal(didDocument, null)
      assert.deepEqual(didResolutionMetadata, { error: 'unsupportedPublicKeyType', message: says })
    }
  })

  it('refuses anything but canonical base64url of UTF-8', async () => {
    const did = didOf(P256)
    for (const id of ['%7B%7D', 'a', 'a.b', `${did.slice(8)}:x`, 'gA==', 'e31']) {
      assertInvalid(await getJwkDidResolver().jwk(`did:jwk:${id}`, parsed(id), resolver, {}), /base64url/)
    }
    const latin = Buffer.from(JSON.stringify({ ...P256, note: 'ä' }), 'latin1').toString('base64url')
    assertInvalid(await resolve(`did:jwk:${latin}`), /not JSON in UTF-8/)
  })

  it('refuses a private key of any type without repeating any of it', async () => {
    for (const member of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k', 'oth', 'priv']) {
      for (const jwk of [P256, ED25519, RSA]) {
        assertInvalid(await resolve(didOf({ ...jwk, [member]: 'AQAB' })), /^it holds a private key$/)
        assertInvalid(await resolve(didOf({ ...jwk, [member]: null })), /^it holds a private key$/)
      }
    }
  })

  it('never throws, and returns only documents of the requested DID', async () => {
    const content = fc.oneof(
      fc.json(),
      fc
        .record(
          {
            kty: fc.constantFrom<unknown>('EC', 'OKP', 'RSA', 'oct', 7),
            crv: fc.constantFrom<unknown>('P-256', 'Ed25519', 'X25519', 'secp256k1', 'P-521', null),
            x: fc.oneof(fc.jsonValue(), fc.uint8Array({ minLength: 32, maxLength: 32 }).map(base64url)),
            y: fc.oneof(fc.jsonValue(), fc.uint8Array({ minLength: 32, maxLength: 32 }).map(base64url)),
            n: fc.oneof(fc.jsonValue(), fc.uint8Array({ maxLength: 300 }).map(base64url)),
            e: fc.oneof(fc.jsonValue(), fc.constant('AQAB')),
            use: fc.jsonValue(),
          },
          { requiredKeys: [] },
        )
        .map((jwk) => JSON.stringify(jwk)),
    )
    const ids = fc.oneof(content.map(base64urlOfText), fc.string(), fc.base64String())
    await fc.assert(
      fc.asyncProperty(ids, async (id) => {
        const { didDocument, didResolutionMetadata } = await getJwkDidResolver().jwk(
          `did:jwk:${id}`,
          parsed(id),
          resolver,
          {},
        )
        const error = didResolutionMetadata.error?.replace('unsupportedPublicKeyType', 'invalidDid')
        assert.equal(didDocument?.id ?? 'invalidDid', error ?? `did:jwk:${id}`)
      }),
    )
  })

  it('keeps all other members of a key', async () => {
    const reserved = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'k', 'oth', 'priv', 'use', 'n', 'e'])
    const others = fc.dictionary(
      fc.string().filter((name) => !reserved.has(name)),
      fc.jsonValue({ maxDepth: 3 }),
      { maxKeys: 5 },
    )
    await fc.assert(
      fc.asyncProperty(others, async (more) => {
        const text = JSON.stringify({ ...more, ...P256 })
        fc.pre(didOf(text).length <= BOUNDS.did)
        const { didDocument } = await resolve(didOf(text))
        assert.deepEqual(didDocument?.verificationMethod?.[0]?.publicKeyJwk, JSON.parse(text))
      }),
    )
  })
})

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
const base64urlOfText = (text: string) => Buffer.from(text).toString('base64url')
const parsed = (id: string) => ({ did: `did:jwk:${id}`, didUrl: `did:jwk:${id}`, method: 'jwk', id })
