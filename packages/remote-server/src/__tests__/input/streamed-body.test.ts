import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerConnectionErrors } from '../../errors/connection-errors.js'
import { streamedBody } from '../../input/streamed-body.js'

/** A server that answers how a body ended: its length, or the code of the error. */
async function serve(
  idleMs: number,
  gone = new AbortController(),
  uploadBytesPerSecond = 1000,
): Promise<{ server: Server; port: number; ended: Promise<string> }> {
  let tell: (outcome: string) => void = () => undefined
  const ended = new Promise<string>((resolve) => (tell = resolve))
  const read = async (...args: Parameters<typeof streamedBody>): Promise<string> => {
    let length = 0
    try {
      for await (const chunk of streamedBody(...args)) length += chunk.length
      return String(length)
    } catch (error) {
      return error instanceof Error && 'code' in error ? String(error.code) : String(error)
    }
  }
  // Node.js looks often, and every request of more than 20 ms is too slow for it.
  const options = { headersTimeout: 20, requestTimeout: 20, connectionsCheckingInterval: 10 }
  const server = createServer(options, (req, res) => {
    void read(req, res, gone.signal, { bodyMs: idleMs, uploadBytesPerSecond }).then((outcome) => {
      tell(outcome)
      res.end(outcome)
    })
  })
  answerConnectionErrors(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { server, port: (server.address() as AddressInfo).port, ended }
}

describe('streamed body', () => {
  let server: Server | undefined
  afterEach(() => {
    server?.closeAllConnections()
    server?.close()
  })

  it('may take longer than a request, as long as it makes progress', async () => {
    const { port, ...serving } = await serve(10_000)
    server = serving.server
    const upload = request({ port, method: 'POST', host: '127.0.0.1' })
    const answered = once(upload, 'response')
    let sent = 0
    const timer = setInterval(() => {
      upload.write('x'.repeat(100))
      if ((sent += 1) < 15) return
      clearInterval(timer)
      upload.end()
    }, 10)
    const [response] = (await answered) as [{ statusCode: number }]
    assert.equal(response.statusCode, 200)
    assert.equal(await serving.ended, '1500')
  })

  it('ends if nothing arrives for too long, with a response', async () => {
    const { port, ...serving } = await serve(30)
    server = serving.server
    const upload = request({ port, method: 'POST', host: '127.0.0.1' })
    upload.on('error', () => undefined)
    upload.write('first')
    const [response] = (await once(upload, 'response')) as [{ statusCode: number }]
    assert.equal(response.statusCode, 200)
    assert.equal(await serving.ended, 'request_timeout')
    upload.destroy()
  })

  it('ends if it arrives by drips, however long each takes', async () => {
    const { port, ...serving } = await serve(200, undefined, 10_000)
    server = serving.server
    const upload = request({ port, method: 'POST', host: '127.0.0.1' })
    upload.on('error', () => undefined)
    // What is sent at first gives no time for later.
    upload.write('x'.repeat(50_000))
    const timer = setInterval(() => upload.write('x'), 20)
    await once(upload, 'response')
    clearInterval(timer)
    assert.equal(await serving.ended, 'request_timeout')
    upload.destroy()
  })

  it('ends when the client has disconnected', async () => {
    const gone = new AbortController()
    const { port, ...serving } = await serve(10_000, gone)
    server = serving.server
    const upload = request({ port, method: 'POST', host: '127.0.0.1' })
    upload.on('error', () => undefined)
    const arrived = once(server, 'request')
    upload.write('first')
    await arrived
    gone.abort(new Error('gone'))
    assert.match(await serving.ended, /gone/)
    upload.destroy()
  })
})
