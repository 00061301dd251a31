import assert from 'node:assert/strict'
import { currentAccount, runInAccountScope } from '../account.js'

const account = (name: string) => ({ id: name, name, createdAt: '2026-01-01T00:00:00.000Z' })

describe('account scope', () => {
  it('does not exist outside of a scope', () => {
    assert.throws(() => currentAccount(), { code: 'no_account_scope' })
  })

  it('holds through everything that is awaited, apart from its neighbours', async () => {
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
