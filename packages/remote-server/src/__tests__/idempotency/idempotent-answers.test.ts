import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Accounts } from '@vidimus/accounts'
import { migrations } from '@vidimus/custody'
import { IdempotencyRecords } from '@vidimus/idempotency'
import { AgentError, currentCaller, type ErrorCode } from '@vidimus/core-types'
import { Database } from '@vidimus/database'
import { PrivateKeyEnvelope } from '@vidimus/kms-node'
import { agentWith, serve, type TestService } from '../set-up/service.js'

/** How requests with an idempotency key are answered, over the records of the real store. */
describe('answers of requests with an idempotency key', () => {
  let folder: string
  let database: Database
  let apiKey: string
  let store: IdempotencyRecords
  let services: TestService[]
  let runs: number
  let outcome: () => Promise<unknown>

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vidimus-answers-'))
    database = new Database({
      url: null,
      dataDirectory: folder,
      migrations: [migrations],
    })
    await database.lifecycle.start()
    store = new IdempotencyRecords(database, new PrivateKeyEnvelope({ secret: 'c0'.repeat(32) }))
    await store.lifecycle.start()
    services = []
    runs = 0
    outcome = () => Promise.resolve({ kid: `key ${runs}`, publicKeyHex: 'ab' })
  })
  afterEach(async () => {
    for (const service of services) await service.stop()
    await store.lifecycle.stop()
    await database.lifecycle.stop()
    await rm(folder, { recursive: true, force: true })
  })

  async function start(timeouts: { requestMs?: number } = {}) {
    const accounts = new Accounts(database)
    const account = (await accounts.list())[0] ?? (await accounts.create('one'))
    apiKey = (await accounts.apiKeys.create(account, {})).apiKey
    const { agent } = agentWith({
      keyManagerGetKeyManagementSystems: () => Promise.resolve(['local']),
      keyManagerCreate: () => {
        runs += 1
        return outcome()
      },
    })
    const service = await serve({ agent, authenticator: accounts, idempotency: store, timeouts })
    services.push(service)
    return service
  }

  const call = async ({ url }: TestService, body = '{}', key = 'key', signal?: AbortSignal) => {
    const response = await fetch(`${url}/key/create`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json', 'idempotency-key': key },
      body,
      ...(signal && { signal }),
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const fails = (code: ErrorCode) => () => Promise.reject(new AgentError(code, 'because'))

  it('are byte for byte those of the first time, and the log marks them as repeated', async () => {
    const service = await start()
    const first = await call(service)
    const second = await call(service)
    assert.equal(second.text, first.text)
    const { date: _date, 'x-request-id': id, ...headers } = Object.fromEntries(second.headers)
    const { date: _then, 'x-request-id': firstId, ...before } = Object.fromEntries(first.headers)
    const { ratelimit: _left, ...others } = headers
    const { ratelimit: _more, ...known } = before
    assert.deepEqual(others, { ...known, 'idempotency-replayed': 'true' })
    assert.notEqual(id, firstId)
    assert.equal(runs, 1)
    const lines = service.lines().filter(({ operation }) => operation === 'key-create')
    assert.deepEqual(
      lines.map(({ replayed }) => replayed),
      [undefined, true],
    )
  })

  for (const code of ['invalid_input', 'alias_taken', 'unknown_provider'] as const) {
    it(`are kept if the operation refuses with ${code}`, async () => {
      const service = await start()
      outcome = fails(code)
      const first = await call(service)
      outcome = () => Promise.resolve({})
      const second = await call(service)
      assert.deepEqual([second.status, second.text], [400, first.text])
      assert.equal(second.headers.get('idempotency-replayed'), 'true')
      assert.equal(second.headers.get('content-type'), first.headers.get('content-type'))
      assert.equal(runs, 1)
    })
  }

  const again: [ErrorCode, number][] = [
    ['internal_error', 500],
    ['ledger_unavailable', 503],
    ['insufficient_funds', 503],
    ['forbidden', 403],
    ['unauthenticated', 401],
    ['version_conflict', 400],
  ]
  for (const [code, status] of again) {
    it(`are not kept if the operation fails with ${code}`, async () => {
      const service = await start()
      outcome = fails(code)
      assert.equal((await call(service)).status, status)
      outcome = () => Promise.resolve({ kid: 'later' })
      const second = await call(service)
      assert.deepEqual([second.status, second.headers.get('idempotency-replayed')], [200, null])
      assert.equal(runs, 2)
    })
  }

  it('are not kept after an unexpected error', async () => {
    const service = await start()
    outcome = () => Promise.reject(new TypeError('x is undefined'))
    assert.equal((await call(service)).status, 500)
    outcome = () => Promise.resolve({ kid: 'later' })
    assert.equal((await call(service)).status, 200)
  })

  it('are kept for a client that disconnected', async () => {
    const service = await start()
    let finish: (result: object) => void = () => undefined
    const begun = new Promise<void>((resolve) => {
      outcome = () => {
        resolve()
        return new Promise((done) => (finish = done))
      }
    })
    const gone = new AbortController()
    const lost = call(service, '{}', 'key', gone.signal)
    lost.catch(() => undefined)
    await begun
    gone.abort()
    await assert.rejects(lost)
    finish({ kid: 'the first' })
    const second = await call(service)
    assert.match(second.text, /the first/)
    assert.equal(second.headers.get('idempotency-replayed'), 'true')
    assert.equal(runs, 1)
  })

  it('are waited for no longer than the request timeout', async () => {
    const service = await start({ requestMs: 1000 })
    let finish: (result: object) => void = () => undefined
    const begun = new Promise<void>((resolve) => {
      outcome = () => {
        resolve()
        return new Promise((done) => (finish = done))
      }
    })
    const first = call(service)
    await begun
    const second = await call(service)
    assert.deepEqual([second.status, second.headers.get('retry-after')], [503, '1'])
    assert.match(second.text, /"idempotency-key: the first request with it is still in progress/)
    finish({ kid: 'the first' })
    assert.equal((await first).status, 200)
    assert.equal((await call(service)).headers.get('idempotency-replayed'), 'true')
  })

  it('are produced in a scope that knows the request and is the same in every run', async () => {
    const service = await start()
    const marks: (string | undefined)[] = []
    outcome = () => {
      marks.push(currentCaller()?.run?.nextMark())
      return Promise.reject(new Error('broken'))
    }
    await call(service)
    await call(service)
    await call(service, '{}', 'another')
    assert.ok(marks[0])
    assert.equal(marks[1], marks[0])
    assert.notEqual(marks[2], marks[0])
  })
})
