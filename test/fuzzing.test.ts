import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from '@vidimus/database'
import fc from 'fast-check'
import { createDid, createList } from './behaviour/suite.js'
import { Client, type Request } from './support/client.js'
import { openDatabase } from './support/open-database.js'
import {
  requestArbitrary,
  type GeneratedRequest,
  type OperationObject,
  type Schema,
} from './support/request-arbitrary.js'
import { Service } from './support/service.js'
import { until } from './support/until.js'

/** Requests for each operation; `npm run test:all` asks for more. */
const RUNS = Number(process.env.FUZZING_RUNS ?? 10)
/** Milliseconds after which an answer counts as a hang. */
const HANG = 20_000
/** Work that an earlier request began in the background changes something as well, but not each time. */
const MOST_ATTEMPTS = 5
/** Written whatever the outcome of a request: who tried what, and when a key was used last. */
const BESIDE_THE_REQUEST = ['audit_event', 'api_key']
/** Written some time after the previous request: positions of events and outcomes of deliveries. */
const AFTER_THE_REQUEST = ['account_event_head', 'account_event_keeping', 'webhook', 'webhook_delivery']
/** Rows get their places later; how many there are does not change. */
const COUNTED = ['account_event']

type Database = Awaited<ReturnType<typeof openDatabase>>

/** Every operation of the API document, with requests that are made of it. */
describe('random requests', () => {
  let dataDirectory: string
  let service: Service
  let client: Client
  let operator: Client
  let database: Database
  let known: Record<string, unknown[]>

  before(async () => {
    dataDirectory = await mkdtemp(join(tmpdir(), 'vidimus-fuzzing-'))
    service = await Service.start({ dataDirectory, environment: { LOG_LEVEL: 'warn' } })
    client = await Client.of(service.url, service.apiKey)
    operator = client.as((await service.apiKeyOf('operations', { scopes: ['operator'] })).apiKey)
    await service.apiKeyOf('fuzzed')
    database = await openDatabase(service)
    known = await meaningfulValues(client)
  })
  after(async () => {
    await database.lifecycle.stop()
    await service.stop()
    await rm(dataDirectory, { recursive: true, force: true })
  })

  it('are answered as documented without server errors, and change nothing when refused', async () => {
    const { paths, components } = client.openApi as unknown as {
      paths: Record<string, Record<string, OperationObject>>
      components: { schemas?: Record<string, Schema> }
    }
    const state = new StateOfDatabase(database)
    const met = new Set<number>()
    for (const [template, methods] of Object.entries(paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const requests = requestArbitrary(operation, components.schemas ?? {}, known)
        await fc.assert(
          fc.asyncProperty(requests, async (request) => {
            for (let attempt = 1; ; attempt++) {
              const before = await state.digest()
              const who = template.startsWith('/operator/') ? operator : client
              const status = await send(who, method.toUpperCase(), template, request)
              met.add(status)
              assert.ok(status < 500 || status === 501, `${method} ${template} answered ${status}`)
              if (status < 400 || (await state.digest()) === before) break
              assert.ok(attempt < MOST_ATTEMPTS, 'a refused request changed something')
            }
          }),
          { numRuns: RUNS },
        )
      }
    }
    // the requests were neither all good nor all bad
    for (const status of [200, 400, 404]) assert.ok(met.has(status), `none was answered with ${status}`)
    assert.equal(service.running, true)
    assert.doesNotMatch(service.log, /request failed/)
  })
})

/** Fingerprints of everything stored, recomputed only after a commit. */
class StateOfDatabase {
  private version: number | undefined
  private known = ''

  constructor(private readonly database: Database) {}

  async digest(): Promise<string> {
    await this.everythingTold()
    const [row] = await this.database.query<{ data_version: number }>(sql`PRAGMA data_version`)
    if (row?.data_version === this.version) return this.known
    const tables = await this.database.query<{ name: string }>(
      sql`SELECT "name" FROM "sqlite_master" WHERE "type" = 'table' ORDER BY "name"`,
    )
    const digest = createHash('sha256')
    for (const { name } of tables) {
      if ([...BESIDE_THE_REQUEST, ...AFTER_THE_REQUEST].includes(name)) continue
      const found = await this.database.query(allOf(name))
      const rows = COUNTED.includes(name) ? found.length : found
      digest.update(name).update(JSON.stringify(rows))
    }
    this.version = row?.data_version
    this.known = digest.digest('hex')
    return this.known
  }

  /** The outcome of an announced event is stored after the response. */
  private async everythingTold(): Promise<void> {
    const announced = sql`SELECT 1 FROM work_item WHERE kind = 'event' LIMIT 1`
    await until(async () => (await this.database.query(announced)).length === 0)
  }
}

/** The name comes from the database itself. */
const allOf = (table: string) => sql(Object.assign([`SELECT * FROM "${table}"`], { raw: [] }))

async function meaningfulValues(client: Client): Promise<Record<string, unknown[]>> {
  const did = await createDid(client)
  const list = await createList(client, { did })
  const { statusListName: other } = await createList(client, {
    did,
    listType: 'StatusList2021',
    statusPurpose: 'suspension',
  })
  const { kid } = (await client.ok('POST', '/key/create')) as { kid: string }
  const issued = (await client.ok('POST', '/credential/issue', {
    json: { issuerDid: did, subjectDid: did, attributes: { a: 1 }, credentialStatus: { ...list } },
  })) as { proof: { jwt: string } }
  const presented = (await client.ok('POST', '/presentation/create', {
    json: { credentials: [issued.proof.jwt], holderDid: did },
  })) as { proof: { jwt: string } }
  return {
    did: [did],
    issuerDid: [did],
    subjectDid: [did],
    holderDid: [did],
    statusListName: [list.statusListName, other],
    listType: ['BitstringStatusList', 'StatusList2021', 'TokenStatusList'],
    statusPurpose: ['revocation', 'suspension'],
    statusAction: ['revoke', 'suspend', 'reinstate', '0x1'],
    indices: [[0], [1, 2]],
    index: [0],
    kid: [kid],
    key: [kid],
    credential: [issued.proof.jwt, issued],
    credentials: [[issued.proof.jwt]],
    presentation: [presented.proof.jwt],
    length: [131_072],
    attributes: [{ name: 'x' }],
    // of an account
    name: ['fuzzed', 'fuzzed*'],
  }
}

/** URLs drop empty segments, and those of dots alone, before anything is sent. */
const pathSegment = (text: string): string =>
  ['', '.', '..'].includes(text) ? '-' : encodeURIComponent(wellFormed(text))

async function send(
  client: Client,
  method: string,
  template: string,
  { path, query, body, encoding }: GeneratedRequest,
): Promise<number> {
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => pathSegment(textOf(path[name])))
  const request: Request = { query: texts(query), ...(method === 'POST' && bodyOf(body, encoding)) }
  let timer: NodeJS.Timeout | undefined
  const hang = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${method} ${template} was not answered`)), HANG)
  })
  try {
    return (await Promise.race([client.call(method, filled, request), hang])).status
  } finally {
    clearTimeout(timer)
  }
}

function bodyOf(body: unknown, encoding: 'json' | 'form'): Request {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  if (encoding === 'json' || !isObject) return { json: body }
  return { form: texts(body as Record<string, unknown>) }
}

/** Fields as a form or a query has them. */
const texts = (fields: Record<string, unknown>): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      Array.isArray(value) && value.every((entry) => typeof entry !== 'object')
        ? value.map(textOf)
        : textOf(value),
    ]),
  )

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** No URL can hold half of a surrogate pair. */
const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd')
