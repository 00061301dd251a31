import assert from 'node:assert/strict'
import { request } from 'node:http'
import type { Setup } from './suite.js'

interface ApiDocument {
  paths: Record<string, Record<string, { security?: unknown[] }>>
}

export function authenticationSuite({ client, service, networks }: Setup): void {
  let revoked: string
  let expired: string
  before(async () => {
    const { id, apiKey } = await service().apiKeyOf('default')
    assert.equal((await client().get('/did/list', { apiKey })).status, 200)
    await service().accounts((accounts) => accounts.revokeApiKey(id))
    revoked = apiKey
    const replaced = await service().apiKeyOf('default')
    await service().accounts((accounts) => accounts.rotateApiKey(replaced.id, { overlapSeconds: 0 }))
    expired = replaced.apiKey
  })

  const keys: [string, () => string | null][] = [
    ['no key', () => null],
    ['an empty key', () => ''],
    ['an unknown key', () => `vidimus_${'A'.repeat(49)}`],
    ['a key with a wrong checksum', () => revoked.slice(0, -1) + (revoked.endsWith('a') ? 'b' : 'a')],
    ['a revoked key', () => revoked],
    ['an expired key', () => expired],
    ['garbage', () => "' OR 1=1 --"],
  ]
  for (const [title, key] of keys) {
    it(`answers 401 to ${title} on every operation, and on unknown paths`, async () => {
      const { paths } = client().openApi as unknown as ApiDocument
      const calls = Object.entries(paths).flatMap(([path, methods]) =>
        Object.entries(methods)
          .filter(([, { security }]) => security?.length !== 0)
          .map(([method]) => [method.toUpperCase(), path.replace(/\{[^}]+\}/g, 'x')] as const),
      )
      assert.ok(calls.length >= 13)
      const bodies = new Set<string>()
      // The registrar and the VC API add their own form of a refusal, each the same at all of its operations.
      const states = new Set<string>()
      for (const [method, path] of [...calls, ['POST', '/nowhere'] as const]) {
        const { status, body } = await client().call(method, path, { apiKey: key() })
        assert.equal(status, 401, `${method} ${path}`)
        const { requestId, error, code, details, ...state } = body as Record<string, unknown>
        assert.ok(requestId)
        bodies.add(JSON.stringify({ error, code, details }))
        states.add(JSON.stringify(state))
      }
      assert.equal(bodies.size, 1)
      assert.equal(states.size, 3)
      assert.ok(states.has('{}'))
      assert.match([...bodies][0] ?? '', /missing or invalid/)
    })
  }

  it('responds without reading the body of an unknown caller', async () => {
    const { hostname, port } = new URL(client().url)
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const call = request({
        hostname,
        port,
        path: '/did/create',
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': 1_000_000_000 },
      })
      call.on('response', (response) => {
        resolve(response.statusCode)
        call.destroy()
      })
      call.on('error', reject)
      call.write('{')
    })
    assert.equal(status, 401)
  })

  it('requires no key for health, documents and documentation', async () => {
    for (const path of ['/health/live', '/health/ready', '/openapi.json', '/docs']) {
      const { status } = await client().get(path, { apiKey: null })
      assert.ok([200, 301, 302, 308].includes(status), `${path}: ${status}`)
    }
  })

  it('describes the ledgers in its readiness', async () => {
    const { body } = await client().get('/health/ready', { apiKey: null })
    assert.match(
      JSON.stringify(body),
      networks?.() ? /cheqd-testnet-6 at block/ : /local to this installation/,
    )
  })

  it('keeps API keys out of the log', () => {
    for (const key of [revoked, expired, service().apiKey ?? revoked]) {
      const shownOnce = service().log.split(key).length - 1
      assert.ok(shownOnce <= (key === service().apiKey ? 2 : 0))
    }
  })
}
