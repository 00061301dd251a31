import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CertificationRequest } from '@peculiar/asn1-csr'
import { AsnConvert } from '@peculiar/asn1-schema'
import { compactVerify, decodeJwt, decodeProtectedHeader, importX509 } from 'jose'
import { decode } from 'cborg'
import { dns, Party, pemOf, uri, x5cOf } from '../packages/certificates/src/__tests__/authority.js'
import { auditedOf, createDid, createList } from './behaviour/suite.js'
import { Client } from './support/client.js'
import { Examination } from './support/doctor.js'
import { assertRefused } from './support/refused.js'
import { metricsUrl } from './support/scrape.js'
import { Service } from './support/service.js'

const ISSUER = 'https://issuer.example'

interface Key {
  kid: string
}
interface Issued {
  proof: { jwt: string }
}

describe('certificates of keys in custody', () => {
  const root = Party.root('Root')
  const authority = root.issue('Authority', { isAuthority: true })
  let folder: string
  let service: Service
  let client: Client
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vidimus-certificates-'))
    writeFileSync(join(folder, 'root.pem'), pemOf(root.der))
    service = await Service.start(options())
    client = await Client.of(service.url, service.apiKey)
  })
  after(async () => {
    await service.stop()
    rmSync(folder, { recursive: true })
  })

  const options = () => ({
    dataDirectory: folder,
    environment: {
      VIDIMUS_TRUST_ANCHORS: join(folder, 'root.pem'),
      VIDIMUS_PUBLIC_URL: 'https://status.example',
      METRICS_PORT: '0',
    },
  })
  const newKey = async (type = 'Secp256r1') =>
    ((await client.ok('POST', '/key/create', { query: { type }, json: {} })) as Key).kid
  const requestOf = async (kid: string) => {
    const { certificateRequest } = (await client.ok('POST', '/key/csr', { json: { kid } })) as {
      certificateRequest: string
    }
    const der = Buffer.from(certificateRequest.replace(/-----[^-]+-----|\s/g, ''), 'base64')
    const { certificationRequestInfo } = AsnConvert.parse(der, CertificationRequest)
    return Buffer.from(AsnConvert.serialize(certificationRequestInfo.subjectPKInfo))
  }
  const certify = (kid: string, certificateChain: unknown) =>
    client.post('/key/certificate', { json: { kid, certificateChain } })
  const issuerWithCertificates = async () => {
    const kid = await newKey()
    const leaf = authority.certify('Issuer', {
      publicKey: await requestOf(kid),
      names: [uri(ISSUER), dns('issuer.example')],
    })
    const answer = await certify(kid, pemOf(leaf, authority.der, root.der))
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    const options = { key: kid, verificationMethodType: 'JsonWebKey2020' }
    return {
      kid,
      leaf,
      body: answer.body as Record<string, unknown>,
      did: await createDid(client, { options }),
    }
  }

  it('are requested with a CSR and stored without the trust anchor', async () => {
    const { kid, leaf, body } = await issuerWithCertificates()
    assert.deepEqual(body, {
      kid,
      issuer: ISSUER,
      expiresAt: body.expiresAt,
      certificateChain: x5cOf(leaf, authority.der),
      signsStatusLists: true,
    })
    assertRefused(await client.post('/key/csr', { json: { kid: await newKey('X25519') } }), { path: 'kid' })
  })

  it('must match the key and be acceptable to others', async () => {
    const kid = await newKey()
    const publicKey = await requestOf(kid)
    const names = [uri(ISSUER)]
    const [past, before] = [new Date(Date.now() - 1e6), new Date(Date.now() - 2e6)]
    const cases: [unknown, RegExp][] = [
      [pemOf(authority.issue('Issuer', { names }).der), /\[0\] is the certificate of another key/],
      [pemOf(authority.certify('Issuer', { publicKey })), /names neither an https address nor a host/],
      [
        pemOf(authority.certify('Issuer', { publicKey, names, notBefore: before, notAfter: past })),
        /\[0\] expired/,
      ],
      [pemOf(authority.certify('Authority', { publicKey, names })), /\[0\] is self-signed/],
      [
        pemOf(authority.certify('Issuer', { publicKey, names }), Party.root('A').issue('B').der),
        /was not issued by/,
      ],
      ...[
        'https://BANK.example',
        'https://evil.example\\@bank.example',
        'https://bank.example/a/',
        'https://bank.example:443',
      ].map((address): [unknown, RegExp] => [
        pemOf(authority.certify('Issuer', { publicKey, names: [dns('issuer.example'), uri(address)] })),
        /\[0\] names .*, which is not the canonical spelling of an issuer/,
      ]),
      ['-----BEGIN PRIVATE KEY-----', /must not hold a private key/],
      ['nothing', /has no certificate/],
      [['AAAA'], /\[0\] is not an X\.509 certificate/],
    ]
    for (const [chain, says] of cases) {
      const answer = await certify(kid, chain)
      assertRefused(answer, { path: 'certificateChain', says })
    }
    assert.equal((await certify('nobody', [])).status, 404)
  })

  it('must lead to a trust anchor: nobody issues in the name of others with a certificate of their own making', async () => {
    const kid = await newKey()
    const own = Party.root('Evil')
    const leaf = own.certify('Issuer', {
      publicKey: await requestOf(kid),
      names: [uri('https://evil.example')],
    })
    assertRefused(await certify(kid, pemOf(leaf)), {
      code: 'invalid_input',
      path: 'certificateChain',
      says: /does not lead to a trust anchor.*trustAnchors.*unanchoredCertificates/,
    })
    assert.equal((await certify(kid, [])).status, 200)
  })

  it('are named by the doctor if they lead to no trust anchor any more', async () => {
    const { kid } = await issuerWithCertificates()
    const others = join(folder, 'other-root.pem')
    writeFileSync(others, pemOf(Party.root('Other').der))
    const found = async (anchors: object) => {
      const { environment, ...rest } = options()
      const examination = await Examination.of({ ...rest, environment: { ...environment, ...anchors } })
      return examination.of('certificates')
    }
    assert.doesNotMatch(await found({}), /trust anchor/)
    const named = await found({ VIDIMUS_TRUST_ANCHORS: others })
    assert.match(named, /^warn: lead to no trust anchor, and would be refused now: the chains of \d+ keys: /m)
    assert.ok(named.includes(`${kid} (${ISSUER})`), named)
  })

  it('need a scope of their own, also to choose a key that has one', async () => {
    const { kid: certified, did } = await issuerWithCertificates()
    const limited = async (...scopes: string[]) =>
      client.as((await service.apiKeyOf('default', { scopes })).apiKey)
    const forKeys = await limited('keys', 'dids', 'signing', 'credentials', 'read')
    const tries: [path: string, json: object][] = [
      ['/key/csr', { kid: certified }],
      ['/key/certificate', { kid: certified, certificateChain: [] }],
      ['/agent/keyCertificateRequest', { kid: certified }],
      ['/agent/keyCertificateSet', { kid: certified, certificateChain: [] }],
    ]
    const other = await createDid(client)
    const choosing: typeof tries = [
      ['/did/rotate-key', { did: other, key: certified }],
      ['/agent/didRotateKey', { did: other, key: certified }],
      ['/agent/didManagerAddKey', { did: other, key: { kid: certified }, options: { first: true } }],
      [
        '/did/create',
        { network: 'testnet', options: { key: certified, verificationMethodType: 'JsonWebKey2020' } },
      ],
    ]
    const found = (await client.ok('GET', `/key/read/${certified}`)) as {
      publicKeyHex: string
      type: string
      kms: string
    }
    for (const [path, json] of [...tries, ...choosing]) {
      const sent = path.endsWith('AddKey') ? { ...json, key: { kid: certified, ...found } } : json
      assertRefused(await forKeys.post(path, { json: sent }), { status: 403, says: /certificates/ })
    }
    // A DID that has it already is changed as any other.
    const { didDocument } = (await client.ok('GET', `/did/search/${did}`)) as { didDocument: object }
    for (const json of [{ did, service: [] }, { didDocument: { ...didDocument, alsoKnownAs: [ISSUER] } }])
      await forKeys.ok('POST', '/did/update', { json })
    const both = await limited('certificates', 'dids', 'read')
    await both.ok('POST', '/key/csr', { json: { kid: certified } })
    const { status } = await both.post('/did/rotate-key', { json: { did: other, key: certified } })
    assert.ok([200, 202].includes(status), String(status))
    const repeated = await (await limited('dids', 'read')).post('/did/rotate-key', { json: { did: other } })
    if (status === 202) assertRefused(repeated, { status: 403, says: /certificates/ })
  })

  it('sign SD-JWT VCs, which verify here and elsewhere, and are revoked', async () => {
    const { did, leaf } = await issuerWithCertificates()
    const { statusListName } = await createList(client, { did, listType: 'TokenStatusList' })
    const credential = (await client.ok('POST', '/credential/issue', {
      json: {
        format: 'dc+sd-jwt',
        issuerDid: did,
        vct: 'urn:person',
        attributes: { name: 'Ada' },
        credentialStatus: { statusListName, listType: 'TokenStatusList' },
      },
    })) as Issued
    const [jwt = ''] = credential.proof.jwt.split('~')
    assert.deepEqual(decodeProtectedHeader(jwt).x5c, x5cOf(leaf, authority.der))
    assert.equal(decodeJwt(jwt).iss, ISSUER)
    await compactVerify(jwt, await importX509(pemOf(leaf), 'ES256'))
    const verify = async () =>
      (await client.ok('POST', '/credential/verify', { json: { credential: credential.proof.jwt } })) as {
        verified: boolean
        signer: string
        problems?: { message: string }[]
      }
    const { verified, signer, problems } = await verify()
    assert.deepEqual([verified, problems], [true, undefined])
    assert.equal(signer, `x5t#S256:${createHash('sha256').update(leaf).digest('base64url')}`)
    await client.ok('POST', '/credential/revoke', { json: { credential: credential.proof.jwt } })
    assert.match(String((await verify()).problems?.[0]?.message), /it is revoked/)
  })

  it('sign token status lists, as JWT and CWT', async () => {
    const { did, kid, leaf } = await issuerWithCertificates()
    const { statusListName } = await createList(client, { did, listType: 'TokenStatusList' })
    const search = async () =>
      (await client.ok('GET', '/credential-status/search', {
        query: { did, statusListName, listType: 'TokenStatusList' },
      })) as { resource: { jwt: string }; statusListId: string }
    const { resource, statusListId } = await search()
    const x5c = x5cOf(leaf, authority.der)
    assert.deepEqual([decodeProtectedHeader(resource.jwt).x5c, decodeJwt(resource.jwt).iss], [x5c, ISSUER])
    await compactVerify(resource.jwt, await importX509(pemOf(leaf), 'ES256'))
    const response = await fetch(`${service.url}/status-lists/${statusListId}`, {
      headers: { accept: 'application/statuslist+cwt' },
    })
    const cwt = decode(new Uint8Array(await response.arrayBuffer()), {
      useMaps: true,
      tags: { 18: (content: () => unknown) => content() },
    }) as [Uint8Array, unknown, Uint8Array]
    const header = decode(cwt[0], { useMaps: true }) as Map<number, Uint8Array[]>
    assert.deepEqual(
      header.get(33)?.map((der) => Buffer.from(der).toString('base64')),
      x5c,
    )
    assert.equal((decode(cwt[2], { useMaps: true }) as Map<number, unknown>).get(1), ISSUER)
    const check = await client.ok('POST', '/credential-status/check', {
      query: { listType: 'TokenStatusList', statusPurpose: 'revocation' },
      json: { did, statusListName, index: 1 },
    })
    assert.equal((check as { revoked: boolean }).revoked, false)
    // Without certificates the DID issues again.
    await client.ok('POST', '/key/certificate', { json: { kid, certificateChain: [] } })
    assert.equal((await auditedOf(client, kid))[0], 'key-certified')
    await client.ok('POST', '/credential-status/sign', {
      query: { listType: 'TokenStatusList' },
      json: { did, statusListName },
    })
    const again = (await search()).resource.jwt
    assert.deepEqual([decodeProtectedHeader(again).x5c, decodeJwt(again).iss], [undefined, did])
  })

  it('sign no status lists if they name other usages', async () => {
    const kid = await newKey()
    const leaf = authority.certify('Issuer', {
      publicKey: await requestOf(kid),
      names: [uri(ISSUER)],
      extendedUsages: ['1.3.6.1.5.5.7.3.1'],
    })
    const { body } = await certify(kid, x5cOf(leaf, authority.der))
    assert.equal((body as { signsStatusLists: boolean }).signsStatusLists, false)
    const did = await createDid(client, { options: { key: kid, verificationMethodType: 'JsonWebKey2020' } })
    const { statusListName } = await createList(client, { did, listType: 'TokenStatusList' })
    const { resource } = (await client.ok('GET', '/credential-status/search', {
      query: { did, statusListName, listType: 'TokenStatusList' },
    })) as { resource: { jwt: string } }
    assert.deepEqual([decodeProtectedHeader(resource.jwt).x5c, decodeJwt(resource.jwt).iss], [undefined, did])
  })

  it('report when they expire, and are deleted with their key', async () => {
    const kid = await newKey()
    const end = new Date(Date.now() + 86_400_000)
    const publicKey = await requestOf(kid)
    const leaf = authority.certify('Issuer', { publicKey, names: [dns('issuer.example')], notAfter: end })
    const { body } = await certify(kid, x5cOf(leaf, authority.der))
    const { expiresAt, issuer } = body as { expiresAt: string; issuer: string }
    assert.equal(issuer, ISSUER)
    const firstExpiry = async () => {
      const text = await (await fetch(metricsUrl(service) ?? '')).text()
      return /^vidimus_key_certificate_expiry_timestamp_seconds(?:\{.*\})? (\S+)$/m.exec(text)?.[1]
    }
    assert.equal(Number(await firstExpiry()), Date.parse(expiresAt) / 1000)
    const found = (await Examination.of(options())).of('certificates')
    assert.match(found, /^warn: expire within 30 days, or have expired: those of \d+ keys/)
    const { apiKey } = service
    await service.stop()
    service = await Service.start(options())
    client = await Client.of(service.url, apiKey)
    const read = async () => client.post('/agent/keyCertificateGet', { json: { kid } })
    assert.deepEqual((await read()).body, body)
    await client.ok('POST', '/agent/keyManagerDelete', { json: { kid } })
    assert.equal((await read()).body ?? null, null)
    assert.notEqual(Number(await firstExpiry()), Date.parse(expiresAt) / 1000)
  })
})
