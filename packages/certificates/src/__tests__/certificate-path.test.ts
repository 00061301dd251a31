import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OctetString } from '@peculiar/asn1-schema'
import { BasicConstraints, Extension, GeneralName, KeyUsageFlags } from '@peculiar/asn1-x509'
import fc from 'fast-check'
import { readCertificate } from '../certificate.js'
import { readChain } from '../certificate-chain.js'
import { pathToAnchor } from '../certificate-path.js'
import { CertificateRefusal } from '../refusal.js'
import { directory, dns, extension, Party, pemOf, uri, x5cOf, type IssueOptions } from './authority.js'

const ISSUER = 'https://issuer.example'
const LEAF: IssueOptions = { names: [uri(ISSUER), dns('issuer.example')] }
const NOW = new Date()
const PAST = { notBefore: new Date(Date.now() - 2_000_000), notAfter: new Date(Date.now() - 1_000_000) }
const FUTURE = { notBefore: new Date(Date.now() + 1_000_000) }

/** A root, an authority below it and a leaf below that, each as specified. */
function chainOf(root: IssueOptions = {}, middle: IssueOptions = {}, leaf: IssueOptions = LEAF) {
  const top = Party.root('Root', root)
  const authority = top.issue('Authority', { isAuthority: true, ...middle })
  return { top, authority, leaf: authority.issue('Issuer', { ...LEAF, ...leaf }) }
}

const refusalOf = (x5c: readonly string[], anchors: readonly Buffer[], at = NOW): string | undefined => {
  try {
    pathToAnchor(readChain(x5c), anchors.map(readCertificate), at)
    return undefined
  } catch (error) {
    assert.ok(error instanceof CertificateRefusal, String(error))
    return error.message
  }
}

interface Case {
  chain: ReturnType<typeof chainOf>
  /** left out: it verifies */
  says?: RegExp
  /** OpenSSL applies constraints to names of their own form only */
  isStricter?: boolean
}

const onCritical = new Extension({ extnID: '1.2.3.4', critical: true, extnValue: new OctetString([5, 0]) })
const within = (...permitted: GeneralName[]) => ({ permitted })
const without = (...excluded: GeneralName[]) => ({ excluded })

const CASES: Record<string, () => Case> = {
  'that is valid': () => ({ chain: chainOf() }),
  'whose root has expired': () => ({ chain: chainOf(PAST), says: /trust anchor that expired/ }),
  'whose authority has expired': () => ({ chain: chainOf({}, PAST), says: /\[1\] expired/ }),
  'whose leaf has expired': () => ({ chain: chainOf({}, {}, PAST), says: /\[0\] expired/ }),
  'whose leaf is not valid yet': () => ({
    chain: chainOf({}, {}, FUTURE),
    says: /\[0\] is not valid before/,
  }),
  'whose URI is below a permitted host': () => ({
    chain: chainOf({}, within(dns('issuer.example')), { names: [uri(ISSUER)] }),
  }),
  'whose URI is outside of the permitted hosts': () => ({
    chain: chainOf({}, within(dns('issuer.example')), { names: [uri('https://evil.example')] }),
    says: /violates the name constraints/,
    isStricter: true,
  }),
  'whose URI is on an excluded host': () => ({
    chain: chainOf({}, without(dns('issuer.example')), { names: [uri('https://issuer.example/a')] }),
    says: /violates the name constraints/,
    isStricter: true,
  }),
  'whose host is outside of the permitted URIs': () => ({
    chain: chainOf({}, within(uri('bank.example')), { names: [dns('issuer.example')] }),
    says: /violates the name constraints/,
    isStricter: true,
  }),
  'whose host is that of an excluded URI': () => ({
    chain: chainOf({}, without(uri('issuer.example')), { names: [dns('issuer.example')] }),
    says: /violates the name constraints/,
    isStricter: true,
  }),
  'whose intermediate is not a CA': () => ({
    chain: chainOf({}, { isAuthority: false, usages: KeyUsageFlags.keyCertSign }),
    says: /\[1\] is not a CA certificate/,
  }),
  'whose intermediate may not sign certificates': () => ({
    chain: chainOf({}, { usages: KeyUsageFlags.digitalSignature }),
    says: /\[1\] may not sign certificates/,
  }),
  'whose leaf may not sign': () => ({
    chain: chainOf({}, {}, { usages: KeyUsageFlags.keyAgreement }),
    says: /\[0\] may not be used for signatures/,
  }),
  'that is longer than its root allows': () => ({
    chain: chainOf({ pathLength: 0 }),
    says: /allows 0 authorities below it, but 1 follow/,
  }),
  'as long as its root allows': () => ({ chain: chainOf({ pathLength: 1 }, { pathLength: 0 }) }),
  'with an unknown critical extension': () => ({
    chain: chainOf({}, { extensions: [onCritical] }),
    says: /unsupported critical extension: 1\.2\.3\.4/,
  }),
  'signed with SHA-1': () => ({
    chain: chainOf({}, { weak: true }),
    says: /\[1\] is signed with an algorithm that is not accepted/,
  }),
  'whose names are permitted': () => ({
    chain: chainOf({}, within(dns('example'), uri('issuer.example'), directory('Issuer'))),
  }),
  'whose host is not permitted': () => ({
    chain: chainOf({}, within(dns('other.example'))),
    says: /does not allow \[0\]/,
  }),
  'whose address is not permitted': () => ({
    chain: chainOf({}, within(uri('.issuer.example'))),
    says: /does not allow \[0\]/,
  }),
  'whose host is excluded': () => ({
    chain: chainOf(without(dns('example'))),
    says: /does not allow \[0\]/,
  }),
  'whose host resembles an excluded one': () => ({ chain: chainOf(without(dns('suer.example'))) }),
  'whose subject is not permitted': () => ({
    chain: chainOf({}, within(directory('Somebody'))),
    says: /does not allow \[0\]/,
  }),
  'whose authority is not permitted': () => ({
    chain: chainOf(within(directory('Issuer'))),
    says: /does not allow \[1\]/,
  }),
  'with a name type whose constraints are not evaluated': () => ({
    chain: chainOf({}, without(new GeneralName({ rfc822Name: 'b.example' })), {
      names: [...(LEAF.names ?? []), new GeneralName({ rfc822Name: 'a@b.example' })],
    }),
    says: /constraints are not evaluated/,
  }),
}

describe('path from a certificate to a trust anchor', () => {
  for (const [what, make] of Object.entries(CASES)) {
    it(`${make().says ? 'refuses' : 'accepts'} a chain ${what}`, () => {
      const { chain, says } = make()
      const { leaf, authority, top } = chain
      const reason = refusalOf(x5cOf(leaf.der, authority.der), [top.der])
      if (says) assert.match(String(reason), says)
      else assert.equal(reason, undefined)
    })
  }

  it('ends at any trusted certificate, included in the chain or not', () => {
    const { leaf, authority, top } = chainOf()
    for (const anchors of [[top.der], [authority.der], [Party.root('Other').der, top.der]]) {
      assert.equal(refusalOf(x5cOf(leaf.der, authority.der), anchors), undefined)
      assert.equal(refusalOf(x5cOf(leaf.der, authority.der, top.der), anchors), undefined)
    }
    assert.equal(refusalOf(x5cOf(leaf.der), [authority.der]), undefined)
  })

  it('leads to no untrusted authority', () => {
    const { leaf, authority, top } = chainOf()
    const impostor = Party.root('Root')
    for (const anchors of [[], [impostor.der], [leaf.der], [Party.root('Other').der]]) {
      assert.match(
        String(refusalOf(x5cOf(leaf.der, authority.der), anchors)),
        /does not lead to a trust anchor/,
      )
    }
    assert.match(String(refusalOf(x5cOf(leaf.der), [top.der])), /does not lead to a trust anchor/)
    assert.match(String(refusalOf(x5cOf(leaf.der, top.der), [top.der])), /\[0\] was not issued by \[1\]/)
    const forged = impostor.issue('Authority', { isAuthority: true })
    assert.match(String(refusalOf(x5cOf(leaf.der, forged.der), [top.der])), /\[0\] was not issued by \[1\]/)
  })

  it('does not begin with a self-signed or CA certificate', () => {
    const { authority, top } = chainOf()
    assert.match(String(refusalOf(x5cOf(top.der), [top.der])), /\[0\] is self-signed/)
    assert.match(String(refusalOf(x5cOf(authority.der), [top.der])), /\[0\] is a CA certificate/)
    const own = Party.root('Issuer', { isAuthority: false, ...LEAF })
    assert.match(String(refusalOf(x5cOf(own.der), [own.der])), /\[0\] is self-signed/)
  })

  it('uses the valid one of two anchors with the same key', () => {
    const { leaf, authority, top } = chainOf(PAST)
    const publicKey = readCertificate(top.der).x509.publicKey.export({ type: 'spki', format: 'der' })
    const renewed = top.certify('Root', { isAuthority: true, publicKey })
    assert.equal(refusalOf(x5cOf(leaf.der, authority.der), [top.der, renewed]), undefined)
  })
})

describe('untrusted certificates', () => {
  it('are refused if malformed', () => {
    const { leaf } = chainOf()
    const again = extension('2.5.29.19', new BasicConstraints({ cA: true }))
    const twice = chainOf({}, {}, { extensions: [again] })
    const shown: [string[], RegExp][] = [
      [[], /has no certificate/],
      [x5cOf(twice.leaf.der), /\[0\] is not an X.509 certificate/],
      [[leaf.der.toString('base64url').replace(/^M/, '-')], /\[0\] is not a base64 certificate/],
      [[Buffer.from(pemOf(leaf.der)).toString('base64')], /\[0\] is not an X.509 certificate/],
      [[Buffer.concat([leaf.der, Buffer.from([0])]).toString('base64')], /\[0\] is not an X.509 certificate/],
      [x5cOf(leaf.der, Buffer.from('3000', 'hex')), /\[1\] is not an X.509 certificate/],
      [Array.from({ length: 11 }, () => leaf.der.toString('base64')), /11 certificates/],
      [['A'.repeat(16_388)], /\[0\] is not a base64 certificate/],
    ]
    for (const [x5c, says] of shown) assert.match(String(refusalOf(x5c, [])), says)
  })

  it('never crash the process or verify anything, whatever their bytes', () => {
    const { leaf, authority, top } = chainOf()
    const at = fc.nat({ max: leaf.der.length - 1 })
    fc.assert(
      fc.property(at, fc.integer({ min: 1, max: 255 }), fc.boolean(), (place, change, cut) => {
        const bytes = Buffer.from(cut ? leaf.der.subarray(0, place) : leaf.der)
        if (!cut) bytes.writeUInt8((bytes[place] ?? 0) ^ change, place)
        assert.notEqual(refusalOf(x5cOf(bytes, authority.der), [top.der]), undefined)
      }),
      { numRuns: 300 },
    )
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        assert.notEqual(refusalOf(x5cOf(Buffer.from(bytes)), [top.der]), undefined)
      }),
    )
  })
})

describe('openssl verify', () => {
  const isThere = spawnSync('openssl', ['version']).status === 0
  let folder: string
  before(function () {
    // An oracle where it is installed; nothing here needs it.
    if (!isThere) this.skip()
    folder = mkdtempSync(join(tmpdir(), 'vidimus-openssl-'))
  })
  after(() => {
    if (isThere) rmSync(folder, { recursive: true })
  })

  const NOT_ITS_AFFAIR = /signed with an algorithm|whose leaf may not sign|constraints are not evaluated/

  it('agrees with every verdict', () => {
    for (const [what, make] of Object.entries(CASES)) {
      const { chain, says, isStricter } = make()
      if (isStricter || NOT_ITS_AFFAIR.test(what) || NOT_ITS_AFFAIR.test(String(says?.source))) continue
      const file = (name: string, der: Buffer) => {
        const path = join(folder, `${name}.pem`)
        writeFileSync(path, pemOf(der))
        return path
      }
      const [top, authority, leaf] = [
        file('top', chain.top.der),
        file('authority', chain.authority.der),
        file('leaf', chain.leaf.der),
      ]
      const { status } = spawnSync('openssl', [...['verify', '-CAfile', top, '-untrusted', authority, leaf]])
      assert.equal(status === 0, says === undefined, what)
    }
  })
})
