import assert from 'node:assert/strict'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Database, type Sql } from '@vidimus/database'
import { migratedDatabase, PLACES, type Place } from '../../../../test/support/fresh-database.js'
import { ChainState } from '../chain-state.js'
import { KnownHeight } from '../known-height.js'
import { migrations } from '../migrations.js'
import { RpcEndpoints } from '../rpc-endpoints.js'

const REQUESTS = { timeoutMs: 60_000, attempts: 1, pauseMs: 1, leaveAloneMs: 1, maxAnswerBytes: 1_000_000 }
const TEXT = {
  encode: (text: string) => ({ finish: () => Buffer.from(text) }),
  decode: (bytes: Uint8Array) => Buffer.from(bytes).toString(),
}

/** A node that answers as instructed, like a dishonest one. */
interface Node {
  url: string
  server: Server
  says: { value: string; height: number; endless?: boolean }
  /** bytes of answers without an end */
  sent: number
}

async function startNode(value: string, height: number): Promise<Node> {
  const says: Node['says'] = { value, height }
  const node = { says, sent: 0 }
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => (text += String(chunk)))
    request.on('end', () => {
      const { id, method } = JSON.parse(text) as { id: number; method: string }
      if (says.endless) return sendForever(response, node)
      const result = method === 'status' ? statusOf(says.height) : { response: answerOf(says) }
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return Object.assign(node, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server })
}

/** As fast as it is read, until the connection is closed. */
function sendForever(response: ServerResponse, node: { sent: number }): void {
  const send = () => {
    for (let isRead = true; isRead && !response.destroyed;) {
      isRead = response.write('x'.repeat(100_000))
      node.sent += 100_000
    }
  }
  response.on('drain', send)
  send()
}

const answerOf = ({ value, height }: Node['says']) => ({
  code: 0,
  value: Buffer.from(value).toString('base64'),
  height: String(height),
})

const statusOf = (height: number) => ({
  node_info: {
    protocol_version: { p2p: '8', block: '11', app: '0' },
    id: 'ab'.repeat(20),
    listen_addr: 'tcp://0.0.0.0:26656',
    network: 'chain-a',
    version: '0.37.0',
    channels: '40',
    moniker: 'node',
    other: {},
  },
  sync_info: {
    latest_block_hash: 'AB',
    latest_app_hash: 'AB',
    latest_block_height: String(height),
    latest_block_time: '2026-01-01T00:00:00Z',
    catching_up: false,
  },
  validator_info: {
    address: 'AB'.repeat(20),
    pub_key: { type: 'tendermint/PubKeyEd25519', value: Buffer.alloc(32, 7).toString('base64') },
    voting_power: '0',
  },
})

for (const place of PLACES) describe(`chain state (${place})`, () => stateOfChain(place))

function stateOfChain(place: Place): void {
  let nodes: Node[]
  let database: Database
  let now: number
  beforeEach(async () => {
    database = new Database({
      url: await migratedDatabase(place, { migrations: [migrations] }),
      migrations: [migrations],
    })
    await database.lifecycle.start()
    now = Date.parse('2026-01-01T00:00:00Z')
    nodes = [await startNode('true', 10), await startNode('true', 10)]
  })
  afterEach(async () => {
    await database.lifecycle.stop()
    for (const { server } of nodes) {
      server.closeAllConnections()
      server.close()
    }
  })
  /** As each process has its own. */
  const stateOf = (agree: number) => {
    const settings = { chainId: 'chain-a', requests: REQUESTS, network: 'testnet' as const }
    return new ChainState(
      new RpcEndpoints(
        nodes.map(({ url }) => url),
        settings,
      ),
      new KnownHeight(database, { ...settings, shortestBlockMs: 1000 }, () => now),
      agree,
    )
  }
  const ask = (state: ChainState) => state.query('/a', [TEXT, TEXT], 'q')

  it('never goes back for a reader of a newer one, whichever node responds', async () => {
    const state = stateOf(1)
    assert.equal(await ask(state), 'true')
    const [first, second] = nodes as [Node, Node]
    Object.assign(first.says, { value: 'older', height: 9 })
    second.says.height = 9
    await assert.rejects(ask(state), /behind what is known/)
    Object.assign(second.says, { value: 'newer', height: 11 })
    assert.equal(await ask(state), 'newer')
  })

  it('never goes back for another process on the database, or after a restart', async () => {
    const [first, second] = nodes as [Node, Node]
    const [one, other] = [stateOf(1), stateOf(1)]
    Object.assign(first.says, { value: 'newest', height: 12 })
    assert.equal(await ask(one), 'newest')
    Object.assign(first.says, { value: 'older', height: 11 })
    Object.assign(second.says, { value: 'older', height: 11 })
    for (const state of [other, stateOf(1)]) await assert.rejects(ask(state), /behind what is known/)
    Object.assign(second.says, { value: 'newest', height: 12 })
    assert.equal(await ask(other), 'newest')
    one.wrote(13)
    await assert.rejects(ask(one), /behind what is known/)
  })

  it('never goes back if a slow read of the database misses a block noted meanwhile', async () => {
    let isReached: () => void = () => undefined
    let open: () => void = () => undefined
    const reached = new Promise<void>((resolve) => (isReached = resolve))
    const opened = new Promise<void>((resolve) => (open = resolve))
    const slow: Pick<Database, 'query' | 'write'> = {
      write: (work) => database.write(work),
      query: async <Row>(statement: Sql) => {
        const rows = await database.query<Row>(statement)
        isReached()
        await opened
        return rows
      },
    }
    const known = new KnownHeight(slow, { chainId: 'chain-a', network: 'testnet', shortestBlockMs: 1000 })
    const reading = known.read()
    await reached
    await known.saw(13)
    open()
    assert.equal(await reading, 13)
    assert.equal(await known.read(), 13)
  })

  it('rejects a block that the chain cannot have yet, and uses the other node', async () => {
    const state = stateOf(1)
    await ask(state)
    const [first, second] = nodes as [Node, Node]
    Object.assign(first.says, { value: 'false', height: 1_000_000_000 })
    second.says.height = 11
    for (const each of [state, stateOf(1)]) assert.equal(await ask(each), 'true')
    second.server.closeAllConnections()
    second.server.close()
    await assert.rejects(ask(state), /a block that the chain cannot have yet/)
    // Nobody has asked for ten days.
    now += 10 * 86_400_000
    Object.assign(first.says, { value: 'true', height: 150_000 })
    assert.equal(await ask(state), 'true')
  })

  it('forgets a block that a node claimed if no node had it for an hour', async () => {
    const [first, second] = nodes as [Node, Node]
    Object.assign(first.says, { height: 1_000_000_000 })
    const [one, other] = [stateOf(1), stateOf(1)]
    for (const state of [one, other]) await ask(state)
    first.says.height = 11
    second.says.height = 11
    for (const state of [one, other, one]) await assert.rejects(ask(state), /behind what is known/)
    now += 59 * 60_000
    await assert.rejects(ask(other), /behind what is known/)
    now += 60_000
    for (const state of [one, other]) assert.equal(await ask(state), 'true')
    first.says.height = 10
    second.says.height = 10
    await assert.rejects(ask(other), /behind what is known/)
  })

  it('keeps a block that one node has, even if others lack it for hours', async () => {
    const [first, second] = nodes as [Node, Node]
    first.says.height = 12
    const state = stateOf(1)
    await ask(state)
    first.says.height = 11
    await assert.rejects(ask(state), /behind what is known/)
    second.says.height = 12
    await ask(state)
    now += 3 * 3_600_000
    second.says.height = 11
    await assert.rejects(ask(state), /behind what is known/)
  })

  it('stops reading an endless response, and uses the other node', async () => {
    const [first] = nodes as [Node, Node]
    first.says.endless = true
    assert.equal(await ask(stateOf(1)), 'true')
    assert.ok(first.sent > 0 && first.sent < 40_000_000, String(first.sent))
  })

  it('requires two nodes to agree if configured', async () => {
    assert.equal(await ask(stateOf(2)), 'true')
    const [first, second] = nodes as [Node, Node]
    Object.assign(first.says, { value: 'false' })
    await assert.rejects(ask(stateOf(2)), /two nodes disagree/)
    assert.equal(await ask(stateOf(1)), 'false')
    second.server.closeAllConnections()
    second.server.close()
    await assert.rejects(ask(stateOf(2)), /no node of testnet is reachable/)
  })
}
