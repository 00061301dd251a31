import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  WORK_ACTIONS,
  WORK_KINDS,
  type AuditedEvent,
  type CreatedWebhook,
  type OperatedWork,
  type ServiceHealth,
  type Webhook,
  type WorkAction,
} from '@vidimus/core-types'
import { homeOfDid, sql } from '@vidimus/database'
import type { Client } from './support/client.js'
import { commandHere } from './support/command-here.js'
import { emptyInstallation, PLACES } from './support/fresh-database.js'
import { parseMetrics } from './support/prometheus-text.js'
import { assertRefused } from './support/refused.js'
import { root } from './support/repository.js'
import { S3Double } from './support/s3-double.js'
import { ServiceHere } from './support/service-here.js'
import { didOf, listOf, publishing } from './support/static-publication-suite.js'
import { until } from './support/until.js'
import { HOOKS, local, Receiver } from './support/webhook-trial.js'

const OPERATED = '/operator/work'
const LATER = '2998-01-01T00:00:00.000Z'
const TOKEN = 'x'.repeat(40)
/** A place for publications was configured once. */
const PUBLISHED_ONCE = "        - { $require: '@vidimus/publication?t=object#migrations' }\n"
const MIGRATIONS = "        - { $require: '@vidimus/status-list-store?t=object#migrations' }\n"

it('every kind of work is explained', async () => {
  const page = await readFile(join(root, 'docs/work.md'), 'utf8')
  const explained = [...page.matchAll(/^\| `([a-z-]+)`/gm)].map(([, kind = '']) => kind)
  assert.deepEqual(explained.sort(), [...WORK_KINDS])
})

for (const place of PLACES) {
  describe(`what waits (${place})`, () => {
    let url: string
    let folder: string
    let store: S3Double
    let service: ServiceHere
    let client: Client
    let stranger: Client
    let operator: Client
    let did: string
    before(async () => {
      url = await emptyInstallation(place)
      folder = await mkdtemp(join(tmpdir(), 'vidimus-work-'))
      const standard = await readFile(join(root, 'agent.yml'), 'utf8')
      await writeFile(join(folder, 'agent.yml'), standard.replace(MIGRATIONS, MIGRATIONS + PUBLISHED_ONCE))
      store = await S3Double.start()
      process.env.AWS_ACCESS_KEY_ID = 'id'
      process.env.AWS_SECRET_ACCESS_KEY = 'secret'
      service = await ServiceHere.start({
        url,
        listen: true,
        environment: {
          METRICS_TOKEN: TOKEN,
          VIDIMUS_PUBLIC_URL: 'https://status.example.com',
          S3_BUCKET: store.bucket,
          S3_ENDPOINT: store.url,
        },
        configure: (text) =>
          publishing('s3')(local(text)).replace('        public: false', '        public: true'),
      })
      client = await service.clientOf('issuer')
      stranger = await service.clientOf('stranger')
      await service.accounts.create('operations')
      const key = await service.accounts.createApiKey({
        account: 'operations',
        scopes: ['operator', 'api-keys'],
      })
      operator = client.as(key.apiKey)
      did = await didOf(client)
      await listOf(client, did, 'TokenStatusList', {
        validUntil: new Date(Date.now() + 86_400_000).toISOString(),
      })
    })
    after(async () => {
      await service.stop()
      await store.stop()
      await rm(folder, { recursive: true })
      delete process.env.AWS_ACCESS_KEY_ID
      delete process.env.AWS_SECRET_ACCESS_KEY
    })

    const keyWith = async (...scopes: string[]) =>
      client.as((await service.accounts.createApiKey({ account: 'issuer', scopes })).apiKey)
    const listed = async (query: Record<string, string> = {}, who = client, path = '/work') =>
      (await who.ok('GET', path, { query })) as { items: OperatedWork[]; next?: string }
    /** The publication of the document of the DID. */
    const found = async (query: Record<string, string> = {}, who = client, path = '/work') =>
      (await listed({ kind: 'publication', ...query }, who, path)).items.find(
        ({ subject }) => subject === did,
      )
    const act = (id: string, action: WorkAction, who = client, path = '/work') =>
      who.post(`${path}/${id}/${action}`)
    const done = async (id: string, action: WorkAction, who = client, path = '/work') =>
      (await who.ok('POST', `${path}/${id}/${action}`)) as { id: string; item?: OperatedWork }
    const audited = async (event: string, who = client) =>
      ((await who.ok('GET', '/account/audit', { query: { event } })) as { entries: AuditedEvent[] }).entries
    const command = (...args: string[]) =>
      commandHere(['work', ...args, '--config', join(folder, 'agent.yml')], {
        VIDIMUS_DATA_DIR: folder,
        DATABASE_URL: url,
        KMS_SECRET_KEY: 'a5'.repeat(32),
      })
    /** The document is to be published, and cannot be. */
    const failing = async (): Promise<OperatedWork> => {
      store.failing = 1_000_000
      const idFragment = `web${Math.round(performance.now())}`
      await client.ok('POST', '/did/update', {
        json: { did, service: [{ idFragment, type: 'Files', serviceEndpoint: ['https://files.example'] }] },
      })
      let item: OperatedWork | undefined
      // It is not tried again by itself.
      const later = sql`UPDATE work_item SET due_at = ${LATER}
        WHERE kind = 'publication' AND key = ${JSON.stringify(['did', did, '', ''])} AND attempts > 0 AND holder IS NULL`
      await until(async () => {
        await service.database.write((connection) => connection.run(later))
        item = await found({ state: 'failed' })
        return item?.dueAt === LATER
      })
      return item ?? assert.fail()
    }

    it('is shown to its account: what is scheduled, and what has failed, with the reason', async () => {
      const { items } = await listed({ kind: 'renewal' })
      assert.deepEqual(
        items.map(({ subject, state, attempts, can }) => [subject, state, attempts, can]),
        [[`${did}?resourceName=a%20TokenStatusList&resourceType=TokenStatusList`, 'waiting', 0, []]],
      )
      const failed = await failing()
      assert.match(failed.failure ?? '', /503/)
      assert.deepEqual(failed.can, ['retry', 'pause'])
      assert.ok(failed.attempts > 0 && failed.since <= failed.dueAt)
      assert.equal((await found({}, await keyWith('read')))?.id, failed.id)
      assert.deepEqual((await listed({}, stranger)).items, [])
      const without = await (await keyWith('dids')).get('/work')
      assertRefused(without, { status: 403, code: 'forbidden', says: /read/ })
    })

    it('is changed by those who have the right of its kind; for others it does not exist', async () => {
      const { id } = await failing()
      const unknown = Buffer.from(JSON.stringify(['publication', '1', 'nothing'])).toString('base64url')
      const readers = await keyWith('read')
      const webhooks = await keyWith('webhooks')
      for (const action of WORK_ACTIONS) {
        for (const [who, name] of [
          [stranger, id],
          [client, unknown],
          [client, 'nothing'],
          [client, `${id}A`],
        ] as const) {
          const error = 'id: the account has no such work'
          const { body, ...answer } = await act(name, action, who)
          assertRefused({ body, ...answer }, { status: 404, code: 'work_not_found' })
          assert.equal((body as { error: string }).error, error)
        }
        for (const who of [readers, webhooks])
          assertRefused(await act(id, action, who), {
            status: 403,
            code: 'forbidden',
            says: /status-lists or /,
          })
        assertRefused(await act(id, action, client, OPERATED), { status: 403, says: /operator/ })
      }
      const lists = await keyWith('status-lists')
      const mainnet = client.as(
        (await service.accounts.createApiKey({ account: 'issuer', networks: ['mainnet'] })).apiKey,
      )
      assertRefused(await act(id, 'pause', mainnet), { status: 403, says: /network/ })
      assert.equal((await done(id, 'pause', lists)).item?.state, 'paused')
      assert.equal((await done(id, 'resume', lists)).id, id)
    })

    it('is paused, resumed and retried, each in the audit trail, and refused in other states', async () => {
      const { id } = await failing()
      const paused = await done(id, 'pause')
      assert.deepEqual([paused.item?.state, paused.item?.can], ['paused', ['resume']])
      store.failing = 0
      for (const action of ['retry', 'pause', 'cancel'] as const) {
        const says = /kind publication in the state paused, with which this is possible: resume; not: /
        assertRefused(await act(id, action), { code: 'not_possible', path: 'id', says })
      }
      // Other publications go on, and this one does not.
      await until(async () => (await listed({ kind: 'publication' })).items.length === 1)
      assert.equal((await found({ state: 'paused' }))?.id, id)
      await done(id, 'resume')
      await until(async () => (await found()) === undefined)
      const again = await failing()
      store.failing = 0
      await done(again.id, 'retry', operator, OPERATED)
      await until(async () => (await found()) === undefined)
      for (const [event, who] of [
        ['work-paused', client],
        ['work-resumed', client],
        ['work-retried', operator],
      ] as const) {
        const [entry] = await audited(event, who)
        assert.deepEqual([entry?.subject, entry?.detail], [did, 'publication'], event)
      }
    })

    it('is done once, however often the request is repeated', async () => {
      const { id } = await failing()
      const headers = { 'idempotency-key': `pause-${place}` }
      const [one, two] = [
        await client.ok('POST', `/work/${id}/pause`, { headers }),
        await client.ok('POST', `/work/${id}/pause`, { headers }),
      ]
      assert.deepEqual(two, one)
      store.failing = 0
      await done(id, 'resume')
      await until(async () => (await found()) === undefined)
    })

    it('is listed page by page: an account has its own and those of its DIDs, operators all', async () => {
      const mine = await didOf(client)
      const theirs = await didOf(stranger)
      await until(async () => (await listed({ kind: 'publication' }, operator, OPERATED)).items.length === 0)
      const [{ id: account } = assert.fail()] = (await service.accounts.list()).filter(
        ({ name }) => name === 'issuer',
      )
      const insert = (owner: string, kind: string, n: number) =>
        service.database.write((connection) =>
          connection.run(sql`INSERT INTO work_item (home, kind, key, owner, due_at, revision, fence, attempts, failure)
            VALUES (${homeOfDid(owner)}, ${kind}, ${`item ${n}`}, ${owner}, ${`2999-01-0${1 + (n % 2)}T00:00:00.000Z`},
              ${1}, ${1}, ${n % 3}, ${n % 3 ? 'it failed' : null})`),
        )
      for (let n = 0; n < 6; n++) {
        await insert(mine, 'rotation', n)
        await insert(theirs, 'rotation', n)
        await insert(account, 'did-creation', n)
      }
      await insert('', 'event', 1)
      const walk = async (query: Record<string, string>, who: Client, path: string) => {
        const all: OperatedWork[] = []
        for (let after: string | undefined; ;) {
          const page = await listed({ limit: '4', ...query, ...(after && { after }) }, who, path)
          all.push(...page.items)
          after = page.next
          if (after === undefined) return all.filter(({ kind }) => kind !== 'renewal')
        }
      }
      const own = await walk({}, client, '/work')
      const subjects = Array.from({ length: 6 }, (_, n) => `item ${n}`)
      for (const kind of ['rotation', 'did-creation']) {
        const ofKind = own.filter((one) => one.kind === kind).map(({ subject }) => subject)
        assert.deepEqual(ofKind.sort(), subjects, kind)
        assert.deepEqual((await walk({ kind }, client, '/work')).length, 6, kind)
      }
      assert.equal(own.length, 12)
      assert.equal((await walk({ state: 'failed' }, client, '/work')).length, 8)
      assert.equal((await walk({ state: 'waiting', kind: 'rotation' }, stranger, '/work')).length, 2)
      for (const state of ['due', 'running', 'paused'])
        assert.deepEqual(await walk({ state }, client, '/work'), [], state)
      const all = await walk({}, operator, OPERATED)
      assert.equal(all.length, 19)
      assert.equal(new Set(all.map(({ id }) => id)).size, 19)
      assert.deepEqual([...new Set(all.map(({ kind, account: name }) => `${kind} ${name ?? ''}`))].sort(), [
        'did-creation issuer',
        'event ',
        'rotation issuer',
        'rotation stranger',
      ])
      assert.equal((await walk({ account: 'issuer' }, operator, OPERATED)).length, 12)
      assert.equal((await walk({ state: 'failed' }, operator, OPERATED)).length, 13)
      const [first = assert.fail()] = await walk({ kind: 'event' }, operator, OPERATED)
      assertRefused(await act(first.id, 'retry'), { status: 404 })
      for (const [query, path] of [
        [{ kind: 'x' }, 'kind'],
        [{ state: 'x' }, 'state'],
        [{ limit: '0' }, 'limit'],
        [{ after: 'x' }, 'after'],
      ] as const)
        assertRefused(await client.get('/work', { query }), { code: 'invalid_input', path })
      await service.database.write((connection) =>
        connection.run(sql`DELETE FROM work_item WHERE key LIKE ${'item %'}`),
      )
    })

    it('is cancelled where no place is configured any more, and only there', async () => {
      const { id } = await failing()
      assertRefused(await act(id, 'cancel'), {
        code: 'not_possible',
        says: /possible: retry, pause; not: cancel/,
      })
      assert.deepEqual(await audited('work-cancelled'), [])
      // The command line with a configuration that has no publication.
      const list = await command('list', '--json', '--state', 'failed')
      assert.equal(list.code, 0, list.complained)
      const items = JSON.parse(list.printed) as OperatedWork[]
      const item = items.find((one) => one.id === id) ?? assert.fail(list.printed)
      assert.deepEqual([item.account, item.can], ['issuer', ['retry', 'pause', 'cancel']])
      assert.match((await command('list')).printed, new RegExp(`publication +failed .*${did}`))
      const paused = await command('pause', id)
      assert.equal(paused.printed, `publication of ${did}: paused.\n`)
      const cancelled = await command('cancel', id)
      assert.equal(cancelled.printed, 'Cancelled.\n')
      assert.equal(await found(), undefined)
      const none = await command('cancel', id)
      assert.deepEqual([none.code, none.complained], [1, 'vidimus: id: there is no such work\n'])
      store.failing = 0
    })

    it('is a delivery, which is tried, paused, resumed and given up as its account says', async () => {
      const receiver = await new Receiver().start()
      const takes = (status: number) =>
        (receiver.answer = (response) => void response.writeHead(status).end())
      takes(503)
      const hook = (await stranger.ok('POST', HOOKS, { json: { url: receiver.url } })) as CreatedWebhook
      receiver.secret = hook.secret
      const delivery = async (state?: string) =>
        (await listed({ kind: 'delivery', ...(state && { state }) }, stranger)).items[0]
      const failed = async () => {
        await didOf(stranger)
        await until(async () => (await delivery('failed')) !== undefined)
        return (await delivery('failed')) ?? assert.fail()
      }
      const { id, subject, can, failure } = await failed()
      assert.deepEqual([subject, can], [hook.id, ['retry', 'pause', 'cancel']])
      assert.match(failure ?? '', /503/)
      assertRefused(await act(id, 'cancel'), { status: 404, code: 'work_not_found' })
      assert.deepEqual((await done(id, 'pause', stranger)).item?.can, ['resume', 'cancel'])
      takes(204)
      const taken = receiver.arrivals.length
      await didOf(stranger)
      assert.equal((await delivery())?.state, 'paused')
      assert.equal(receiver.arrivals.length, taken)
      await done(id, 'resume', stranger)
      await until(async () => (await delivery()) === undefined)
      takes(503)
      await failed()
      takes(204)
      await done(id, 'retry', stranger)
      await until(async () => (await delivery()) === undefined)
      takes(503)
      await failed()
      await done(id, 'cancel', stranger)
      assert.equal(await delivery(), undefined)
      const { webhooks } = (await stranger.ok('GET', HOOKS)) as { webhooks: Webhook[] }
      const { waiting, deadLetters } = webhooks.find((one) => one.id === hook.id) ?? assert.fail()
      assert.equal(waiting, 0)
      assert.ok(deadLetters > 0)
      await stranger.ok('DELETE', `${HOOKS}/${hook.id}`)
      await receiver.stop()
    })

    it('is counted, and what waits too long is found', async () => {
      await service.database.write((connection) =>
        connection.run(sql`INSERT INTO work_item (home, kind, key, owner, due_at, revision, fence, attempts, failure)
          VALUES (${1}, ${'rotation'}, ${'late'}, ${''}, ${'2020-01-01T00:00:00.000Z'}, ${1}, ${1}, ${5}, ${'down'})`),
      )
      const late = await finding()
      assert.equal(late.level, 'warn')
      assert.match(
        late.message,
        /1 of the kind rotation due, the oldest for \d+ minutes; 1 of the kind rotation failing/,
      )
      const headers = { authorization: `Bearer ${TOKEN}` }
      const metrics = parseMetrics(await (await fetch(`${client.url}/metrics`, { headers })).text())
      const figures = (name: string) =>
        new Map(metrics.get(`vidimus_work_${name}`)?.samples.map(({ labels, value }) => [labels.kind, value]))
      assert.deepEqual([...figures('due').keys()].sort(), [...WORK_KINDS])
      assert.equal(figures('due').get('rotation'), 1)
      assert.ok((figures('oldest_seconds').get('rotation') ?? 0) > 0)
      for (const name of ['attempts_total', 'failures_total'])
        assert.ok((figures(name).get('publication') ?? 0) > 0, name)
    })

    const finding = async () => {
      const { findings } = (await operator.ok('GET', '/operator/health')) as ServiceHealth
      return findings.find(({ name }) => name === 'work') ?? assert.fail(JSON.stringify(findings))
    }
  })
}
