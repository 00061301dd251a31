import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from '@vidimus/database'
import { createDid, createList } from './behaviour/suite.js'
import { Client } from './support/client.js'
import { freshDatabase } from './support/fresh-database.js'
import { openDatabase } from './support/open-database.js'
import { runVidimus, Service } from './support/service.js'

const SERVICE = { user: 'vidimus_service', password: 'Pg-service-51c7' }

describe('a service on PostgreSQL whose user cannot change tables', () => {
  let dataDirectory: string
  let ownersUrl: string
  let environment: Record<string, string>
  before(async () => {
    dataDirectory = await mkdtemp(join(tmpdir(), 'vidimus-rights-'))
    ownersUrl = await freshDatabase('PostgreSQL')
    const url = new URL(ownersUrl)
    url.username = SERVICE.user
    url.password = SERVICE.password
    environment = { DATABASE_URL: url.href }
    const owner = await openDatabase({ dataDirectory, databaseUrl: ownersUrl })
    await owner.write(async (connection) => {
      await connection.run(sql`CREATE ROLE vidimus_service LOGIN PASSWORD 'Pg-service-51c7'`)
      await connection.run(sql`REVOKE CREATE ON SCHEMA public FROM PUBLIC`)
      await connection.run(
        sql`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO vidimus_service`,
      )
      await connection.run(sql`GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO vidimus_service`)
    })
    await owner.lifecycle.stop()
  })
  after(async () => {
    const owner = await openDatabase({ dataDirectory, databaseUrl: ownersUrl })
    await owner.write(async (connection) => {
      await connection.run(sql`DROP OWNED BY vidimus_service`)
      await connection.run(sql`DROP ROLE vidimus_service`)
    })
    await owner.lifecycle.stop()
    await rm(dataDirectory, { recursive: true, force: true })
  })

  it('works once the owner has run the migrations', async () => {
    const service = await Service.start({ dataDirectory, environment })
    const client = await Client.of(service.url, service.apiKey ?? '')
    const did = await createDid(client)
    await client.ok('POST', '/credential/issue', {
      json: { issuerDid: did, subjectDid: did, attributes: { a: 1 } },
    })
    const list = await createList(client)
    const changed = await client.ok('POST', '/credential-status/update/unencrypted', {
      query: { listType: 'BitstringStatusList', statusAction: 'revoke' },
      json: { ...list, indices: [7] },
    })
    assert.deepEqual((changed as { changed: number[] }).changed, [7])
    await client.ok('POST', '/key/create', { headers: { 'idempotency-key': 'once' } })
    assert.equal(await service.stop(), 0)
    await runVidimus(['audit'], { dataDirectory, environment })
  })

  it('reports what is missing if tables must be created', async () => {
    const url = new URL(await freshDatabase('PostgreSQL'))
    url.username = SERVICE.user
    url.password = SERVICE.password
    const refused = await Service.start({
      dataDirectory,
      environment: { DATABASE_URL: url.href },
      args: ['--new-database'],
    }).then(() => assert.fail('it started'), String)
    assert.doesNotMatch(refused, new RegExp(SERVICE.password))
    assert.match(refused, /permission denied/)
  })
})
