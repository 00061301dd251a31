import assert from 'node:assert/strict'
import { Client } from '../support/client.js'
import { Service } from '../support/service.js'
import { assertRefused } from '../support/refused.js'
import { until } from '../support/until.js'

const LOW = `rateLimits:
        perKey: { requests: 20, seconds: 3600 }
        perAddress: { requests: 40, seconds: 3600 }
        failedAuthentications: { requests: 5, seconds: 3600 }
      cors: { origins: [https://app.example] }
`

/** The limits of a service of its own, behind a proxy: what `x-forwarded-for` says is believed. */
export function rateLimitSuite(): void {
  let service: Service
  let client: Client
  before(async () => {
    service = await Service.start({
      environment: { TRUST_PROXY: 'loopback' },
      configure: (text) => text.replace(/rateLimits:\n( {8}.*\n){3}/, LOW),
    })
    client = await Client.of(service.url, service.apiKey)
  })
  after(() => service.stop())

  const from = (address: string, apiKey?: string) =>
    client.get('/did/list', {
      headers: { 'x-forwarded-for': address },
      ...(apiKey !== undefined && { apiKey }),
    })

  it('limits the requests of an API key, from any address', async () => {
    const { apiKey } = await service.apiKeyOf('busy')
    const answers = []
    for (let n = 0; n < 21; n += 1) answers.push(await from(`192.0.2.${n}`, apiKey))
    const refused = answers.pop()
    assert.ok(answers.every(({ status }) => status === 200))
    assert.equal(answers[0]?.headers.get('ratelimit-policy'), '"key";q=20;w=3600')
    assert.equal(answers[0]?.headers.get('ratelimit'), '"key";r=19;t=180')
    assert.ok(refused)
    assertRefused(refused, { status: 429, code: 'too_many_requests' })
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    assert.equal((await from('192.0.2.1')).status, 200)
  })

  it('blocks an address after too many failures, except for known keys', async () => {
    assert.equal((await from('198.51.100.1')).status, 200)
    for (let n = 0; n < 5; n += 1) assertRefused(await from('198.51.100.1', 'wrong'), { status: 401 })
    assertRefused(await from('198.51.100.1', 'wrong'), { status: 429, code: 'too_many_requests' })
    const fresh = (await service.apiKeyOf('fresh')).apiKey
    assert.equal((await from('198.51.100.1', fresh)).status, 429)
    assert.equal((await from('198.51.100.2', fresh)).status, 200)
    assert.equal((await from('198.51.100.1')).status, 200)
    const told = async () =>
      (await service.audited({ event: 'authentication-failed' })).filter(
        ({ address }) => address === '198.51.100.1',
      ).length
    await until(async () => (await told()) > 0)
    assert.equal(await told(), 1)
  })

  it('limits the requests of an address, whoever sends them', async () => {
    const statuses = []
    const headers = { 'x-forwarded-for': '203.0.113.5' }
    for (let n = 0; n < 41; n += 1) {
      statuses.push((await client.get('/openapi.json', { apiKey: null, headers })).status)
    }
    assert.deepEqual(statuses, [...Array.from({ length: 40 }, () => 200), 429])
    assert.equal((await client.get('/health/ready', { apiKey: null, headers })).status, 200)
  })

  it('allows pages of the configured origin only', async () => {
    const headers = { origin: 'https://app.example', 'access-control-request-method': 'DELETE' }
    const allowed = await client.call('OPTIONS', '/account/api-keys/x', { apiKey: null, headers })
    assert.equal(allowed.status, 204)
    assert.equal(allowed.headers.get('access-control-allow-origin'), 'https://app.example')
    const other = { ...headers, origin: 'https://other.example' }
    const refused = await client.call('OPTIONS', '/account/api-keys/x', { apiKey: null, headers: other })
    assert.equal(refused.status, 401)
    assert.equal(refused.headers.get('access-control-allow-origin'), null)
  })
}
