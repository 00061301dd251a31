import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CheqdSetup } from './support/cheqd-setup.js'
import { Client } from './support/client.js'
import { OtlpCollector, type CollectedSpan } from './support/otlp-collector.js'
import { refusedStart } from './support/refused-start.js'
import { Service } from './support/service.js'
import { update } from './behaviour/status-list.js'
import { createDid, createList } from './behaviour/suite.js'

const INTERNAL = 1
const SERVER = 2
const ERROR = 2

/** A proxy in front of a node, which inspects the requests. */
async function passOn(
  target: string,
  look: (headers: IncomingHttpHeaders) => void,
): Promise<{ url: string; close(): void }> {
  const server = createServer((req, res) => {
    look(req.headers)
    const parts: Buffer[] = []
    req.on('data', (part: Buffer) => parts.push(part))
    req.on('end', () => {
      const headers = { 'content-type': 'application/json' }
      fetch(target, { method: 'POST', headers, body: Buffer.concat(parts) })
        .then(async (answer) => res.writeHead(answer.status).end(await answer.text()))
        .catch(() => res.destroy())
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${port}`, close }
}

describe('traces', () => {
  let collector: OtlpCollector
  beforeEach(async () => {
    collector = await OtlpCollector.start()
  })
  afterEach(() => collector.stop())

  /** The spans of a piece of work at the collector; the service sends the last ones when it stops. */
  const traced = async (
    work: (client: Client, service: Service) => Promise<void>,
    environment: Record<string, string> = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
  ): Promise<string> => {
    const service = await Service.start({ environment: { LOG_LEVEL: 'debug', ...environment } })
    try {
      await work(await Client.of(service.url, service.apiKey), service)
    } finally {
      await service.stop()
    }
    return service.log
  }

  const requestOf = (id: string): CollectedSpan => {
    const found = collector.spans.filter(({ attributes }) => attributes['vidimus.request_id'] === id)
    assert.equal(found.length, 1, `one step for the request ${id}`)
    return found[0]!
  }

  it('show a request with its operation, database, signature, ledger and publication', async () => {
    const log = await traced(async (client) => {
      const list = await createList(client)
      await client.ok('POST', '/credential-status/update/unencrypted', {
        query: { listType: 'BitstringStatusList', statusAction: 'revoke' },
        json: { ...list, indices: [3] },
        headers: { 'x-request-id': 'the-update' },
      })
    })
    const request = requestOf('the-update')
    assert.equal(request.name, 'POST /credential-status/update/unencrypted')
    assert.equal(request.kind, SERVER)
    assert.equal(request.parentSpanId, '')
    assert.equal(request.status, 0)
    assert.deepEqual(request.attributes, {
      'http.request.method': 'POST',
      'http.route': '/credential-status/update/unencrypted',
      'http.response.status_code': 200,
      'vidimus.operation': 'update-status-list',
      'vidimus.request_id': 'the-update',
    })
    assert.deepEqual(
      collector.childrenOf(request).map(({ name }) => name),
      ['update-status-list'],
    )
    const below = collector.below(request)
    const only = (name: string): CollectedSpan => {
      const found = below.filter((span) => span.name === name)
      assert.equal(found.length, 1, name)
      return found[0]!
    }
    const publication = only('statusList.publish')
    assert.equal(publication.attributes['vidimus.status_list.type'], 'BitstringStatusList')
    const inPublication = collector.below(publication).map(({ name }) => name)
    for (const step of ['didSign', 'keyManagerSign', 'linkedResourcePublish', 'ledger.submit']) {
      assert.ok(inPublication.includes(step), step)
    }
    const submission = only('ledger.submit')
    assert.deepEqual(submission.attributes, {
      'vidimus.ledger.network': 'testnet',
      'vidimus.ledger.kind': 'embedded',
      'vidimus.ledger.message': 'createResource',
    })
    // The embedded ledger takes part in the transaction of its caller.
    assert.deepEqual(collector.childrenOf(submission), [])
    assert.equal(only('database.write').attributes['db.system.name'], 'sqlite')
    assert.ok(below.every(({ traceId, kind }) => traceId === request.traceId && kind === INTERNAL))
    // The line of the request leads to its trace.
    const line = log
      .split('\n')
      .find((text) => text.includes('"the-update"') && text.includes('"msg":"request"'))
    assert.equal((JSON.parse(line ?? '{}') as { traceId?: string }).traceId, request.traceId)
  })

  it('are sent as specified for OTLP over HTTP, with the configured headers and name', async () => {
    await traced(
      async (client) => {
        await createDid(client)
      },
      {
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/of/mine`,
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20for-the-collector, x-tenant=7',
        OTEL_SERVICE_NAME: 'identity-7',
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=trial,service.name=another',
      },
    )
    assert.ok(collector.requests.length > 0)
    for (const { path, headers } of collector.requests) {
      assert.equal(path, '/of/mine')
      assert.equal(headers['content-type'], 'application/x-protobuf')
      assert.equal(headers.authorization, 'Bearer for-the-collector')
      assert.equal(headers['x-tenant'], '7')
    }
    const [resource = {}] = collector.resources
    assert.equal(resource['service.name'], 'identity-7')
    assert.equal(resource['deployment.environment.name'], 'trial')
  })

  it("continue the caller's trace and follow its sampling decision", async () => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
    await traced(async (client) => {
      const headersOf = (flags: string, id: string) => ({
        traceparent: `00-${traceId}-00f067aa0ba902b7-${flags}`,
        'x-request-id': id,
      })
      await client.ok('POST', '/did/create', {
        json: { network: 'testnet' },
        headers: headersOf('01', 'sampled'),
      })
      await client.ok('POST', '/did/create', {
        json: { network: 'testnet' },
        headers: headersOf('00', 'not'),
      })
      const malformed = { traceparent: '00-zz-1-01', 'x-request-id': 'malformed' }
      await client.ok('POST', '/did/create', { json: { network: 'testnet' }, headers: malformed })
    })
    const request = requestOf('sampled')
    assert.equal(request.traceId, traceId)
    assert.equal(request.parentSpanId, '00f067aa0ba902b7')
    assert.ok(collector.below(request).every((span) => span.traceId === traceId))
    assert.ok(!collector.spans.some(({ attributes }) => attributes['vidimus.request_id'] === 'not'))
    const own = requestOf('malformed')
    assert.equal(own.parentSpanId, '')
    assert.match(own.traceId, /^(?!0{32})[0-9a-f]{32}$/)
  })

  it('report the type of a failure, but nothing that was sent', async () => {
    const secret = 'c0ffee'.padEnd(64, '7')
    let did = ''
    let apiKey: string | undefined
    await traced(async (client, service) => {
      apiKey = service.apiKey
      did = await createDid(client)
      await client.ok('POST', '/key/import', { json: { privateKeyHex: secret } })
      await client.post('/agent/statusListSearch', {
        json: { did, statusListName: 'a-missing-list', listType: 'BitstringStatusList' },
        headers: { 'x-request-id': 'refused' },
      })
      const list = await createList(client, { did })
      await update(client, list, [1])
    })
    const request = requestOf('refused')
    assert.equal(request.status, 0, 'the service did not fail')
    assert.equal(request.attributes['vidimus.error'], 'list_not_found')
    const [operation] = collector.childrenOf(request)
    assert.equal(operation?.status, ERROR)
    assert.equal(operation?.attributes['error.type'], 'list_not_found')
    assert.equal(operation?.message, '')
    const sent = Buffer.concat(collector.requests.map(({ bytes }) => bytes)).toString('latin1')
    for (const word of [secret, 'a-missing-list', did, apiKey ?? '']) assert.ok(!sent.includes(word), word)
  })

  it('include ledger nodes', async () => {
    const networks = await CheqdSetup.start()
    const seen: string[] = []
    const between = await passOn(networks.nodes.testnet.url, ({ traceparent }) => {
      if (typeof traceparent === 'string') seen.push(traceparent)
    })
    const service = await Service.start({
      configure: (text) => networks.configure(text).replaceAll(networks.nodes.testnet.url, between.url),
      environment: { ...networks.environment, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
    })
    try {
      const client = await Client.of(service.url, service.apiKey)
      const headers = { 'x-request-id': 'over-the-network' }
      await client.ok('POST', '/did/create', { json: { network: 'testnet' }, headers })
    } finally {
      await service.stop()
      between.close()
      await networks.stop()
    }
    const { traceId } = requestOf('over-the-network')
    assert.ok(seen.length > 0)
    for (const header of seen) assert.match(header, new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`))
  })

  it('are not created unless configured', async () => {
    // Which variables say so, the package has tests for.
    const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SDK_DISABLED: 'true' }
    const log = await traced(async (client) => {
      await createDid(client)
    }, environment)
    assert.ok(!log.includes('traceId'))
    assert.ok(!log.includes('requests are traced'))
    assert.deepEqual(collector.requests, [])
  })

  it('are refused in unsupported configurations', async () => {
    const refused = async (environment: Record<string, string>) => (await refusedStart({ environment })).says
    assert.match(
      await refused({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' }),
      /tracing.*endpoint.*must be an http or https URL/s,
    )
    assert.match(
      await refused({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }),
      /protocol.*http\/protobuf/s,
    )
    assert.match(await refused({ OTEL_TRACES_EXPORTER: 'zipkin' }), /exporter.*otlp or none/s)
    const nameless = await refused({ OTEL_EXPORTER_OTLP_HEADERS: 'secret-without-a-name' })
    assert.match(nameless, /headers.*name=value/s)
    assert.ok(!nameless.includes('secret-without-a-name'))
  })

  it('delay nobody while the collector is down', async () => {
    await collector.stop()
    const begun = performance.now()
    const log = await traced(async (client) => {
      for (let n = 0; n < 25; n += 1) await createDid(client)
    })
    // Ten seconds each, were they to wait for an exporter that gives up; even a busy machine makes them in one.
    assert.ok(performance.now() - begun < 150_000)
    assert.match(log, /"traceId":"[0-9a-f]{32}"/)
    collector = await OtlpCollector.start()
  })
})
