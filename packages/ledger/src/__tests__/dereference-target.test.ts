import assert from 'node:assert/strict'
import fc from 'fast-check'
import { DereferenceRefusal } from '../dereference-refusal.js'
import { readTarget } from '../dereference-target.js'
import { parseDidUrl } from '../index.js'

const UUID = '3fa85f64-5717-4562-b3fc-2c963f66afa6'
const target = (rest: string) => {
  const url = parseDidUrl(`did:cheqd:testnet:${UUID}${rest}`)
  assert.ok(url, rest)
  return readTarget(url)
}
const resource = (choice: object) => ({ kind: 'resource', choice: { ...choice, documentVersion: {} } })

describe('readTarget', () => {
  it('reads paths', () => {
    assert.deepEqual(target(''), { kind: 'document', version: {} })
    assert.deepEqual(target('/versions'), { kind: 'documentVersions' })
    assert.deepEqual(target('/metadata'), { kind: 'resourceHistory' })
    const after = '7bf81a20-633c-4cc7-bc4a-5a45801005e0'
    assert.deepEqual(target(`/metadata?after=${after.toUpperCase()}`), { kind: 'resourceHistory', after })
    assert.deepEqual(target(`/versions?after=${after}`), { kind: 'documentVersions', after })
    assert.deepEqual(target(`/version/${UUID.toUpperCase()}`), {
      kind: 'document',
      version: { versionId: UUID },
    })
    assert.deepEqual(target(`/version/${UUID}/metadata`), {
      kind: 'documentMetadata',
      version: { versionId: UUID },
    })
    assert.deepEqual(target(`/resources/${UUID}`), resource({ id: UUID }))
    assert.deepEqual(target(`/resources/${UUID}/metadata`), {
      ...resource({ id: UUID }),
      kind: 'resourceMetadata',
    })
  })

  it('reads a fragment, decoded', () => {
    assert.deepEqual(target('#key%201'), { kind: 'documentPart', fragment: 'key 1' })
  })

  it('reads names with both encodings of a space, and with special characters', () => {
    for (const name of ['my+list', 'my%20list']) {
      assert.deepEqual(
        target(`?resourceName=${name}&resourceType=A`),
        resource({ name: 'my list', resourceType: 'A' }),
      )
    }
    assert.deepEqual(target('?resourceName=a%2Bb=c%26d%C3%BC'), resource({ name: 'a+b=c&dü' }))
  })

  it('reads any name encoded by encodeURIComponent', () => {
    const names = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter((name) => Buffer.byteLength(name) <= 64)
    fc.assert(
      fc.property(names, (name) => {
        assert.deepEqual(target(`?resourceName=${encodeURIComponent(name)}`), resource({ name }))
      }),
    )
  })

  it('knows the parameters of status list specifications for the time of a version', () => {
    const time = new Date('2026-01-31T12:00:00Z')
    for (const parameter of [
      'resourceVersionTime=2026-01-31T12:00:00Z',
      'timestamp=2026-01-31T12:00:00Z',
      `time=${time.getTime() / 1000}`,
    ]) {
      assert.deepEqual(target(`?resourceName=a&${parameter}`), resource({ name: 'a', time }), parameter)
    }
  })

  it('reads the other parameters', () => {
    const checksum = 'ab'.repeat(32)
    assert.deepEqual(
      target(`?resourceId=${UUID}&resourceCollectionId=${UUID.toUpperCase()}&resourceVersion=1.0`),
      resource({ id: UUID, collectionId: UUID, version: '1.0' }),
    )
    assert.deepEqual(target(`?checksum=${checksum.toUpperCase()}`), resource({ checksum }))
    assert.deepEqual(target('?resourceName=a&resourceMetadata=true'), {
      ...resource({ name: 'a' }),
      kind: 'resourceMetadata',
    })
    assert.deepEqual(target('?resourceName=a&resourceMetadata=false'), resource({ name: 'a' }))
    assert.deepEqual(target(`?versionId=${UUID}&transformKeys=JsonWebKey2020`), {
      kind: 'document',
      version: { versionId: UUID },
      transformKeys: 'JsonWebKey2020',
    })
    assert.deepEqual(target('?metadata=true&versionTime=2026-01-31'), {
      kind: 'documentMetadata',
      version: { versionTime: new Date('2026-01-31') },
    })
    assert.deepEqual(target('?metadata=false'), { kind: 'document', version: {} })
    assert.deepEqual(target('?service=agent&relativeRef=%2Fa%3Fb'), {
      kind: 'service',
      version: {},
      service: 'agent',
      relativeRef: '/a?b',
    })
  })

  for (const [why, rest] of [
    ['an unknown path', '/other'],
    ['an overlong path', `/resources/${UUID}/metadata/more`],
    ['a path traversal', '/resources/../metadata'],
    ['a resource id that is not a UUID', '/resources/all'],
    ['a version id that is not a UUID', '/version/1'],
    ['a query after a path', `/resources/${UUID}?resourceName=a`],
    ['a fragment after a query', '?versionTime=2026-01-31#key-1'],
    ['a fragment that is not percent-encoded UTF-8', '#%ff'],
    ['an unknown parameter', '?resourcename=a'],
    ['a parameter named like an inherited property', '?__proto__=a'],
    ['a parameter without a value', '?resourceName='],
    ['a parameter without an equals sign', '?resourceName'],
    ['a repeated parameter', '?resourceName=a&resourceName=a'],
    ['an empty parameter', '?resourceName=a&&resourceType=b'],
    ['a broken escape', '?resourceName=%'],
    ['an escape that is not UTF-8', '?resourceName=%ff'],
    ['a name longer than the ledger allows', `?resourceName=${'ü'.repeat(33)}`],
    ['only a collection', `?resourceCollectionId=${UUID}`],
    ['a malformed collection', '?resourceName=a&resourceCollectionId=b'],
    ['only a version', '?resourceVersion=1'],
    ['only a time', '?resourceVersionTime=2026-01-31'],
    ['only a request for metadata', '?resourceMetadata=true'],
    ['a malformed time', '?resourceName=a&resourceVersionTime=soon'],
    ['two times', '?resourceName=a&timestamp=2026-01-31&time=1'],
    ['a Unix time that is not a number', '?resourceName=a&time=2026-01-31'],
    ['a Unix time out of range', '?resourceName=a&time=253402300800'],
    ['a malformed checksum', '?checksum=abc'],
    ['a flag that is neither true nor false', '?resourceName=a&resourceMetadata=yes'],
    ['a document version that is not a UUID', '?versionId=1'],
    ['an unknown key type', '?transformKeys=JsonWebKey'],
    ['transformed keys of a resource', '?resourceName=a&transformKeys=JsonWebKey2020'],
    ['transformed keys of metadata', '?metadata=true&transformKeys=JsonWebKey2020'],
    ['a name with a NUL', '?resourceName=a%00&resourceType=b'],
    ['a service beside a resource', '?resourceName=a&service=b'],
    ['a reference without a service', '?relativeRef=/a'],
    ['metadata of a document beside a resource', '?resourceName=a&metadata=true'],
  ] as const) {
    it(`refuses ${why}`, () => {
      assert.throws(
        () => target(rest),
        (error) => error instanceof DereferenceRefusal && error.error === 'invalidDidUrl',
      )
    })
  }

  it('either reads or refuses any DID URL', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[/?#&=%A-Za-z0-9.-]{0,60}$/), (rest) => {
        const url = parseDidUrl(`did:cheqd:testnet:${UUID}${rest}`)
        if (!url) return
        try {
          assert.ok(readTarget(url).kind)
        } catch (error) {
          assert.ok(error instanceof DereferenceRefusal, String(error))
        }
      }),
    )
  })
})
