import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { Agent as HttpAgent, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { AgentError, isAgentError, log, waitsForNetworks } from '@vidimus/core-types'
import type { RemoteServerOptions } from '../options.js'
import { LOG_LINES } from '../measurements.js'
import { RemoteServer } from '../remote-server.js'
import { agentWith, ask, authenticator, KEY } from './set-up/service.js'

const NO_DIDS = { dids: [], total: 0 }
const { agent } = agentWith({ accountDidList: () => Promise.resolve(NO_DIDS) })

function server(options: Partial<RemoteServerOptions> = {}) {
  return new RemoteServer({
    agent,
    authenticator,
    host: '127.0.0.1',
    port: 0,
    log: { level: 'silent' },
    ...options,
  })
}

function resolvable() {
  let resolve: (value: object) => void = () => undefined
  const promise = new Promise<object>((settle) => (resolve = settle))
  return { promise, resolve }
}

const rawConnection = (url: string) => connect(Number(new URL(url).port), '127.0.0.1')

describe('RemoteServer', () => {
  let running: RemoteServer | undefined
  const listen = async (options: Partial<RemoteServerOptions> = {}) => {
    running = server(options)
    return running.listen()
  }
  afterEach(async () => {
    await running?.close()
    running = undefined
  })

  describe('options', () => {
    it('are validated all at once', () => {
      assert.throws(
        () =>
          server({ port: '33x2', limits: { bodyBytes: 1 }, log: { level: 'loud' }, surprise: 1 } as never),
        (error) => {
          assert.ok(isAgentError(error))
          assert.equal(error.code, 'invalid_configuration')
          assert.deepEqual(error.details.map(({ path }) => path).sort(), [
            '',
            'limits.bodyBytes',
            'log.level',
            'port',
          ])
          return true
        },
      )
    })

    it('may be texts from environment variables, or null if unset', async () => {
      await listen({
        port: '0',
        limits: { bodyBytes: '4096' },
        log: { level: 'silent', pretty: 'false' },
        publicUrl: null,
      })
    })
  })

  describe('startup', () => {
    it('serves only health until the checks are set', async () => {
      running = server()
      await running.lifecycle.start?.()
      const { url } = await running.listen()
      await running.close()

      running = server({ port: Number(new URL(url).port) })
      await running.lifecycle.start?.()
      const early = await ask(`${url}/did/list`)
      assert.equal(early.status, 503)
      assert.equal(early.body.code, 'unavailable')
      const notReady = await ask(`${url}/health/ready`)
      assert.equal(notReady.status, 503)
      assert.equal(notReady.body.state, 'starting')
      assert.equal((await ask(`${url}/health/live`)).status, 200)

      running.useChecks(() => Promise.resolve([{ name: 'database', ok: true }]))
      assert.equal((await ask(`${url}/did/list`)).status, 200)
      const ready = await ask(`${url}/health/ready`)
      assert.equal(ready.status, 200)
      assert.deepEqual(ready.body.checks, [
        { name: 'database', ok: true },
        { name: 'requests', ok: true },
      ])
    })

    it('knows whether hanging operations have another explanation', async () => {
      const { promise, resolve } = resolvable()
      const hanging = agentWith({ accountDidList: () => promise }).agent
      const { url } = await listen({ agent: hanging, limits: { concurrentRequests: 1 } })
      const watched = running
      assert.ok(watched)
      const database = { name: 'database', ok: true }
      watched.useChecks(() => Promise.resolve([{ ...database }]))
      assert.deepEqual(watched.requests, { isFull: false, ended: 0 })
      const asked = ask(`${url}/did/list`)
      while (!watched.requests.isFull) await new Promise(setImmediate)
      assert.equal(await watched.hangsByItself(), true)
      await waitsForNetworks.during(async () => assert.equal(await watched.hangsByItself(), false))
      const warning = { name: 'identity-provider', ok: false, warning: true as const }
      watched.useChecks(() => Promise.resolve([{ ...database }, warning]))
      assert.equal(await watched.hangsByItself(), true, 'a warning explains nothing')
      watched.useChecks(() => Promise.resolve([{ ...database, ok: false }, warning]))
      assert.equal(await watched.hangsByItself(), false)
      resolve(NO_DIDS)
      assert.equal((await asked).status, 200)
      while (watched.requests.isFull) await new Promise(setImmediate)
      assert.deepEqual(watched.requests, { isFull: false, ended: 1 })
      watched.useChecks(() => Promise.resolve([database]))
      await watched.close()
      assert.equal(await watched.hangsByItself(), false, 'a request that ends is not hanging')
    })

    it('reports which port is in use', async () => {
      const { url } = await listen()
      const { port } = new URL(url)
      await assert.rejects(server({ port }).listen(), (error) => {
        assert.ok(isAgentError(error))
        assert.equal(error.code, 'unavailable')
        assert.match(error.message, new RegExp(`port ${port} of 127\\.0\\.0\\.1 is in use`))
        return true
      })
    })

    it('reports a host that does not belong to this machine', async () => {
      await assert.rejects(
        server({ host: '192.0.2.1' }).listen(),
        (error) =>
          isAgentError(error) && error.code === 'invalid_configuration' && error.details[0]?.path === 'host',
      )
    })

    it('reads no line of the log once it could not listen', async () => {
      const { url } = await listen()
      for (const place of [{ port: new URL(url).port }, { metrics: { port: Number(new URL(url).port) } }]) {
        const failed = server(place)
        await assert.rejects(failed.listen(), { code: 'unavailable' })
        log('warn', 'it is not for a server that never listened')
        const lines = failed.measurements.find(({ form }) => form === LOG_LINES)
        assert.deepEqual(new Set((await lines?.read())?.map(({ value }) => value)), new Set([0]))
      }
    })
  })

  describe('shutdown', () => {
    it('finishes requests in flight and accepts no new ones', async () => {
      const steps = new EventEmitter()
      const inFlight = once(steps, 'entered')
      const slow = agentWith({
        accountDidList: async () => {
          const released = once(steps, 'released')
          steps.emit('entered')
          await released
          return NO_DIDS
        },
      })
      const { url } = await listen({ agent: slow.agent })
      const answer = ask(`${url}/did/list`)
      await inFlight
      const stopped = running?.close()
      await assert.rejects(once(rawConnection(url), 'connect'))
      steps.emit('released')
      assert.equal((await answer).status, 200)
      await stopped
    })

    it('does not wait for idle connections', async () => {
      const { url } = await listen()
      const keepAlive = new HttpAgent({ keepAlive: true })
      const sent = request(`${url}/health/live`, { agent: keepAlive }).end()
      const [response] = (await once(sent, 'response')) as [NodeJS.ReadableStream]
      await text(response)
      await running?.close()
      keepAlive.destroy()
    })

    it('closes connections after the grace period', async () => {
      const steps = new EventEmitter()
      const inFlight = once(steps, 'entered')
      const hanging = agentWith({
        accountDidList: () => {
          steps.emit('entered')
          return new Promise<never>(() => undefined)
        },
      })
      const { url } = await listen({ agent: hanging.agent, shutdownGraceMs: 1 })
      const answer = ask(`${url}/did/list`).catch((error: unknown) => error)
      await inFlight
      await running?.close()
      assert.ok((await answer) instanceof Error)
    })

    it('is final', async () => {
      await listen()
      await running?.close()
      await assert.rejects(async () => running?.listen(), AgentError)
    })
  })

  describe('connections', () => {
    it('answer malformed HTTP in JSON', async () => {
      const { url } = await listen()
      for (const [sent, status, code] of [
        ['nonsense\r\n\r\n', '400', 'invalid_input'],
        [`GET / HTTP/1.1\r\nhost: x\r\nx-long: ${'a'.repeat(40_000)}\r\n\r\n`, '431', 'headers_too_large'],
        ['CONNECT example.com:443 HTTP/1.1\r\nhost: example.com\r\n\r\n', '405', 'method_not_allowed'],
      ] as const) {
        const socket = rawConnection(url)
        socket.write(sent)
        const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
        assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} `))
        assert.equal((JSON.parse(body) as { code: string }).code, code)
      }
    })

    it('answer before a huge body is read, and do not read on', async () => {
      const { url } = await listen()
      // A client that keeps sending after the final response.
      const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true })
      const size = 256 * 1024 * 1024
      socket.write(
        `POST /did/list HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${size}\r\n\r\n`,
      )
      const chunk = Buffer.alloc(1024 * 1024, 'x')
      const pump = () => {
        while (socket.writable && socket.bytesWritten < size && socket.write(chunk));
      }
      let answer = ''
      socket.on('data', (piece: Buffer) => (answer += piece.toString()))
      socket.on('drain', pump).on('error', () => undefined)
      pump()
      await new Promise((resolve) => socket.once('close', resolve))
      assert.match(answer, /^HTTP\/1\.1 401 [^]*\r\nConnection: close\r\n[^]*\}$/)
      // The contents of the buffers at both ends and in between are never read.
      assert.ok(socket.bytesWritten - socket.writableLength < 24 * 1024 * 1024)
    })

    it('ask a waiting client for its body only after authentication', async () => {
      const { url } = await listen()
      const post =
        'POST /key/create HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-type: application/json\r\nconnection: close\r\n'
      const refused = rawConnection(url)
      refused.write(`${post}content-length: 2\r\n\r\n`)
      assert.match(await text(refused), /^HTTP\/1\.1 401 /)

      const made = agentWith({
        keyManagerCreate: () => Promise.resolve({ kid: 'ab', publicKeyHex: 'ab' }),
        keyManagerGetKeyManagementSystems: () => Promise.resolve(['local']),
      })
      await running?.close()
      const other = await listen({ agent: made.agent })
      const welcome = rawConnection(other.url)
      welcome.write(`${post}x-api-key: ${KEY}\r\ncontent-length: 2\r\n\r\n`)
      const [first] = (await once(welcome, 'data')) as [Buffer]
      assert.match(first.toString(), /^HTTP\/1\.1 100 Continue/)
      welcome.write('{}')
      assert.match(await text(welcome), /^HTTP\/1\.1 200 /)
    })
  })

  describe('limits', () => {
    it('total length of headers', async () => {
      const { url } = await listen({ limits: { headerBytes: 4096 } })
      const status = async (length: number) =>
        (await ask(`${url}/did/list`, { headers: { 'x-long': 'x'.repeat(length) } })).status
      assert.equal(await status(2000), 200)
      assert.equal(await status(5000), 431)
    })

    it('time for the headers', async () => {
      const { url } = await listen({ timeouts: { headersMs: 100 } })
      const slow = rawConnection(url)
      slow.write('GET /health/live HTTP/1.1\r\n')
      assert.match(await text(slow), /^HTTP\/1\.1 408 /)
    })

    it('time for the rest of a short body after the response', async () => {
      const { url } = await listen({ timeouts: { headersMs: 100 } })
      const slow = rawConnection(url)
      slow.on('error', () => undefined)
      slow.write('POST /key/create HTTP/1.1\r\nhost: x\r\ncontent-length: 60000\r\n\r\n')
      const [answer] = (await once(slow, 'data')) as [Buffer]
      assert.match(answer.toString(), /^HTTP\/1\.1 401 /)
      slow.resume().write('{')
      await once(slow, 'close')
    })

    it('idle time of a connection', async () => {
      const { url } = await listen({ timeouts: { idleMs: 1000 } })
      const idle = rawConnection(url)
      idle.resume()
      await once(idle, 'close')
    })

    it('number of connections', async () => {
      const { url } = await listen({ limits: { connections: 1 } })
      const first = rawConnection(url)
      await once(first, 'connect')
      first.write('GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n')
      await once(first, 'data')
      const second = rawConnection(url)
      second.resume().on('error', () => undefined)
      await once(second, 'close')
      first.destroy()
    })
  })
})
