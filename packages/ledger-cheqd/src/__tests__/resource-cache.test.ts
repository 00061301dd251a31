import assert from 'node:assert/strict'
import type { ResourceMetadata } from '@vidimus/ledger'
import { ResourceCache } from '../resource-cache.js'

const resource = (id: string, bytes: number) => ({
  data: new Uint8Array(bytes),
  metadata: { collectionId: 'c', id } as ResourceMetadata,
})

describe('ResourceCache', () => {
  it('keeps what was asked for last, as far as it fits', () => {
    const cache = new ResourceCache(100)
    for (const id of ['a', 'b', 'c']) cache.put(resource(id, 33))
    cache.get('c', 'a')
    cache.put(resource('d', 33))
    assert.equal(cache.get('c', 'b'), undefined)
    assert.ok(cache.get('c', 'a'))
    cache.put(resource('a', 90))
    assert.equal(cache.get('c', 'd'), undefined)
    assert.equal(cache.get('c', 'a')?.data.length, 90)
  })

  it('keeps nothing that is larger than itself', () => {
    const cache = new ResourceCache(10)
    cache.put(resource('a', 11))
    assert.equal(cache.get('c', 'a'), undefined)
    assert.equal(new ResourceCache(0).put(resource('a', 1)).data.length, 1)
  })
})
