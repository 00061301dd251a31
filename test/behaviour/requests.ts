import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { assertRefused } from '../support/refused.js'
import { createList, type Setup } from './suite.js'

/** Methods and paths of the six operations of the contract, and one beside them. */
const OPERATIONS = [
  '/did/create',
  '/did/import',
  '/key/import',
  '/credential-status/update/unencrypted',
  '/credential-status/check',
  '/presentation/create',
  '/credential/issue',
]

const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

/** Whatever comes in: a clear 4xx, never a 500, never a hang, and the process lives. */
export function requestSuite({ client, service }: Setup): void {
  const json = { 'content-type': 'application/json' }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }

  afterEach(async () => {
    assert.ok(service().running)
    assert.equal((await client().get('/health/live', { apiKey: null })).status, 200)
  })

  const malformed: [string, string | Buffer, Record<string, string>, { status?: number; says?: RegExp }][] = [
    ['malformed JSON', '{"did": ', json, { says: /JSON/ }],
    ['JSON with a trailing comma', '{"did": "a",}', json, {}],
    ['no body', '', json, {}],
    ['a JSON list', '[1]', json, {}],
    ['a JSON string', '"did"', json, {}],
    ['JSON null', 'null', json, {}],
    ['a duplicate field', '{"did":"a","did":"b"}', json, { says: /did/ }],
    ['__proto__', '{"__proto__":{"admin":true}}', json, { says: /__proto__/ }],
    ['a nested __proto__', '{"didDocument":{"__proto__":{"a":1}}}', json, { says: /__proto__/ }],
    ['__proto__ in a form', '__proto__[admin]=true', form, {}],
    ['constructor in a form', 'constructor[prototype][a]=1', form, {}],
    ['a NUL byte', '{"did":"a\\u0000b"}', json, {}],
    ['a NUL byte in a form', 'did=a%00b', form, {}],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), json, {}],
    ['invalid UTF-8 in a form', Buffer.from('did=%ff%fe'), form, {}],
    ['a deeply nested body', nested(5000), json, { says: /deep|nest/i }],
    ['deep brackets in a form', `service${'[a]'.repeat(500)}=1`, form, {}],
    ['many parameters in a form', Array.from({ length: 20_000 }, (_, n) => `a${n}=1`).join('&'), form, {}],
    ['2 MB', JSON.stringify({ did: 'x'.repeat(2_000_000) }), json, { status: 413 }],
    ['2 MB in a form', `did=${'x'.repeat(2_000_000)}`, form, { status: 413 }],
    ['text', 'hello', { 'content-type': 'text/plain' }, { status: 415 }],
    ['XML', '<a/>', { 'content-type': 'application/xml' }, { status: 415 }],
    ['a multipart form', 'x', { 'content-type': 'multipart/form-data; boundary=x' }, { status: 415 }],
    [
      'JSON in an unusual character set',
      '{}',
      { 'content-type': 'application/json; charset=utf-7' },
      { status: 415 },
    ],
  ]
  for (const path of OPERATIONS) {
    describe(`POST ${path} refuses`, () => {
      for (const [title, body, headers, refusal] of malformed) {
        it(title, async () => assertRefused(await client().post(path, { body, headers }), refusal))
      }
    })
  }

  describe('paths and methods', () => {
    it('answers 404 to unknown paths', async () => {
      for (const path of [
        '/nowhere',
        '/did',
        '/did/create/',
        '/did/read',
        '/%ff',
        '/..%2f..%2fetc/passwd',
        '//did/create',
      ]) {
        const answer = await client().post(path, { json: {} })
        assert.ok([400, 404].includes(answer.status), `${path}: ${answer.status}`)
        assertRefused(answer, { status: answer.status })
      }
    })

    it('answers 405 to other methods, and lists the allowed ones', async () => {
      for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
        const answer = await client().call(method, '/did/create')
        assertRefused(answer, { status: 405, code: 'method_not_allowed' })
        assert.equal(answer.headers.get('allow'), 'POST')
      }
    })

    it('answers malformed HTTP', async () => {
      const { hostname, port } = new URL(client().url)
      const answer = await new Promise<string>((resolve, reject) => {
        const socket = connect(Number(port), hostname, () => socket.write('HELLO\r\n\r\n'))
        let text = ''
        socket.on('data', (chunk) => (text += chunk.toString()))
        socket.on('close', () => resolve(text))
        socket.on('error', reject)
      })
      assert.match(answer, /^HTTP\/1\.1 400 /)
    })

    it('answers oversized headers', async () => {
      const headers = { 'x-large': 'x'.repeat(60_000) }
      const answer = await fetch(`${client().url}/health/live`, { headers })
      const { code } = (await answer.json()) as { code: string }
      assert.deepEqual([answer.status, code], [431, 'headers_too_large'])
    })
  })

  describe('forms', () => {
    it('keeps every string field as text, whatever it looks like', async () => {
      const list = await createList(client())
      for (const statusListVersion of ['123', '1.0', 'a,b', '[x]', '{}', 'true', '12e5', 'null', '01']) {
        const index = Math.floor(Math.random() * 100_000)
        const { resourceMetadata } = (await client().ok('POST', '/credential-status/update/unencrypted', {
          query: { listType: 'BitstringStatusList', statusAction: 'revoke' },
          form: { ...list, indices: [String(index)], statusListVersion },
        })) as { resourceMetadata: { resourceVersion: string } }
        assert.equal(resourceMetadata.resourceVersion, statusListVersion)
      }
    })

    it('refuses a duplicate string field', async () => {
      assertRefused(await client().post('/did/import', { form: { did: ['did:a:b', 'did:a:c'] } }), {
        path: 'did',
      })
    })
  })

  describe('every answer', () => {
    it("carries a request id, the caller's own if harmless", async () => {
      const own = await client().post('/did/create', { json: {}, headers: { 'x-request-id': 'my-id-1' } })
      assert.equal(own.headers.get('x-request-id'), 'my-id-1')
      const odd = await client().post('/did/create', { json: {}, headers: { 'x-request-id': 'a b<c>' } })
      assert.notEqual(odd.headers.get('x-request-id'), 'a b<c>')
      assert.ok(odd.headers.get('x-request-id'))
    })

    it('does not name the server software', async () => {
      const { headers } = await client().get('/health/live', { apiKey: null })
      assert.equal(headers.get('x-powered-by'), null)
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
    })
  })
}
