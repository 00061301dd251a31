import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ChainState } from '../chain-state.js'
import { RpcEndpoints } from '../rpc-endpoints.js'

const REQUESTS = { timeoutMs: 2_000, attempts: 1, pauseMs: 1, leaveAloneMs: 1, maxAnswerBytes: 1_000_000 }
const TEXT = {
  encode: (text: string) => ({ finish: () => Buffer.from(text) }),
  decode: (bytes: Uint8Array) => Buffer.from(bytes).toString(),
}

/** A node that says what it is told to, as a dishonest one does. */
interface Node {
  url: string
  server: Server
  says: { value: string; height: number }
}

async function startNode(value: string, height: number): Promise<Node> {
  const says = { value, height }
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => (text += String(chunk)))
    request.on('end', () => {
      const { id, method } = JSON.parse(text) as { id: number; method: string }
      const result = method === 'status' ? statusOf(says.height) : { response: answerOf(says) }
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server, says }
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

describe('the state of a chain', () => {
  let nodes: Node[]
  beforeEach(async () => {
    nodes = [await startNode('true', 10), await startNode('true', 10)]
  })
  afterEach(() => {
    for (const { server } of nodes) {
      server.closeAllConnections()
      server.close()
    }
  })
  const stateOf = (agree: number) => {
    const settings = { chainId: 'chain-a', requests: REQUESTS, network: 'testnet' as const }
    return new ChainState(
      new RpcEndpoints(
        nodes.map(({ url }) => url),
        settings,
      ),
      agree,
    )
  }
  const ask = (state: ChainState) => state.query('/a', [TEXT, TEXT], 'q')

  it('never goes back for whoever has read a newer one, whichever node answers', async () => {
    const state = stateOf(1)
    assert.equal(await ask(state), 'true')
    const [first, second] = nodes as [Node, Node]
    Object.assign(first.says, { value: 'older', height: 9 })
    second.says.height = 9
    await assert.rejects(ask(state), /behind what is known/)
    Object.assign(second.says, { value: 'newer', height: 11 })
    assert.equal(await ask(state), 'newer')
  })

  it('is what two nodes say, where two have to agree', async () => {
    assert.equal(await ask(stateOf(2)), 'true')
    const [first, second] = nodes as [Node, Node]
    Object.assign(first.says, { value: 'false' })
    await assert.rejects(ask(stateOf(2)), /two nodes do not say the same/)
    assert.equal(await ask(stateOf(1)), 'false')
    second.server.closeAllConnections()
    second.server.close()
    await assert.rejects(ask(stateOf(2)), /no node of testnet could be asked/)
  })
})
