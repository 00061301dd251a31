import type { Effect } from '@vidimus/core-types'
import type { KeyPair } from '@vidimus/verification-methods'
import type { Request } from './client.js'

/** A request that only a caller with the right for an effect may send; it need not succeed. */
export interface EffectDoor {
  /** id of the operation or agent method */
  id: string
  title: string
  method?: 'GET' | 'DELETE'
  path: string
  request: Request
  /** what the door itself needs, for what it does otherwise */
  beside?: readonly string[]
}

/** A key of the account with a certificate, which its DID `did:jwk` is made of. */
export interface CertifiedKey extends KeyPair {
  type: string
  jwk: object
  didJwk: string
}

/** Another DID of the account, with its document. */
export interface OtherDid {
  did: string
  document: { verificationMethod: object[] }
}

/** Lists of the account that the requests name. */
export interface ListsOfDoors {
  did: string
  plain: string
  encrypted: string
  certified: CertifiedKey
  other: OtherDid
  /** an encrypted list of another account, which a reader pays for */
  paid: { did: string; statusListName: string }
}

const CSV = { 'content-type': 'text/csv' }
const NDJSON = { 'content-type': 'application/x-ndjson' }
const JOBS = '/credential-status/jobs'
const PERIOD = { issuedFrom: '2020-01-01T00:00:00Z', issuedUntil: '2020-01-02T00:00:00Z' }
const listType = 'BitstringStatusList'

/** Every door to the effects that have several. Those of jobs only try; one door is one way to name what is meant. */
export function doorsToEffects({
  did,
  plain,
  encrypted,
  certified,
  other,
  paid,
}: ListsOfDoors): Partial<Record<Effect, EffectDoor[]>> {
  const agent = (id: string, json: object): EffectDoor => ({
    id,
    title: `/agent/${id}`,
    path: `/agent/${id}`,
    request: { json },
  })
  const jobs = (id: string, title: string, request: Request): EffectDoor => ({
    id,
    title,
    path: JOBS,
    request: { ...request, query: { dryRun: 'true' } },
  })
  const file = (cells: string, members: object) => [
    jobs('status-job-create', 'a row of a CSV file', { body: cells, headers: CSV }),
    jobs('status-job-create', 'a row of an NDJSON file', { body: JSON.stringify(members), headers: NDJSON }),
  ]
  const byCredential = (action: string): EffectDoor[] => [
    {
      id: `credential-${action}`,
      title: `/credential/${action}`,
      path: `/credential/${action}`,
      request: { json: { credentialId: 'urn:effects:none' } },
    },
    {
      id: 'vc-api-status',
      title: 'VC API',
      path: '/credentials/status',
      request: {
        json: {
          credentialId: 'urn:effects:none',
          credentialStatus: {
            type: 'BitstringStatusListEntry',
            statusPurpose: action === 'revoke' ? 'revocation' : 'suspension',
          },
          status: action !== 'reinstate',
        },
      },
    },
    agent('statusListUpdateCredential', { credentialId: 'urn:effects:none', statusAction: action }),
    agent('statusListUpdateCredential', { credentialId: 'urn:effects:none', action }),
    agent('statusListJobCreate', { action, ...PERIOD, dryRun: true }),
    jobs('status-job-create', 'a job by time', { json: { action, ...PERIOD } }),
    ...file(`credentialId,action\nurn:effects:none,${action}`, { credentialId: 'urn:effects:none', action }),
  ]
  const byIndex = (statusListName: string, kind: 'encrypted' | 'unencrypted'): EffectDoor[] => {
    const list = `${did}?resourceName=${statusListName}&resourceType=BitstringStatusListCredential`
    const json = { did, statusListName, indices: [3] }
    return [
      {
        id: kind === 'encrypted' ? 'update-encrypted-status-list' : 'update-status-list',
        title: `/credential-status/update/${kind}`,
        path: `/credential-status/update/${kind}`,
        request: { json, query: { listType, statusAction: 'revoke' } },
      },
      agent('statusListUpdate', {
        ...json,
        listType,
        statusAction: 'revoke',
        encrypted: kind === 'encrypted',
      }),
      ...file(`list,index,action\n${list},3,revoke`, { list, index: 3, action: 'revoke' }),
    ]
  }
  const kid = 'ab'.repeat(32)
  const certificate = { kid, certificateChain: '' }
  const rest = (id: string, path: string, json: object): EffectDoor => ({
    id,
    title: path,
    path,
    request: { json },
  })
  return {
    'revoke-by-credential': byCredential('revoke'),
    'suspend-by-credential': byCredential('suspend'),
    'reinstate-by-credential': byCredential('reinstate'),
    'revoke-by-index': byIndex(plain, 'unencrypted'),
    'revoke-encrypted': byIndex(encrypted, 'encrypted'),
    'publish-encrypted': [
      rest('create-encrypted-status-list', '/credential-status/create/encrypted', {}),
      agent('statusListCreate', { encrypted: true }),
    ],
    'request-certificate': [rest('key-csr', '/key/csr', { kid }), agent('keyCertificateRequest', { kid })],
    'name-issuer': [
      rest('key-certificate', '/key/certificate', certificate),
      agent('keyCertificateSet', certificate),
      ...choosing(certified, other, { agent, rest }),
    ],
    'delete-key': [
      { id: 'key-delete', title: 'DELETE /key', method: 'DELETE', path: `/key/${kid}`, request: {} },
      agent('keyManagerDelete', { kid }),
    ],
    'read-all-events': [
      rest('webhook-create', '/account/webhooks', {}),
      rest('webhook-resume', '/account/webhooks/none/resume', {}),
    ],
    'import-key': [rest('key-import', '/key/import', {})],
    // Whatever else a key may do, listing its DIDs is a right of its own.
    'list-dids': [
      { id: 'did-list', title: 'GET /did/list', method: 'GET', path: '/did/list', request: {} },
      {
        id: 'key-list',
        title: 'GET /key/list with DIDs',
        method: 'GET',
        path: '/key/list',
        request: { query: { dids: 'true' } },
        beside: ['key-list'],
      },
    ],
    spend: [
      {
        id: 'check-status-list',
        title: '/credential-status/check',
        path: '/credential-status/check',
        request: { json: { ...paid, index: 3 }, query: { listType, statusPurpose: 'revocation' } },
        beside: ['check-status-list'],
      },
      {
        ...agent('statusListCheck', { ...paid, index: 3, listType, statusPurpose: 'revocation' }),
        beside: ['statusListCheck'],
      },
    ],
    'read-payments': [
      {
        id: 'status-list-payments',
        title: 'payments',
        method: 'GET',
        path: '/credential-status/payments',
        request: {},
      },
      agent('statusListPayments', {}),
    ],
  }
}

/** Every way to give a DID a key of the account. */
function choosing(
  { publicKeyHex, privateKeyHex, type, jwk, didJwk }: CertifiedKey,
  { did, document }: OtherDid,
  {
    agent,
    rest,
  }: {
    agent: (id: string, json: object) => EffectDoor
    rest: (id: string, path: string, json: object) => EffectDoor
  },
): EffectDoor[] {
  const verificationMethodType = 'JsonWebKey2020'
  const key = publicKeyHex
  const added = { id: `${did}#certified`, type: verificationMethodType, controller: did, publicKeyJwk: jwk }
  const verificationMethod = [...document.verificationMethod, added]
  const embedded = { ...document, assertionMethod: [added] }
  const web = (n: number) => ({ id: `did:web:effects.example:${n}` })
  const doors = [
    rest('did-create', '/did/create', { network: 'testnet', key, verificationMethodType }),
    rest('did-create', '/did/create', { providerId: 'did:jwk', key }),
    rest('did-create', '/did/create', { providerId: 'did:web', key, didDocument: web(1) }),
    rest('registrar-create', '/1.0/create?method=cheqd', {
      options: { network: 'testnet', key, verificationMethodType },
    }),
    rest('did-update', '/did/update', { did, verificationMethod }),
    rest('did-update', '/did/update', { didDocument: embedded }),
    ...['setDidDocument', 'addToDidDocument'].map((operation) =>
      rest('registrar-update', '/1.0/update', {
        did,
        didDocumentOperation: [operation],
        didDocument: [
          operation === 'setDidDocument'
            ? { ...document, verificationMethod }
            : { verificationMethod: [added] },
        ],
      }),
    ),
    rest('did-rotate-key', '/did/rotate-key', { did, key }),
    rest('did-import', '/did/import', { did: didJwk }),
    rest('did-import', '/did/import', { did: didJwk, keys: [{ type, privateKeyHex }] }),
    ...['didManagerCreate', 'didManagerGetOrCreate'].flatMap((method, n) => [
      agent(method, {
        provider: 'did:cheqd',
        alias: `certified ${n}`,
        options: { network: 'testnet', publicKeyHex, verificationMethodType },
      }),
      agent(method, { provider: 'did:jwk', alias: `certified jwk ${n}`, options: { keyRef: key } }),
    ]),
    agent('didManagerAddKey', { did, key: { kid: key, type, publicKeyHex, kms: 'local' } }),
    agent('didManagerAddKey', {
      did,
      key: { kid: key, type, publicKeyHex, kms: 'local' },
      options: { localOnly: true },
    }),
    agent('didManagerUpdate', { did, document: { ...document, verificationMethod } }),
    agent('didManagerUpdate', { did, document: embedded }),
    agent('didRotateKey', { did, key }),
  ]
  return doors.map((door) => ({ ...door, beside: ['dids'] }))
}
