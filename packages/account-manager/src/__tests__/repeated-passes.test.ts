import assert from 'node:assert/strict'
import { currentCaller, runInAccountScope, runInRequest, currentRequest } from '@vidimus/core-types'
import { RepeatedPasses } from '../repeated-passes.js'

describe('repeated passes', () => {
  it('have neither account, API key nor request of whoever asks for the next one', async () => {
    const passes = new RepeatedPasses(60)
    const account = {
      id: 'a',
      name: 'acme',
      createdAt: '',
      grant: { id: 'k', networks: ['testnet' as const] },
    }
    const seen = await new Promise<unknown[]>((resolve) => {
      passes.begin(() => {
        resolve([currentCaller(), currentRequest()])
        return Promise.resolve(true)
      })
      runInRequest({ requestId: 'r' }, () => runInAccountScope(account, () => passes.soon()))
    })
    await passes.stop()
    assert.deepEqual(seen, [undefined, undefined])
  })
})
