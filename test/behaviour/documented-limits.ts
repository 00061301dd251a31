import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isJsonObject, OPERATOR_SCOPE } from '@vidimus/core-types'
import type { Client } from '../support/client.js'
import {
  DocumentedLimits,
  type ApiDocument,
  type DocumentedOperation,
  type Edge,
  type LimitedField,
} from '../support/documented-limits.js'
import { ServiceHere } from '../support/service-here.js'

/** Narrower than the defaults: the document must follow. */
const CONFIGURED = { maxIndicesPerCall: 7, maxListLength: 262_144, maxCredentials: 3, maxServicesPerDid: 2 }

/** How every refusal for a length or a number reads. */
const OF_LIMIT = /at most|at least|more than|\d+ to \d+ |non-empty|0 or greater|positive/

const pathText = (path: readonly (string | number)[]) =>
  path.map((step, n) => (typeof step === 'number' ? `[${step}]` : n === 0 ? step : `.${step}`)).join('')

/**
 * The lengths and numbers documented by the API document, tried on both sides of each limit.
 * @param only - these operations; default: all
 */
export function documentedLimitsSuite(only?: readonly string[]): void {
  let folder: string
  let service: ServiceHere
  let client: Client
  let operator: Client
  let document: ApiDocument
  let limits: DocumentedLimits
  const fixtures: Record<string, unknown> = {}
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vidimus-limits-'))
    service = await ServiceHere.start({
      url: `sqlite:${join(folder, 'agent.sqlite')}`,
      listen: true,
      environment: { LOG_LEVEL: 'silent' },
      configure: (text) =>
        Object.entries(CONFIGURED)
          .reduce((all, [name, value]) => all.replace(new RegExp(`(${name}): \\d+`), `$1: ${value}`), text)
          // nothing is sent anywhere
          .replace('maxPerAccount: 20', 'maxPerAccount: 0'),
    })
    client = await service.clientOf('limits')
    const operatorKey = await service.accounts.createApiKey({ account: 'limits', scopes: [OPERATOR_SCOPE] })
    operator = client.as(operatorKey.apiKey)
    document = (await client.ok('GET', '/openapi.json')) as ApiDocument
    limits = new DocumentedLimits(document, (name) => fixtures[name])
    const { did, keys } = (await client.ok('POST', '/did/create', { json: { network: 'testnet' } })) as {
      did: string
      keys: [{ kid: string }]
    }
    Object.assign(fixtures, {
      did,
      issuerDid: did,
      holderDid: did,
      kid: keys[0].kid,
      statusListName: 'limits',
    })
    await client.ok('POST', '/credential-status/create/unencrypted', {
      query: { listType: 'BitstringStatusList', statusPurpose: 'revocation' },
      json: { did, statusListName: 'limits' },
    })
    const issued = (await client.ok('POST', '/credential/issue', {
      json: { issuerDid: did, subjectDid: did, attributes: { name: 'Ada' } },
    })) as { proof: { jwt: string } }
    fixtures.credentials = issued.proof.jwt
  })
  after(async () => {
    await service.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const operations = () =>
    Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item)
        .filter(([, { operationId }]) => !UNTRIED.has(operationId) && (only?.includes(operationId) ?? true))
        .map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
    )

  it('match the configuration', () => {
    const body = (path: string) =>
      document.paths[path]?.post?.requestBody?.content['application/json']?.schema.properties
    assert.equal(
      body('/credential-status/update/unencrypted')?.indices?.maxItems,
      CONFIGURED.maxIndicesPerCall,
    )
    assert.equal(body('/credential-status/check')?.indices?.maxItems, CONFIGURED.maxIndicesPerCall)
    assert.equal(body('/credential-status/create/unencrypted')?.length?.maximum, CONFIGURED.maxListLength)
    assert.equal(body('/credential-status/create/encrypted')?.length?.maximum, CONFIGURED.maxListLength)
    assert.equal(body('/presentation/create')?.credentials?.maxItems, CONFIGURED.maxCredentials)
    const create = body('/did/create')
    assert.equal(create?.service?.maxItems, CONFIGURED.maxServicesPerDid)
    assert.equal(create.didDocument?.properties?.service?.maxItems, CONFIGURED.maxServicesPerDid)
  })

  it('apply exactly at the limit, in bodies and parameters', async () => {
    const wrong: string[] = []
    let tried = 0
    for (const { path, method, operation } of operations()) {
      const caller = operation['x-scopes']?.includes(OPERATOR_SCOPE) ? operator : client
      for (const request of requestsOf(operation, limits, fixtures)) {
        for (const edge of limits.edgesOf(request.field)) {
          if (request.isInHead && encodeURIComponent(String(edge.over)).length > MOST_IN_HEAD) continue
          tried += 1
          const name = `${method} ${path} ${pathText(request.field.path)} (${edge.what})`
          wrong.push(
            ...(await judged(name, edge, request.field, (value) =>
              send(caller, method, path, request.with(value)),
            )),
          )
        }
      }
    }
    assert.deepEqual(wrong, [])
    assert.ok(tried > (only ? 30 : 200), `${tried} edges`)
  })
}

/** `headerBytes` of the service, and some room. */
const MOST_IN_HEAD = 15_000

/** Operations that never end, or that need no separate test. */
const UNTRIED = new Set(['event-stream'])

interface Sent {
  query: Record<string, string>
  path: Record<string, string>
  headers: Record<string, string>
  json?: unknown
}

interface LimitedRequest {
  field: LimitedField
  /** in the URL or a header, which the transport limits as a whole */
  isInHead: boolean
  with: (value: unknown) => Sent
}

/** A request for each limited field of an operation, everything else of which is in order as far as that is possible. */
function requestsOf(
  { parameters = [], requestBody }: DocumentedOperation,
  limits: DocumentedLimits,
  fixtures: Record<string, unknown>,
): LimitedRequest[] {
  const content = requestBody?.content['application/json']
  const example = Object.values(content?.examples ?? {})[0]?.value as object | undefined
  const known = Object.fromEntries(
    Object.keys(example ?? {}).flatMap((name) =>
      name in fixtures && name !== 'credentials' ? [[name, fixtures[name]]] : [],
    ),
  )
  const base = (): Sent => {
    const sent: Sent = {
      query: {},
      path: {},
      headers: {},
      ...(content && { json: { ...example, ...known } }),
    }
    for (const { name, in: place, schema } of parameters) {
      const sample = String([limits.sampleOf(schema, [name])].flat()[0])
      if (place === 'path') sent.path[name] = sample
      else if (place === 'query' && ['listType', 'statusPurpose', 'statusAction'].includes(name))
        sent.query[name] = sample
    }
    if (sent.query.listType) sent.query.listType = 'BitstringStatusList'
    return sent
  }
  const ofParameters = parameters.flatMap(({ name, in: place, schema }) =>
    [...limits.fieldsOf(schema, [name])]
      .filter(({ path }) => path.length === 1)
      .map((field) => ({
        field,
        isInHead: true,
        with: (value: unknown): Sent => {
          const sent = base()
          const text = Array.isArray(value) ? value.join(',') : String(value)
          if (place === 'path') sent.path[name] = text
          else if (place === 'header') sent.headers[name] = text
          else sent.query[name] = text
          // How far pages go depends on how many entries they have.
          if (name === 'page') sent.query.limit = '1'
          return sent
        },
      })),
  )
  const schema = content?.schema
  if (!schema) return ofParameters
  const ofBody = [...limits.fieldsOf(schema)].map((field) => ({
    field,
    isInHead: false,
    with: (value: unknown): Sent => {
      const sent = base()
      const json = limits.withValue(sent.json, schema, field.path, value) as Record<string, unknown>
      if (field.path.join() === 'statusListName' && 'length' in (schema.properties ?? {}))
        delete json.statusListVersion
      if ('length' in (schema.properties ?? {}) && field.path[0] !== 'statusListName')
        json.statusListName = randomUUID()
      // Without either it is neither a request for an entry nor one.
      for (const status of [json.credentialStatus].flat())
        if (isJsonObject(status) && status.type === undefined)
          status.statusListName ??= fixtures.statusListName
      return { ...sent, json }
    },
  }))
  return [...ofParameters, ...ofBody]
}

function send(client: Client, method: string, path: string, { query, path: names, headers, json }: Sent) {
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(names[name] ?? ''))
  return client.call(method, url, { query, headers, ...(json !== undefined && { json }) })
}

interface Problem {
  path: string
  message: string
}

/** Of the service, or of a resolver, whose message begins with the name of the parameter. */
function problemsIn(body: unknown): readonly Problem[] {
  const { details, dereferencingMetadata } = body as {
    details?: Problem[]
    dereferencingMetadata?: { message: string }
  }
  const message = dereferencingMetadata?.message ?? ''
  return details ?? [{ path: message.split(' ')[0] ?? '', message }]
}

async function judged(
  name: string,
  { fits, over }: Edge,
  { path }: LimitedField,
  request: (value: unknown) => ReturnType<typeof send>,
): Promise<string[]> {
  const field = pathText(path)
  const refusals = async (value: unknown) => {
    const { status, body } = await request(value)
    const details = status >= 400 ? problemsIn(body) : []
    return {
      status,
      text: JSON.stringify(body)?.slice(0, 300),
      ofLimit: details.filter(
        (one) =>
          (one.path === field ||
            one.path.startsWith(`${field}[`) ||
            field.startsWith(`${one.path}[`) ||
            field.startsWith(`${one.path}.`)) &&
          OF_LIMIT.test(one.message),
      ),
    }
  }
  const accepted = await refusals(fits)
  const refused = await refusals(over)
  return [
    ...(accepted.ofLimit.length > 0 || accepted.status >= 500
      ? [`${name}: refused at the limit: ${accepted.text}`]
      : []),
    ...(refused.ofLimit.length === 0
      ? [`${name}: not refused over it: ${refused.status} ${refused.text}`]
      : []),
  ]
}
