import assert from 'node:assert/strict'
import { createDid, createList } from './behaviour/suite.js'
import { Client } from './support/client.js'
import { assertRefused } from './support/refused.js'
import { Service } from './support/service.js'

const LINE = "  - $require: '@vidimus/credentials?t=function#dataIntegrity'\n"
const OURS = "  - $require: '@vidimus-examples/jcs-credentials?t=object#JcsCredentials'\n"

interface Credential {
  credentialSubject: object
  proof: { cryptosuite: string; verificationMethod: string }
}
interface Verdict {
  verified: boolean
  issuer: string
  problems?: { message: string }[]
  statuses?: { index: number; valid: boolean }[]
}

/** A credential format of another author, in a service that knows of it by a line in agent.yml alone. */
describe('an external credential format', () => {
  let service: Service
  let client: Client
  let issuerDid: string
  before(async () => {
    service = await Service.start({ configure: (text) => text.replace(LINE, OURS + LINE) })
    client = await Client.of(service.url, service.apiKey)
    issuerDid = await createDid(client)
  })
  after(() => service.stop())

  const issue = async (members: object = {}) =>
    (await client.ok('POST', '/credential/issue', {
      json: { format: 'jcs_vc', issuerDid, attributes: { name: 'Ada' }, ...members },
    })) as Credential
  const verify = async (credential: unknown) =>
    (await client.ok('POST', '/credential/verify', { json: { credential } })) as Verdict
  const reasons = async (credential: unknown) =>
    (await verify(credential)).problems?.map(({ message }) => message).join('; ') ?? ''

  it('issues and verifies, alongside the built-in formats', async () => {
    const credential = await issue({ validUntil: '2100-01-01T00:00:00Z' })
    assert.equal(credential.proof.cryptosuite, 'eddsa-jcs-2022')
    assert.equal(credential.proof.verificationMethod, `${issuerDid}#key-1`)
    const { verified, issuer, problems } = await verify(credential)
    assert.deepEqual([verified, issuer, problems], [true, issuerDid, undefined])
    const other = await issue({
      format: 'ldp_vc',
      '@context': ['https://www.w3.org/ns/credentials/undefined-terms/v2'],
    })
    assert.equal(other.proof.cryptosuite, 'eddsa-rdfc-2022')
    assert.equal((await verify(other)).verified, true)
  })

  it('is checked by the engine: changes, times and revocation', async () => {
    const { statusListName } = await createList(client, { did: issuerDid, statusPurpose: ['revocation'] })
    const credential = await issue({
      credentialStatus: { statusListName, listType: 'BitstringStatusList', statusPurpose: ['revocation'] },
    })
    const { verified, statuses } = await verify(credential)
    assert.deepEqual([verified, statuses?.[0]?.valid], [true, true])
    assert.match(
      await reasons({ ...credential, credentialSubject: { name: 'Eve' } }),
      /signature does not match/,
    )
    assert.match(
      await reasons(await issue({ validFrom: '2099-01-01T00:00:00Z' })),
      /not valid before|not yet/,
    )
    await client.ok('POST', '/credential/revoke', { json: { credential } })
    assert.match(await reasons(credential), /revoked/)
  })

  it('can be presented by its holder', async () => {
    const subjectDid = await createDid(client, { providerId: 'did:key', network: undefined })
    const credential = await issue({ subjectDid })
    const { proof } = (await client.ok('POST', '/presentation/create', {
      json: { format: 'vp+jwt', credentials: [credential], audience: 'https://verifier.example' },
    })) as { proof: { jwt: string } }
    const verdict = (await client.ok('POST', '/presentation/verify', {
      json: { presentation: proof.jwt, audience: 'https://verifier.example', requireHolderIsSubject: true },
    })) as Verdict
    assert.deepEqual([verdict.verified, verdict.problems], [true, undefined])
  })

  it('refuses what it cannot do, naming the argument of the caller', async () => {
    const { kid } = (await client.ok('POST', '/key/create', { query: { type: 'Secp256r1' }, json: {} })) as {
      kid: string
    }
    const did = await createDid(client, { providerId: 'did:jwk', network: undefined, options: { key: kid } })
    const json = { format: 'jcs_vc', issuerDid: did, attributes: { name: 'Ada' } }
    assertRefused(await client.post('/credential/issue', { json }), {
      path: 'issuerDid',
      says: /needs Ed25519/,
    })
    const { statusListName } = await createList(client, { did: issuerDid, listType: 'TokenStatusList' })
    const credentialStatus = { statusListName, listType: 'TokenStatusList' }
    const answer = await client.post('/credential/issue', { json: { ...json, issuerDid, credentialStatus } })
    assert.equal(answer.status, 400)
  })
})

const FIRST = 'credentialFormats:\n'
const VERAMO = [
  "  - $require: '@vidimus/credentials?t=function#veramoFormat'",
  "    $args: [{ $require: '@veramo/credential-jwt#CredentialProviderJWT' }, { id: jwt }]\n",
].join('\n')

/** Veramo's own provider of JWTs, as its package has it. */
describe("a provider of Veramo's credential plugin in agent.yml", () => {
  let service: Service
  let client: Client
  before(async () => {
    service = await Service.start({ configure: (text) => text.replace(FIRST, FIRST + VERAMO) })
    client = await Client.of(service.url, service.apiKey)
  })
  after(() => service.stop())

  it('issues and verifies, with the checks of the engine', async () => {
    const issuerDid = await createDid(client)
    const { statusListName } = await createList(client, { did: issuerDid, statusPurpose: ['revocation'] })
    const credential = (await client.ok('POST', '/credential/issue', {
      json: { format: 'jwt', issuerDid, attributes: { name: 'Ada' }, credentialStatus: { statusListName } },
    })) as { proof: { jwt: string } }
    const verify = async () =>
      (await client.ok('POST', '/credential/verify', {
        json: { credential: credential.proof.jwt },
      })) as Verdict
    const { verified, issuer } = await verify()
    assert.deepEqual([verified, issuer], [true, issuerDid])
    await client.ok('POST', '/credential/revoke', { json: { credential } })
    assert.equal((await verify()).verified, false)
  })
})
