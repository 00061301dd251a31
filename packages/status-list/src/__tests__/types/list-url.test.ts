import assert from 'node:assert/strict'
import { asDid, asListName } from '@vidimus/core-types'
import fc from 'fast-check'
import { listUrl, parseListUrl } from '../../types/list-url.js'

const did = 'did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0'
const plain = `${did}?resourceName=list&resourceType=StatusList2021Revocation`
const location = { did, statusListName: 'list', resourceType: 'StatusList2021Revocation' }

describe('list URL', () => {
  it('round-trips every location', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, unit: 'grapheme' }),
        fc.string({ minLength: 1 }),
        (name, type) => {
          const named = { did: asDid(did), statusListName: asListName(name), resourceType: type }
          assert.deepEqual(parseListUrl(listUrl(named)), named)
        },
      ),
    )
  })

  for (const url of [
    plain,
    `https://resolver.cheqd.net/1.0/identifiers/${plain}`,
    `https://127.0.0.1:3332/some/path/1.0/identifiers/${plain}`,
    `${did}?resourceType=StatusList2021Revocation&resourceName=list`,
  ]) {
    it(`is recognised in ${url}`, () => {
      assert.deepEqual(parseListUrl(url), location)
    })
  }

  it('accepts names as written in older credentials', () => {
    const name = (text: string) => parseListUrl(`${did}?resourceName=${text}&resourceType=T`)?.statusListName
    assert.equal(name('my list'), 'my list')
    assert.equal(name('my%20list'), 'my list')
    assert.equal(name('a+b'), 'a+b')
    assert.equal(name('100%'), '100%')
    assert.equal(name('a=b'), 'a=b')
  })

  for (const url of [
    '',
    'list',
    did,
    'https://example.com/list',
    `http://resolver.cheqd.net/1.0/identifiers/${plain}`,
    `https://example.com/?x=/1.0/identifiers/${plain}`,
    `${plain}#5`,
    `${plain}&resourceVersion=2`,
    `${plain}&versionTime=2020-01-01T00:00:00Z`,
    `${plain}&resourceName=other`,
    `${did}?resourceName=&resourceType=T`,
    `${did}?resourceName=list`,
    `${did}/resources/a09abea0-22e0-4b35-8f70-9cc3a6d0b5fd`,
    `${did}/path?resourceName=list&resourceType=T`,
  ]) {
    it(`is not recognised in "${url}"`, () => {
      assert.equal(parseListUrl(url), undefined)
    })
  }
})
