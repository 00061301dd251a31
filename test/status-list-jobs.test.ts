import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ListedWork } from '@vidimus/core-types'
import { sql } from '@vidimus/database'
import { createDid, createList } from './behaviour/suite.js'
import { commandHere } from './support/command-here.js'
import type { Client } from './support/client.js'
import { decodedByOthers } from './support/decoded-by-others.js'
import { emptyInstallation, PLACES } from './support/fresh-database.js'
import { installationOf } from './support/service.js'
import { putJobBack } from './support/jobs-put-back.js'
import { parseMetrics } from './support/prometheus-text.js'
import { assertRefused } from './support/refused.js'
import { ServiceHere } from './support/service-here.js'
import { tablesThatHold } from './support/stored-texts.js'
import { until } from './support/until.js'

interface Job {
  id: string
  state: string
  dryRun: boolean
  rows: number
  applied: number
  refused: number
  endedAt?: string
  checksum?: string
  reason?: string
}

interface Refused {
  line: number
  reason: string
  message: string
  credentialHash?: string
}

const JOBS = '/credential-status/jobs'
const CSV = { 'content-type': 'text/csv' }
const NDJSON = { 'content-type': 'application/x-ndjson' }

const TOKEN = 'x'.repeat(40)

for (const place of PLACES) {
  describe(`mass changes of status lists as jobs (${place})`, () => {
    let folder: string
    let url: string
    let service: ServiceHere
    let client: Client
    let stranger: Client
    let issuer: string

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'vidimus-jobs-'))
      url = await emptyInstallation(place)
      service = await ServiceHere.start({
        url,
        listen: true,
        configure: (text) =>
          text
            .replace('maxJobRows: 3000000', 'maxJobRows: 5000')
            .replace('        public: false', '        public: true'),
        environment: { METRICS_TOKEN: TOKEN },
      })
      client = await service.clientOf('issuer')
      stranger = await service.clientOf('stranger')
      issuer = await createDid(client)
    })
    after(async () => {
      await service.stop()
      await rm(folder, { recursive: true, force: true })
    })

    const newList = async (more: object = {}, by = client, did = issuer) => {
      const { statusListName } = await createList(by, { did, listType: 'BitstringStatusList', ...more })
      const address = `${did}?resourceName=${statusListName}&resourceType=BitstringStatusListCredential`
      return { statusListName, address }
    }
    const issue = async (statusListName: string, credentialId: string, more: object = {}) => {
      await client.ok('POST', '/credential/issue', {
        json: {
          issuerDid: issuer,
          attributes: { name: 'Bob' },
          credentialStatus: { statusListName },
          credentialId,
          ...more,
        },
      })
      const query = { credentialId }
      const { entries } = (await client.ok('GET', '/credential/entries', { query })) as {
        entries: { index: number }[]
      }
      return entries[0]?.index ?? assert.fail('it is registered')
    }
    const start = async (
      body: string,
      query: Record<string, string> = {},
      headers: object = CSV,
      by = client,
    ) => {
      const { status, body: job } = await by.post('/credential-status/jobs', {
        body,
        query,
        headers: headers as Record<string, string>,
      })
      assert.equal(status, 202, JSON.stringify(job))
      return job as Job
    }
    const ended = async ({ id }: { id: string }): Promise<Job> => {
      const job = async () => (await client.ok('GET', `/credential-status/jobs/${id}`)) as Job
      await until(async () => (await job()).endedAt !== undefined)
      return job()
    }
    const report = async ({ id }: { id: string }, query: Record<string, string> = {}) =>
      (await client.ok('GET', `/credential-status/jobs/${id}/report`, { query })) as {
        refused: Refused[]
        next?: string
      }
    const setIn = (statusListName: string) => decodedByOthers(client, issuer, statusListName)
    const codeOf = ({ status, body }: { status: number; body: unknown }) => [
      status,
      (body as { code?: string }).code,
    ]

    it('applies the rows of a CSV file, and reports each that it refuses', async () => {
      const [one, two] = [await newList(), await newList()]
      const bob = await issue(one.statusListName, 'urn:jobs:"bob"')
      const foreign = await newList({}, stranger, await createDid(stranger))
      const file = [
        'credentialId,list,index,action,reason',
        '"urn:jobs:""bob""",,,revoke,"left, with a comma"',
        `,${two.address},0,revoke,`,
        `,${two.address},131071,revoke,`,
        'urn:jobs:nobody,,,revoke,',
        `,${two.address},131072,revoke,`,
        `,${foreign.address},1,revoke,`,
        `,${two.address},0,reinstate,`,
        `urn:jobs:both,${two.address},1,revoke,`,
        `,${two.address},seven,revoke,`,
        `,${two.address},7,dance,`,
        'too,few',
        '',
        `,"a"b,1,revoke,`,
        `,${two.address},9,,`,
        `,${one.address},4,revoke,`,
      ].join('\r\n')
      const job = await ended(await start(`\ufeff${file}`))
      const { checksum, ...counts } = job
      assert.equal(checksum, createHash('sha256').update(`\ufeff${file}`).digest('hex'))
      assert.deepEqual(
        [counts.state, counts.rows, counts.applied, counts.refused],
        ['done', 14, 4, 10],
        JSON.stringify(await report(job)),
      )
      const { refused } = await report(job)
      assert.deepEqual(
        refused.map(({ line, reason }) => [line, reason]).sort(([a], [b]) => Number(a) - Number(b)),
        [
          [5, 'not_registered'],
          [6, 'index_out_of_range'],
          [7, 'did_not_found'],
          [8, 'irreversible'],
          [9, 'invalid_input'],
          [10, 'invalid_input'],
          [11, 'unknown_action'],
          [12, 'invalid_input'],
          [14, 'list_not_found'],
          [15, 'invalid_input'],
        ],
      )
      assert.deepEqual(
        await setIn(one.statusListName),
        [bob, 4].sort((a, b) => a - b),
      )
      assert.deepEqual(await setIn(two.statusListName), [0, 131_071])
    })

    it('takes NDJSON, and tells where a line is none', async () => {
      const { statusListName, address: list } = await newList()
      const lines = [
        JSON.stringify({ list, index: 5, action: 'revoke' }),
        '{"list": ',
        '[]',
        JSON.stringify({ list, index: 6, action: 'revoke', reason: 'lost' }),
        JSON.stringify({ list, index: 7, action: 'revoke', more: 1 }),
        '{"__proto__": {"index": 8}, "list": "x", "action": "revoke"}',
      ]
      const job = await ended(await start(lines.join('\n'), {}, NDJSON))
      assert.deepEqual([job.rows, job.applied], [6, 2])
      assert.deepEqual(
        (await report(job)).refused.map(({ line }) => line),
        [2, 3, 5, 6],
      )
      assert.deepEqual(await setIn(statusListName), [5, 6])
    })

    it('applies several actions on one index in the order of the rows', async () => {
      const { statusListName, address } = await newList({ statusPurpose: 'suspension' })
      const rows = [1, 2, 3].flatMap((index) => [
        `${address},${index},suspend`,
        `${address},${index},reinstate`,
        ...(index === 2 ? [`${address},2,suspend`] : []),
      ])
      const job = await ended(await start(['list,index,action', ...rows].join('\n')))
      assert.deepEqual([job.applied, job.refused], [7, 0])
      assert.deepEqual(await setIn(statusListName), [2])
    })

    it('changes nothing in a dry run, and tells what would be refused', async () => {
      const { statusListName, address } = await newList()
      const rows = [`${address},1,revoke`, `${address},1,reinstate`, `${address},2,revoke`]
      const file = ['list,index,action', ...rows].join('\n')
      const job = await ended(await start(file, { dryRun: 'true', jobId: `dry-${place}` }))
      assert.deepEqual([job.dryRun, job.applied, job.refused], [true, 2, 1])
      assert.deepEqual(
        (await report(job)).refused.map(({ line }) => line),
        [3],
      )
      assert.deepEqual(await setIn(statusListName), [])
      const same = { body: file, headers: CSV, query: { jobId: `dry-${place}` } }
      assert.deepEqual(codeOf(await client.post('/credential-status/jobs', same)), [400, 'job_exists'])
    })

    it('answers the same job to the same id, and reports page by page', async () => {
      const { statusListName, address } = await newList()
      const rows = Array.from({ length: 2500 }, (_, n) => `${address},${n % 2 === 0 ? n : 200_000},revoke`)
      const file = ['list,index,action', ...rows].join('\n')
      const query = { jobId: `once ${place}/ä` }
      const [first, second] = await Promise.all([start(file, query), start(file, query)])
      assert.deepEqual([first.id, second.id], [query.jobId, query.jobId])
      const id = encodeURIComponent(query.jobId)
      const job = await ended({ id })
      assert.deepEqual([job.rows, job.applied, job.refused], [2500, 1250, 1250])
      assert.equal((await start(file, query)).state, 'done')
      const lines: number[] = []
      for (let after: string | undefined; ;) {
        const page = await report({ id }, { limit: '400', ...(after !== undefined && { after }) })
        lines.push(...page.refused.map(({ line }) => line))
        after = page.next
        if (after === undefined) break
      }
      assert.deepEqual(
        lines,
        rows.flatMap((_, n) => (n % 2 === 0 ? [] : [n + 2])),
      )
      assert.equal((await setIn(statusListName)).length, 1250)
      const parts = sql`SELECT COUNT(*) AS n FROM status_list_job WHERE id = ${query.jobId}`
      assert.equal(Number((await service.database.query<{ n: number }>(parts))[0]?.n), 1)
    })

    it('revokes what a key has signed, and what was issued in a time', async () => {
      const did = await createDid(client)
      const { statusListName } = await createList(client, { did, listType: 'BitstringStatusList' })
      const issued = new Map<string, number>()
      for (const n of [1, 2, 3]) {
        const id = `urn:jobs:signed:${place}:${n}`
        await client.ok('POST', '/credential/issue', {
          json: {
            issuerDid: did,
            attributes: { name: 'Bob' },
            credentialStatus: { statusListName },
            credentialId: id,
          },
        })
        const { entries } = (await client.ok('GET', '/credential/entries', {
          query: { credentialId: id },
        })) as {
          entries: { index: number; issuedAt: string }[]
        }
        issued.set(entries[0]?.issuedAt ?? '', entries[0]?.index ?? -1)
        await until(() => new Date().toISOString() > (entries[0]?.issuedAt ?? ''))
      }
      const [first = '', second = '', third = ''] = [...issued.keys()]
      const json = { action: 'revoke', reason: 'wrong data', issuedFrom: second, issuedUntil: third }
      const query = { jobId: `times-${place}` }
      const { status, body } = await client.post('/credential-status/jobs', { json, query })
      assert.equal(status, 202, JSON.stringify(body))
      const byTime = await ended(body as Job)
      assert.deepEqual([byTime.rows, byTime.applied, byTime.reason], [1, 1, 'wrong data'])
      assert.deepEqual(await decodedByOthers(client, did, statusListName), [issued.get(second)])
      const other = { json: { ...json, issuedFrom: first }, query }
      assert.deepEqual(codeOf(await client.post('/credential-status/jobs', other)), [400, 'job_exists'])
      const found = (await client.ok('GET', `/did/read/${did}`)) as { keys: { kid: string }[] }
      const kid = found.keys[0]?.kid ?? ''
      const byKey = await client.post('/credential-status/jobs', { json: { action: 'revoke', kid } })
      const all = await ended(byKey.body as Job)
      assert.deepEqual([all.rows, all.applied], [3, 3])
      assert.deepEqual(
        await decodedByOthers(client, did, statusListName),
        [...issued.values()].sort((a, b) => a - b),
      )
    })

    it('refuses a request without a file for what is not there', async () => {
      const refused: [object, number, string][] = [
        [{ action: 'revoke', kid: 'ab'.repeat(32) }, 400, 'key_not_found'],
        [{ action: 'revoke' }, 400, 'invalid_input'],
        [{ action: 'dance', kid: 'ab'.repeat(32) }, 400, 'invalid_input'],
        [{ action: 'revoke', issuedFrom: '2026-01-01T00:00:00Z' }, 400, 'invalid_input'],
        [
          { action: 'revoke', issuedFrom: '2026-01-02T00:00:00Z', issuedUntil: '2026-01-01T00:00:00Z' },
          400,
          'invalid_input',
        ],
      ]
      for (const [json, status, code] of refused) {
        const answer = await client.post('/credential-status/jobs', { json })
        assert.deepEqual(codeOf(answer), [status, code], JSON.stringify(json))
      }
    })

    it('refuses a file that is none, or too long, and keeps nothing of it', async () => {
      const { address } = await newList()
      const row = `${address},1,revoke\n`
      const refused: [string, object, number, string][] = [
        ['', CSV, 400, 'malformed_body'],
        ['list,index\nx,1', CSV, 400, 'malformed_body'],
        ['list,index,action,colour\nx,1,revoke,red', CSV, 400, 'malformed_body'],
        [`list,index,action\n${row.repeat(5001)}`, CSV, 413, 'body_too_large'],
        [`list,index,action\n${'\n'.repeat(20_000)}${row}`, CSV, 413, 'body_too_large'],
        [`list,index,action\n${row}"${'x'.repeat(40_000)}`, CSV, 400, 'malformed_body'],
        [`list,index,action\n${row}"never closed\n${row}`, CSV, 400, 'malformed_body'],
        [`{"list": "${'x'.repeat(100_000)}`, NDJSON, 400, 'malformed_body'],
        ['list,index,action', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
        ['list,index,action', { ...CSV, 'content-encoding': 'gzip' }, 415, 'unsupported_media_type'],
        ['list,index,action', { ...CSV, 'idempotency-key': 'k1' }, 400, 'invalid_input'],
      ]
      for (const [body, headers, status, code] of refused) {
        const request = { body, headers: headers as Record<string, string> }
        const answer = await client.post('/credential-status/jobs', request)
        assert.deepEqual(codeOf(answer), [status, code], body.slice(0, 60))
      }
      const uploads = sql`SELECT uid FROM status_list_job WHERE id IS NULL`
      assert.deepEqual(await service.database.query(uploads), [])
    })

    it('applies and shows nothing of an upload that ends half-way', async () => {
      const { statusListName, address } = await newList()
      const apiKey = await keyWith([])
      const upload = httpRequest(`${client.url}/credential-status/jobs?jobId=half-${place}`, {
        method: 'POST',
        headers: { ...CSV, 'x-api-key': apiKey },
      })
      const failed = new Promise((resolve) => upload.once('error', resolve))
      upload.write(`list,index,action\n${`${address},1,revoke\n`.repeat(2000)}`)
      const uploads = () => service.database.query(sql`SELECT uid FROM status_list_job WHERE id IS NULL`)
      await until(async () => (await uploads()).length === 1)
      const { status } = await client.get(`/credential-status/jobs/half-${place}`)
      assert.equal(status, 404)
      upload.destroy(new Error('cut'))
      await failed
      await until(async () => (await uploads()).length === 0)
      assert.deepEqual(await setIn(statusListName), [])
      const job = await ended(
        await start(`list,index,action\n${address},2,revoke`, { jobId: `half-${place}` }),
      )
      assert.equal(job.applied, 1)
      assert.deepEqual(await setIn(statusListName), [2])
    })

    it('pauses, resumes, and leaves what has ended as it is', async () => {
      const lists = await Promise.all(Array.from({ length: 8 }, () => newList()))
      const rows = lists.map(({ address }) => `${address},1,revoke`)
      const job = await start(['list,index,action', ...rows].join('\n'))
      const paused = (await client.ok('POST', `/credential-status/jobs/${job.id}/pause`)) as Job
      if (paused.state === 'paused') {
        const { state } = (await client.ok('GET', `/credential-status/jobs/${job.id}`)) as Job
        assert.equal(state, 'paused')
      }
      await client.ok('POST', `/credential-status/jobs/${job.id}/resume`)
      assert.equal((await ended(job)).applied, 8)
      for (const act of ['pause', 'resume']) {
        const { state } = (await client.ok('POST', `/credential-status/jobs/${job.id}/${act}`)) as Job
        assert.equal(state, 'done')
      }
      for (const act of ['', '/report']) {
        const { status } = await stranger.get(`/credential-status/jobs/${job.id}${act}`)
        assert.equal(status, 404)
      }
      const { status } = await stranger.post(`/credential-status/jobs/${job.id}/pause`)
      assert.equal(status, 404)
    })

    it('are listed, the newest first, page by page, and by their state', async () => {
      const lister = await service.clientOf('lister')
      const period = { issuedFrom: '2020-01-01T00:00:00Z', issuedUntil: '2020-01-02T00:00:00Z' }
      for (const id of ['first', 'second', 'third']) {
        await lister.post(JOBS, { json: { action: 'revoke', ...period }, query: { jobId: id } })
        await until(async () => ((await lister.ok('GET', `${JOBS}/${id}`)) as Job).state === 'done')
      }
      await service.database.write((connection) =>
        connection.run(sql`UPDATE status_list_job SET state = 'paused' WHERE id = 'second'`),
      )
      const page = async (query: Record<string, string> = {}, who = lister) =>
        (await who.ok('GET', JOBS, { query })) as { jobs: Job[]; next?: string }
      const ids = ({ jobs }: { jobs: Job[] }) => jobs.map(({ id }) => id)
      const newest = await page({ limit: '2' })
      assert.deepEqual(ids(newest), ['third', 'second'])
      const rest = await page({ limit: '2', after: newest.next ?? assert.fail() })
      assert.deepEqual([ids(rest), rest.next], [['first'], undefined])
      assert.deepEqual(ids(await page({ state: 'paused' })), ['second'])
      assert.deepEqual(ids(await page({ state: 'done', limit: '1' })), ['third'])
      assert.deepEqual(ids(await page({ state: 'cancelled' })), [])
      assert.deepEqual(ids(await page({}, stranger)).includes('first'), false)
      for (const query of [{ state: 'ended' }, { after: 'x' }, { limit: '0' }])
        assertRefused(await lister.get(JOBS, { query }), { code: 'invalid_input' })
      const withScope = async (scope: string) =>
        lister.as((await service.accounts.createApiKey({ account: 'lister', scopes: [scope] })).apiKey)
      assert.equal((await page({}, await withScope('read'))).jobs.length, 3)
      assertRefused(await (await withScope('dids')).get(JOBS), { status: 403, code: 'forbidden' })
    })

    it('are cancelled for good before they end, at every door; what is applied stays applied', async () => {
      const { statusListName, address } = await newList()
      const listed = async (id: string) =>
        ((await client.ok('GET', '/work', { query: { kind: 'job' } })) as { items: ListedWork[] }).items.find(
          ({ subject }) => subject === id,
        )
      const { apiKey } = await service.accounts.createApiKey({ account: 'issuer', scopes: ['operator'] })
      const byWork = async (id: string, prefix = '') => {
        const item = (await listed(id)) ?? assert.fail('it waits')
        assert.ok(item.can.includes('cancel'))
        const by = prefix === '' ? client : client.as(apiKey)
        assert.deepEqual(await by.ok('POST', `${prefix}/work/${item.id}/cancel`), { id: item.id })
      }
      const doors: Record<string, (id: string) => Promise<unknown>> = {
        own: (id) => client.ok('POST', `${JOBS}/${id}/cancel`),
        work: byWork,
        operator: (id) => byWork(id, '/operator'),
      }
      for (const [n, [door, cancel]] of Object.entries(doors).entries()) {
        const id = `cancelled-${door}`
        await ended(await start(`list,index,action\n${address},${n},revoke`, { jobId: id }))
        assertRefused(await client.post(`${JOBS}/${id}/cancel`), {
          code: 'not_possible',
          path: 'id',
          says: /ended as done/,
        })
        await putJobBack(service.database, id, n === 1 ? 'queued' : 'paused')
        assertRefused(await stranger.post(`${JOBS}/${id}/cancel`), { status: 404, code: 'job_not_found' })
        const narrow = client.as(await keyWith(['revocation']))
        assertRefused(await narrow.post(`${JOBS}/${id}/cancel`), { status: 403, code: 'forbidden' })
        await cancel(id)
        const job = (await client.ok('GET', `${JOBS}/${id}`)) as Job
        assert.deepEqual([job.state, job.applied, job.endedAt !== undefined], ['cancelled', 1, true])
        for (const act of ['cancel', 'resume', 'pause'])
          assert.deepEqual(await client.ok('POST', `${JOBS}/${id}/${act}`), job, act)
        assert.equal(await listed(id), undefined)
        const { events } = (await client.ok('GET', '/account/events', {
          query: { limit: '1000', type: 'job.ended' },
        })) as { events: { subject: string; data: { state: string; applied: number } }[] }
        const told = events.filter(({ subject, data }) => subject === id && data.state !== 'done')
        assert.deepEqual(
          told.map(({ data }) => [data.state, data.applied]),
          [['cancelled', 1]],
        )
        const audited = await service.audit.list({ event: 'job-cancelled', limit: 1000 })
        assert.equal(audited.filter(({ subject }) => subject === id).length, 1)
      }
      assert.deepEqual(await setIn(statusListName), [0, 1, 2])
      const headers = { authorization: `Bearer ${TOKEN}` }
      const metrics = parseMetrics(await (await fetch(`${client.url}/metrics`, { headers })).text())
      const ends = metrics.get('vidimus_status_list_jobs_total')?.samples
      const counted = ends?.find(({ labels }) => labels.result === 'cancelled')
      assert.equal(counted?.value, Object.keys(doors).length)
      assertRefused(await client.post(`${JOBS}/nothing/cancel`), { status: 404, code: 'job_not_found' })
    })

    it('while they run, apply no row after they are cancelled', async () => {
      const lists = await Promise.all(Array.from({ length: 8 }, () => newList()))
      const rows = lists.map(({ address }) => `${address},1,revoke`)
      const { id } = await start(['list,index,action', ...rows].join('\n'))
      const answers = await Promise.all([1, 2].map(() => client.post(`${JOBS}/${id}/cancel`)))
      const { state, applied } = await ended({ id })
      for (const answer of answers) assert.equal(answer.status, state === 'cancelled' ? 200 : 400)
      const set = await Promise.all(lists.map(({ statusListName }) => setIn(statusListName)))
      assert.equal(set.flat().length, applied)
    })

    const keyWith = async (scopes: string[]) => {
      const request = { account: 'issuer', ...(scopes.length > 0 && { scopes }) }
      return (await service.accounts.createApiKey(request)).apiKey
    }

    it('needs for each row the scope that it would need alone, and refuses the whole file otherwise', async () => {
      const { statusListName, address } = await newList()
      const index = await issue(statusListName, `urn:jobs:rights:${place}`)
      const times = { issuedFrom: '2020-01-01T00:00:00Z', issuedUntil: '2030-01-01T00:00:00Z' }
      const byIndex = `${address},${index === 1 ? 2 : 1},revoke`
      const orders: [needs: readonly string[], request: object][] = [
        [
          ['revocation', 'credential-revoke'],
          { body: `credentialId,action\nurn:jobs:rights:${place},revoke`, headers: CSV },
        ],
        [['revocation', 'credential-revoke'], { json: { action: 'revoke', ...times } }],
        [['revocation', 'credential-suspend'], { json: { action: 'suspend', ...times } }],
        [['status-lists'], { body: `list,index,action\n${byIndex}`, headers: CSV }],
        [
          [],
          {
            body: `credentialId,list,index,action\n,${byIndex}\nurn:jobs:rights:${place},,,revoke`,
            headers: CSV,
          },
        ],
      ]
      const scopes = ['credentials', 'revocation', 'credential-revoke', 'credential-suspend', 'status-lists']
      for (const scope of [...scopes, 'read', 'status-job-create', 'update-encrypted-status-list']) {
        const limited = client.as(await keyWith([scope]))
        for (const [needs, request] of orders) {
          for (const dryRun of needs.includes(scope) ? ['true'] : ['true', 'false']) {
            const answer = await limited.post('/credential-status/jobs', { ...request, query: { dryRun } })
            const text = `${scope}: ${JSON.stringify([request, answer.body])}`
            assert.equal(answer.status, needs.includes(scope) ? 202 : 403, text)
            if (answer.status === 202) await ended(answer.body as Job)
          }
        }
      }
      assert.deepEqual(await setIn(statusListName), [])
    })

    it('keeps to the networks of the API key that ordered it', async () => {
      const { address } = await newList()
      const { apiKey } = await service.accounts.createApiKey({ account: 'issuer', networks: ['mainnet'] })
      const job = await start(`list,index,action\n${address},1,revoke`, {}, CSV, client.as(apiKey))
      await ended(job)
      assert.deepEqual(
        (await report(job)).refused.map(({ reason }) => reason),
        ['forbidden'],
      )
    })

    it('tells its end as an event, is in the audit trail, and holds no id of a credential in clear', async () => {
      const { statusListName } = await newList()
      const [known, unknown, why] = ['urn:jobs:clear:known', 'urn:jobs:clear:unknown', 'reason:in:clear']
      await issue(statusListName, known)
      const id = `told-${place}`
      const body = ['credentialId,action,reason', `${known},revoke,${why}`, `${unknown},revoke,${why}`].join(
        '\n',
      )
      const job = await ended(await start(body, { jobId: id }))
      const { events } = (await client.ok('GET', '/account/events', {
        query: { limit: '1000', type: 'job.ended' },
      })) as { events: { subject: string; data: object }[] }
      const [event, ...others] = events.filter(({ subject }) => subject === id)
      assert.deepEqual(
        [event?.data, others],
        [{ state: 'done', dryRun: false, rows: 2, applied: 1, refused: 1 }, []],
      )
      const created = await service.audit.list({ event: 'status-job-created', limit: 1000 })
      const [audited, ...more] = created.filter(({ subject }) => subject === id)
      assert.deepEqual(more, [])
      assert.deepEqual(JSON.parse(audited?.detail ?? ''), {
        rows: 2,
        refused: 1,
        dryRun: false,
        checksum: job.checksum,
      })
      const json = {
        action: 'revoke',
        reason: why,
        issuedFrom: '2020-01-01T00:00:00Z',
        issuedUntil: '2020-01-02T00:00:00Z',
      }
      await ended((await client.post('/credential-status/jobs', { json })).body as Job)
      assert.deepEqual(await tablesThatHold(service.database, [known, unknown, why]), [])
    })

    it('is a command that ends with its job', async () => {
      const { statusListName, address } = await newList()
      const file = join(folder, 'revoked.csv')
      const { file: config, environment } = await installationOf({
        dataDirectory: folder,
        environment: { DATABASE_URL: url, KMS_SECRET_KEY: 'a5'.repeat(32) },
      })
      const run = (...more: string[]) =>
        commandHere(
          ['revoke', '--file', file, '--account', 'issuer', '--config', config, ...more],
          environment,
        )
      await writeFile(file, `list,index,action\n${address},1,revoke\n${address},2,revoke\n`)
      const good = await run('--job-id', `command-${place}`)
      assert.equal(good.code, 0, good.complained)
      assert.match(good.printed, /2 rows applied, 0 rejected/)
      assert.deepEqual(await setIn(statusListName), [1, 2])
      await writeFile(file, `list,index,action\n${address},1,reinstate\n${address},3,revoke\n`)
      const bad = await run('--json')
      assert.deepEqual([bad.code, (JSON.parse(bad.printed) as Job).refused], [1, 1])
      assert.match(bad.complained, /^line 2: .*\(irreversible\)$/m)
    })
  })
}
