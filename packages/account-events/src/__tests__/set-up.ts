import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Accounts } from '@vidimus/accounts'
import { migrations } from '@vidimus/custody'
import { runInAccountScope, type Account, type AuthenticatedAccount } from '@vidimus/core-types'
import { Database } from '@vidimus/database'
import { PrivateKeyEnvelope } from '@vidimus/kms-node'
import { migratedDatabase, type Place } from '../../../../test/support/fresh-database.js'
import { workOn } from '@vidimus/work'
import { insertAccountEvent } from '../event-rows.js'
import { Events, type EventsOptions } from '../index.js'

export const SECRET = 'c0'.repeat(32)

/** A time that passes only where a test says so. */
export class Clock {
  private time = Date.parse('2026-05-01T12:00:00.000Z')

  readonly now = () => new Date(this.time)

  pass(seconds: number): void {
    this.time += seconds * 1000
  }
}

export interface Installation {
  database: Database
  accounts: Accounts
  events: Events
  clock: Clock
  envelope: PrivateKeyEnvelope
  account: Account
  other: Account
  /** an event in a transaction of its own */
  happen(subject: string, account?: Account): Promise<void>
  /** until nothing is due */
  deliver(): Promise<void>
  as<T>(account: AuthenticatedAccount, work: () => Promise<T>): Promise<T>
  stop(): Promise<void>
}

const TABLES = { migrations: [migrations] }

/** The URL of a database that {@link install} takes. */
export const emptyDatabase = (place: Place) => migratedDatabase(place, TABLES)

/** @param url - of the database; default: a fresh file */
export async function install(
  webhooks: EventsOptions['webhooks'] = {},
  { url, ...options }: EventsOptions & { url?: string } = {},
): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'vidimus-events-'))
  const database = new Database({
    url: url ?? `sqlite:${join(folder, 'agent.sqlite')}`,
    ...TABLES,
  })
  const clock = new Clock()
  const envelope = new PrivateKeyEnvelope({ secret: SECRET })
  const accounts = new Accounts(database, { clock: clock.now })
  const allowed = { allowHttp: true, allowPrivateAddresses: true, timeoutMs: 10_000 }
  const events = new Events(database, envelope, {
    clock: clock.now,
    webhooks: { ...allowed, ...webhooks },
    rights: accounts,
    ...options,
  })
  await database.lifecycle.start()
  await events.lifecycle.start()
  const known = await accounts.list()
  const named = async (name: string) =>
    known.find((account) => account.name === name) ?? (await accounts.create(name))
  const account = await named('one')
  const other = await named('other')
  return {
    database,
    accounts,
    events,
    clock,
    envelope,
    account,
    other,
    happen: async (subject, whose = account) => {
      await database.write((connection) =>
        insertAccountEvent(connection, whose.id, { type: 'did.created', subject }, clock.now().toISOString()),
      )
    },
    deliver: async () => {
      await events.place()
      try {
        await events.deliver().drain()
      } finally {
        await workOn(database).stop('delivery')
      }
    },
    as: (whose, work) => runInAccountScope(whose, work),
    stop: async () => {
      await events.lifecycle.stop()
      await database.lifecycle.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export interface Received {
  headers: IncomingHttpHeaders
  body: string
  /** subject of the event */
  subject: string
}

/** An event receiver. */
export class Receiver {
  readonly received: Received[] = []
  /** its response; the status only, or the whole response */
  answer: (received: Received, response: ServerResponse) => number | undefined = () => 204

  private readonly server = createServer((request, response) => {
    let body = ''
    request.on('data', (text: Buffer) => (body += text.toString()))
    request.on('end', () => {
      const { subject } = JSON.parse(body) as { subject: string }
      const one = { headers: request.headers, body, subject }
      this.received.push(one)
      const status = this.answer(one, response)
      if (status !== undefined) response.writeHead(status).end('a body that nobody keeps')
    })
  })

  async start(): Promise<this> {
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done))
    return this
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/events`
  }

  get subjects(): string[] {
    return this.received.map(({ subject }) => subject)
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((done) => this.server.close(done))
  }
}
