import assert from 'node:assert/strict'
import { Agent } from '@veramo/core'
import type { IAgentPlugin } from '@veramo/core-types'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { AgentRestClient } from '@veramo/remote-client'
import { AgentError, currentAccount, type AnyAgent } from '@vidimus/core-types'
import { ask, KEY, postForm, postJson, serve, type TestService } from '../set-up/service.js'
import { veramoAgent } from '../set-up/veramo-agent.js'

/** A plugin of another author; the arguments and the scope of its calls are recorded. */
function deskPlugin() {
  const calls: unknown[] = []
  const plugin = {
    methods: {
      deskStamp: async (args: object) => {
        calls.push({ args, account: currentAccount().name })
        return Promise.resolve({ stamped: true })
      },
      deskRefuse: () =>
        Promise.reject(
          new AgentError('list_full', 'desk: is full', { details: [{ path: 'desk', message: 'is full' }] }),
        ),
      deskBreak: () => Promise.reject(new Error('password 1234')),
      deskForget: () => Promise.resolve(undefined),
      deskUndescribed: (args: object) => Promise.resolve(args),
      dataStoreGetMessage: () => Promise.resolve('all of them'),
    },
    schema: {
      components: {
        schemas: {
          Stamp: {
            type: 'object',
            properties: {
              text: { type: 'string', minLength: 1 },
              copies: { type: 'integer' },
              of: { $ref: '#/components/schemas/Stamp' },
              // how TypeScript's `string[] & {}` is written down
              marks: {
                allOf: [
                  { type: 'array', items: { type: 'string' } },
                  { type: 'object', properties: {} },
                ],
              },
            },
            required: ['text'],
            additionalProperties: false,
          },
          Unused: { type: 'object' },
        },
        methods: Object.fromEntries(
          ['deskStamp', 'deskRefuse', 'deskBreak', 'deskForget'].map((name) => [
            name,
            {
              description: `What ${name} does`,
              arguments: name === 'deskStamp' ? { $ref: '#/components/schemas/Stamp' } : { type: 'object' },
              returnType: { type: 'object' },
            },
          ]),
        ),
      },
    },
  }
  return { plugin: plugin as unknown as IAgentPlugin, calls }
}

const ALLOWED = ['deskStamp', 'deskRefuse', 'deskBreak', 'deskForget', 'deskUndescribed']
const json = { 'content-type': 'application/json' }

describe('agent methods for remote agents', () => {
  const { plugin, calls } = deskPlugin()
  const agent = new Agent({ plugins: [plugin] }) as unknown as AnyAgent
  let service: TestService
  let call: (method: string, args?: unknown) => ReturnType<typeof ask>
  before(async () => {
    service = await serve({ agent, agentMethods: ALLOWED })
    call = (method, args = {}) => postJson(`${service.url}/agent/${method}`, args)
  })
  after(() => service.stop())

  it('calls a method in the scope of the account', async () => {
    const { status, body } = await call('deskStamp', { text: 'a', of: { text: 'b' } })
    assert.deepEqual([status, body], [200, { stamped: true }])
    assert.deepEqual(calls.at(-1), { args: { text: 'a', of: { text: 'b' } }, account: 'default' })
  })

  it('also accepts lists if the schema requires objects', async () => {
    const { status } = await call('deskStamp', { text: 'a', marks: ['b'] })
    assert.equal(status, 200)
    assert.equal((await call('deskStamp', { text: 'a', marks: 'b' })).status, 400)
  })

  it('names every invalid argument, and calls nothing', async () => {
    const before = calls.length
    const { status, body } = await call('deskStamp', { text: '', copis: 1, of: { text: 5 } })
    assert.equal(status, 400)
    assert.equal(body.code, 'invalid_input')
    assert.deepEqual(body.details, [
      { path: 'text', message: 'must be a non-empty string' },
      { path: 'of.text', message: 'must be a string' },
      { path: 'copis', message: 'is not a known field; did you mean "copies"?' },
    ])
    assert.equal(calls.length, before)
  })

  it('accepts an empty body for no arguments, and answers null for no result', async () => {
    const { status, text } = await ask(`${service.url}/agent/deskForget`, { method: 'POST', headers: json })
    assert.deepEqual([status, text], [200, 'null'])
  })

  it('accepts any object if the plugin has no schema', async () => {
    assert.deepEqual((await call('deskUndescribed', { a: [1] })).body, { a: [1] })
  })

  for (const [title, body, headers, status] of [
    ['a list', '[1]', json, 400],
    ['text', '"x"', json, 400],
    ['a duplicate name', '{"text":"a","text":"b"}', json, 400],
    ['__proto__', '{"__proto__":{"text":"a"}}', json, 400],
    ['malformed JSON', '{"text":', json, 400],
    ['a body beyond the limit', JSON.stringify({ text: 'x'.repeat(1_100_000) }), json, 413],
    ['another type', 'text=a', { 'content-type': 'text/plain' }, 415],
  ] as const) {
    it(`refuses ${title}, in JSON`, async () => {
      const init = { method: 'POST', headers, body }
      const answer = await ask(`${service.url}/agent/deskStamp`, init)
      assert.equal(answer.status, status)
      assert.equal(typeof answer.body.error, 'string')
      assert.ok(answer.body.requestId)
    })
  }

  it('refuses forms and query parameters', async () => {
    assert.equal((await postForm(`${service.url}/agent/deskStamp`, 'text=a')).status, 415)
    assert.equal((await postJson(`${service.url}/agent/deskStamp?text=a`, { text: 'a' })).status, 400)
  })

  it('finds only allowed methods, never inherited properties', async () => {
    for (const name of [
      'dataStoreGetMessage',
      'execute',
      'constructor',
      'toString',
      '__proto__',
      'emit',
      'deskstamp',
    ]) {
      const { status, body } = await call(name)
      assert.deepEqual([status, body.code], [404, 'unknown_path'], name)
      assert.match(body.error, /open-api\.json/)
    }
    assert.equal((await ask(`${service.url}/agent/deskStamp`)).status, 405)
  })

  it('requires the key before anything else, in either header', async () => {
    const url = `${service.url}/agent/deskStamp`
    const as = (headers: Record<string, string>) =>
      fetch(url, { method: 'POST', headers: { ...json, ...headers }, body: '{"text":"a"}' })
    assert.equal((await as({ 'x-api-key': KEY })).status, 200)
    assert.equal((await as({ authorization: `Bearer ${KEY}` })).status, 200)
    assert.equal((await as({ authorization: `Bearer ${KEY}`, 'x-api-key': KEY })).status, 200)
    for (const headers of [
      {},
      { authorization: `Basic ${KEY}` },
      { authorization: `Bearer ${KEY}`, 'x-api-key': 'other' },
    ]) {
      const answer = await as(headers)
      assert.equal(answer.status, 401)
      assert.equal(((await answer.json()) as { code: string }).code, 'unauthenticated')
    }
    const unknown = await fetch(`${service.url}/agent/nothing`, { method: 'POST' })
    assert.equal(unknown.status, 401)
  })

  it('reports errors by code, and hides unknown ones', async () => {
    const refused = await call('deskRefuse')
    assert.equal(refused.status, 400)
    assert.deepEqual(
      [refused.body.code, refused.body.error, refused.body.details],
      ['list_full', 'desk: is full', [{ path: 'desk', message: 'is full' }]],
    )
    const broken = await call('deskBreak')
    assert.equal(broken.status, 500)
    assert.deepEqual(Object.keys(broken.body).sort(), ['code', 'error', 'requestId'])
    assert.doesNotMatch(broken.text, /1234/)
  })

  it("matches the expectations of Veramo's remote client", async () => {
    const headers = { authorization: `Bearer ${KEY}` }
    const client = new AgentRestClient({
      url: `${service.url}/agent`,
      enabledMethods: [...ALLOWED, 'missing'],
      headers,
    })
    const remote = new Agent({ plugins: [client] }) as unknown as Record<
      string,
      (args?: unknown) => Promise<unknown>
    >
    assert.deepEqual(await remote.deskStamp?.({ text: 'a' }), { stamped: true })
    assert.equal(await remote.deskForget?.(), null)
    await assert.rejects(async () => remote.deskRefuse?.({}), { message: 'desk: is full' })
    await assert.rejects(async () => remote.deskBreak?.({}), { message: 'internal error' })
    await assert.rejects(async () => remote.deskStamp?.({}), { message: 'text: is required' })
    await assert.rejects(async () => remote.missing?.({}), /there is no operation at \/agent\/missing/)
  })

  it('logs the method, but no arguments', async () => {
    await call('deskStamp', { text: 'a secret' })
    assert.ok(service.lines().some(({ route }) => route === '/agent/deskStamp'))
    assert.doesNotMatch(service.logText(), /a secret/)
  })

  it('refuses to serve an invalid list, with all errors at once', async () => {
    const start = serve({
      agent,
      agentMethods: ['deskStmp', 'dataStoreGetMessage', 'not deskNothing', 'default'],
    })
    await assert.rejects(start, (error: AgentError) => {
      assert.equal(error.code, 'invalid_configuration')
      assert.deepEqual(
        error.details.map(({ path }) => path),
        ['agentMethods[0]', 'agentMethods[1]', 'agentMethods[2]'],
      )
      assert.match(error.details[0]?.message ?? '', /did you mean "deskStamp"/)
      assert.match(error.details[1]?.message ?? '', /all accounts share/)
      return true
    })
  })
})

describe('document of agent methods', () => {
  let service: TestService
  before(async () => {
    const agentMethods = ['default', 'not didManagerDelete', 'keyManagerEncryptJWE']
    service = await serve({ agent: veramoAgent().agent, agentMethods, publicUrl: 'https://id.acme.test' })
  })
  after(() => service.stop())
  const read = async () =>
    (await (await fetch(`${service.url}/open-api.json`)).json()) as {
      servers: { url: string }[]
      paths: Record<string, unknown>
      components: { schemas: Record<string, object> }
      'x-methods': Record<string, { description: string; arguments: object; returnType: object }>
    }

  it('has a path and a schema for each served method and no other', async () => {
    const document = await read()
    const methods = Object.keys(document['x-methods'])
    assert.deepEqual(
      Object.keys(document.paths),
      methods.map((name) => `/${name}`),
    )
    assert.ok(methods.includes('keyManagerEncryptJWE') && methods.includes('didManagerCreate'))
    assert.ok(!methods.includes('didManagerDelete') && !methods.includes('keyManagerSharedSecret'))
    assert.deepEqual(document.servers, [{ url: 'https://id.acme.test/agent' }])
    const { status } = await postJson(`${service.url}/agent/didManagerDelete`, { did: 'did:example:a' })
    assert.equal(status, 404)
  })

  it('works as the schema of a validating remote client', async () => {
    const { components, 'x-methods': methods } = await read()
    const client = new AgentRestClient({
      url: `${service.url}/agent`,
      enabledMethods: Object.keys(methods),
      schema: { components: { schemas: components.schemas, methods } },
      headers: { 'x-api-key': KEY },
    })
    const remote = new Agent({ plugins: [client], schemaValidation: true }) as unknown as Record<
      string,
      (args: unknown) => Promise<unknown>
    >
    const created = (await remote.didManagerCreate?.({ provider: 'did:key', kms: 'local' })) as {
      did: string
    }
    assert.deepEqual(await remote.didManagerGet?.({ did: created.did }), created)
    await assert.rejects(async () => remote.didManagerGet?.({}), /Missing required property: did/)
  })

  it("has no finding under the recommended lint rules, except for unspecified parts of Veramo's own types", async () => {
    const findings = await lintFromString({
      source: JSON.stringify(await read()),
      config: await createConfig({ extends: ['recommended'] }),
    })
    assert.deepEqual(
      findings
        .filter(({ ruleId }) => ruleId !== 'no-illogical-composition-keywords')
        .map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
      [],
    )
  })

  it('has an entity tag', async () => {
    const first = await fetch(`${service.url}/open-api.json`)
    const etag = first.headers.get('etag') ?? ''
    assert.equal(first.headers.get('content-type'), 'application/json; charset=utf-8')
    const again = await fetch(`${service.url}/open-api.json`, { headers: { 'if-none-match': etag } })
    assert.equal(again.status, 304)
  })

  it('is empty, and no method served, if the list is empty', async () => {
    const closed = await serve({ agent: veramoAgent().agent, agentMethods: [] })
    try {
      assert.equal((await postJson(`${closed.url}/agent/didManagerFind`, {})).status, 404)
      const document = (await (await fetch(`${closed.url}/open-api.json`)).json()) as { paths: object }
      assert.deepEqual(document.paths, {})
    } finally {
      await closed.stop()
    }
  })

  describe("gaps in Veramo's schemas", () => {
    let one: TestService
    before(async () => {
      const names = ['createVerifiableCredential', 'createVerifiablePresentation', 'didManagerCreate']
      const methods = Object.fromEntries(names.map((name) => [name, () => Promise.resolve({})]))
      const plugin = { methods } as unknown as IAgentPlugin
      one = await serve({ agent: new Agent({ plugins: [plugin] }) as unknown as AnyAgent })
    })
    after(() => one.stop())

    const credential = { issuer: { id: 'did:example:a' }, credentialSubject: { id: 'did:example:b', a: 1 } }
    const cases: [method: string, args: object, path: string, right: object][] = [
      ['createVerifiableCredential', { credential, save: true }, 'save', { credential, save: false }],
      ['createVerifiablePresentation', { presentation: {}, save: true }, 'save', { presentation: {} }],
      [
        'createVerifiableCredential',
        { credential: { ...credential, expirationDate: 'next year' } },
        'credential.expirationDate',
        { credential: { ...credential, expirationDate: '2030-01-01T00:00:00Z' } },
      ],
      ...[undefined, {}, { id: 'did:example:b' }, [{ a: 1 }], 'x'].map(
        (credentialSubject): [string, object, string, object] => [
          'createVerifiableCredential',
          { credential: { ...credential, credentialSubject } },
          'credential.credentialSubject',
          { credential },
        ],
      ),
      ['didManagerCreate', { provider: 'did:web' }, 'alias', { provider: 'did:web', alias: 'acme.test' }],
      [
        'didManagerCreate',
        { provider: 'did:web', alias: 'a b' },
        'alias',
        { provider: 'did:key', alias: 'a b' },
      ],
    ]
    for (const [method, args, path, right] of cases) {
      it(`are closed for ${JSON.stringify(args)}`, async () => {
        const { status, body } = await postJson(`${one.url}/agent/${method}`, args)
        assert.deepEqual([status, body.details[0]?.path], [400, path])
        assert.equal((await postJson(`${one.url}/agent/${method}`, right)).status, 200)
      })
    }
  })
})
