import assert from 'node:assert/strict'
import { networks, scopes } from '../key-limits.js'

describe('the limits of an API key on the command line', () => {
  it('are written with commas or one after the other', () => {
    assert.deepEqual(scopes('read, did-create', ['keys', 'read']), ['keys', 'read', 'did-create'])
    assert.deepEqual(networks('testnet', networks('mainnet')), ['mainnet', 'testnet'])
  })

  it('are refused where there are none such, with those that there are', () => {
    assert.deepEqual(scopes('operator,keyManagerSign'), ['operator', 'keyManagerSign'])
    assert.throws(
      () => scopes('read,everything'),
      /Unknown: everything\. Groups: .*read.*signing.* did-create/,
    )
    assert.throws(() => networks('devnet'), /Unknown: devnet. Expected one of: testnet, mainnet/)
  })
})
