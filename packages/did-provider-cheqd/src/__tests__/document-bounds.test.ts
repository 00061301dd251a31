import assert from 'node:assert/strict'
import type { IKey } from '@veramo/core-types'
import { BOUNDS } from '@vidimus/core-types'
import { sql } from '@vidimus/database'
import type { LedgerDidDoc } from '@vidimus/ledger'
import type { CheqdCreateOptions } from '../index.js'
import { openTestBed, type TestAgent, type TestBed } from './agent-on-ledger.js'
import { refused } from './assertions.js'

const MOST = BOUNDS.documentEntries

describe('size limits of did:cheqd documents and resources', () => {
  let bed: TestBed
  let agent: TestAgent
  beforeEach(async () => {
    bed = await openTestBed()
    agent = bed.agentWith()
  })
  afterEach(() => bed.close())

  const service = (n: number) => ({ id: `#s${n}`, type: 'X', serviceEndpoint: `https://${n}.example` })
  const services = (length: number) => Array.from({ length }, (_, n) => service(n))
  const uris = (length: number) => Array.from({ length }, (_, n) => `https://${n}.example/`)
  const create = (options: CheqdCreateOptions) =>
    agent.didManagerCreate({ options: { network: 'testnet', ...options } })

  it('apply to a new document, for which no key is created', async () => {
    const long = 'x'.repeat(BOUNDS.indexedText)
    const many = uris(MOST + 1)
    const wanted: [CheqdCreateOptions, string[]][] = [
      [{ service: services(6000) }, ['service', '']],
      [{ service: services(MOST + 1) }, ['service']],
      [{ context: many }, ['@context']],
      [
        { didDocument: { '@context': many, alsoKnownAs: many } },
        ['didDocument.@context', 'didDocument.alsoKnownAs'],
      ],
      [{ didDocument: { service: services(MOST + 1) } }, ['didDocument.service']],
      [{ service: [{ ...service(0), id: `#${long}` }] }, ['service[0].id']],
      [
        { service: [{ ...service(0), serviceEndpoint: 'x'.repeat(BOUNDS.documentBytes) }] },
        ['service[0].serviceEndpoint', ''],
      ],
    ]
    for (const [options, paths] of wanted) await refused(create(options), 'invalid_input', ...paths)
    assert.deepEqual(bed.watched.submitted, [])
    assert.deepEqual(await agent.keyManagerGetKeyManagementSystems(), ['local'])
    const { services: made } = await create({ service: services(MOST), context: uris(MOST) })
    assert.equal(made.length, MOST)
  })

  it('apply to additions to a document and to replacements', async () => {
    const { did } = await create({ service: services(MOST) })
    const written = bed.watched.submitted.length
    await refused(
      agent.didManagerAddService({ did, service: service(MOST) }),
      'invalid_input',
      'document.service',
    )
    const { didDocument } = await agent.resolveDid({ didUrl: did })
    const update = (change: object) =>
      agent.didManagerUpdate({ did, document: { ...didDocument, ...change } })
    await refused(
      update({ service: services(MOST + 1), '@context': uris(MOST + 1) }),
      'invalid_input',
      'document.@context',
      'document.service',
    )
    assert.equal(bed.watched.submitted.length, written)
    await agent.didManagerRemoveService({ did, id: service(0).id })
    await agent.didManagerAddService({ did, service: service(MOST) })
  })

  it('allow an oversized document to change as long as it does not grow', async () => {
    const { did } = await create({ service: services(3) })
    const grown = Array.from({ length: MOST + 20 }, (_, n) => ({
      id: `${did}#${n === 0 ? 'x'.repeat(2000) : `t${n}`}`,
      serviceType: 'X',
      serviceEndpoint: ['https://a.example/'.padEnd(n === 0 ? BOUNDS.text + 1 : 2000, 'a')],
      recipientKeys: [],
      routingKeys: [],
      accept: [],
      priority: 0,
    }))
    await bed.database.write(async (connection) => {
      const [row] = await connection.query<{ doc: string }>(
        sql`SELECT "doc" FROM "ledger_did_version" WHERE "did" = ${did}`,
      )
      const doc = { ...(JSON.parse(row?.doc ?? '') as LedgerDidDoc), service: grown }
      await connection.run(
        sql`UPDATE "ledger_did_version" SET "doc" = ${JSON.stringify(doc)} WHERE "did" = ${did}`,
      )
    })
    await refused(
      agent.didManagerAddService({ did, service: service(1) }),
      'invalid_input',
      'document.service',
      'document',
    )
    await agent.didManagerRemoveService({ did, id: `${did}#t7` })
    const key = (await agent.keyManagerCreate({ kms: 'local', type: 'Ed25519' })) as IKey
    await refused(agent.didManagerAddKey({ did, key }), 'invalid_input', 'document')
    const { didDocument } = await agent.resolveDid({ didUrl: did })
    assert.equal(didDocument?.service?.length, grown.length - 1)
    await agent.didManagerUpdate({
      did,
      document: { ...didDocument, service: didDocument.service?.slice(0, 2) },
    })
  })

  it('do not let a deeply nested key block other changes', async () => {
    const { did, keys } = await create({ verificationMethodType: 'JsonWebKey2020' })
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    await bed.database.write(async (connection) => {
      const [row] = await connection.query<{ doc: string }>(
        sql`SELECT "doc" FROM "ledger_did_version" WHERE "did" = ${did}`,
      )
      const doc = JSON.parse(row?.doc ?? '') as LedgerDidDoc
      const foreign = {
        ...doc.verificationMethod[0],
        id: `${did}#deep`,
        verificationMaterial: `{"x":${deep}}`,
      }
      const grown = { ...doc, verificationMethod: [...doc.verificationMethod, foreign] }
      await connection.run(
        sql`UPDATE "ledger_did_version" SET "doc" = ${JSON.stringify(grown)} WHERE "did" = ${did}`,
      )
    })
    const { didDocument } = await agent.resolveDid({ didUrl: did })
    const [own, foreign] = didDocument?.verificationMethod ?? []
    assert.equal(foreign?.publicKeyJwk, undefined)
    const replaced = { ...foreign, publicKeyJwk: own?.publicKeyJwk } as never
    const verificationMethod = [own, replaced] as never
    await agent.didManagerUpdate({ did, document: { ...didDocument, verificationMethod } })
    assert.equal((await agent.didManagerGet({ did })).keys[0]?.kid, keys[0]?.kid)
  })

  it('apply to the alternative names of a resource', async () => {
    const { did } = await create({})
    const publish = (alsoKnownAs: { uri: string; description: string }[]) =>
      agent.linkedResourceCreate({ did, resourceName: 'r', resourceType: 'T', data: 'e30', alsoKnownAs })
    const name = { uri: 'https://a.example/', description: '' }
    const many = Array.from({ length: BOUNDS.alternatives + 1 }, () => name)
    await refused(publish(many), 'invalid_input', 'alsoKnownAs')
    const long = { ...name, uri: name.uri.padEnd(BOUNDS.alternativeUriBytes, 'a') }
    const heavy = Array.from({ length: BOUNDS.alternatives }, () => long)
    await refused(publish(heavy), 'invalid_input', 'alsoKnownAs')
    await publish(many.slice(1))
  })
})
