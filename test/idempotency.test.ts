import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sqlite3 from 'sqlite3'
import { isReplayed, repeatable } from './behaviour/idempotency.js'
import { createDid } from './behaviour/suite.js'
import { Client, type Answer, type Request } from './support/client.js'
import { Service } from './support/service.js'

const { Database: Sqlite } = sqlite3

const execute = (database: sqlite3.Database, statement: string) =>
  new Promise<void>((resolve, reject) =>
    database.exec(statement, (error) => (error ? reject(error) : resolve())),
  )

/** Requests with an idempotency key under concurrent processes, `kill -9` and the operator. */
describe('trials of requests with an idempotency key', () => {
  interface Running {
    service: Service
    client: Client
  }
  let dataDirectory: string
  const started: Running[] = []
  let apiKey: string | undefined
  before(async () => {
    dataDirectory = await mkdtemp(join(tmpdir(), 'vidimus-idempotency-'))
  })
  after(async () => {
    await Promise.all(started.map(({ service }) => service.stop()))
    await rm(dataDirectory, { recursive: true, force: true })
  })

  /** Left by the test before: a start costs more than what a test does with it. */
  const runningOne = async () => started.find(({ service }) => service.running) ?? start()

  async function start(configure?: (text: string) => string): Promise<Running> {
    const service = await Service.start({
      dataDirectory,
      environment: { LOG_LEVEL: 'warn' },
      ...(configure && { configure }),
    })
    apiKey ??= service.apiKey
    const running = { service, client: await Client.of(service.url, apiKey) }
    started.push(running)
    return running
  }
  const didsOf = async (client: Client) =>
    ((await client.ok('GET', '/did/list', { query: { limit: '1000' } })) as { dids: string[] }).dids
  const didIn = ({ body }: Answer) => (body as { did: string }).did

  it('create one DID from many duplicates in two processes, for each of many keys', async () => {
    const { client: first } = await runningOne()
    const { client: second, service: other } = await start()
    const clients = [first, second]
    const keys = Array.from({ length: 12 }, () => randomUUID())
    const answers = await Promise.all(
      keys.map((key) =>
        Promise.all(
          Array.from({ length: 8 }, (_, n) =>
            repeatable(
              clients[n % 2] ?? assert.fail(),
              '/did/create',
              { json: { network: 'testnet' } },
              key,
            )(),
          ),
        ),
      ),
    )
    for (const same of answers) {
      assert.deepEqual(new Set(same.map(({ status }) => status)), new Set([200]))
      assert.equal(new Set(same.map(({ body }) => JSON.stringify(body))).size, 1)
      assert.equal(same.filter((answer) => !isReplayed(answer)).length, 1)
    }
    const dids = answers.map(([answer]) => didIn(answer ?? assert.fail()))
    assert.deepEqual((await didsOf(first)).sort(), dids.sort())
    await other.stop()
  })

  /** Lets the process get as far as the change, and no further: nothing is answered or released until the trigger is gone. */
  async function withoutAnswers(work: () => Promise<void>): Promise<void> {
    const database = new Sqlite(join(dataDirectory, 'agent.sqlite'))
    try {
      await execute(
        database,
        `CREATE TRIGGER no_answers BEFORE UPDATE OF holder ON idempotency_record
          BEGIN SELECT RAISE(ABORT, 'the process ends here'); END`,
      )
      await work()
      await execute(database, 'DROP TRIGGER no_answers')
    } finally {
      await new Promise((resolve) => database.close(resolve))
    }
  }

  /** The objects created by a request, as the number of rows of each kind. */
  const TABLES = [
    'account_did',
    'account_key',
    '"private-key"',
    'api_key',
    '"ledger_resource"',
    `work_item WHERE kind = 'did-creation'`,
  ]
  async function rows(): Promise<number[]> {
    const database = new Sqlite(join(dataDirectory, 'agent.sqlite'))
    try {
      return await Promise.all(
        TABLES.map(
          (table) =>
            new Promise<number>((resolve, reject) =>
              database.get<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}`, (error, row) =>
                error ? reject(error) : resolve(row.n),
              ),
            ),
        ),
      )
    } finally {
      await new Promise((resolve) => database.close(resolve))
    }
  }

  it('create nothing twice if the process dies between the change and the response', async () => {
    const { client: before, service } = await runningOne()
    const did = await createDid(before)
    const { id } = (await before.ok('POST', '/account/api-keys', { json: { name: 'old' } })) as { id: string }
    const list = { query: { listType: 'BitstringStatusList', statusPurpose: 'revocation' } }
    const encrypted = '/credential-status/create/encrypted'
    const creations: [path: string, request: Request, key: string][] = [
      ['/did/create', { json: { network: 'testnet' } }, randomUUID()],
      ['/did/create', { json: { providerId: 'did:key' } }, randomUUID()],
      ['/key/create', {}, randomUUID()],
      ['/agent/didManagerCreate', { json: { provider: 'did:jwk' } }, randomUUID()],
      [
        '/credential-status/create/unencrypted',
        { ...list, json: { did, statusListName: 'a' } },
        randomUUID(),
      ],
      [encrypted, { ...list, json: { did, statusListName: 'b' } }, randomUUID()],
      ['/account/api-keys', { json: { name: 'new' } }, randomUUID()],
      [`/account/api-keys/${id}/rotate`, { json: {} }, randomUUID()],
    ]
    await withoutAnswers(async () => {
      const lost = await Promise.all(
        creations.map(([path, request, key]) => repeatable(before, path, request, key)()),
      )
      assert.deepEqual(new Set(lost.map(({ status }) => status)), new Set([500]))
      await service.kill()
    })
    const made = await rows()
    const { client } = await start()
    const repeated = creations.map(async ([path, request, key]) => {
      const call = repeatable(client, path, request, key)
      const answer = await call()
      assert.equal(answer.status, 200, `${path}: ${JSON.stringify(answer.body)}`)
      const again = await call()
      assert.deepEqual([isReplayed(answer), isReplayed(again), again.body], [false, true, answer.body])
    })
    await Promise.all(repeated)
    assert.deepEqual(await rows(), made)
    // the results work: the secrets of these keys were created by the second run
    const shown = repeatable(client, '/account/api-keys', { json: { name: 'new' } }, creations[6]?.[2])
    const { apiKey: newKey } = (await shown()).body as { apiKey: string }
    await client.as(newKey).ok('GET', '/did/list')
  })

  it('keep API keys sealed, and show them again after the secret was replaced', async () => {
    const { service, client } = await runningOne()
    const key = randomUUID()
    const call = repeatable(client, '/account/api-keys', { json: { name: 'sealed' } }, key)
    const first = await call()
    const { apiKey: shown } = first.body as { apiKey: string }
    const files = (await readdir(dataDirectory)).filter((name) => name.startsWith('agent.sqlite'))
    const bytes = Buffer.concat(await Promise.all(files.map((name) => readFile(join(dataDirectory, name)))))
    assert.ok(bytes.includes('sealed'))
    assert.ok(!bytes.includes(shown) && !bytes.includes(shown.slice('vidimus_'.length)))
    const status = await service.command('secret', 'status')
    assert.match(status, /answers of requests/)
    await service.command('secret', 'rotate')
    const again = await call()
    assert.deepEqual([isReplayed(again), again.body], [true, first.body])
    await service.stop()
    const later = await start()
    const restarted = await repeatable(later.client, '/account/api-keys', { json: { name: 'sealed' } }, key)()
    assert.deepEqual([isReplayed(restarted), restarted.body], [true, first.body])
  })

  it('are refused if no store of responses is configured', async () => {
    const { client } = await start((text) => text.replace('      idempotency: { $ref: /idempotency }\n', ''))
    const { status, body } = await repeatable(client, '/key/create')()
    const { code, error } = body as { code: string; error: string }
    assert.deepEqual([status, code], [400, 'invalid_input'])
    assert.equal(error, 'idempotency-key: is not supported: this service does not store responses')
    assert.equal((await client.post('/key/create')).status, 200)
    const read = await client.get('/did/list', { headers: { 'idempotency-key': 'x' } })
    assert.equal(read.status, 200)
    const { parameters } = client.openApi.paths['/key/create']?.post as unknown as {
      parameters: { name: string }[]
    }
    assert.ok(!parameters.some(({ name }) => name === 'idempotency-key'))
  })
})
