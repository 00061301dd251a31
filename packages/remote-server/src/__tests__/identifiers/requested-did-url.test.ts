import assert from 'node:assert/strict'
import fc from 'fast-check'
import { requestedDidUrl } from '../../identifiers/requested-did-url.js'

const DID = 'did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0'

describe('requestedDidUrl', () => {
  const didUrl = (target: string) => {
    const requested = requestedDidUrl(target)
    assert.ok(!('problem' in requested), JSON.stringify(requested))
    return requested.didUrl
  }

  it('accepts a plain DID URL with an escaped fragment', () => {
    assert.equal(didUrl(DID), DID)
    assert.equal(didUrl(`${DID}%23key-1`), `${DID}#key-1`)
    assert.equal(didUrl(`${DID}/resources/1/metadata`), `${DID}/resources/1/metadata`)
    assert.equal(
      didUrl(`${DID}?resourceName=a%20b&resourceType=c`),
      `${DID}?resourceName=a%20b&resourceType=c`,
    )
  })

  it('accepts any DID URL percent-encoded as a whole', () => {
    const rests = fc.oneof(
      fc.constant(''),
      fc
        .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
        .map((name) => `?resourceName=${encodeURIComponent(name)}&resourceType=b`),
      fc.constantFrom('#key-1', '/versions', `/resources/1`),
    )
    fc.assert(
      fc.property(rests, (rest) => {
        assert.equal(didUrl(encodeURIComponent(DID + rest)), DID + rest)
      }),
    )
  })

  it('refuses text that databases cannot store', () => {
    for (const target of [`${DID}%00`, `${DID}%23a%00`])
      assert.ok('problem' in requestedDidUrl(target), target)
  })

  it('keeps the escapes of a DID', () => {
    assert.equal(didUrl('did:web:localhost%3A8443:a'), 'did:web:localhost%3A8443:a')
    assert.equal(didUrl(encodeURIComponent('did:web:localhost%3A8443:a')), 'did:web:localhost%3A8443:a')
    assert.equal(didUrl('did:web:localhost%3A8443%23key'), 'did:web:localhost%3A8443#key')
  })

  it('returns the method', () => {
    for (const [target, method] of [
      [DID, 'cheqd'],
      ['did:key:z6Mk', 'key'],
      ['did%3Ajwk%3Aabc', 'jwk'],
    ] as const) {
      assert.equal((requestedDidUrl(target) as { method: string }).method, method)
    }
  })

  it('distinguishes a malformed DID URL from a malformed DID', () => {
    for (const [target, error] of [
      ['a', 'invalidDid'],
      ['a/b?c', 'invalidDid'],
      ['did:', 'invalidDid'],
      ['did::a', 'invalidDid'],
      [`${DID}%00`, 'invalidDid'],
      [`did:key:${'a'.repeat(5000)}`, 'invalidDid'],
      [`${DID}?resourceName=${'a'.repeat(5000)}`, 'invalidDidUrl'],
      [`${DID}%23key-1?versionId=1`, 'invalidDidUrl'],
      [`${DID}%23a%00`, 'invalidDidUrl'],
      [`${encodeURIComponent(DID)}%2F%ff`, 'invalidDidUrl'],
    ] as const) {
      const requested = requestedDidUrl(target)
      assert.equal('problem' in requested && requested.error, error, target.slice(0, 80))
    }
  })

  for (const [why, target] of [
    ['nothing', ''],
    ['another URI', 'https://example.com'],
    ['a path traversal', '../../etc/passwd'],
    ['an escaped path traversal', '..%2f..%2fetc'],
    ['a NUL', '%00'],
    ['a NUL at the start of an identifier', 'did:cheqd:%00'],
    ['an upper-case method', 'did:CHEQD:testnet:a'],
    ['no method', 'did::a'],
    ['no identifier', 'did:key:'],
    ['a broken escape', 'did:cheqd:testnet:%'],
    ['an escape that is not UTF-8', 'did%3Acheqd%3Atestnet%3A%ff'],
    ['two queries', 'did%3Acheqd%3Aa%3Fb=c?d=e'],
    ['a query after a fragment', `${DID}%23key-1?versionId=1`],
    ['an oversized URL', `${DID}?resourceName=${'a'.repeat(5000)}`],
  ] as const) {
    it(`refuses ${why}`, () => assert.ok('problem' in requestedDidUrl(target), target.slice(0, 100)))
  }

  it('either reads or refuses any input', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^did:[%a-z:?#0-9A-F]{0,40}$/)), (target) => {
        assert.equal(typeof requestedDidUrl(target).didUrl, 'string')
      }),
    )
  })
})
