import { newKeyPair } from '@vidimus/verification-methods'
import type { Scenario } from './load/load.js'
import type { Yardstick } from './load/bare-yardstick.js'
import { spread, type ListName, type Subjects } from './subjects.js'

/** One line of the table. */
export interface Row extends Omit<Scenario, 'connections'> {
  /** further servers may answer the same, under this name */
  name: string
  connections: readonly number[]
  yardsticks: readonly Yardstick[]
}

const READ = ['express'] as const
const WRITE = ['durable'] as const
const PUBLIC = ['http', 'express'] as const
const USUAL = [16, 64] as const

const BITSTRING = 'listType=BitstringStatusList'
const UPDATE = `/credential-status/update/unencrypted?${BITSTRING}&statusAction=revoke`
const CREATE_LIST = `/credential-status/create/unencrypted?${BITSTRING}&statusPurpose=revocation`
export const CHECK = `/credential-status/check?${BITSTRING}&statusPurpose=revocation`

type Request = Pick<Scenario, 'method' | 'path' | 'body' | 'headers' | 'once' | 'status'>

function row(
  name: string,
  yardsticks: readonly Yardstick[],
  request: Request,
  connections: readonly number[] = USUAL,
): Row {
  return { name, connections, yardsticks, ...request }
}

/** Everything that is measured, with what each is compared to. */
export const rowsOf = (subjects: Subjects, entityTag: string): readonly Row[] => [
  ...checks(subjects),
  ...updates(subjects),
  ...creations(subjects),
  ...credentials(subjects),
  ...publicReads(subjects, entityTag),
]

const checks = ({ list }: Subjects): Row[] => [
  row('check one index', READ, { path: CHECK, body: (n) => ({ ...list, index: spread(n) }) }, [1, 16, 64]),
  row('check 20 indices', READ, {
    path: CHECK,
    body: (n) => ({ ...list, indices: Array.from({ length: 20 }, (_, more) => spread(n * 20 + more)) }),
  }),
]

function updates({ list, filled, eight, many, long }: Subjects): Row[] {
  const update = (name: string, body: (n: number) => Record<string, unknown>, extra: Partial<Request> = {}) =>
    row(name, WRITE, { path: UPDATE, body, once: true, ...extra })
  const inTurn = (lists: readonly ListName[]) => (n: number) => ({
    ...lists[n % lists.length],
    indices: [spread(Math.floor(n / lists.length))],
  })
  const unsetOf =
    ({ unset, ...name }: Subjects['long']) =>
    (n: number) => ({
      ...name,
      indices: [unset[spread(n, unset.length)]],
    })
  const minimal = { headers: () => ({ prefer: 'return=minimal' }) }
  const ofOne = (n: number) => ({ ...list, indices: [spread(n)] })
  return [
    { ...update('update, one list', ofOne), connections: [1, 16, 64] },
    update('update, one list, a third set', unsetOf(filled)),
    update('update over 8 lists', inTurn(eight)),
    update('update over 64 lists', inTurn(many)),
    { ...update('update, 10 M entries, 1 % set', unsetOf(long)), connections: [64] },
    { ...update('the same, return=minimal', unsetOf(long), minimal), connections: [64] },
  ]
}

const creations = ({ did }: Subjects): Row[] => [
  row('create list', WRITE, {
    path: CREATE_LIST,
    body: (n) => ({ did, statusListName: `bench-${process.pid}-${n}` }),
    once: true,
  }),
  row('create did:cheqd', WRITE, { path: '/did/create', body: () => ({ network: 'testnet' }), once: true }),
  row('create did:key', WRITE, { path: '/did/create', body: () => ({ providerId: 'did:key' }), once: true }),
  row('import key', WRITE, {
    path: '/key/import',
    body: () => ({ privateKeyHex: newKeyPair('Ed25519').privateKeyHex }),
    once: true,
  }),
  row('create key', WRITE, { path: '/key/create', body: () => ({}), once: true }),
]

const credentials = ({ did, list, credential, revocable, presentation }: Subjects): Row[] => [
  row('presentation', READ, {
    path: '/presentation/create',
    body: () => ({ credentials: [credential], holderDid: did }),
  }),
  row('verify presentation', READ, { path: '/presentation/verify', body: () => ({ presentation }) }),
  row('issue with a status entry', ['express', 'durable'], {
    path: '/credential/issue',
    body: () => ({
      issuerDid: did,
      subjectDid: did,
      attributes: { degree: 'Master' },
      credentialStatus: { statusListName: list.statusListName, statusPurpose: 'revocation' },
    }),
    once: true,
  }),
  row('verify a credential with its status', READ, {
    path: '/credential/verify',
    body: () => ({ credential: revocable }),
  }),
]

/** The newest version of a list, as verifiers ask for it. */
export const publicListPath = ({ did, statusListName }: ListName): string =>
  `/1.0/identifiers/${did}?resourceName=${statusListName}&resourceType=BitstringStatusListCredential`

const publicReads = ({ did, list, published }: Subjects, entityTag: string): Row[] => [
  row('resolve a DID', PUBLIC, { method: 'GET', path: `/1.0/identifiers/${did}` }),
  row('GET a list as a verifier', PUBLIC, { method: 'GET', path: publicListPath(list) }),
  row('GET a list, a third set', PUBLIC, { method: 'GET', path: publicListPath(published) }),
  row('the same, 304', PUBLIC, {
    method: 'GET',
    path: publicListPath(published),
    headers: () => ({ 'if-none-match': entityTag }),
    status: 304,
  }),
]
