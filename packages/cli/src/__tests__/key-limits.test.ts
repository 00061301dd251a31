import assert from 'node:assert/strict'
import { networks, scopes } from '../key-limits.js'

describe('limits of an API key on the command line', () => {
  it('may be separated by commas or given one by one', () => {
    assert.deepEqual(scopes('read, did-create', ['keys', 'read']), ['keys', 'read', 'did-create'])
    assert.deepEqual(networks('testnet', networks('mainnet')), ['mainnet', 'testnet'])
  })

  it('are refused if unknown, with a list of the known ones', () => {
    assert.deepEqual(scopes('operator,keyManagerSign'), ['operator', 'keyManagerSign'])
    assert.throws(
      () => scopes('read,everything'),
      /Unknown: everything\. Groups: .*read.*signing.* did-create/,
    )
    assert.throws(() => networks('devnet'), /Unknown: devnet. Expected one of: testnet, mainnet/)
  })
})
