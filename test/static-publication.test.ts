import assert from 'node:assert/strict'
import { freshDatabase } from './support/fresh-database.js'
import { ServiceHere } from './support/service-here.js'
import { didOf, listOf, publishesIntoFolder } from './support/static-publication-suite.js'

publishesIntoFolder('SQLite')

describe('a service without a static publication', () => {
  it('refuses to wait for it', async () => {
    const service = await ServiceHere.start({ url: await freshDatabase('SQLite'), listen: true })
    const client = await service.clientOf('issuer')
    const list = await listOf(client, await didOf(client), 'TokenStatusList')
    const { status, body } = await client.post('/credential-status/update/unencrypted', {
      query: { listType: list.listType, statusAction: 'revoke' },
      json: { did: list.did, statusListName: list.statusListName, indices: [1], publication: 'wait' },
    })
    assert.equal(status, 400)
    assert.match((body as { error: string }).error, /^publication: cannot be waited for/)
    await service.stop()
  })
})
