import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { agentWith, ask, serve, type TestService } from '../set-up/service.js'

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

describe('console page', () => {
  let service: TestService
  before(async () => {
    service = await serve({ agent: agentWith({}).agent })
  })
  after(() => service.stop())

  const open = (path: string) => ask(service.url + path, { headers: { 'x-api-key': '' } })
  const addressesOf = (html: string) =>
    [...html.matchAll(/(?:src|href)="([^":]+)"/g)]
      .map(([, address = '']) => address)
      .filter((address) => !address.startsWith('..'))

  it('needs no key, is never cached, and loads nothing from elsewhere', async () => {
    assert.equal((await open('/console')).headers.get('location'), 'console/')
    const { status, headers, text } = await open('/console/')
    assert.equal(status, 200)
    assert.equal(headers.get('content-security-policy'), POLICY)
    assert.equal(headers.get('cache-control'), 'no-cache')
    assert.match(headers.get('content-type') ?? '', /^text\/html/)
    assert.doesNotMatch(
      text,
      /<style|<script>|<script [^>]*>[^<]|\son\w+=|\sstyle=|https?:\/\/(?!www\.w3\.org)/,
    )
  })

  it('has files with content hashes in their names that browsers cache permanently', async () => {
    const { text } = await open('/console/')
    const addresses = addressesOf(text)
    assert.equal(addresses.length, 2)
    for (const address of addresses) {
      const { status, headers } = await open(`/console/${address}`)
      assert.equal(status, 200, address)
      assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable')
      assert.match(address, /-[A-Z0-9]{8}\.(js|css)$/)
      assert.match(headers.get('content-type') ?? '', address.endsWith('.js') ? /javascript/ : /css/)
    }
  })

  it('serves no other file of the package', async () => {
    for (const path of [
      '/console/package.json',
      '/console/index.html',
      '/console/../package.json',
      '/console/src/main.tsx',
    ]) {
      assert.equal((await open(path)).status, 401, path)
    }
  })

  it('is linked from the root page, whose only style is allowed by its hash', async () => {
    const { text, headers } = await open('/')
    assert.match(text, /<a href="console\/">Console<\/a>/)
    const [, style = ''] = /<style>(.*)<\/style>/.exec(text) ?? []
    const hash = createHash('sha256').update(style).digest('base64')
    assert.ok(headers.get('content-security-policy')?.includes(`style-src 'sha256-${hash}'`))
    assert.doesNotMatch(text, /<script/)
  })

  it('can be switched off', async () => {
    for (const off of [false, 'false']) {
      const without = await serve({ agent: agentWith({}).agent, console: off })
      try {
        assert.equal((await ask(`${without.url}/console/`)).status, 404)
        assert.doesNotMatch((await ask(`${without.url}/`)).text, /console/i)
      } finally {
        await without.stop()
      }
    }
  })
})
