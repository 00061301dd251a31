import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createDid, createList } from './shared/suite.js'
import { Client } from './support/client.js'
import type { OperationObject, Schema } from './support/request-arbitrary.js'
import { Service } from './support/service.js'
import { WORST, WorstRequest, type Worst } from './support/worst-request.js'

/** Milliseconds of the processor that one request may keep the event loop from everybody else. */
const LONGEST_GAP = 250

/** Every operation of the API document, as dear as its limits allow, beside an account that does its ordinary work. */
describe('an account that does its worst', () => {
  let folder: string
  let service: Service
  let hostile: Client
  let key: string
  let neighbour: Client
  let known: Record<string, unknown>
  let probe: string

  before(async function () {
    if (process.platform !== 'linux') this.skip()
    folder = await mkdtemp(join(tmpdir(), 'vidimus-hostile-'))
    probe = join(folder, 'gaps')
    await writeFile(probe, '')
    const support = join(import.meta.dirname, 'support/loop-probe.mjs')
    service = await Service.start({
      environment: { LOG_LEVEL: 'warn', LOOP_PROBE_FILE: probe, NODE_OPTIONS: `--import ${support}` },
    })
    const [one, other] = [await service.apiKeyOf('hostile'), await service.apiKeyOf('neighbour')]
    key = one.apiKey
    hostile = await Client.of(service.url, key)
    neighbour = hostile.as(other.apiKey)
    const did = await createDid(hostile)
    const { statusListName } = await createList(hostile, { did })
    known = {
      did,
      issuerDid: did,
      statusListName,
      listType: 'BitstringStatusList',
      statusPurpose: 'revocation',
    }
  })
  after(async () => {
    await service?.stop()
    if (folder) await rm(folder, { recursive: true, force: true })
  })

  const gaps = async () => (await readFile(probe, 'utf8')).split('\n').filter(Boolean).map(Number)

  /** What the neighbour does all the time; every answer has to be right. */
  async function ordinaryWork(isOver: () => boolean): Promise<number> {
    const did = await createDid(neighbour)
    let rounds = 0
    for (; !isOver(); rounds++) {
      const made = await neighbour.post('/key/create')
      assert.equal(made.status, 200)
      const { kid } = made.body as { kid: string }
      assert.equal((await neighbour.get(`/key/read/${kid}`)).status, 200)
      assert.equal((await neighbour.get(`/1.0/identifiers/${did}`, { apiKey: null })).status, 200)
      await pause(20)
    }
    return rounds
  }

  async function send(
    method: string,
    template: string,
    operation: OperationObject,
    worst: Worst,
    own: boolean,
  ) {
    const { components } = hostile.openApi as { components?: { schemas?: Record<string, Schema> } }
    const { path, query, body } = new WorstRequest(worst, components?.schemas ?? {}, own ? known : {}).of(
      operation,
    )
    const filled = template.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(String(path[name] ?? 'a')),
    )
    const sent = new URLSearchParams(query as Record<string, string>).toString()
    const url = `${service.url}${filled}${sent && `?${sent}`}`.slice(0, 12_000)
    const response = await fetch(url, {
      method: method.toUpperCase(),
      redirect: 'manual',
      headers: { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    })
    await response.arrayBuffer()
    return response.status
  }

  it('keeps the event loop from nobody, and its neighbour’s answers are all right', async () => {
    // Starting takes its time: who measures has seen it.
    assert.notDeepEqual(await gaps(), [])
    let isOver = false
    const work = ordinaryWork(() => isOver)
    // A failure of the neighbour is looked at in the end.
    work.catch(() => undefined)
    const paths = hostile.openApi.paths as unknown as Record<string, Record<string, OperationObject>>
    const dear: string[] = []
    let requests = 0
    for (const [template, methods] of Object.entries(paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        // streams have no end of their own
        if (template.includes('stream')) continue
        for (const worst of WORST) {
          for (const own of [true, false]) {
            const before = (await gaps()).length
            const status = await send(method, template, operation, worst, own)
            requests += 1
            assert.ok(
              status < 500 || status === 501 || status === 503,
              `${method} ${template} (${worst}): ${status}`,
            )
            await pause(5)
            for (const gap of (await gaps()).slice(before)) {
              if (gap > LONGEST_GAP) dear.push(`${gap} ms: ${method} ${template} (${worst})`)
            }
          }
        }
      }
    }
    isOver = true
    assert.ok((await work) > 10)
    assert.ok(requests > 300, `${requests} requests`)
    assert.deepEqual(dear, [])
  }).timeout(600_000)
})
