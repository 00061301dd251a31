import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Agent } from '@veramo/core'
import type { AnyAgent } from '@vidimus/core-types'
import { until } from '../../../../../test/support/until.js'
import type { Response } from 'express'
import { PublicRequests } from '../../admission/public-requests.js'
import { ask, serve, type TestService } from '../set-up/service.js'

const UUID = '7bf81a20-633c-4cc7-bc4a-5a45801005e0'
const DID = `did:cheqd:testnet:${UUID}`
const LIMITS = {
  publicRequests: 4,
  publicRequestsPerAddress: 2,
  concurrentRequests: 40,
  bodyBytesTogether: 60_000_000,
}
const STRANGERS = Array.from({ length: 6 }, (_, n) => `198.51.100.${n}`)
const NEIGHBOUR = '203.0.113.7'

describe('public requests', () => {
  let service: TestService
  let sockets: Socket[]
  /** whose requests are worked on, and all that began */
  let working: string[]
  let begun: string[]
  let end: (() => void)[]
  let answer: () => object
  let requests: number

  const agent = new Agent({
    plugins: [
      {
        methods: {
          didUrlDereference: async ({ didUrl }: { didUrl: string }) => {
            const of = didUrl.slice(didUrl.indexOf('#') + 1)
            working.push(of)
            begun.push(of)
            await new Promise<void>((resolve) => end.push(resolve))
            working.splice(working.indexOf(of), 1)
            return answer()
          },
          linkedResourceGet: () => Promise.resolve(null),
          keyManagerGet: () =>
            Promise.resolve({ kid: 'aa', type: 'Ed25519', publicKeyHex: 'aa', kms: 'local' }),
        },
      },
    ],
  }) as unknown as AnyAgent

  beforeEach(async () => {
    sockets = []
    working = []
    begun = []
    end = []
    answer = () => ({ found: 'documentPart', part: { id: 'x' }, didDocumentMetadata: {} })
    requests = 0
    service = await serve({ agent, limits: LIMITS, trustProxy: 'loopback' })
    service.server.on('request', () => requests++)
  })
  afterEach(async () => {
    for (const socket of sockets) socket.destroy()
    for (const finish of end) finish()
    await service.stop()
  })

  /** A request over its own connection, and the start of its response. */
  function send(address: string, of = address): { socket: Socket; status: Promise<number> } {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    sockets.push(socket)
    socket.on('error', () => undefined)
    socket.write(
      `GET /1.0/identifiers/${DID}%23${of} HTTP/1.1\r\nhost: a\r\nx-forwarded-for: ${address}\r\nconnection: close\r\n\r\n`,
    )
    const status = once(socket, 'data').then(([data]) => Number(String(data).slice(9, 12)))
    return { socket, status }
  }
  /** Waits until so many requests have arrived, running or queued. */
  const arrived = async (count: number) => {
    await until(() => requests === count)
    // Each is running or queued some turns of the event loop later.
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
  const finishOne = () => end.shift()?.()
  const ofAddress = (list: readonly string[], address: string) => list.filter((one) => one === address).length

  it('are limited in number, and run in a fair order with a limited share per address', async () => {
    for (let n = 0; n < 5; n++) for (const address of STRANGERS) send(address)
    await arrived(30)
    await until(() => working.length === LIMITS.publicRequests)
    for (let n = 0; n < 20; n++) {
      const before = begun.length
      finishOne()
      await until(() => begun.length === before + 1)
      assert.equal(working.length, LIMITS.publicRequests)
      for (const address of STRANGERS) assert.ok(ofAddress(working, address) <= 2, working.join())
    }
    const counts = STRANGERS.map((address) => ofAddress(begun, address))
    assert.ok(Math.max(...counts) - Math.min(...counts) <= 1, counts.join())
  })

  it('of six strangers delay neither the keyed requests of a neighbour nor its next public one', async () => {
    for (let n = 0; n < 6; n++) for (const address of STRANGERS) send(address)
    await until(() => working.length === LIMITS.publicRequests)
    const { status } = await ask(`${service.url}/key/read/aa`, { headers: { 'x-forwarded-for': NEIGHBOUR } })
    assert.equal(status, 200)
    const own = send(NEIGHBOUR)
    let answered = false
    const status200 = own.status.then((code) => (answered = code === 200))
    await arrived(38)
    for (let n = 0; n <= STRANGERS.length; n++) {
      const before = begun.length
      finishOne()
      await until(() => begun.length > before)
    }
    // Each of the six has run once at most before a newcomer runs first.
    assert.ok(begun.includes(NEIGHBOUR), begun.join())
    const finishing = until(() => (finishOne(), answered))
    await Promise.all([status200, finishing])
  })

  it('are dropped if their client left before they started', async () => {
    const [first = ''] = STRANGERS
    for (let n = 0; n < 2; n++) send(first)
    const left = send(first, 'left')
    await arrived(3)
    left.socket.destroy()
    for (let n = 0; n < 2; n++) send(first, 'later')
    await arrived(5)
    await until(() => {
      finishOne()
      return ofAddress(begun, 'later') === 2
    })
    assert.deepEqual(begun, [first, first, 'later', 'later'])
  })

  it('of clients that read nothing occupy limited memory', async () => {
    answer = () => ({ found: 'documentPart', part: { id: 'x'.repeat(24_000_000) }, didDocumentMetadata: {} })
    const [slow = '', other = ''] = STRANGERS
    const { socket } = send(slow)
    await until(() => working.length === 1)
    socket.pause()
    finishOne()
    await until(() => working.length === 0)
    const asked = async (address: string): Promise<number> => {
      const before = begun.length
      const { status } = send(address)
      await Promise.race([status, until(() => begun.length > before).then(finishOne)])
      return status
    }
    answer = () => ({ found: 'documentPart', part: { id: 'x' }, didDocumentMetadata: {} })
    await until(async () => (await asked(slow)) === 429)
    assert.equal(await asked(other), 200)
    socket.destroy()
    await until(async () => (await asked(slow)) === 200)
  })
})

describe('PublicRequests', () => {
  /** A response whose client is at an address, as far as that is known. */
  const responseTo = (group: string, tellsApart = true) =>
    ({
      locals: { client: { address: group, group, tellsApart }, life: { atEnd: () => undefined } },
      writableFinished: true,
    }) as unknown as Response
  const forever = () => new Promise<void>(() => undefined)

  it('wait in limited numbers, a quarter of them for one address', async () => {
    const requests = new PublicRequests(LIMITS)
    for (let n = 0; n < 10; n++) void requests.run(responseTo('greedy'), forever)
    await assert.rejects(requests.run(responseTo('greedy'), forever), { code: 'too_many_requests' })
    for (let n = 0; n < 30; n++) void requests.run(responseTo(`other ${n}`), forever)
    await assert.rejects(requests.run(responseTo('neighbour'), forever), { code: 'unavailable' })
    assert.equal(requests.count, 40)
  })

  it("do not share by address if the address may be everybody's", async () => {
    const requests = new PublicRequests(LIMITS)
    let working = 0
    for (let n = 0; n < 40; n++) {
      void requests.run(responseTo('127.0.0.1', false), () => {
        working++
        return forever()
      })
    }
    assert.equal(working, LIMITS.publicRequests)
    await assert.rejects(requests.run(responseTo('127.0.0.1', false), forever), { code: 'unavailable' })
  })

  it('forget addresses without requests', async () => {
    const requests = new PublicRequests(LIMITS)
    await Promise.all(STRANGERS.map((group) => requests.run(responseTo(group), () => Promise.resolve())))
    await assert.rejects(
      requests.run(responseTo('one'), () => Promise.reject(new Error('its own'))),
      /its own/,
    )
    assert.equal(requests.count, 0)
  })
})
