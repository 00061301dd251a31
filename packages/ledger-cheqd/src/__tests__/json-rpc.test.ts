import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { JsonRpc, RpcError, TransportError } from '../json-rpc.js'

describe('JsonRpc', () => {
  let server: Server
  let answer: (request: IncomingMessage, response: ServerResponse) => void
  let port: number
  before(async () => {
    server = createServer((request, response) => {
      request.resume().on('end', () => answer(request, response))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  const ask = (url = `http://127.0.0.1:${port}`, timeoutMs = 2_000) =>
    new JsonRpc(url, timeoutMs, 1_000).execute({ jsonrpc: '2.0', id: 7, method: 'status', params: {} })
  const says =
    (body: unknown, status = 200, headers: Record<string, string> = {}) =>
    (_request: IncomingMessage, response: ServerResponse) => {
      response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))
    }
  const fails = (message: RegExp, more: Partial<TransportError> = {}) =>
    assert.rejects(ask(), (error: TransportError) => {
      assert.ok(error instanceof TransportError)
      assert.match(error.message, message)
      assert.equal(error.retryAfterMs, more.retryAfterMs)
      return true
    })

  it('returns the result to its request', async () => {
    answer = says({ jsonrpc: '2.0', id: 7, result: { a: 1 } })
    assert.deepEqual((await ask()).result, { a: 1 })
  })

  it('sends credentials from the URL, decoded, and keeps its path', async () => {
    let seen: unknown
    answer = (request, response) => {
      seen = [request.headers.authorization, request.url]
      says({ jsonrpc: '2.0', id: 7, result: {} })(request, response)
    }
    await ask(`http://me:p%40ss@127.0.0.1:${port}/key/abc`)
    assert.deepEqual(seen, [`Basic ${Buffer.from('me:p@ss').toString('base64')}`, '/key/abc'])
    await ask()
    assert.deepEqual(seen, [undefined, '/'])
  })

  it('distinguishes a refusal from an unreachable node', async () => {
    const error = { code: -32603, message: 'Internal error', data: 'tx already exists in cache' }
    for (const status of [200, 500]) {
      answer = says({ jsonrpc: '2.0', id: 7, error }, status)
      await assert.rejects(ask(), (failure: Error) => {
        assert.ok(failure instanceof RpcError)
        assert.equal(failure.message, 'Internal error: tx already exists in cache')
        return true
      })
    }
  })

  it('accepts only well-formed responses', async () => {
    for (const body of [
      '<html>',
      '',
      '[]',
      'null',
      '5',
      { jsonrpc: '2.0', id: 8, result: {} },
      { id: 7 },
      { id: 7, result: null },
      `{"jsonrpc":"2.0","id":7,"result":${'['.repeat(400)}${']'.repeat(400)}}`,
    ]) {
      answer = says(body)
      await fails(/^it answered a different request|^its response is not JSON-RPC/)
    }
    answer = says('elsewhere', 302, { location: 'http://169.254.169.254/' })
    await fails(/the connection failed/)
  })

  it('limits the size of a response', async () => {
    let sent = 0
    answer = (_request, response) => {
      response.writeHead(200)
      const send = () => {
        while (response.writable && sent < 100_000_000 && response.write('x'.repeat(10_000))) sent += 10_000
      }
      response.on('drain', send)
      send()
    }
    await fails(/^its answer has more than 1000 bytes$/)
    assert.ok(sent < 100_000_000, String(sent))
  })

  it('reports how long the node wants to be left alone', async () => {
    answer = says('', 429, { 'retry-after': '3' })
    await fails(/status 429/, { retryAfterMs: 3_000 })
    answer = says('', 503, { 'retry-after': '100000' })
    await fails(/status 503/, { retryAfterMs: 60_000 })
    answer = says('', 502)
    await fails(/status 502/)
  })

  it('waits no longer than its timeout', async () => {
    answer = () => undefined
    await assert.rejects(ask(undefined, 50), /^TransportError: no response within 50 ms$/)
  })

  it('hides the URL in its errors', async () => {
    await assert.rejects(ask('http://me:secret@127.0.0.1:1/hidden'), (error: Error) => {
      assert.ok(!/secret|hidden|127/.test(error.message))
      return true
    })
  })
})
