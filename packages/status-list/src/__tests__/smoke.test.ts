import assert from 'node:assert/strict'
import { createTestAgent } from './test-agent.js'
describe('smoke', () => {
  it('works', async () => {
    for (const listType of ['StatusList2021', 'BitstringStatusList']) {
      const { scoped, createDid, ledger } = createTestAgent()
      const { did } = await createDid()
      const list = { did, statusListName: 'l', listType }
      console.log(await scoped((a) => a.statusListCreate({ ...list, statusPurpose: 'revocation' })))
      const many = await scoped((a) =>
        Promise.all(
          Array.from({ length: 200 }, (_, n) =>
            a.statusListUpdate({ ...list, statusAction: 'revoke', indices: [n * 3] }),
          ),
        ),
      )
      console.log(many[199], ledger.calls)
      console.log(await scoped((a) => a.statusListCheck({ ...list, statusPurpose: 'revocation', index: 3 })))
      for (const f of [
        () => scoped((a) => a.statusListCheck({ ...list, statusPurpose: 'suspension', index: 3 })),
        () => scoped((a) => a.statusListUpdate({ ...list, statusAction: 'reinstate', indices: [3] })),
        () => scoped((a) => a.statusListUpdate({ ...list, statusAction: 'explode', indices: [3] })),
        () => scoped((a) => a.statusListUpdate({ ...list, statusAction: 'suspend', indices: [3] })),
        () =>
          scoped((a) =>
            a.statusListUpdate({ ...list, statusAction: 'revoke', indices: [3, 131072, 131073] }),
          ),
      ])
        await f().then(assert.fail, (e) => console.log(e.code, e.message, e.details))
      const t = process.hrtime.bigint()
      for (let i = 0; i < 2000; i++)
        await scoped((a) => a.statusListCheck({ ...list, statusPurpose: 'revocation', index: 3 }))
      console.log(Number(process.hrtime.bigint() - t) / 2000 / 1000, 'us')
    }
  })
})
