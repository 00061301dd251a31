import assert from 'node:assert/strict'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { SharedQueue } from '@vidimus/core-types'
import { NOT_REACHED } from '../public-addresses.js'
import { StrangersHosts, type HostLookup } from '../strangers-hosts.js'

const HEADER_BYTES = 12
const A = 1

/** A name server that answers with an address, and for names that begin with `silent` never. */
class NameServer {
  readonly asked: string[] = []
  private constructor(private readonly socket: Socket) {
    socket.on('message', (query, { port }) => {
      const name = nameIn(query)
      this.asked.push(name)
      if (!name.startsWith('silent')) socket.send(answerTo(query, name), port, '127.0.0.1')
    })
  }

  static async start(): Promise<NameServer> {
    const socket = createSocket('udp4').bind(0, '127.0.0.1')
    await once(socket, 'listening')
    return new NameServer(socket)
  }

  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`
  }

  stop(): void {
    this.socket.close()
  }
}

function nameIn(query: Buffer): string {
  const labels: string[] = []
  for (let at = HEADER_BYTES, length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return labels.join('.')
}

/** `private...` has an address of a private network, any other name one of the public internet; none has another kind. */
function answerTo(query: Buffer, name: string): Buffer {
  const questionEnd = HEADER_BYTES + Buffer.byteLength(name) + 2 + 4
  const hasAddress = query.readUInt16BE(questionEnd - 4) === A
  const head = Buffer.from(query.subarray(0, questionEnd))
  head.writeUInt16BE(0x8180, 2)
  head.writeUInt16BE(hasAddress ? 1 : 0, 6)
  head.writeUInt16BE(0, 8)
  head.writeUInt16BE(0, 10)
  const address = name.startsWith('private') ? [10, 0, 0, 1] : [1, 1, 1, 1]
  const record = Buffer.from([0xc0, HEADER_BYTES, 0, A, 0, 1, 0, 0, 0, 60, 0, 4, ...address])
  return hasAddress ? Buffer.concat([head, record]) : head
}

describe('StrangersHosts', () => {
  let server: NameServer
  before(async () => {
    server = await NameServer.start()
  })
  after(() => server.stop())

  const hosts = (timeoutMs = 60_000, queue = new SharedQueue(6, 4)) =>
    new StrangersHosts(queue, { timeoutMs, servers: [server.address] })
  const lookUp = (lookup: HostLookup, name: string) =>
    new Promise<unknown>((resolve, reject) =>
      lookup(name, { all: true }, (error, found) => (error ? reject(error) : resolve(found))),
    )

  it('finds only the public address of a name', async () => {
    const lookup = hosts().lookupFor()
    assert.deepEqual(await lookUp(lookup, 'host.example'), [{ address: '1.1.1.1', family: 4 }])
    for (const name of ['private.example', 'localhost', 'a.localhost.']) {
      await assert.rejects(lookUp(lookup, name), { message: NOT_REACHED }, name)
    }
  })

  it('serves other accounts while the name server of one is silent', async () => {
    const shared = hosts(2000)
    const silent = Array.from({ length: 40 }, (_, n) =>
      lookUp(shared.lookupFor('hostile'), `silent-${n}.example`),
    )
    const ended = silent.map((each) =>
      each.then(
        () => 'found',
        () => 'not found',
      ),
    )
    const neighbour = lookUp(shared.lookupFor('neighbour'), 'neighbour.example').then(() => 'neighbour')
    assert.equal(await Promise.race([neighbour, ...ended]), 'neighbour')
    // No more than its share was asked for.
    assert.ok(new Set(server.asked.filter((name) => name.startsWith('silent'))).size <= 4)
  })

  it('times out', async () => {
    await assert.rejects(lookUp(hosts(20).lookupFor(), 'silent.example'), {
      message: NOT_REACHED,
    })
  })
})
