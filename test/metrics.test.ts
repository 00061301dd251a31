import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { CheqdSetup } from './support/cheqd-setup.js'
import { Client } from './support/client.js'
import { emptyInstallation } from './support/fresh-database.js'
import { documentedMetrics, processMetrics } from './support/metrics-page.js'
import { valueOf, type Metric } from './support/prometheus-text.js'
import { refusedStart } from './support/refused-start.js'
import { metricsUrl, scrape } from './support/scrape.js'
import { Service, type ServiceOptions } from './support/service.js'
import { check, update } from './behaviour/status-list.js'
import { createDid, createList } from './behaviour/suite.js'
import { until } from './support/until.js'

const TOKEN = 'a-token-of-the-metrics-0123456789'

type Metrics = ReadonlyMap<string, Metric>

/** How much a value has grown. */
const growth =
  (before: Metrics, after: Metrics) =>
  (name: string, labels: Record<string, string> = {}): number =>
    valueOf(after, name, labels) - valueOf(before, name, labels)

describe('metrics', () => {
  let running: Service[] = []
  const start = async (options: ServiceOptions = {}) => {
    const service = await Service.start(options)
    running.push(service)
    return service
  }
  after(() => Promise.all(running.map((service) => service.stop())).then(() => (running = [])))

  describe('availability', () => {
    it('is off by default', async () => {
      const service = await start()
      assert.equal(metricsUrl(service), undefined)
      const paths = ['/metrics', '/metrics/', '/Metrics']
      const statuses = paths.map(async (path) => {
        const headers = { 'x-api-key': service.apiKey ?? '' }
        return [
          (await fetch(service.url + path)).status,
          (await fetch(service.url + path, { headers })).status,
        ]
      })
      assert.deepEqual(await Promise.all(statuses), Array(paths.length).fill([401, 404]))
    })

    it('is restricted to holders of a token, if there is one', async () => {
      const service = await start({ environment: { METRICS_PORT: '0', METRICS_TOKEN: TOKEN } })
      const url = metricsUrl(service) ?? ''
      const statusWith = async (authorization?: string) =>
        (await fetch(url, { headers: { ...(authorization && { authorization }) } })).status
      assert.equal(await statusWith(), 401)
      assert.equal(await statusWith(`Bearer ${TOKEN}x`), 401)
      assert.equal(await statusWith(`Bearer ${TOKEN.slice(1)}`), 401)
      assert.equal(await statusWith(`Basic ${TOKEN}`), 401)
      assert.equal(await statusWith(TOKEN), 401)
      assert.equal(await statusWith(`Bearer ${service.apiKey}`), 401)
      assert.equal(await statusWith(`Bearer ${TOKEN}`), 200)
      assert.equal(await statusWith(`bearer  ${TOKEN}`), 200)
      assert.ok(!service.log.includes(TOKEN))
    })

    it('is on the port of the service with a token, on request', async () => {
      const configure = (text: string) => text.replace('        public: false', '        public: true')
      const service = await start({ configure, environment: { METRICS_TOKEN: TOKEN } })
      assert.equal(metricsUrl(service), undefined)
      const answer = async (headers: Record<string, string>) => {
        const response = await fetch(`${service.url}/metrics`, { headers })
        return [response.status, response.headers.get('content-type'), await response.text()] as const
      }
      const [refused, , body] = await answer({})
      assert.equal(refused, 401)
      assert.equal((JSON.parse(body) as { code: string }).code, 'unauthenticated')
      assert.equal((await answer({ 'x-api-key': service.apiKey ?? '' }))[0], 401)
      assert.equal((await answer({ authorization: `Bearer ${service.apiKey}` }))[0], 401)
      const [status, type, text] = await answer({ authorization: `Bearer ${TOKEN}` })
      assert.equal(status, 200)
      assert.equal(type, 'text/plain; version=0.0.4; charset=utf-8')
      assert.match(text, /^# HELP vidimus_ready /m)
      const post = await fetch(`${service.url}/metrics`, { method: 'POST' })
      assert.equal(post.status, 405)
    })

    it('is never on the port of the service without a token', async () => {
      const configure = (text: string) => text.replace('        public: false', '        public: true')
      assert.match(
        (await refusedStart({ configure })).says,
        /metrics\.token.*is required if metrics are public/s,
      )
      const refused = async (environment: Record<string, string>) =>
        (await refusedStart({ environment })).says
      assert.match(await refused({ METRICS_TOKEN: 'short' }), /metrics\.token.*16 to 512 characters/s)
      assert.match(await refused({ METRICS_PORT: 'many' }), /metrics\.port/)
    })

    it('requires a free port', async () => {
      const blocker = createServer().listen(0, '127.0.0.1')
      await once(blocker, 'listening')
      const { port } = blocker.address() as AddressInfo
      const { says } = await refusedStart({ environment: { METRICS_PORT: String(port) } })
      blocker.close()
      assert.match(says, /in use/)
      assert.match(says, /METRICS_PORT/)
    })
  })

  describe('content', () => {
    let service: Service
    let client: Client
    before(async () => {
      service = await start({ environment: { METRICS_PORT: '0', CACHE_BYTES: '100000000' } })
      client = await Client.of(service.url, service.apiKey)
    })

    /** The growth during a piece of work. */
    const during = async (work: () => Promise<unknown>) => {
      const before = await scrape(service)
      await work()
      return growth(before, await scrape(service))
    }

    it('is on a separate port, without anything else', async () => {
      const url = metricsUrl(service) ?? ''
      assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/metrics$/)
      assert.ok((await scrape(service)).size > 30)
      const { origin } = new URL(url)
      const answers = await Promise.all([
        fetch(url, { method: 'HEAD' }),
        fetch(`${url}?name[]=x`),
        fetch(url, { method: 'POST' }),
        fetch(`${origin}/`),
        fetch(`${origin}/health/live`),
        fetch(`${service.url}/metrics`, { headers: { 'x-api-key': service.apiKey ?? '' } }),
      ])
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200, 405, 404, 404, 404],
      )
      assert.equal(await answers[0]?.text(), '')
    })

    it('counts each request once, by operation and status', async () => {
      const grown = await during(async () => {
        await createDid(client)
        await client.post('/did/create', { json: { network: 'nowhere' } })
        await client.post('/did/create', { json: { network: 'testnet' }, apiKey: null })
        await client.get('/health/live')
        await client.get('/1.0/identifiers/did:cheqd:testnet:nobody')
        await client.get('/no/such/path')
      })
      const count = 'vidimus_http_request_duration_seconds_count'
      const created = { operation: 'did-create', route: '/did/create' }
      assert.equal(grown(count, { ...created, status: '200' }), 1)
      assert.equal(grown(count, { ...created, status: '400' }), 1)
      assert.equal(grown(count, { operation: 'none', route: '/did/create', status: '401' }), 1)
      assert.equal(grown(count, { operation: 'none', route: '/health/live', status: '200' }), 1)
      assert.equal(grown(count, { route: '/1.0/identifiers/{didUrl}', status: '400' }), 1)
      assert.equal(grown(count, { route: 'unknown', status: '404' }), 1)
      assert.equal(grown(count), 6)
      const seconds = grown('vidimus_http_request_duration_seconds_sum', { ...created, status: '200' })
      assert.ok(seconds > 0 && seconds < 30, `${seconds} s`)
    })

    it('counts each ledger message, and why it was refused', async () => {
      const did = await createDid(client)
      const grown = await during(async () => {
        await createList(client, { did })
        await createDid(client, { network: 'mainnet' })
      })
      const count = 'vidimus_ledger_submit_duration_seconds_count'
      const committed = { outcome: 'committed' }
      assert.equal(grown(count, { network: 'testnet', message: 'createResource', ...committed }), 1)
      assert.equal(grown(count, { network: 'mainnet', message: 'createDidDoc', ...committed }), 1)
      assert.equal(grown(count), 2)
    })

    it('shows how many updates share a version', async () => {
      const list = await createList(client)
      let versions = new Map<string, number>()
      const grown = await during(async () => {
        const updated = await Promise.all(Array.from({ length: 10 }, (_, n) => update(client, list, [n])))
        versions = updated.reduce(
          (counts, { resourceMetadata: { resourceId } }) =>
            counts.set(resourceId, (counts.get(resourceId) ?? 0) + 1),
          new Map<string, number>(),
        )
      })
      const type = { list_type: 'BitstringStatusList' }
      assert.equal(grown('vidimus_status_list_update_callers_sum', type), 10)
      assert.equal(grown('vidimus_status_list_update_callers_count', type), versions.size)
      assert.equal(grown('vidimus_status_list_versions_total', type), versions.size)
      const alone = [...versions.values()].filter((callers) => callers === 1).length
      assert.equal(grown('vidimus_status_list_update_callers_bucket', { ...type, le: '1' }), alone)
      assert.equal(grown('vidimus_status_list_update_callers_bucket', { ...type, le: '10' }), versions.size)
      assert.ok(versions.size < 10, 'they shared')
    })

    it('counts no publication if nothing changes', async () => {
      const list = await createList(client)
      await update(client, list, [1])
      const grown = await during(() => update(client, list, [1]))
      assert.equal(grown('vidimus_status_list_versions_total'), 0)
      assert.equal(grown('vidimus_status_list_update_callers_count'), 0)
    })

    it('shows the cache hits for lists and rows', async () => {
      const list = await createList(client)
      await check(client, list, { indices: [1] })
      const grown = await during(async () => {
        for (let n = 0; n < 5; n += 1) await check(client, list, { indices: [n] })
      })
      const cache = 'vidimus_status_list_cache_requests_total'
      assert.equal(grown(cache, { cache: 'list', result: 'hit' }), 5)
      assert.equal(grown(cache, { cache: 'list', result: 'miss' }), 0)
      assert.ok(grown('vidimus_database_remembered_queries_total', { result: 'hit' }) >= 5)
      const metrics = await scrape(service)
      assert.ok((valueOf(metrics, 'vidimus_cache_bytes', { cache: 'list' }) ?? 0) >= 131072 / 8)
      const all = metrics.get('vidimus_cache_bytes')?.samples.map(({ labels }) => labels.cache)
      const known =
        'address answer block delivery document foreign-list key list published query series writer'.split(
          ' ',
        )
      assert.deepEqual(all?.sort(), known)
      assert.equal(valueOf(metrics, 'vidimus_cache_budget_bytes'), 100_000_000)
    })

    it('shows how full lists are, and that nothing is waiting', async () => {
      const metrics = await scrape(service)
      assert.equal(valueOf(metrics, 'vidimus_status_lists_nearly_full'), 0)
      for (const queue of [
        'vidimus_database_write_queue_length',
        'vidimus_status_list_waiting_updates',
        'vidimus_status_list_writers',
        'vidimus_http_requests_in_progress',
      ]) {
        assert.equal(valueOf(metrics, queue), 0, queue)
        assert.ok(metrics.get(queue)?.samples.length, queue)
      }
    })

    it('shows readiness and the state of each check', async () => {
      const metrics = await scrape(service)
      assert.equal(valueOf(metrics, 'vidimus_ready'), 1)
      const checks = metrics.get('vidimus_check_ok')?.samples ?? []
      const { body } = await client.get('/health/ready')
      const { checks: told } = body as { checks: { name: string; ok: boolean }[] }
      assert.deepEqual(
        checks.map(({ labels, value }) => [labels.check, value]),
        told.map(({ name, ok }) => [name, ok ? 1 : 0]),
      )
      const free = valueOf(metrics, 'vidimus_database_disk_available_bytes')
      assert.ok(free > 0 && free <= valueOf(metrics, 'vidimus_database_disk_size_bytes'))
      for (const name of ['process_resident_memory_bytes', 'process_open_fds', 'process_cpu_seconds_total']) {
        assert.ok(valueOf(metrics, name) > 0, name)
      }
      assert.ok(metrics.get('nodejs_eventloop_lag_p99_seconds'))
    })

    it('identifies nobody: no DID, account, key or list name', async () => {
      const list = await createList(client)
      const apiKeys = await client.ok('GET', '/account/api-keys')
      await update(client, list, [7])
      await client.get(`/1.0/identifiers/${list.did}`)
      await client.get(`/key/read/${'ab'.repeat(32)}`)
      await client.post('/agent/statusListCheck', { json: { apiKey: service.apiKey } })
      const text = await (await fetch(metricsUrl(service) ?? '')).text()
      const ids = JSON.stringify(apiKeys).match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? []
      const mustNotSay = [list.did, list.statusListName, service.apiKey ?? '', 'ab'.repeat(32), ...ids]
      assert.deepEqual(
        mustNotSay.filter((secret) => text.includes(secret)),
        [],
      )
      assert.doesNotMatch(text, /did:cheqd:|vidimus_[A-Za-z0-9]{40}/)
    })

    it('is exactly what docs/metrics.md lists', async () => {
      const known = [...(await documentedMetrics()), ...(await processMetrics())]
      const scraped = await scrape(service)
      for (const { name, type, help } of scraped.values()) {
        const documented = known.find((one) => one.name === name)
        assert.ok(documented, `${name} is documented`)
        assert.equal(documented.type, type, name)
        assert.equal(documented.help, help.replace(/\.$/, ''), name)
      }
      const elsewhere =
        /^vidimus_database_connections|^vidimus_publication_|^vidimus_replication_|^vidimus_spend_|^vidimus_ledger_(outbox|block|payer|node)/
      const missing = known.filter(({ name }) => !scraped.has(name) && !elsewhere.test(name))
      assert.deepEqual(
        missing.map(({ name }) => name),
        [],
      )
    })

    it('is the same for concurrent readers', async () => {
      const texts = await Promise.all(Array.from({ length: 20 }, () => scrape(service)))
      assert.ok(texts.every((metrics) => metrics.size === texts[0]?.size))
      assert.equal(valueOf(await scrape(service), 'vidimus_metrics_unreadable_total'), 0)
    })
  })

  describe('of PostgreSQL and cheqd networks', () => {
    let networks: CheqdSetup
    let service: Service
    let client: Client
    before(async () => {
      networks = await CheqdSetup.start()
      const { configure } = networks
      const DATABASE_URL = await emptyInstallation('PostgreSQL')
      service = await Service.start({
        configure,
        environment: { ...networks.environment, DATABASE_URL, DATABASE_POOL_SIZE: '6', METRICS_PORT: '0' },
      })
      client = await Client.of(service.url, service.apiKey)
    })
    after(async () => {
      await service.stop()
      await networks.stop()
    })

    it('show how connections are used', async () => {
      await createList(client)
      const metrics = await scrape(service)
      for (const pool of ['read', 'write']) {
        assert.equal(valueOf(metrics, 'vidimus_database_connections_max', { pool }), 3)
        assert.equal(valueOf(metrics, 'vidimus_database_connections_waiting', { pool }), 0)
        const open = valueOf(metrics, 'vidimus_database_connections', { pool })
        assert.ok(open >= 1 && open <= 3, `${open} open`)
      }
      assert.ok(!metrics.has('vidimus_database_disk_size_bytes'))
      assert.equal(valueOf(metrics, 'vidimus_status_list_fill_ratio_max'), 0)
      assert.equal(valueOf(metrics, 'vidimus_metrics_unreadable_total'), 0)
    })

    it('show the state of a network and its outbox', async () => {
      const before = await scrape(service)
      await createDid(client)
      const metrics = await scrape(service)
      const testnet = { network: 'testnet' }
      assert.equal(valueOf(metrics, 'vidimus_ledger_outbox_messages', { ...testnet, state: 'queued' }), 0)
      assert.equal(metrics.get('vidimus_ledger_outbox_messages')?.samples.length, 4)
      assert.equal(valueOf(metrics, 'vidimus_ledger_outbox_oldest_seconds', testnet), 0)
      assert.ok(valueOf(metrics, 'vidimus_ledger_block_height', testnet) > 1)
      assert.ok(valueOf(metrics, 'vidimus_ledger_payer_balance_cheq', testnet) > 999_000_000)
      const created = { ...testnet, message: 'createDidDoc', outcome: 'committed' }
      assert.equal(growth(before, metrics)('vidimus_ledger_submit_duration_seconds_count', created), 1)
      const known = await documentedMetrics()
      const ofNetworks = known.filter((one) => one.package === 'ledger-cheqd')
      assert.deepEqual(
        ofNetworks.filter(({ name }) => !metrics.get(name)?.samples.length).map(({ name }) => name),
        [],
      )
      await networks.nodes.testnet.stop()
      await client.post('/did/create', { json: { network: 'testnet' } })
      // A recent result is reused for a moment.
      await until(async () => valueOf(await scrape(service), 'vidimus_ready') === 0)
      const later = await scrape(service)
      assert.ok(valueOf(later, 'vidimus_ledger_node_failures_total', testnet) > 0)
      assert.equal(valueOf(later, 'vidimus_check_ok', { check: 'ledger:testnet' }), 0)
      assert.equal(valueOf(later, 'vidimus_check_ok', { check: 'ledger:mainnet' }), 1)
      // Unreadable metrics are omitted and reported.
      const heights = later.get('vidimus_ledger_block_height')?.samples ?? []
      assert.deepEqual(
        heights.map(({ labels }) => labels.network),
        ['mainnet'],
      )
      assert.ok(valueOf(later, 'vidimus_metrics_unreadable_total') > 0)
    })
  })
})
