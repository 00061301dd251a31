import assert from 'node:assert/strict'
import { sql } from '@vidimus/database'
import { emptyInstallation, PLACES } from './support/fresh-database.js'
import { ServiceHere } from './support/service-here.js'
import { until } from './support/until.js'

for (const place of PLACES) {
  it(`rotates the keys of due DIDs only (${place})`, async () => {
    const service = await ServiceHere.start({
      url: await emptyInstallation(place),
      configure: (text) => text.replace('rotateEvery: null', 'rotateEvery: P1Y'),
    })
    try {
      const account = await service.accounts.create('issuer')
      const call = service.as(account)
      const [old, young] = await Promise.all(
        ['cheqd', 'cheqd'].map(
          async (method) =>
            (await call('didManagerCreate', { provider: `did:${method}` })) as { did: string },
        ),
      )
      assert.ok(old && young)
      const pass = () => service.agent.execute('didRotationContinue', {})
      const rotationOf = (did: string) => call('didRotationGet', { did })
      await pass()
      await assert.rejects(rotationOf(old.did), { code: 'rotation_not_found' })

      const before = new Date(Date.now() - 366 * 24 * 60 * 60 * 1000).toISOString()
      await service.database.write((connection) =>
        connection.run(sql`UPDATE account_did SET created_at = ${before} WHERE did = ${old.did}`),
      )
      await pass()
      const { state, key } = (await rotationOf(old.did)) as { state: string; key: string }
      assert.equal(state, 'waiting')
      await assert.rejects(rotationOf(young.did), { code: 'rotation_not_found' })

      await pass()
      assert.equal(((await rotationOf(old.did)) as { key: string }).key, key, 'it is not rotated again')
    } finally {
      await service.stop()
    }
  })

  it(`leaves a rotation to whoever is at it, and to nobody while only its caller can go on (${place})`, async () => {
    const service = await ServiceHere.start({ url: await emptyInstallation(place) })
    try {
      const call = service.as(await service.accounts.create('issuer'))
      const { did } = (await call('didManagerCreate', { provider: 'did:cheqd' })) as { did: string }
      const rotate = async (gracePeriod?: string) => {
        const args = { did, ...(gracePeriod !== undefined && { gracePeriod }) }
        return (await call('didRotateKey', args)) as { state: string; removesAt?: string }
      }
      const items = () =>
        service.database.query<{ due_at: string; attempts: number }>(
          sql`SELECT due_at, attempts FROM work_item WHERE kind = 'rotation'`,
        )
      const hold = (holder: string | null, dueAt: Date) =>
        service.database.write((connection) =>
          connection.run(
            sql`UPDATE work_item SET holder = ${holder}, due_at = ${dueAt.toISOString()} WHERE kind = 'rotation'`,
          ),
        )
      assert.equal((await rotate()).state, 'waiting')
      assert.deepEqual(await items(), [])
      const { removesAt = '' } = await rotate('P30D')
      assert.deepEqual(await items(), [{ due_at: removesAt, attempts: 0 }])

      await hold(await service.database.presence(), new Date(Date.now() + 600_000))
      assert.equal((await rotate('PT0S')).state, 'waiting')
      await hold(null, new Date())
      await until(async () => ((await call('didRotationGet', { did })) as { state: string }).state === 'done')
      await until(async () => (await items()).length === 0)
    } finally {
      await service.stop()
    }
  })
}
