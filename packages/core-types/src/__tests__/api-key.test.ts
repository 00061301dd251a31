import assert from 'node:assert/strict'
import { currentCaller, runInAccountScope, type ApiKeyGrant } from '../account.js'
import { networkOf, requireNetwork, requireNetworkOf } from '../api-key.js'
import { currentActor } from '../audit.js'
import { requireEffect } from '../effects.js'

const account = { id: 'a', name: 'a', createdAt: '2026-01-01T00:00:00.000Z' }
const other = { ...account, id: 'b', name: 'b' }
const grant: ApiKeyGrant = { id: 'k', scopes: ['read', 'did-create'], networks: ['testnet'] }
const limited = <T>(work: () => T) => runInAccountScope({ ...account, grant }, work)

describe('limits of an API key', () => {
  it('allow what its scopes and networks cover', () => {
    limited(() => {
      requireEffect('read-keys')
      requireNetwork('testnet')
      requireNetworkOf('did:cheqd:testnet:x')
      requireNetworkOf('did:key:z6Mk')
    })
  })

  it('name the missing right', () => {
    const refusal = (message: RegExp) => ({ code: 'forbidden', message })
    limited(() => {
      assert.throws(() => requireEffect('import-key'), refusal(/scope: keys or key-import/))
      assert.throws(() => requireNetwork('mainnet'), refusal(/network mainnet/))
      assert.throws(() => requireNetworkOf('did:cheqd:mainnet:x'), refusal(/network mainnet/))
    })
  })

  it('do not apply to an unlimited key or outside a scope', () => {
    const free = () => {
      requireEffect('import-key')
      requireNetwork('mainnet')
    }
    free()
    runInAccountScope(account, free)
    runInAccountScope({ ...account, grant: { id: 'k' } }, free)
  })

  it('also apply in a nested scope, except that of another account', () => {
    limited(() => {
      runInAccountScope(account, () => assert.throws(() => requireNetwork('mainnet'), { code: 'forbidden' }))
      runInAccountScope(other, () => requireNetwork('mainnet'))
    })
  })

  it('are not part of the account', () => {
    limited(() => assert.deepEqual(currentCaller()?.account, account))
  })
})

describe('currentActor', () => {
  it('is nobody outside a scope', () => assert.deepEqual(currentActor(), {}))

  it("identifies the API key and the address of an account's action", () => {
    const actor = runInAccountScope({ ...account, grant }, currentActor, {
      address: '192.0.2.1',
      requestId: 'r',
    })
    assert.deepEqual(actor, { accountId: 'a', apiKeyId: 'k', address: '192.0.2.1', requestId: 'r' })
    const nested = runInAccountScope({ ...account, grant }, () => runInAccountScope(account, currentActor), {
      address: '192.0.2.1',
    })
    assert.deepEqual(nested, { accountId: 'a', apiKeyId: 'k', address: '192.0.2.1' })
  })
})

describe('networkOf', () => {
  it('extracts the network of a did:cheqd only', () => {
    assert.equal(networkOf('did:cheqd:mainnet:7bf81a20'), 'mainnet')
    for (const did of ['did:cheqd:mainnetx:1', 'did:cheqd:devnet:1', 'did:key:mainnet', '']) {
      assert.equal(networkOf(did), undefined)
    }
  })
})
