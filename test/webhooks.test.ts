import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Webhook as Oracle } from 'standardwebhooks'
import type { AccountEvent, CreatedWebhook, DeadLetter, Webhook } from '@vidimus/core-types'
import { createDid, createList } from './shared/suite.js'
import { Client } from './support/client.js'
import { EventStream } from './support/event-stream.js'
import { freshDatabase, PLACES } from './support/fresh-database.js'
import { Service } from './support/service.js'

const root = resolve(import.meta.dirname, '..')
const HOOKS = '/account/webhooks'

/** Receivers of tests are on this machine. */
const local = (text: string) =>
  text
    .replace('allowHttp: false', 'allowHttp: true')
    .replace('        allowPrivateAddresses: false\n', '        allowPrivateAddresses: true\n')
/** What fails is tried again soon. */
const hasty = (text: string) => local(text).replace('firstRetrySeconds: 5', 'firstRetrySeconds: 0.1')
/** And given up with the next attempt that fails, as a day after the first is. */
const givingUp = (text: string) => hasty(text).replace('retryHours: 24', 'retryHours: 0')

interface Arrival {
  id: string
  event: AccountEvent
}

/** Somebody who is sent events, and verifies each of them with the library of Standard Webhooks. */
class Receiver {
  readonly arrivals: Arrival[] = []
  readonly wrong: unknown[] = []
  secret = ''
  answer: (response: ServerResponse) => void = (response) => void response.writeHead(204).end()
  private news: (() => void) | undefined

  private readonly server = createServer((request, response) => {
    let body = ''
    request.on('data', (text: Buffer) => (body += text.toString()))
    request.on('end', () => {
      const headers = request.headers as Record<string, string>
      try {
        const event = new Oracle(this.secret).verify(body, headers) as AccountEvent
        this.arrivals.push({ id: headers['webhook-id'] ?? '', event })
      } catch (error) {
        this.wrong.push(error)
      }
      this.answer(response)
      this.news?.()
    })
  })

  async start(): Promise<this> {
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done))
    return this
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`
  }

  /** Waits for it. */
  async until(found: () => boolean): Promise<void> {
    while (!found()) await new Promise<void>((done) => (this.news = done))
    assert.deepEqual(this.wrong, [])
  }

  has = (subject: string) => this.arrivals.some(({ event }) => event.subject === subject)

  async stop(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((done) => this.server.close(done))
  }
}

for (const place of PLACES) {
  describe(`webhooks in trial (${place})`, () => {
    let dataDirectory: string
    let url: string
    let services: Service[]
    let receiver: Receiver
    let apiKey: string | undefined
    beforeEach(async () => {
      dataDirectory = await mkdtemp(join(tmpdir(), 'vidimus-webhooks-'))
      url = await freshDatabase(place)
      services = []
      apiKey = undefined
      receiver = await new Receiver().start()
    })
    afterEach(async () => {
      await receiver.stop()
      for (const service of services) await service.stop()
      await rm(dataDirectory, { recursive: true, force: true })
    })

    async function start(configure = local): Promise<{ service: Service; client: Client }> {
      const environment = { LOG_LEVEL: 'warn', DATABASE_URL: url }
      const service = await Service.start({ dataDirectory, environment, configure })
      services.push(service)
      apiKey ??= service.apiKey
      return { service, client: await Client.of(service.url, apiKey) }
    }
    async function subscribe(client: Client, types?: string[]): Promise<CreatedWebhook> {
      const json = { url: receiver.url, ...(types && { types }) }
      const webhook = (await client.ok('POST', HOOKS, { json })) as CreatedWebhook
      receiver.secret = webhook.secret
      return webhook
    }
    async function listed(client: Client, id: string): Promise<Webhook> {
      const { webhooks } = (await client.ok('GET', HOOKS)) as { webhooks: Webhook[] }
      return webhooks.find((webhook) => webhook.id === id) ?? assert.fail('it is not there')
    }

    it('deliver what happens, verified by the library of the specification', async () => {
      const { client } = await start()
      await subscribe(client, ['did.created', 'list.created'])
      const did = await createDid(client)
      await createList(client, { did })
      await receiver.until(() => receiver.arrivals.length === 2)
      const { events } = (await client.ok('GET', '/account/events', {
        query: { type: 'did.created,list.created' },
      })) as { events: AccountEvent[] }
      assert.deepEqual(
        receiver.arrivals.map(({ event }) => event),
        events,
      )
    })

    it('deliver again what kill -9 has interrupted, as the same message', async () => {
      const { service, client } = await start()
      await subscribe(client)
      receiver.answer = () => undefined
      const dids = [await createDid(client), await createDid(client)]
      await receiver.until(() => receiver.arrivals.length === 1)
      await service.kill()
      receiver.answer = (response) => void response.writeHead(200).end()
      const again = await start()
      await receiver.until(() => dids.every(receiver.has))
      const [interrupted, repeated, next] = receiver.arrivals
      assert.equal(repeated?.id, interrupted?.id)
      assert.deepEqual(repeated?.event, interrupted?.event)
      assert.equal(next?.event.subject, dids[1])
      while ((await listed(again.client, interrupted?.id.split('.')[0] ?? '')).waiting > 0);
      assert.equal(receiver.arrivals.length, 3)
    })

    it('deliver once what two processes write, and all of it when one is killed', async () => {
      const one = await start()
      const other = await start()
      const { id } = await subscribe(one.client)
      const made = (count: number) =>
        Promise.all(
          Array.from({ length: count }, (_, n) => createDid(n % 2 === 0 ? one.client : other.client)),
        )
      const dids = await made(12)
      await receiver.until(() => dids.every(receiver.has))
      while ((await listed(one.client, id)).waiting > 0);
      assert.equal(receiver.arrivals.length, 12)
      const inOrder = receiver.arrivals.map(({ event }) => event.id)
      assert.deepEqual(inOrder, [...inOrder].sort())

      receiver.answer = () => undefined
      dids.push(...(await made(6)))
      await receiver.until(() => receiver.arrivals.length > 12)
      await one.service.kill()
      receiver.answer = (response) => void response.writeHead(200).end()
      dids.push(await createDid(other.client), await createDid(other.client))
      await receiver.until(() => dids.every(receiver.has))
    })

    it('keep what a receiver refuses for a day as dead letters, and replay them', async () => {
      const first = await start(hasty)
      const { id } = await subscribe(first.client)
      receiver.answer = (response) => void response.writeHead(302, { location: receiver.url }).end()
      const did = await createDid(first.client)
      await receiver.until(() => receiver.arrivals.length > 1)
      assert.equal((await listed(first.client, id)).deadLetters, 0)
      await first.service.stop()

      const { service, client } = await start(givingUp)
      while ((await listed(client, id)).deadLetters === 0);
      const attempts = receiver.arrivals.length
      assert.ok(attempts > 2)
      const letters = (await client.ok('GET', `${HOOKS}/${id}/dead-letters`)) as { deadLetters: DeadLetter[] }
      assert.deepEqual(
        letters.deadLetters.map(({ event, failure, attempts }) => [event.subject, failure.status, attempts]),
        [[did, 302, attempts]],
      )
      const shown = JSON.parse(await service.command('webhook', 'list', '--json')) as (Webhook & {
        account: string
      })[]
      assert.deepEqual(
        shown.map((webhook) => [webhook.id, webhook.account, webhook.deadLetters]),
        [[id, 'default', 1]],
      )
      assert.match(await service.command('webhook', 'dead-letters', id), new RegExp(did))
      receiver.answer = (response) => void response.writeHead(200).end()
      assert.deepEqual(JSON.parse(await service.command('webhook', 'replay', id, '--json')), { replayed: 1 })
      await receiver.until(() => receiver.arrivals.length > attempts)
      while ((await listed(client, id)).waiting > 0);
      assert.equal((await listed(client, id)).deadLetters, 0)
    })

    it('stay silent towards the own network unless that is allowed', async () => {
      const { client } = await start((text) => text.replace('allowHttp: false', 'allowHttp: true'))
      // The name is one that anybody may let resolve to anything.
      const target = receiver.url.replace('127.0.0.1', 'localhost')
      const { id } = (await client.ok('POST', HOOKS, { json: { url: target } })) as CreatedWebhook
      await createDid(client)
      for (;;) {
        const { lastFailure } = await listed(client, id)
        if (lastFailure === undefined) continue
        assert.equal(lastFailure.reason, 'its host has no public address')
        break
      }
      assert.equal(receiver.arrivals.length + receiver.wrong.length, 0)
    })

    it('and streams see what another process writes, and end with the service and with the API key', async () => {
      const [one, other] = [await start(), await start()]
      const made = (await one.client.ok('POST', '/account/api-keys', { json: { scopes: ['read'] } })) as {
        id: string
        apiKey: string
      }
      const limited = await EventStream.open(one.client.as(made.apiKey))
      const stream = await EventStream.open(one.client)
      const did = await createDid(other.client)
      for (const each of [limited, stream]) {
        const [event] = await each.take(1)
        assert.equal(event?.data.subject, did)
      }
      await other.client.ok('DELETE', `/account/api-keys/${made.id}`)
      await limited.end()
      const stopped = one.service.stop()
      await stream.end()
      assert.equal(await stopped, 0)
    })
  })
}

describe('the receiver of docs/events.md', () => {
  it('takes what is signed, once, and nothing else', async () => {
    const text = await readFile(join(root, 'docs/events.md'), 'utf8')
    const [, code = ''] = /```js\n(.*?)```/s.exec(text) ?? []
    const folder = await mkdtemp(join(tmpdir(), 'vidimus-receiver-'))
    const file = join(folder, 'receiver.mjs')
    // The port is the system's choice, which it has to tell.
    await writeFile(file, `${code}\nserver.on('listening', () => console.log(server.address().port))\n`)
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    const child = spawn(process.execPath, [file], {
      env: { PATH: process.env.PATH, WEBHOOK_SECRET: secret, PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      let printed = ''
      child.stdout.on('data', (text: Buffer) => (printed += text.toString()))
      const line = async () => {
        while (!printed.includes('\n')) await once(child.stdout, 'data')
        const [first = '', ...rest] = printed.split('\n')
        printed = rest.join('\n')
        return first
      }
      const port = await line()
      const body = JSON.stringify({ type: 'did.created', subject: 'did:key:z6Mk', text: 'Grüße' })
      const send = async (id: string, at: Date, signature = new Oracle(secret).sign(id, at, body)) => {
        const headers = {
          'webhook-id': id,
          'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
          'webhook-signature': signature,
        }
        return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status
      }
      const now = new Date()
      assert.equal(await send('one', now), 204)
      assert.equal(await line(), 'did.created did:key:z6Mk')
      assert.equal(await send('one', now), 204)
      assert.equal(await send('two', now, new Oracle(secret).sign('one', now, body)), 401)
      assert.equal(await send('two', new Date(now.getTime() - 3_600_000)), 401)
      assert.equal(await send('two', now, 'v1,'), 401)
      // A receiver whose secret was replaced gets signatures of both.
      const both = `v1,AAAA ${new Oracle(secret).sign('three', now, body)}`
      assert.equal(await send('three', now, both), 204)
      assert.equal(await line(), 'did.created did:key:z6Mk')
      assert.equal(printed, '')
    } finally {
      child.kill()
      await rm(folder, { recursive: true })
    }
  })
})
