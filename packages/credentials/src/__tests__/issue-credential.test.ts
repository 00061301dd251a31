import assert from 'node:assert/strict'
import { createPublicKey } from 'node:crypto'
import type { AgentError, CredentialIssueArgs } from '@vidimus/core-types'
import { decodeJWT } from 'did-jwt'
import { normalizeCredential, verifyCredential } from 'did-jwt-vc'
import { jwtVerify } from 'jose'
import fc from 'fast-check'
import { createKeyDid, createTestAgent, recordCalls, statusPlugin } from './test-agent.js'

const NOW = new Date('2026-03-01T12:00:00.789Z')
const SUBJECT = 'did:test:subject'
const STATUS = { id: 'https://example.com/list#7', type: 'StatusList2021Entry', statusListIndex: '7' }

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze)
  return value
}

const setUp = async () => {
  const clock = () => NOW
  const status = statusPlugin(() => ({ revoked: false, verified: true }))
  const { agent, resolver } = createTestAgent({ options: { clock }, plugins: [status] })
  const { did } = await createKeyDid(agent)
  return { agent, resolver, did }
}

describe('issuing a credential', () => {
  it('returns the credential and a JWT with the same content', async () => {
    const { agent, did } = await setUp()
    const credential = await agent.credentialIssue({
      issuerDid: did,
      subjectDid: SUBJECT,
      attributes: { name: 'Ada', address: { city: 'London' } },
      '@context': ['https://schema.org/'],
      type: ['Person'],
      expirationDate: '2030-01-01T01:00:00+01:00',
      credentialStatus: STATUS,
      termsOfUse: [{ type: 'Policy' }],
      refreshService: { id: 'https://example.com/refresh', type: 'Refresh' },
      evidence: [{ type: 'Document' }],
    })
    const { proof, id, ...said } = credential
    assert.match(String(id), /^urn:uuid:[0-9a-f-]{36}$/)
    assert.deepEqual(said, {
      '@context': ['https://www.w3.org/2018/credentials/v1', 'https://schema.org/'],
      type: ['VerifiableCredential', 'Person'],
      issuer: { id: did },
      credentialSubject: { name: 'Ada', address: { city: 'London' }, id: SUBJECT },
      issuanceDate: '2026-03-01T12:00:00.000Z',
      expirationDate: '2030-01-01T00:00:00.000Z',
      credentialStatus: STATUS,
      termsOfUse: [{ type: 'Policy' }],
      refreshService: { id: 'https://example.com/refresh', type: 'Refresh' },
      evidence: [{ type: 'Document' }],
    })
    assert.equal(proof.type, 'JwtProof2020')
    const { header, payload } = decodeJWT(String(proof.jwt))
    assert.deepEqual(header, { typ: 'JWT', alg: 'EdDSA', kid: `${did}#${did.slice('did:key:'.length)}` })
    const { vc: _, ...claims } = payload
    const seconds = Math.floor(NOW.getTime() / 1000)
    assert.deepEqual(claims, { sub: SUBJECT, nbf: seconds, exp: 1_893_456_000, iss: did, jti: id })
  })

  it('produces what independent libraries verify, with the same content', async () => {
    const { agent, resolver, did } = await setUp()
    const minimal: CredentialIssueArgs = { issuerDid: did, attributes: { name: 'Ada' } }
    const full = {
      ...minimal,
      subjectDid: SUBJECT,
      type: ['Person'],
      expirationDate: '2030-01-01',
      credentialStatus: STATUS,
    }
    for (const args of [minimal, full]) {
      const credential = await agent.credentialIssue(args)
      const jwt = String(credential.proof.jwt)
      const policies = { now: NOW.getTime() / 1000 }
      const { verifiableCredential } = await verifyCredential(jwt, resolver, { policies })
      assert.deepEqual(verifiableCredential, credential)
      assert.deepEqual(normalizeCredential(jwt), credential)
      const document = (await resolver.resolve(did)).didDocument
      const key = createPublicKey({
        key: document?.verificationMethod?.[0]?.publicKeyJwk ?? {},
        format: 'jwk',
      })
      await jwtVerify(jwt, key, { issuer: did, currentDate: NOW })
      const veramo = await agent.verifyCredential({ credential, policies })
      assert.equal(veramo.verified, true, JSON.stringify(veramo.error))
      assert.equal((await agent.credentialVerify({ credential })).verified, true)
      assert.equal((await agent.credentialVerify({ credential: jwt })).verified, true)
    }
  })

  it('works with every key type', async () => {
    const { agent, resolver } = await setUp()
    for (const keyType of ['Ed25519', 'Secp256r1', 'Secp256k1'] as const) {
      const { did } = await createKeyDid(agent, keyType, 'did:jwk')
      const credential = await agent.credentialIssue({ issuerDid: did, attributes: { name: 'Ada' } })
      const policies = { now: NOW.getTime() / 1000 }
      const verified = await verifyCredential(String(credential.proof.jwt), resolver, { policies })
      assert.equal(verified.issuer, did)
    }
  })

  it('preserves any attributes', async () => {
    const { agent, did } = await setUp()
    const name = fc.string({ minLength: 1 }).filter((text) => !['id', '__proto__'].includes(text))
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, fc.jsonValue(), { minKeys: 1 }), async (attributes) => {
        const { credentialSubject } = await agent.credentialIssue({ issuerDid: did, attributes })
        assert.equal(JSON.stringify(credentialSubject), JSON.stringify(attributes))
      }),
      { numRuns: 50 },
    )
  })

  it("leaves the caller's objects unchanged", async () => {
    const { agent, did } = await setUp()
    const args = {
      issuerDid: did,
      subjectDid: SUBJECT,
      attributes: { address: { city: 'London' } },
      '@context': ['https://schema.org/'],
      type: ['Person'],
      credentialStatus: { ...STATUS },
    }
    const credential = await agent.credentialIssue(freeze(args))
    credential.credentialSubject.address = undefined
    assert.deepEqual(args.attributes, { address: { city: 'London' } })
    assert.notEqual(credential.credentialStatus, args.credentialStatus)
  })

  it('removes duplicate contexts and types', async () => {
    const { agent, did } = await setUp()
    const context = 'https://www.w3.org/2018/credentials/v1'
    const credential = await agent.credentialIssue({
      issuerDid: did,
      attributes: { id: SUBJECT, name: 'Ada' },
      '@context': ['https://schema.org/', context],
      type: ['Person', 'VerifiableCredential', 'Person'],
    })
    assert.deepEqual(credential['@context'], [context, 'https://schema.org/'])
    assert.deepEqual(credential.type, ['VerifiableCredential', 'Person'])
    assert.equal(decodeJWT(String(credential.proof.jwt)).payload.sub, SUBJECT)
  })

  it('needs one lookup, one resolution and one signature', async () => {
    const { agent, did } = await setUp()
    const calls = recordCalls(agent)
    await agent.credentialIssue({ issuerDid: did, attributes: { name: 'Ada' } })
    assert.deepEqual(calls, [
      'credentialIssue',
      'didHolding',
      'didManagerGet',
      'resolveDid',
      'didSign',
      'keyManagerSign',
    ])
  })

  it('refuses an issuer that the account does not hold', async () => {
    const { agent } = await setUp()
    const issuing = agent.credentialIssue({ issuerDid: 'did:test:else', attributes: { name: 'Ada' } })
    await assert.rejects(issuing, (error: AgentError) => {
      assert.equal(error.code, 'did_not_found')
      assert.deepEqual(error.details, [
        { path: 'issuerDid', message: '"did:test:else" is unknown, or the account does not hold it' },
      ])
      assert.match(error.message, /^issuerDid: /)
      return true
    })
  })

  it('names every malformed argument at once', async () => {
    const { agent, did } = await setUp()
    const args = {
      issuerDid: `${did}#key`,
      subjectDid: 'Ada',
      attributes: {},
      type: [''],
      expirationDate: 'tomorrow',
      credentialStatus: { id: 'x' },
    }
    await assert.rejects(agent.credentialIssue(args as never), (error: AgentError) => {
      assert.equal(error.code, 'invalid_input')
      const paths = error.details.map(({ path }) => path)
      assert.deepEqual(paths, [
        'issuerDid',
        'subjectDid',
        'attributes',
        'type[0]',
        'expirationDate',
        'credentialStatus.type',
      ])
      return true
    })
    for (const id of ['did:test:other', 7]) {
      const args = { issuerDid: did, subjectDid: SUBJECT, attributes: { id, name: 'Ada' } }
      await assert.rejects(agent.credentialIssue(args), {
        code: 'invalid_input',
        message: /^attributes\.id: /,
      })
    }
    for (const args of [{ attributes: { id: SUBJECT } }, { attributes: {}, subjectDid: SUBJECT }]) {
      await assert.rejects(agent.credentialIssue({ issuerDid: did, ...args }), {
        code: 'invalid_input',
        message: /^attributes: must contain at least one claim/,
      })
    }
    const unknown = { issuerDid: did, attributes: { name: 'Ada' }, expiry: '2030-01-01' }
    await assert.rejects(agent.credentialIssue(unknown), {
      code: 'invalid_input',
      message: /expiry/,
    })
  })
})
