import assert from 'node:assert/strict'
import type { IAgentContext, IResolver, VerifiableCredential } from '@veramo/core-types'
import { CredentialProviderJWT } from '@veramo/credential-jwt'
import { AgentError, type SigningContext } from '@vidimus/core-types'
import { JwtCredentials } from '../jwt/jwt-credentials.js'
import { verifyJwt } from '../jwt/verify-jwt.js'
import { veramoFormat, type VeramoProvider } from '../veramo-format.js'
import { createKeyDid, createTestAgent, statusPlugin } from './test-agent.js'
import { failedChecks, status } from './verification-setup.js'

const NOW = new Date('2026-03-01T12:00:00Z')

/** A provider as authors write them for Veramo: the proof is a signature over the rest of the object. */
class ObjectProvider implements VeramoProvider {
  canVerifyDocumentType({ document }: { document: unknown }): boolean {
    return (document as { proof: { type: string } }).proof.type === 'ObjectProof'
  }

  async createVerifiableCredential(
    { credential, keyRef }: Parameters<VeramoProvider['createVerifiableCredential']>[0],
    { agent }: SigningContext,
  ): Promise<VerifiableCredential> {
    const data = JSON.stringify(credential)
    const signature = await agent.keyManagerSign({ keyRef: String(keyRef), data, algorithm: 'EdDSA' })
    return { ...credential, proof: { type: 'ObjectProof', signature } } as unknown as VerifiableCredential
  }

  async verifyCredential(
    { credential }: Parameters<VeramoProvider['verifyCredential']>[0],
    { agent }: IAgentContext<IResolver>,
  ) {
    const { proof, ...document } = credential as VerifiableCredential
    const issuer = (document.issuer as { id: string }).id
    const { didDocument } = await agent.resolveDid({ didUrl: issuer })
    if (!didDocument) throw new Error('connect ECONNREFUSED 10.0.0.7:5432')
    const documentOf = () => Promise.resolve(didDocument)
    await verifyJwt(signedBy(document, String(proof.signature)), issuer, 'assertionMethod', documentOf)
    return { verified: true }
  }
}

const signedBy = (document: object, signature: string) => ({
  header: { alg: 'EdDSA' },
  payload: {},
  signature: Buffer.from(signature, 'base64url'),
  signingInput: JSON.stringify(document),
})

const setUp = async (provider: VeramoProvider, id: string) => {
  const formats = [veramoFormat(provider, { id }), JwtCredentials]
  const { agent } = createTestAgent({
    options: { clock: () => NOW, formats },
    plugins: [statusPlugin((entry) => ({ revoked: entry === 'urn:revoked', verified: true }))],
  })
  const { did } = await createKeyDid(agent)
  const issue = (members: object = {}) =>
    agent.credentialIssue({ issuerDid: did, attributes: { name: 'Ada' }, ...members })
  const verify = (credential: unknown) => agent.credentialVerify({ credential } as never)
  return { agent, did, issue, verify }
}

describe("a provider of Veramo's credential plugin as a format", () => {
  const providers: [string, () => VeramoProvider, string][] = [
    ['the JWTs of Veramo', () => new CredentialProviderJWT() as unknown as VeramoProvider, 'jwt'],
    ['objects', () => new ObjectProvider(), 'object'],
  ]
  for (const [what, provider, id] of providers) {
    it(`issues and verifies ${what}, including time and status`, async () => {
      const { did, issue, verify } = await setUp(provider(), id)
      const good = await issue({ ...status('urn:good'), expirationDate: '2030-01-01T00:00:00Z' })
      const verdict = await verify(good)
      assert.deepEqual(failedChecks(verdict), [])
      assert.equal(verdict.issuer, did)
      assert.ok(verdict.verified)
      assert.deepEqual(failedChecks(await verify(await issue(status('urn:revoked')))), ['status'])
    })

    it(`rejects ${what} with any change`, async () => {
      const { issue, verify } = await setUp(provider(), id)
      const credential = await issue()
      const { verified } = await verify({ ...credential, credentialSubject: { name: 'Eve' } })
      assert.equal(verified, false)
    })

    it(`signs ${what} only as DIDs that the account holds`, async () => {
      const { issue } = await setUp(provider(), id)
      const stranger = createTestAgent()
      const { did } = await createKeyDid(stranger.agent)
      await assert.rejects(issue({ issuerDid: did }), (error) => {
        assert.ok(error instanceof AgentError)
        assert.deepEqual([error.code, error.details[0]?.path], ['did_not_found', 'issuerDid'])
        return true
      })
    })
  }

  it('hides what a provider throws', async () => {
    const { issue, verify } = await setUp(new ObjectProvider(), 'object')
    const verdict = await verify({ ...(await issue()), issuer: { id: 'did:test:nobody' } })
    assert.deepEqual(failedChecks(verdict), ['signature'])
    assert.ok(!JSON.stringify(verdict).includes('ECONNREFUSED'))
  })

  it('reports every problem of an object', async () => {
    const { verify } = await setUp(new ObjectProvider(), 'object')
    const verdict = await verify({ proof: { type: 'ObjectProof' }, validUntil: 'soon' })
    assert.equal(verdict.problems?.length, 5)
  })

  it('leaves unrecognised credentials to the next format', async () => {
    const { verify } = await setUp(new ObjectProvider(), 'object')
    const jwts = createTestAgent({ options: { clock: () => NOW } })
    const { did } = await createKeyDid(jwts.agent)
    const { proof } = await jwts.agent.credentialIssue({ issuerDid: did, attributes: { name: 'Ada' } })
    assert.ok((await verify(proof.jwt)).verified)
  })

  it('must be a provider', () => {
    assert.throws(
      () => veramoFormat({} as never, { id: 'jwt' }),
      (error) => error instanceof AgentError && error.code === 'invalid_configuration',
    )
  })
})
