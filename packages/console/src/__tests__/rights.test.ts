import assert from 'node:assert/strict'
import { limitsIn, limitsSentence, whyNot, type ApiDocument } from '../rights.js'

const document: ApiDocument = {
  paths: {
    '/did/create': { post: { operationId: 'did-create', 'x-scopes': ['dids', 'did-create'] } },
    '/operator/accounts': { get: { operationId: 'operator-account-list', 'x-scopes': ['operator'] } },
    '/health/live': { get: { operationId: 'health-live' } },
  },
}
const DID = 'did:cheqd:mainnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0'

describe('rights of an API key', () => {
  it('are read from response headers', () => {
    const headers = new Headers({ 'x-api-key-scopes': 'read, did-create', 'x-api-key-networks': 'testnet' })
    assert.deepEqual(limitsIn(headers), { scopes: ['read', 'did-create'], networks: ['testnet'] })
    assert.deepEqual(limitsIn(new Headers()), {})
  })

  it('allow the operations of its scopes on its networks', () => {
    const reason = (limits: Parameters<typeof whyNot>[0]['limits'], id = 'did-create', did?: string) =>
      whyNot({ document, limits }, id, did)
    assert.equal(reason({}), undefined)
    const lacksOperator = 'This API key lacks a required scope: operator.'
    for (const limits of [{}, { scopes: ['read', 'operator-account-list'] }]) {
      assert.equal(reason(limits, 'operator-account-list'), lacksOperator)
    }
    assert.equal(reason({ scopes: ['operator'] }, 'operator-account-list'), undefined)
    assert.equal(reason({ scopes: ['read', 'dids'] }), undefined)
    assert.equal(reason({ scopes: ['did-create'] }), undefined)
    assert.equal(reason({ scopes: ['read'] }), 'This API key lacks a required scope: dids or did-create.')
    assert.equal(reason({ scopes: ['read'] }, 'health-live'), undefined)
    assert.equal(reason({}, 'did-import'), 'This service does not offer this.')
    assert.equal(
      reason({ networks: ['testnet'] }, 'did-create', DID),
      'This API key may not write to mainnet.',
    )
    assert.equal(reason({ networks: ['mainnet'] }, 'did-create', DID), undefined)
    assert.equal(reason({ networks: ['testnet'] }, 'did-create', 'did:key:z6Mk'), undefined)
  })

  it('are described in one sentence if limited', () => {
    assert.equal(limitsSentence({}), undefined)
    assert.equal(
      limitsSentence({ scopes: ['read', 'dids'], networks: ['testnet'] }),
      'This API key is limited: its scopes are read and dids, and it may write only to testnet. Actions it may not perform are disabled and say why.',
    )
  })
})
