import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Authenticator } from '@vidimus/core-types'
import { until } from '../../../../../test/support/until.js'
import type { RemoteServerOptions } from '../../options.js'
import { RemoteServer } from '../../remote-server.js'
import { agentWith, ask } from '../set-up/service.js'

/** More than the system buffers of an answer that nobody reads. */
const LARGE = 'x'.repeat(8 * 1024 * 1024)
const ROWS = Array.from({ length: 1000 }, (_, n) => ({ id: String(n), subject: 'x'.repeat(500) }))

const authenticator: Authenticator = {
  authenticate: (name) => Promise.resolve({ id: name, name, createdAt: '2026-01-01T00:00:00Z' }),
}

describe('the share of one account', () => {
  const stages = new EventEmitter().setMaxListeners(0)
  const { agent } = agentWith({
    keyManagerGetKeyManagementSystems: () => Promise.resolve(['local']),
    keyManagerGet: ({ kid }: { kid: string }) =>
      Promise.resolve({ kid, type: 'Ed25519', publicKeyHex: kid === 'large' ? LARGE : 'ab', kms: 'local' }),
    keyManagerCreate: async () => {
      stages.emit('work')
      await once(stages, 'go on')
      return { kid: 'ab', publicKeyHex: 'ab' }
    },
    accountAuditList: () => Promise.resolve({ entries: ROWS, next: 'more' }),
    accountEventLast: () => Promise.resolve('1'),
    accountEventList: () => Promise.resolve({ events: [], more: false }),
  })
  let running: RemoteServer
  let url: string
  let sockets: Socket[]
  const start = async (options: Partial<RemoteServerOptions> = {}) => {
    running = new RemoteServer({
      agent,
      authenticator,
      host: '127.0.0.1',
      port: 0,
      log: { level: 'silent' },
      ...options,
    })
    url = (await running.listen()).url
  }
  beforeEach(() => (sockets = []))
  afterEach(async () => {
    for (const socket of sockets) socket.destroy()
    stages.emit('go on')
    await running.close()
  })

  /** A connection that sends this and reads nothing. */
  const unread = (text: string): Socket => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined)
    sockets.push(socket.pause())
    socket.write(text)
    return socket
  }
  const line = (path: string, more = '') =>
    `GET ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: greedy\r\n${more}\r\n`
  const table = line('/account/audit', 'accept: text/csv\r\n')
  const as = (account: string, path = '/key/read/small', init: RequestInit = {}) =>
    ask(url + path, { ...init, headers: { 'x-api-key': account, ...(init.headers as object) } })
  const value = async (name: string, limit?: string) => {
    const samples = await running.measurements.find(({ form }) => form.name === name)?.read()
    return samples?.find(({ labels }) => limit === undefined || labels.limit === limit)?.value ?? 0
  }
  const refused = (limit: string) => value('vidimus_requests_refused_total', limit)
  /** Asserts that a share is used up, of this account alone. */
  const assertUsedUp = async (limit: string, path?: string, init?: RequestInit) => {
    const { status, body, headers } = await as('greedy', path, init)
    assert.equal(status, 429, limit)
    assert.equal(headers.get('retry-after'), '1')
    assert.equal(body.code, 'too_many_requests')
    assert.deepEqual(body.details, [{ path: `limits.${limit}`, message: 'is reached' }])
    assert.ok(body.error.includes(`limits.${limit}`), body.error)
    await until(async () => (await refused(limit)) > 0)
    assert.equal((await as('modest')).status, 200)
  }

  it('of running operations is a quarter of them unless configured', async () => {
    await start({ limits: { concurrentRequests: 8 } })
    const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
    for (let n = 0; n < 2; n++) {
      const begun = once(stages, 'work')
      void as('greedy', '/key/create', post)
      await begun
    }
    await assertUsedUp('concurrentRequestsPerAccount')
  })

  it('of tables is used up by tables that nobody reads, and nothing else is', async () => {
    await start({ limits: { concurrentRequests: 4, unreadBytesPerAccount: 1e9 } })
    // Three wait behind one of their connection.
    unread(table.repeat(4))
    await until(async () => (await value('vidimus_http_unread_bytes')) > 1_000_000)
    await assertUsedUp('tablesPerAccount', '/account/audit', { headers: { accept: 'text/csv' } })
    assert.equal((await as('greedy')).status, 200)
    assert.equal(await value('vidimus_requests_under_way'), 0)
    for (const socket of sockets) socket.destroy()
    await until(async () => (await value('vidimus_http_unread_bytes')) === 0)
  })

  it('of unread answers is used up until they are read', async () => {
    await start({ limits: { unreadBytesPerAccount: 12_000_000 } })
    const socket = unread(line('/key/read/large').repeat(3))
    await until(async () => (await value('vidimus_http_unread_bytes')) > 12_000_000)
    await assertUsedUp('unreadBytesPerAccount')
    assert.ok((await value('vidimus_http_unread_bytes')) < 20_000_000)
    socket.resume()
    await until(async () => (await value('vidimus_http_unread_bytes')) === 0)
    assert.equal((await as('greedy')).status, 200)
  })

  it('of event streams and of bodies is used up like the others', async () => {
    await start({ limits: { eventStreamsPerAccount: 1, bodyBytesTogether: 40_000 } })
    const accept = 'text/event-stream'
    unread(line('/account/events', `accept: ${accept}\r\n`))
    await until(async () => (await value('vidimus_event_streams_open')) === 1)
    await assertUsedUp('eventStreamsPerAccount', '/account/events', { headers: { accept } })
    const header = 'content-type: application/json\r\ncontent-length: 12000\r\n'
    unread(`${line('/key/create', header).replace('GET', 'POST')}${'x'.repeat(11_000)}`)
    await until(async () => (await value('vidimus_http_bodies_bytes')) === 11_000)
    const post = { method: 'POST', headers: { 'content-type': 'application/json' } }
    await assertUsedUp('bodyBytesPerAccount', '/key/create', { ...post, body: 'x'.repeat(2000) })
  })

  it('of bytes includes bodies until they are processed', async () => {
    await start({ limits: { bodyBytesTogether: 40_000 } })
    const post = { method: 'POST', headers: { 'content-type': 'application/json' } }
    const body = `{"alias":"a"${' '.repeat(9000)}}`
    const begun = once(stages, 'work')
    const first = as('greedy', '/key/create', { ...post, body })
    await begun
    await assertUsedUp('bodyBytesPerAccount', '/key/create', { ...post, body })
    stages.emit('go on')
    assert.equal((await first).status, 200)
    await until(async () => (await value('vidimus_http_bodies_bytes')) === 0)
  })

  it('ends with the connection of a reader that takes nothing in time', async () => {
    await start({ timeouts: { unreadMs: 100 } })
    unread(line('/key/read/large'))
    unread(table)
    // Nobody's share, and the same deadline.
    unread('GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(200))
    await until(async () => (await requests()) > 2)
    await until(async () => (await requests()) === 0)
    assert.equal(await value('vidimus_http_unread_bytes'), 0)
  })

  it('is not evaded by sending hundreds of requests ahead', async () => {
    await start()
    const socket = unread(line('/key/read/small').repeat(300))
    socket.resume()
    await once(socket, 'close')
    assert.equal((await as('greedy')).status, 200)
  })

  const requests = () => value('vidimus_http_requests_in_progress')
})
