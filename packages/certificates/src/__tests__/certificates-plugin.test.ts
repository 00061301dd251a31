import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CertificatesPlugin } from '../certificates-plugin.js'
import type { CertificatesPluginOptions } from '../plugin-options.js'
import { dns, Party, pemOf, uri, x5cOf } from './authority.js'

const issuer = 'https://issuer.example/of/credentials'

describe('trust anchors', () => {
  let folder: string
  before(() => (folder = mkdtempSync(join(tmpdir(), 'vidimus-anchors-'))))
  after(() => rmSync(folder, { recursive: true }))
  const [root, other] = [Party.root('Root'), Party.root('Other')]
  const file = (name: string, ...parties: Party[]) => {
    const path = join(folder, name)
    writeFileSync(path, `Some authorities\n${pemOf(...parties.map(({ der }) => der))}`)
    return path
  }
  const chainBelow = (party: Party, ...names: ReturnType<typeof uri>[]) =>
    x5cOf(party.issue('Issuer', { names: names.length > 0 ? names : [uri(issuer)] }).der)

  const use = async (
    options: CertificatesPluginOptions,
    certificateChain: string[],
    args: { use?: 'credential' | 'statusList'; sameAnchorAs?: string[]; issuer?: string } = {},
  ) => {
    const plugin = new CertificatesPlugin(options)
    try {
      await plugin.methods.certificateVerify({ certificateChain, issuer, use: 'credential', ...args })
      return 'verified'
    } catch (error) {
      return (error as Error).message
    }
  }

  it('are required', async () => {
    assert.match(await use({}, chainBelow(root)), /does not lead to a trust anchor: none is configured/)
    assert.deepEqual(await new CertificatesPlugin().lifecycle.check(), [])
  })

  it('come from files, folders and lists of them', async () => {
    const [first, second] = [file('first.pem', root), file('second.pem', other)]
    const ways = [`${first}, ${second}`, [first, second], folder]
    for (const trustAnchors of ways) {
      for (const party of [root, other])
        assert.equal(await use({ trustAnchors }, chainBelow(party)), 'verified')
    }
    const both = file('first.pem', root, other)
    assert.equal(await use({ trustAnchors: both }, chainBelow(other)), 'verified')
  })

  it('have names: those of their files, or one that is given', async () => {
    const trustAnchors = [file('first.pem', root), { files: [file('second.pem', other)], name: 'lists' }]
    const anchorOf = async (party: Party, anchors: string[], naming = issuer) => {
      const args = {
        certificateChain: chainBelow(party, uri(naming)),
        issuer,
        use: 'statusList' as const,
        anchors,
      }
      const { methods } = new CertificatesPlugin({ trustAnchors })
      return methods.certificateVerify(args).then(
        ({ anchor }) => anchor,
        (error: Error) => error.message,
      )
    }
    assert.deepEqual([await anchorOf(root, []), await anchorOf(other, [])], ['first', 'lists'])
    assert.equal(await anchorOf(other, ['lists'], 'https://else.example'), 'lists')
    assert.match(await anchorOf(root, ['lists', 'second'], 'https://else.example'), /does not name/)
    for (const name of ['', 'a b'])
      assert.throws(() => new CertificatesPlugin({ trustAnchors: [{ files: folder, name }] }), /name/)
  })

  it('of status lists are separate, or the same as those of the credential', async () => {
    const [of, ofLists] = [file('first.pem', root, other), file('lists.txt', other)]
    const [trustAnchors, list] = [{ trustAnchors: of }, { use: 'statusList' as const }]
    assert.equal(await use(trustAnchors, chainBelow(other), list), 'verified')
    const sameAnchorAs = chainBelow(root)
    assert.match(
      await use(trustAnchors, chainBelow(other), { ...list, sameAnchorAs }),
      /does not lead to a trust anchor/,
    )
    const separate = { ...trustAnchors, statusTrustAnchors: ofLists }
    assert.equal(await use(separate, chainBelow(other), { ...list, sameAnchorAs }), 'verified')
    assert.match(
      await use(separate, chainBelow(root), { ...list, sameAnchorAs }),
      /does not lead to a trust anchor/,
    )
    assert.equal(await use(separate, chainBelow(root)), 'verified')
  })

  it('identify issuers by address or host name, never by a wildcard', async () => {
    const trustAnchors = file('first.pem', root)
    const named = (...names: ReturnType<typeof uri>[]) => use({ trustAnchors }, chainBelow(root, ...names))
    assert.equal(await named(dns('Issuer.example')), 'verified')
    for (const name of [uri('https://issuer.example'), dns('*.example'), dns('example'), uri(`${issuer}/`)]) {
      assert.match(await named(name), /does not name "https:\/\/issuer.example\/of\/credentials"/)
    }
    for (const address of [
      'http://issuer.example',
      'https://a@issuer.example',
      'https://issuer.example/#a',
    ]) {
      const chain = chainBelow(root, dns('issuer.example'), uri(address))
      assert.match(await use({ trustAnchors }, chain, { issuer: address }), /does not name/)
    }
  })

  it('identify issuers in their canonical spelling only', async () => {
    const trustAnchors = file('first.pem', root)
    const chain = chainBelow(root, dns('bank.example'))
    const ofIssuer = (name: string) => use({ trustAnchors }, chain, { issuer: name })
    for (const name of ['https://bank.example', 'https://bank.example/', 'https://bank.example/a/b']) {
      assert.equal(await ofIssuer(name), 'verified', name)
    }
    for (const name of [
      'https://evil.example\\@bank.example',
      ...[
        'https://bank。example',
        'https://BANK.example',
        'HTTPS://bank.example',
        'https://bank.example:443',
      ],
      ...['https://bank.example/a/', 'https://bank.example//', 'https://bank.example/a/../b'],
      ...['https://bank.example#', 'https://bank.example:444', 'https://bank.example/?a'],
    ]) {
      assert.match(await ofIssuer(name), /does not name/, name)
    }
    const asked = 'https://bank.example:444/?a'
    const named = chainBelow(root, uri(asked))
    assert.equal(await use({ trustAnchors }, named, { issuer: asked }), 'verified')
  })

  it('let no certificate for TLS or code signing sign credentials', async () => {
    const trustAnchors = file('first.pem', root)
    const [server, code, any, own] = ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.3', '2.5.29.37.0', '1.2.3.4']
    const withUsages = (extendedUsages: string[], credentialSigningEku?: string[]) => {
      const leaf = root.issue('Issuer', { names: [uri(issuer)], extendedUsages })
      return use({ trustAnchors, ...(credentialSigningEku && { credentialSigningEku }) }, x5cOf(leaf.der))
    }
    assert.match(await withUsages([server]), /may not sign credentials, by its extended key usage/)
    assert.match(await withUsages([server, code]), /may not sign credentials/)
    assert.equal(await withUsages([server, any]), 'verified')
    assert.equal(await withUsages([own]), 'verified')
    assert.match(await withUsages([any], [own]), /may not sign credentials/)
    assert.equal(await withUsages([server, own], [own]), 'verified')
  })

  it('are reloaded when they change; unreadable ones are not trusted and are reported', async () => {
    const path = file('first.pem', root)
    const plugin = new CertificatesPlugin({ trustAnchors: path, statusTrustAnchors: [] })
    const verify = (certificateChain: string[]) =>
      plugin.methods.certificateVerify({ certificateChain, issuer, use: 'credential' })
    await verify(chainBelow(root))
    file('first.pem', other)
    utimesSync(path, 1, 1)
    await assert.rejects(verify(chainBelow(root)), { code: 'invalid_credential' })
    await verify(chainBelow(other))
    assert.deepEqual(await plugin.lifecycle.check(), [{ name: 'trust-anchors', ok: true }])
    rmSync(path)
    await assert.rejects(verify(chainBelow(other)), { code: 'invalid_credential' })
    const [found] = await plugin.lifecycle.check()
    assert.deepEqual([found?.ok, found?.warning], [false, true])
  })

  it('must exist and be CA certificates when a service starts', () => {
    const leaf = Party.root('Leaf', { isAuthority: false })
    const wrong: [CertificatesPluginOptions, RegExp][] = [
      [{ trustAnchors: join(folder, 'nothing.pem') }, /nothing\.pem: it cannot be read \(ENOENT\)/],
      [{ trustAnchors: file('leaf.txt', leaf) }, /not a CA certificate/],
      [{ trustAnchors: file('none.txt') }, /contains no PEM certificate/],
      [{ statusSigningEku: 'status' }, /must be an OID/],
    ]
    for (const [options, says] of wrong) {
      assert.throws(
        () => new CertificatesPlugin(options),
        (error: Error & { code?: string }) =>
          error.code === 'invalid_configuration' && says.test(error.message),
      )
    }
  })
})
