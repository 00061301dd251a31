import assert from 'node:assert/strict'
import { runInNewContext } from 'node:vm'
import { packageVersion } from '../../package-version.js'
import { agentWith, ask, serve, type TestService } from '../set-up/service.js'

describe('documentation page', () => {
  let service: TestService
  before(async () => {
    service = await serve({ agent: agentWith({}).agent, publicUrl: 'https://id.acme.test/v1' })
  })
  after(() => service.stop())

  const open = (path: string, headers: Record<string, string> = {}) =>
    ask(service.url + path, { headers: { 'x-api-key': '', ...headers } })

  it('needs no key, and is linked from the root', async () => {
    const root = await open('/')
    assert.equal(root.status, 200)
    assert.match(root.text, /<a href="docs\/">/)
    const bare = await open('/docs')
    assert.equal(bare.headers.get('location'), 'docs/')
    const page = await open('/docs/')
    assert.equal(page.status, 200)
    assert.ok(page.text.includes(`Vidimus ${packageVersion()}<`))
    // what clients request that do not know the service
    assert.equal((await open('/health')).status, (await open('/health/ready')).status)
  })

  it('loads everything from its own origin, without inline scripts', async () => {
    const { text, headers } = await open('/docs/')
    const policy = headers.get('content-security-policy') ?? ''
    assert.match(policy, /script-src 'self';/)
    assert.match(policy, /connect-src 'self' https:\/\/id\.acme\.test;/)
    assert.doesNotMatch(policy, /unsafe-eval/)
    assert.doesNotMatch(text, /<script>|<script [^>]*>[^<]|\son\w+=/)
    const addresses = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address)
    assert.ok(addresses.length >= 6)
    for (const address of addresses) {
      const asset = new URL(address, `${service.url}/docs/`)
      assert.equal(asset.origin, service.url)
      const { status, headers } = await open(asset.pathname)
      assert.equal(status, 200, address)
      const type = address.endsWith('.js') ? /javascript/ : address.endsWith('.css') ? /css/ : /./
      assert.match(headers.get('content-type') ?? '', type)
    }
  })

  it('keeps the key in memory only', async () => {
    const { text } = await open('/docs/page.js')
    assert.match(text, /persistAuthorization: false/)
    assert.match(text, /validatorUrl: null/)
  })

  it('sends the session of the console to its own origin alone, and only without another credential', async () => {
    const { text } = await open('/docs/page.js')
    interface Sent {
      url: string
      headers: Record<string, string>
    }
    const interceptorWhere = (signedIn: boolean) => {
      let options = {} as { requestInterceptor: (request: Sent) => Promise<Sent> }
      const matchMedia = () => ({ addEventListener: () => undefined })
      runInNewContext(text, {
        URL,
        location: new URL(`${service.url}/docs/`),
        window: { matchMedia, SwaggerUIBundle: (given: typeof options) => (options = given) },
        document: { documentElement: { classList: { toggle: () => true } }, getElementById: () => ({}) },
        fetch: () => Promise.resolve(Response.json({ signedIn })),
      })
      return (url: string, headers: Record<string, string> = {}) =>
        options.requestInterceptor({ url, headers }).then((sent) => sent.headers)
    }
    const signedIn = interceptorWhere(true)
    const own = `${service.url}/did/list`
    assert.deepEqual(await signedIn(own), { 'x-api-key': 'session' })
    assert.deepEqual(await signedIn('../openapi.json'), { 'x-api-key': 'session' })
    for (const headers of [{ 'X-API-Key': 'vidimus_a' }, { Authorization: 'Bearer a' }])
      assert.deepEqual(await signedIn(own, headers), headers)
    assert.deepEqual(await signedIn('https://id.acme.test/v1/did/list'), {})
    assert.deepEqual(await interceptorWhere(false)(own), {})
  })

  it('serves no other file of the package', async () => {
    for (const path of [
      '/docs/package.json',
      '/docs/index.html',
      '/docs/swagger-initializer.js',
      '/docs/../package.json',
    ]) {
      assert.equal((await open(path)).status, 401, path)
    }
  })

  it('sends the API document only once to a client that caches it', async () => {
    const { status, headers, body } = await open('/openapi.json')
    assert.equal(status, 200)
    assert.equal(body.openapi, '3.1.0')
    assert.equal((body.info as { version: string }).version, '2.0.0')
    assert.equal((body.servers as { url: string }[])[0]?.url, 'https://id.acme.test/v1')
    const again = await open('/openapi.json', { 'if-none-match': headers.get('etag') ?? '' })
    assert.equal(again.status, 304)
  })
})
