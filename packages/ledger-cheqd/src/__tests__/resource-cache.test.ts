import assert from 'node:assert/strict'
import type { ResourceMetadata } from '@vidimus/ledger'
import { ResourceCache } from '../resource-cache.js'

const resource = (id: string, bytes: number) => ({
  data: new Uint8Array(bytes),
  metadata: { collectionId: 'c', id } as ResourceMetadata,
})

describe('ResourceCache', () => {
  it('keeps what was asked for last, as far as it fits', () => {
    const cache = new ResourceCache(100_000)
    for (const id of ['a', 'b', 'c']) cache.put(resource(id, 30_000))
    cache.get('c', 'a')
    cache.put(resource('d', 30_000))
    assert.equal(cache.get('c', 'b'), undefined)
    assert.ok(cache.get('c', 'a'))
    cache.put(resource('a', 90_000))
    assert.equal(cache.get('c', 'd'), undefined)
    assert.equal(cache.get('c', 'a')?.data.length, 90_000)
  })

  it('counts what holds a content, and keeps no more memory than that', () => {
    const cache = new ResourceCache(10_000)
    for (let n = 0; n < 5; n += 1) cache.put(resource(`${n}`, 0))
    assert.equal(cache.get('c', '0'), undefined)
    cache.put({ ...resource('a', 0), data: new Uint8Array(65_536).subarray(0, 10) })
    assert.equal(cache.get('c', 'a')?.data.buffer.byteLength, 10)
  })

  it('keeps nothing that is larger than itself', () => {
    const cache = new ResourceCache(10)
    cache.put(resource('a', 11))
    assert.equal(cache.get('c', 'a'), undefined)
    assert.equal(new ResourceCache(0).put(resource('a', 1)).data.length, 1)
  })
})
