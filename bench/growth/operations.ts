import { randomUUID } from 'node:crypto'
import { PAGE, type Known } from './known.js'

export interface Call {
  method: 'GET' | 'POST'
  path: string
  query?: Record<string, string>
  json?: unknown
  headers?: Record<string, string>
}

export interface Operation {
  name: string
  /** requests under way at a time */
  connections: number
  /** the n-th call */
  call: (known: Known, n: number) => Call
}

/** How much of the throughput of an empty database is to be left. */
export const GOALS = { listings: 0.5, reads: 0.9, writes: 0.9 } as const

export type Kind = keyof typeof GOALS

const listType = 'BitstringStatusList'
const resourceType = 'BitstringStatusListCredential'
const limit = String(PAGE)

const get = (path: string, query: Record<string, string> = {}): Call => ({ method: 'GET', path, query })
const post = (path: string, json: unknown, query: Record<string, string> = {}): Call => ({
  method: 'POST',
  path,
  query,
  json,
})
const agent = (method: string, json: object): Call => post(`/agent/${method}`, json)
const resolve = (did: string, query: Record<string, string> = {}): Call =>
  get(`/1.0/identifiers/${did}`, query)
const one = <Item>(items: readonly Item[], n: number): Item => {
  const item = items[n % items.length]
  if (item === undefined) throw new Error('there are none')
  return item
}

type Calls = Record<string, (known: Known, n: number) => Call>

const LISTINGS: Calls = {
  DIDs: () => get('/did/list', { limit }),
  'DIDs, last page': ({ lastPages }) => get('/did/list', { limit, after: lastPages.dids }),
  'DIDs with keys': () => get('/did/list', { limit, metadata: 'true' }),
  'DIDs of a network': () => get('/did/list', { limit, network: 'testnet' }),
  'DIDs of a provider without any': () => get('/did/list', { limit, provider: 'did:key' }),
  'DIDs by alias': () => get('/did/list', { limit, alias: 'nobody*' }),
  'DIDs by time': () => get('/did/list', { limit, createdAfter: '2020-01-01T00:00:00Z' }),
  'DIDs by time, last page': ({ lastPages }) =>
    get('/did/list', { limit, createdAfter: '2020-01-01T00:00:00Z', after: lastPages.didsByTime }),
  'DIDs of agents': () => agent('didManagerFind', { limit: PAGE }),
  keys: () => get('/key/list', { limit }),
  'keys, last page': ({ lastPages }) => get('/key/list', { limit, after: lastPages.keys }),
  'keys of a KMS': () => get('/key/list', { limit, kms: 'local' }),
  'lists of a DID': ({ publisher: did }) => get('/credential-status/list', { did, limit }),
  'lists of a DID, last page': ({ publisher: did, lastPages: { lists: after } }) =>
    get('/credential-status/list', { did, limit, after }),
  'versions of a list': ({ history }) => get('/credential-status/versions', { ...history, listType, limit }),
  'versions of a list, last page': ({ history, lastPages: { versions: after } }) =>
    get('/credential-status/versions', { ...history, listType, limit, after }),
  events: () => get('/account/events', { limit }),
  'events, last page': ({ lastPages: { events: after } }) => get('/account/events', { limit, after }),
  'events of a rare type': () => get('/account/events', { limit, type: 'did.deactivated' }),
  payments: () => get('/credential-status/payments', { limit }),
  'API keys': () => get('/account/api-keys', { limit }),
  webhooks: () => get('/account/webhooks', { limit }),
  usage: () => get('/account/usage'),
  'newest resources of a DID': ({ publisher: did }) =>
    agent('linkedResourceListNewest', { did, limit: PAGE }),
  'resources of a DID': ({ publisher: did }) => agent('linkedResourceList', { did, limit: PAGE }),
}

const READS: Calls = {
  DID: ({ dids }, n) => get(`/did/read/${one(dids, n)}`),
  key: ({ kids }, n) => get(`/key/read/${one(kids, n)}`),
  'search of a DID': ({ dids }, n) => get(`/did/search/${one(dids, n)}`),
  'resolve a DID': ({ dids }, n) => resolve(one(dids, n)),
  'resolve an old document by id': ({ changed, documents: { oldest } }) =>
    get(`/1.0/identifiers/${changed}/version/${oldest.id}`),
  'resolve an old document by time': ({ changed, documents: { middle } }) =>
    resolve(changed, { versionTime: middle.created }),
  'a list': ({ list: { did, statusListName: resourceName } }) => resolve(did, { resourceName, resourceType }),
  'a list of many versions': ({ history: { did, statusListName: resourceName } }) =>
    resolve(did, { resourceName, resourceType }),
  'its oldest version by id': ({ publisher, versions: { oldest } }) =>
    get(`/1.0/identifiers/${publisher}/resources/${oldest.id}`),
  'one from the middle by id': ({ publisher, versions: { middle } }) =>
    get(`/1.0/identifiers/${publisher}/resources/${middle.id}`),
  'one from the middle by time': ({ history: { did, statusListName: resourceName }, versions: { middle } }) =>
    resolve(did, { resourceName, resourceType, resourceVersionTime: middle.created }),
  check: ({ list }, n) =>
    post('/credential-status/check', { ...list, index: n % 1000 }, { listType, statusPurpose: 'revocation' }),
  'issue a credential': ({ dids }, n) =>
    post('/credential/issue', { issuerDid: one(dids, n), subjectDid: one(dids, n), attributes: { a: 1 } }),
}

const create = { network: 'testnet' }
const answeredOnce = () => ({ 'idempotency-key': randomUUID() })

const WRITES: Calls = {
  'create a DID': () => post('/did/create', create),
  'create a DID, idempotent': () => ({ ...post('/did/create', create), headers: answeredOnce() }),
  'create a key': () => post('/key/create', {}, { type: 'Ed25519' }),
  'create a list': ({ publisher: did }) =>
    post(
      '/credential-status/create/unencrypted',
      { did, statusListName: randomUUID() },
      { listType, statusPurpose: 'revocation' },
    ),
  'update a list': ({ list }, n) =>
    post(
      '/credential-status/update/unencrypted',
      { ...list, indices: [(n * 7919) % 131_072] },
      { listType, statusAction: 'revoke' },
    ),
  'change a DID document': ({ dids }, n) =>
    post('/1.0/update', {
      did: one(dids, n),
      didDocumentOperation: ['addToDidDocument'],
      didDocument: [
        {
          service: [
            { id: `${one(dids, n)}#${randomUUID()}`, type: 'A', serviceEndpoint: 'https://one.example' },
          ],
        },
      ],
    }),
}

const MANY = 16

const at = (connections: number, calls: Calls): Operation[] =>
  Object.entries(calls).map(([name, call]) => ({ name, connections, call }))

export const OPERATIONS: Record<Kind, Operation[]> = {
  listings: at(1, LISTINGS),
  reads: at(1, READS),
  writes: [...at(1, WRITES), ...at(MANY, WRITES)],
}
