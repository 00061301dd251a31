import assert from 'node:assert/strict'
import { createHash, createPublicKey, randomBytes, type JsonWebKey } from 'node:crypto'
import { SDJwtInstance } from '@sd-jwt/core'
import { createJWS, EdDSASigner, ES256KSigner, ES256Signer, verifyJWS } from 'did-jwt'
import { createVerifiableCredentialJwt, verifyCredential } from 'did-jwt-vc'
import type { DIDDocument, VerificationMethod } from 'did-resolver'
import { signingKeyOfMethod } from '@vidimus/verification-methods'
import { compactVerify } from 'jose'
import { ListHost, WEB } from '../packages/status-list/src/__tests__/strangers/list-host.js'
import { Client } from './support/client.js'
import { byDigitalBazaar, foreignLdp, multikeyOf, type Suite } from './support/digitalbazaar.js'
import { outsideKey, type OutsideKey } from './support/outside-key.js'
import { Service } from './support/service.js'

const ALGORITHMS = {
  EdDSA: { keyType: 'Ed25519', suite: 'eddsa-rdfc-2022' },
  ES256: { keyType: 'Secp256r1', suite: 'ecdsa-rdfc-2019' },
  ES256K: { keyType: 'Secp256k1', suite: undefined },
} as const
type Algorithm = keyof typeof ALGORITHMS
const EVERY = Object.keys(ALGORITHMS) as Algorithm[]

/** Keys of issuers here and elsewhere, by DID method: see the tables of docs/credentials.md. */
const HERE: Record<string, readonly Algorithm[]> = {
  'did:cheqd': ['EdDSA', 'ES256'],
  'did:key': EVERY,
  'did:jwk': EVERY,
  'did:web': EVERY,
}
const ELSEWHERE: Record<string, readonly Algorithm[]> = {
  'did:key': EVERY,
  'did:jwk': EVERY,
  'did:web': EVERY,
}

const V1 = 'https://www.w3.org/2018/credentials/v1'
const V2 = 'https://www.w3.org/ns/credentials/v2'
const TERMS = 'https://www.w3.org/ns/credentials/undefined-terms/v2'
const VCT = 'https://credentials.example/identity'

const hasher = (data: string | ArrayBuffer) =>
  createHash('sha256')
    .update(typeof data === 'string' ? data : new Uint8Array(data))
    .digest()

/** Whether a library of others verifies a JWS: jose, or did-jwt for ES256K, which jose does not have. */
async function verifiedByOthers(jws: string, alg: Algorithm, method: VerificationMethod): Promise<true> {
  if (alg === 'ES256K') verifyJWS(jws, method)
  else await compactVerify(jws, createPublicKey({ key: method.publicKeyJwk as JsonWebKey, format: 'jwk' }))
  return true
}

const MULTICODEC = { EdDSA: 'ed01', ES256: '8024', ES256K: 'e701' }

/** An issuer elsewhere, whose DID this host serves if it is a did:web. */
async function stranger(method: string, alg: Algorithm, host: ListHost) {
  const key = outsideKey(ALGORITHMS[alg].keyType)
  const { did, kid } = await didOf(method, alg, key, host)
  const vm = { id: kid, type: 'JsonWebKey2020', controller: did, publicKeyJwk: key.jwk }
  host.serves(
    'application/json',
    JSON.stringify({ id: did, verificationMethod: [vm], assertionMethod: [kid] }),
  )
  const secret = Buffer.from(key.privateKeyHex, 'hex')
  const signers = { EdDSA: EdDSASigner, ES256: ES256Signer, ES256K: ES256KSigner }
  return { did, kid, signer: signers[alg](secret) }
}

async function didOf(method: string, alg: Algorithm, { jwk, publicKeyHex }: OutsideKey, host: ListHost) {
  if (method === 'did:jwk') {
    const did = `did:jwk:${Buffer.from(JSON.stringify(jwk)).toString('base64url')}`
    return { did, kid: `${did}#0` }
  }
  if (method === 'did:key') {
    const { base58 } = await import('@scure/base')
    const y = Buffer.from(jwk.y ?? '', 'base64url')
    const compressed = Buffer.concat([
      Buffer.from([2 + ((y.at(-1) ?? 0) & 1)]),
      Buffer.from(jwk.x, 'base64url'),
    ])
    const bytes = alg === 'EdDSA' ? Buffer.from(publicKeyHex, 'hex') : compressed
    const id = `z${base58.encode(Buffer.concat([Buffer.from(MULTICODEC[alg], 'hex'), bytes]))}`
    return { did: `did:key:${id}`, kid: `did:key:${id}#${id}` }
  }
  const did = `did:web:localhost%3A${new URL(host.url()).port}:${randomBytes(8).toString('hex')}`
  return { did, kid: `${did}#key-1` }
}

describe('credentials of each format, algorithm and DID method', () => {
  const host = new ListHost()
  let service: Service
  let client: Client
  let names = 0

  before(async () => {
    await host.start()
    // The host is in the own network, and has a certificate of its own.
    const trusted = `allowPrivateAddresses: true\n            certificateAuthorities: ${JSON.stringify(WEB.certificateAuthorities)}`
    service = await Service.start({
      configure: (text) =>
        text.replace(/(\n {6}web:\n(?:.*\n)*? {12})allowPrivateAddresses: false/, `$1${trusted}`),
    })
    client = await Client.of(service.url, service.apiKey)
  })
  after(async () => {
    await service.stop()
    host.stop()
  })

  /** An issuer here, and its document as others find it. */
  async function issuer(method: string, alg: Algorithm): Promise<{ did: string; document: DIDDocument }> {
    const { keyType } = ALGORITHMS[alg]
    const own = { providerId: method, options: { keyType } }
    const json =
      method === 'did:web'
        ? { ...own, didDocument: { id: `did:web:localhost%3A${new URL(host.url()).port}:issuer-${++names}` } }
        : method === 'did:cheqd'
          ? { network: 'testnet', verificationMethodType: 'JsonWebKey2020', key: await newKey(keyType) }
          : own
    const { did } = (await client.ok('POST', '/did/create', { json })) as { did: string }
    // What the host of a did:web serves, or what a resolver answers.
    const path = method === 'did:web' ? `/did/document/${encodeURIComponent(did)}` : `/1.0/identifiers/${did}`
    const { body } = await client.get(path, { headers: { accept: 'application/did+json, application/json' } })
    const parsed = (typeof body === 'string' ? JSON.parse(body) : body) as { didDocument?: DIDDocument }
    const document = parsed.didDocument ?? (parsed as DIDDocument)
    if (method === 'did:web') host.serves('application/json', JSON.stringify(document))
    return { did, document }
  }
  const newKey = async (type: string) =>
    ((await client.ok('POST', '/key/create', { query: { type } })) as { kid: string }).kid

  const problemsOf = async (credential: unknown) => {
    const { status, body } = await client.post('/credential/verify', { json: { credential } })
    const { verified, ...verdict } = body as { verified?: boolean }
    return status === 200 && verified === true ? [] : [status, verdict]
  }

  for (const [method, algorithms] of Object.entries(HERE)) {
    for (const alg of algorithms) {
      it(`are verified by others, of a ${method} with ${alg}`, async () => {
        const { did, document } = await issuer(method, alg)
        const [vm] = document.verificationMethod ?? []
        assert.ok(vm, JSON.stringify(document))
        const jwk = signingKeyOfMethod(vm)?.jwk
        const absolute = vm.id.startsWith('#') ? did + vm.id : vm.id
        const shown = { ...vm, id: absolute, controller: did, publicKeyJwk: jwk } as VerificationMethod
        const issue = async (format: string, extra: object = {}) =>
          (await client.ok('POST', '/credential/issue', {
            json: { format, issuerDid: did, attributes: { given_name: 'Ada', age: 36 }, ...extra },
          })) as Record<string, unknown> & { proof: { jwt: string } }
        const resolver = {
          resolve: () =>
            Promise.resolve({
              didDocument: { id: did, verificationMethod: [shown], assertionMethod: [shown.id] },
              didDocumentMetadata: {},
              didResolutionMetadata: {},
            }),
        }
        const { verified } = await verifyCredential((await issue('jwt_vc')).proof.jwt, resolver)
        assert.equal(verified, true, 'jwt_vc')
        assert.ok(await verifiedByOthers((await issue('vc+jwt')).proof.jwt, alg, shown), 'vc+jwt')
        const verifier = (data: string, signature: string) =>
          verifiedByOthers(`${data}.${signature}`, alg, shown)
        for (const [format, extra] of [
          ['dc+sd-jwt', { vct: VCT, disclosureFrame: { _sd: ['given_name'] } }],
          ['vc+sd-jwt', { disclosureFrame: { _sd: ['given_name'] } }],
        ] as const) {
          const { proof } = await issue(format, extra)
          const { payload } = await new SDJwtInstance({ hasher, verifier }).verify(proof.jwt)
          assert.match(JSON.stringify(payload), /"given_name":"Ada"/, format)
        }
        const { suite } = ALGORITHMS[alg]
        if (!suite) return
        const ldp = await issue('ldp_vc', { '@context': [TERMS] })
        const result = await byDigitalBazaar(ldp, suite, multikeyOf(shown), new Date())
        assert.equal(result.verified, true, 'ldp_vc')
      })
    }
  }

  for (const [method, algorithms] of Object.entries(ELSEWHERE)) {
    for (const alg of algorithms) {
      it(`of others verify, of a ${method} with ${alg}, and not after a change`, async () => {
        const { did, kid, signer } = await stranger(method, alg, host)
        const subject = { given_name: 'Ada' }
        const model2 = {
          '@context': [V2],
          type: ['VerifiableCredential'],
          issuer: did,
          validFrom: '2026-01-01T00:00:00Z',
          credentialSubject: subject,
        }
        const model1 = { '@context': [V1], type: ['VerifiableCredential'], credentialSubject: subject }
        const header = { alg, kid }
        const jwts = {
          jwt_vc: await createVerifiableCredentialJwt(
            { iss: did, nbf: 1_700_000_000, vc: model1 },
            { did, signer, alg },
            { header },
          ),
          'vc+jwt': await createJWS({ ...model2 }, signer, { ...header, typ: 'vc+jwt' } as never),
        }
        for (const [format, jwt] of Object.entries(jwts)) {
          assert.deepEqual(await problemsOf(jwt), [], format)
          assert.notDeepEqual(await problemsOf(changed(jwt)), [], `${format}, changed`)
        }
        const sdJwt = new SDJwtInstance({
          hasher,
          hashAlg: 'sha-256',
          saltGenerator: (length: number) => randomBytes(length).toString('hex'),
          signAlg: alg,
          signer: async (data: string) => (await signer(data)) as string,
        })
        const typed = async (typ: string, claims: object) =>
          sdJwt.issue({ ...claims }, { _sd: ['given_name'] } as never, { header: { typ, kid } })
        const vc = { iss: did, iat: 1_700_000_000, vct: VCT, given_name: 'Ada' }
        assert.deepEqual(await problemsOf(await typed('dc+sd-jwt', vc)), [], 'dc+sd-jwt')
        const frame = { credentialSubject: { _sd: ['given_name'] } } as never
        const secured = await sdJwt.issue({ ...model2 }, frame, { header: { typ: 'vc+sd-jwt', kid } })
        assert.deepEqual(await problemsOf(secured), [], 'vc+sd-jwt')
        for (const text of [await typed('dc+sd-jwt', vc), secured]) {
          assert.notDeepEqual(await problemsOf(changed(text)), [])
        }
        const { suite } = ALGORITHMS[alg]
        if (suite && method === 'did:web')
          await ofDataIntegrity(did, { ...model2, '@context': [V2, TERMS] }, suite)
      })
    }
  }

  /** The library creates the key, which the document of a did:web can show afterwards. */
  async function ofDataIntegrity(did: string, document: object, suite: Suite): Promise<void> {
    const { credential, method } = await foreignLdp(document, suite, did, new Date())
    host.serves(
      'application/json',
      JSON.stringify({ id: did, verificationMethod: [method], assertionMethod: [method.id] }),
    )
    assert.deepEqual(await problemsOf(credential), [], 'ldp_vc')
    assert.notDeepEqual(await problemsOf({ ...credential, validFrom: '2025-01-01T00:00:00Z' }), [])
  }
})

/** A JWT, or an SD-JWT, that says something else. */
function changed(text: string): string {
  const [jwt = '', ...disclosures] = text.split('~')
  const [header, payload = '', signature] = jwt.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>
  const other = Buffer.from(JSON.stringify({ ...claims, nbf: 1_600_000_000 })).toString('base64url')
  return [[header, other, signature].join('.'), ...disclosures].join('~')
}
