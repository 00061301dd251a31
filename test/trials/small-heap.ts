import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { BOUNDS, PAGES } from '@vidimus/core-types'
import { Client } from '../support/client.js'
import { newPrivateKey } from '../support/isolation-table.js'
import { Service } from '../support/service.js'
import { atOnce } from '../support/list-history.js'
import { trialOf, type Figures } from './trial.js'

interface Size {
  quotas: { dids: number; keys: number; statusLists: number; resources: number; bytes: number }
  /** of the hostile tenant, at the same time */
  readers: number
  /** requests of the other tenant, for each of the two measurements */
  requests: number
}

const RULE =
  'A process with a heap of 256 MB (`--max-old-space-size=256`) has a tenant who fills its quotas with ' +
  'objects of the maximum size, then reads all of it back, repeatedly and in parallel. The process ' +
  'survives, no response is longer than a page may be, and every request of another tenant succeeds; the ' +
  "figures are that tenant's p99 alone and beside the load."

const MEGABYTES = 256
const LIST = { listType: 'BitstringStatusList', statusPurpose: 'revocation' }
/** Of an answer beside its entries. */
const FRAME = 200_000
/** What is refused because others wait, and may be sent again. */
const LATER = [429, 503]

async function run({ quotas, readers, requests }: Size): Promise<Figures> {
  const environment = { LOG_LEVEL: 'error', NODE_OPTIONS: `--max-old-space-size=${MEGABYTES}` }
  const service = await Service.start({ environment })
  try {
    const { apiKey } = await service.apiKeyOf('hostile')
    const hostile = await LenientClient.of(service.url, apiKey)
    await service.accounts((accounts) => accounts.update('hostile', quotas))
    const other = await Client.of(service.url, (await service.apiKeyOf('other')).apiKey)
    const filled = await fill(hostile)
    const alone = await measure(other, requests)
    const reading = new Reading(service.url, apiKey, filled.did)
    const beside = await reading.during(readers, () => measure(other, requests))
    assert.ok(service.running, service.log)
    return {
      'DIDs, keys, lists, resources': filled.made,
      'reads of the tenant': reading.reads,
      'of these refused for later': reading.refused,
      'longest listing, bytes': reading.longest,
      'memory of the process at most, MB': await peakMegabytes(service.pid),
      'p99 alone, ms': alone,
      'p99 beside, ms': beside,
      times: (beside / alone).toFixed(1),
    }
  } finally {
    await service.stop()
  }
}

/** Answers are held against their descriptions elsewhere; here their lengths are looked at. */
class LenientClient extends Client {
  protected override validate(): void {
    // see above
  }

  static override async of(url: string, apiKey?: string): Promise<LenientClient> {
    const { openApi } = await Client.of(url, apiKey)
    return new LenientClient(url, apiKey, openApi)
  }
}

/** Makes everything at its bounds, until each quota refuses more. @returns a DID that has lists and resources */
async function fill(client: Client): Promise<{ did: string; made: string }> {
  const { did } = (await client.ok('POST', '/did/create', { json: { network: 'testnet' } })) as {
    did: string
  }
  const made = [
    await until400(client, '/resource/create/' + did, (n) => ({
      name: `resource ${n}`,
      type: 'Noise',
      encoding: 'base64url',
      data: randomBytes(500_000).toString('base64url'),
    })),
    await until400(client, '/credential-status/create/unencrypted', (n) => ({
      did,
      statusListName: `list ${n}`,
    })),
    await until400(client, '/agent/didManagerCreate', (n) => ({
      provider: n % 2 === 0 ? 'did:key' : 'did:jwk',
      alias: `${n} `.padEnd(BOUNDS.indexedText, 'a'),
      options: {},
    })),
    await until400(client, '/agent/keyManagerCreate', () => ({
      kms: 'local',
      type: 'Ed25519',
      meta: { note: 'x'.repeat(BOUNDS.keyMetaBytes - 100) },
    })),
  ]
  for (let n = 0; n < 20; n += 1)
    await client.post('/account/webhooks', {
      json: { url: `https://a.example/${n}/`.padEnd(BOUNDS.url, 'a'), types: ['did.created'] },
    })
  const [resources, lists, dids, keys] = made
  return { did, made: `${dids}, ${keys}, ${lists}, ${resources}` }
}

/** @returns how many were taken */
async function until400(client: Client, path: string, json: (n: number) => object): Promise<number> {
  const query = path.includes('status') ? LIST : {}
  let taken = 0
  let isFull = false
  while (!isFull) {
    await atOnce(
      4,
      Array.from({ length: 20 }, (_, n) => taken + n),
      async (n) => {
        const { status, body } = await client.post(path, { json: json(n), query })
        if (status === 400) {
          assert.match(JSON.stringify(body), /quota\./)
          isFull = true
        } else assert.ok(status === 200 || status === 201, JSON.stringify(body))
      },
    )
    taken += 20
  }
  return taken
}

/** Reads everything that an account has, page after page. */
class Reading {
  reads = 0
  refused = 0
  longest = 0
  private isOver = false

  constructor(
    private readonly url: string,
    private readonly apiKey: string,
    private readonly did: string,
  ) {}

  async during<T>(readers: number, work: () => Promise<T>): Promise<T> {
    const reading = Promise.all(Array.from({ length: readers }, (_, n) => this.read(n)))
    // A failure of theirs is looked at in the end.
    reading.catch(() => undefined)
    try {
      return await work()
    } finally {
      this.isOver = true
      await reading
    }
  }

  private async read(first: number): Promise<void> {
    const { did } = this
    const whole = { limit: PAGES.most }
    const listings: (() => Promise<unknown>)[] = [
      () => this.post('didManagerFind', {}),
      () => this.post('didManagerFind', { ...whole, provider: 'did:key' }),
      () => this.pages('/key/list'),
      () => this.pages('/did/list'),
      () => this.pages('/credential-status/list', { did }),
      () => this.get('/account/events', { limit: `${PAGES.most}` }),
      () => this.get('/account/webhooks'),
      () => this.get('/account/api-keys'),
      () => this.post('linkedResourceList', { did, ...whole }),
      () => this.post('linkedResourceListNewest', { did, ...whole }),
      () => this.get(`/1.0/identifiers/${did}/metadata`),
      () => this.get(`/1.0/identifiers/${did}/versions`),
    ]
    for (let n = first; !this.isOver; n += 1) await listings[n % listings.length]?.()
  }

  private async pages(path: string, query: Record<string, string> = {}): Promise<void> {
    for (let page = 1; page <= 3; page += 1)
      await this.get(path, { ...query, page: `${page}`, limit: `${PAGES.most}` })
  }

  private get(path: string, query: Record<string, string> = {}): Promise<void> {
    return this.look(`${path}?${new URLSearchParams(query).toString()}`)
  }

  private post(method: string, json: object): Promise<void> {
    return this.look(`/agent/${method}`, { method: 'POST', body: JSON.stringify(json) })
  }

  /** What is read is counted and not parsed: the other tenant's requests are made by this process as well. */
  private async look(path: string, request: RequestInit = {}): Promise<void> {
    const headers = { 'x-api-key': this.apiKey, 'content-type': 'application/json' }
    const answer = await fetch(`${this.url}${path}`, { ...request, headers })
    const bytes = (await answer.arrayBuffer()).byteLength
    this.reads += 1
    if (LATER.includes(answer.status)) this.refused += 1
    else assert.equal(answer.status, 200, path)
    assert.ok(bytes <= PAGES.bytes + FRAME, `${path}: an answer has ${bytes} bytes`)
    this.longest = Math.max(this.longest, bytes)
  }
}

/** What a tenant does ordinarily, one request after the other. @returns the 99th percentile, in milliseconds */
async function measure(client: Client, requests: number): Promise<number> {
  const { did } = (await client.ok('POST', '/did/create', { json: { network: 'testnet' } })) as {
    did: string
  }
  const work = [
    () => client.ok('GET', '/did/list'),
    () => client.ok('GET', `/did/search/${did}`),
    () => client.ok('POST', '/key/import', { json: { privateKeyHex: newPrivateKey() } }),
    () => client.ok('GET', `/1.0/identifiers/${did}`),
  ]
  const times: number[] = []
  for (let n = 0; n < requests; n += 1) {
    const startedAt = performance.now()
    await work[n % work.length]?.()
    times.push(performance.now() - startedAt)
  }
  times.sort((one, next) => one - next)
  return Math.round(times[Math.ceil(times.length * 0.99) - 1] ?? 0)
}

/** Of Linux. */
async function peakMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1000)
}

export const smallHeap = trialOf(
  'small-heap',
  RULE,
  {
    full: {
      quotas: { dids: 3000, keys: 8000, statusLists: 300, resources: 200, bytes: 200_000_000 },
      readers: 16,
      requests: 2000,
    },
    short: {
      quotas: { dids: 100, keys: 300, statusLists: 20, resources: 40, bytes: 40_000_000 },
      readers: 16,
      requests: 40,
    },
  },
  run,
  () => Promise.resolve(process.platform === 'linux' ? undefined : 'as memory is looked for in /proc'),
)
