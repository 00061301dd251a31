import assert from 'node:assert/strict'
import { createHash, createPrivateKey, sign } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync, gzipSync } from 'node:zlib'
import { encode, Tagged } from 'cborg'
import { compactVerify, importX509, SignJWT } from 'jose'
import {
  dns,
  Party,
  pemOf,
  uri,
  x5cOf,
  type IssueOptions,
} from '../packages/certificates/src/__tests__/authority.js'
import { ListHost, WEB } from '../packages/status-list/src/__tests__/strangers/list-host.js'
import { Client } from './support/client.js'
import { outsideKey, pairInDer } from './support/outside-key.js'
import { assertRefused } from './support/refused.js'
import { Service } from './support/service.js'

const ISSUER = 'https://issuer.example'
const STATUS_SIGNER = 'Status "A", of lists'
const EKU = '1.3.6.1.5.5.7.3.30'
/** An issuer without certificates. */
const BY_KEY = outsideKey('Secp256r1')
const DID = `did:jwk:${Buffer.from(JSON.stringify(BY_KEY.jwk)).toString('base64url')}`
const STATUS_LIST = { bits: 8, lst: deflateSync(Uint8Array.of(0, 1)).toString('base64url') }

interface Verdict {
  verified: boolean
  issuer?: string
  signer?: string
  statuses?: { valid?: boolean; error?: string; code?: string }[]
  problems?: { message: string }[]
}

/** An issuer with certificates: an authority below a root, and the leaf of the issuer. */
function issuerBelow(root: Party, leaf: IssueOptions = {}, middle: IssueOptions = {}) {
  const authority = root.issue('Authority', { isAuthority: true, ...middle })
  const own = authority.issue('Issuer', { names: [uri(ISSUER), dns('status.example')], ...leaf })
  const x5c = x5cOf(own.der, authority.der)
  const jwt = (payload: object, header: object = {}, key = own.privateKey) => {
    const parts = [{ alg: 'ES256', x5c, ...header }, payload]
    const signed = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
    const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' })
    return `${signed}.${signature.toString('base64url')}`
  }
  return { own, x5c, jwt }
}

describe('X.509 certificates of issuers', () => {
  const host = new ListHost()
  const root = Party.root('Root')
  /** An authority whose lists have signers of their own. */
  const signers = Party.root('Signers')
  const issuer = issuerBelow(root)
  let folder: string
  let service: Service
  let client: Client
  const anchors = (name: string, ...roots: Party[]) =>
    writeFileSync(join(folder, 'anchors', name), pemOf(...roots.map(({ der }) => der)))
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vidimus-anchors-'))
    mkdirSync(join(folder, 'anchors'))
    anchors('root.pem', root)
    writeFileSync(join(folder, 'signers.pem'), pemOf(signers.der))
    await host.start()
    const trusted = `allowPrivateAddresses: true\n                certificateAuthorities: ${JSON.stringify(WEB.certificateAuthorities)}`
    service = await Service.start({
      configure: (text) =>
        text
          .replace(
            'trustAnchors: { $env: VIDIMUS_TRUST_ANCHORS, $default: null }',
            `trustAnchors: [${JSON.stringify(join(folder, 'anchors'))}, ${JSON.stringify({
              files: join(folder, 'signers.pem'),
              name: 'signers',
              statusSigningEku: '1.2.3.4',
              statusIssuerNames: [`CN=Status \\"A\\"\\, of lists`],
            })}]`,
          )
          .replace(/(\n {14}web:\n(?: {16}.*\n)*? {16})allowPrivateAddresses: false/, `$1${trusted}`)
          .replace('statusSigningEku: null', `statusSigningEku: ${EKU}`)
          .replace(
            'statusIssuers: []',
            `statusIssuers: [{ issuer: 'anchor:lists', for: ['${ISSUER}/', '${DID}'] }]`,
          ),
    })
    client = await Client.of(service.url, service.apiKey)
  })
  after(async () => {
    await service.stop()
    host.stop()
    rmSync(folder, { recursive: true })
  })

  const credential = (by = issuer, members: object = {}, header: object = {}, key = by.own.privateKey) =>
    `${by.jwt({ iss: ISSUER, vct: 'urn:person', name: 'Ada', ...members }, { typ: 'dc+sd-jwt', ...header }, key)}~`
  const verify = async (shown: unknown) =>
    (await client.ok('POST', '/credential/verify', { json: { credential: shown } })) as Verdict
  const reasons = async (shown: unknown) => {
    const { verified, problems } = await verify(shown)
    assert.equal(verified, false)
    return problems?.map(({ message }) => message).join('; ') ?? ''
  }

  it('verify a credential if they lead to a trust anchor', async () => {
    const { verified, issuer: named, signer, problems } = await verify(credential())
    assert.deepEqual([verified, named, problems], [true, ISSUER, undefined])
    assert.equal(signer, `x5t#S256:${createHash('sha256').update(issuer.own.der).digest('base64url')}`)
    // The same in the eyes of another library.
    const [jwt = ''] = credential().split('~')
    await compactVerify(jwt, await importX509(pemOf(issuer.own.der), 'ES256'))
    const byHost = issuerBelow(root, { names: [dns('issuer.example')] })
    assert.equal((await verify(credential(byHost))).verified, true)
  })

  it('verify nothing signed by untrusted issuers or with another key', async () => {
    const stranger = outsideKey('Secp256r1').privateKey
    const past = { notBefore: new Date(Date.now() - 2e6), notAfter: new Date(Date.now() - 1e6) }
    const own = Party.root('Issuer', { isAuthority: false, names: [uri(ISSUER)] })
    const cases: [string, RegExp][] = [
      [credential(issuerBelow(Party.root('Root'))), /does not lead to a trust anchor/],
      [credential(issuer, {}, { x5c: x5cOf(own.der) }, own.privateKey), /\[0\] is self-signed/],
      [credential(issuer, {}, {}, stranger), /signature does not match the key of its certificate/],
      [credential(issuerBelow(root, past)), /\[0\] expired/],
      [credential(issuerBelow(root, {}, past)), /\[1\] expired/],
      [credential(issuerBelow(root, {}, { permitted: [dns('other.example')] })), /does not allow \[0\]/],
      [credential(issuer, { iss: 'https://other.example' }), /does not name "https:\/\/other\.example"/],
      [credential(issuer, { iss: 'http://issuer.example' }), /must be a DID, or an https address/],
      [credential(issuer, {}, { x5c: undefined }), /no certificates/],
      [credential(issuer, {}, { x5c: [] }), /no certificates/],
      [credential(issuer, {}, { x5c: [issuer.x5c[0], 7] }), /no certificates/],
      [credential(issuer, {}, { x5c: ['AAAA'] }), /\[0\] is not an X\.509 certificate/],
      [credential(issuer, {}, { x5c: [...issuer.x5c].reverse() }), /\[0\] is a CA certificate/],
      [credential(issuer, {}, { alg: 'EdDSA' }), /signature does not match/],
    ]
    for (const [shown, says] of cases) assert.match(await reasons(shown), says)
  })

  it('verify with P-384 and RSA keys, and name others', async () => {
    const authority = root.issue('Authority', { isAuthority: true })
    const rsa = pairInDer(2048)
    const p384 = pairInDer('P-384')
    const shown = async (made: typeof rsa, alg: string) => {
      const leaf = authority.certify('Issuer', { publicKey: made.publicKey, names: [uri(ISSUER)] })
      const key = createPrivateKey({ key: made.privateKey, format: 'der', type: 'pkcs8' })
      const header = { alg, typ: 'dc+sd-jwt', x5c: x5cOf(leaf, authority.der) }
      const jwt = new SignJWT({ iss: ISSUER, vct: 'urn:person' }).setProtectedHeader(header)
      return `${await jwt.sign(key)}~`
    }
    for (const [made, alg] of [
      [p384, 'ES384'],
      [rsa, 'RS256'],
      [rsa, 'PS256'],
    ] as const) {
      const good = await shown(made, alg)
      const { verified, problems } = await verify(good)
      assert.deepEqual([verified, problems], [true, undefined], alg)
      const [head = '', body = ''] = good.split('.')
      const [, , signature = ''] = (await shown(made, alg === 'RS256' ? 'PS256' : alg)).split('.')
      const other = Buffer.from(body, 'base64url').toString().replace('urn:person', 'urn:forged')
      const forged = `${head}.${Buffer.from(other).toString('base64url')}.${signature}`
      assert.match(await reasons(forged), /signature does not match the key of its certificate/)
    }
    assert.match(
      await reasons(await shown(rsa, 'RS512')),
      /alg of the JWT is "RS512", which is not supported/,
    )
    const [jwt = ''] = (await shown(rsa, 'RS512')).split('~')
    const answer = await client.post('/agent/didJwtVerify', { json: { jwt, did: DID } })
    assertRefused(answer, { code: 'algorithm_not_supported', path: 'jwt', says: /RS512/ })
    const p521 = pairInDer('P-521')
    const large = pairInDer(4104, 3)
    const odd = pairInDer(2048, 5)
    for (const [made, says] of [
      [p521, /key of secp521r1, which is not Ed25519, P-256, P-384, secp256k1 or RSA/],
      [large, /key of its certificate \(x5c\) is RSA with 4104 bits/],
      [odd, /is RSA with another public exponent than 65537 or 3/],
    ] as const) {
      const leaf = authority.certify('Issuer', { publicKey: made.publicKey, names: [uri(ISSUER)] })
      const header = { alg: 'RS256', x5c: x5cOf(leaf, authority.der) }
      assert.match(await reasons(credential(issuer, {}, header)), says)
    }
  })

  it('name an issuer in one spelling, and in one form of credentials', async () => {
    const address = 'https://issuer.example'
    for (const iss of [address, `${address}/`]) {
      const { verified, issuer: named, problems } = await verify(credential(issuer, { iss }))
      assert.deepEqual([verified, named, problems], [true, address, undefined])
    }
    for (const iss of [
      'https://evil.example\\@issuer.example',
      'https://issuer。example',
      'https://ISSUER.example',
      'HTTPS://issuer.example',
      'https://issuer.example:443',
      'https://user@issuer.example',
      'https://issuer.example/#a',
      'https://issuer.example/a/../b',
      'https://issuer.example/a/',
    ]) {
      assert.match(await reasons(credential(issuer, { iss })), /does not name/, iss)
    }
    const ofDataModel = {
      '@context': ['https://www.w3.org/ns/credentials/v2'],
      type: ['VerifiableCredential'],
      issuer: address,
      credentialSubject: { name: 'Ada' },
    }
    const { issuer: _, ...vc } = ofDataModel
    for (const [typ, payload] of [
      [
        'JWT',
        { iss: address, nbf: 1, vc: { ...vc, '@context': ['https://www.w3.org/2018/credentials/v1'] } },
      ],
      ['vc+jwt', ofDataModel],
      ['vc+sd-jwt', ofDataModel],
    ] as const) {
      const jwt = issuer.jwt(payload, { typ })
      assert.match(await reasons(typ === 'vc+sd-jwt' ? `${jwt}~` : jwt), /must be a DID|is not a DID/, typ)
    }
  })

  it('follow changes to the trust anchor files', async () => {
    const other = Party.root('Other')
    const shown = credential(issuerBelow(other))
    assert.match(await reasons(shown), /does not lead to a trust anchor/)
    anchors('other.pem', other)
    assert.equal((await verify(shown)).verified, true)
    writeFileSync(join(folder, 'anchors', 'other.pem'), 'nothing')
    assert.match(await reasons(shown), /does not lead to a trust anchor/)
    assert.equal((await verify(credential())).verified, true)
    rmSync(join(folder, 'anchors', 'other.pem'))
    assert.match(await reasons(shown), /does not lead to a trust anchor/)
  })

  describe('of status lists', () => {
    const claims = () => ({
      iss: ISSUER,
      sub: host.url(),
      iat: Math.floor(Date.now() / 1000),
      status_list: STATUS_LIST,
    })
    const named = (idx: number, by = issuer) =>
      credential(by, { status: { status_list: { idx, uri: host.url() } } })
    const serve = (by = issuer, header: object = {}, members: object = {}) =>
      host.serves(
        'application/statuslist+jwt',
        by.jwt({ ...claims(), ...members }, { typ: 'statuslist+jwt', ...header }),
      )

    it('decide whether a credential is valid', async () => {
      serve()
      assert.equal((await verify(named(0))).verified, true)
      assert.match(await reasons(named(1)), /it is revoked/)
      serve(issuer, {}, { iss: undefined })
      assert.equal((await verify(named(0))).verified, true)
    })

    it('are also read in CWTs', async () => {
      const chain = issuer.x5c.map((one) => new Uint8Array(Buffer.from(one, 'base64')))
      const type = 'application/statuslist+cwt'
      const header = encode(
        new Map<number, unknown>([
          [1, -7],
          [16, type],
          [33, chain],
        ]),
      )
      const list = new Map<string, unknown>([
        ['bits', 8],
        ['lst', new Uint8Array(Buffer.from(STATUS_LIST.lst, 'base64url'))],
      ])
      const { iss, sub, iat } = claims()
      const payload = encode(
        new Map<number, unknown>([
          [1, iss],
          [2, sub],
          [6, iat],
          [65_533, list],
        ]),
      )
      const signed = encode(['Signature1', header, new Uint8Array(), payload])
      const signature = new Uint8Array(
        sign('sha256', signed, { key: issuer.own.privateKey, dsaEncoding: 'ieee-p1363' }),
      )
      host.serves(type, Buffer.from(encode(new Tagged(18, [header, new Map(), payload, signature]))))
      assert.equal((await verify(named(0))).verified, true)
      assert.match(await reasons(named(1)), /it is revoked/)
    })

    it('must lead to the trust anchor of the credential', async () => {
      const other = Party.root('Other')
      anchors('other.pem', other)
      const others = issuerBelow(other)
      serve(others)
      const { verified, statuses } = await verify(named(0))
      assert.deepEqual([verified, statuses?.[0]?.code], [false, 'status_issuer'])
      const line = `statusIssuers: [{ issuer: 'anchor:other', for: ['${ISSUER}'] }]`
      assert.ok(statuses?.[0]?.error?.includes(line), statuses?.[0]?.error)
      assert.equal((await verify(named(0, others))).verified, true)
      // Of a list by itself any of them will do.
      const check = await client.post('/credential-status/check', {
        query: { listType: 'TokenStatusList', statusPurpose: 'suspension' },
        json: { uri: host.url(), index: 1 },
      })
      assert.equal(check.status, 200, JSON.stringify(check.body))
      const token = await client.post('/credential-status/check', {
        query: { listType: 'TokenStatusList', statusPurpose: 'suspension' },
        json: { token: named(1) },
      })
      assert.equal((token.body as { code: string }).code, 'status_issuer', JSON.stringify(token.body))
      rmSync(join(folder, 'anchors', 'other.pem'))
    })

    it('may be signed below a trust anchor that agent.yml names for the issuer', async () => {
      const lists = Party.root('Lists')
      anchors('lists.pem', lists)
      const signer = issuerBelow(lists, { names: [dns('lists.example')] })
      const ofDid = (idx: number) => {
        const status = { status_list: { idx, uri: host.url() } }
        const header = { x5c: undefined, kid: `${DID}#0`, typ: 'dc+sd-jwt' }
        return `${issuer.jwt({ iss: DID, vct: 'urn:person', status }, header, BY_KEY.privateKey)}~`
      }
      const check = async (json: object) => {
        const query = { listType: 'TokenStatusList', statusPurpose: 'revocation' }
        const { status, body } = await client.post('/credential-status/check', { query, json })
        const { code, signedBy, results } = body as Record<string, unknown>
        return [status, code, signedBy, (results as { revoked: boolean }[] | undefined)?.[0]?.revoked]
      }
      for (const iss of ['https://lists.example', undefined]) {
        serve(signer, {}, { iss })
        for (const shown of [named, ofDid]) {
          assert.deepEqual((await verify(shown(0))).problems, undefined)
          assert.match(await reasons(shown(1)), /it is revoked/)
        }
        assert.deepEqual(await check({ token: named(1) }), [200, undefined, undefined, true])
        const byHand = { uri: host.url(), index: 1, issuer: ISSUER }
        assert.deepEqual(await check(byHand), [200, undefined, 'anchor:lists', true])
      }
      serve(signer, {}, { iss: 'https://lists.example' })
      // For nobody else, and no other anchor.
      const other = issuerBelow(root, { names: [dns('other.example')] })
      const shown = credential(other, {
        iss: 'https://other.example',
        status: { status_list: { idx: 0, uri: host.url() } },
      })
      assert.equal((await verify(shown)).statuses?.[0]?.code, 'status_issuer')
      serve(issuerBelow(root, { names: [dns('lists.example')] }), {}, { iss: 'https://lists.example' })
      assert.equal((await verify(named(0))).statuses?.[0]?.code, 'status_issuer')
      const self = { iss: undefined, x5c: undefined, kid: `${DID}#0` }
      host.serves(
        'application/statuslist+jwt',
        issuer.jwt({ ...claims(), iss: undefined }, { ...self, typ: 'statuslist+jwt' }, BY_KEY.privateKey),
      )
      assert.equal((await verify(ofDid(0))).verified, true, 'the issuer itself still may')
      rmSync(join(folder, 'anchors', 'lists.pem'))
    })

    it('of the form of credentials have the same rules', async () => {
      const zeros = `u${gzipSync(Buffer.alloc(16_384)).toString('base64url')}`
      const entry = {
        type: 'BitstringStatusListEntry',
        statusPurpose: 'revocation',
        statusListIndex: '0',
        statusListCredential: host.url(),
      }
      const shown = credential(issuer, { credentialStatus: entry })
      const serveList = (by: typeof issuer) => {
        const subject = { type: 'BitstringStatusList', statusPurpose: 'revocation', encodedList: zeros }
        const type = ['VerifiableCredential', 'BitstringStatusListCredential']
        const model = {
          '@context': ['https://www.w3.org/ns/credentials/v2'],
          id: host.url(),
          type,
          issuer: ISSUER,
        }
        host.serves('text/plain', credential(by, { ...model, credentialSubject: subject }))
      }
      serveList(issuer)
      assert.deepEqual((await verify(shown)).problems, undefined)
      const other = Party.root('Other')
      anchors('other.pem', other)
      serveList(issuerBelow(other))
      assert.equal((await verify(shown)).statuses?.[0]?.code, 'status_issuer')
      rmSync(join(folder, 'anchors', 'other.pem'))
      serveList(issuerBelow(root, { extendedUsages: ['1.2.3.4'] }))
      assert.match(await reasons(shown), /may not sign status lists/)
    })

    it('may be signed by another certificate of the anchor, if agent.yml says so for that anchor', async () => {
      // As the European reference issuer publishes lists: signed by a certificate of their own, without `iss`.
      serve(issuerBelow(root, { names: [dns('lists.example')] }), {}, { iss: undefined })
      assert.match(
        await reasons(named(0)),
        /does not name "https:\/\/issuer\.example".*the trust anchor "root" in agent\.yml statusIssuerNames: \['CN=Issuer'\]/,
      )

      const own = issuerBelow(signers)
      const bySubject = signers.issue(STATUS_SIGNER, { names: [dns('lists.example')] })
      const byUsage = signers.issue('Other', { extendedUsages: ['1.2.3.4'] })
      const signedBy = (party: Party, iss?: string) => {
        const header = { typ: 'Application/StatusList+JWT', x5c: x5cOf(party.der) }
        const status_list = { ...STATUS_LIST, aggregation_uri: `${host.url()}/all` }
        host.serves('text/plain', issuer.jwt({ ...claims(), iss, status_list }, header, party.privateKey))
      }
      for (const [party, iss] of [
        [bySubject],
        [bySubject, ISSUER],
        [bySubject, 'https://lists.example'],
        [byUsage],
      ] as [Party, string?][]) {
        signedBy(party, iss)
        assert.deepEqual((await verify(named(0, own))).problems, undefined, `${party.name} ${iss}`)
        assert.deepEqual(
          host.asked.map(({ url }) => url),
          ['/list'],
        )
        assert.match(await reasons(named(1, own)), /it is revoked/)
      }
      const refusals: [string, Party, typeof own, RegExp][] = [
        ['another subject', signers.issue('Status'), own, /statusIssuerNames: \['CN=Status'\]/],
        ['another usage', signers.issue('X', { extendedUsages: [EKU] }), own, /does not name/],
        ['for an issuer of another anchor', bySubject, issuer, /does not lead/],
        ['the subject below another anchor', root.issue(STATUS_SIGNER), own, /does not lead/],
      ]
      for (const [title, party, by, says] of refusals) {
        signedBy(party)
        assert.match(await reasons(named(0, by)), says, title)
      }
      signedBy(bySubject)
      const check = await client.post('/credential-status/check', {
        query: { listType: 'TokenStatusList', statusPurpose: 'revocation' },
        json: { uri: host.url(), index: 0, issuer: ISSUER },
      })
      assert.equal(check.status, 400, 'nothing says that this is the anchor of the issuer')
    })

    it('must allow signing status lists if they name usages', async () => {
      serve(issuerBelow(root, { extendedUsages: ['1.3.6.1.5.5.7.3.1'] }))
      assert.match(await reasons(named(0)), /may not sign status lists/)
      serve(issuerBelow(root, { extendedUsages: ['1.3.6.1.5.5.7.3.1', EKU] }))
      assert.equal((await verify(named(0))).verified, true)
    })

    it('fail verification of a credential if they are invalid', async () => {
      for (const [by, header, says] of [
        [issuerBelow(Party.root('Root')), {}, /does not lead to a trust anchor/],
        [issuer, { x5c: undefined }, /no certificates/],
        [issuer, { crit: ['x'], x: 1 }, /crit/],
        [issuerBelow(root, { names: [dns('other.example')] }), {}, /does not name/],
      ] as const) {
        serve(by, header)
        assert.match(await reasons(named(0)), says)
      }
    })
  })
})
