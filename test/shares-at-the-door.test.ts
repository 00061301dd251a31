import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { homeOf, sql } from '@vidimus/database'
import { createList } from './behaviour/suite.js'
import type { Client } from './support/client.js'
import { atOnce } from './support/list-history.js'
import { emptyInstallation, PLACES } from './support/fresh-database.js'
import { ServiceHere } from './support/service-here.js'
import { until } from './support/until.js'

/** Of each kind: more than one account may have, and together far more than all places. */
const MANY = 20
const EACH = 70
const TAKEN = 40

/** Answers of megabytes, more than systems keep for a reader. */
const AUDIT_ROWS = 2000

/**
 * Every kind of place that accounts share, held by one account as often as it can: while it reads nothing, sends nothing,
 * sends by drips, repeats a key, or waits for other hosts and for the worker of JSON-LD.
 */
for (const place of PLACES) {
  describe(`one account in all places that it can get (${place})`, () => {
    let service: ServiceHere
    let greedy: Client
    let key: string
    let modest: Client
    let list: { did: string; statusListName: string }
    let silent: Server
    let sockets: Socket[]
    let drip: NodeJS.Timeout

    before(async () => {
      silent = createServer(() => undefined).listen(0, '127.0.0.1')
      await once(silent, 'listening')
      service = await ServiceHere.start({
        url: await emptyInstallation(place),
        listen: true,
        configure: (text) =>
          text
            .replace('concurrentRequests: 1000', `concurrentRequests: ${TAKEN}`)
            .replaceAll('allowPrivateAddresses: false', 'allowPrivateAddresses: true')
            .replace('timeoutMs: 5000', 'timeoutMs: 60000'),
      })
      modest = await service.clientOf('modest')
      await service.accounts.create('greedy')
      key = (await service.accounts.createApiKey({ account: 'greedy' })).apiKey
      greedy = modest.as(key)
      list = await createList(modest)
      await fillAuditTrail('greedy')
    })
    beforeEach(() => {
      sockets = []
    })
    afterEach(() => {
      clearInterval(drip)
      for (const socket of sockets) socket.destroy()
    })
    after(async () => {
      silent.close()
      await service?.stop()
    })

    async function fillAuditTrail(account: string): Promise<void> {
      const { id } = (await service.accounts.list()).find((one) => one.name === account) ?? { id: '' }
      await service.database.write((connection) =>
        connection.run(sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${AUDIT_ROWS})
          INSERT INTO audit_event (home, time, event, outcome, account_id, detail, occurrences)
          SELECT ${homeOf(id)}, '2027-01-31T12:00:00.000Z', 'key-created', 'done', ${id}, ${'x'.repeat(500)}, 1 FROM n`),
      )
    }

    /** A connection of the greedy account that sends this, and reads nothing. */
    function held(request: string): Socket {
      const socket = connect(Number(new URL(greedy.url).port), '127.0.0.1')
      socket.on('error', () => undefined).pause()
      socket.write(request)
      sockets.push(socket)
      return socket
    }
    const get = (path: string, headers: Record<string, string> = {}) => head('GET', path, headers)
    const post = (path: string, body: string, headers: Record<string, string> = {}) =>
      head('POST', path, {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        ...headers,
      }) + body
    const head = (method: string, path: string, headers: Record<string, string>, apiKey = key) =>
      [
        `${method} ${path} HTTP/1.1`,
        'host: x',
        `x-api-key: ${apiKey}`,
        ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
        '\r\n',
      ].join('\r\n')

    /** A file that begins and does not end. */
    const uploadOf = (apiKey: string) => {
      const headers = { 'content-type': 'text/csv', 'transfer-encoding': 'chunked' }
      return head('POST', '/credential-status/jobs', headers, apiKey)
    }

    function holdEverything(): void {
      const drips: Socket[] = []
      const repeated = { 'idempotency-key': randomUUID() }
      const elsewhere = `did:web:localhost%3A${(silent.address() as AddressInfo).port}`
      for (let n = 0; n < MANY; n++) {
        held(get('/account/audit', { accept: 'text/csv' }).repeat(10))
        held(get('/account/audit?limit=1000').repeat(10))
        held(get('/account/events', { accept: 'text/event-stream' }))
        held(head('POST', '/did/create', { 'content-type': 'application/json', 'content-length': '1000' }))
        drips.push(held(post('/did/create', '{', { 'content-length': '1000' })))
        drips.push(held(uploadOf(key)))
        held(post('/did/import', JSON.stringify({ did: elsewhere }), repeated))
        held(post('/agent/resolveDid', JSON.stringify({ didUrl: elsewhere })))
        held(post('/credential/verify', JSON.stringify({ credential: manyBlankNodes(300) })))
      }
      drip = setInterval(() => {
        for (const socket of drips) socket.write('1\r\n \r\n')
        // In the place of those that gave up waiting.
        held(post('/agent/resolveDid', JSON.stringify({ didUrl: elsewhere })))
      }, 200)
    }

    it('uploads by drips, as do others, while a file of somebody else is taken', async () => {
      const created = Array.from({ length: 4 }, async (_, n) => {
        await service.accounts.create(`slow ${n}`)
        return (await service.accounts.createApiKey({ account: `slow ${n}` })).apiKey
      })
      for (const apiKey of await Promise.all(created)) {
        for (let n = 0; n < 2; n++) held(uploadOf(apiKey)).write('1\r\n \r\n')
      }
      const upload = (client: Client) =>
        client.post('/credential-status/jobs', {
          body: 'credentialId,action\nurn:x,revoke\n',
          headers: { 'content-type': 'text/csv' },
        })
      const begun = sql`SELECT uid FROM status_list_job WHERE id IS NULL`
      await until(async () => (await service.database.query(begun)).length === 8)
      assert.equal((await upload(modest.as((await created[0]) ?? ''))).status, 429)
      assert.equal((await upload(modest)).status, 202)
    })

    it('leaves all others to everybody else', async () => {
      holdEverything()
      const greedyStatus = async () => (await greedy.get('/did/list')).status
      await until(async () => (await greedyStatus()) !== 200)
      const revoked = new Set<number>()
      const refused: unknown[] = []
      await atOnce(
        8,
        Array.from({ length: EACH }, (_, n) => n),
        async (index) => {
          const answers = [
            await modest.get('/did/list'),
            await modest.post('/credential-status/check', {
              query: { listType: 'BitstringStatusList', statusPurpose: 'revocation' },
              json: { ...list, index },
            }),
            await modest.post('/credential-status/update/unencrypted', {
              query: { listType: 'BitstringStatusList', statusAction: 'revoke' },
              json: { ...list, indices: index },
            }),
          ]
          revoked.add(index)
          refused.push(...answers.filter(({ status }) => status !== 200))
        },
      )
      assert.deepEqual(refused.slice(0, 2), [])
      assert.equal(revoked.size, EACH)
      // Until here the burden was there.
      await until(async () => (await greedyStatus()) === 429)
      clearInterval(drip)
      for (const socket of sockets) socket.destroy()
      await until(async () => (await greedyStatus()) === 200)
    })
  })
}

/** A credential whose canonicalization takes the worker a while, and whose proof is nobody's. */
const manyBlankNodes = (count: number) => ({
  '@context': ['https://www.w3.org/ns/credentials/v2', 'https://www.w3.org/ns/credentials/examples/v2'],
  type: ['VerifiableCredential'],
  issuer: 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK',
  credentialSubject: Array.from({ length: count }, (_, n) => ({ alumniOf: { name: `school ${n}` } })),
  proof: {
    type: 'DataIntegrityProof',
    cryptosuite: 'eddsa-rdfc-2022',
    proofPurpose: 'assertionMethod',
    verificationMethod:
      'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK#z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK',
    proofValue: `z${'2'.repeat(86)}`,
  },
})
