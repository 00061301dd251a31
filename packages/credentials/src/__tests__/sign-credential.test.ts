import assert from 'node:assert/strict'
import type { CredentialSignArgs, Problem } from '@vidimus/core-types'
import { decodeJwt } from 'jose'
import { byDigitalBazaar, multikeyOf } from '../../../../test/support/digitalbazaar.js'
import { dataIntegrity } from '../data-integrity/data-integrity-credentials.js'
import { JoseCredentials } from '../jose/jose-credentials.js'
import { JwtCredentials } from '../jwt/jwt-credentials.js'
import { SdJwtCredentials } from '../sd-jwt/vc-sd-jwt.js'
import { createKeyDid, createTestAgent } from './test-agent.js'
import { NOW } from './verification-setup.js'

const FORMATS = [JwtCredentials, JoseCredentials, SdJwtCredentials, dataIntegrity()] as const

async function setUp() {
  const test = createTestAgent({ options: { clock: () => NOW, formats: FORMATS } })
  const { did } = await createKeyDid(test.agent)
  const credential = (members: object = {}) => ({
    ...{
      '@context': ['https://www.w3.org/ns/credentials/v2'],
      id: 'urn:uuid:1',
      type: ['VerifiableCredential'],
    },
    issuer: { id: did, description: 'an issuer' },
    credentialSubject: [{ id: did, name: 'Ada' }, { name: 'Bob' }],
    ...members,
  })
  const sign = (members: object = {}, args: Partial<CredentialSignArgs> = {}) =>
    test.agent.credentialSign({ credential: credential(members), ...args })
  const refusal = (members: object, args: Partial<CredentialSignArgs> = {}) =>
    sign(members, { format: 'ldp_vc', ...args }).then(
      () => assert.fail('it was signed'),
      ({ code, details = [] }: { code: string; details?: Problem[] }) => ({
        code,
        details,
        paths: details.map(({ path }) => path),
      }),
    )
  return { ...test, did, credential, sign, refusal }
}

describe('signing a credential unchanged', function () {
  it('adds only a proof, which @digitalbazaar/vc verifies', async () => {
    const { did, sign, credential, resolver } = await setUp()
    const members = { validFrom: '2025-01-01T00:00:00+01:00', name: [{ '@value': 'x', '@language': 'en' }] }
    const { proof, ...document } = await sign(members, { format: 'ldp_vc' })
    assert.deepEqual(document, credential(members))
    const [method] = (await resolver.resolve(did)).didDocument?.verificationMethod ?? []
    assert.ok(method)
    const key = { ...multikeyOf(method), id: (proof as { verificationMethod: string }).verificationMethod }
    const theirs = await byDigitalBazaar({ ...document, proof }, 'eddsa-rdfc-2022', key, NOW)
    assert.equal(theirs.verified, true, JSON.stringify(theirs.error))
  })

  it('signs one of the data model 1.1 with a Data Integrity proof, whose terms it adds', async () => {
    const { did, agent, sign, resolver, refusal } = await setUp()
    const V1 = 'https://www.w3.org/2018/credentials/v1'
    const PROOF = 'https://w3id.org/security/data-integrity/v2'
    const entry = { type: 'StatusList2021Entry', id: 'urn:x', statusListIndex: '1' }
    const status = { ...entry, statusPurpose: 'revocation', statusListCredential: 'https://example.com/1' }
    const members = {
      ...{ issuer: did, credentialSubject: { id: did } },
      issuanceDate: '2025-01-01T00:00:00Z',
    }
    const list = 'https://w3id.org/vc/status-list/2021/v1'
    for (const [context, credentialStatus, added] of [
      [[V1], undefined, [PROOF]],
      [[V1, list], status, [PROOF]],
      [[V1, 'https://w3id.org/security/data-integrity/v1'], undefined, []],
    ] as const) {
      const own = { ...members, '@context': context, ...(credentialStatus && { credentialStatus }) }
      const { proof, ...document } = await sign(own, { format: 'ldp_vc' })
      assert.deepEqual(document['@context'], [...context, ...added])
      assert.deepEqual(document.credentialStatus, credentialStatus)
      const { problems } = await agent.credentialVerify({
        credential: { ...document, proof } as never,
        statusPolicy: 'skip',
      })
      assert.equal(problems, undefined)
      if (credentialStatus || added.length === 0) continue
      const [method] = (await resolver.resolve(did)).didDocument?.verificationMethod ?? []
      assert.ok(method)
      const key = { ...multikeyOf(method), id: (proof as { verificationMethod: string }).verificationMethod }
      assert.equal(
        (await byDigitalBazaar({ ...document, proof }, 'eddsa-rdfc-2022', key, NOW)).verified,
        true,
      )
    }
    const refused = async (change: object, format?: string) =>
      (await refusal({ ...members, '@context': [V1], ...change }, { format: format ?? 'ldp_vc' })).details
    for (const format of ['vc+jwt', 'vc+sd-jwt', 'jwt_vc']) {
      const [{ path, message } = assert.fail()] = await refused({}, format)
      assert.deepEqual(
        [path, message],
        ['format', 'must be one that signs credentials of the data model 1.1 as they are: ldp_vc'],
      )
    }
    for (const [change, expected] of [
      [{ issuanceDate: 'today' }, /the issuanceDate must be/],
      [{ expirationDate: 'tomorrow' }, /the expirationDate must be/],
      [{ expirationDate: '2024-01-01T00:00:00Z' }, /the expirationDate must be after/],
      [{ credentialSubject: 'x' }, /the credentialSubject must be/],
    ] as [object, RegExp][]) {
      const [{ path, message } = assert.fail()] = await refused(change)
      assert.equal(path, 'credential')
      assert.match(message, expected)
    }
  })

  it('wraps text formats in an envelope', async () => {
    const { did, agent, sign, credential } = await setUp()
    for (const format of ['vc+jwt', 'vc+sd-jwt', undefined]) {
      const enveloped = await sign(
        { validUntil: '2030-01-01T00:00:00Z' },
        format === undefined ? {} : { format },
      )
      const [start, text = ''] = String(enveloped.id).split(',')
      assert.equal(start, `data:application/${format ?? 'vc+jwt'}`)
      const { iss, iat: _, exp, cnf: _cnf, ...payload } = decodeJwt(text.split('~')[0] ?? '')
      assert.deepEqual([iss, exp], [did, Date.parse('2030-01-01T00:00:00Z') / 1000])
      assert.deepEqual(payload, credential({ validUntil: '2030-01-01T00:00:00Z' }))
      assert.equal((await agent.credentialVerify({ credential: enveloped })).verified, true)
    }
  })

  it('signs an expired one, which does not verify', async () => {
    const { agent, sign } = await setUp()
    const credential = await sign({ validUntil: '2020-01-01T00:00:00Z' })
    const { verified, checks } = await agent.credentialVerify({ credential })
    assert.deepEqual([verified, checks.find(({ ok }) => !ok)?.check], [false, 'validity'])
  })

  it('refuses whatever could not be issued, naming the arguments', async () => {
    const { agent, refusal, did } = await setUp()
    const other = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'
    for (const [members, paths, args] of [
      [{ issuer: other }, ['credential.issuer']],
      [{ issuer: 'urn:x' }, ['credential']],
      [{ type: ['Other'] }, ['credential']],
      [{ proof: [] }, ['credential.proof']],
      [{ validFrom: '2031-01-01T00:00:00Z', validUntil: '2030-01-01T00:00:00Z' }, ['credential']],
      [{ degree: 'x' }, ['credential']],
      [{ '@context': ['https://www.w3.org/ns/credentials/v2', { x: 'urn:y' }] }, ['credential']],
      [
        { credentialSubject: { a: { _sd: [] } } },
        ['credential.credentialSubject.a._sd'],
        { format: 'vc+sd-jwt' },
      ],
      [{}, ['format'], { format: 'jwt_vc' }],
      [{}, ['credentialStatus'], { credentialStatus: { statusListName: 'none' } }],
      [
        { credentialStatus: [{ type: 'A' }, { type: 'B', statusListName: 'none' }] },
        ['credential.credentialStatus[1]'],
      ],
      [
        { credentialStatus: { type: 'A' } },
        ['credentialStatus[1]'],
        {
          credentialStatus: [
            { statusListName: 'a', statusListIndex: -1 },
            { statusListName: 'b', other: 1 },
          ] as never,
        },
      ],
    ] as [object, string[], Partial<CredentialSignArgs>?][]) {
      const { paths: found, details } = await refusal(members, args)
      const shown = found.map((path) => path.replace(/\.(statusListName|type|other|statusListIndex)$/, ''))
      assert.ok(
        paths.every((path) => shown.includes(path)),
        JSON.stringify({ members, details }),
      )
    }
    assert.equal((await refusal({ issuer: other })).code, 'did_not_found')
    await assert.rejects(agent.credentialSign({} as never), /credential/)
    assert.match(did, /^did:key/)
  })

  it('keeps entries of other types, and a single entry as an object', async () => {
    const { sign } = await setUp()
    const entry = { id: 'urn:x', type: 'BitstringStatusListEntry', statusPurpose: 'message' }
    const others = { statusListIndex: '1', statusListCredential: 'https://example.com/1' }
    for (const credentialStatus of [{ ...entry, ...others }, [{ ...entry, ...others }]]) {
      assert.deepEqual(
        (await sign({ credentialStatus }, { format: 'ldp_vc' })).credentialStatus,
        credentialStatus,
      )
    }
  })
})
