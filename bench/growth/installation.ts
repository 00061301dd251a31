import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Database, sql, type Dialect } from '@vidimus/database'
import { atOnce } from '../../test/support/list-history.js'
import { Client } from '../../test/support/client.js'
import type { PostgresDatabases } from '../../test/support/postgres-server.js'
import { recording } from '../../test/support/recorded-statements.js'
import { TABLES } from '../../test/support/recount.js'
import { Service } from '../../test/support/service.js'
import { prepareForMuch } from './dialects.js'
import { countAnew, fillWithAccounts, fillWithDids, repeatRow, type TemplateDid } from './fill.js'

/** How much there is in a database. */
export interface Growth {
  /** of one account, each with a key */
  dids: number
  /** of the same account, all of one DID */
  lists: number
  /** of one of these lists */
  versions: number
  /** of a DID document */
  documents: number
  accounts: number
  /** of all accounts, nearly all of them of the one */
  events: number
  audits: number
}

/** With so much every listing has more than one page. */
export const EMPTY: Growth = {
  ...{ dids: 25, lists: 25, versions: 25, documents: 25, accounts: 3, events: 0, audits: 0 },
}

export const MILLION: Growth = {
  dids: 1_000_000,
  lists: 5_000,
  versions: 1_000,
  documents: 500,
  accounts: 1_000,
  events: 5_000_000,
  audits: 2_000_000,
}

const SECRET = 'a5'.repeat(32)
const LIST_TYPE = 'BitstringStatusList'
const AT_ONCE = 32
const ONE_HOUR_MS = 3_600_000

/** Names of what the large account has and operations are about. */
export interface Subjects {
  account: { id: string; name: string }
  apiKey: string
  /** publishes all lists */
  publisher: string
  list: { did: string; statusListName: string }
  /** with many versions */
  history: { did: string; statusListName: string }
  /** with many documents */
  changed: string
  kid: string
}

/** An installation with a large account in it, which is stopped and started while it grows. */
export class Installation {
  private running: Service | undefined

  private constructor(
    readonly dialect: Dialect,
    readonly folder: string,
    /** `null`: the file in the folder */
    readonly databaseUrl: string | null,
    readonly subjects: Subjects,
    private readonly template: TemplateDid,
  ) {}

  /** With as much as `EMPTY` has, made by requests. */
  static async create(dialect: Dialect, server: PostgresDatabases): Promise<Installation> {
    const folder = await mkdtemp(join(tmpdir(), 'vidimus-growth-'))
    const databaseUrl = dialect === 'postgres' ? await server.createDatabase() : null
    const service = await startService(folder, databaseUrl)
    const { subjects, template } = await begin(service)
    const installation = new Installation(dialect, folder, databaseUrl, subjects, template)
    installation.running = service
    await installation.addByRequests(EMPTY)
    return installation
  }

  get service(): Service {
    if (!this.running) throw new Error('it is stopped')
    return this.running
  }

  /** @param statementsFile - where it writes the statements that it gives to its database */
  async start(statementsFile?: string): Promise<void> {
    this.running = await startService(this.folder, this.databaseUrl, statementsFile)
  }

  async stop(): Promise<void> {
    await this.running?.stop()
    this.running = undefined
  }

  async remove(): Promise<void> {
    await this.stop()
    await rm(this.folder, { recursive: true, force: true })
  }

  /** The database, beside the service or without it. */
  async withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
    const database = new Database({
      url: this.databaseUrl,
      dataDirectory: this.folder,
      postgres: { statementTimeoutMs: ONE_HOUR_MS },
      ...TABLES,
    })
    await database.lifecycle.start()
    try {
      return await work(database)
    } finally {
      await database.lifecycle.stop()
    }
  }

  /** Makes it as large as that: lists and histories by requests, all else by copying rows while nothing runs. */
  async grow(to: Growth, log: (text: string) => void): Promise<void> {
    log(`${to.lists} lists, ${to.versions} versions, ${to.documents} documents`)
    await this.addByRequests(to)
    await this.stop()
    await this.withDatabase(async (database) => {
      await prepareForMuch(database)
      log(`${to.accounts} accounts`)
      await fillWithAccounts(database, await oneOf(database, 'small'), to.accounts - EMPTY.accounts)
      log(`${to.dids} DIDs`)
      await fillWithDids(database, this.template, to.dids - EMPTY.dids, SECRET)
      log(`${to.events} events, ${to.audits} rows of the audit trail`)
      await this.repeatRows(database, to)
      await countAnew(database)
    })
  }

  private async repeatRows(database: Database, { events, audits }: Growth): Promise<void> {
    const { id } = this.subjects.account
    for (const [table, amount, test] of [
      ['account_event', events, sql`account_id = ${id} AND type = 'list.updated'`],
      ['audit_event', audits, sql`account_id = ${id} AND event = 'resource-updated'`],
    ] as const) {
      const name = table === 'account_event' ? sql`account_event` : sql`audit_event`
      const [row] = await database.query<{ sequence: number }>(
        sql`SELECT sequence FROM ${name} WHERE ${test} ORDER BY sequence LIMIT 1`,
      )
      const [there] = await database.query<{ n: number }>(sql`SELECT COUNT(*) AS n FROM ${name}`)
      if (!row) throw new Error(`${table}: nothing is there to be repeated`)
      await repeatRow(database, { table, sequence: row.sequence, amount: amount - Number(there?.n) })
    }
  }

  private async addByRequests({ lists, versions, documents }: Growth): Promise<void> {
    const { publisher, history, changed, apiKey } = this.subjects
    const client = (await Client.of(this.service.url)).as(apiKey)
    const has = async (path: string, query: Record<string, string>) =>
      ((await client.ok('GET', path, { query: { ...query, limit: '1' } })) as { total: number }).total
    const missing = (to: number, from: number) =>
      Array.from({ length: Math.max(0, to - from) }, (_, n) => from + n)
    const listsNow = await has('/credential-status/list', { did: publisher })
    await atOnce(AT_ONCE, missing(lists, listsNow), (n) => createList(client, publisher, `list-${n}`))
    const versionsNow = await has('/credential-status/versions', { ...history, listType: LIST_TYPE })
    for (const n of missing(versions, versionsNow)) await update(client, history, n)
    const { versions: found } = await documentsOf(client, changed)
    for (const n of missing(documents, found.length)) await changeDocument(client, changed, n)
  }
}

async function startService(
  folder: string,
  databaseUrl: string | null,
  statementsFile?: string,
): Promise<Service> {
  const options = {
    dataDirectory: folder,
    environment: {
      LOG_LEVEL: 'warn',
      KMS_SECRET_KEY: SECRET,
      METRICS_PORT: '0',
      ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }),
    },
    configure: (text: string) =>
      text.replace(/requests: 600000/g, 'requests: 100000000').replace('dids: 1000000', 'dids: 2000000'),
  }
  return Service.start(statementsFile === undefined ? options : recording(statementsFile, options))
}

async function begin(service: Service): Promise<{ subjects: Subjects; template: TemplateDid }> {
  for (const name of ['small', 'neighbour']) await service.apiKeyOf(name)
  const { apiKey } = await service.apiKeyOf('large')
  const account = await service.accounts(async (accounts) =>
    (await accounts.list()).find(({ name }) => name === 'large'),
  )
  if (!account) throw new Error('the account was just created')
  const client = (await Client.of(service.url)).as(apiKey)
  const create = async (headers = {}) =>
    (await client.ok('POST', '/did/create', { json: { network: 'testnet' }, headers })) as {
      did: string
      controllerKeyId: string
    }
  const { did, controllerKeyId: kid } = await create({ 'idempotency-key': 'the-one-that-is-copied' })
  const { did: publisher } = await create()
  const { did: changed } = await create()
  const { did: gone } = await create()
  await client.ok('POST', '/1.0/deactivate', { json: { did: gone } })
  for (let n = 4; n < EMPTY.dids; n += 1) await create()
  const [list, history] = ['list', 'history'].map((statusListName) => ({ did: publisher, statusListName }))
  if (!list || !history) throw new Error('there are two')
  for (const { statusListName } of [list, history]) await createList(client, publisher, statusListName)
  await update(client, list, 1)
  return {
    subjects: { account, apiKey, publisher, list, history, changed, kid },
    template: { accountId: account.id, did, kid },
  }
}

const createList = (client: Client, did: string, statusListName: string) =>
  client.ok('POST', '/credential-status/create/unencrypted', {
    query: { listType: LIST_TYPE, statusPurpose: 'revocation' },
    json: { did, statusListName },
  })

/** With a version of its own, however many are made at a time. */
const update = (client: Client, list: Subjects['list'], n: number) =>
  client.ok('POST', '/credential-status/update/unencrypted', {
    query: { listType: LIST_TYPE, statusAction: 'revoke' },
    json: { ...list, indices: [n], statusListVersion: String(n) },
  })

async function documentsOf(client: Client, did: string): Promise<{ versions: unknown[] }> {
  const { contentStream } = (await client.ok('GET', `/1.0/identifiers/${did}/versions`)) as {
    contentStream: { versions: unknown[] }
  }
  return contentStream
}

const changeDocument = (client: Client, did: string, n: number) => {
  const service = { id: `${did}#s`, type: 'LinkedDomains', serviceEndpoint: 'https://one.example' }
  const operation = n % 2 === 1 ? 'addToDidDocument' : 'removeFromDidDocument'
  return client.ok('POST', '/1.0/update', {
    json: {
      did,
      didDocumentOperation: [operation],
      didDocument: [{ service: [n % 2 === 1 ? service : { id: service.id }] }],
    },
  })
}

async function oneOf(database: Database, name: string): Promise<{ id: string; name: string }> {
  const [account] = await database.query<{ id: string; name: string }>(
    sql`SELECT id, name FROM account WHERE name = ${name}`,
  )
  if (!account) throw new Error(`there is no account ${name}`)
  return account
}
