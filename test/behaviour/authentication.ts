import assert from 'node:assert/strict'
import { request } from 'node:http'
import type { CredentialProblem, Problem } from '@vidimus/core-types'
import { newApiKey } from '../../packages/accounts/src/api-key.js'
import type { Setup } from './suite.js'

interface ApiDocument {
  paths: Record<string, Record<string, { security?: unknown[] }>>
}

interface RefusedCredential {
  error: string
  code: string
  details: Problem[]
}

export function authenticationSuite({ client, service, networks }: Setup): void {
  let revoked: string
  let expired: string
  const sentences = new Map<string, string>()
  before(async () => {
    const { id, apiKey } = await service().apiKeyOf('default')
    assert.equal((await client().get('/did/list', { apiKey })).status, 200)
    await service().accounts((accounts) => accounts.revokeApiKey(id))
    revoked = apiKey
    const replaced = await service().apiKeyOf('default')
    await service().accounts((accounts) => accounts.rotateApiKey(replaced.id, { overlapSeconds: 0 }))
    expired = replaced.apiKey
  })

  const keys: [string, () => string | null, CredentialProblem][] = [
    ['no key', () => null, 'missing'],
    ['an empty key', () => '', 'missing'],
    ['a key that nobody has', newApiKey, 'unknown'],
    [
      'a key with a wrong checksum',
      () => revoked.slice(0, -1) + (revoked.endsWith('a') ? 'b' : 'a'),
      'malformed',
    ],
    ['a revoked key', () => revoked, 'unknown'],
    ['an expired key', () => expired, 'unknown'],
    ['garbage', () => "' OR 1=1 --", 'malformed'],
  ]
  for (const [title, key, reason] of keys) {
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
      const { error, code, details } = JSON.parse([...bodies][0] ?? '') as RefusedCredential
      assert.match(error, /^the access token is missing or invalid: /)
      assert.equal(code, 'unauthenticated')
      assert.deepEqual(
        details.map(({ path, reason: why }) => [path, why]),
        [['x-api-key', reason]],
      )
      sentences.set(title, error)
    })
  }

  it('says the same of keys that are unknown, revoked and expired', () => {
    const same = keys.flatMap(([title, , reason]) => (reason === 'unknown' ? [sentences.get(title)] : []))
    assert.equal(new Set(same).size, 1)
    assert.equal(new Set(sentences.values()).size, 3)
  })

  const inHeaders: [string, () => Record<string, string>, [header: string, CredentialProblem]][] = [
    [
      'two different keys',
      () => ({ 'x-api-key': revoked, authorization: `Bearer ${expired}` }),
      ['authorization', 'conflict'],
    ],
    ['another scheme', () => ({ authorization: `Token ${revoked}` }), ['authorization', 'malformed']],
    ['a bearer that is no key', () => ({ authorization: 'Bearer x' }), ['authorization', 'malformed']],
    ['a token as x-api-key', () => ({ 'x-api-key': 'e30.e30.x' }), ['x-api-key', 'malformed']],
    ['a session without its cookie', () => ({ 'x-api-key': 'session' }), ['x-api-key', 'missing']],
    [
      'a key with a session',
      () => ({ 'x-api-key': 'session', authorization: `Bearer ${revoked}` }),
      ['authorization', 'conflict'],
    ],
  ]
  for (const [title, headers, expected] of inHeaders) {
    it(`answers 401 to ${title}`, async () => {
      const { status, body } = await client().get('/did/list', { apiKey: null, headers: headers() })
      const [{ path, reason } = {}] = (body as RefusedCredential).details
      assert.deepEqual([status, path, reason], [401, ...expected])
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
