import assert from 'node:assert/strict'
import { CACHES } from '@vidimus/core-types'
import { checksumOf } from '@vidimus/ledger'
import { assertCountsWhatItTakes } from '../../../../test/support/memory-taken.js'
import type { ChainState } from '../chain-state.js'
import { ResourceQueries } from '../resource-queries.js'

const COLLECTION = 'c82f2b02-bdab-4dd7-b833-3e143745d612'
const BYTES = 600

/** Like the response of a node, in the middle of what it sent. */
function contentOf(id: string): Uint8Array {
  const sent = Buffer.alloc(65_536)
  const data = sent.subarray(100, 100 + BYTES)
  data.write(id)
  return data
}

/** A chain on which every version is followed by another one. */
function chain() {
  const asked: string[] = []
  const query = (
    path: string,
    _codecs: unknown,
    { collectionId, id }: { collectionId: string; id: string },
  ) => {
    asked.push(path.replace(/.*\//, ''))
    const data = contentOf(id)
    const named = { name: 'list', resourceType: 'Test', mediaType: 'application/json', alsoKnownAs: [] }
    const versions = { version: '', previousVersionId: '', nextVersionId: 'next', created: new Date(0) }
    const metadata = { collectionId, id, ...named, ...versions, checksum: checksumOf(data) }
    return Promise.resolve({ resource: { metadata, resource: { data } } })
  }
  return { asked, resources: new ResourceQueries({ query, lacks: () => false } as unknown as ChainState) }
}

describe('ResourceQueries', () => {
  it('fetch each content once', async () => {
    const { asked, resources } = chain()
    const first = await resources.find(COLLECTION, 'a')
    const second = await resources.find(COLLECTION, 'a')
    assert.deepEqual(second?.data, new Uint8Array(first?.data ?? []))
    await resources.findMetadata(COLLECTION, 'a')
    assert.deepEqual(asked, ['Resource'])
  })

  it('fetch it again after eviction from the cache', async () => {
    const { asked, resources } = chain()
    const { bytes } = CACHES
    CACHES.bytes = 2048
    for (const id of ['a', 'b', 'a']) assert.equal((await resources.find(COLLECTION, id))?.metadata.id, id)
    CACHES.bytes = bytes
    assert.equal(asked.length, 3)
  })

  it('count what they keep, and use no more memory than that', async () => {
    const { resources } = chain()
    const findAll = async (prefix: string) => {
      for (let n = 0; n < 1000; n += 1) await resources.find(COLLECTION, `${prefix}-${n}`)
    }
    await findAll('before')
    await assertCountsWhatItTakes('resource', { buffers: 1000 * BYTES }, () => findAll('counted'))
  })
})
