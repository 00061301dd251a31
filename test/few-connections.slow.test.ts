import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDid } from './behaviour/suite.js'
import { Client } from './support/client.js'
import { Examination } from './support/doctor.js'
import { PostgresServer } from './support/postgres-server.js'
import { endOfVidimus, Service } from './support/service.js'

const PROCESSES = 4
const CLIENTS = 64
const REQUESTS_OF_CLIENT = 12

describe('a PostgreSQL server with 17 usable connections', () => {
  let server: PostgresServer
  let folder: string
  let services: Service[]
  let options: { dataDirectory: string; environment: Record<string, string> }

  before(async () => {
    server = await PostgresServer.start(['-c', 'max_connections=20'])
    folder = await mkdtemp(join(tmpdir(), 'vidimus-few-'))
    const environment = {
      DATABASE_URL: await server.createDatabase(),
      KMS_SECRET_KEY: 'ab'.repeat(32),
      LOG_LEVEL: 'warn',
    }
    options = { dataDirectory: folder, environment }
  })
  after(async () => {
    await Promise.all(services.map((service) => service.stop()))
    await server.remove()
    await rm(folder, { recursive: true, force: true })
  })

  it('is enough for four processes that start together, 64 clients and an additional command', async function () {
    services = await Promise.all(Array.from({ length: PROCESSES }, () => Service.start(options)))
    const apiKey = services.find((service) => service.apiKey !== undefined)?.apiKey
    assert.ok(apiKey)
    const clients = await Promise.all(services.map(({ url }) => Client.of(url, apiKey)))
    const did = await createDid(clients[0] ?? assert.fail())

    const statuses = new Map<number, number>()
    const note = (status: number) => statuses.set(status, (statuses.get(status) ?? 0) + 1)
    const run = async (client: Client, n: number) => {
      for (let request = 0; request < REQUESTS_OF_CLIENT; request += 1) {
        const kind = (n + request) % 4
        if (kind === 0) note((await client.post('/key/create')).status)
        else if (kind === 1) note((await client.get('/did/list')).status)
        else if (kind === 2) note((await client.get(`/1.0/identifiers/${did}`)).status)
        else note((await client.get('/health/ready', { apiKey: null })).status)
      }
    }
    const load = Array.from({ length: CLIENTS }, (_, n) => run(clients[n % PROCESSES] ?? assert.fail(), n))
    const listed = endOfVidimus(['account', 'list'], options)
    await Promise.all(load)
    assert.deepEqual([...statuses.keys()], [200], JSON.stringify([...statuses]))
    const { code, complained } = await listed
    assert.equal(code, 0, complained)
    for (const service of services) assert.doesNotMatch(service.log, /"level":50/)
  })

  it('is shared as doctor reports', async () => {
    const found = await Examination.byCommand(options)
    const parts =
      'room for 17 connections, 0 used by other programs; \\d processes? with up to 20 and one more each'
    assert.match(found.of('connections'), new RegExp(`^(warn|fail): ${parts}: each has [2-7] for its pools`))
  })
})
