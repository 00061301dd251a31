import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { request, type IncomingMessage, type ServerResponse } from 'node:http'
import { AgentError } from '@vidimus/core-types'
import type { ErrorBody } from '../errors/error-body.js'
import {
  agentWith,
  ask,
  authenticator,
  KEY,
  postForm,
  postJson,
  serve,
  type TestService,
} from './set-up/service.js'

const did = 'did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0'
const checkPath = '/credential-status/check?listType=StatusList2021&statusPurpose=revocation'
const body = { did, statusListName: 'my-list', index: 0 }

describe('app', () => {
  let service: TestService
  let failure: Error | undefined
  const { agent, calls } = agentWith({
    statusListCheck: () =>
      failure ? Promise.reject(failure) : Promise.resolve({ checked: true, revoked: false }),
    statusListUpdate: () => Promise.resolve({ updated: true, changed: [] }),
    keyManagerGet: () => Promise.reject(new AgentError('key_not_found', 'the account holds no such key')),
  })

  beforeEach(async () => {
    failure = undefined
    calls.length = 0
    service = await serve({ agent, limits: { bodyBytes: 4096 } })
  })
  afterEach(() => service.stop())

  it('passes the typed input to the agent, in the scope of the account', async () => {
    const { status, body: answer } = await postJson(service.url + checkPath, body)
    assert.equal(status, 200)
    assert.deepEqual(answer, { checked: true, revoked: false })
    assert.deepEqual(calls, [
      {
        method: 'statusListCheck',
        args: { listType: 'StatusList2021', statusPurpose: 'revocation', ...body },
        account: 'a3c1',
      },
    ])
  })

  it('treats a form like JSON', async () => {
    const { status } = await postForm(
      service.url + checkPath,
      `did=${did}&statusListName=1.0&indices=1,2&makeFeePayment=false`,
    )
    assert.equal(status, 200)
    assert.deepEqual(calls[0]?.args, {
      listType: 'StatusList2021',
      statusPurpose: 'revocation',
      did,
      statusListName: '1.0',
      indices: [1, 2],
      makeFeePayment: false,
    })
  })

  describe('authentication', () => {
    for (const [what, headers] of [
      ['missing', { 'x-api-key': '' }],
      ['unknown', { 'x-api-key': 'vidimus_wrong' }],
      ['malformed', { 'x-api-key': 'k'.repeat(2000) }],
    ] as const) {
      it(`refuses a ${what} key before it reads the body`, async () => {
        const { status, body: answer } = await ask(service.url + checkPath, {
          method: 'POST',
          headers,
          body: '{',
        })
        assert.equal(status, 401)
        const { error, code, details } = answer as ErrorBody
        assert.match(error, /^the access token is missing or invalid: x-api-key: /)
        assert.deepEqual(
          [code, details?.[0]?.path, details?.[0]?.reason],
          ['unauthenticated', 'x-api-key', what],
        )
      })
    }

    it('precedes the checks of paths, methods and escapes', async () => {
      for (const path of ['/nowhere', '/key/read/%ff', '/did/create', '/%ff', '/key/read/x/y']) {
        assert.equal((await fetch(service.url + path)).status, 401, path)
      }
    })
  })

  it('answers unknown paths and wrong methods in JSON', async () => {
    const unknown = await ask(`${service.url}/did/creat`)
    assert.equal(unknown.status, 404)
    assert.equal(unknown.body.code, 'unknown_path')
    for (const method of ['GET', 'PUT', 'OPTIONS', 'DELETE']) {
      const wrong = await ask(service.url + checkPath, { method })
      assert.equal(wrong.status, 405, method)
      assert.equal(wrong.headers.get('allow'), 'POST')
      assert.equal(wrong.body.code, 'method_not_allowed')
    }
    assert.equal((await ask(service.url + checkPath, { method: 'HEAD' })).status, 405)
  })

  it('answers 400 for a path with a broken escape', async () => {
    const { status, body: answer } = await ask(`${service.url}/key/read/%ff`)
    assert.equal(status, 400)
    assert.equal(answer.code, 'invalid_input')
  })

  it('answers 400 for a path with NUL, without asking anybody', async () => {
    const { status, body: answer } = await ask(`${service.url}/key/read/a%00b`)
    assert.deepEqual([status, answer.code], [400, 'malformed_body'])
    assert.deepEqual(calls, [])
  })

  it('hides operations that the agent does not support', async () => {
    assert.equal((await postJson(`${service.url}/did/create`, {})).status, 404)
    const document = await ask(`${service.url}/openapi.json`)
    assert.ok(!document.text.includes('"/did/create"'))
    assert.ok(document.text.includes('"/credential-status/check"'))
    assert.ok(service.lines().some(({ operation }) => operation === 'did-create'))
  })

  it('answers 404 for missing objects outside the six contract operations', async () => {
    const { status, body: answer } = await ask(`${service.url}/key/read/abcd`)
    assert.equal(status, 404)
    assert.equal(answer.code, 'key_not_found')
  })

  describe('request bodies', () => {
    const url = () => service.url + checkPath
    const post = (content: string | Uint8Array, headers: Record<string, string>) =>
      ask(url(), { method: 'POST', headers, body: content })
    const json = { 'content-type': 'application/json' }

    const malformed: [string, string | Uint8Array, RegExp][] = [
      ['broken JSON', '{"did": }', /line 1, column 9/],
      ['a duplicate key', '{"did":"a","did":"b"}', /^did: is given twice/],
      ['a prototype key', '{"statusMessage":[{"__proto__":1}]}', /^statusMessage\[0\]\.__proto__/],
      ['a NUL character', '{"did":"a\\u0000"}', /^did: .*NUL/],
      ['an unpaired surrogate', '{"did":"\\ud800"}', /^did: .*surrogate/],
      ['a list', '[]', /must be a JSON object/],
      ['nesting', `{"a":${'['.repeat(40)}${']'.repeat(40)}}`, /more than 32 levels/],
      ['invalid UTF-8', Uint8Array.of(0x7b, 0xff, 0x7d), /UTF-8/],
      ['an infinite number', '{"index":1e999}', /^index: is too large/],
      ['a comment', '{/* */}', /not valid JSON/],
    ]
    for (const [what, content, error] of malformed) {
      it(`refuses ${what}`, async () => {
        const { status, body: answer } = await post(content, json)
        assert.equal(status, 400)
        assert.equal(answer.code, 'malformed_body')
        assert.match(answer.error, error)
      })
    }

    it('refuses other content types, character sets and compression', async () => {
      for (const headers of [
        { 'content-type': 'text/plain' },
        { 'content-type': 'application/json; charset=latin1' },
        { ...json, 'content-encoding': 'gzip' },
      ]) {
        const { status, body: answer } = await post('{}', headers)
        assert.equal(status, 415)
        assert.equal(answer.code, 'unsupported_media_type')
      }
      assert.equal((await post('{}', { 'content-type': 'Application/JSON; charset=UTF-8' })).status, 400)
    })

    it('refuses an oversized body, announced or not', async () => {
      const large = JSON.stringify({ did: 'x'.repeat(5000) })
      assert.equal((await post(large, json)).status, 413)
      const chunked = await ask(url(), {
        method: 'POST',
        headers: json,
        body: new Blob([large]).stream(),
        duplex: 'half',
      })
      assert.equal(chunked.status, 413)
      assert.equal(chunked.body.code, 'body_too_large')
    })

    it('accepts a body of exactly the limit', async () => {
      const text = JSON.stringify(body)
      assert.equal((await post(text + ' '.repeat(4096 - text.length), json)).status, 200)
      assert.equal((await post(text + ' '.repeat(4097 - text.length), json)).status, 413)
    })

    it('names all problems at once, with suggestions for unknown fields', async () => {
      const { status, body: answer } = await postJson(`${service.url}/credential-status/check?listTyp=x`, {
        did: 'cheqd',
        statusListNam: 'x',
        index: -1,
        indices: [0, 1.5, 'x'],
      })
      assert.equal(status, 400)
      assert.equal(answer.code, 'invalid_input')
      const messages = Object.fromEntries(answer.details.map(({ path, message }) => [path, message]))
      assert.deepEqual(Object.keys(messages).sort(), [
        'did',
        'index',
        'indices[1]',
        'indices[2]',
        'listTyp',
        'listType',
        'statusListNam',
        'statusListName',
        'statusPurpose',
      ])
      assert.equal(messages.listTyp, 'is not a known field; did you mean "listType"?')
      assert.equal(messages.listType, 'is required')
      assert.equal(messages.statusListNam, 'is not a known field; did you mean "statusListName"?')
    })

    it('accepts query parameters in the body only if they agree', async () => {
      const same = await postJson(url(), { ...body, listType: 'StatusList2021' })
      assert.equal(same.status, 200)
      const other = await postJson(url(), { ...body, listType: 'BitstringStatusList' })
      assert.equal(other.status, 400)
      assert.match(other.body.error, /^listType: differs/)
      const bodyOnly = await postJson(`${service.url}/credential-status/check?statusPurpose=revocation`, {
        ...body,
        listType: 'StatusList2021',
      })
      assert.equal(bodyOnly.status, 400)
      assert.match(bodyOnly.body.error, /^listType: must be a query parameter/)
    })

    it('refuses a duplicate query parameter', async () => {
      const { status, body: answer } = await postJson(`${url()}&listType=BitstringStatusList`, body)
      assert.equal(status, 400)
      assert.match(answer.error, /^listType: is given more than once/)
    })
  })

  describe('errors', () => {
    it('hides an internal error except for the request id, while the log has everything but secrets', async () => {
      const secret = 'ab'.repeat(32)
      failure = new TypeError(`cannot use ${secret}`, {
        cause: Object.assign(new Error('inner'), { parameters: [secret] }),
      })
      const { status, body: answer, headers } = await postJson(service.url + checkPath, body)
      assert.equal(status, 500)
      assert.deepEqual(answer, {
        error: 'internal error',
        code: 'internal_error',
        requestId: headers.get('x-request-id'),
      })
      const line = service.lines().find(({ status }) => status === 500) as {
        err: { message: string; cause: object }
      }
      assert.equal(line.err.message, 'cannot use [redacted]')
      assert.match(JSON.stringify(line.err.cause), /inner/)
      assert.ok(!service.logText().includes(secret))
    })

    for (const [error, status, code] of [
      [new AgentError('index_out_of_range', 'index: 9 is outside'), 400, 'index_out_of_range'],
      [new AgentError('list_not_found', 'there is none'), 400, 'list_not_found'],
      [new AgentError('ledger_unavailable', 'no answer'), 503, 'ledger_unavailable'],
      [new AgentError('forbidden', 'may not'), 403, 'forbidden'],
      [new AgentError('acme:quota', 'used up'), 400, 'acme:quota'],
      [new AgentError('no_account_scope', 'a mistake inside'), 500, 'internal_error'],
      [new Error('invalid_argument: no such thing'), 400, 'invalid_input'],
      [new Error('key_not_found: key abc'), 400, 'key_not_found'],
      [new Error('some not_found: text'), 500, 'internal_error'],
    ] as const) {
      it(`answers "${error.message}" with ${status} ${code}`, async () => {
        failure = error
        const answer = await postJson(service.url + checkPath, body)
        assert.equal(answer.status, status)
        assert.equal(answer.body.code, code)
        if (status === 503) assert.ok(answer.headers.get('retry-after'))
      })
    }
  })

  describe('log and headers', () => {
    it('accepts a short and safe request id, or else generates one', async () => {
      const given = await ask(`${service.url}/health/live`, { headers: { 'x-request-id': 'abc-123' } })
      assert.equal(given.headers.get('x-request-id'), 'abc-123')
      for (const unsafe of ['a b', 'x'.repeat(200), '<script>']) {
        const { headers } = await ask(`${service.url}/health/live`, { headers: { 'x-request-id': unsafe } })
        assert.match(headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/)
      }
    })

    it('writes one line per request with the route, but no address, key or body', async () => {
      await ask(`${service.url}/key/read/abcdef?secret=1`, { headers: { 'x-request-id': 'r1' } })
      const lines = service.lines().filter(({ requestId }) => requestId === 'r1')
      assert.equal(lines.length, 1)
      const [line = {}] = lines
      assert.deepEqual(
        [line.method, line.route, line.status, line.account, line.operation, line.level],
        ['GET', '/key/read/:kid', 400, 'a3c1', 'key-read', 30],
      )
      assert.equal(typeof line.durationMs, 'number')
      assert.ok(!service.logText().includes('abcdef'))
      assert.ok(!service.logText().includes(KEY))
    })

    it('logs no status for a request without a response', async () => {
      const steps = new EventEmitter()
      const inFlight = once(steps, 'entered')
      const hanging = agentWith({
        accountDidList: () => {
          steps.emit('entered')
          return new Promise<never>(() => undefined)
        },
      })
      const cut = await serve({ agent: hanging.agent })
      const listed = ask(`${cut.url}/did/list`).catch((error: unknown) => error)
      await inFlight
      await cut.stop()
      assert.ok((await listed) instanceof Error)
      const [line = {}] = cut.lines().filter(({ route }) => route === '/did/list')
      assert.equal(line.aborted, true)
      assert.ok(!('status' in line), JSON.stringify(line))
      assert.equal(line.level, 30)
    })

    it('logs no status for a client that disconnected while sending', async () => {
      const closed = new Promise<void>((resolve) => {
        service.server.once('request', (_req, res: ServerResponse) => res.once('close', resolve))
      })
      const sending = request(service.url + checkPath, {
        method: 'POST',
        headers: { 'x-api-key': KEY, 'content-type': 'application/json', 'content-length': 100 },
      }).on('error', () => undefined)
      service.server.once('request', (req: IncomingMessage) => req.once('data', () => sending.destroy()))
      sending.write('{')
      await closed
      const line = service.lines().find(({ route }) => route === '/credential-status/check') ?? {}
      assert.equal(line.aborted, true)
      assert.ok(!('status' in line), JSON.stringify(line))
    })

    it('sets the usual security headers and allows no other origin', async () => {
      const { headers } = await ask(service.url + checkPath, { headers: { origin: 'https://evil.test' } })
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/)
      assert.equal(headers.get('x-powered-by'), null)
      assert.equal(headers.get('access-control-allow-origin'), null)
    })
  })

  it('asks the authenticator once per request', async () => {
    let asked = 0
    const counted = await serve({
      agent,
      authenticator: {
        authenticate: (key) => {
          asked += 1
          return authenticator.authenticate(key)
        },
      },
    })
    await postJson(counted.url + checkPath, body)
    await ask(`${counted.url}/health/live`)
    await counted.stop()
    assert.equal(asked, 1)
  })
})
