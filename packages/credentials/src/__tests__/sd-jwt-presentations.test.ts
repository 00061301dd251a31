import assert from 'node:assert/strict'
import { createHash, createPublicKey, type JsonWebKey } from 'node:crypto'
import { SDJwtInstance } from '@sd-jwt/core'
import { compactVerify, decodeJwt, jwtVerify, SignJWT } from 'jose'
import type { PresentationCreateArgs, PresentationVerifyResult } from '@vidimus/core-types'
import { createForeignKey } from './foreign-signer.js'
import { digest, disclosure, foreignSdJwt, partsOf, sdJwtSetUp } from './sd-jwt-setup.js'
import { NOW, SECONDS } from './verification-setup.js'

const ASKED = { audience: 'https://verifier.example', nonce: 'n-1' }

async function setUp(keys: Parameters<typeof sdJwtSetUp>[0] = {}) {
  const test = await sdJwtSetUp(keys)
  const credential = await test.issue({
    attributes: { given_name: 'Ada', age: 36, address: { street: 'A', town: 'B' } },
    disclosureFrame: { _sd: ['given_name', 'age', 'address'], address: { _sd: ['street'] } },
  })
  const present = (args: Partial<PresentationCreateArgs> = {}) =>
    test.agent.presentationCreate({ credentials: [credential], format: 'dc+sd-jwt', ...ASKED, ...args })
  const verify = (presentation: unknown, asked: object = ASKED): Promise<PresentationVerifyResult> =>
    test.agent.presentationVerify({ presentation: presentation as string, ...asked })
  const why = async (presentation: unknown, asked: object = ASKED) => {
    const { verified, problems = [] } = await verify(presentation, asked)
    return verified ? 'verified' : problems.map(({ message }) => message).join('; ')
  }
  return { ...test, credential, present, verify, why }
}

/** An external holder that presents an SD-JWT bound to its key. */
async function foreignHolder(
  { issuer }: Awaited<ReturnType<typeof setUp>>,
  members: Record<string, unknown> = {},
) {
  const key = createForeignKey('Secp256r1')
  const name = disclosure('name', 'Ada')
  const sdJwt = foreignSdJwt(issuer, { cnf: { jwk: key.jwk }, _sd: [digest(name)], ...members }, [name])
  const show = async (claims: object = {}, header: object = {}, of = sdJwt, by = key.privateKey) =>
    of +
    (await new SignJWT({
      iat: SECONDS,
      aud: ASKED.audience,
      nonce: ASKED.nonce,
      sd_hash: digest(of),
      ...claims,
    })
      .setProtectedHeader({ alg: 'ES256', typ: 'kb+jwt', ...header })
      .sign(by))
  return { key, sdJwt, show }
}

describe('SD-JWTs with key binding', () => {
  for (const holder of ['Ed25519', 'Secp256r1', 'Secp256k1'] as const) {
    it(`disclose what their holder selects, signed with ${holder}`, async () => {
      const { holderDid, did, present, verify, publicJwk } = await setUp({ holder })
      const shown = await present({ presentationFrame: { given_name: true, address: { street: true } } })
      const text = String(shown.proof.jwt)
      const { disclosures, payload } = partsOf(text.slice(0, text.lastIndexOf('~') + 1))
      const names = disclosures.map(
        (one) => (JSON.parse(Buffer.from(one, 'base64url').toString()) as string[])[1],
      )
      assert.deepEqual(names.sort(), ['address', 'given_name', 'street'])
      assert.deepEqual([shown.iss, shown.aud, shown.nonce], [holderDid, [ASKED.audience], ASKED.nonce])
      for (const presentation of [shown.proof.jwt, shown]) {
        const verdict = await verify(presentation, { ...ASKED, requireHolderIsSubject: true })
        assert.deepEqual([verdict.verified, verdict.problems], [true, undefined])
        assert.equal(verdict.holder, holderDid)
        assert.match(String(verdict.signer), /^urn:ietf:params:oauth:jwk-thumbprint:sha-256:/)
        const [{ credential, holderIsSubject } = {}] = verdict.credentials
        assert.deepEqual([credential?.given_name, credential?.age], ['Ada', undefined])
        assert.deepEqual([credential?.address, holderIsSubject], [{ street: 'A', town: 'B' }, true])
      }
      if (holder === 'Secp256k1') return
      const { cnf } = payload as { cnf: { jwk: JsonWebKey } }
      const verifier = (jwk: JsonWebKey) => async (data: string, signature: string) => {
        await compactVerify(`${data}.${signature}`, createPublicKey({ key: jwk, format: 'jwk' }))
        return true
      }
      const instance = new SDJwtInstance({
        hasher: (data: string | ArrayBuffer) =>
          createHash('sha256')
            .update(data as string)
            .digest(),
        verifier: verifier((await publicJwk(did)) ?? {}),
        kbVerifier: verifier(cnf.jwk),
      })
      const { kb } = await instance.verify(text, {
        keyBindingNonce: ASKED.nonce,
        currentDate: SECONDS,
      })
      assert.equal(kb?.payload.aud, ASKED.audience)
    })
  }

  it('disclose everything by default, and expire', async () => {
    const { present, verify, holderDid, publicJwk } = await setUp()
    const { proof, exp, nbf } = await present({ expiresIn: 'PT5M' })
    assert.deepEqual([exp - nbf, nbf], [300, SECONDS])
    const [{ credential } = {}] = (await verify(proof.jwt)).credentials
    assert.deepEqual([credential?.given_name, credential?.age], ['Ada', 36])
    const text = String(proof.jwt)
    const binding = text.slice(text.lastIndexOf('~') + 1)
    const key = createPublicKey({ key: (await publicJwk(holderDid)) ?? {}, format: 'jwk' })
    await jwtVerify(binding, key, { audience: ASKED.audience, typ: 'kb+jwt', currentDate: NOW })
    assert.equal(decodeJwt(binding).sd_hash, digest(text.slice(0, -binding.length)))
  })

  it('are created by the bound key, for a given audience', async () => {
    const { agent, issue, did, present } = await setUp()
    const refused = (args: Partial<PresentationCreateArgs>) =>
      present(args).then(
        () => assert.fail('it was made'),
        ({ details }: { details: { path: string }[] }) => details.map(({ path }) => path),
      )
    assert.deepEqual(await refused({ audience: undefined, nonce: undefined }), ['audience', 'nonce'])
    assert.deepEqual(
      await refused({ presentationFrame: { given_name: 1, nobody: true, address: { x: true } } }),
      [...['presentationFrame.given_name', 'presentationFrame.nobody', 'presentationFrame.address.x']],
    )
    assert.deepEqual(await refused({ holderDid: did }), ['holderDid'])
    const one = await issue()
    const unbound = await issue({ subjectDid: undefined })
    const older = await agent.credentialIssue({ issuerDid: did, attributes: { a: 1 } })
    assert.deepEqual(await refused({ credentials: [one, one] }), ['credentials'])
    assert.deepEqual(await refused({ credentials: [unbound], holderDid: did }), ['credentials[0]'])
    assert.deepEqual(await refused({ credentials: [older], holderDid: did }), ['credentials[0]'])
    assert.deepEqual(await refused({ format: 'jwt_vp', presentationFrame: {} }), ['presentationFrame'])
  })

  it('from elsewhere verify for their audience and nonce only', async () => {
    const test = await setUp()
    const { show, sdJwt } = await foreignHolder(test)
    const shown = await show()
    assert.equal(await test.why(shown), 'verified')
    assert.match(String((await test.verify(shown)).holder), /^urn:ietf:params:oauth:jwk-thumbprint/)
    assert.match(await test.why(shown, { ...ASKED, nonce: 'n-2' }), /its nonce is not the expected one/)
    assert.match(
      await test.why(shown, { ...ASKED, audience: 'https://other.example' }),
      /is not for "https:\/\/other/,
    )
    assert.match(await test.why(shown, { nonce: 'n-1' }), /is not the expected audience/)
    assert.match(await test.why(sdJwt), /no key binding/)
    assert.match(
      String((await test.agent.credentialVerify({ credential: shown })).problems?.[0]?.message),
      /must end with/,
    )
  })

  it('cannot be replayed with another SD-JWT, verifier, nonce or time', async () => {
    const test = await setUp()
    const { key, show, sdJwt } = await foreignHolder(test)
    const withheld = `${partsOf(sdJwt).jwt}~`
    const binding = (await show()).slice(sdJwt.length)
    const other = createForeignKey('Secp256r1')
    const forged = await new SignJWT({
      iat: SECONDS,
      aud: ASKED.audience,
      nonce: 'n-1',
      sd_hash: digest(sdJwt),
    })
      .setProtectedHeader({ alg: 'HS256', typ: 'kb+jwt' })
      .sign(Buffer.from(key.jwk.x, 'base64url'))
    const cases: [string, RegExp][] = [
      [withheld + binding, /sd_hash/],
      [await show({ sd_hash: digest('x') }), /sd_hash/],
      [await show({ sd_hash: undefined }), /sd_hash/],
      [await show({}, {}, sdJwt, other.privateKey), /not signed with the key of its cnf/],
      [sdJwt + forged, /alg of the JWT is "HS256"/],
      [await show({}, { typ: 'JWT' }), /typ of its key binding must be kb\+jwt/],
      [await show({ nonce: undefined }), /nonce of its key binding/],
      [await show({ aud: ['https://verifier.example'] }), /aud of its key binding must be a text/],
      [await show({ iat: undefined }), /has no iat/],
      [await show({ iat: SECONDS + 120 }), /not valid before/],
      [await show({ iat: SECONDS - 3700 }), /expired/],
      [await show({ exp: SECONDS - 120 }), /expired/],
    ]
    for (const [text, message] of cases) assert.match(await test.why(text), message)
  })

  it('require a cnf with a signing key', async () => {
    const test = await setUp()
    const { key } = await foreignHolder(test)
    for (const cnf of [
      undefined,
      {},
      { jwk: { kty: 'oct', k: 'AA' } },
      { jwk: { ...key.jwk, use: 'enc' } },
      { jku: 'x' },
    ]) {
      const { show } = await foreignHolder(test, { cnf })
      assert.match(await test.why(await show()), /its cnf has no key/)
    }
    const { show, key: own } = await foreignHolder(test, { cnf: { kid: 'did:test:holder#key-1' } })
    const id = 'did:test:holder#key-1'
    const method = { id, type: 'JsonWebKey', controller: 'did:test:holder', publicKeyJwk: own.jwk }
    const document = { id: 'did:test:holder', verificationMethod: [method], authentication: [id] }
    assert.match(await test.why(await show()), /cannot be resolved/)
    test.documents.set('did:test:holder', { document })
    assert.equal(await test.why(await show()), 'verified')
    test.documents.set('did:test:holder', { document: { ...document, authentication: [] } })
    assert.match(await test.why(await show()), /is not a key in the authentication/)
  })
})
