import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { VerificationMethod } from 'did-resolver'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { Client, type Answer } from './support/client.js'
import { byDigitalBazaar, multikeyOf, statusByDigitalBazaar, type Suite } from './support/digitalbazaar.js'
import { Service } from './support/service.js'
import { until } from './support/until.js'

const PUBLIC_URL = 'https://status.example.com'
const JSON_FORMS = ['application/vc', 'application/vc+ld+json', 'application/json']
const SUITES = { Ed25519: 'eddsa-rdfc-2022', Secp256r1: 'ecdsa-rdfc-2019' } as const satisfies Record<
  string,
  Suite
>

type Embedded = Record<string, unknown> & {
  id: string
  issuer: string
  credentialSubject: Record<string, unknown> & { encodedList: string }
  proof: Record<string, unknown> & { verificationMethod: string; cryptosuite: string }
}
interface Created {
  statusListId: string
  statusListUrl: string
  statusListName: string
  resource: { jwt: string; metadata: Record<string, unknown> }
  resourceMetadata: { created: string; checksum: string }
}

describe('status lists with embedded proofs', () => {
  let service: Service
  let client: Client
  let names = 0

  before(async () => {
    service = await Service.start({ environment: { VIDIMUS_PUBLIC_URL: PUBLIC_URL } })
    client = await Client.of(service.url, service.apiKey)
  })
  after(() => service.stop())

  async function publisher(type: keyof typeof SUITES = 'Ed25519'): Promise<string> {
    const { kid: key } = (await client.ok('POST', '/key/create', { query: { type } })) as { kid: string }
    const json = { network: 'testnet', verificationMethodType: 'JsonWebKey2020', key }
    return ((await client.ok('POST', '/did/create', { json })) as { did: string }).did
  }

  const creation = (did: string, fields: object = {}, purposes = 'revocation') => ({
    query: { listType: 'BitstringStatusList', statusPurpose: purposes },
    json: { did, statusListName: `list ${++names}`, address: 'https', embeddedProof: true, ...fields },
  })
  async function create(did: string, fields: object = {}, purposes?: string): Promise<Created> {
    const asked = creation(did, fields, purposes)
    const made = await client.ok('POST', '/credential-status/create/unencrypted', asked)
    return { ...(made as Created), statusListName: asked.json.statusListName }
  }

  const read = (list: Created, accept = 'application/vc', query = ''): Promise<Answer> =>
    client.get(`/status-lists/${list.statusListId}${query}`, { apiKey: null, headers: { accept } })
  const embeddedIn = async (list: Created): Promise<Embedded> =>
    JSON.parse((await read(list)).body as string) as Embedded
  const update = (did: string, { statusListName }: Created, indices: number[], statusAction = 'revoke') =>
    client.ok('POST', '/credential-status/update/unencrypted', {
      query: { listType: 'BitstringStatusList', statusAction },
      json: { did, statusListName, indices },
    })

  async function methodOf({ issuer, proof }: Embedded): Promise<VerificationMethod> {
    const { body } = await client.get(`/1.0/identifiers/${issuer}`, {
      apiKey: null,
      headers: { accept: 'application/did+json' },
    })
    const { verificationMethod } = body as { verificationMethod: VerificationMethod[] }
    return verificationMethod.find(({ id }) => id === proof.verificationMethod) ?? assert.fail('no such key')
  }
  const outside = async (embedded: Embedded, suite: Suite) =>
    byDigitalBazaar(embedded, suite, multikeyOf(await methodOf(embedded)), new Date())
  const here = async (credential: object) =>
    (await client.ok('POST', '/credential/verify', { json: { credential } })) as {
      verified: boolean
      issuer?: string
    }

  for (const [type, suite] of Object.entries(SUITES)) {
    it(`are read and verified by others, signed with ${suite} in every version`, async () => {
      const did = await publisher(type as keyof typeof SUITES)
      const list = await create(did)
      const issued = (await client.ok('POST', '/credential/issue', {
        json: {
          format: 'ldp_vc',
          issuerDid: did,
          '@context': ['https://www.w3.org/ns/credentials/undefined-terms/v2'],
          attributes: { a: 1 },
          credentialStatus: { did, statusListName: list.statusListName },
        },
      })) as { credentialStatus: { statusListCredential: string; statusListIndex: string } }
      assert.equal(issued.credentialStatus.statusListCredential, list.statusListUrl)
      const statusOf = async (embedded: Embedded) => {
        const key = multikeyOf(await methodOf(embedded))
        const { verified, results, error } = await statusByDigitalBazaar(issued, embedded, suite, key)
        assert.ok(verified, String(error))
        return results?.[0]?.status
      }
      const first = await embeddedIn(list)
      assert.deepEqual([first.proof.cryptosuite, first.issuer, first.id], [suite, did, list.statusListUrl])
      assert.equal(await statusOf(first), false)
      await client.ok('POST', '/credential/revoke', { json: { credential: issued } })
      const second = await embeddedIn(list)
      assert.equal(await statusOf(second), true)
      assert.equal((await outside(second, suite)).verified, true)
      const { verified, issuer } = await here(second)
      assert.deepEqual([verified, issuer], [true, did])
    })
  }

  it('say the same as the JWT, signed by the same key, in every JSON form', async () => {
    const list = await create(await publisher(), { ttl: 300_000, validUntil: '2099-01-01T00:00:00Z' })
    const jwt = (await read(list, '*/*')).body as string
    assert.equal(jwt, list.resource.jwt)
    assert.equal(list.resource.metadata.embeddedProof, true)
    for (const form of JSON_FORMS) {
      const { headers, body } = await read(list, form)
      assert.equal(headers.get('content-type'), form)
      const parsed: unknown = typeof body === 'string' ? JSON.parse(body) : body
      const { proof, ...document } = parsed as Embedded
      assert.deepEqual(document, decodeJwt(jwt))
      assert.deepEqual(proof, decodeProtectedHeader(jwt).proof)
      assert.equal(proof.verificationMethod, decodeProtectedHeader(jwt).kid)
      assert.equal(headers.get('cache-control'), 'public, max-age=300')
    }
  })

  it('are negotiated, cached, compressed and kept like other forms', async () => {
    const did = await publisher()
    const list = await create(did)
    const first = await read(list)
    const etag = first.headers.get('etag') ?? ''
    const { checksum, created } = list.resourceMetadata
    assert.equal(etag, `"${checksum}-vc-gzip"`)
    const byKey = { apiKey: null, headers: { accept: 'application/vc', 'if-none-match': etag } }
    assert.equal((await client.get(`/status-lists/${list.statusListId}`, byKey)).status, 304)
    const head = await client.call('HEAD', `/status-lists/${list.statusListId}`, {
      apiKey: null,
      headers: { accept: 'application/vc' },
    })
    assert.deepEqual([head.status, head.headers.get('etag'), head.body], [200, etag, ''])
    const refused = await read(list, 'application/statuslist+jwt')
    assert.equal(refused.status, 406)
    assert.match(
      (refused.body as { error: string }).error,
      /application\/vc\+jwt, application\/vc, application\/vc\+ld\+json, application\/json/,
    )
    const second = Date.parse(created) / 1000
    await until(() => Promise.resolve(Date.now() / 1000 >= second + 1))
    await update(did, list, [5])
    assert.notEqual((await read(list)).body, first.body)
    assert.equal((await read(list, 'application/vc', `?time=${second}`)).body, first.body)
  })

  it('fail for any changed member, outside and here', async () => {
    const embedded = await embeddedIn(await create(await publisher(), { ttl: 60_000 }))
    const { credentialSubject: subject, proof } = embedded
    const other = createHash('sha256').update('x').digest('hex')
    const changes: Record<string, object> = {
      id: { id: `${embedded.id}x` },
      issuer: { issuer: `did:cheqd:testnet:${other.slice(0, 22)}` },
      type: { type: ['VerifiableCredential'] },
      iat: { iat: 1 },
      validFrom: { validFrom: '2020-01-01T00:00:00Z' },
      validUntil: { validUntil: '2099-01-01T00:00:00Z' },
      encodedList: { credentialSubject: { ...subject, encodedList: `${subject.encodedList}A` } },
      purpose: { credentialSubject: { ...subject, statusPurpose: 'suspension' } },
      ttl: { credentialSubject: { ...subject, ttl: 1 } },
      subjectId: { credentialSubject: { ...subject, id: embedded.id } },
      subjectType: { credentialSubject: { ...subject, type: 'BitstringStatusListEntry' } },
      created: { proof: { ...proof, created: '2020-01-01T00:00:00Z' } },
      value: {
        proof: {
          ...proof,
          proofValue: String(proof.proofValue).replace(/.$/, (c) => (c === '1' ? '2' : '1')),
        },
      },
      suite: { proof: { ...proof, cryptosuite: 'ecdsa-rdfc-2019' } },
      proofPurpose: { proof: { ...proof, proofPurpose: 'authentication' } },
      method: { proof: { ...proof, verificationMethod: `${embedded.issuer}#key-2` } },
      none: { proof: undefined },
    }
    const key = multikeyOf(await methodOf(embedded))
    for (const [name, change] of Object.entries(changes)) {
      const changed = { ...embedded, ...change }
      const oracle = await byDigitalBazaar(changed, 'eddsa-rdfc-2022', key, new Date())
      assert.equal(oracle.verified, false, `outside: ${name}`)
      const { status, body } = await client.post('/credential/verify', { json: { credential: changed } })
      assert.ok(status === 400 || !(body as { verified: boolean }).verified, `here: ${name}`)
    }
  })

  it('cover the messages of wide entries', async () => {
    const did = await publisher()
    const statusMessages = ['valid', 'revoked', 'suspended', 'unknown'].map((message, n) => ({
      status: `0x${n}`,
      message,
    }))
    const list = await create(did, { statusMessages }, 'revocation,suspension')
    await update(did, list, [7], 'suspend')
    const embedded = await embeddedIn(list)
    assert.deepEqual(embedded.credentialSubject.statusMessages, statusMessages)
    const { verified, error } = await outside(embedded, 'eddsa-rdfc-2022')
    assert.ok(verified, JSON.stringify(error))
    assert.equal((await here(embedded)).verified, true)
    const changed = statusMessages.map((one) => ({ ...one, message: 'valid' }))
    const forged = {
      ...embedded,
      credentialSubject: { ...embedded.credentialSubject, statusMessages: changed },
    }
    assert.equal((await outside(forged, 'eddsa-rdfc-2022')).verified, false)
    assert.equal((await here(forged)).verified, false)
  })

  it('are signed by the new key after a rotation', async () => {
    const did = await publisher()
    const list = await create(did)
    const { proof: before } = await embeddedIn(list)
    await client.ok('POST', '/did/rotate-key', { json: { did, gracePeriod: 'PT0S' } })
    await until(async () => {
      const { endedAt } = (await client.ok('GET', `/did/rotations/${did}`)) as { endedAt?: string }
      return endedAt !== undefined
    })
    const after = await embeddedIn(list)
    assert.notEqual(after.proof.verificationMethod, before.verificationMethod)
    assert.equal((await outside(after, 'eddsa-rdfc-2022')).verified, true)
  })

  it('exist only for lists that were created with them', async () => {
    const did = await publisher()
    const list = await create(did, { embeddedProof: false })
    assert.equal((await embeddedIn(list)).type, 'EnvelopedVerifiableCredential')
    assert.equal(list.resource.metadata.embeddedProof, undefined)
  })

  it('are refused where they are not possible', async () => {
    const did = await publisher()
    const refusal = async (path: string, asked: object) => {
      const { status, body } = await client.post(path, asked)
      const { details } = body as { details: { path: string; message: string }[] }
      assert.equal(status, 400)
      return details.find((detail) => detail.path === 'embeddedProof')?.message
    }
    const unencrypted = '/credential-status/create/unencrypted'
    const asked = creation(did)
    const ofType = (listType: string) => ({ ...asked, query: { ...asked.query, listType } })
    for (const listType of ['TokenStatusList', 'StatusList2021']) {
      assert.equal(await refusal(unencrypted, ofType(listType)), `is not possible for a ${listType}`)
    }
    const encrypted = await refusal('/credential-status/create/encrypted', asked)
    assert.equal(encrypted, 'is not possible for an encrypted list')
    assert.match((await refusal(unencrypted, creation(did, { embeddedProof: 'x' }))) ?? '', /true or false/)
  })
})
