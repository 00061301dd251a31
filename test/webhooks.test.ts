import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Webhook as Oracle } from 'standardwebhooks'
import type { AccountEvent, CreatedWebhook, DeadLetter, Webhook } from '@vidimus/core-types'
import { createDid, createList } from './behaviour/suite.js'
import { EventStream } from './support/event-stream.js'
import { PLACES } from './support/fresh-database.js'
import { givingUp, hasty, HOOKS, type Receiver, WebhookTrial } from './support/webhook-trial.js'

const root = resolve(import.meta.dirname, '..')

for (const place of PLACES) {
  describe(`webhook trials (${place})`, () => {
    let trial: WebhookTrial
    let receiver: Receiver
    beforeEach(async () => {
      trial = await WebhookTrial.on(place)
      receiver = trial.receiver
    })
    afterEach(() => trial.stop())

    it('deliver what happens, verified by the library of the specification', async () => {
      const { client } = await trial.start()
      await trial.subscribe(client, ['did.created', 'list.created'])
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

    it('and streams deliver what another process writes, and end with the service and with the API key', async () => {
      const [one, other] = [await trial.start(), await trial.start()]
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

describe('webhook trials', () => {
  let trial: WebhookTrial
  let receiver: Receiver
  beforeEach(async () => {
    trial = await WebhookTrial.on('SQLite')
    receiver = trial.receiver
  })
  afterEach(() => trial.stop())

  it('keep what a receiver rejects for a day as dead letters, and replay them', async () => {
    const first = await trial.start(hasty)
    const { id } = await trial.subscribe(first.client)
    receiver.answer = (response) => void response.writeHead(302, { location: receiver.url }).end()
    const did = await createDid(first.client)
    await receiver.until(() => receiver.arrivals.length > 1)
    assert.equal((await trial.listed(first.client, id)).deadLetters, 0)
    await first.service.stop()

    const { service, client } = await trial.start(givingUp)
    while ((await trial.listed(client, id)).deadLetters === 0);
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
    while ((await trial.listed(client, id)).waiting > 0);
    assert.equal((await trial.listed(client, id)).deadLetters, 0)
  })

  it('send nothing to the internal network unless allowed', async () => {
    const { client } = await trial.start((text) => text.replaceAll('allowHttp: false', 'allowHttp: true'))
    // The name is one that anybody may let resolve to anything.
    const target = receiver.url.replace('127.0.0.1', 'localhost')
    const { id } = (await client.ok('POST', HOOKS, { json: { url: target } })) as CreatedWebhook
    await createDid(client)
    for (;;) {
      const { lastFailure } = await trial.listed(client, id)
      if (lastFailure === undefined) continue
      assert.equal(lastFailure.reason, 'its host cannot be reached, or has no public address')
      break
    }
    assert.equal(receiver.arrivals.length + receiver.wrong.length, 0)
  })
})

describe('example receiver of docs/events.md', () => {
  it('accepts signed messages once, and nothing else', async () => {
    const text = await readFile(join(root, 'docs/events.md'), 'utf8')
    const [, code = ''] = /```js\n(.*?)```/s.exec(text) ?? []
    const folder = await mkdtemp(join(tmpdir(), 'vidimus-receiver-'))
    const file = join(folder, 'receiver.mjs')
    // The system chooses the port, which must be reported.
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
