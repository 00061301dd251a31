import assert from 'node:assert/strict'
import { createHash, createPrivateKey, createPublicKey, type JsonWebKey } from 'node:crypto'
import { SDJwtInstance } from '@sd-jwt/core'
import type { AgentError } from '@vidimus/core-types'
import { calculateJwkThumbprintUri, SignJWT } from 'jose'
import { jwkOf, outsideKey, pairInDer } from '../../../../test/support/outside-key.js'
import { partsOf, sdJwtSetUp } from './sd-jwt-setup.js'
import { NOW, SECONDS } from './verification-setup.js'

const AUDIENCE = 'https://verifier.example'
const ATTRIBUTES = { attributes: { given_name: 'Ada' }, subjectDid: undefined } as const

describe('cnf of a new SD-JWT VC', () => {
  const p384 = () => {
    const made = pairInDer('P-384')
    const publicKey = createPublicKey({ key: made.publicKey, format: 'der', type: 'spki' })
    const privateKey = createPrivateKey({ key: made.privateKey, format: 'der', type: 'pkcs8' })
    return { jwk: jwkOf(publicKey), privateKey }
  }
  const KEYS = [
    ['Ed25519', 'EdDSA', outsideKey('Ed25519')],
    ['P-256', 'ES256', outsideKey('Secp256r1')],
    ['P-384', 'ES384', p384()],
  ] as const

  for (const [name, alg, { jwk, privateKey }] of KEYS)
    it(`is a ${name} key that its holder proves, with jose and @sd-jwt/core`, async () => {
      const { agent, issue } = await sdJwtSetUp()
      const { proof } = await issue({ ...ATTRIBUTES, cnf: { jwk: { ...jwk } } })
      const sdJwt = String(proof.jwt)
      const { payload } = partsOf(sdJwt)
      assert.deepEqual(payload?.cnf, { jwk: { ...jwk } })
      assert.equal(payload?.sub, undefined)
      const hasher = (text: string | ArrayBuffer) =>
        createHash('sha256')
          .update(typeof text === 'string' ? text : new Uint8Array(text))
          .digest()
      const decoded = await new SDJwtInstance({ hasher }).decode(sdJwt)
      assert.deepEqual((decoded.jwt?.payload as { cnf?: unknown }).cnf, { jwk: { ...jwk } })
      const binding = await new SignJWT({
        nonce: 'n',
        aud: AUDIENCE,
        iat: SECONDS,
        sd_hash: createHash('sha256').update(sdJwt).digest('base64url'),
      })
        .setProtectedHeader({ alg, typ: 'kb+jwt' })
        .sign(privateKey)
      const shown = { presentation: sdJwt + binding, audience: AUDIENCE, nonce: 'n' }
      const result = await agent.presentationVerify(shown)
      assert.deepEqual([result.verified, result.problems], [true, undefined], String(NOW))
      assert.equal(result.holder, await calculateJwkThumbprintUri(jwk))
    })

  it('wins over the key of the DID of the subject, which is not resolved', async () => {
    const { issue } = await sdJwtSetUp()
    const [, , { jwk }] = KEYS[1]
    const made = await issue({ subjectDid: 'did:test:unknown', cnf: { jwk: { ...jwk } } })
    const { payload } = partsOf(String(made.proof.jwt))
    assert.deepEqual([payload?.sub, payload?.cnf], ['did:test:unknown', { jwk: { ...jwk } }])
  })

  it('keeps only the members of the public key', async () => {
    const { issue } = await sdJwtSetUp()
    const [, , { jwk }] = KEYS[1]
    const more = { ...jwk, kid: 'wallet', alg: 'ES256', use: 'sig', note: 'x' }
    const { payload } = partsOf(String((await issue({ ...ATTRIBUTES, cnf: { jwk: more } })).proof.jwt))
    assert.deepEqual(payload?.cnf, { jwk: { ...jwk } })
  })

  it('is refused if it is private, of an unsupported kind, or no key that signs', async () => {
    const { issue } = await sdJwtSetUp()
    const [, , { jwk }] = KEYS[1]
    const { x } = jwk as JsonWebKey
    for (const [wrong, says] of [
      [{ ...jwk, d: 'c2VjcmV0' }, /^has private members/],
      [{ ...jwk, d: null }, /^has private members/],
      [{ kty: 'oct', k: 'c2VjcmV0' }, /^has private members/],
      [{ kty: 'EC', crv: 'P-521', x, y: x }, /^is P-521, which is not supported/],
      [{ kty: 'RSA', n: 'AQAB', e: 'AQAB' }, /^is RSA with 17 bits/],
      [{ ...jwk, y: x }, /^must be the JWK of a public key that can sign/],
      [{ ...jwk, use: 'enc' }, /^must be the JWK/],
      [outsideKey('X25519').jwk, /^must be the JWK/],
      [{}, /^must be the JWK/],
    ] as const)
      await assert.rejects(
        issue({ ...ATTRIBUTES, cnf: { jwk: wrong } } as never),
        ({ code, details }: AgentError) => {
          assert.deepEqual([code, details[0]?.path], ['invalid_input', 'cnf.jwk'])
          assert.match(details[0]?.message ?? '', says)
          assert.doesNotMatch(JSON.stringify(details), /c2VjcmV0/)
          return true
        },
      )
    for (const cnf of [{}, { jwk: 'x' }, { jwk: {}, kid: 'x' }, 'x', null])
      await assert.rejects(issue({ ...ATTRIBUTES, cnf } as never), /cnf/)
  })

  it('is for SD-JWT VCs alone', async () => {
    const { issue } = await sdJwtSetUp()
    for (const format of ['jwt_vc', 'vc+jwt', 'vc+sd-jwt'])
      await assert.rejects(issue({ format, cnf: { jwk: { ...KEYS[1][2].jwk } } }), /cnf/)
  })
})
