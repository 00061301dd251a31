import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { ApiError } from '../api-error.js'
import { createClient } from '../client.js'

const KEY = 'vidimus_c0ffee'

type Answering = (req: IncomingMessage, res: ServerResponse) => void

async function answering(answer: Answering) {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

async function asked(answer: Answering, ask: (url: string) => Promise<unknown>): Promise<unknown> {
  const { url, close } = await answering(answer)
  try {
    return await ask(url)
  } finally {
    await close()
  }
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  ((_req, res) => {
    res.writeHead(status, { 'content-type': 'application/json', ...headers })
    res.end(JSON.stringify(body))
  }) satisfies Answering

async function failureOf(answer: Answering): Promise<ApiError> {
  const client = (url: string) => createClient({ url, apiKey: KEY })
  const outcome = await asked(answer, (url) =>
    client(url)
      .get('/did/list')
      .catch((error: unknown) => error),
  )
  assert.ok(outcome instanceof ApiError, inspect(outcome))
  return outcome
}

describe('client', () => {
  it('sends requests as documented, below the base path of the service', async () => {
    let seen: { url?: string; key?: string; type?: string; body: string } = { body: '' }
    await asked(
      (req, res) => {
        let body = ''
        req.on('data', (chunk: Buffer) => (body += chunk.toString()))
        req.on('end', () => {
          seen = {
            url: req.url ?? '',
            key: req.headers.authorization ?? '',
            type: req.headers['content-type'] ?? '',
            body,
          }
          json(200, { updated: true })(req, res)
        })
      },
      (url) =>
        createClient({ url: `${url}/v1/`, apiKey: KEY }).post('/credential-status/update/unencrypted', {
          params: { query: { listType: 'BitstringStatusList', statusAction: 'revoke' } },
          body: { did: 'did:cheqd:testnet:a', statusListName: 'a', indices: [1, 2] },
        }),
    )
    assert.equal(
      seen.url,
      '/v1/credential-status/update/unencrypted?listType=BitstringStatusList&statusAction=revoke',
    )
    assert.equal(seen.key, `Bearer ${KEY}`)
    assert.equal(seen.type, 'application/json')
    assert.deepEqual(JSON.parse(seen.body), {
      did: 'did:cheqd:testnet:a',
      statusListName: 'a',
      indices: [1, 2],
    })
  })

  it('escapes path parameters', async () => {
    let path: string | undefined
    await asked(
      (req, res) => {
        path = req.url
        json(200, {})(req, res)
      },
      (url) =>
        createClient({ url }).get('/did/search/{did}', { params: { path: { did: 'did:web:a/../b?c' } } }),
    )
    assert.equal(path, '/did/search/did%3Aweb%3Aa%2F..%2Fb%3Fc')
  })

  it('reports why a request failed', async () => {
    const details = [{ path: 'indices[2]', message: 'is outside the list' }]
    const error = await failureOf(
      json(
        429,
        { error: 'indices[2]: is outside', code: 'index_out_of_range', requestId: 'r-1', details },
        {
          'retry-after': '3',
        },
      ),
    )
    assert.equal(error.message, 'indices[2]: is outside')
    const { code, status, requestId, retryAfterSeconds } = error
    assert.deepEqual(
      { code, status, requestId, retryAfterSeconds },
      { code: 'index_out_of_range', status: 429, requestId: 'r-1', retryAfterSeconds: 3 },
    )
    assert.deepEqual(error.details, details)
  })

  it('reads the errors of DID resolution', async () => {
    const error = await failureOf(
      json(404, { didResolutionMetadata: { error: 'notFound', message: 'there is none' } }),
    )
    assert.equal(error.code, 'notFound')
    assert.equal(error.message, 'there is none')
  })

  it('handles responses from others: from a proxy, truncated or in another format', async () => {
    const answers: [string, string][] = [
      ['text/html', '<h1>Bad gateway</h1>'],
      ['application/json', '{"error":'],
      ['application/json', 'null'],
      ['application/json', '[1]'],
      ['application/json', '{"error":{},"code":1,"details":[{"path":1},null,"x"]}'],
    ]
    for (const [type, text] of answers) {
      const error = await failureOf((_req, res) => {
        res.writeHead(502, { 'content-type': type, 'x-request-id': 'r-2' })
        res.end(text)
      })
      assert.equal(error.code, 'http_502', text)
      assert.equal(error.message, 'the service responded with 502')
      assert.equal(error.requestId, 'r-2')
      assert.deepEqual(error.details, [])
      assert.equal(error.retryAfterSeconds, undefined)
    }
  })

  it('reads content by its media type', async () => {
    const read = (type: string, text: string) =>
      asked(
        (_req, res) => res.writeHead(200, { 'content-type': type }).end(text),
        (url) => createClient({ url }).get('/did/list'),
      )
    assert.deepEqual(await read('application/json; charset=utf-8', '{"total":0}'), { total: 0 })
    assert.deepEqual(await read('application/ld+json;profile="x"', '{"total":0}'), { total: 0 })
    assert.equal(await read('application/vc+jwt', 'eyJ.eyJ.x'), 'eyJ.eyJ.x')
    await assert.rejects(read('application/json', '{"total":'), {
      name: 'ApiError',
      code: 'malformed_answer',
    })
  })

  it('reports an unreachable service', async () => {
    const { url, close } = await answering(() => undefined)
    await close()
    const error = await createClient({ url, apiKey: KEY })
      .get('/did/list')
      .catch((error: unknown) => error)
    assert.ok(error instanceof ApiError)
    assert.equal(error.code, 'unreachable')
    assert.equal(error.status, undefined)
    assert.equal(error.message, `${url} cannot be reached`)
    assert.doesNotMatch(inspect(error, { depth: 9, showHidden: true }), /c0ffee/)
  })

  it('lets a caller abort a request', async () => {
    const reason = new Error('enough')
    const outcome = await asked(
      () => undefined,
      (url) => {
        const abort = new AbortController()
        const call = createClient({ url }).get('/did/list', { signal: abort.signal })
        abort.abort(reason)
        return call.catch((error: unknown) => error)
      },
    )
    assert.equal(outcome, reason)
  })

  it('does not send its key to another host', async () => {
    let keyThere: unknown = 'not asked'
    const other = await answering((req, res) => {
      keyThere = req.headers.authorization ?? req.headers['x-api-key']
      json(200, { total: 0, dids: [] })(req, res)
    })
    // another name is another origin
    const target = other.url.replace('127.0.0.1', 'localhost')
    try {
      await asked(
        (_req, res) => res.writeHead(302, { location: `${target}/did/list` }).end(),
        (url) =>
          createClient({ url, apiKey: KEY })
            .get('/did/list')
            .catch(() => undefined),
      )
    } finally {
      await other.close()
    }
    assert.ok(keyThere === undefined || keyThere === 'not asked', String(keyThere))
  })

  it('shows no secret in its errors or when inspected', async () => {
    const error = await failureOf(json(401, { error: 'the access token is missing or invalid' }))
    assert.doesNotMatch(inspect(error, { depth: 9, showHidden: true }) + String(error.stack), /c0ffee/)
    const client = createClient({ url: 'https://id.example', apiKey: KEY })
    assert.doesNotMatch(inspect(client, { depth: 9, showHidden: true }) + JSON.stringify(client), /c0ffee/)
    for (const apiKey of [`${KEY}\n`, `${KEY}\u2013`, '']) {
      assert.throws(
        () => createClient({ url: 'https://id.example', apiKey }),
        (thrown: unknown) => thrown instanceof TypeError && !inspect(thrown).includes('c0ffee'),
      )
    }
  })

  it('refuses invalid base URLs', () => {
    const addresses = [
      '',
      'id.example',
      'ftp://id.example',
      'https://me:secret@id.example',
      'https://id.example?a=b',
      'https://id.example#a',
    ]
    for (const url of addresses) {
      assert.throws(
        () => createClient({ url }),
        (thrown: unknown) => thrown instanceof TypeError && !thrown.message.includes('secret'),
        url,
      )
    }
  })
})
