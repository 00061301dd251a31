import assert from 'node:assert/strict'
import {
  resourceUri,
  toDidDocumentMetadata,
  toLinkedResourceMetadata,
  type ResourceMetadata,
} from '../index.js'

const resource: ResourceMetadata = {
  collectionId: '55dbc8bf-fba3-4117-855c-1e0dc1d3bb47',
  id: '398cee0a-efac-4643-9f4c-74c48c72a14b',
  name: 'list',
  version: '',
  resourceType: 'StatusList2021Revocation',
  alsoKnownAs: [{ uri: 'x', description: '' }],
  mediaType: 'application/json',
  created: new Date('2021-09-01T12:00:00.999Z'),
  checksum: 'ab',
  previousVersionId: '',
  nextVersionId: '',
}

describe('toLinkedResourceMetadata', () => {
  it('writes every member in the order of the resolver, with null for missing links', () => {
    assert.equal(
      JSON.stringify(toLinkedResourceMetadata('testnet', resource)),
      '{"resourceURI":"did:cheqd:testnet:55dbc8bf-fba3-4117-855c-1e0dc1d3bb47/resources/398cee0a-efac-4643-9f4c-74c48c72a14b",' +
        '"resourceCollectionId":"55dbc8bf-fba3-4117-855c-1e0dc1d3bb47","resourceId":"398cee0a-efac-4643-9f4c-74c48c72a14b",' +
        '"resourceName":"list","resourceType":"StatusList2021Revocation","mediaType":"application/json","resourceVersion":"",' +
        '"created":"2021-09-01T12:00:00Z","checksum":"ab","previousVersionId":null,"nextVersionId":null}',
    )
  })

  it('writes existing links', () => {
    const linked = toLinkedResourceMetadata('mainnet', {
      ...resource,
      previousVersionId: 'p',
      nextVersionId: 'n',
    })
    assert.equal(linked.previousVersionId, 'p')
    assert.equal(linked.nextVersionId, 'n')
    assert.equal(linked.resourceURI, resourceUri('mainnet', resource.collectionId, resource.id))
  })
})

describe('toDidDocumentMetadata', () => {
  const metadata = {
    created: new Date('2024-01-02T03:04:05.678Z'),
    deactivated: false,
    versionId: 'v',
    nextVersionId: '',
    previousVersionId: '',
  }

  it('omits absent values', () => {
    assert.deepEqual(toDidDocumentMetadata(metadata), { created: '2024-01-02T03:04:05Z', versionId: 'v' })
  })

  it('writes all present values', () => {
    const linked = toLinkedResourceMetadata('testnet', resource)
    const full = {
      ...metadata,
      updated: new Date('2025-01-01T00:00:00Z'),
      deactivated: true,
      nextVersionId: 'n',
      previousVersionId: 'p',
    }
    assert.deepEqual(toDidDocumentMetadata(full, { linkedResourceMetadata: [linked] }), {
      created: '2024-01-02T03:04:05Z',
      updated: '2025-01-01T00:00:00Z',
      deactivated: true,
      versionId: 'v',
      nextVersionId: 'n',
      previousVersionId: 'p',
      linkedResourceMetadata: [linked],
    })
  })
})
