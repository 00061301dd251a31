import assert from 'node:assert/strict'
import { sql } from '@vidimus/database'
import { emptyInstallation, PLACES } from './support/fresh-database.js'
import { ServiceHere } from './support/service-here.js'

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
}
