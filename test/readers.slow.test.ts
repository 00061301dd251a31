import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isServedByReaders } from '../packages/remote-server/src/admission/scope-table.js'
import { operations } from '../packages/remote-server/src/operations/index.js'
import { DEFAULT_METHODS, methodChanges } from '../packages/remote-server/src/rpc/method-list.js'
import { createDid, createList } from './behaviour/suite.js'
import { Client } from './support/client.js'
import { Examination } from './support/doctor.js'
import { PostgresServer } from './support/postgres-server.js'
import { refusedStart } from './support/refused-start.js'
import { Service } from './support/service.js'
import { until } from './support/until.js'

const CLIENTS = 32

/** one entry, or several */
interface Checked {
  revoked: boolean | boolean[]
}

/** A primary with its standby, and the options of every process on one of them. */
class Pair {
  readonly services: Service[] = []

  private constructor(
    readonly primary: PostgresServer,
    readonly standby: PostgresServer,
    readonly dataDirectory: string,
    private readonly database: string,
  ) {}

  static async start(): Promise<Pair> {
    const primary = await PostgresServer.start(['-c', 'synchronous_commit=remote_apply'])
    const database = new URL(await primary.createDatabase()).pathname.slice(1)
    const standby = await primary.standby()
    await primary.set({ synchronous_standby_names: '*' })
    return new Pair(primary, standby, await mkdtemp(join(tmpdir(), 'vidimus-pair-')), database)
  }

  /** Both of them, that with the given role serves. */
  both(session: string): string {
    return this.standby.urlOfBoth(this.database, this.primary, session)
  }

  options(url: string, ...args: string[]) {
    const environment = { DATABASE_URL: url, KMS_SECRET_KEY: 'ab'.repeat(32), LOG_LEVEL: 'info' }
    return { dataDirectory: this.dataDirectory, environment, args }
  }

  of(server: PostgresServer): string {
    return server.urlOf(this.database)
  }

  async serve(url: string, ...args: string[]): Promise<Service> {
    const service = await Service.start(this.options(url, ...args))
    this.services.push(service)
    return service
  }

  async end(): Promise<void> {
    await Promise.all(this.services.map((service) => service.kill()))
    await Promise.all([this.primary.remove(), this.standby.remove()])
    await rm(this.dataDirectory, { recursive: true, force: true })
  }
}

/** Two processes may answer in two seconds. */
const withoutTime = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body, (name, value: unknown) => (name === 'retrieved' ? undefined : value)))

describe('a read-only process on a standby', () => {
  let pair: Pair
  let writer: Client
  let reader: Client
  let service: Service
  let main: Service
  let list: { did: string; statusListName: string }
  const ofList = { query: { listType: 'BitstringStatusList' } }
  const checking = { query: { listType: 'BitstringStatusList', statusPurpose: 'revocation' } }

  before(async function () {
    pair = await Pair.start()
    main = await pair.serve(pair.of(pair.primary))
    writer = await Client.of(main.url, main.apiKey)
    list = await createList(writer)
    service = await pair.serve(pair.both('prefer-standby'), '--read-only')
    reader = await Client.of(service.url, main.apiKey)
  })
  after(() => pair.end())

  it('reports its mode, and nothing about a first start', () => {
    assert.match(service.log, /Read-only: send changes to a process on the primary/)
    assert.equal(service.apiKey, undefined)
  })

  it('answers like the one on the primary', async () => {
    const { did, statusListName } = list
    const named = `statusListName=${statusListName}&listType=BitstringStatusList`
    const credential = await writer.ok('POST', '/credential/issue', {
      json: { issuerDid: did, subjectDid: did, type: ['Degree'], attributes: { degree: 'Master' } },
    })
    for (const path of [
      `/1.0/identifiers/${did}`,
      `/1.0/identifiers/${did}?resourceName=${statusListName}&resourceType=BitstringStatusListCredential`,
      `/did/search/${did}`,
      '/did/list',
      '/key/list',
      `/credential-status/search?did=${did}&${named}`,
      `/credential-status/list?did=${did}`,
      `/resource/search/${did}`,
      '/account/usage',
      '/account/events',
    ]) {
      const [here, there] = await Promise.all([reader.get(path), writer.get(path)])
      assert.deepEqual([here.status, withoutTime(here.body)], [200, withoutTime(there.body)], path)
    }
    for (const [path, json] of [
      ['/credential-status/check', { ...list, indices: [1, 2] }],
      ['/credential/verify', { credential }],
    ] as const) {
      const request = { ...(path === '/credential-status/check' && checking), json }
      const [here, there] = await Promise.all([reader.post(path, request), writer.post(path, request)])
      assert.deepEqual([here.status, here.body], [200, there.body], path)
    }
    const presentation = await reader.ok('POST', '/presentation/create', {
      json: { credentials: [credential], holderDid: did, verifierDid: did },
      headers: { 'idempotency-key': 'once' },
    })
    const verdict = await reader.ok('POST', '/presentation/verify', {
      json: { presentation, verifierDid: did },
    })
    assert.equal((verdict as { verified: boolean }).verified, true)
    const v2 = { '@context': ['https://www.w3.org/ns/credentials/v2'] }
    const { body: secured } = await writer.post('/credentials/issue', {
      json: {
        credential: { ...v2, type: ['VerifiableCredential'], issuer: did, credentialSubject: { id: did } },
      },
    })
    const presented = await reader.post('/presentations', {
      json: { presentation: { ...v2, type: ['VerifiablePresentation'], ...(secured as object) } },
    })
    assert.equal(presented.status, 201, JSON.stringify(presented.body))
    await reader.ok('POST', '/agent/createVerifiablePresentation', {
      json: { presentation: { holder: did }, proofFormat: 'jwt' },
    })
    const again = await reader.ok('POST', '/did/import', { json: { did, keys: [] } })
    assert.equal((again as { did: string }).did, did)
  })

  it('shows immediately what the primary has acknowledged', async () => {
    for (let index = 0; index < 20; index += 1) {
      const request = { ...ofList, json: { ...list, indices: [index] } }
      const revoke = { query: { ...ofList.query, statusAction: 'revoke' }, json: request.json }
      await writer.ok('POST', '/credential-status/update/unencrypted', revoke)
      const asked = { ...checking, json: request.json }
      const { revoked } = (await reader.ok('POST', '/credential-status/check', asked)) as Checked
      assert.equal(revoked, true, String(index))
    }
  })

  it('refuses every change with 503 `read_only`', async () => {
    const { did } = list
    const refused: [string, object][] = [
      ['/did/create', { json: { network: 'testnet' } }],
      ['/key/create', { query: { type: 'Ed25519' } }],
      [`/did/deactivate/${did}`, { json: {} }],
      [
        '/credential-status/create/unencrypted',
        { query: { ...ofList.query, statusPurpose: 'revocation' }, json: { did, statusListName: 'another' } },
      ],
      [
        '/credential-status/update/unencrypted',
        { query: { ...ofList.query, statusAction: 'revoke' }, json: { ...list, indices: [77] } },
      ],
      [`/resource/create/${did}`, { json: { name: 'n', type: 'Text', data: 'aGk=', encoding: 'base64' } }],
      ['/account/api-keys', { json: { name: 'another' } }],
      ['/account/webhooks', { json: { url: 'https://example.com/hook' } }],
      ['/agent/keyManagerCreate', { json: { type: 'Ed25519', kms: 'local' } }],
    ]
    for (const [path, request] of refused) {
      const { status, body } = await reader.post(path, request)
      const { code, error } = body as { code: string; error: string }
      assert.deepEqual([status, code], [503, 'read_only'], `${path}: ${JSON.stringify(body)}`)
      assert.match(error, /send changes to a process on the primary/)
    }
    assert.doesNotMatch(service.log, /"level":50/)
  })

  it('refuses every other operation and method at once, also those that sign without a change', async () => {
    const methods = DEFAULT_METHODS.map((id) => ({
      id,
      method: 'post',
      path: `/agent/${id}`,
      changes: methodChanges(id),
    }))
    const doors = [...operations, ...methods].filter((door) => !isServedByReaders(door))
    const answers = await Promise.all(
      doors.map(async ({ id, method, path }) => {
        const filled = path.replace(/\{\w+\}/g, 'nothing')
        const { status, body } = await reader.call(method.toUpperCase(), filled, { json: {} })
        return [id, status, (body as { code?: string }).code]
      }),
    )
    const ofOperators = ({ path }: { path: string }) => path.startsWith('/operator/')
    assert.deepEqual(
      answers,
      doors.map((door) => [door.id, ...(ofOperators(door) ? [403, 'forbidden'] : [503, 'read_only'])]),
    )
    for (const id of ['vc-api-issue', 'credential-issue', 'credentialIssue', 'keyManagerSign'])
      assert.ok(doors.some((door) => door.id === id))
  })

  it('rejects API keys revoked on the primary, and logs refused ones', async () => {
    const { id, apiKey } = await main.apiKeyOf('default')
    const with_ = { apiKey }
    assert.equal((await reader.get('/did/list', with_)).status, 200)
    await main.command('key', 'revoke', id)
    assert.equal((await reader.get('/did/list', with_)).status, 401)
    await until(() => /"event":"authentication-failed".*"msg":"audit"/.test(service.log))
  })

  it('is ready, and reports its lag', async () => {
    const { status, body } = await reader.get('/health/ready')
    assert.equal(status, 200)
    assert.match(JSON.stringify(body), /the standby is \d+\.\d s behind its primary/)
  })

  it('has sent no failing statement to its server', () => {
    assert.deepEqual(pair.standby.failures, [])
  })

  it('is suggested by start and doctor for a standby', async () => {
    const options = pair.options(pair.of(pair.standby))
    const { code, says } = await refusedStart(options)
    assert.equal(code, 2)
    assert.match(says, /^[^\n]*is a standby, [^\n]* or start with --read-only\n/)
    assert.match((await Examination.of(options)).of('database'), /^fail: .*is a standby/)
    const reading = await Examination.of(pair.options(pair.of(pair.standby), '--read-only'))
    assert.doesNotMatch(reading.of('database'), /fail/)
  })
})

describe('a failed primary', () => {
  let pair: Pair
  before(async function () {
    pair = await Pair.start()
  })
  after(() => pair.end())

  it('is replaced without a restart, and nothing acknowledged is lost', async function () {
    const service = await pair.serve(pair.both('read-write'))
    const client = await Client.of(service.url, service.apiKey)
    const did = await createDid(client)
    const lists = await Promise.all([1, 2, 3, 4].map(() => createList(client, { did })))
    const acknowledged: { list: number; index: number }[] = []
    let next = 0
    let isOver = false
    const work = async (n: number) => {
      while (!isOver) {
        const [list, index] = [n % lists.length, next++]
        const { status } = await client.post('/credential-status/update/unencrypted', {
          query: { listType: 'BitstringStatusList', statusAction: 'revoke' },
          json: { ...lists[list], indices: [index] },
        })
        if (status === 200) acknowledged.push({ list, index })
        else await pause(20)
      }
    }
    const working = Array.from({ length: CLIENTS }, (_, n) => work(n))
    while (acknowledged.length < 200) await pause(10)
    await pair.primary.kill()
    await pair.standby.promote()
    const before = acknowledged.length
    while (acknowledged.length < before + 200) await pause(10)
    isOver = true
    await Promise.all(working)
    for (const [n, list] of lists.entries()) {
      const indices = acknowledged.filter(({ list: of }) => of === n).map(({ index }) => index)
      const { revoked } = (await client.ok('POST', '/credential-status/check', {
        query: { listType: 'BitstringStatusList', statusPurpose: 'revocation' },
        json: { ...list, indices },
      })) as Checked
      assert.deepEqual(new Set([revoked].flat()), new Set([true]))
    }
    assert.ok(service.running)
  })
})
