import assert from 'node:assert/strict'
import { createHash, createPublicKey, type JsonWebKey } from 'node:crypto'
import { SDJwtInstance } from '@sd-jwt/core'
import type { CredentialIssueArgs, Problem } from '@vidimus/core-types'
import { compactVerify, jwtVerify } from 'jose'
import { digest, disclosure, foreignSdJwt, partsOf, sdJwtSetUp, V2, VCT } from './sd-jwt-setup.js'
import { assertRefused, NOW, SECONDS, SUBJECT } from './verification-setup.js'

const hasher = (data: string | ArrayBuffer) =>
  createHash('sha256')
    .update(typeof data === 'string' ? data : new Uint8Array(data))
    .digest()

/** What @sd-jwt/core makes of an SD-JWT, its signature verified by jose. */
async function byOthers(sdJwt: string, jwk: JsonWebKey | undefined) {
  const key = createPublicKey({ key: jwk ?? {}, format: 'jwk' })
  const verifier = async (data: string, signature: string) => {
    await compactVerify(`${data}.${signature}`, key)
    return true
  }
  const { payload } = await new SDJwtInstance({ hasher, verifier }).verify(sdJwt, {
    currentDate: SECONDS,
  })
  return payload
}

describe('SD-JWT VCs', () => {
  for (const keyType of ['Ed25519', 'Secp256r1'] as const) {
    it(`are verified by @sd-jwt/core and jose, signed with ${keyType}`, async () => {
      const { did, holderDid, issue, verify, publicJwk } = await sdJwtSetUp({ issuer: keyType })
      const credential = await issue({
        attributes: { given_name: 'Ada', address: { street: 'A', town: 'B' }, nationalities: ['GB', 'FR'] },
        disclosureFrame: {
          _sd: ['given_name', 'address'],
          _sd_decoy: 2,
          address: { _sd: ['street'] },
          nationalities: { _sd: [1] },
        },
        validUntil: '2030-01-01T00:00:00Z',
      })
      const sdJwt = String(credential.proof.jwt)
      const { header, payload, disclosures } = partsOf(sdJwt)
      assert.equal(header?.typ, 'dc+sd-jwt')
      assert.equal(disclosures.length, 4)
      assert.equal((payload?._sd as string[]).length, 4)
      assert.deepEqual(Object.keys(payload ?? {}).sort(), [
        ...['_sd', '_sd_alg', 'cnf', 'exp', 'iat', 'iss', 'nationalities', 'sub', 'vct'],
      ])
      const { proof: _, ...claims } = credential
      assert.deepEqual(claims, {
        iss: did,
        iat: SECONDS,
        exp: Date.parse('2030-01-01') / 1000,
        vct: VCT,
        sub: holderDid,
        cnf: claims.cnf as unknown,
        given_name: 'Ada',
        address: { street: 'A', town: 'B' },
        nationalities: ['GB', 'FR'],
      })
      assert.deepEqual(await byOthers(sdJwt, await publicJwk(did)), claims)
      for (const shown of [sdJwt, credential]) {
        const { verified, issuer, subject, problems } = await verify(shown)
        assert.deepEqual([verified, problems], [true, undefined])
        assert.deepEqual([issuer, subject], [did, holderDid])
      }
    })
  }

  it('can be signed with secp256k1 and contain no disclosures', async () => {
    const { issue, verify } = await sdJwtSetUp({ issuer: 'Secp256k1' })
    const { proof } = await issue()
    const { header, payload, disclosures } = partsOf(String(proof.jwt))
    assert.deepEqual([header?.alg, disclosures, payload?._sd_alg], ['ES256K', [], undefined])
    assert.match(String(proof.jwt), /~$/)
    assert.equal((await verify(proof.jwt)).verified, true)
  })

  it('are bound to the key of a subject DID', async () => {
    const { holderDid, issue, publicJwk } = await sdJwtSetUp({ holder: 'Secp256r1' })
    const { cnf } = (await issue()) as unknown as { cnf: { jwk: JsonWebKey } }
    const { x, y } = (await publicJwk(holderDid)) ?? {}
    assert.deepEqual(cnf.jwk, { kty: 'EC', crv: 'P-256', x, y })
    const anybody = await issue({ subjectDid: undefined })
    assert.deepEqual([anybody.cnf, anybody.sub], [undefined, undefined])
    await assert.rejects(issue({ subjectDid: SUBJECT }), {
      code: 'did_not_resolvable',
      details: [{ path: 'subjectDid', message: `"${SUBJECT}" cannot be resolved: notFound` }],
    })
  })

  it('verify with claims withheld by their holder', async () => {
    const { issue, verify } = await sdJwtSetUp()
    const { proof } = await issue({ disclosureFrame: { _sd: ['given_name', 'age'] } })
    const { jwt, disclosures } = partsOf(String(proof.jwt))
    const shown = await Promise.all(
      [[], disclosures.slice(0, 1), [...disclosures].reverse()].map((some) =>
        verify([jwt, ...some, ''].join('~')),
      ),
    )
    assert.ok(shown.every(({ verified }) => verified))
    const names = shown.map(({ credential = {} }) =>
      ['given_name', 'age'].filter((name) => name in credential),
    )
    assert.deepEqual(names, [[], ['given_name'], ['given_name', 'age']])
  })

  it('verify if built by hand according to RFC 9901', async () => {
    const { issuer, verify } = await sdJwtSetUp()
    const inner = disclosure('street', 'A')
    const outer = disclosure('address', { _sd: [digest(inner)] })
    const element = disclosure('FR')
    const claims = {
      _sd: [digest(outer), digest('decoy')],
      list: ['GB', { '...': digest(element) }, { '...': 'x' }],
    }
    const { credential, problems } = await verify(foreignSdJwt(issuer, claims, [inner, outer, element]))
    assert.deepEqual(problems, undefined)
    assert.deepEqual([credential?.address, credential?.list], [{ street: 'A' }, ['GB', 'FR']])
    const wide = disclosure('name', 'Ada')
    for (const [alg, hash] of Object.entries({ 'sha-384': 'sha384', 'sha-512': 'sha512' })) {
      const sdJwt = foreignSdJwt(issuer, { _sd_alg: alg, _sd: [digest(wide, hash)] }, [wide])
      assert.equal((await verify(sdJwt)).credential?.name, 'Ada')
    }
    assert.ok((await verify(foreignSdJwt(issuer, {}, [], { typ: 'vc+sd-jwt' }))).verified, 'the older typ')
    assert.ok((await verify(foreignSdJwt(issuer, {}, [], { typ: 'application/dc+sd-jwt' }))).verified)
    const envelope = { '@context': [V2], type: 'EnvelopedVerifiableCredential' }
    const sdJwt = foreignSdJwt(issuer, { _sd: [digest(wide)] }, [wide])
    assert.ok((await verify({ ...envelope, id: `data:application/dc+sd-jwt,${sdJwt}` })).verified)
  })

  it('do not verify after any change', async () => {
    const { issue, verify } = await sdJwtSetUp()
    const credential = await issue({ disclosureFrame: { _sd: ['given_name'] }, validUntil: '2030-01-01' })
    const sdJwt = String(credential.proof.jwt)
    const { jwt, payload = {}, disclosures } = partsOf(sdJwt)
    const [header = '', , signature = ''] = jwt.split('.')
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    for (const name of Object.keys(payload)) {
      const { [name]: value, ...others } = payload
      for (const forged of [others, { ...payload, [name]: typeof value === 'number' ? value + 1 : ['x'] }]) {
        const text = [`${header}.${encode(forged)}.${signature}`, ...disclosures, ''].join('~')
        assert.equal((await verify(text)).verified, false, name)
      }
    }
    for (const changed of [{ given_name: 'Eve' }, { age: 37 }, { extra: 1 }, { vct: 'x' }]) {
      assertRefused(await verify({ ...credential, ...changed }), 'document', /does not match its JWT/)
    }
    const [name = ''] = disclosures
    const [salt] = JSON.parse(Buffer.from(name, 'base64url').toString()) as string[]
    assertRefused(
      await verify(sdJwt.replace(name, encode([salt, 'given_name', 'Eve']))),
      'format',
      /without a signed digest/,
    )
  })

  it('expire and have their status checked', async () => {
    const { issuer, verify } = await sdJwtSetUp()
    assertRefused(await verify(foreignSdJwt(issuer, { exp: SECONDS - 90 })), 'validity', /expired/)
    assertRefused(await verify(foreignSdJwt(issuer, { nbf: SECONDS + 90 })), 'validity', /not valid before/)
    const credentialStatus = { id: 'urn:revoked', type: 'TestStatus' }
    assertRefused(await verify(foreignSdJwt(issuer, { credentialStatus })), 'status', /revoked/)
  })

  it('refuse arguments that have no meaning for them', async () => {
    const { issue } = await sdJwtSetUp()
    const refused = (args: Partial<CredentialIssueArgs>): Promise<string[]> =>
      issue(args).then(
        () => assert.fail('it was issued'),
        ({ details }: { details: Problem[] }) => details.map(({ path }) => path).sort(),
      )
    assert.deepEqual(await refused({ type: ['Person'], name: 'N', '@context': ['https://a.example'] }), [
      ...['@context', 'name', 'type'],
    ])
    assert.deepEqual(await refused({ vct: undefined }), ['vct'])
    assert.deepEqual(
      await refused({ attributes: { iss: 'x', status: {}, cnf: {}, a: { _sd: [], b: [{ '...': 1 }] } } }),
      ['attributes.a._sd', 'attributes.a.b[0]....', 'attributes.cnf', 'attributes.iss', 'attributes.status'],
    )
    const attributes = { a: 1, b: ['x'], c: { d: 1 } }
    const frame = {
      ...{ _sd: ['a', 'z', 'toString'], _sd_decoy: 1.5, a: {}, b: { _sd: [0, 1, '0'] } },
      ...{ c: { _sd: 'd' }, e: { _sd: [] } },
    }
    assert.deepEqual(await refused({ attributes, disclosureFrame: frame }), [
      ...['disclosureFrame._sd[1]', 'disclosureFrame._sd[2]', 'disclosureFrame._sd_decoy'],
      ...['disclosureFrame.a', 'disclosureFrame.b._sd[1]', 'disclosureFrame.b._sd[2]'],
      ...['disclosureFrame.c._sd', 'disclosureFrame.e'],
    ])
    assert.deepEqual(await refused({ format: 'jwt_vc', vct: VCT, disclosureFrame: {} }), [
      'disclosureFrame',
      'vct',
    ])
    const credentialStatus = { id: 'urn:x', type: 'BitstringStatusListEntry' }
    assert.deepEqual(await refused({ credentialStatus }), ['credentialStatus'])
  })
})

describe('data model 2.0 credentials as SD-JWT', () => {
  it('are the payload, with selectively disclosable subject claims', async () => {
    const { did, holderDid, issue, verify, publicJwk } = await sdJwtSetUp()
    const format = 'vc+sd-jwt'
    const credential = await issue({ format, disclosureFrame: { _sd: ['given_name'] }, name: 'N' })
    const sdJwt = String(credential.proof.jwt)
    const { jwt, header, payload, disclosures } = partsOf(sdJwt)
    assert.deepEqual([header?.typ, header?.cty], ['vc+sd-jwt', 'vc'])
    const { _sd, ...subject } = payload?.credentialSubject as Record<string, unknown>
    assert.deepEqual([(_sd as string[]).length, subject], [1, { age: 36, id: holderDid }])
    await jwtVerify(jwt, createPublicKey({ key: (await publicJwk(did)) ?? {}, format: 'jwk' }), {
      currentDate: NOW,
    })
    const shown = (await byOthers(sdJwt, await publicJwk(did))) as Record<string, unknown>
    assert.deepEqual(shown.credentialSubject, { age: 36, id: holderDid, given_name: 'Ada' })
    const enveloped = (text: string) => ({
      '@context': [V2],
      type: 'EnvelopedVerifiableCredential',
      id: `data:application/vc+sd-jwt,${text}`,
    })
    for (const one of [sdJwt, credential, enveloped(sdJwt), `${jwt}~`, enveloped(`${jwt}~`)]) {
      const { verified, problems, subject: about } = await verify(one)
      assert.deepEqual([verified, problems, about], [true, undefined, holderDid])
    }
    const presentation = await agentPresents()
    assert.deepEqual([presentation.verified, presentation.credentials[0]?.verified], [true, true])

    async function agentPresents() {
      const { agent, ...other } = await sdJwtSetUp()
      const own = await other.issue({ format, disclosureFrame: { _sd: ['given_name'] } })
      const { vp, proof } = await agent.presentationCreate({ credentials: [own], format: 'vp+jwt' })
      const id = `data:application/vc+sd-jwt,${String(own.proof.jwt)}`
      assert.deepEqual(vp?.verifiableCredential, [{ ...enveloped(''), id }])
      return agent.presentationVerify({ presentation: String(proof.jwt) })
    }
    assert.equal(disclosures.length, 1)
  })

  it('must satisfy the data model, whatever is withheld', async () => {
    const { issuer, verify } = await sdJwtSetUp()
    const signed = (members: object, disclosures: string[] = []) =>
      [
        issuer.sign(
          {
            '@context': [V2],
            type: ['VerifiableCredential'],
            issuer: issuer.did,
            credentialSubject: { name: 'Ada' },
            ...members,
          },
          { typ: 'vc+sd-jwt' },
        ),
        ...disclosures,
        '',
      ].join('~')
    assert.ok((await verify(signed({}))).verified)
    const name = disclosure('issuer', issuer.did)
    const refusals: [string, RegExp][] = [
      [signed({ issuer: undefined, _sd: [digest(name)] }, [name]), /its members must not be selectively/],
      [signed({ _sd: [digest('withheld')] }), /its members must not be selectively/],
      [signed({ type: ['VerifiableCredential', { '...': digest('a') }] }), /its type must not be/],
      [signed({ credentialStatus: { type: 'X', _sd: [digest('a')] } }), /its credentialStatus must not be/],
      [signed({ issuer: 'did:test:other', iss: issuer.did }), /the iss of the JWT/],
      [signed({ type: 'Person' }), /its type must include/],
      [signed({ credentialSubject: {} }), /credentialSubject must be/],
    ]
    for (const [text, message] of refusals) assertRefused(await verify(text), 'format', message)
  })
})
