import assert from 'node:assert/strict'
import { asListName, runInAccountScope } from '@vidimus/core-types'
import { Database } from '@vidimus/database'
import { PLACES } from '../../../../test/support/fresh-database.js'
import { migrations, StatusListStore } from '../index.js'
import { FULLEST_LIST, NEARLY_FULL_LISTS } from '../measurements.js'
import { emptyDatabase, Envelope, newList, takeFree } from './open-store.js'

for (const place of PLACES) {
  it(`metrics of allocated indices (${place})`, async () => {
    const database = new Database({ url: await emptyDatabase(place), migrations: [migrations] })
    await database.lifecycle.start()
    try {
      // Each look-up serves for a while.
      const fill = async () => {
        const { measurements } = new StatusListStore({ database, envelope: new Envelope() })
        const named = [FULLEST_LIST, NEARLY_FULL_LISTS].map(({ name }) =>
          measurements.find(({ form }) => form.name === name),
        )
        const read = await Promise.all(named.map(async (measurement) => measurement?.read() ?? []))
        return read.map(([sample]) => sample?.value)
      }
      assert.deepEqual(await fill(), [0, 0])
      const store = new StatusListStore({ database, envelope: new Envelope() })
      const [filling, other] = [newList(), newList()]
      const take = async (times: number, list: typeof filling, entries: number) => {
        for (let n = 0; n < times; n += 1) await takeFree(store, list, entries)
      }
      await take(3, filling, 10)
      await take(1, other, 100)
      assert.deepEqual(await fill(), [0.3, 0])
      await take(6, filling, 10)
      assert.deepEqual(await fill(), [0.9, 1])
      await take(2, filling, 10)
      assert.deepEqual(await fill(), [1, 1])
      // Members of series fill up as they should.
      const { series } = store
      const { did, resourceType } = filling
      const name = { did, statusListName: asListName('staff'), resourceType }
      const template = { listType: 'StatusList2021', statusPurpose: 'revocation' }
      const account = { id: 'someone', name: 'someone', createdAt: '2026-01-01T00:00:00Z' }
      const member = await runInAccountScope(account, () => series.create({ name, template }, 'first'))
      await member?.end('ready')
      await take(10, { ...name, statusListName: asListName('staff.1') }, 10)
      assert.deepEqual(await fill(), [1, 1])
    } finally {
      await database.lifecycle.stop()
    }
  })
}
