import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { base58 } from '@scure/base'
import fc from 'fast-check'
import { parse } from 'did-resolver'
import {
  cheqdDid,
  isUniqueId,
  isUuid,
  normaliseDid,
  normaliseDidUrl,
  parseCheqdDid,
  parseDidUrl,
  uniqueIdOfKey,
} from '../index.js'

const UUID = '55dbc8bf-fba3-4117-855c-1e0dc1d3bb47'

describe('parseCheqdDid', () => {
  it('returns network and id, normalised like on the ledger', () => {
    assert.deepEqual(parseCheqdDid(`did:cheqd:testnet:${UUID}`), { network: 'testnet', id: UUID })
    assert.deepEqual(parseCheqdDid(`did:cheqd:mainnet:${UUID.toUpperCase()}`), {
      network: 'mainnet',
      id: UUID,
    })
    assert.deepEqual(parseCheqdDid('did:cheqd:testnet:BttdoaxtC5JkYJoLeGV8ny'), {
      network: 'testnet',
      id: 'BttdoaxtC5JkYJoLeGV8ny',
    })
  })

  for (const [why, did] of [
    ['another method', `did:key:testnet:${UUID}`],
    ['no network', `did:cheqd:${UUID}`],
    ['an empty network', `did:cheqd::${UUID}`],
    ['a network with other characters', `did:cheqd:test-net:${UUID}`],
    ['a UUID without hyphens', `did:cheqd:testnet:${UUID.replaceAll('-', '')}`],
    ['a UUID in braces', `did:cheqd:testnet:{${UUID}}`],
    ['base58 of 15 bytes', `did:cheqd:testnet:${base58.encode(Buffer.alloc(15, 7))}`],
    ['base58 of 17 bytes', `did:cheqd:testnet:${base58.encode(Buffer.alloc(17, 7))}`],
    ['an id with a letter outside base58', 'did:cheqd:testnet:BttdoaxtC5JkYJoLeGV8n0'],
    ['additional parts', `did:cheqd:testnet:more:${UUID}`],
    ['a path', `did:cheqd:testnet:${UUID}/path`],
    ['a trailing line break', `did:cheqd:testnet:${UUID}\n`],
    ['nothing', ''],
  ]) {
    it(`refuses ${why}`, () => assert.equal(parseCheqdDid(did ?? ''), undefined))
  }

  it('is the inverse of cheqdDid, for UUIDs and base58 of any 16 bytes', () => {
    const base58Id = fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => base58.encode(bytes))
    fc.assert(
      fc.property(fc.oneof(fc.uuid(), base58Id), fc.constantFrom('testnet', 'mainnet'), (id, network) => {
        assert.deepEqual(parseCheqdDid(cheqdDid(network, id)), { network, id })
        assert.ok(isUniqueId(id))
        assert.equal(isUuid(id), id.includes('-'))
      }),
    )
  })

  it('decides quickly about a very long id', () => {
    assert.equal(parseCheqdDid(`did:cheqd:testnet:${'2'.repeat(1_000_000)}`), undefined)
  })
})

describe('uniqueIdOfKey', () => {
  it('is base58 of half the SHA-256 hash of the key', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 33 }), (key) => {
        const id = uniqueIdOfKey(key)
        assert.ok(isUniqueId(id))
        const digest = createHash('sha256').update(key).digest('hex')
        assert.equal(Buffer.from(base58.decode(id)).toString('hex'), digest.slice(0, 32))
      }),
    )
  })
})

describe('parseDidUrl', () => {
  it('splits a DID URL into its four parts', () => {
    assert.deepEqual(parseDidUrl('did:cheqd:testnet:x/resources/1?a=b&c=%20#key-1?'), {
      did: 'did:cheqd:testnet:x',
      path: '/resources/1',
      query: 'a=b&c=%20',
      fragment: 'key-1?',
    })
    assert.deepEqual(parseDidUrl('did:a:b'), { did: 'did:a:b', path: '', query: '', fragment: '' })
  })

  it('refuses two fragments and an empty one', () => {
    assert.equal(parseDidUrl('did:a:b#c#d'), undefined)
    assert.equal(parseDidUrl('did:a:b#'), undefined)
  })

  it('agrees with did-resolver', () => {
    const word = fc.stringMatching(/^[a-z0-9]{1,8}$/)
    fc.assert(
      fc.property(word, fc.option(word), fc.option(word), fc.option(word), (id, path, query, fragment) => {
        const url = `did:x:${id}${path ? `/${path}` : ''}${query ? `?${query}` : ''}${fragment ? `#${fragment}` : ''}`
        const expected = parse(url)
        assert.deepEqual(parseDidUrl(url), {
          did: expected?.did,
          path: expected?.path ?? '',
          query: expected?.query ?? '',
          fragment: expected?.fragment ?? '',
        })
      }),
    )
  })
})

describe('normaliseDid', () => {
  it('lowercases UUIDs and leaves base58 unchanged', () => {
    const upper = randomUUID().toUpperCase()
    assert.equal(normaliseDid(`did:cheqd:testnet:${upper}`), `did:cheqd:testnet:${upper.toLowerCase()}`)
    assert.equal(
      normaliseDid('did:cheqd:testnet:BttdoaxtC5JkYJoLeGV8ny'),
      'did:cheqd:testnet:BttdoaxtC5JkYJoLeGV8ny',
    )
    assert.equal(
      normaliseDidUrl(`did:cheqd:testnet:${upper}/A?B#KEY`),
      `did:cheqd:testnet:${upper.toLowerCase()}/A?B#KEY`,
    )
    assert.equal(normaliseDidUrl('nonsense'), 'nonsense')
  })
})
