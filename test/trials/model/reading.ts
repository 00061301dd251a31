import { gunzipSync } from 'node:zlib'
import { assertLinear, statesOf, versionsOf } from '../../support/list-history.js'
import type { Client } from '../../support/client.js'
import { allDids } from '../nothing-lost.js'
import type { Facts, ModelDid, ModelList, Possible } from './facts.js'
import type { PublishedFolder } from './published.js'
import { readQuotas } from './quotas.js'
import { readRenewals } from './renewals.js'
import { untilSettled } from './settled.js'
import { readTrail, type Trail } from './trail.js'

/** For all beats that were due. */
const BEATS_WITHIN_MS = 60_000

/** What is read beside the facts. */
export interface Beside extends Trail {
  published: PublishedFolder
  renewed: readonly ModelList[]
}

/** Reads back every fact that was acknowledged. */
export async function readBack(client: Client, facts: Facts, beside: Beside): Promise<void> {
  await reading(facts, 'jobs', () => readJobs(client, facts))
  // First, as nobody reads an expired list.
  await reading(facts, 'renewals', () => readRenewals(client, facts, beside.renewed))
  await reading(facts, 'rotations', () => readRotations(client, facts))
  const beatsUntil = performance.now() + BEATS_WITHIN_MS
  for (const list of facts.lists)
    await reading(facts, list.address, () => readList(client, facts, list, beatsUntil - performance.now()))
  await reading(facts, 'DIDs', () => readDids(client, facts))
  await reading(facts, 'keys', () => readKeys(client, facts))
  await reading(facts, 'quotas', () => readQuotas(client, facts))
  await reading(facts, 'receipts', () => readReceipts(client, facts))
  await reading(facts, 'events and audit', () => readTrail(client, facts, beside))
  await reading(facts, 'publications', () => beside.published.read(client, facts))
}

async function reading(facts: Facts, what: string, read: () => Promise<void>): Promise<void> {
  try {
    await read()
  } catch (error) {
    facts.find(`${what} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

async function readJobs(client: Client, facts: Facts): Promise<void> {
  for (const { id, rows } of facts.jobs) {
    const job = await untilSettled(
      () =>
        client.ok('GET', `/credential-status/jobs/${id}`) as Promise<{
          state: string
          applied: number
          refused: number
        }>,
      ({ state }) => ['done', 'failed'].includes(state),
    )
    const { state, applied, refused } = job
    facts.hold(
      state === 'done' && applied + refused === rows,
      () => `acknowledged: the job ${id} of ${rows} rows is ${state}: ${applied} applied, ${refused} refused`,
    )
  }
}

async function readRotations(client: Client, facts: Facts): Promise<void> {
  for (const did of new Set(facts.rotations.map((one) => one.did))) {
    const { state } = await untilSettled(
      () => client.ok('GET', `/did/rotations/${did}`) as Promise<{ state: string }>,
      (rotation) => ['done', 'failed'].includes(rotation.state),
    )
    facts.hold(state === 'done', () => `acknowledged: the last rotation of ${did} is ${state}`)
  }
}

/** Every bit that somebody has changed, and that nobody has; the chain of its versions. */
async function readList(client: Client, facts: Facts, list: ModelList, beatsMs: number): Promise<void> {
  const { address } = list
  const versions = await versionsOf(client, list.name)
  list.versions.forEach((id) =>
    facts.hold(
      versions.some(({ resourceId }) => resourceId === id),
      () => `acknowledged: ${address} lost ${id}`,
    ),
  )
  assertLinear(versions)
  for (const { resourceId } of versions) list.versions.add(resourceId)
  if (!list.mustBePublished) {
    if (!list.isOfStranger && isThere(facts, list))
      await holdStates(client, facts, list, 'stored', 0, () => stored(client, list))
    return
  }
  await holdStates(client, facts, list, 'published', beatsMs, async () =>
    list.publishEvery === undefined || isShared(list)
      ? statesOf(client, list.name, list.list.statusPurpose, list.list.listType)
      : decoded(client, (await versionsOf(client, list.name)).at(-1)?.resourceId ?? '', list),
  )
}

const isThere = (facts: Facts, list: ModelList) =>
  facts.dids.some(({ did, state }) => did === list.list.did && state === 'there')

/** One that is read through the API alone; those that end with their DID nobody accepts any more. */
const isShared = ({ list }: ModelList) => !list.statusListName.startsWith('paced-')

/** What it says must be so within a time, as a beat may be due. */
async function holdStates(
  client: Client,
  facts: Facts,
  list: ModelList,
  what: string,
  mostMs: number,
  read: () => Promise<ReadonlyMap<number, number>>,
): Promise<void> {
  const history = (index: number) => valuesInVersions(client, list, index)
  const wrong = (states: ReadonlyMap<number, number>) => {
    const indices = new Set([...list.known.keys(), ...(list.isKnownWhole ? states.keys() : [])])
    return [...indices].filter((index) => !list.possible(index).has(states.get(index) ?? 0))
  }
  const states = await untilSettled(read, (found) => wrong(found).length === 0, mostMs)
  const state = facts.dids.find(({ did }) => did === list.list.did)?.state
  const where = `${list.address}${state === undefined || state === 'there' ? '' : `, whose DID is ${state},`}`
  for (const index of wrong(states)) {
    const value = `${states.get(index) ?? 0}, not ${or(list.possible(index))}`
    facts.find(
      `acknowledged: ${what}, ${index} of ${where} is ${value}; noted: ${list.noted(index).join(', ')}; ` +
        `in its versions: ${await history(index).catch(String)}`,
    )
  }
}

/** @returns since which version the entry of a list of the W3C has which value */
async function valuesInVersions(client: Client, { list, name }: ModelList, index: number): Promise<string> {
  const values: string[] = []
  let before: number | undefined
  for (const { resourceId, created } of await versionsOf(client, name)) {
    const answer = await fetch(`${client.url}/1.0/identifiers/${list.did}/resources/${resourceId}`)
    const text = await answer.text()
    const json = /^[\w-]+\./.test(text) ? Buffer.from(text.split('.')[1] ?? '', 'base64url').toString() : text
    const [, encoded = ''] = /"encodedList":"u?([\w-]+)"/.exec(json) ?? []
    const size = Number(/"statusSize":(\d)/.exec(json)?.[1] ?? 1)
    const bytes = gunzipSync(Buffer.from(encoded, 'base64url'))
    const first = index * size
    const value = ((bytes[first >> 3] ?? 0) >> (8 - size - (first % 8))) & (2 ** size - 1)
    if (value !== before) values.push(`${created} ${resourceId} ${value}`)
    before = value
  }
  return values.join(', ')
}

const or = (values: Possible) => [...values].join(' or ')

async function stored(client: Client, { list, name, known }: ModelList): Promise<Map<number, number>> {
  const indices = [...known.keys()]
  if (indices.length === 0) return new Map()
  const { results } = (await client.ok('POST', '/credential-status/check', {
    query: { listType: list.listType, statusPurpose: list.statusPurpose },
    json: { ...name, indices, state: 'stored' },
  })) as { results: { index: number; status: number }[] }
  return new Map(results.map(({ index, status }) => [index, status]))
}

/** By the bits of a version, without any code of the service. */
async function decoded(
  client: Client,
  resourceId: string,
  { list }: ModelList,
): Promise<Map<number, number>> {
  const jwt = await (await fetch(`${client.url}/1.0/identifiers/${list.did}/resources/${resourceId}`)).text()
  const { credentialSubject } = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as {
    credentialSubject: { encodedList: string; statusSize?: number }
  }
  const { encodedList, statusSize = 1 } = credentialSubject
  const bytes = gunzipSync(Buffer.from(encodedList.slice(1), 'base64url'))
  const states = new Map<number, number>()
  for (let index = 0; index < (bytes.length * 8) / statusSize; index += 1) {
    const first = index * statusSize
    const value = ((bytes[first >> 3] ?? 0) >> (8 - statusSize - (first % 8))) & (2 ** statusSize - 1)
    if (value !== 0) states.set(index, value)
  }
  return states
}

async function readDids(client: Client, facts: Facts): Promise<void> {
  const listed = await allDids(client)
  const { dids } = (await client.ok('GET', '/account/usage')) as { dids: { used: number } }
  facts.hold(
    dids.used === listed.size,
    () => `exact: ${dids.used} DIDs are counted, ${listed.size} are there`,
  )
  for (const did of facts.dids) {
    if (did.state === 'in doubt') continue
    const isListed = listed.has(did.did)
    facts.hold(
      isListed === (did.state !== 'removed'),
      () => `acknowledged: ${did.did} is ${did.state}, listed: ${isListed}`,
    )
    await readDocument(client, facts, did)
  }
}

async function readDocument(client: Client, facts: Facts, { did, state, service }: ModelDid): Promise<void> {
  const { body } = await client.get(`/1.0/identifiers/${did}`, {
    headers: { accept: 'application/did-resolution' },
  })
  const { didDocument, didDocumentMetadata } = body as {
    didDocument: { service?: { id: string }[] }
    didDocumentMetadata: { deactivated?: boolean }
  }
  const isDeactivated = didDocumentMetadata.deactivated === true
  facts.hold(
    isDeactivated === (state === 'deactivated'),
    () => `final: ${did} is ${state}, deactivated: ${isDeactivated}`,
  )
  const found = didDocument.service?.[0]?.id.slice(did.length + 1) ?? null
  facts.hold(
    service === undefined || found === service,
    () => `acknowledged: the service of ${did} is ${found}, not ${service}`,
  )
}

async function readKeys(client: Client, facts: Facts): Promise<void> {
  for (const kid of facts.keys) await client.ok('GET', `/key/read/${kid}`)
}

async function readReceipts(client: Client, facts: Facts): Promise<void> {
  for (const { receipt, resourceId } of facts.receipts) {
    const verdict = (await client.ok('POST', '/credential-status/receipts/verify', {
      json: { receipt },
    })) as {
      verified: boolean
      receipt?: { resourceId: string }
    }
    const isTrue = verdict.verified && verdict.receipt?.resourceId === resourceId
    // A key that has left the document verifies nothing any more.
    const isSigned = !JSON.stringify(verdict).includes('"check":"signature","ok":false')
    facts.hold(isTrue || !isSigned, () => `acknowledged: a receipt says ${JSON.stringify(verdict)}`)
  }
}
