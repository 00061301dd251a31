import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { NOT_REACHED } from '@vidimus/public-hosts'
import { Resolver } from 'did-resolver'
import { getWebDidResolver, type WebDidResolverOptions } from '../index.js'

const certificate = (name: string) => readFileSync(new URL(`./certificates/${name}`, import.meta.url), 'utf8')

describe('the did:web resolver', () => {
  let server: Server
  let host: string
  let answer: (request: IncomingMessage, response: ServerResponse) => void
  const resolve = (did: string, options: WebDidResolverOptions = {}) => {
    const certificateAuthorities = certificate('localhost.pem')
    const resolver = getWebDidResolver({ allowPrivateAddresses: true, certificateAuthorities, ...options })
    return new Resolver(resolver).resolve(did)
  }

  before(async () => {
    const keys = { key: certificate('localhost.key'), cert: certificate('localhost.pem') }
    server = createServer(keys, (request, response) => answer(request, response)).listen(0, 'localhost')
    await new Promise((done) => server.once('listening', done))
    host = `localhost%3A${(server.address() as AddressInfo).port}`
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  it('finds a document at the well-known location and at a path', async () => {
    const asked: (string | undefined)[] = []
    for (const [did, path] of [
      [`did:web:${host}`, '/.well-known/did.json'],
      [`did:web:${host}:users:ann`, '/users/ann/did.json'],
    ] as const) {
      answer = ({ url }, response) => {
        asked.push(url)
        response.end(JSON.stringify({ id: did, '@context': ['https://www.w3.org/ns/did/v1'] }))
      }
      const { didDocument, didResolutionMetadata } = await resolve(did)
      assert.equal(didDocument?.id, did)
      assert.equal(didResolutionMetadata.contentType, 'application/did+ld+json')
      assert.equal(asked.at(-1), path)
    }
  })

  it('reads a document that its host stores and sends compressed', async () => {
    answer = (_, response) =>
      response
        .writeHead(200, { 'content-encoding': 'gzip' })
        .end(gzipSync(JSON.stringify({ id: `did:web:${host}` })))
    const { didDocument } = await resolve(`did:web:${host}`)
    assert.equal(didDocument?.id, `did:web:${host}`)
  })

  const refusals: [string, typeof answer, WebDidResolverOptions, RegExp | string][] = [
    ['silent', () => undefined, { timeoutMs: 100 }, /did not respond within 100 ms/],
    ['slow', (_, response) => void response.write('{'), { timeoutMs: 100 }, /did not respond within 100 ms/],
    [
      'talkative',
      (_, response) => void response.end('x'.repeat(5000)),
      { maxBytes: 1024 },
      /more than 1024 bytes/,
    ],
    [
      'compressed and far larger than it looks',
      (_, response) =>
        void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(500_000))),
      { maxBytes: 1024 },
      /more than 1024 bytes/,
    ],
    ['missing', (_, response) => void response.writeHead(404).end(), {}, /responded with 404/],
    [
      'redirected',
      (_, response) => void response.writeHead(302, { location: '/elsewhere' }).end(),
      {},
      /responded with 302/,
    ],
    ['not JSON', (_, response) => void response.end('<html>'), {}, /is not JSON/],
    [
      'nested too deeply',
      (_, response) => void response.end('['.repeat(100_000) + ']'.repeat(100_000)),
      {},
      /nested too deep/,
    ],
    ['of another DID', (_, response) => void response.end('{"id":"did:web:example.org"}'), {}, /another DID/],
    ['null', (_, response) => void response.end('null'), {}, /another DID/],
    ['private', (_, response) => void response.end('{}'), { allowPrivateAddresses: false }, NOT_REACHED],
    [
      'signed by an unknown key',
      (_, response) => void response.end('{}'),
      { certificateAuthorities: '' },
      NOT_REACHED,
    ],
  ]
  for (const [title, answering, options, says] of refusals) {
    it(`does not find a document that is ${title}`, async () => {
      answer = answering
      const { didDocument, didResolutionMetadata } = await resolve(`did:web:${host}`, options)
      assert.equal(didDocument, null)
      assert.equal(didResolutionMetadata.error, 'notFound')
      const message = String(didResolutionMetadata.message)
      if (typeof says === 'string') assert.equal(message, says)
      else assert.match(message, says)
    })
  }

  it('limits methods and references to lists of 100 entries with ids', async () => {
    const did = `did:web:${host}`
    const method = { id: `${did}#key-1`, type: 'JsonWebKey2020', controller: did }
    const many = (count: number, entry: unknown) => Array.from({ length: count }, () => entry)
    const resolved = async (members: object) => {
      answer = (_, response) => response.end(JSON.stringify({ id: did, ...members }))
      const { didDocument, didResolutionMetadata } = await resolve(did)
      return didDocument === null ? String(didResolutionMetadata.message) : 'found'
    }
    const fitting = { verificationMethod: many(100, method), assertionMethod: many(100, '#key-1') }
    assert.equal(await resolved({ ...fitting, authentication: [method] }), 'found')
    for (const [members, says] of [
      [{ verificationMethod: many(101, method) }, /more than 100 entries in verificationMethod/],
      [{ assertionMethod: many(101, '#key-1') }, /more than 100 entries in assertionMethod/],
      [{ authentication: 7 }, /no list as authentication/],
      [{ verificationMethod: ['#key-1'] }, /without an id in verificationMethod/],
      [{ keyAgreement: [null] }, /without an id in keyAgreement/],
      [{ assertionMethod: [{ id: 7 }] }, /without an id in assertionMethod/],
    ] as const) {
      assert.match(await resolved(members), says)
    }
  })

  it('gives the same answer for missing, refusing and internal hosts', async () => {
    for (const allowPrivateAddresses of [true, false]) {
      for (const did of ['did:web:localhost%3A1', `did:web:${host}`, 'did:web:nobody.localhost']) {
        if (allowPrivateAddresses && did.endsWith(host)) continue
        const { didResolutionMetadata } = await resolve(did, { allowPrivateAddresses })
        assert.equal(didResolutionMetadata.message, NOT_REACHED, did)
      }
    }
  })

  it('refuses forms that the method does not allow without a request', async () => {
    answer = () => assert.fail('a request was made')
    for (const did of [
      'did:web:127.0.0.1',
      'did:web:127.0.0.1%3A443',
      'did:web:2130706433',
      'did:web:exa%6Dple.org%2Fx',
      'did:web:user%40example.org',
      `did:web:${host}:..:x`,
      `did:web:${host}:a%2Fb`,
      'did:web:example.org%3A99999',
      'did:web:%FF',
    ]) {
      const { didResolutionMetadata } = await resolve(did)
      assert.equal(didResolutionMetadata.error, 'invalidDid', did)
    }
  })

  it('requires valid options', () => {
    assert.throws(() => getWebDidResolver({ timeoutMs: 0 }), { code: 'invalid_configuration' })
    assert.throws(() => getWebDidResolver({ timeout: 1 } as never), { code: 'invalid_configuration' })
  })
})
