import type { Request } from './client.js'
import { ALIAS, BITSTRING, noise, randomIndices, type DearWorld } from './dear-world.js'
import { newPrivateKey } from './isolation-table.js'

/** Method, path and request. */
export type DearRequest = [method: 'GET' | 'POST', path: string, request?: Request]

const most = (count: number, one: (n: number) => unknown) => Array.from({ length: count }, (_, n) => one(n))
const post = (path: string, json: unknown, query?: Request['query']): DearRequest => [
  'POST',
  path,
  { json, ...(query && { query }) },
]
const call = (method: string, json: object): DearRequest => post(`/agent/${method}`, json)
const get = (path: string, query: Request['query'] = {}): DearRequest => ['GET', path, { query }]

const MOST_INDICES = 10_000
const deep = (levels: number): unknown => JSON.parse('['.repeat(levels) + '1' + ']'.repeat(levels))
const wide = (members: number) =>
  Object.fromEntries(most(members, (n) => [`member ${n}`, n]) as [string, unknown][])
const encoded = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
const token = (payload: string) => `${encoded({ alg: 'EdDSA' })}.${encoded(payload)}.${'a'.repeat(86)}`
const DEEP_TOKEN = token(`{"vc":${'['.repeat(200_000)}${']'.repeat(200_000)}}`)

/** What asks for the most work within the limits. Nearly all of it is taken. */
export const dearRequests = (world: DearWorld): DearRequest[] => [
  ...dids(world),
  ...keys(world),
  ...readings(world),
  ...statusLists(world),
  ...credentials(world),
  ...resources(world),
]

const dids = ({ did, document, documentMembers }: DearWorld): DearRequest[] => [
  post('/did/create', { network: 'testnet', didDocument: documentMembersOf(documentMembers) }),
  post(
    '/1.0/create',
    { options: { network: 'testnet' }, didDocument: documentMembersOf(documentMembers) },
    { method: 'cheqd' },
  ),
  post('/1.0/update', { did, didDocumentOperation: ['setDidDocument'], didDocument: [document] }),
  post('/did/import', { did, keys: most(100, () => ({ type: 'Ed25519', privateKeyHex: newPrivateKey() })) }),
  call('didManagerUpdate', { did, document }),
  get('/did/list', { limit: '1000' }),
  get('/did/list', { limit: '1000', alias: `${'a'.repeat(200)}*` }),
  get('/did/list', { limit: '10', page: '20' }),
  get(`/did/read/${did}`),
  get(`/did/search/${did}`),
  call('didManagerFind', { limit: 1000 }),
  call('didManagerFind', { limit: 1000, provider: 'did:jwk' }),
  call('didManagerGet', { did }),
  call('didManagerGetByAlias', { alias: `${ALIAS}0`, provider: 'did:key' }),
  call('didManagerSetAlias', { did, alias: ALIAS }),
  call('didManagerAddService', {
    did,
    service: { id: `${did}#one-more`, type: 'Files', serviceEndpoint: 'https://a.example' },
  }),
  call('didManagerRemoveService', { did, id: `${did}#one-more` }),
  call('didManagerCreate', { provider: 'did:key', alias: 'b'.repeat(1000) }),
  call('resolveDid', { didUrl: did }),
  call('resolveDid', { didUrl: `did:key:z${'1'.repeat(2000)}` }),
  call('resolveDid', { didUrl: `did:jwk:${'a'.repeat(2000)}` }),
  call('didUrlDereference', { didUrl: `${did}#service-94` }),
  call('getDIDComponentById', {
    didUrl: `${did}#s3999`,
    didDocument: {
      id: did,
      service: most(4000, (n) => ({ id: `${did}#s${n}`, type: 'a', serviceEndpoint: 'https://a.example' })),
    },
  }),
]

/** A new DID names no services of another. */
const documentMembersOf = ({ service, alsoKnownAs }: DearWorld['documentMembers']) => ({
  alsoKnownAs,
  service: service.map((one, n) => ({ ...one, idFragment: `s${n}`, id: undefined })),
})

const keys = ({ did, kid }: DearWorld): DearRequest[] => [
  ...['Ed25519', 'Secp256k1', 'Secp256r1', 'X25519'].map((type): DearRequest => [
    'POST',
    '/key/create',
    { query: { type } },
  ]),
  post('/key/import', { privateKeyHex: newPrivateKey(), alias: 'a'.repeat(255) }),
  get('/key/kms'),
  get('/key/list', { limit: '1000' }),
  get(`/key/read/${kid}`),
  call('keyManagerCreate', { kms: 'local', type: 'Ed25519', meta: { wide: wide(500) } }),
  call('keyManagerSign', { keyRef: kid, data: 'a'.repeat(900_000), encoding: 'utf-8' }),
  call('keyManagerSign', { keyRef: kid, data: 'ab'.repeat(450_000), encoding: 'base16' }),
  call('keyManagerSignJWT', { kid, data: 'a'.repeat(900_000) }),
  call('didJwtCreate', { did, payload: { text: 'a'.repeat(450_000) } }),
  call('didJwtCreate', { did, payload: wide(20_000) }),
  call('didJwtVerify', { did, jwt: DEEP_TOKEN }),
]

const readings = ({ did, chain, versions: [oldest, newest], resource }: DearWorld): DearRequest[] => {
  const list = { resourceName: chain, resourceType: 'BitstringStatusListCredential' }
  return [
    get('/account/usage'),
    get('/account/events', { limit: '1000' }),
    get('/account/events', { limit: '1000', type: 'did.deactivated' }),
    get(`/1.0/identifiers/${did}`),
    get(`/1.0/identifiers/${did}/versions`),
    get(`/1.0/identifiers/${did}/metadata`),
    get(`/1.0/identifiers/${did}`, { versionTime: new Date().toISOString() }),
    get(`/1.0/identifiers/${did}`, list),
    get(`/1.0/identifiers/${did}`, { ...list, resourceVersionTime: new Date().toISOString() }),
    get(`/1.0/identifiers/${did}/resources/${oldest}`),
    get(`/1.0/identifiers/${did}/resources/${newest}/metadata`),
    get(`/1.0/identifiers/${did}/resources/${resource.oldest}`),

    call('linkedResourceList', { did, limit: 1000 }),
    call('linkedResourceListNewest', { did, limit: 1000 }),
    call('linkedResourceListVersions', { did, ...list, limit: 1000 }),
    call('linkedResourceGetLatest', { did, ...list }),
    call('linkedResourceGet', { did, resourceId: oldest }),
  ]
}

const statusLists = ({ did, chain, noise: random, long }: DearWorld): DearRequest[] => {
  const { listType, statusPurpose } = BITSTRING
  const change = (statusListName: string, length?: number) =>
    post(
      '/credential-status/update/unencrypted',
      { did, statusListName, indices: randomIndices(MOST_INDICES, length) },
      { listType, statusAction: 'revoke' },
    )
  const check = (statusListName: string, more: object) =>
    post('/credential-status/check', { did, statusListName, ...more }, BITSTRING)
  const create = (body: object, query: Request['query']) =>
    post('/credential-status/create/unencrypted', { did, ...body }, query)
  const messages = most(256, (n) => ({
    status: `0x${n.toString(16)}`,
    message: `state ${n} ${'m'.repeat(1000)}`,
  }))
  return [
    create(
      {
        statusListName: 'random',
        encodedList: noise(),
      },
      BITSTRING,
    ),
    create(
      { statusListName: 'states', statusSize: 8, statusMessages: messages, length: 1_000_000 },
      { listType, statusPurpose: 'message' },
    ),
    create(
      { statusListName: 'tokens', statusSize: 8, length: 10_000_000 },
      { listType: 'TokenStatusList', statusPurpose: 'revocation' },
    ),
    create({ statusListName: 'older', length: 10_000_000 }, { listType: 'StatusList2021', statusPurpose }),
    post(
      '/credential-status/create/encrypted',
      { did, statusListName: 'sealed', length: 10_000_000 },
      BITSTRING,
    ),
    ...[change(chain), change(random, 4_000_000), change(long, 10_000_000)],
    post(
      '/credential-status/update/unencrypted',
      { did, statusListName: 'tokens', indices: randomIndices(MOST_INDICES, 10_000_000) },
      { listType: 'TokenStatusList', statusAction: 'revoke' },
    ),
    check(chain, { indexRangeStart: 0, indexRangeEnd: MOST_INDICES - 1 }),
    check(long, { indices: randomIndices(MOST_INDICES, 10_000_000) }),
    check(random, { indices: randomIndices(MOST_INDICES, 4_000_000) }),
    get('/credential-status/search', { did, statusListName: random, listType }),
    get('/credential-status/list', { did, limit: '1000' }),
    get('/credential-status/versions', { did, statusListName: chain, listType, limit: '1000' }),
    get('/credential-status/payments', { limit: '1000' }),
    call('statusListCheck', {
      ...BITSTRING,
      did,
      statusListName: long,
      indices: randomIndices(MOST_INDICES, 10_000_000),
    }),
    call('statusListSearch', { did, statusListName: random, listType }),
    call('statusListUpdate', {
      listType,
      statusAction: 'revoke',
      did,
      statusListName: long,
      indices: randomIndices(MOST_INDICES, 10_000_000),
    }),
    ...(most(8, () => call('statusListAllocate', { did, statusListName: long })) as DearRequest[]),
    call('statusListAllocateTogether', {
      requests: most(16, (n) => ({ did, statusListName: `list-${n}` })),
      entries: [],
    }),
  ]
}

const credentials = ({ did, credentials: some, longCredential, chain }: DearWorld): DearRequest[] => {
  const [first] = some
  const issue = (more: object) => post('/credential/issue', { issuerDid: did, subjectDid: did, ...more })
  return [
    issue({ attributes: { text: 'a'.repeat(900_000) } }),
    issue({ attributes: wide(20_000) }),
    issue({ attributes: { deep: deep(20) }, credentialStatus: { did, statusListName: chain } }),
    post('/credential/verify', { credential: longCredential }),
    post('/credential/verify', { credential: first }),
    post('/credential/verify', { credential: DEEP_TOKEN }),
    post('/presentation/create', { credentials: some, holderDid: did }),
    post('/presentation/verify', { presentation: presentationOf(some) }),
    call('presentationCreate', { credentials: some, holderDid: did }),
    call('createVerifiableCredential', {
      credential: { issuer: { id: did }, credentialSubject: { text: 'a'.repeat(400_000) } },
      proofFormat: 'jwt',
    }),
    call('createVerifiablePresentation', {
      presentation: { holder: did, verifiableCredential: some },
      proofFormat: 'jwt',
    }),
    call('credentialVerify', { credential: longCredential }),
  ]
}

/** Nobody signed it: who looks at its credentials first does all their work. */
const presentationOf = (credentials: readonly string[]): string =>
  token(
    JSON.stringify({
      vp: {
        '@context': ['https://www.w3.org/2018/credentials/v1'],
        type: ['VerifiablePresentation'],
        verifiableCredential: credentials,
      },
    }),
  )

const resources = ({ resource }: DearWorld): DearRequest[] => {
  const { oldest, ...named } = resource
  const alsoKnownAs = most(100, (n) => ({ uri: `https://host-${n}.example`, description: 'd'.repeat(100) }))
  return [
    call('linkedResourceCreate', { ...named, alsoKnownAs }),
    call('linkedResourceGetLatest', named),
    call('linkedResourceGet', { did: resource.did, resourceId: oldest }),
    call('statusListDelivery', { resourceType: 'BitstringStatusListCredential', data: resource.data }),
    call('statusListForms', { resourceType: 'BitstringStatusListCredential', data: resource.data }),
  ]
}
