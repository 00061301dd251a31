import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { CheqdSetup } from './support/cheqd-setup.js'
import { Client } from './support/client.js'
import { Service, type ServiceOptions } from './support/service.js'
import { update } from './behaviour/status-list.js'
import { createDid, createList } from './behaviour/suite.js'

interface Line {
  level: number
  time: number
  msg: string
  requestId?: string
  [field: string]: unknown
}

const WARN = 40

/** The lines of the log, without those for the operator at start and end. */
const linesOf = ({ log }: Pick<Service, 'log'>): Line[] =>
  log
    .split('\n')
    .filter((text) => text.startsWith('{'))
    .map((text) => JSON.parse(text) as Line)

describe('service log', () => {
  const logged = async (
    work: (client: Client, service: Service) => Promise<void>,
    options: ServiceOptions = {},
  ): Promise<{ lines: Line[]; service: Service }> => {
    const environment = { LOG_LEVEL: 'debug', ...options.environment }
    const service = await Service.start({ ...options, environment })
    try {
      await work(await Client.of(service.url, service.apiKey), service)
    } finally {
      await service.stop()
    }
    return { lines: linesOf(service), service }
  }

  it('has the request id in every line of every component, however many concurrent requests there are', async () => {
    const ids = Array.from({ length: 20 }, (_, n) => `request-${n}`)
    const { lines } = await logged(async (client) => {
      const create = (id: string) =>
        client.post('/did/create', { json: { network: 'testnet' }, headers: { 'x-request-id': id } })
      const answers = await Promise.all(ids.map(create))
      assert.deepEqual(
        answers.map(({ status, headers }) => [status, headers.get('x-request-id')]),
        ids.map((id) => [200, id]),
      )
    })
    const idsOf = (msg: string) =>
      lines
        .filter((line) => line.msg === msg)
        .map(({ requestId }) => requestId)
        .filter((id) => id?.startsWith('request-'))
        .sort()
    assert.deepEqual(idsOf('request'), [...ids].sort())
    assert.deepEqual(idsOf('a message was sent to the ledger'), [...ids].sort())
    for (const { time, level, msg } of lines) {
      assert.ok(time > 0 && level > 0 && msg !== '')
    }
  })

  it('attributes the publication of a shared version to one of the requests that share it', async () => {
    const { lines } = await logged(async (client) => {
      const list = await createList(client)
      await Promise.all(Array.from({ length: 10 }, (_, n) => update(client, list, [n])))
    })
    const updates = lines.filter(({ operation }) => operation === 'update-status-list')
    const published = lines.filter(({ msg }) => msg === 'a version of a status list was published')
    assert.equal(updates.length, 10)
    assert.equal(
      published.reduce((sum, { callers }) => sum + Number(callers), 0),
      10,
    )
    const ids = updates.map(({ requestId }) => requestId)
    assert.ok(published.every(({ requestId }) => ids.includes(requestId)))
  })

  it('follows the log level', async () => {
    const work = async (client: Client) => {
      await createDid(client)
    }
    const lowest = async (LOG_LEVEL: string) => {
      const { lines } = await logged(work, { environment: { LOG_LEVEL } })
      return Math.min(...lines.map(({ level }) => level))
    }
    assert.equal(await lowest('debug'), 20)
    assert.equal(await lowest('info'), 30)
    // where a disk makes a transaction slow, that is worth a warning
    assert.ok((await lowest('warn')) >= WARN)
  })

  it('contains failures with their causes, and background work without a request', async () => {
    const networks = await CheqdSetup.start()
    const { configure, environment } = networks
    try {
      const { lines } = await logged(
        async (client) => {
          await createDid(client)
          await networks.nodes.testnet.stop()
          const headers = { 'x-request-id': 'without-the-network' }
          const { status, body } = await client.post('/did/create', { json: { network: 'testnet' }, headers })
          assert.equal(status, 503)
          assert.equal((body as { requestId: string }).requestId, 'without-the-network')
        },
        { configure, environment },
      )
      const failed = lines.filter(({ msg }) => msg === 'a message to the ledger failed')
      assert.deepEqual(
        failed.map(({ requestId, level, network, outcome }) => [requestId, level, network, outcome]),
        [['without-the-network', WARN, 'testnet', 'transport']],
      )
      const [{ err } = { err: undefined }] = failed
      assert.match(JSON.stringify(err), /LedgerError/)
      const nodes = lines.filter(({ msg }) => msg === 'a node is not reachable')
      assert.ok(nodes.some(({ requestId }) => requestId === 'without-the-network'))
      const sending = lines.filter(({ msg }) => msg === 'this process sends the messages to the network')
      assert.deepEqual(sending.map(({ network, requestId }) => [network, requestId]).sort(), [
        ['mainnet', undefined],
        ['testnet', undefined],
      ])
    } finally {
      await networks.stop()
    }
  })

  it('contains no secret, whatever is done and whatever fails', async () => {
    const secret = 'c0ffee'.padEnd(64, '7')
    const { service } = await logged(async (client) => {
      const { did } = (await client.ok('POST', '/did/create', { json: { network: 'testnet' } })) as {
        did: string
      }
      await client.ok('POST', '/key/import', { json: { privateKeyHex: secret } })
      await client.post('/key/import', { json: { privateKeyHex: `${secret}ff` } })
      await client.post('/agent/keyManagerImport', {
        json: { privateKeyHex: secret, kms: 'local', type: 'Ed25519' },
      })
      await client.get('/did/list', { apiKey: 'vidimus_not-a-key-but-like-one-0123456789' })
      const list = await createList(client, { did })
      await update(client, list, [1])
    })
    const afterwards = service.log.slice(service.log.indexOf('  Try:'))
    const lines = afterwards.split('\n').slice(1).join('\n')
    for (const word of [
      secret,
      service.apiKey ?? 'no key',
      'vidimus_not-a-key',
      'privateKeyHex',
      'did:cheqd:',
    ]) {
      assert.ok(!lines.includes(word), word)
    }
  })

  it('assigns an id even to malformed requests', async () => {
    const { service } = await logged(async (_client, { url }) => {
      const { port } = new URL(url)
      const answer = await new Promise<string>((resolve, reject) => {
        const socket = connect(Number(port), '127.0.0.1', () => socket.end('NONSENSE\r\n\r\n'))
        let text = ''
        socket.on('data', (part: Buffer) => (text += part.toString()))
        socket.on('end', () => resolve(text))
        socket.on('error', reject)
      })
      const [head = '', body = ''] = answer.split('\r\n\r\n')
      const [, id] = /^X-Request-Id: (\S+)$/im.exec(head) ?? []
      assert.ok(id, head)
      assert.equal((JSON.parse(body) as { requestId: string }).requestId, id)
    })
    assert.ok(service)
  })
})
