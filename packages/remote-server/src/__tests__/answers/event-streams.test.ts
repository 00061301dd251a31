import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { agentWith, authenticator, KEY, serve, type TestService } from '../set-up/service.js'

/** An agent that always has a further event, so large that a slow reader fills every buffer. */
function endlessEvents() {
  let position = 0
  let looked = 0
  const event = () => ({
    id: String(++position).padStart(16, '0'),
    type: 'did.created',
    time: '',
    subject: 'x'.repeat(20_000),
  })
  return agentWith({
    accountEventLast: () => Promise.resolve(`1${String(++looked).padStart(15, '0')}`),
    accountEventList: () => Promise.resolve({ events: Array.from({ length: 50 }, event), more: true }),
  }).agent
}

describe('event stream', () => {
  let service: TestService
  let works: boolean
  let asked: number
  beforeEach(async () => {
    works = true
    asked = 0
    service = await serve({
      agent: endlessEvents(),
      authenticator: {
        authenticate: (key) => {
          asked += 1
          return works ? authenticator.authenticate(key) : Promise.resolve(undefined)
        },
      },
    })
  })
  afterEach(() => service.stop())

  const open = () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    socket.write(
      `GET /account/events HTTP/1.1\r\nhost: a\r\nx-api-key: ${KEY}\r\naccept: text/event-stream\r\nconnection: close\r\n\r\n`,
    )
    return socket
  }

  it('ends before the next batch once its API key stops working', async () => {
    const socket = open()
    let bytes = 0
    socket.on('data', (data) => {
      bytes += data.length
      // 3 MB are several batches of 1 MB.
      if (bytes > 3_000_000) works = false
    })
    await once(socket, 'close')
    assert.ok(bytes > 3_000_000 && bytes < 9_000_000, `${bytes} bytes`)
    assert.ok(asked >= 4, `${asked} times`)
  })

  it('also ends for a reader that does not read, and drops what is unread', async () => {
    const socket = open()
    await once(socket, 'data')
    socket.pause()
    const before = asked
    while (asked < before + 2) await new Promise((resolve) => setTimeout(resolve, 50))
    works = false
    while ((await openConnections(service)) > 0) {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    socket.destroy()
  })
})

const openConnections = ({ server }: TestService): Promise<number> =>
  new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )
