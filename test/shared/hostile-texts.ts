import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { Answer, Client, Request } from '../support/client.js'
import {
  METHODS,
  OPERATIONS,
  statusEntry,
  type Belongings,
  type Own,
  type Row,
} from '../support/isolation-table.js'
import {
  visitArguments,
  withArgument,
  type ArgumentPath,
  type Schema,
  type Schemas,
} from '../support/naming-arguments.js'
import { createDid, createList, freshName, type Setup } from './suite.js'

/** As it stands in JSON, and in a URL. */
interface HostileText {
  text: string
  escaped: string
  /** no database, ledger or UTF-8 encoder carries it unchanged */
  isUnfit?: true
}

const strange = (text: string): HostileText => ({ text, escaped: encodeURIComponent(text) })

/** Longer than an entry of an index may be, and not to be compressed, as PostgreSQL does. */
const LONG = randomBytes(4500).toString('base64url')
const TEXTS: Readonly<Record<string, HostileText>> = {
  NUL: { text: 'a\0b', escaped: 'a%00b', isUnfit: true },
  'half a character': { text: 'a\ud800b', escaped: 'a%ED%A0%80b', isUnfit: true },
  long: strange(LONG),
  constructor: strange('constructor'),
  __proto__: strange('__proto__'),
  toString: strange('toString'),
  'one character': strange('caf\u00e9'),
  'two characters that look like it': strange('cafe\u0301'),
}
const ALL = Object.values(TEXTS)

/** What takes things away comes last. */
const TAKES = /delete|revoke|remove|deactivate|DELETE|import/i

interface Door {
  title: string
  base: Request & { path?: Record<string, string> }
  /** of every text: `json`, `query` or `path`, and where it stands there */
  texts: ArgumentPath[]
}

/** Every text that any operation or agent method takes, as nobody should send it: a 4xx with its name, never a failure. */
export function hostileTextSuite({ client, service }: Setup): void {
  let doors: Door[]
  before(async () => {
    doors = await everyDoor(client())
  })
  afterEach(() => assert.ok(service().running))

  for (const [what, hostile] of Object.entries(TEXTS)) {
    const title = hostile.isUnfit ? 'is a 400 that names it' : 'is no failure'
    it(`${title}: ${what} in any text`, async () => {
      const met = await sweep(client(), doors, () => hostile)
      for (const status of hostile.isUnfit ? [] : [200, 400, 404]) assertMet(met, status)
    })
  }
  it('made no request fail', () => assert.doesNotMatch(service().log, /request failed/))

  it('is a 400 that names it: a long idempotency key', () => longIdempotencyKey(client()))
}

/** The same doors, and to each text one of the hostile ones after the other: for where every second counts. */
export function hostileTextSample(client: () => Client): void {
  it('is a 400 that names it, or no failure: a hostile text in each text of every operation and method', async () => {
    let turn = 0
    const met = await sweep(client(), await everyDoor(client()), () => ALL[turn++ % ALL.length] ?? ALL[0]!)
    for (const status of [200, 400, 404]) assertMet(met, status)
  })

  it('is a 400 that names it: a long idempotency key', () => longIdempotencyKey(client()))
}

/** Sends each text of each door as another one. @returns how often each status was met */
async function sweep(
  client: Client,
  doors: readonly Door[],
  next: () => HostileText,
): Promise<Map<number, number>> {
  const met = new Map<number, number>()
  for (const door of doors) {
    for (const place of door.texts) {
      const hostile = next()
      const { status, body } = await call(client, door, place, hostile)
      met.set(status, (met.get(status) ?? 0) + 1)
      const told = `${door.title} ${place.join('.')} ${hostile.text.slice(0, 12)}: ${status} ${JSON.stringify(body)}`
      assert.ok(status < 500 || status === 501, told)
      if (!hostile.isUnfit) continue
      assert.equal(status, 400, told)
      assert.ok(isNamed(place, JSON.stringify(body)) || isDidUrl(door), told)
    }
  }
  const sent = [...met.values()].reduce((sum, times) => sum + times, 0)
  assert.ok(sent > 300, String(sent))
  return met
}

const assertMet = (met: ReadonlyMap<number, number>, status: number): void =>
  assert.ok(met.has(status), `none was answered with ${status}`)

async function longIdempotencyKey(client: Client): Promise<void> {
  const headers = { 'idempotency-key': 'x'.repeat(6000) }
  const { status, body } = await client.post('/key/create', { headers })
  assert.equal(status, 400)
  assert.match(JSON.stringify(body), /"path":"idempotency-key"/)
  for (const key of ['constructor', '__proto__'])
    assert.equal((await client.post('/key/create', { headers: { 'idempotency-key': key } })).status, 200)
}

async function everyDoor(client: Client): Promise<Door[]> {
  const things = await ownThings(client)
  const doors = [...(await agentDoors(client, things)), ...restDoors(client, things)]
  return doors.sort((one, other) => Number(TAKES.test(one.title)) - Number(TAKES.test(other.title)))
}

/** What is no UTF-8 in a path is told of that as a whole. */
const isNamed = (place: ArgumentPath, told: string): boolean =>
  told.includes(place.findLast((step) => step !== '0') ?? '') ||
  (place[0] === 'path' && told.includes('"path: '))

/** Results of resolution tell of the DID URL as a whole. */
const isDidUrl = ({ title }: Door): boolean => title.includes(' /1.0/identifiers/')

function call(
  client: Client,
  { title, base }: Door,
  [part = '', ...place]: ArgumentPath,
  { text, escaped }: HostileText,
): Promise<Answer> {
  const [method = '', template = ''] = title.split(' ')
  const { path = {}, query = {}, ...request } = base
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) =>
    part === 'path' && place[0] === name ? escaped : encodeURIComponent(path[name] ?? 'x'),
  )
  if (part === 'path') return client.call(method, filled, { ...request, query })
  if (part === 'json')
    return client.call(method, filled, { ...request, query, json: withArgument(request.json, place, text) })
  const others = Object.entries(query).filter(([name]) => name !== place[0])
  const pairs = [...others.flatMap(([name, values]) => [values].flat().map((value) => [name, value]))]
  const written = [...pairs.map(([name = '', value = '']) => `${name}=${encodeURIComponent(value)}`)]
  return client.call(method, `${filled}?${[...written, `${place[0]}=${escaped}`].join('&')}`, request)
}

const isText = (_: ArgumentPath, { type, enum: values }: Schema): boolean =>
  [type].flat().includes('string') && values === undefined

async function agentDoors(client: Client, things: [Belongings, Own]): Promise<Door[]> {
  const { body } = await client.get('/open-api.json')
  const document = body as {
    components: { schemas: Schemas }
    'x-methods': Record<string, { arguments: Schema }>
  }
  return Object.entries(document['x-methods']).map(([method, { arguments: args }]) => ({
    title: `POST /agent/${method}`,
    base: baseOf(METHODS[method], things),
    texts: visitArguments(args, document.components.schemas, isText).map((path) => ['json', ...path]),
  }))
}

function restDoors(client: Client, things: [Belongings, Own]): Door[] {
  const { paths, components } = client.openApi as unknown as {
    paths: Record<string, Record<string, Described>>
    components?: { schemas?: Schemas }
  }
  const schemas = components?.schemas ?? {}
  return Object.entries(paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => {
      const title = `${method.toUpperCase()} ${template}`
      const body = requestBody?.content['application/json']?.schema
      const beside = parameters.filter(({ in: place, schema }) => place !== 'header' && isText([], schema))
      return {
        title,
        base: baseOf(OPERATIONS[title], things),
        texts: [
          ...visitArguments(body, schemas, isText).map((path) => ['json', ...path]),
          ...beside.map(({ name, in: place }) => [place, name]),
        ],
      }
    }),
  )
}

interface Described {
  parameters?: { name: string; in: string; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

/** The first request of a row, with what is the caller's own. */
function baseOf(row: Row | undefined, [theirs, own]: [Belongings, Own]): Door['base'] {
  const named = [row?.foreign, row?.unheld, row?.refused].flatMap((each) => Object.values(each ?? {}))
  const [first] = [row?.own, row?.shared, row?.published, ...named].filter((one) => one !== undefined)
  return first?.(theirs, own) ?? {}
}

async function ownThings(client: Client): Promise<[Belongings, Own]> {
  const did = await createDid(client)
  const { statusListName } = await createList(client, { did })
  const key = (await client.ok('POST', '/did/create', { json: { providerId: 'did:key' } })) as {
    did: string
    controllerKeyId: string
  }
  const issued = (await client.ok('POST', '/credential/issue', {
    json: {
      issuerDid: did,
      subjectDid: did,
      attributes: { a: 1 },
      credentialStatus: statusEntry(did, statusListName),
    },
  })) as { proof: { jwt: string } }
  const credential = issued.proof.jwt
  const belongings = {
    did,
    keyDid: key.did,
    kid: key.controllerKeyId,
    alias: freshName('alias'),
    service: `${did}#svc`,
    statusListName,
    encryptedListName: statusListName,
    credential,
    resourceId: '00000000-0000-4000-8000-000000000000',
    versionId: '00000000-0000-4000-8000-000000000000',
    apiKeyId: 'none',
    webhookId: 'none',
  }
  return [belongings, { did, credential, presentation: credential, jwe: '{}' }]
}
