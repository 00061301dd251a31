import assert from 'node:assert/strict'
import { verifyCredential, verifyPresentation } from 'did-jwt-vc'
import { Resolver, type DIDResolutionResult } from 'did-resolver'
import { compactVerify, decodeJwt, decodeProtectedHeader, importJWK, type JWK } from 'jose'
import { refusedInBothEncodings } from '../support/refused.js'
import type { Client } from '../support/client.js'
import { createSharedDid } from '../support/signed-elsewhere.js'
import { check, search, update } from './status-list.js'
import { createDid, createList, listTypesOn, type Setup } from './suite.js'

interface Credential extends Record<string, unknown> {
  proof: { type: string; jwt: string }
}
interface Presentation {
  vp: { '@context': string[]; type: string[]; verifiableCredential: string[] }
  nbf: number
  exp: number
  iss: string
  aud: string[]
  note: string
  proof: { type: string; jwt: string }
}
interface Verdict {
  verified: boolean
  checks: { check: string; ok: boolean }[]
  problems?: { path: string; message: string }[]
}

/** Resolves through the service, for libraries that know nothing of it. */
const resolverOver = (client: Client) => {
  const resolve = (did: string) => client.ok('GET', `/did/search/${did}`) as Promise<DIDResolutionResult>
  return new Resolver({ cheqd: resolve, key: resolve, jwk: resolve })
}

export function presentationSuite(setup: Setup): void {
  const { client, stranger } = setup
  const issue = (issuerDid: string, subjectDid: string, more: Record<string, unknown> = {}) =>
    client().ok('POST', '/credential/issue', {
      json: { issuerDid, subjectDid, type: ['Degree'], attributes: { degree: 'Master' }, ...more },
    }) as Promise<Credential>
  const present = (body: Record<string, unknown>) =>
    client().ok('POST', '/presentation/create', { json: body }) as Promise<Presentation>
  const verify = (path: string, body: Record<string, unknown>) =>
    client().ok('POST', path, { json: body }) as Promise<Verdict>

  let issuer: string
  let holder: string
  let credential: Credential
  before(async () => {
    issuer = await createDid(client(), { verificationMethodType: 'JsonWebKey2020' })
    holder = await createDid(client())
    credential = await issue(issuer, holder)
  })

  describe('POST /credential/issue', () => {
    it('issues what independent libraries verify, with a kid', async () => {
      const { jwt } = credential.proof
      const { kid } = decodeProtectedHeader(jwt)
      assert.equal(kid, `${issuer}#key-1`)
      const document = (await resolverOver(client()).resolve(issuer)).didDocument
      const jwk = document?.verificationMethod?.[0]?.publicKeyJwk as JWK
      await compactVerify(jwt, await importJWK(jwk, 'EdDSA'))
      const { verifiableCredential } = await verifyCredential(jwt, resolverOver(client()))
      assert.equal(verifiableCredential.credentialSubject.degree, 'Master')
    })

    it('refuses an issuer of another account as if it did not exist', async () => {
      const foreign = await createDid(stranger())
      for (const issuerDid of [foreign, 'did:cheqd:testnet:8fa85f64-5717-4562-b3fc-2c963f66afa6']) {
        await refusedInBothEncodings(
          client(),
          '/credential/issue',
          { issuerDid, subjectDid: holder, attributes: { a: 1 } },
          { code: 'did_not_found', path: 'issuerDid' },
        )
      }
    })
  })

  describe('POST /credential/verify', () => {
    it('verifies a valid one as JWT and as object', async () => {
      assert.equal((await verify('/credential/verify', { credential: credential.proof.jwt })).verified, true)
      assert.equal((await verify('/credential/verify', { credential })).verified, true)
    })

    it('detects a changed object, whatever its proof type', async () => {
      for (const type of ['JwtProof2020', 'SomethingElse']) {
        const forged = {
          ...credential,
          credentialSubject: { id: holder, degree: 'Doctor' },
          proof: { ...credential.proof, type },
        }
        assert.equal((await verify('/credential/verify', { credential: forged })).verified, false, type)
      }
    })

    it('returns the same structure for garbage', async () => {
      for (const garbage of ['garbage', 'a.b.c', {}]) {
        const verdict = await verify('/credential/verify', { credential: garbage })
        assert.equal(verdict.verified, false)
        assert.ok(verdict.problems?.length)
      }
    })

    it('refuses an expired one', async () => {
      const { sign } = await createSharedDid(client())
      const verified = async (exp: number) =>
        (await verify('/credential/verify', { credential: await sign({}, { exp }) })).verified
      assert.equal(await verified(1_600_000_000), false)
      assert.equal(await verified(4_000_000_000), true)
    })

    for (const listType of listTypesOn(setup, ['BitstringStatusList', 'StatusList2021'])) {
      it(`follows a credential to its ${listType} and fails closed`, async () => {
        const list = await createList(client(), { did: issuer, listType })
        const { resourceMetadata } = await search(client(), list, 'revocation', listType)
        const url = `${issuer}?resourceName=${list.statusListName}&resourceType=${String(resourceMetadata.resourceType)}`
        const entry = (index: number, where = url) => ({
          id: `${where}#${index}`,
          type: `${listType}Entry`,
          statusPurpose: 'revocation',
          statusListIndex: String(index),
          ...(listType === 'BitstringStatusList' && { statusListCredential: where }),
        })
        const good = await issue(issuer, holder, { credentialStatus: entry(94) })
        const bad = await issue(issuer, holder, { credentialStatus: entry(95) })
        const lost = await issue(issuer, holder, {
          credentialStatus: entry(96, url.replace('resourceName=', 'resourceName=x')),
        })
        await update(client(), list, [95], 'revoke', listType)
        assert.equal((await check(client(), list, { index: 95 }, 'revocation', listType)).revoked, true)
        for (const [{ proof, ...fields }, verified] of [
          [good, true],
          [bad, false],
          [lost, false],
        ] as const) {
          assert.equal((await verify('/credential/verify', { credential: proof.jwt })).verified, verified)
          assert.equal(
            (await verify('/credential/verify', { credential: { ...fields, proof } })).verified,
            verified,
          )
          const { proof: vp } = await present({ credentials: [proof.jwt], holderDid: holder })
          assert.equal((await verify('/presentation/verify', { presentation: vp.jwt })).verified, verified)
        }
      })
    }
  })

  describe('POST /presentation/create', () => {
    it('returns the documented members and a proof that independent libraries verify', async () => {
      const verifierDid = issuer
      const presentation = await present({
        credentials: [credential.proof.jwt],
        holderDid: holder,
        verifierDid,
      })
      assert.deepEqual(Object.keys(presentation).sort(), ['aud', 'exp', 'iss', 'nbf', 'note', 'proof', 'vp'])
      assert.equal(presentation.exp, presentation.nbf + 3600)
      assert.match(presentation.note, /test/)
      assert.equal(presentation.iss, holder)
      assert.deepEqual(presentation.aud, [verifierDid])
      assert.ok(presentation.vp.type.includes('VerifiablePresentation'))
      assert.deepEqual(presentation.vp.verifiableCredential, [credential.proof.jwt])
      const { jwt } = presentation.proof
      assert.equal(decodeProtectedHeader(jwt).kid, `${holder}#key-1`)
      const claims = decodeJwt(jwt)
      assert.deepEqual(claims.vp, presentation.vp)
      assert.equal(claims.nbf, presentation.nbf)
      assert.equal(claims.exp, presentation.exp)
      const { verifiablePresentation } = await verifyPresentation(jwt, resolverOver(client()), {
        audience: verifierDid,
      })
      assert.equal(verifiablePresentation.holder, holder)
    })

    it('accepts JWTs and objects, as JSON and as a form, and determines the holder', async () => {
      const { jwt } = credential.proof
      const forms: Record<string, string | string[]>[] = [
        { credentials: jwt },
        { credentials: [jwt, jwt] },
        { 'credentials[]': jwt },
        { credentials: `${jwt},${jwt}` },
        { credentials: JSON.stringify([jwt, credential]) },
      ]
      for (const form of forms) {
        const { iss, vp } = (await client().ok('POST', '/presentation/create', { form })) as Presentation
        assert.equal(iss, holder)
        assert.ok(vp.verifiableCredential.every((each) => each === jwt))
      }
      const fromObject = await present({ credentials: [credential] })
      assert.deepEqual(fromObject.vp.verifiableCredential, [jwt])
    })

    it('verifies only for its audience', async () => {
      const { proof } = await present({ credentials: [credential], holderDid: holder, verifierDid: issuer })
      assert.equal(
        (await verify('/presentation/verify', { presentation: proof.jwt, verifierDid: issuer })).verified,
        true,
      )
      assert.equal(
        (await verify('/presentation/verify', { presentation: proof.jwt, verifierDid: holder })).verified,
        false,
      )
    })

    it('does not verify with a single character changed', async () => {
      const { proof } = await present({ credentials: [credential], holderDid: holder })
      const [header = '', payload = '', signature = ''] = proof.jwt.split('.')
      const flipped = signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`
      assert.equal(
        (await verify('/presentation/verify', { presentation: `${header}.${payload}.${flipped}` })).verified,
        false,
      )
    })

    const bad: [string, () => Record<string, unknown>, { path: string; code?: string }][] = [
      ['no credentials', () => ({ holderDid: holder }), { path: 'credentials' }],
      ['an empty list', () => ({ credentials: [], holderDid: holder }), { path: 'credentials' }],
      [
        'a malformed JWT',
        () => ({ credentials: [credential.proof.jwt, 'garbage'], holderDid: holder }),
        { path: 'credentials[1]' },
      ],
      [
        'an object without proof',
        () => ({ credentials: [{ ...credential, proof: undefined }], holderDid: holder }),
        { path: 'credentials[0]' },
      ],
      [
        'a holder that cannot be determined',
        () => ({ credentials: [credential.proof.jwt], holderDid: '' }),
        { path: 'holderDid' },
      ],
      [
        'a holder that no account holds',
        () => ({
          credentials: [credential.proof.jwt],
          holderDid: 'did:cheqd:testnet:9fa85f64-5717-4562-b3fc-2c963f66afa6',
        }),
        { path: 'holderDid' },
      ],
      [
        'a verifier that is not a DID',
        () => ({ credentials: [credential.proof.jwt], holderDid: holder, verifierDid: 'me' }),
        { path: 'verifierDid' },
      ],
    ]
    for (const [title, body, refusal] of bad) {
      it(`refuses ${title}`, () => refusedInBothEncodings(client(), '/presentation/create', body(), refusal))
    }

    it('refuses a holder of another account', async () => {
      const foreign = await createDid(stranger())
      await refusedInBothEncodings(
        client(),
        '/presentation/create',
        { credentials: [credential.proof.jwt], holderDid: foreign },
        { code: 'did_not_found', path: 'holderDid' },
      )
    })
  })
}
