import assert from 'node:assert/strict'
import { request, type IncomingHttpHeaders } from 'node:http'
import { mock } from 'node:test'
import { Agent } from '@veramo/core'
import { AgentError, type AnyAgent, type DidUrlResult, type LinkedResource } from '@vidimus/core-types'
import { ask, serve, type TestService } from '../set-up/service.js'

const UUID = '7bf81a20-633c-4cc7-bc4a-5a45801005e0'
const DID = `did:cheqd:testnet:${UUID}`
const RESULT = 'application/ld+json;profile="https://w3id.org/did-resolution"'
const DEREFERENCING = 'application/ld+json;profile="https://w3id.org/did-url-dereferencing"'

const document: DidUrlResult = {
  found: 'document',
  didDocument: { '@context': ['https://www.w3.org/ns/did/v1'], id: DID },
  didDocumentMetadata: { versionId: UUID },
}
const content = '{"list":1}'
const resourceOf = (mediaType: string, text = content): LinkedResource => ({
  metadata: {
    resourceURI: `${DID}/resources/${UUID}`,
    resourceCollectionId: UUID,
    resourceId: UUID,
    resourceName: 'list',
    resourceType: 'Type',
    mediaType,
    resourceVersion: '',
    created: '2026-01-01T00:00:00Z',
    checksum: `c0ffee-${mediaType}`,
    previousVersionId: null,
    nextVersionId: null,
  },
  data: Buffer.from(text).toString('base64url'),
})

interface Raw {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

/** A request with exactly these headers: `fetch` adds an `accept` of its own. */
const rawRequest = (url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Raw> =>
  new Promise((resolve, reject) => {
    request(url, { method, headers }, (res) => {
      let text = ''
      res.on('data', (chunk: Buffer) => (text += chunk.toString()))
      res.on('end', () => resolve({ status: res.statusCode ?? 0, headers: res.headers, text }))
    })
      .on('error', reject)
      .end()
  })

describe('GET /1.0/identifiers', () => {
  let service: TestService
  let result: DidUrlResult
  let resource: LinkedResource | null
  let failure: Error | undefined
  let asked: { didUrl: string; linkedResourceMetadata?: boolean }[]
  let reads: number

  const methods = {
    didUrlDereference: (args: { didUrl: string }) => {
      asked.push(args)
      return failure ? Promise.reject(failure) : Promise.resolve(result)
    },
    linkedResourceGet: () => {
      reads += 1
      return Promise.resolve(resource)
    },
    statusListDelivery: () => Promise.resolve({ mediaType: 'application/vc+jwt', ttlMs: 60_000 }),
  }
  const agentOf = (some: object) =>
    new Agent({ plugins: [{ methods: some as never }] }) as unknown as AnyAgent

  beforeEach(async () => {
    result = document
    resource = null
    failure = undefined
    asked = []
    reads = 0
    service = await serve({ agent: agentOf(methods) })
  })
  afterEach(() => service.stop())

  const at = (rest: string) => `${service.url}/1.0/identifiers/${rest}`
  const read = (accept?: string, rest = DID) => rawRequest(at(rest), accept === undefined ? {} : { accept })
  const publish = (mediaType: string, text?: string, pinned = false) => {
    resource = resourceOf(mediaType, text)
    result = { found: 'resource', metadata: resource.metadata, pinned }
  }

  describe('document', () => {
    for (const [accept, contentType, kind] of [
      [undefined, 'application/did+ld+json', 'document'],
      ['', 'application/did+ld+json', 'document'],
      ['*/*', RESULT, 'result'],
      [RESULT, RESULT, 'result'],
      ['application/ld+json;profile=https://w3id.org/did-resolution', RESULT, 'result'],
      ['application/ld+json', RESULT, 'result'],
      ['application/did-resolution', 'application/did-resolution', 'result'],
      ['application/json', 'application/json', 'result'],
      ['application/json; charset=UTF-8', 'application/json', 'result'],
      ['application/json, text/plain, */*', 'application/json', 'result'],
      ['text/html,application/xhtml+xml,*/*;q=0.8', RESULT, 'result'],
      ['application/did', 'application/did', 'document'],
      ['application/did+ld+json', 'application/did+ld+json', 'document'],
      ['application/did+json', 'application/did+json', 'plain'],
      ['application/did+json;q=0.5, application/did', 'application/did', 'document'],
      // as the drivers of the Universal Resolver are asked
      ['application/did-resolution,application/did', 'application/did-resolution', 'result'],
      [`${RESULT},application/did+ld+json`, RESULT, 'result'],
    ] as const) {
      it(`answers ${accept === undefined ? 'no accept' : `"${accept}"`} with ${contentType}`, async () => {
        const { status, headers, text } = await read(accept)
        assert.equal(status, 200)
        assert.equal(headers['content-type'], contentType)
        const body = JSON.parse(text) as Record<string, unknown>
        if (kind === 'result') {
          assert.deepEqual(Object.keys(body), [
            '@context',
            'didDocument',
            'didResolutionMetadata',
            'didDocumentMetadata',
          ])
          const { retrieved, ...metadata } = body.didResolutionMetadata as Record<string, unknown>
          assert.match(String(retrieved), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
          assert.deepEqual(metadata, {
            contentType: 'application/did+ld+json',
            did: { didString: DID, methodSpecificId: UUID, method: 'cheqd' },
          })
        } else if (kind === 'plain') assert.deepEqual(body, { id: DID })
        else assert.deepEqual(body, document.didDocument)
        assert.equal(asked[0]?.linkedResourceMetadata, kind === 'result')
      })
    }

    for (const accept of ['image/png', 'text/html', 'application/ld+json;profile="urn:other"', ';;,', 'x']) {
      it(`answers 406 to "${accept}"`, async () => {
        const { status, headers, text } = await read(accept)
        assert.equal(status, 406)
        assert.equal(headers['content-type'], 'application/json')
        const { didResolutionMetadata } = JSON.parse(text) as { didResolutionMetadata: { error: string } }
        assert.equal(didResolutionMetadata.error, 'representationNotSupported')
        assert.ok(!('contentType' in didResolutionMetadata), text)
      })
    }

    it('has a separate entity tag for each representation', async () => {
      const { headers } = await read('application/did')
      const { headers: plain } = await read('application/did+json')
      const etag = headers.etag ?? ''
      assert.match(etag, /^"[\w-]+"$/)
      assert.notEqual(etag, plain.etag)
      const again = await rawRequest(at(DID), { accept: 'application/did', 'if-none-match': etag })
      assert.equal(again.status, 304)
      assert.equal(again.text, '')
      const other = await rawRequest(at(DID), { accept: 'application/did+json', 'if-none-match': etag })
      assert.equal(other.status, 200)
    })

    it('is 410 with the same body once the DID is deactivated, and never 304', async () => {
      const { headers } = await read('application/did')
      const etag = headers.etag ?? ''
      result = { ...document, didDocumentMetadata: { versionId: UUID, deactivated: true } }
      for (const accept of [
        undefined,
        'application/did',
        'application/did+json',
        RESULT,
        'application/json',
      ]) {
        const { status, text } = await read(accept)
        assert.equal(status, 410)
        const body = JSON.parse(text) as { id?: string; didDocument?: { id: string } }
        assert.equal(body.didDocument?.id ?? body.id, DID)
      }
      const again = await rawRequest(at(DID), { accept: 'application/did', 'if-none-match': etag })
      assert.equal(again.status, 410)
      assert.equal((await rawRequest(at(DID), {}, 'HEAD')).status, 410)
    })

    it('includes resources and parts of a deactivated DID', async () => {
      const didDocumentMetadata = { versionId: UUID, deactivated: true }
      result = {
        found: 'documentPart',
        part: { id: `${DID}#key-1`, type: 'Files', serviceEndpoint: 'https://a.test' },
        didDocumentMetadata,
      }
      const { status, text } = await read('application/json', `${DID}%23key-1`)
      assert.equal(status, 200)
      const { contentMetadata } = JSON.parse(text) as { contentMetadata: object }
      assert.deepEqual(contentMetadata, didDocumentMetadata)
    })
  })

  describe('resource', () => {
    it('has the media type of the ledger or of the list', async () => {
      publish('text/plain; charset=utf-8')
      for (const [accept, mediaType] of [
        [undefined, 'application/vc+jwt'],
        ['', 'application/vc+jwt'],
        ['*/*', 'application/vc+jwt'],
        ['application/*', 'application/vc+jwt'],
        ['application/json', 'application/vc+jwt'],
        [RESULT, 'application/vc+jwt'],
        ['text/*', 'text/plain; charset=utf-8'],
        ['text/plain', 'text/plain; charset=utf-8'],
        ['application/vc+jwt', 'application/vc+jwt'],
        ['*/*;q=0.1, application/vc+jwt', 'application/vc+jwt'],
      ] as const) {
        const { status, headers, text } = await read(accept)
        assert.equal(status, 200)
        assert.equal(headers['content-type'], mediaType, accept)
        assert.equal(text, content)
        assert.equal(headers['content-length'], String(content.length))
      }
      const refused = await read('image/png')
      assert.equal(refused.status, 406)
      assert.match(refused.text, /application\/vc\+jwt or text\/plain; charset=utf-8/)
    })

    it('is wrapped in a result on request', async () => {
      const deep = '['.repeat(100_000) + ']'.repeat(100_000)
      for (const [mediaType, text, contentStream] of [
        ['application/json', deep, deep],
        ['application/json', content, { list: 1 }],
        ['application/vc+json', content, { list: 1 }],
        ['application/json', '{"cut', '{"cut'],
        ['text/plain; charset=utf-8', 'grün', 'grün'],
        ['image/png', 'PNG', 'UE5H'],
      ] as const) {
        publish(mediaType, text)
        const { headers, text: answer } = await read(DEREFERENCING, `${DID}/resources/${UUID}`)
        assert.equal(headers['content-type'], DEREFERENCING)
        assert.equal(headers.etag, undefined)
        const body = JSON.parse(answer) as Record<string, unknown>
        assert.deepEqual(Object.keys(body), [
          '@context',
          'dereferencingMetadata',
          'contentStream',
          'contentMetadata',
        ])
        assert.deepEqual(body.contentStream, contentStream)
        assert.deepEqual(body.contentMetadata, resource?.metadata)
      }
    })

    it('answers 304 to a client that has it, without reading it', async () => {
      publish('text/plain')
      const { headers } = await read()
      assert.equal(headers.etag, '"c0ffee-text/plain-vc+jwt"')
      assert.equal(headers['cache-control'], 'public, max-age=60')
      assert.equal(headers['last-modified'], 'Thu, 01 Jan 2026 00:00:00 GMT')
      assert.equal(reads, 1)
      for (const tags of [headers.etag, `"other", W/${headers.etag}`, '*']) {
        const answer = await rawRequest(at(DID), { 'if-none-match': tags, 'cache-control': 'no-cache' })
        assert.equal(answer.status, 304)
        assert.equal(answer.text, '')
        assert.equal(answer.headers.etag, headers.etag)
        assert.equal(answer.headers['cache-control'], 'public, max-age=60')
        assert.equal(answer.headers['content-type'], undefined)
      }
      assert.equal(reads, 1)
      const other = { 'if-none-match': headers.etag, accept: 'text/plain' }
      assert.equal((await rawRequest(at(DID), other)).status, 200)
      const later = { 'if-modified-since': 'Fri, 01 Jan 2027 00:00:00 GMT' }
      assert.equal((await rawRequest(at(DID), later)).status, 200, 'versions are made within a second')
    })

    it('is immutable if the version is named by its id', async () => {
      publish('text/plain', content, true)
      assert.equal((await read()).headers['cache-control'], 'public, max-age=31536000, immutable')
    })

    it('answers HEAD with headers only', async () => {
      publish('text/plain')
      const { headers } = await read()
      const head = await rawRequest(at(DID), {}, 'HEAD')
      assert.equal(head.status, 200)
      assert.equal(head.text, '')
      for (const name of ['content-type', 'content-length', 'etag', 'cache-control', 'vary']) {
        assert.equal(head.headers[name], headers[name], name)
      }
    })

    it('is served without status lists too', async () => {
      const { statusListDelivery: _left, ...others } = methods
      const bare = await serve({ agent: agentOf(others) })
      publish('text/plain')
      const { status, headers } = await rawRequest(`${bare.url}/1.0/identifiers/${DID}`)
      await bare.stop()
      assert.equal(status, 200)
      assert.equal(headers['cache-control'], 'public, no-cache')
    })

    it('reports that its content is gone', async () => {
      publish('text/plain')
      resource = null
      assert.equal((await read()).status, 404)
    })
  })

  describe('metadata and parts', () => {
    const bodyOf = async (found: DidUrlResult, accept = '*/*') => {
      result = found
      const { headers, text } = await read(accept, `${DID}/x`)
      assert.match(headers['content-type'] ?? '', /json/)
      return JSON.parse(text) as Record<string, unknown>
    }
    const didDocumentMetadata = { versionId: UUID }

    it('have the form of dereferencing', async () => {
      const part = { id: `${DID}#a`, type: 'T', serviceEndpoint: 'https://example.com' }
      for (const [found, contentStream, contentMetadata] of [
        [{ found: 'documentPart', part, didDocumentMetadata }, part, didDocumentMetadata],
        [{ found: 'documentMetadata', didDocumentMetadata }, didDocumentMetadata, {}],
        [
          { found: 'documentVersions', versions: [didDocumentMetadata] },
          { versions: [didDocumentMetadata] },
          {},
        ],
        [
          { found: 'resourceMetadata', metadata: resourceOf('a/b').metadata },
          null,
          resourceOf('a/b').metadata,
        ],
      ] as const) {
        for (const accept of ['*/*', 'application/did+ld+json', 'application/json']) {
          const body = await bodyOf(found as DidUrlResult, accept)
          assert.deepEqual(body.contentStream, contentStream)
          assert.deepEqual(body.contentMetadata, contentMetadata)
          assert.equal(
            (body.dereferencingMetadata as { contentType: string }).contentType,
            'application/json',
          )
        }
      }
      assert.equal((await read('image/png')).status, 406)
    })

    it('are labelled as JSON-LD only if they have a context', async () => {
      const part = {
        '@context': 'https://a.test/v1',
        id: `${DID}#a`,
        type: 'T',
        serviceEndpoint: 'https://a.test',
      }
      const body = await bodyOf({ found: 'documentPart', part, didDocumentMetadata })
      assert.equal(
        (body.dereferencingMetadata as { contentType: string }).contentType,
        'application/did+ld+json',
      )
    })
  })

  describe('redirects', () => {
    it('lead to a service', async () => {
      result = { found: 'serviceEndpoint', uri: 'https://example.com/a' }
      const { status, headers, text } = await read()
      assert.equal(status, 303)
      assert.equal(headers.location, 'https://example.com/a')
      assert.equal(text, '')
    })

    it('lead to the current name of a DID, below the public address', async () => {
      result = { found: 'renamed', didUrl: `${DID}#a` }
      assert.equal((await read()).headers.location, `/1.0/identifiers/${DID}%23a`)
      const elsewhere = await serve({ agent: agentOf(methods), publicUrl: 'https://id.example.com/api/' })
      const { status, headers } = await rawRequest(`${elsewhere.url}/1.0/identifiers/${DID}`)
      await elsewhere.stop()
      assert.equal(status, 301)
      assert.equal(headers.location, `https://id.example.com/api/1.0/identifiers/${DID}%23a`)
    })
  })

  describe('errors', () => {
    for (const [error, expected] of [
      ['invalidDid', 400],
      ['invalidDidUrl', 400],
      ['notFound', 404],
      ['representationNotSupported', 406],
      ['methodNotSupported', 501],
    ] as const) {
      it(`answers ${error} with ${expected}`, async () => {
        result = { found: 'nothing', error, message: 'why' }
        const { status, text } = await read('*/*')
        assert.equal(status, expected)
        const body = JSON.parse(text) as Record<string, Record<string, unknown>>
        const form = error === 'invalidDidUrl' ? 'dereferencingMetadata' : 'didResolutionMetadata'
        const { retrieved: _now, ...metadata } = body[form] ?? {}
        assert.deepEqual(metadata, {
          ...(error !== 'representationNotSupported' && { contentType: 'application/did+ld+json' }),
          error,
          did: { didString: DID, methodSpecificId: UUID, method: 'cheqd' },
          message: 'why',
        })
      })
    }

    it('have the form of dereferencing for DID URLs', async () => {
      result = { found: 'nothing', error: 'notFound', message: 'why' }
      for (const rest of ['/versions', '?resourceName=a', '%23key']) {
        const { status, text } = await read('application/json', DID + rest)
        assert.equal(status, 404)
        const body = JSON.parse(text) as Record<string, unknown>
        assert.equal(body.contentStream, null)
        assert.deepEqual(body.contentMetadata, {})
        assert.equal((body.dereferencingMetadata as { error: string }).error, 'notFound')
      }
    })

    it('hide internal failures, which are only logged', async () => {
      failure = new Error('password of the database')
      const { status, text } = await read('*/*')
      assert.equal(status, 500)
      assert.ok(!text.includes('password'))
      assert.match(text, /"error":"internalError"/)
      assert.match(service.logText(), /password of the database/)
    })

    it('report an unreachable ledger', async () => {
      failure = new AgentError('ledger_unavailable', 'the ledger did not answer: 10.0.0.1')
      const { status, headers, text } = await read('*/*')
      assert.equal(status, 503)
      assert.equal(headers['retry-after'], '1')
      assert.ok(!text.includes('10.0.0.1'))
      assert.match(text, /"error":"internalError"/)
    })
  })

  describe('unchanged content', () => {
    const long = JSON.stringify({ list: 'A'.repeat(5000) })
    const zipped = async (headers: Record<string, string> = {}) => {
      const response = await fetch(at(DID), { headers: { accept: 'application/vc+jwt', ...headers } })
      return { response, text: await response.text() }
    }

    it('is read once, and again when the agent finds another version', async () => {
      publish('text/plain', 'first')
      assert.deepEqual([(await read()).text, (await read()).text, reads], ['first', 'first', 1])
      publish('text/plain', 'second')
      assert.deepEqual([(await read()).text, reads], ['second', 2])
    })

    it('has a new retrieval time in each second', async () => {
      const retrieved = async () =>
        (JSON.parse((await read(RESULT)).text) as { didResolutionMetadata: { retrieved: string } })
          .didResolutionMetadata.retrieved
      const { now } = Date
      try {
        const first = await retrieved()
        mock.timers.enable({ apis: ['Date'], now: now() + 5000 })
        assert.ok((await retrieved()) > first)
      } finally {
        mock.timers.reset()
      }
    })

    it('is compressed on request from the second time on, with its own entity tag', async () => {
      publish('text/plain', long)
      let { response, text } = await zipped()
      for (let n = 0; n < 100 && response.headers.get('content-encoding') === null; n += 1) {
        assert.equal(text, long)
        ;({ response, text } = await zipped())
      }
      assert.equal(response.headers.get('content-encoding'), 'gzip')
      assert.ok(Number(response.headers.get('content-length')) < 500)
      assert.equal(text, long)
      const etag = response.headers.get('etag') ?? ''
      assert.match(etag, /-gzip"$/)
      for (const tag of [etag, etag.replace('-gzip', '')]) {
        const known = await zipped({ 'if-none-match': tag })
        assert.deepEqual([known.response.status, known.response.headers.get('etag')], [304, tag])
      }
      publish('text/plain', long)
      assert.equal((await zipped({ 'if-none-match': etag })).response.status, 304)
      const plain = await rawRequest(at(DID), { accept: 'application/vc+jwt', 'if-none-match': etag })
      assert.deepEqual([plain.status, plain.headers['content-encoding'], plain.text], [200, undefined, long])
      const refused = { accept: 'application/vc+jwt', 'accept-encoding': 'gzip;q=0, br' }
      assert.equal((await rawRequest(at(DID), refused)).headers['content-encoding'], undefined)
    })

    it('is answered to HEAD without a body', async () => {
      publish('text/plain', long)
      await read()
      const { status, headers, text } = await rawRequest(at(DID), {}, 'HEAD')
      assert.deepEqual([status, headers['content-length'], text], [200, String(long.length), ''])
    })
  })

  describe('public access', () => {
    it('needs no key and is open to other origins, but cannot run scripts', async () => {
      publish('text/html; charset=utf-8', '<script>alert(1)</script>')
      const { status, headers } = await read()
      assert.equal(status, 200)
      assert.equal(headers['access-control-allow-origin'], '*')
      assert.equal(headers['cross-origin-resource-policy'], 'cross-origin')
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.match(String(headers['content-security-policy']), /default-src 'none'.*sandbox/)
      assert.equal(headers.vary, 'accept, accept-encoding')
      const preflight = await rawRequest(at(DID), { origin: 'https://a.example' }, 'OPTIONS')
      assert.equal(preflight.status, 204)
      assert.equal(preflight.headers['access-control-allow-headers'], '*')
    })

    it('accepts no other methods', async () => {
      const { status, headers, body } = await ask(at(DID), { method: 'DELETE' })
      assert.equal(status, 405)
      assert.equal(headers.get('allow'), 'GET, HEAD, POST')
      assert.equal(body.code, 'method_not_allowed')
    })

    describe('POST', () => {
      const post = (body: string, headers: Record<string, string> = {}, did = DID) =>
        fetch(at(did), { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })

      it('answers like GET, with the options in the body', async () => {
        const accept = 'application/did-resolution'
        for (const type of ['application/json', accept, 'application/did-url-dereferencing; charset=utf-8']) {
          const answer = await post(`{"versionId":"${UUID}"}`, { 'content-type': type, accept })
          assert.equal(answer.status, 200)
          assert.equal(answer.headers.get('content-type'), accept)
          const { didDocument } = (await answer.json()) as { didDocument: object }
          assert.deepEqual(didDocument, document.didDocument)
        }
        await post('{"service":"a b&c","transformKeys":true}', {}, `${DID}?relativeRef=/x`)
        await post('')
        assert.deepEqual(asked.map(({ didUrl }) => didUrl).slice(-3), [
          `${DID}?versionId=${UUID}`,
          `${DID}?relativeRef=/x&service=a%20b%26c&transformKeys=true`,
          DID,
        ])
      })

      it('uses "accept" from the body if there is no header, and never answers 304', async () => {
        const raw = (headers: Record<string, string>) =>
          new Promise<Omit<Raw, 'text'>>((resolve, reject) => {
            const sent = request(at(DID), { method: 'POST', headers }, (res) => {
              res.resume().on('end', () => resolve({ status: res.statusCode ?? 0, headers: res.headers }))
            })
            sent.on('error', reject).end('{"accept":"application/did+json"}')
          })
        const first = await raw({})
        assert.equal(first.headers['content-type'], 'application/did+json')
        assert.equal((await raw({ accept: RESULT })).headers['content-type'], RESULT)
        assert.equal((await raw({ 'if-none-match': first.headers.etag ?? '' })).status, 200)
      })

      for (const [what, body, type, status] of [
        ['malformed JSON', '{', 'application/json', 400],
        ['a list', '[]', 'application/json', 400],
        ['a nested option', '{"a":{"b":1}}', 'application/json', 400],
        ['a duplicate option', '{"a":"1","a":"2"}', 'application/json', 400],
        ['a name that would end the query', '{"a#b":"1"}', 'application/json', 400],
        ['a form', 'a=b', 'application/x-www-form-urlencoded', 415],
        ['an oversized body', `{"a":"${'a'.repeat(5000)}"}`, 'application/json', 413],
      ] as const) {
        it(`refuses ${what} in the form of resolvers, without resolving anything`, async () => {
          const answer = await post(body, { 'content-type': type })
          assert.equal(answer.status, status)
          assert.match(await answer.text(), /"error":"invalidOptions"/)
          assert.deepEqual(asked, [])
        })
      }
    })

    it('resolves only the methods that the configuration allows', async () => {
      for (const did of ['did:web:example.com', 'did:web:example.com%23key', 'did:unknown:a']) {
        const { status, text } = await read('*/*', did)
        assert.equal(status, 501)
        assert.match(text, /"error":"methodNotSupported"/)
      }
      assert.deepEqual(asked, [])
      const open = await serve({ agent: agentOf(methods), publicDidMethods: ['web'] })
      assert.equal((await rawRequest(`${open.url}/1.0/identifiers/did:web:example.com`)).status, 200)
      assert.equal((await rawRequest(`${open.url}/1.0/identifiers/${DID}`)).status, 501)
      await open.stop()
      assert.deepEqual(
        asked.map(({ didUrl }) => didUrl),
        ['did:web:example.com'],
      )
    })

    it('reports a malformed DID URL in the form of dereferencing', async () => {
      for (const rest of [`${DID}%23key-1?versionId=1`, `${DID}?resourceName=${'a'.repeat(9000)}`]) {
        const { status, text } = await read('*/*', rest)
        assert.equal(status, 400)
        const body = JSON.parse(text) as { dereferencingMetadata?: { error: string } }
        assert.equal(body.dereferencingMetadata?.error, 'invalidDidUrl')
      }
      assert.deepEqual(asked, [])
    })

    it('refuses malformed DIDs before resolving anything', async () => {
      for (const rest of ['', '?a=b', 'x', '%', '%00', 'did:', '..%2f..', `did:key:${'a'.repeat(9000)}`]) {
        const { status, text } = await read('*/*', rest)
        assert.equal(status, 400, rest.slice(0, 30))
        assert.match(text, /"error":"invalidDid"/)
      }
      assert.deepEqual(asked, [])
    })

    it('logs no DID', async () => {
      await read()
      const [line] = service.lines().filter(({ msg }) => msg === 'request')
      assert.equal(line?.route, '/1.0/identifiers/{didUrl}')
      assert.ok(!service.logText().includes(UUID))
    })

    it('is neither served nor documented if the agent does not support it', async () => {
      const { didUrlDereference: _left, ...others } = methods
      const bare = await serve({ agent: agentOf(others) })
      assert.equal((await ask(`${bare.url}/1.0/identifiers/${DID}`)).status, 404)
      const { body } = await ask(`${bare.url}/openapi.json`)
      assert.ok(!('/1.0/identifiers/{did}' in (body.paths as object)))
      assert.match(bare.logText(), /didUrlDereference/)
      await bare.stop()
      const { body: full } = await ask(`${service.url}/openapi.json`)
      assert.ok('/1.0/identifiers/{did}' in (full.paths as object))
    })
  })
})
