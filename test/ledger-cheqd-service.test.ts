import assert from 'node:assert/strict'
import { Client } from './support/client.js'
import { FAST } from './support/cheqd-installation.js'
import { CheqdSetup } from './support/cheqd-setup.js'
import { Service } from './support/service.js'
import { until } from './support/until.js'

describe('the service during network trouble', () => {
  let networks: CheqdSetup
  let service: Service
  const start = async (options: object = {}) => {
    networks = await CheqdSetup.start({
      requests: { ...FAST.requests, attempts: 2 },
      ...options,
    })
  }
  const open = async () => {
    const { environment } = networks
    const configure = (text: string) =>
      networks.configure(text).replace('recoverEverySeconds: 60', 'recoverEverySeconds: 1')
    service = await Service.start({ configure, environment })
    return Client.of(service.url, service.apiKey)
  }
  afterEach(async () => {
    await service.stop()
    await networks.stop()
  })
  const isReady = async (client: Client) => (await client.get('/health/ready', { apiKey: null })).status

  it('keeps a DID for its account if the network receives it after the caller got a timeout', async () => {
    await start({ outbox: { ...FAST.outbox, submitTimeoutMs: 1000 } })
    const client = await open()
    const { testnet } = networks.nodes
    const held = testnet.misbehave('holdTransaction')
    // A busy machine may withdraw it before a transaction takes it.
    await until(async () => {
      const { status, body } = await client.post('/did/create', { json: { network: 'testnet' } })
      assert.equal(status, 503)
      assert.match(JSON.stringify(body), /"code":"ledger_unavailable"/)
      return JSON.stringify(body).includes('it will continue')
    })
    const [creation] = testnet.pending
    assert.ok(creation)
    // Recovery looks for unfinished creations meanwhile, and does not undo them.
    const looked = testnet.calls.length
    await until(() => testnet.calls.slice(looked).some(({ path }) => path?.endsWith('/DidDoc')))
    held.stop()
    await until(async () => ((await client.ok('GET', '/did/list')) as { total: number }).total === 1)
    assert.deepEqual(testnet.chain.sentTwice, [])
  })

  it('starts without the network, reports it, and recovers by itself', async () => {
    await start()
    const { testnet, mainnet } = networks.nodes
    await Promise.all([testnet.stop(), mainnet.stop()])
    const client = await open()
    assert.equal(await isReady(client), 503)
    const refused = await client.post('/did/create', { json: { network: 'testnet' } })
    assert.equal(refused.status, 503)
    await Promise.all([testnet.open(), mainnet.open()])
    await until(async () => (await isReady(client)) === 200)
    await client.ok('POST', '/did/create', { json: { network: 'testnet' } })
    assert.equal(testnet.chain.messages.length, 1)
  })
})
