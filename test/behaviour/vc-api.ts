import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createDid, createList, type Setup } from './suite.js'

const V2 = 'https://www.w3.org/ns/credentials/v2'
const ASKED = { challenge: 'n-1', domain: 'https://verifier.example' }

interface Problem {
  type: string
  title: string
  detail: string
}
interface Verdict {
  verified: boolean
  problemDetails?: Problem[]
  credential?: object
  results?: {
    validUntil?: { verified: boolean }
    credentialStatus?: { verified: boolean; value: number; input: object }[]
    proof?: { verified: boolean; input: object }[]
  }
}
interface PresentationVerdict extends Omit<Verdict, 'results'> {
  verifiablePresentation?: object
  results: {
    presentation: Record<
      'challenge' | 'domain' | 'holder',
      { verified: boolean; input: string } | undefined
    > & {
      proof?: { verified: boolean }[]
    }
    credentials: Verdict[]
  }
}
type Secured = Record<string, unknown> & { proof: Record<string, unknown> }

/** The VC API responds as VCALM specifies, about what the other operations create and verify. */
export function vcApiSuite({ client, stranger }: Setup): void {
  let issuer: string
  let holder: string
  before(async () => {
    issuer = await createDid(client())
    holder = await createDid(client())
  })

  const unsigned = (members: object = {}) => ({
    '@context': [V2],
    id: 'urn:uuid:8a7f3d1e-0000-4000-8000-000000000000',
    type: ['VerifiableCredential'],
    issuer: { id: issuer, name: 'ACME' },
    credentialSubject: { id: holder, name: 'Bob' },
    ...members,
  })
  const issue = async (members: object = {}, options?: object): Promise<Secured> => {
    const { status, body } = await client().post('/credentials/issue', {
      json: { credential: unsigned(members), ...(options && { options }) },
    })
    assert.equal(status, 201, JSON.stringify(body))
    return (body as { verifiableCredential: Secured }).verifiableCredential
  }
  const verify = async (verifiableCredential: object, options: object = {}) => {
    const { status, body } = await stranger().post('/credentials/verify', {
      json: { verifiableCredential, options },
    })
    return { status, body: body as Verdict }
  }
  const kinds = ({ problemDetails = [] }: { problemDetails?: Problem[] }) =>
    problemDetails.map(({ type }) => type.replace(/.*#/, ''))

  it('issues a credential unchanged, with a proof', async () => {
    const members = { name: { '@value': 'Karte', '@language': 'de' }, validUntil: '2999-01-01T00:00:00Z' }
    const { proof, ...document } = await issue(members)
    assert.deepEqual(document, unsigned(members))
    assert.deepEqual([proof.type, proof.cryptosuite], ['DataIntegrityProof', 'eddsa-rdfc-2022'])
    const { status, body } = await verify(
      { ...document, proof },
      { returnResults: true, returnCredential: true },
    )
    assert.deepEqual([status, body.verified, body.problemDetails], [200, true, undefined])
    assert.deepEqual(body.credential, { ...document, proof })
    assert.deepEqual(body.results?.proof, [{ verified: true, input: proof }])
    assert.equal(body.results?.validUntil?.verified, true)
    const plain = await client().ok('POST', '/credential/verify', {
      json: { credential: { ...document, proof } },
    })
    assert.equal((plain as Verdict).verified, true)
    assert.deepEqual(Object.keys((await verify({ ...document, proof })).body), ['verified'])
  })

  for (const format of ['vc+jwt', 'vc+sd-jwt']) {
    it(`issues and verifies ${format} in an envelope`, async () => {
      const enveloped = await issue({}, { format })
      assert.equal(enveloped.type, 'EnvelopedVerifiableCredential')
      assert.match(String(enveloped.id), new RegExp(`^data:application/${format.replace('+', '\\+')},ey`))
      assert.deepEqual((await verify(enveloped)).body, { verified: true })
      const forged = { ...enveloped, id: String(enveloped.id).replace(/,(.{40})../, ',$1AA') }
      assert.equal((await verify(forged)).status, 400)
    })
  }

  it('refuses what it cannot sign, both as a service error and as problem details', async () => {
    const foreign = await createDid(stranger())
    for (const [body, path, type, code] of [
      [{ credential: unsigned({ issuer: foreign }) }, 'credential.issuer', 'about:blank', 'did_not_found'],
      [{ credential: unsigned({ type: [] }) }, 'credential', 'MALFORMED_VALUE_ERROR', 'invalid_input'],
      [
        { credential: unsigned({ '@context': ['https://x.example'] }) },
        'credential',
        'MALFORMED_VALUE_ERROR',
      ],
      [{ credential: unsigned({ degree: 'MSc' }) }, 'credential', 'MALFORMED_VALUE_ERROR'],
      [{ credential: unsigned({ proof: {} }) }, 'credential.proof', 'MALFORMED_VALUE_ERROR'],
      [{ credential: unsigned(), options: { format: 'jwt_vc' } }, 'options.format'],
      [
        { credential: unsigned(), options: { mandatoryPointers: [] } },
        'options.mandatoryPointers',
        'UNKNOWN_OPTION_PROVIDED',
      ],
      [{ credential: unsigned(), options: { credentialId: 'urn:x' } }, 'options.credentialId'],
      [
        { credential: unsigned(), options: { credentialStatus: { statusListName: 'none' } } },
        'options.credentialStatus.statusListName',
      ],
      [{ credential: unsigned({ credentialStatus: 'x' }) }, 'credential'],
      [{}, 'credential'],
    ] as const) {
      const answer = await client().post('/credentials/issue', { json: body })
      const refusal = answer.body as Problem & { code: string; details: { path: string }[] }
      assert.equal(answer.status, 400, JSON.stringify(answer.body))
      assert.equal(refusal.details[0]?.path, path, JSON.stringify(refusal))
      if (type) assert.equal(refusal.type.replace(/.*#/, ''), type, JSON.stringify(refusal))
      if (code) assert.equal(refusal.code, code)
      assert.equal(refusal.detail, (refusal as unknown as { error: string }).error)
    }
  })

  it('distinguishes invalid and expired credentials', async () => {
    const credential = await issue()
    const changed = { ...credential, credentialSubject: { id: holder, name: 'Eve' } }
    const forged = await verify(changed, { returnProblemDetails: false })
    assert.deepEqual([forged.status, forged.body.verified], [400, false])
    assert.deepEqual(kinds(forged.body), ['CRYPTOGRAPHIC_SECURITY_ERROR'])
    const { proof: _, ...without } = credential
    for (const none of [without, {}, { ...credential, type: ['Other'] }, { ...credential, proof: [] }]) {
      const { status, body } = await verify(none)
      assert.deepEqual([status, body.verified, kinds(body)], [400, false, ['MALFORMED_VALUE_ERROR']])
    }
    const { status, body } = await verify(credential, { returnStatus: true })
    assert.deepEqual(
      [status, (body as unknown as Problem).type],
      [400, 'https://www.w3.org/TR/vcalm#UNKNOWN_OPTION_PROVIDED'],
    )
  })

  it('allocates a status and changes it through the entry', async () => {
    const purposes = ['revocation', 'suspension']
    const list = { did: issuer, listType: 'BitstringStatusList', statusPurpose: purposes }
    const { statusListName } = await createList(client(), list)
    const asked = { credentialStatus: { statusListName, statusPurpose: purposes } }
    const id = `urn:uuid:${randomUUID()}`
    const credential = await issue({ id }, asked)
    const [revocation, suspension] = credential.credentialStatus as Record<string, string>[]
    assert.ok(revocation && suspension)
    const change = (entry: object, status: unknown, by = client(), credentialId = id) =>
      by.post('/credentials/status', { json: { credentialId, credentialStatus: entry, status } })
    const verdict = async () => {
      const { status, body } = await verify(credential, { returnResults: true })
      return [status, body.verified, kinds(body), body.results?.credentialStatus?.map((one) => one.verified)]
    }
    const { statusListIndex: _i, statusListCredential: _l, ...byId } = suspension
    for (const [entry, status, code, path] of [
      [revocation, false, 400, 'status'],
      [{ ...revocation, statusPurpose: 'message' }, true, 400, 'credentialStatus.statusPurpose'],
      [{ ...suspension, statusListIndex: 'x' }, true, 404, 'credentialStatus'],
      [{ ...suspension, statusListCredential: 'https://example.com' }, true, 404, 'credentialStatus'],
    ] as const) {
      const answer = await change(entry, status)
      const { details } = answer.body as { details: { path: string }[] }
      assert.deepEqual([answer.status, details[0]?.path], [code, path])
    }
    assert.equal((await change(suspension, true, stranger())).status, 404)
    assert.equal((await change(suspension, true, client(), 'urn:uuid:none')).status, 404)
    assert.deepEqual(await verdict(), [200, true, [], [true, true]])
    const answered = await change(suspension, true)
    assert.deepEqual([answered.status, (answered.body as { status: boolean }).status], [200, true])
    const bad = [200, false, ['STATUS_VERIFICATION_ERROR'], [false, false]]
    assert.deepEqual(await verdict(), bad)
    assert.equal((await change(byId, false)).status, 200)
    assert.deepEqual(await verdict(), [200, true, [], [true, true]])
    assert.equal((await change(revocation, true)).status, 200)
    assert.deepEqual(await verdict(), bad)
    const { results } = (await verify(credential, { returnResults: true })).body
    assert.deepEqual(results?.credentialStatus?.[0]?.input, revocation)
    assert.notEqual(results.credentialStatus[0].value, 0)
  })

  it('identifies a credential without an id by the id that its issuer assigned', async () => {
    const { statusListName } = await createList(client(), { did: issuer, listType: 'BitstringStatusList' })
    const credentialId = `urn:uuid:${randomUUID()}`
    const credential = await issue({ id: undefined }, { credentialId, credentialStatus: { statusListName } })
    assert.equal(Object.hasOwn(credential, 'id'), false)
    const { type } = credential.credentialStatus as { type: string }
    const credentialStatus = { type, statusPurpose: 'revocation' }
    const answer = await client().post('/credentials/status', {
      json: { credentialId, credentialStatus, status: true },
    })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    assert.equal((await verify(credential)).body.verified, false)
  })

  it('creates and verifies presentations for one verifier', async () => {
    const verifiableCredential = [await issue(), await issue({}, { format: 'vc+jwt' })]
    const presentation = { '@context': [V2], type: ['VerifiablePresentation'], holder, verifiableCredential }
    const made = await client().post('/presentations', { json: { presentation, options: ASKED } })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    const { verifiablePresentation } = made.body as { verifiablePresentation: Secured }
    assert.deepEqual({ ...verifiablePresentation, proof: undefined }, { ...presentation, proof: undefined })
    const check = async (shown: object, options: object = ASKED) => {
      const { status, body } = await stranger().post('/presentations/verify', {
        json: { verifiablePresentation: shown, options },
      })
      return { status, body: body as PresentationVerdict }
    }
    const { status, body } = await check(verifiablePresentation, { ...ASKED, returnPresentation: true })
    assert.deepEqual([status, body.verified, body.problemDetails], [200, true, undefined])
    assert.deepEqual(body.verifiablePresentation, verifiablePresentation)
    assert.deepEqual(body.results.presentation, {
      challenge: { verified: true, input: ASKED.challenge },
      domain: { verified: true, input: ASKED.domain },
      holder: { verified: true, input: holder },
      proof: [{ verified: true, input: verifiablePresentation.proof }],
    })
    assert.deepEqual(
      body.results.credentials.map(({ verified }) => verified),
      [true, true],
    )

    const replayed = await check(verifiablePresentation, { ...ASKED, challenge: 'n-2' })
    assert.deepEqual(
      [replayed.status, replayed.body.verified, kinds(replayed.body)],
      [200, false, ['INVALID_CHALLENGE_ERROR']],
    )
    const elsewhere = await check(verifiablePresentation, { ...ASKED, domain: 'https://other.example' })
    assert.deepEqual(kinds(elsewhere.body), ['INVALID_DOMAIN_ERROR'])
    assert.equal(elsewhere.body.results.presentation.domain?.verified, false)
    const forged = await check({ ...verifiablePresentation, holder: issuer })
    assert.deepEqual([forged.status, kinds(forged.body)], [200, ['CRYPTOGRAPHIC_SECURITY_ERROR']])
    assert.equal(forged.body.results.presentation.holder?.verified, false)
    const { proof: _, ...without } = verifiablePresentation
    assert.equal((await check(without)).status, 400)
    assert.equal((await check({ ...verifiablePresentation, type: ['Other'] })).status, 400)
    const refused = await client().post('/presentations', {
      json: { presentation: { ...presentation, termsOfUse: {} }, options: {} },
    })
    assert.equal(refused.status, 400)
  })
}
