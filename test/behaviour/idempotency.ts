import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Answer, Client, Request } from '../support/client.js'
import { createDid, createList, freshName, type Setup } from './suite.js'

/** A request with an idempotency key of its own, to be sent as often as one likes. */
export function repeatable(
  client: Client,
  path: string,
  request: Request = {},
  key: string = randomUUID(),
): () => Promise<Answer> {
  const headers = { ...request.headers, 'idempotency-key': key }
  return () => client.post(path, { ...request, headers })
}

export const isReplayed = ({ headers }: Answer): boolean => headers.get('idempotency-replayed') === 'true'

const codeOf = ({ body }: Answer) => (body as { code?: string }).code

/** Calls twice: the second response must equal the first, distinguishable only by its headers. */
async function answeredTwice(call: () => Promise<Answer>): Promise<[Answer, Answer]> {
  const first = await call()
  const second = await call()
  assert.deepEqual([isReplayed(first), isReplayed(second)], [false, true])
  assert.deepEqual(second.body, first.body)
  assert.equal(second.status, first.status)
  assert.equal(second.headers.get('content-type'), first.headers.get('content-type'))
  assert.notEqual(second.headers.get('x-request-id'), first.headers.get('x-request-id'))
  return [first, second]
}

/** A repeated request gets the first answer again. */
export function idempotencySuite({ client, stranger }: Setup): void {
  const didCount = async (who = client()) =>
    ((await who.ok('GET', '/did/list', { query: { limit: '1000' } })) as { dids: string[] }).dids.length

  it('creates one DID, however often the request is repeated', async () => {
    const before = await didCount()
    const [first] = await answeredTwice(repeatable(client(), '/did/create', { json: { network: 'testnet' } }))
    assert.equal(first.status, 200)
    assert.equal(await didCount(), before + 1)
  })

  it('creates one DID for concurrent duplicates, and answers all of them alike', async () => {
    const before = await didCount()
    const call = repeatable(client(), '/did/create', { json: { network: 'testnet' } })
    const answers = await Promise.all(Array.from({ length: 12 }, call))
    assert.equal(await didCount(), before + 1)
    assert.deepEqual(new Set(answers.map(({ body }) => JSON.stringify(body))).size, 1)
    assert.equal(answers.filter((answer) => !isReplayed(answer)).length, 1)
    assert.ok(answers.every(({ status }) => status === 200))
  })

  it('processes requests without a key or with another key again', async () => {
    const request = { json: { network: 'testnet' } }
    const answers = [
      await client().post('/did/create', request),
      await client().post('/did/create', request),
      await repeatable(client(), '/did/create', request)(),
      await repeatable(client(), '/did/create', request)(),
    ]
    assert.equal(new Set(answers.map(({ body }) => (body as { did: string }).did)).size, 4)
    assert.ok(!answers.some(isReplayed))
  })

  it('refuses a key already used by another request', async () => {
    const key = randomUUID()
    await repeatable(client(), '/did/create', { json: { network: 'testnet' } }, key)()
    const others = [
      repeatable(client(), '/did/create', { json: { network: 'mainnet' } }, key),
      repeatable(client(), '/key/create', {}, key),
      repeatable(client(), '/did/create', { json: { network: 'testnet', providerId: 'did:cheqd' } }, key),
    ]
    for (const call of others) {
      const answer = await call()
      assert.deepEqual([answer.status, codeOf(answer)], [400, 'idempotency_key_reused'])
    }
  })

  it('distinguishes requests by their query', async () => {
    const key = randomUUID()
    const first = await repeatable(client(), '/key/create', { query: { type: 'Ed25519' } }, key)()
    assert.equal(first.status, 200)
    const other = await repeatable(client(), '/key/create', { query: { type: 'Secp256k1' } }, key)()
    assert.equal(codeOf(other), 'idempotency_key_reused')
  })

  it('treats JSON and forms as the same request', async () => {
    const key = randomUUID()
    const json = { network: 'testnet', identifierFormatType: 'uuid' }
    const first = await repeatable(client(), '/did/create', { json }, key)()
    const forms: Request[] = [
      { json: { identifierFormatType: 'uuid', network: 'testnet' } },
      { form: { network: 'testnet', identifierFormatType: 'uuid' } },
      { body: ' { "network" : "testnet", "identifierFormatType":"uuid" }', headers: JSON_TYPE },
    ]
    for (const form of forms) {
      const again = await repeatable(client(), '/did/create', form, key)()
      assert.deepEqual([isReplayed(again), again.body], [true, first.body])
    }
  })

  it('separates the keys of accounts', async () => {
    const key = randomUUID()
    const request = { json: { network: 'testnet' } }
    const mine = await repeatable(client(), '/did/create', request, key)()
    const theirs = await repeatable(stranger(), '/did/create', request, key)()
    assert.ok(!isReplayed(theirs))
    assert.notEqual((theirs.body as { did: string }).did, (mine.body as { did: string }).did)
  })

  it('repeats refusals with the request id found in the log', async () => {
    const list = await createList(client())
    const query = { listType: 'BitstringStatusList', statusAction: 'revoke' }
    const json = { ...list, indices: [999_999_999] }
    const [first] = await answeredTwice(
      repeatable(client(), '/credential-status/update/unencrypted', { query, json }),
    )
    assert.deepEqual([first.status, codeOf(first)], [400, 'index_out_of_range'])
    assert.equal((first.body as { requestId: string }).requestId, first.headers.get('x-request-id'))
  })

  it('does not store what was refused before the operation began', async () => {
    const key = randomUUID()
    const bad = await repeatable(client(), '/did/create', { json: { network: 'moon' } }, key)()
    assert.equal(bad.status, 400)
    const limited = client().as('vidimus_unknown')
    assert.equal((await repeatable(limited, '/did/create', { json: {} }, key)()).status, 401)
    const good = await repeatable(client(), '/did/create', { json: { network: 'testnet' } }, key)()
    assert.deepEqual([good.status, isReplayed(good)], [200, false])
  })

  it('repeats the response of every operation that changes something', async () => {
    const did = await createDid(client())
    const list = { did, statusListName: freshName('list') }
    const purpose = { listType: 'BitstringStatusList', statusPurpose: 'revocation' }
    const action = { listType: 'BitstringStatusList', statusAction: 'revoke' }
    await answeredTwice(
      repeatable(client(), '/credential-status/create/unencrypted', { query: purpose, json: list }),
    )
    await answeredTwice(
      repeatable(client(), '/credential-status/update/unencrypted', {
        query: action,
        json: { ...list, indices: [3] },
      }),
    )
    const issue = { issuerDid: did, subjectDid: did, attributes: { a: 1 } }
    const credentialStatus = {
      statusListName: list.statusListName,
      statusListType: 'BitstringStatusList',
      statusPurpose: 'revocation',
    }
    const [issued] = await answeredTwice(
      repeatable(client(), '/credential/issue', { json: { ...issue, credentialStatus } }),
    )
    assert.equal(issued.status, 200)
    await answeredTwice(repeatable(client(), '/did/import', { json: { did } }))
    await answeredTwice(repeatable(client(), '/key/create'))
    await answeredTwice(repeatable(client(), '/agent/didManagerCreate', { json: { provider: 'did:key' } }))
  })

  it('accepts keys of 1 to 255 visible ASCII characters, quoted or not', async () => {
    const request = { json: { alias: freshName('key') } }
    const unique = randomUUID()
    const first = await repeatable(client(), '/key/create', request, unique)()
    const quoted = await repeatable(client(), '/key/create', request, `"${unique}"`)()
    assert.deepEqual([isReplayed(quoted), quoted.body], [true, first.body])
    const longest = await repeatable(client(), '/key/create', {}, '!'.repeat(200) + randomUUID())()
    assert.equal(longest.status, 200)
    for (const key of ['', 'a b', 'x'.repeat(256), '"open', '""', '"a"; b=1', 'é'.repeat(3), '"a b"']) {
      const refused = await repeatable(client(), '/key/create', {}, key)()
      assert.deepEqual([refused.status, codeOf(refused)], [400, 'invalid_input'], key)
      assert.match((refused.body as { error: string }).error, /^idempotency-key: /)
    }
  })

  it('ignores keys for operations that change nothing', async () => {
    for (const key of ['same', 'not a key']) {
      const { status, headers } = await client().get('/did/list', { headers: { 'idempotency-key': key } })
      assert.deepEqual([status, headers.get('idempotency-replayed')], [200, null])
    }
    const json = { did: await createDid(client()) }
    const read = repeatable(client(), '/agent/didManagerGet', { json })
    assert.ok(!isReplayed(await read()) && !isReplayed(await read()))
  })

  it('shows an API key again to callers that may repeat the request, and to no key with other rights', async () => {
    const call = (who: Client) =>
      repeatable(who, '/account/api-keys', { json: { name: 'once', scopes: ['read'] } }, shared)
    const shared = randomUUID()
    const [first] = await answeredTwice(call(client()))
    const { id, apiKey } = first.body as { id: string; apiKey: string }
    assert.match(apiKey, /^vidimus_/)
    const limited = (await client().ok('POST', '/account/api-keys', {
      json: { scopes: ['api-keys', 'read'] },
    })) as { apiKey: string }
    assert.equal(codeOf(await call(client().as(limited.apiKey))()), 'idempotency_key_reused')
    const { apiKeys } = (await client().ok('GET', '/account/api-keys')) as {
      apiKeys: { id: string; name?: string }[]
    }
    assert.deepEqual(
      apiKeys.filter(({ name }) => name === 'once').map((key) => key.id),
      [id],
    )
  })

  describe('a response with a secret', () => {
    const KEYS = '/account/api-keys'
    const made: string[] = []
    const newKey = async (json: Record<string, unknown> = {}) => {
      const key = (await client().ok('POST', KEYS, { json })) as { id: string; apiKey: string }
      made.push(key.id)
      return key
    }
    const counted = async (path: string) => ((await client().ok('GET', path)) as { total: number }).total
    afterEach(async () => {
      for (const id of made.splice(0)) await client().call('DELETE', `${KEYS}/${id}`)
    })

    for (const [title, path, body, counts] of [
      ['a new API key', () => Promise.resolve(KEYS), { name: 'once' }, KEYS],
      ['the successor of an API key', async () => `${KEYS}/${(await newKey()).id}/rotate`, {}, KEYS],
      [
        'a new webhook',
        () => Promise.resolve('/account/webhooks'),
        { url: 'https://receiver.example/' },
        '/account/webhooks',
      ],
    ] as const) {
      it(`is repeated for the API key of the first request only: ${title}`, async () => {
        const soon = new Date(Date.now() + 3_600_000).toISOString()
        const colleagues = [await newKey(), await newKey({ expiresAt: soon })]
        const key = randomUUID()
        const where = await path()
        const [first] = await answeredTwice(repeatable(client(), where, { json: body }, key))
        const text = JSON.stringify(first.body)
        const [secret = ''] = /vidimus_\w{20,}|whsec_[\w+/=]{20,}/.exec(text) ?? []
        assert.ok(secret, Object.keys(first.body as object).join())
        const before = await counted(counts)
        for (const { apiKey } of colleagues) {
          const answer = await repeatable(client().as(apiKey), where, { json: body }, key)()
          assert.deepEqual([answer.status, codeOf(answer)], [400, 'idempotency_key_reused'])
          assert.ok(!JSON.stringify(answer.body).includes(secret))
        }
        assert.equal(await counted(counts), before)
        const { id, created } = first.body as { id?: string; created?: { id: string } }
        if (counts === KEYS) made.push(created?.id ?? id ?? '')
        else await client().ok('DELETE', `${counts}/${id}`)
      })
    }
  })
}

const JSON_TYPE = { 'content-type': 'application/json' }
