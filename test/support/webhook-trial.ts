import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook as Oracle } from 'standardwebhooks'
import type { AccountEvent, CreatedWebhook, Webhook } from '@vidimus/core-types'
import { Client } from './client.js'
import { emptyInstallation, type Place } from './fresh-database.js'
import { Service } from './service.js'

export const HOOKS = '/account/webhooks'

/** Receivers of tests are on this machine. */
export const local = (text: string) =>
  text
    .replaceAll('allowHttp: false', 'allowHttp: true')
    .replace('        allowPrivateAddresses: false\n', '        allowPrivateAddresses: true\n')
/** What fails is tried again soon. */
export const hasty = (text: string) => local(text).replace('firstRetrySeconds: 5', 'firstRetrySeconds: 0.1')
/** And given up with the next attempt that fails, as a day after the first is. */
export const givingUp = (text: string) => hasty(text).replace('retryHours: 24', 'retryHours: 0')

interface Arrival {
  id: string
  event: AccountEvent
}

/** Somebody who is sent events, and verifies each of them with the library of Standard Webhooks. */
export class Receiver {
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

/** Services on one database, and a receiver of what they send. */
export class WebhookTrial {
  private readonly services: Service[] = []
  private apiKey: string | undefined

  private constructor(
    private readonly dataDirectory: string,
    private readonly url: string,
    readonly receiver: Receiver,
  ) {}

  static async on(place: Place): Promise<WebhookTrial> {
    const dataDirectory = await mkdtemp(join(tmpdir(), 'vidimus-webhooks-'))
    return new WebhookTrial(dataDirectory, await emptyInstallation(place), await new Receiver().start())
  }

  async stop(): Promise<void> {
    await this.receiver.stop()
    for (const service of this.services) await service.stop()
    await rm(this.dataDirectory, { recursive: true, force: true })
  }

  async start(configure = local): Promise<{ service: Service; client: Client }> {
    const environment = { LOG_LEVEL: 'warn', DATABASE_URL: this.url }
    const service = await Service.start({ dataDirectory: this.dataDirectory, environment, configure })
    this.services.push(service)
    this.apiKey ??= service.apiKey
    return { service, client: await Client.of(service.url, this.apiKey) }
  }

  async subscribe(client: Client, types?: string[]): Promise<CreatedWebhook> {
    const json = { url: this.receiver.url, ...(types && { types }) }
    const webhook = (await client.ok('POST', HOOKS, { json })) as CreatedWebhook
    this.receiver.secret = webhook.secret
    return webhook
  }

  async listed(client: Client, id: string): Promise<Webhook> {
    const { webhooks } = (await client.ok('GET', HOOKS)) as { webhooks: Webhook[] }
    return webhooks.find((webhook) => webhook.id === id) ?? assert.fail('it is not there')
  }
}
