import assert from 'node:assert/strict'
import { contradictions, providerOfMethod } from '../../registrar/registrar-method.js'

const providers = ['did:cheqd', 'did:ethr', 'did:ethr:sepolia', 'did:ion:test', 'did:dht:a', 'did:dht:b']

describe('method of a registrar', () => {
  for (const [method, provider] of [
    ['cheqd', 'did:cheqd'],
    ['did:cheqd', 'did:cheqd'],
    ['ethr', 'did:ethr'],
    ['ethr:sepolia', 'did:ethr:sepolia'],
    ['did:ethr:sepolia', 'did:ethr:sepolia'],
    ['ion', 'did:ion:test'],
  ] as const) {
    it(`"${method}" means ${provider}`, () => assert.equal(providerOfMethod(method, providers), provider))
  }

  it('must be exactly one configured method', () => {
    const unknown = { code: 'unknown_provider' }
    assert.throws(() => providerOfMethod('cheq', providers), { ...unknown, message: /mean "cheqd"/ })
    assert.throws(() => providerOfMethod('did', providers), unknown)
    assert.throws(() => providerOfMethod('dht', providers), { ...unknown, message: /did:dht:a, did:dht:b/ })
  })

  it('must not contradict the DID', () => {
    const did = 'did:cheqd:testnet:abc'
    const pathsOf = (said: object) => contradictions({ did, ...said }).map(({ path }) => path)
    for (const method of ['cheqd', 'did:cheqd', 'cheqd:testnet']) assert.deepEqual(pathsOf({ method }), [])
    for (const method of ['key', 'cheq', 'did:cheqd:mainnet', 'did']) {
      assert.deepEqual(pathsOf({ method }), ['method'])
    }
    assert.deepEqual(pathsOf({ network: 'testnet' }), [])
    assert.deepEqual(pathsOf({ method: 'key', network: 'mainnet' }), ['method', 'options.network'])
  })
})
