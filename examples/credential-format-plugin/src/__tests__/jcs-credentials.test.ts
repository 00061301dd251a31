import assert from 'node:assert/strict'
import { createHash, createPublicKey, sign, verify } from 'node:crypto'
import type { CredentialIssueArgs, SigningContext, VerifyingContext } from '@vidimus/core-types'
import { newKeyPair, privateKeyObject } from '@vidimus/verification-methods'
import { base58ToBytes } from 'did-jwt'
import { JcsCredentials } from '../jcs-credentials.js'
import { canonicalJson, hashData, jcsProofOf, signatureOf } from '../jcs-proof.js'

const ISSUER = 'did:example:issuer'
const KEY = `${ISSUER}#key-1`
const NOW = new Date('2026-03-01T12:00:00Z')

/** Data Integrity EdDSA Cryptosuites v1.0, "Representation: eddsa-jcs-2022". */
const VECTOR = {
  '@context': ['https://www.w3.org/ns/credentials/v2', 'https://www.w3.org/ns/credentials/examples/v2'],
  id: 'urn:uuid:58172aac-d8ba-11ed-83dd-0b3aef56cc33',
  type: ['VerifiableCredential', 'AlumniCredential'],
  name: 'Alumni Credential',
  description: 'A minimum viable example of an Alumni Credential.',
  issuer: 'https://vc.example/issuers/5678',
  validFrom: '2023-01-01T00:00:00Z',
  credentialSubject: { id: 'did:example:abcdefgh', alumniOf: 'The School of Examples' },
  proof: {
    type: 'DataIntegrityProof',
    cryptosuite: 'eddsa-jcs-2022',
    created: '2023-02-24T23:36:38Z',
    verificationMethod:
      'did:key:z6MkrJVnaZkeFzdQyMZu1cgjg7k1pZZ6pvBQ7XJPt4swbTQ2#z6MkrJVnaZkeFzdQyMZu1cgjg7k1pZZ6pvBQ7XJPt4swbTQ2',
    proofPurpose: 'assertionMethod',
    '@context': ['https://www.w3.org/ns/credentials/v2', 'https://www.w3.org/ns/credentials/examples/v2'],
    proofValue: 'z2HnFSSPPBzR36zdDgK8PbEHeXbR56YF24jwMpt3R1eHXQzJDMWS93FCzpvJpwTWd3GAVFuUfjoJdcnTMuVor51aX',
  },
}

/** What a format needs from an agent: the key by which it holds a DID, and its signature. */
function issuerWith(type = 'Ed25519') {
  const { privateKeyHex, publicKeyHex } = newKeyPair('Ed25519')
  const privateKey = privateKeyObject('Ed25519', Buffer.from(privateKeyHex, 'hex'))
  const agent = {
    didHeldKey: () =>
      Promise.resolve({ methodId: KEY, key: { kid: 'k', kms: 'local', type, publicKeyHex: '' } }),
    keyManagerSign: ({ data }: { data: string }) =>
      Promise.resolve(sign(null, Buffer.from(data, 'hex'), privateKey).toString('base64url')),
  }
  const publicKeyJwk = {
    kty: 'OKP',
    crv: 'Ed25519',
    x: Buffer.from(publicKeyHex, 'hex').toString('base64url'),
  }
  const method = { id: KEY, type: 'JsonWebKey', controller: ISSUER, publicKeyJwk }
  const document = { id: ISSUER, verificationMethod: [method], assertionMethod: [KEY] }
  const verifying = { documentOf: () => Promise.resolve(document), now: NOW } as unknown as VerifyingContext
  const issue = async (args: Partial<CredentialIssueArgs> = {}) => {
    const asked = { issuerDid: ISSUER, attributes: { name: 'Ada' }, ...args }
    const signer = await JcsCredentials.prepareIssue(asked, NOW, { agent } as unknown as SigningContext)
    const signed: unknown = await signer({ contexts: [] })
    return signed as Record<string, unknown> & { proof: { proofValue: string } & Record<string, unknown> }
  }
  return { issue, verifying, publicKeyJwk }
}

describe('credentials with eddsa-jcs-2022', () => {
  it('sign the test vector of the specification to its published result', () => {
    const { proof, ...document } = VECTOR
    const { proofValue: _, ...options } = jcsProofOf(VECTOR)
    const data = hashData(document, options)
    assert.equal(
      data.toString('hex'),
      '66ab154f5c2890a140cb8388a22a160454f80575f6eae09e5a097cabe539a1db' +
        '59b7cb6251b8991add1ce0bc83107e3db9dbbab5bd2c28f687db1a03abc92f19',
    )
    const multikey = base58ToBytes(proof.verificationMethod.split('#z')[1] ?? '')
    const x = Buffer.from(multikey.subarray(2)).toString('base64url')
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    assert.ok(verify(null, data, key, signatureOf(jcsProofOf(VECTOR))))
  })

  it('are signed over canonical JSON and verify', async () => {
    const { issue, verifying, publicKeyJwk } = issuerWith()
    const credential = await issue({ subjectDid: 'did:example:ada', validUntil: '2030-01-01T00:00:00Z' })
    const { proof, ...document } = credential
    const { proofValue, ...options } = proof
    assert.deepEqual(options['@context'], document['@context'])
    // By hand, as the specification says it.
    const hash = (value: object) => createHash('sha256').update(canonicalJson(value)).digest()
    const key = createPublicKey({ key: publicKeyJwk, format: 'jwk' })
    const data = Buffer.concat([hash(options), hash(document)])
    assert.ok(verify(null, data, key, base58ToBytes(proofValue.slice(1))))
    assert.ok(JcsCredentials.recognises(credential))
    const read = JcsCredentials.read(credential)
    assert.deepEqual([read.issuer, read.subjects], [ISSUER, ['did:example:ada']])
    assert.deepEqual(read.validity.notAfter, [Date.parse('2030-01-01')])
    assert.equal(await JcsCredentials.verify(read, verifying), KEY)
  })

  it('expire with their proof', async () => {
    const credential = await issuerWith().issue()
    const read = JcsCredentials.read({
      ...credential,
      proof: { ...credential.proof, expires: '2029-01-01T00:00:00Z' },
    })
    assert.deepEqual(read.validity.notAfter, [Date.parse('2029-01-01')])
  })

  it('do not verify after any change', async () => {
    const { issue, verifying } = issuerWith()
    const credential = await issue()
    const { proof } = credential
    const changes = [
      { credentialSubject: { name: 'Eve' } },
      { extra: true },
      { validFrom: undefined },
      { '@context': ['https://www.w3.org/ns/credentials/v2', 'https://other.example/context'] },
      { proof: { ...proof, created: '2020-01-01T00:00:00Z' } },
      { proof: { ...proof, expires: '2099-01-01T00:00:00Z' } },
      { proof: { ...proof, '@context': undefined } },
      { proof: { ...proof, verificationMethod: 'did:example:other#key-1' } },
      { proof: { ...proof, proofValue: 'z1111' } },
      { proof: { ...proof, proofValue: 'uAAAA' } },
      { proof: { ...proof, proofValue: `z${'1'.repeat(1_000_000)}` } },
    ]
    for (const change of changes) {
      const shown = JSON.parse(JSON.stringify({ ...credential, ...change })) as object
      const attempt = async () => JcsCredentials.verify(JcsCredentials.read(shown), verifying)
      await assert.rejects(attempt, { code: 'invalid_credential' }, JSON.stringify(change).slice(0, 80))
    }
  })

  it('are refused with every problem of their proofs', async () => {
    const credential = await issuerWith().issue()
    for (const shown of ['text', 7, null, {}, { proof: { cryptosuite: 'eddsa-rdfc-2022' } }]) {
      assert.equal(JcsCredentials.recognises(shown), false)
      assert.throws(() => JcsCredentials.read(shown), { code: 'invalid_credential' })
    }
    const proof = {
      cryptosuite: 'eddsa-jcs-2022',
      created: 'soon',
      expires: 7,
      '@context': 'https://other.example',
    }
    assert.throws(
      () => JcsCredentials.read({ ...credential, proof }),
      (error: { details?: unknown[] }) => error.details?.length === 7,
    )
  })

  it('are issued with Ed25519 keys only', async () => {
    await assert.rejects(issuerWith('Secp256k1').issue(), { code: 'invalid_input' })
  })
})
