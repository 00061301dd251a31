import assert from 'node:assert/strict'
import { Command } from 'commander'
import { networks, requireKnownScopes, scopes } from '../key-limits.js'

describe('the limits of an API key on the command line', () => {
  it('are written with commas or one after the other', () => {
    assert.deepEqual(scopes('read, did-create', ['keys', 'read']), ['keys', 'read', 'did-create'])
    assert.deepEqual(networks('testnet', networks('mainnet')), ['mainnet', 'testnet'])
  })

  it('are refused where there are none such, with those that there are', async () => {
    const command = new Command('create').exitOverride().configureOutput({ writeErr: () => undefined })
    await requireKnownScopes(command, ['read', 'did-create'])
    await assert.rejects(
      requireKnownScopes(command, ['read', 'everything']),
      /--scope .* no everything; there are: .*read.*did-create/,
    )
    assert.throws(() => networks('devnet'), /no devnet; there are: testnet, mainnet/)
  })
})
