import assert from 'node:assert/strict'
import { createHash, sign } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { encode, Tagged } from 'cborg'
import { compactVerify, importX509 } from 'jose'
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
import { outsideKey } from './support/outside-key.js'
import { Service } from './support/service.js'

const ISSUER = 'https://issuer.example'
const EKU = '1.3.6.1.5.5.7.3.30'
const STATUS_LIST = { bits: 8, lst: deflateSync(Uint8Array.of(0, 1)).toString('base64url') }

interface Verdict {
  verified: boolean
  issuer?: string
  signer?: string
  statuses?: { valid?: boolean; error?: string }[]
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
    await host.start()
    const trusted = `allowPrivateAddresses: true\n                certificateAuthorities: ${JSON.stringify(WEB.certificateAuthorities)}`
    service = await Service.start({
      environment: { VIDIMUS_TRUST_ANCHORS: join(folder, 'anchors') },
      configure: (text) =>
        text
          .replace(/(\n {14}web:\n(?: {16}.*\n)*? {16})allowPrivateAddresses: false/, `$1${trusted}`)
          .replace('statusSigningEku: null', `statusSigningEku: ${EKU}`),
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
      assert.match(await reasons(named(0)), /does not lead to a trust anchor/)
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
      assert.equal(token.status, 400, JSON.stringify(token.body))
      rmSync(join(folder, 'anchors', 'other.pem'))
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
