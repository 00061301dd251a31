import assert from 'node:assert/strict'
import { createDid } from '../../behaviour/suite.js'
import type { Client, Request } from '../../support/client.js'
import { newPrivateKey } from '../../support/isolation-table.js'
import { createLists, type TrialList } from '../list-kinds.js'

type Method = 'GET' | 'POST' | 'DELETE'

/** What callers do; `n` is another number each time. */
export interface Kind {
  name: string
  run(client: Client, n: number): Promise<unknown>
}

/** What the requests are about; made once. */
interface Things {
  did: string
  kid: string
  lists: readonly TrialList[]
  encrypted: { did: string; statusListName: string }
  credential: unknown
  presentation: unknown
  resourceId: string
  versionId: string
}

/** Every kind of request that the operations know, and mistakes, as callers make them. */
export async function kindsOf(client: Client): Promise<Kind[]> {
  const things = await makeThings(client)
  return [
    ...publicKinds(things),
    ...keyAndDidKinds(things),
    ...accountKinds(),
    ...listKinds(things),
    ...credentialKinds(things),
    ...registrarKinds(),
    ...agentKinds(things),
    ...mistakes(things),
  ]
}

async function makeThings(client: Client): Promise<Things> {
  const lists = await createLists(client, 6)
  const did = await createDid(client)
  const encrypted = { did, statusListName: 'encrypted' }
  const query = { listType: 'BitstringStatusList', statusPurpose: 'revocation' }
  await client.ok('POST', '/credential-status/create/encrypted', { query, json: encrypted })
  const credential = await client.ok('POST', '/credential/issue', {
    json: { issuerDid: did, subjectDid: did, attributes: { degree: 'Master' } },
  })
  const presented = { json: { credentials: [credential], holderDid: did } }
  const presentation = await client.ok('POST', '/presentation/create', presented)
  const { kid } = (await client.ok('POST', '/key/create')) as { kid: string }
  const [list = assert.fail('there are lists')] = lists
  const { versions } = (await client.ok('GET', '/credential-status/versions', {
    query: { did: list.did, statusListName: list.statusListName, listType: list.listType },
  })) as { versions: { resourceId: string }[] }
  const resolved = (await client.ok('GET', `/did/search/${did}`)) as {
    didDocumentMetadata: { versionId: string }
  }
  return {
    did,
    kid,
    lists,
    encrypted,
    credential,
    presentation: (presentation as { vp?: unknown }).vp ?? presentation,
    resourceId: versions[0]?.resourceId ?? assert.fail('a list has a version'),
    versionId: resolved.didDocumentMetadata.versionId,
  }
}

const call = (
  method: Method,
  path: string | ((n: number) => string),
  request: (n: number) => Request = () => ({}),
  name = `${method} ${typeof path === 'string' ? path : path(0)}`,
): Kind => ({
  name,
  run: (client, n) => client.ok(method, typeof path === 'string' ? path : path(n), request(n)),
})

function publicKinds({ did, lists, resourceId, versionId }: Things): Kind[] {
  const [list = assert.fail('there are lists')] = lists
  const at = `/1.0/identifiers/${did}`
  const resource = `/1.0/identifiers/${list.did}/resources/${resourceId}`
  const key = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'
  const resolution = () => ({ headers: { accept: 'application/did-resolution' } })
  return [
    ...['/health/live', '/health/ready', '/openapi.json', '/open-api.json'].map((path) => call('GET', path)),
    ...['/1.0/methods', '/1.0/properties'].map((path) => call('GET', path)),
    call('GET', at),
    call('GET', at, resolution, 'GET identifier as a resolution'),
    call('GET', `/1.0/identifiers/${key}`, resolution),
    ...['versions', 'metadata', `version/${versionId}`, `version/${versionId}/metadata`].map((page) =>
      call('GET', `${at}/${page}`),
    ),
    call('GET', resource),
    call('GET', `${resource}/metadata`),
  ]
}

function keyAndDidKinds({ did, kid }: Things): Kind[] {
  const didKinds = [{ network: 'testnet' }, { providerId: 'did:key' }, { providerId: 'did:jwk' }]
  return [
    call('GET', `/key/read/${kid}`),
    call('POST', '/key/create', (n) => ({
      query: { type: ['Ed25519', 'Secp256k1', 'Secp256r1'][n % 3] ?? '' },
    })),
    call('POST', '/key/import', () => ({ json: { privateKeyHex: newPrivateKey() } })),
    ...didKinds.map((json) =>
      call('POST', '/did/create', () => ({ json }), `POST /did/create ${JSON.stringify(json)}`),
    ),
    call('GET', '/did/list', () => ({ query: { limit: '1000' } })),
    call('GET', '/did/list', () => ({ query: { limit: '5' } }), 'GET /did/list, five'),
    call('GET', `/did/read/${did}`),
    call('GET', `/did/search/${did}`),
  ]
}

function accountKinds(): Kind[] {
  return [
    ...['/account/api-keys', '/account/usage', '/account/webhooks'].map((path) => call('GET', path)),
    call('GET', '/account/events', () => ({ query: { limit: '100' } })),
    {
      name: 'an API key that comes, is rotated and goes',
      run: async (client) => {
        const { id } = (await client.ok('POST', '/account/api-keys', { json: { name: 'soak' } })) as {
          id: string
        }
        const rotated = await client.ok('POST', `/account/api-keys/${id}/rotate`, {
          json: { overlapSeconds: 0 },
        })
        await client.ok('DELETE', `/account/api-keys/${(rotated as { created: { id: string } }).created.id}`)
      },
    },
    {
      name: 'a webhook that comes and goes',
      run: async (client) => {
        const json = { url: 'https://receiver.example/', types: ['did.deactivated'] }
        const { id } = (await client.ok('POST', '/account/webhooks', { json })) as { id: string }
        await client.ok('DELETE', `/account/webhooks/${id}`)
      },
    },
  ]
}

function listKinds({ lists, encrypted, did }: Things): Kind[] {
  const bitstring = { listType: 'BitstringStatusList' }
  const revocation = { ...bitstring, statusPurpose: 'revocation' }
  return [
    ...lists.map((list) => checkOf(list)),
    ...lists.map((list) => updateOf(list)),
    ...['BitstringStatusList', 'StatusList2021', 'TokenStatusList'].map((listType) =>
      call(
        'POST',
        '/credential-status/create/unencrypted',
        (n) => ({
          query: { listType, statusPurpose: 'revocation' },
          json: { did, statusListName: `soak ${listType} ${n}` },
        }),
        `a new ${listType}`,
      ),
    ),
    call(
      'POST',
      '/credential-status/update/encrypted',
      (n) => ({
        query: { ...bitstring, statusAction: 'revoke' },
        json: { ...encrypted, indices: [n % 200] },
      }),
      'an update of an encrypted list',
    ),
    call(
      'POST',
      '/credential-status/check',
      (n) => ({ query: revocation, json: { ...encrypted, indices: [n % 200] } }),
      'a check of an encrypted list',
    ),
    call('GET', '/credential-status/payments'),
    call('GET', '/credential-status/list', () => ({ query: { did } })),
    ...lists.slice(0, 1).flatMap(({ did: publisher, statusListName, listType }) =>
      ['search', 'versions'].map((page) =>
        call('GET', `/credential-status/${page}`, () => ({
          query: { did: publisher, statusListName, listType },
        })),
      ),
    ),
  ]
}

const checkOf = ({ listType, statusPurpose, did, statusListName }: TrialList): Kind =>
  call(
    'POST',
    '/credential-status/check',
    (n) => ({ query: { listType, statusPurpose }, json: { did, statusListName, indices: [n % 1000, 5] } }),
    `a check of a ${listType} for ${statusPurpose}`,
  )

/** An update that changes nothing after a while, as repeated ones do, or makes another version. */
const updateOf = ({ listType, statusPurpose, did, statusListName, actions }: TrialList): Kind =>
  call(
    'POST',
    '/credential-status/update/unencrypted',
    (n) => ({
      query: { listType, statusAction: actions[n % actions.length] ?? 'revoke' },
      json: { did, statusListName, indices: [actions.includes('reinstate') ? 7 : n % 200] },
    }),
    `an update of a ${listType} for ${statusPurpose}`,
  )

function credentialKinds({ did, lists, credential, presentation }: Things): Kind[] {
  const [list = assert.fail('there are lists')] = lists
  const issue = (more: object) => () => ({
    json: { issuerDid: did, subjectDid: did, attributes: { a: 1 }, ...more },
  })
  return [
    call('POST', '/credential/issue', issue({})),
    {
      name: 'a credential that is issued with a status, and revoked',
      run: async (client) => {
        const { statusListName } = list
        const request = issue({
          issuerDid: list.did,
          credentialStatus: { statusListName, statusPurpose: 'revocation' },
        })()
        const issued = await client.ok('POST', '/credential/issue', request)
        await client.ok('POST', '/credential/revoke', { json: { credential: issued } })
      },
    },
    call('POST', '/credential/verify', () => ({ json: { credential } })),
    call('POST', '/presentation/create', () => ({ json: { credentials: [credential], holderDid: did } })),
    call('POST', '/presentation/verify', () => ({ json: { presentation } })),
  ]
}

function registrarKinds(): Kind[] {
  return [
    {
      name: 'a DID that is created, updated and deactivated as the registrar does',
      run: async (client, n) => {
        const did = await createDid(client)
        const service = [
          { id: `${did}#soak`, type: 'LinkedDomains', serviceEndpoint: `https://soak.example/${n}` },
        ]
        const json = { did, didDocumentOperation: ['addToDidDocument'], didDocument: [{ service }] }
        await client.ok('POST', '/1.0/update', { json })
        await client.ok('POST', '/1.0/deactivate', { json: { did } })
      },
    },
  ]
}

function agentKinds({ did, kid }: Things): Kind[] {
  const methods: [method: string, args: object][] = [
    ['resolveDid', { didUrl: did }],
    ['didManagerGet', { did }],
    ['keyManagerGet', { kid }],
    ['keyManagerSign', { keyRef: kid, data: 'soak', algorithm: 'EdDSA' }],
    ['linkedResourceListNewest', { did }],
  ]
  return methods.map(([method, json]) => call('POST', `/agent/${method}`, () => ({ json })))
}

function mistakes({ did }: Things): Kind[] {
  const refused = (status: number, method: Method, path: string, request: Request = {}): Kind => ({
    name: `${method} ${path}, which is refused`,
    run: async (client) => assert.equal((await client.call(method, path, request)).status, status),
  })
  return [
    refused(400, 'POST', '/did/create', { json: { network: 'nowhere' } }),
    refused(400, 'POST', '/key/import', { json: { privateKeyHex: 'none' } }),
    refused(400, 'POST', '/credential/issue', { body: '{', headers: { 'content-type': 'application/json' } }),
    refused(404, 'GET', '/nowhere'),
    refused(404, 'GET', `/key/read/${'ab'.repeat(32)}`),
    refused(401, 'GET', `/did/read/${did}`, { apiKey: null }),
  ]
}
