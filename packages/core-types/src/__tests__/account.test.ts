import assert from 'node:assert/strict'
import { currentAccount, runInAccountScope } from '../account.js'

const account = (name: string) => ({ id: name, name, createdAt: '2026-01-01T00:00:00.000Z' })

describe('account scope', () => {
  it('is required for account data', () => {
    assert.throws(() => currentAccount(), { code: 'no_account_scope' })
  })

  it('carries across async calls and is isolated from concurrent scopes', async () => {
    const seen = await Promise.all(
      ['a', 'b', 'c'].map((name) =>
        runInAccountScope(account(name), async () => {
          await new Promise((resolve) => setImmediate(resolve))
          return currentAccount().name
        }),
      ),
    )
    assert.deepEqual(seen, ['a', 'b', 'c'])
    assert.throws(() => currentAccount(), { code: 'no_account_scope' })
  })
})
