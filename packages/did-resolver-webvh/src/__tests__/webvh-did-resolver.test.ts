import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { NOT_REACHED } from '@vidimus/public-hosts'
import { Resolver, type DIDResolutionResult } from 'did-resolver'
import { getWebvhDidResolver, type WebvhDidResolverOptions } from '../index.js'
import {
  deactivateDID,
  jsonLines,
  LogKey,
  newLog,
  signWitnessProofEntry,
  trusting,
  updateDID,
  type DidLog,
} from './log-maker.js'

const certificate = (name: string) =>
  readFileSync(
    new URL(`../../../did-resolver-web/src/__tests__/certificates/${name}`, import.meta.url),
    'utf8',
  )

const SOME_SCID = 'QmTwJbJDe4eU2AZCnfGHkHxEJax9L7DhAP7Qgd5Ax7GP1J'

describe('the did:webvh resolver', () => {
  let server: Server
  let host: string
  let files: Record<string, string>
  const resolve = (did: string, options: WebvhDidResolverOptions = {}) => {
    const certificateAuthorities = certificate('localhost.pem')
    const resolver = getWebvhDidResolver({ allowPrivateAddresses: true, certificateAuthorities, ...options })
    return new Resolver(resolver).resolve(did)
  }
  const serve = (log: DidLog, witnesses?: unknown) => {
    files = { '/.well-known/did.jsonl': jsonLines(log) }
    if (witnesses !== undefined) files['/.well-known/did-witness.json'] = JSON.stringify(witnesses)
  }
  const refused = ({ didDocument, didResolutionMetadata }: DIDResolutionResult): string => {
    assert.equal(didDocument, null)
    return `${didResolutionMetadata.error}: ${String(didResolutionMetadata.message)}`
  }

  before(async () => {
    const keys = { key: certificate('localhost.key'), cert: certificate('localhost.pem') }
    server = createServer(keys, ({ url = '' }, response) => {
      const file = files[url]
      response.writeHead(file === undefined ? 404 : 200).end(file)
    }).listen(0, 'localhost')
    await new Promise((done) => server.once('listening', done))
    host = `localhost%3A${(server.address() as AddressInfo).port}`
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  it('finds the newest document at the well-known location and at a path', async () => {
    for (const paths of [[], ['people', 'ann']]) {
      const { did, log, key } = await newLog(host, { paths })
      const file = paths.length > 0 ? '/people/ann/did.jsonl' : '/.well-known/did.jsonl'
      files = { [file]: jsonLines(log) }
      const { didDocument, didDocumentMetadata, didResolutionMetadata } = await resolve(did)
      assert.equal(didDocument?.id, did)
      assert.equal(didDocument.verificationMethod?.[0]?.publicKeyMultibase, key.multikey)
      assert.equal(didDocumentMetadata.versionId, log[0]?.versionId)
      assert.equal(didDocumentMetadata.created, log[0]?.versionTime)
      assert.equal(didResolutionMetadata.contentType, 'application/did+ld+json')
    }
  })

  it('finds an earlier version by id, time and number, and reports missing ones', async () => {
    const { did, log, key } = await newLog(host, { created: '2026-01-01T00:00:00Z' })
    const { log: two } = await updateDID({
      log,
      signer: key,
      verifier: trusting,
      alsoKnownAs: ['https://a.example'],
    })
    serve(two)
    const [first, second] = two
    const namesOf = async (query: string) => (await resolve(did + query)).didDocument?.alsoKnownAs ?? []
    assert.deepEqual(await namesOf(''), ['https://a.example'])
    assert.deepEqual(await namesOf(`?versionId=${second?.versionId}`), ['https://a.example'])
    for (const query of [
      `versionId=${first?.versionId}`,
      'versionTime=2026-01-02T00:00:00Z',
      'versionNumber=1',
    ]) {
      const { didDocument, didDocumentMetadata } = await resolve(`${did}?${query}`)
      assert.deepEqual(didDocument?.alsoKnownAs ?? [], [], query)
      assert.equal(didDocumentMetadata.versionId, first?.versionId, query)
    }
    assert.match(refused(await resolve(`${did}?versionNumber=3`)), /^notFound: /)
    assert.match(refused(await resolve(`${did}?versionTime=2025-01-01T00:00:00Z`)), /^notFound: /)
    for (const query of ['versionTime=yesterday', 'versionNumber=first', 'versionNumber=1&versionId=x'])
      assert.match(refused(await resolve(`${did}?${query}`)), /^invalidDidUrl: /, query)
  })

  it('reports a deactivated DID', async () => {
    const { did, log, key } = await newLog(host, { created: '2026-01-01T00:00:00Z' })
    serve((await deactivateDID({ log, signer: key, verifier: trusting })).log)
    const { didDocument, didDocumentMetadata, didResolutionMetadata } = await resolve(did)
    assert.equal(didDocument, null)
    assert.equal(didDocumentMetadata.deactivated, true)
    assert.equal(didResolutionMetadata.error, undefined)
  })

  it('refuses a log with any change', async () => {
    const { did, log, key } = await newLog(host, { created: '2026-01-01T00:00:00Z' })
    const { log: history } = await updateDID({
      log,
      signer: key,
      verifier: trusting,
      alsoKnownAs: ['https://a.example'],
    })
    const other = new LogKey().multikey
    const tampered: Record<string, (log: DidLog) => unknown> = {
      'a document of before': ([first]) => (first!.state.alsoKnownAs = ['https://b.example']),
      'the newest document': ([, second]) => (second!.state.alsoKnownAs = ['https://b.example']),
      'a key that may change it': ([first]) => first!.parameters.updateKeys!.push(other),
      'a time': ([, second]) => (second!.versionTime = '2026-11-01T00:00:00Z'),
      'a signature': ([, second]) => (second!.proof[0]!.proofValue = log[0]!.proof[0]!.proofValue),
      'a version left out': (entries) => entries.shift(),
      'the order': (entries) => entries.reverse(),
      'a hash': ([, second]) => (second!.versionId = `2-${SOME_SCID}`),
    }
    for (const [what, tamper] of Object.entries(tampered)) {
      const copy = structuredClone(history)
      tamper(copy)
      serve(copy)
      assert.match(
        refused(await resolve(did)),
        /^(invalidDid: its log does not verify|notFound: its log is not of)/,
        what,
      )
    }
    serve(history)
    assert.equal((await resolve(did)).didDocument?.id, did)
  })

  it('refuses a change signed by a key that the previous version does not authorise', async () => {
    const { did, log, key } = await newLog(host, { created: '2026-01-01T00:00:00Z' })
    const { log: history } = await updateDID({ log, signer: key, verifier: trusting })
    const [first, second] = history
    assert.ok(first && second)
    for (const [signer, isAllowed] of [
      [key, true],
      [new LogKey(), false],
    ] as const) {
      serve([first, await signer.signed(second)])
      const resolution = await resolve(did)
      if (isAllowed) assert.equal(resolution.didDocument?.id, did)
      else assert.match(refused(resolution), /^invalidDid: its log does not verify/)
    }
  })

  it('refuses the log of another DID', async () => {
    const [mine, other] = [await newLog(host), await newLog(host)]
    serve(other.log)
    assert.match(refused(await resolve(mine.did)), /^invalidDid: its log does not verify: SCID/)
  })

  it('requires the approval of as many witnesses as the log says', async () => {
    const witnesses = [new LogKey(), new LogKey()]
    const witness = { threshold: 2, witnesses: witnesses.map(({ did }) => ({ id: did })) }
    const { did, log } = await newLog(host, { witness })
    const { versionId } = log[0]!
    const { proof } = await signWitnessProofEntry({
      versionId,
      witnesses: witness.witnesses,
      witnessSignersByDid: Object.fromEntries(witnesses.map((each) => [each.did, each])),
    })
    serve(log, [{ versionId, proof }])
    assert.equal((await resolve(did)).didDocument?.id, did)
    for (const file of [
      undefined,
      [],
      [{ versionId, proof: proof.slice(1) }],
      [{ versionId, proof: [proof[0], proof[0]] }],
    ]) {
      serve(log, file)
      assert.match(
        refused(await resolve(did)),
        /^invalidDid: .*Witness threshold not met/,
        JSON.stringify(file),
      )
    }
    serve(log, { proof })
    assert.match(
      refused(await resolve(did)),
      /^notFound: its file of witnesses does not conform to the method/,
    )
  })

  it('makes no request to another host, whatever key a proof names', async () => {
    const { did, log } = await newLog(host)
    const elsewhere = structuredClone(log)
    elsewhere[0]!.proof[0]!.verificationMethod = `did:webvh:${SOME_SCID}:localhost#key-1`
    serve(elsewhere)
    assert.match(
      refused(await resolve(did)),
      /^notFound: its log does not conform to the method in line 1: proof.0.verificationMethod/,
    )
  })

  const shapes: [string, string, RegExp][] = [
    ['empty', '', /its log is not JSON in line 1/],
    ['not JSON', '<html>', /its log is not JSON in line 1/],
    ['nested too deeply', '['.repeat(100_000) + ']'.repeat(100_000), /nested too deep/],
    ['null', 'null', /its log does not conform to the method in line 1/],
    ['long', '{}\n'.repeat(1001), /more than 1000 versions/],
    ['large', 'x'.repeat(2_000_000), /more than 1048576 bytes/],
  ]
  for (const [title, content, says] of shapes) {
    it(`does not find a log that is ${title}`, async () => {
      files = { '/.well-known/did.jsonl': content }
      assert.match(refused(await resolve(`did:webvh:${SOME_SCID}:${host}`)), says)
    })
  }

  it('refuses a log of the draft before 1.0, which has a different hash chain', async () => {
    const { did, log } = await newLog(host)
    const older = structuredClone(log)
    older[0]!.parameters.method = 'did:webvh:0.5'
    serve(older)
    assert.match(refused(await resolve(did)), /^notFound: its log is not of did:webvh:1.0/)
  })

  it('makes no request to internal hosts, or for forms that the method does not allow', async () => {
    const { did, log } = await newLog(host)
    serve(log)
    assert.equal(refused(await resolve(did, { allowPrivateAddresses: false })), `notFound: ${NOT_REACHED}`)
    for (const wrong of [
      'did:webvh:localhost',
      `did:webvh:${SOME_SCID}:127.0.0.1`,
      `did:webvh:short:${host}`,
      `did:webvh:${SOME_SCID}:${host}:..:x`,
    ])
      assert.match(refused(await resolve(wrong)), /^invalidDid: it names no SCID/, wrong)
  })

  it('requires valid options', () => {
    assert.throws(() => getWebvhDidResolver({ timeoutMs: 0 }), { code: 'invalid_configuration' })
  })
})
