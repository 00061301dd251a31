import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { bech32 } from '@scure/base'
import { issueWithStatus } from '../behaviour/credential-status.js'
import { readPublic } from '../behaviour/identifiers.js'
import { check, search, update } from '../behaviour/status-list.js'
import { createDid, createList } from '../behaviour/suite.js'
import type { ArchiveCommands } from './archive-commands.js'
import { Client } from './client.js'
import { freshDatabase, type Place } from './fresh-database.js'
import { Service } from './service.js'
import { YearlySeries, type Entry } from './series-of-client.js'
import { until } from './until.js'

const FEE = bech32.encode('cheqd', bech32.toWords(Buffer.alloc(20, 7)))

/** What answers after a move as it did before. */
interface Installation {
  apiKeys: { main: string; guest: string; readOnly: string }
  dids: string[]
  kids: string[]
  plain: List
  token: List
  suspended: List
  encrypted: List
  series: YearlySeries
  entries: Entry[]
}
type List = Awaited<ReturnType<typeof createList>>

/** An installation that is not running, with what it answers. */
export interface Resting {
  dataDirectory: string
  url: string
  installation: Installation
  answers: unknown
}

/** An installation is moved once, and answers as before. */
export async function moves(archives: ArchiveCommands, from: Place, to: Place): Promise<void> {
  await moved(archives, await filled(archives, await freshDatabase(from)), await freshDatabase(to))
}

/** A new installation with something of everything that it keeps, which was exported while it was running. */
export async function filled(archives: ArchiveCommands, url: string): Promise<Resting> {
  const dataDirectory = await archives.directory('first')
  const service = await Service.start({ dataDirectory, environment: { DATABASE_URL: url } })
  const installation = await fill(service)
  const [copy] = await Promise.all([
    archives.exported(dataDirectory, url, 'copy.age'),
    createDid(await Client.of(service.url, installation.apiKeys.main)),
  ])
  assert.ok(copy.rows > 100 && copy.tables > 30)
  const answers = await answersOf(service, installation)
  assert.equal(await service.stop(), 0)
  return { dataDirectory, url, installation, answers }
}

/**
 * Moves it into an empty database: each table has the same rows there, the service answers as before, and goes on.
 *
 * @param name - of the move, among those of the same archives
 * @param settle - what else is done to the database before the service starts on it
 * @returns it there, with what it answers after it went on
 */
export async function moved(
  archives: ArchiveCommands,
  before: Resting,
  url: string,
  {
    name = 'moved',
    settle = () => Promise.resolve(),
  }: { name?: string; settle?: () => Promise<unknown> } = {},
): Promise<Resting> {
  const { installation } = before
  await archives.quicklyExported(before.url, `${name}.age`)
  const dataDirectory = await archives.directory(name, before.dataDirectory)
  const printed = await archives.run('import', dataDirectory, url, `${name}.age`)
  assert.match(printed, /^Imported: \d+ rows of \d+ tables/)
  await settle()
  assert.deepEqual(await rowsOf(archives, url), await rowsOf(archives, before.url))
  const service = await Service.start({ dataDirectory, environment: { DATABASE_URL: url } })
  assert.deepEqual(await answersOf(service, installation), before.answers)
  await goesOn(service, installation)
  const answers = await answersOf(service, installation)
  assert.equal(await service.stop(), 0)
  return { dataDirectory, url, installation, answers }
}

async function rowsOf(archives: ArchiveCommands, url: string) {
  const archive = `${randomUUID()}.age`
  await archives.quicklyExported(url, archive)
  return archives.contentOf(archive)
}

/** Something of everything that an installation keeps. */
async function fill(service: Service): Promise<Installation> {
  const [main, guest, readOnly] = await Promise.all([
    service.apiKeyOf('default'),
    service.apiKeyOf('guest'),
    service.apiKeyOf('default', { name: 'read only', scopes: ['key-read', 'did-list'] }),
  ])
  const client = await Client.of(service.url, main.apiKey)
  const stranger = client.as(guest.apiKey)
  const kids: string[] = []
  for (const type of ['Ed25519', 'Secp256k1', 'Secp256r1', 'X25519']) {
    const { kid } = (await client.ok('POST', '/key/create', { query: { type } })) as { kid: string }
    kids.push(kid)
  }
  const dids = [await createDid(client), await createDid(client, { network: 'mainnet' })]
  dids.push(await createDid(client, { verificationMethodType: 'JsonWebKey2020' }))
  for (const providerId of ['did:key', 'did:jwk']) {
    const created = (await client.ok('POST', '/did/create', { json: { providerId } })) as { did: string }
    dids.push(created.did)
  }
  const [did = ''] = dids
  const plain = await createList(client, { did })
  const token = await createList(client, { listType: 'TokenStatusList', body: { statusSize: 2 } })
  const suspended = await createList(client, { listType: 'StatusList2021', statusPurpose: 'suspension' })
  for (const indices of [[1], [2, 3], [70_000]]) await update(client, plain, indices)
  await update(client, token, [5], 'suspend', 'TokenStatusList')
  await update(client, suspended, [9], 'suspend', 'StatusList2021')
  await issueWithStatus(client, did, { statusListName: plain.statusListName })
  const encrypted = { did, statusListName: 'encrypted' }
  await client.ok('POST', '/credential-status/create/encrypted', {
    query: { listType: 'BitstringStatusList', statusPurpose: 'revocation' },
    json: {
      ...encrypted,
      paymentConditions: [{ feePaymentAddress: FEE, feePaymentAmount: 2, feePaymentWindow: 10_000 }],
    },
  })
  await client.ok('POST', '/credential-status/update/encrypted', {
    query: { listType: 'BitstringStatusList', statusAction: 'revoke' },
    json: { ...encrypted, indices: [4] },
  })
  assert.equal((await check(stranger, encrypted, { index: 4 })).revoked, true)
  // Of what does not happen here: nothing is sent.
  const webhook = { url: 'https://receiver.example/', types: ['did.deactivated'] }
  await client.ok('POST', '/account/webhooks', { json: webhook })
  const series = new YearlySeries(client, did, 'series')
  await series.create()
  const entries = [await series.issue(2100), await series.issue(2101)]
  await until(async () => (await series.members()).length === 3)
  const apiKeys = { main: main.apiKey, guest: guest.apiKey, readOnly: readOnly.apiKey }
  return { apiKeys, dids, kids, plain, token, suspended, encrypted, series, entries }
}

/** Everything that can be asked for without changing anything. */
async function answersOf(service: Service, installation: Installation): Promise<unknown> {
  const { apiKeys, dids, kids, plain, token, suspended, encrypted, series } = installation
  const client = await Client.of(service.url, apiKeys.main)
  const stranger = client.as(apiKeys.guest)
  const readOnly = client.as(apiKeys.readOnly)
  const answers: unknown[] = [
    ...(await Promise.all(kids.map((kid) => client.ok('GET', `/key/read/${kid}`)))),
    await readOnly.ok('GET', `/key/read/${kids[0]}`),
    (await readOnly.post('/key/create')).status,
    await client.ok('GET', '/did/list'),
    await series.members(client),
    await client.ok('GET', '/credential-status/payments'),
    await stranger.ok('GET', '/credential-status/payments'),
    await client.ok('GET', '/account/events', { query: { limit: '1000' } }),
    await client.ok('GET', '/account/webhooks'),
    await search(client, plain),
    await search(client, token, 'revocation', 'TokenStatusList'),
    await search(client, suspended, 'suspension', 'StatusList2021'),
    await check(client, plain, { indices: [0, 1, 2, 3, 70_000] }),
    await check(client, token, { index: 5 }, 'suspension', 'TokenStatusList'),
    await check(client, suspended, { index: 9 }, 'suspension', 'StatusList2021'),
    await check(client, encrypted, { index: 4 }),
    await check(stranger, encrypted, { index: 4, makeFeePayment: false }),
  ]
  for (const did of dids) {
    const { body } = await readPublic(client, did)
    const { didDocument, didDocumentMetadata } = body as Record<string, unknown>
    answers.push(didDocument, didDocumentMetadata)
  }
  const history = await readPublic(client, `${plain.did}?resourceName=${plain.statusListName}`)
  answers.push(history.status, history.body, history.headers.get('etag'))
  return answers
}

/** Keys sign, lists change, indices and numbers go on. */
async function goesOn(
  service: Service,
  { apiKeys, dids, plain, token, series, entries }: Installation,
): Promise<void> {
  const client = await Client.of(service.url, apiKeys.main)
  for (const did of dids) {
    const issued = await client.ok('POST', '/credential/issue', {
      json: { issuerDid: did, subjectDid: did, attributes: { degree: 'Master' } },
    })
    const { verified } = (await client.ok('POST', '/credential/verify', {
      json: { credential: issued },
    })) as { verified: boolean }
    assert.equal(verified, true, did)
  }
  const { credentialStatus } = await issueWithStatus(client, plain.did, {
    statusListName: plain.statusListName,
  })
  assert.match(String(credentialStatus.statusListIndex), /^\d+$/)
  await update(client, plain, [77])
  assert.equal((await check(client, plain, { index: 77 })).revoked, true)
  await update(client, token, [6], 'suspend', 'TokenStatusList')
  for (const [n, before] of entries.entries()) {
    const { list, index } = await series.issue(2100 + n, client)
    assert.equal(list, before.list)
    assert.notEqual(index, before.index)
    assert.equal((await series.revoke(before, client)).index, before.index)
  }
  await series.issue(2102, client)
  await until(async () => (await series.members(client)).length === 4)
  await createDid(client)
  const events = await service.audited({})
  assert.equal(new Set(events.map(({ sequence }) => sequence)).size, events.length)
}
