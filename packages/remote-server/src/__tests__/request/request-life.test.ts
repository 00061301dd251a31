import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { currentRequest, type IdempotencyStore } from '@vidimus/core-types'
import type { RemoteServerOptions } from '../../options.js'
import { RemoteServer } from '../../remote-server.js'
import { agentWith, ask, authenticator, KEY } from '../set-up/service.js'

const GAUGES = [
  'vidimus_http_requests_in_progress',
  'vidimus_requests_under_way',
  'vidimus_event_streams_open',
  'vidimus_http_bodies_awaited',
  'vidimus_http_bodies_bytes',
] as const

/** The agent works until it is told to stop, so that every stage of a request can be tested. */
const stages = new EventEmitter().setMaxListeners(0)
let held: string | undefined
async function stage(name: string): Promise<void> {
  stages.emit(name)
  if (held === name) await once(stages, 'go on')
}

/** Stores no responses, and makes callers wait for as long as it is held. */
const idempotency: IdempotencyStore = {
  begin: async (_request, { signal }) => {
    stages.emit('turn')
    if (held === 'turn' && signal) await once(signal, 'abort')
    return { outcome: 'busy' }
  },
}

/** More than the system buffers of an unread response. */
const LARGE = 'x'.repeat(8 * 1024 * 1024)
const { agent } = agentWith({
  keyManagerGetKeyManagementSystems: () => Promise.resolve(['local']),
  keyManagerCreate: async () => {
    await stage('work')
    return { kid: 'ab', publicKeyHex: 'ab' }
  },
  keyManagerGet: async () => {
    const signal = currentRequest()?.gone
    stages.emit('read')
    if (held === 'read' && signal) await once(signal, 'abort')
    signal?.throwIfAborted()
    return { kid: 'ab', type: 'Ed25519', publicKeyHex: LARGE, kms: 'local' }
  },
  accountEventLast: async () => {
    await stage('open')
    return '1'
  },
  accountEventList: () => Promise.resolve({ events: [], more: false }),
})

const post = (bytes: number, more = '') =>
  `POST /key/create HTTP/1.1\r\nhost: x\r\nx-api-key: ${KEY}\r\ncontent-type: application/json\r\n${more}content-length: ${bytes}\r\n\r\n`
const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: ${KEY}\r\n${more}\r\n`
const events = get('/account/events', 'accept: text/event-stream\r\n')

describe('requests of disconnecting clients', () => {
  let running: RemoteServer
  let url: string
  const start = async (options: Partial<RemoteServerOptions> = {}) => {
    running = new RemoteServer({
      agent,
      authenticator: {
        authenticate: async (key) => {
          await stage('authentication')
          return authenticator.authenticate(key)
        },
      },
      host: '127.0.0.1',
      port: 0,
      log: { level: 'silent' },
      idempotency,
      ...options,
    })
    url = (await running.listen()).url
  }
  const sent = async (text: string): Promise<Socket> => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined)
    await once(socket, 'connect')
    await new Promise((written) => socket.write(text, written))
    return socket
  }
  const gauges = async () =>
    Promise.all(
      GAUGES.map(async (name) => {
        const gauge = running.measurements.find(({ form }) => form.name === name)
        const [sample] = (await gauge?.read()) ?? []
        return sample?.value
      }),
    )
  const reached = async (expected: number[]) => {
    for (let look = 0; look < 1000; look += 1) {
      if (isDeepStrictEqual(await gauges(), expected)) return
      await pause(5)
    }
    assert.deepEqual(await gauges(), expected)
  }
  /** Connections that are left one after the other, by a FIN and by a RST. */
  const leave = async (text: string, until: string | undefined) => {
    for (const how of ['destroy', 'resetAndDestroy'] as const) {
      const there = until === undefined ? undefined : once(stages, until)
      const socket = await sent(text)
      await there
      socket[how]()
    }
  }
  afterEach(async () => {
    held = undefined
    stages.emit('go on')
    await running.close()
  })

  const whole = `${post(2)}{}`
  const ways: [title: string, text: string, until: string | undefined, hold: string | undefined][] = [
    ['within its headers', post(2).slice(0, 40), undefined, undefined],
    ['before its body', post(2), 'authentication', undefined],
    ['within its body', `${post(2000)}{`, 'authentication', undefined],
    ['while its key is looked up', whole, 'authentication', 'authentication'],
    ['right after sending', whole, undefined, undefined],
    ['while being processed', whole, 'work', 'work'],
    ['while data is being read for it', get('/key/read/ab'), 'read', 'read'],
    ['while waiting for a first response', `${post(2, 'idempotency-key: a\r\n')}{}`, 'turn', 'turn'],
    ['behind other requests of its connection', whole.repeat(4), 'work', 'work'],
    ['without reading its response', get('/key/read/ab'), 'read', undefined],
    ['while its stream is being opened', events, 'open', 'open'],
    ['right after requesting its stream', events, undefined, undefined],
    ['while receiving a stream', events, 'open', undefined],
  ]
  for (const [title, text, until, hold] of ways) {
    it(`release all resources: ${title}`, async () => {
      await start()
      held = hold
      await leave(text, until)
      // Work in progress is finished.
      held = undefined
      await pause(10)
      stages.emit('go on')
      await pause(10)
      await reached([0, 0, 0, 0, 0])
    })
  }

  it('occupy no slot until their body has arrived', async () => {
    await start({ limits: { concurrentRequests: 1, concurrentRequestsPerAccount: 2 } })
    const waiting = [await sent(`${post(2)}{`), await sent(post(2))]
    await reached([2, 0, 0, 2, 1])
    assert.equal((await ask(`${url}/key/read/ab`)).status, 200)
    const [first] = waiting
    first?.write('}')
    const [answer] = (await once(first!, 'data')) as [Buffer]
    assert.match(answer.toString(), /^HTTP\/1\.1 200 /)
    for (const socket of waiting) socket.destroy()
    await reached([0, 0, 0, 0, 0])
  })

  it('must send their body in time, or lose their connection', async () => {
    await start({ timeouts: { bodyMs: 100 } })
    const slow = await sent(`${post(2)}{`)
    const [answer] = (await once(slow, 'data')) as [Buffer]
    assert.match(answer.toString(), /^HTTP\/1\.1 408 [^]*"code":"request_timeout"/)
    slow.destroy()
    await reached([0, 0, 0, 0, 0])
  })

  it('share a limit on unprocessed bytes', async () => {
    await start({ limits: { bodyBytesTogether: 100_000, bodyBytesPerAccount: 200_000 } })
    const first = await sent(`${post(70_000)}${'x'.repeat(60_000)}`)
    await reached([1, 0, 0, 1, 60_000])
    const second = await sent(`${post(70_000)}${'x'.repeat(60_000)}`)
    const [answer] = (await once(second, 'data')) as [Buffer]
    assert.match(answer.toString(), /^HTTP\/1\.1 503 [^]*too many request bodies/)
    first.destroy()
    second.destroy()
    await reached([0, 0, 0, 0, 0])
  })
  it('lose their connection if answered early and the rest does not arrive', async () => {
    await start({ timeouts: { headersMs: 100 } })
    for (const line of ['POST /key/create', 'GET /health/live']) {
      const slow = await sent(
        `${line} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{`,
      )
      // The end of the text is that of the connection.
      assert.match(await text(slow), /^HTTP\/1\.1 (401|200) /)
    }
    await reached([0, 0, 0, 0, 0])
  })

  it('keep their connection if the rest arrives', async () => {
    await start()
    const late = await sent(`${post(2).replace(KEY, 'wrong')}{`)
    await once(late, 'data')
    late.write(`}${get('/health/live')}`)
    const [answer] = (await once(late, 'data')) as [Buffer]
    assert.match(answer.toString(), /^HTTP\/1\.1 200 /)
    late.destroy()
  })
})
