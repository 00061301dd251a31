import { asDid, asListName, hashListId } from '@vidimus/core-types'
import { newKeyPair, publicKeysOfPrivateKey } from '@vidimus/verification-methods'
import type { Request } from './client.js'

/** What belongs to an account, or to nobody at all. */
export interface Belongings {
  did: string
  /** of did:key, which resolves whoever holds it */
  keyDid: string
  kid: string
  alias: string
  service: string
  statusListName: string
  encryptedListName: string
  seriesName: string
  /** signed by the caller, with a status in the list of these belongings */
  credential: string
  /** of a credential that they have issued, at {@link REGISTERED_INDEX} of their list */
  credentialId: string
  /** id of a payment, or of a version of a resource */
  resourceId: string
  versionId: string
  apiKeyId: string
  webhookId: string
  jobId: string
  eventId: string
  workId: string
}

/** What the caller has himself. */
export interface Own {
  did: string
  credential: string
  presentation: string
  /** encrypted for anybody */
  jwe: string
}

type Call = Request & { path?: Record<string, string> }
export type CallWith = (theirs: Belongings, own: Own) => Call

/** What an operation or a method has to do with the belongings of others; at least one of these. */
export interface Row {
  /** another account's read exactly like what does not exist, and are refused or not there */
  foreign?: Record<string, CallWith>
  /** where it is published that there is such a DID: like one that is in no account */
  unheld?: Record<string, CallWith>
  /** published for everybody: each account gets the same */
  published?: CallWith
  /** takes nothing that could be another account's, or the caller's own: the answer names nothing of another account */
  own?: CallWith
  /** every account may use it with the same words for things of its own */
  shared?: CallWith
  /** refused with a 400, whoever's it is */
  refused?: Record<string, CallWith>
  /** for operators alone: refused with a 403 and the same words, whoever and whatever is named */
  operators?: Record<string, CallWith>
}

const json =
  (body: (theirs: Belongings, own: Own) => unknown): CallWith =>
  (theirs, own) => ({ json: body(theirs, own) })

const listType = 'BitstringStatusList'
const note = { name: 'note', type: 'Note', data: 'a', encoding: 'utf-8' }
const purpose = { listType, statusPurpose: 'revocation' }
const revoke = { listType, statusAction: 'revoke' }

export const newPrivateKey = (): string => newKeyPair('Ed25519').privateKeyHex

export const publicKeyHexOf = (privateKeyHex: string): string =>
  publicKeysOfPrivateKey('Ed25519', Buffer.from(privateKeyHex, 'hex'))[0]

export const REGISTERED_INDEX = 11
const unsignedBy = (issuer: string) => ({
  '@context': ['https://www.w3.org/ns/credentials/v2'],
  type: ['VerifiableCredential'],
  issuer,
  credentialSubject: { name: 'Bob' },
})

const foreignCredential: Row = {
  foreign: {
    'with a status in a foreign list': json(({ credential }) => ({ credential })),
    'that they registered': json(({ credentialId }) => ({ credentialId })),
  },
}

const registeredByThem = {
  credential: ({ credentialId }: Belongings) => ({ credentialId }),
  index: ({ did, statusListName }: Belongings) => ({
    list: `${did}?resourceName=${statusListName}&resourceType=BitstringStatusListCredential`,
    index: REGISTERED_INDEX,
  }),
}
const published = (path: (theirs: Belongings) => Record<string, string>): Row => ({
  published: (theirs) => ({ path: path(theirs) }),
})
const ofAccounts: Row = {
  operators: {
    'that there is': () => ({ path: { name: 'default' } }),
    'of the caller': () => ({ path: { name: 'stranger' } }),
    'that there is not': () => ({ path: { name: 'nobody' } }),
  },
}
const ofWork: Row = { foreign: { '': ({ workId }) => ({ path: { id: workId } }) } }
const ofAnyWork: Row = { operators: { '': ({ workId }) => ({ path: { id: workId } }) } }
const aboutNothing: Row = { own: () => ({}) }

/** Every operation of the API document. */
export const OPERATIONS: Record<string, Row> = {
  'POST /did/create': {
    foreign: { 'with a foreign key': json(({ kid }) => ({ network: 'testnet', key: kid })) },
    unheld: {
      'controlled by a foreign DID': json(({ did }) => ({
        network: 'testnet',
        didDocument: { controller: [did] },
      })),
    },
  },
  'POST /did/import': {
    foreign: {
      'with a key that does not fit': json(({ keyDid }) => ({
        did: keyDid,
        keys: [{ type: 'Ed25519', privateKeyHex: '11'.repeat(32) }],
      })),
      'without keys': json(({ keyDid }) => ({ did: keyDid })),
    },
  },
  'POST /did/update': {
    foreign: {
      'services of a foreign DID': json(({ did }) => ({ did, service: [] })),
      'the document of a foreign DID': json(({ did }) => ({ didDocument: { id: did } })),
      'with a foreign key': json(({ kid }, own) => ({ did: own.did, service: [], publicKeyHexs: [kid] })),
    },
  },
  'POST /did/rotate-key': {
    foreign: {
      'of a foreign DID': json(({ did }) => ({ did })),
      'with a foreign key': json(({ kid }, own) => ({ did: own.did, key: kid })),
    },
  },
  'GET /did/rotations/{did}': { foreign: { '': ({ did }) => ({ path: { did } }) } },
  'POST /did/deactivate/{did}': { foreign: { '': ({ did }) => ({ path: { did }, json: {} }) } },
  'POST /resource/create/{did}': {
    foreign: {
      'of a foreign DID': ({ did }) => ({ path: { did }, json: note }),
      'a version of a foreign list': ({ did, statusListName: name }) => ({
        path: { did },
        json: { ...note, name, type: 'BitstringStatusListCredential' },
      }),
      'with a foreign key': ({ kid }, own) => ({
        path: { did: own.did },
        json: { ...note, publicKeyHexs: [kid] },
      }),
    },
  },
  'GET /resource/search/{did}': published(({ did }) => ({ did })),
  'GET /did/list': aboutNothing,
  'GET /key/kms': aboutNothing,
  'GET /key/list': aboutNothing,
  'GET /did/read/{did}': { foreign: { 'a foreign DID': ({ did }) => ({ path: { did } }) } },
  'GET /did/document/{did}': { foreign: { 'a foreign DID': ({ did }) => ({ path: { did } }) } },
  'GET /did/search/{did}': published(({ did }) => ({ did })),
  'POST /key/create': { own: () => ({ query: { type: 'Ed25519' } }) },
  'POST /key/import': {
    shared: json(({ alias }) => ({ privateKeyHex: newPrivateKey(), alias })),
  },
  'GET /account/api-keys': aboutNothing,
  'POST /account/api-keys': { own: json(() => ({ name: 'another' })) },
  'DELETE /account/api-keys/{id}': { foreign: { '': ({ apiKeyId }) => ({ path: { id: apiKeyId } }) } },
  'POST /account/api-keys/{id}/rotate': {
    foreign: { '': ({ apiKeyId }) => ({ path: { id: apiKeyId }, json: {} }) },
  },
  'GET /account/events': { own: () => ({ query: { limit: '1000' } }) },
  'GET /account/audit': {
    // Their names match nothing in the trail of the caller.
    own: ({ apiKeyId, did }) => ({ query: { apiKeyId, subject: did } }),
  },
  'GET /account/usage': aboutNothing,
  'GET /account/webhooks': aboutNothing,
  'POST /account/webhooks': { own: json(() => ({ url: 'https://receiver.example/' })) },
  'DELETE /account/webhooks/{id}': { foreign: { '': ({ webhookId }) => ({ path: { id: webhookId } }) } },
  'GET /account/webhooks/{id}/dead-letters': {
    foreign: { '': ({ webhookId }) => ({ path: { id: webhookId } }) },
  },
  'POST /account/webhooks/{id}/resume': {
    foreign: { '': ({ webhookId }) => ({ path: { id: webhookId } }) },
  },
  'POST /account/webhooks/{id}/replay': {
    foreign: { '': ({ webhookId }) => ({ path: { id: webhookId }, json: {} }) },
  },
  'GET /operator/accounts': {
    operators: { '': () => ({}), 'by name': () => ({ query: { name: 'default' } }) },
  },
  'POST /operator/accounts': {
    operators: {
      'that there is': json(() => ({ name: 'default' })),
      'that there is not': json(() => ({ name: 'nobody', firstKey: {} })),
    },
  },
  'POST /operator/accounts/{name}/disable': ofAccounts,
  'POST /operator/accounts/{name}/enable': ofAccounts,
  'DELETE /operator/accounts/{name}': ofAccounts,
  'GET /operator/sessions': {
    operators: { '': () => ({}), 'of an account': () => ({ query: { account: 'default' } }) },
  },
  'DELETE /operator/sessions/{id}': { operators: { '': () => ({ path: { id: 'none' } }) } },
  'GET /work': { own: () => ({}) },
  'POST /work/{id}/retry': ofWork,
  'POST /work/{id}/pause': ofWork,
  'POST /work/{id}/resume': ofWork,
  'POST /work/{id}/cancel': ofWork,
  'POST /operator/work/{id}/retry': ofAnyWork,
  'POST /operator/work/{id}/pause': ofAnyWork,
  'POST /operator/work/{id}/resume': ofAnyWork,
  'POST /operator/work/{id}/cancel': ofAnyWork,
  'GET /operator/work': {
    operators: { '': () => ({}), 'of an account': () => ({ query: { account: 'default' } }) },
  },
  'GET /operator/health': { operators: { '': () => ({}) } },
  'POST /key/csr': { foreign: { '': json(({ kid }) => ({ kid })) } },
  'POST /key/certificate': { foreign: { '': json(({ kid }) => ({ kid, certificateChain: [] })) } },
  'POST /key/update': { foreign: { '': json(({ kid }) => ({ kid, alias: 'another' })) } },
  'DELETE /key/{kid}': { foreign: { '': ({ kid }) => ({ path: { kid } }) } },
  'GET /key/read/{kid}': { foreign: { '': ({ kid }) => ({ path: { kid } }) } },
  'POST /credential-status/create/unencrypted': {
    foreign: {
      'of a foreign DID': ({ did }) => ({ query: purpose, json: { did, statusListName: 'another' } }),
      'that exists': ({ did, statusListName }) => ({ query: purpose, json: { did, statusListName } }),
    },
  },
  'POST /credential-status/create/encrypted': {
    foreign: { '': ({ did }) => ({ query: purpose, json: { did, statusListName: 'another' } }) },
  },
  'POST /credential-status/update/unencrypted': {
    foreign: {
      'that exists': ({ did, statusListName }) => ({
        query: revoke,
        json: { did, statusListName, indices: [1] },
      }),
      'of another kind': ({ did, encryptedListName: statusListName }) => ({
        query: revoke,
        json: { did, statusListName, indices: [1] },
      }),
      'that does not exist': ({ did }) => ({
        query: revoke,
        json: { did, statusListName: 'no', indices: [1] },
      }),
      'beyond its end': ({ did, statusListName }) => ({
        query: revoke,
        json: { did, statusListName, indices: [10_000_000] },
      }),
    },
  },
  'POST /credential-status/sign': {
    foreign: {
      'that exists': ({ did, statusListName }) => ({
        query: { listType },
        json: { did, statusListName },
      }),
      'by its purpose': ({ did, statusListName }) => ({ query: purpose, json: { did, statusListName } }),
      'that does not exist': ({ did }) => ({ query: { listType }, json: { did, statusListName: 'no' } }),
    },
  },
  'POST /credential-status/update/encrypted': {
    foreign: {
      '': ({ did, encryptedListName: statusListName }) => ({
        query: revoke,
        json: { did, statusListName, indices: [1] },
      }),
    },
  },
  'POST /credential-status/check': {
    published: ({ did, statusListName }) => ({ query: purpose, json: { did, statusListName, index: 5 } }),
  },
  'GET /credential-status/search': {
    published: ({ did, statusListName }) => ({ query: { did, statusListName, listType } }),
  },
  'GET /credential-status/types': aboutNothing,
  'GET /credential-status/entries': {
    published: ({ did, statusListName }) => ({ query: { did, statusListName, listType } }),
  },
  'GET /credential-status/list': {
    published: ({ did }) => ({ query: { did } }),
    own: () => ({}),
    foreign: { 'a series of theirs': ({ did, seriesName }) => ({ query: { did, series: seriesName } }) },
  },
  'GET /credential-status/versions': {
    published: ({ did, statusListName }) => ({ query: { did, statusListName, listType } }),
  },
  'GET /credential-status/payments': aboutNothing,
  'POST /credential-status/receipts/verify': {
    published: json((_, { credential }) => ({ receipt: credential })),
  },
  'POST /credential/issue': {
    foreign: {
      'as a foreign DID': json(({ did }) => ({ issuerDid: did, attributes: { a: 1 } })),
      'with a position in a foreign list': json(({ did, statusListName }, own) => ({
        issuerDid: own.did,
        attributes: { a: 1 },
        credentialStatus: { did, statusListName },
      })),
    },
  },
  'POST /credential/verify': { published: json((_, { credential }) => ({ credential })) },
  'POST /credential/revoke': foreignCredential,
  'POST /credential/suspend': foreignCredential,
  'POST /credential/reinstate': foreignCredential,
  'GET /credential/entries': {
    foreign: {
      'of a foreign credential': (of) => ({ query: registeredByThem.credential(of) }),
      'at an index of a foreign list': (of) => {
        const { list, index } = registeredByThem.index(of)
        return { query: { list, index: String(index) } }
      },
      'of a foreign list': (of) => ({ query: { list: registeredByThem.index(of).list } }),
      'of a foreign DID': ({ did }) => ({ query: { did } }),
    },
    own: () => ({}),
  },
  'POST /credential-status/jobs': {
    foreign: { 'of a key of theirs': json(({ kid }) => ({ action: 'revoke', kid })) },
  },
  'GET /credential-status/jobs': { own: () => ({}) },
  'GET /credential-status/jobs/{id}': { foreign: { '': ({ jobId }) => ({ path: { id: jobId } }) } },
  'GET /credential-status/jobs/{id}/report': { foreign: { '': ({ jobId }) => ({ path: { id: jobId } }) } },
  'POST /credential-status/jobs/{id}/pause': { foreign: { '': ({ jobId }) => ({ path: { id: jobId } }) } },
  'POST /credential-status/jobs/{id}/cancel': { foreign: { '': ({ jobId }) => ({ path: { id: jobId } }) } },
  'POST /credential-status/jobs/{id}/resume': { foreign: { '': ({ jobId }) => ({ path: { id: jobId } }) } },
  'POST /presentation/create': {
    foreign: { '': json(({ did }, { credential }) => ({ credentials: [credential], holderDid: did })) },
  },
  'POST /presentation/verify': { published: json((_, { presentation }) => ({ presentation })) },
  'POST /credentials/issue': {
    foreign: {
      'as a foreign DID': json(({ did }) => ({ credential: unsignedBy(did) })),
      'with a position in a foreign list': json(({ did, statusListName }, own) => ({
        credential: unsignedBy(own.did),
        options: { credentialStatus: { did, statusListName } },
      })),
    },
  },
  'POST /credentials/verify': {
    // Embedded and enveloped forms alone: what it has to do with others is what POST /credential/verify has.
    refused: {
      'a JWT': json(({ credential }) => ({ verifiableCredential: { proof: { jwt: credential } } })),
    },
  },
  'POST /credentials/status': {
    foreign: {
      'that they registered': json(({ credentialId }) => ({
        credentialId,
        credentialStatus: { type: 'BitstringStatusListEntry', statusPurpose: 'revocation' },
        status: true,
      })),
    },
  },
  'POST /presentations': {
    foreign: {
      '': json(({ did }, { credential }) => ({
        presentation: {
          '@context': 'https://www.w3.org/ns/credentials/v2',
          type: 'VerifiablePresentation',
          holder: did,
          verifiableCredential: { proof: { jwt: credential } },
        },
      })),
    },
  },
  'POST /presentations/verify': {
    refused: {
      'a JWT': json((_, { presentation }) => ({ verifiablePresentation: { proof: { jwt: presentation } } })),
    },
  },
  'POST /1.0/create': {
    foreign: {
      'with a foreign key': ({ kid }) => ({
        query: { method: 'cheqd' },
        json: { options: { network: 'testnet', key: kid } },
      }),
    },
    unheld: {
      'controlled by a foreign DID': ({ did }) => ({
        query: { method: 'cheqd' },
        json: { options: { network: 'testnet' }, didDocument: { controller: [did] } },
      }),
    },
  },
  'POST /1.0/update': {
    foreign: Object.fromEntries(
      ['setDidDocument', 'addToDidDocument', 'removeFromDidDocument'].map((operation) => [
        operation,
        json(({ did, service }) => ({
          did,
          didDocumentOperation: [operation],
          didDocument: [{ service: [{ id: service }] }],
        })),
      ]),
    ),
  },
  'POST /1.0/deactivate': { foreign: { '': json(({ did }) => ({ did })) } },
  'GET /1.0/properties': aboutNothing,
  'GET /1.0/methods': aboutNothing,
  'GET /1.0/identifiers/{did}': published(({ did }) => ({ did })),
  'POST /1.0/identifiers/{did}': published(({ did }) => ({ did })),
  'GET /1.0/identifiers/{did}/resources/{resourceId}': published(({ did, resourceId }) => ({
    did,
    resourceId,
  })),
  'GET /1.0/identifiers/{did}/resources/{resourceId}/metadata': published(({ did, resourceId }) => ({
    did,
    resourceId,
  })),
  'GET /1.0/identifiers/{did}/version/{versionId}': published(({ did, versionId }) => ({ did, versionId })),
  'GET /1.0/identifiers/{did}/version/{versionId}/metadata': published(({ did, versionId }) => ({
    did,
    versionId,
  })),
  'GET /1.0/identifiers/{did}/versions': published(({ did }) => ({ did })),
  'GET /1.0/identifiers/{did}/metadata': published(({ did }) => ({ did })),
  'GET /status-lists/{statusListId}': published(({ did, statusListName }) => ({
    statusListId: hashListId({
      did: asDid(did),
      statusListName: asListName(statusListName),
      resourceType: 'BitstringStatusListCredential',
    }),
  })),
  'GET /status-lists/aggregation': aboutNothing,
  'GET /health/live': aboutNothing,
  'GET /health/ready': aboutNothing,
  'GET /openapi.json': aboutNothing,
  'GET /open-api.json': aboutNothing,
}

const key = ({ kid }: Belongings) => ({ kid, type: 'Ed25519', publicKeyHex: kid, kms: 'local' })
const svc = { id: 'svc', type: 'LinkedDomains', serviceEndpoint: 'https://acme.test' }
const ofDid = (more: (theirs: Belongings) => object = () => ({})): Row => ({
  foreign: { '': json((theirs) => ({ did: theirs.did, ...more(theirs) })) },
})
const resource = ({ did, statusListName }: Belongings) => ({
  did,
  resourceName: statusListName,
  resourceType: 'BitstringStatusListCredential',
})

/** DIDs over a key of the caller's own that has the public key of somebody else for a name. */
function withKeysNamedAsTheirs(more: (provider: string) => object): Record<string, CallWith> {
  const rows = ['did:key', 'did:jwk', 'did:web'].flatMap((provider) => {
    const call = (options: (kid: string) => object): CallWith =>
      json(({ kid }) => ({ provider, alias: 'named.example', ...more(provider), options: options(kid) }))
    const type = 'Ed25519'
    return [
      [
        `${provider} of an imported key`,
        call((kid) => ({ key: { type, privateKeyHex: newPrivateKey(), kid } })),
      ],
      [`${provider} of a new key`, call((kid) => ({ key: { type, kid } }))],
    ] as const
  })
  return Object.fromEntries(rows)
}

/** Every method that remote agents can call, those included that agent.yml must name. */
export const METHODS: Record<string, Row> = {
  didManagerGetProviders: aboutNothing,
  didManagerFind: {
    foreign: {
      'by alias': json(({ alias }) => ({ alias })),
      'by alias and provider': json(({ alias }) => ({ alias, provider: 'did:cheqd' })),
    },
  },
  didManagerGet: ofDid(),
  didManagerGetByAlias: { foreign: { '': json(({ alias }) => ({ alias, provider: 'did:cheqd' })) } },
  didManagerCreate: {
    foreign: {
      'with a foreign key': json(({ kid }) => ({
        provider: 'did:cheqd',
        options: { network: 'testnet', publicKeyHex: kid },
      })),
    },
    refused: withKeysNamedAsTheirs(() => ({})),
  },
  didManagerGetOrCreate: {
    shared: json(({ alias }) => ({ alias, provider: 'did:key' })),
    refused: withKeysNamedAsTheirs((provider) => ({ alias: `named by ${provider}` })),
  },
  didManagerSetAlias: ofDid(() => ({ alias: 'mine-now' })),
  didManagerUpdate: ofDid(() => ({ document: { service: [] } })),
  didManagerDelete: ofDid(),
  didRotateKey: {
    foreign: {
      'of a foreign DID': json(({ did }) => ({ did })),
      'with a foreign key': json(({ kid }, own) => ({ did: own.did, key: kid })),
    },
  },
  didRotationGet: ofDid(),
  didManagerAddKey: {
    foreign: {
      'to a foreign DID': json((theirs) => ({ did: theirs.did, key: key(theirs) })),
      'a foreign key to an own DID': json((theirs, own) => ({ did: own.did, key: key(theirs) })),
    },
  },
  didManagerRemoveKey: ofDid(({ kid }) => ({ kid })),
  didManagerAddService: ofDid(() => ({ service: svc })),
  didManagerRemoveService: ofDid(({ service }) => ({ id: service })),
  resolveDid: { published: json(({ did }) => ({ didUrl: did })) },
  getDIDComponentById: {
    published: json(({ did }) => ({
      didDocument: { id: did, service: [{ ...svc, id: `${did}#svc` }] },
      didUrl: `${did}#svc`,
    })),
  },
  didUrlDereference: { published: json(({ did }) => ({ didUrl: did })) },
  cheqdDeactivate: ofDid(),
  cheqdNetworks: aboutNothing,
  linkedResourceCreate: ofDid(() => ({ resourceName: 'note', resourceType: 'Note', data: 'YQ' })),
  linkedResourceGet: { published: json(({ did, resourceId }) => ({ did, resourceId })) },
  linkedResourceGetLatest: { published: json(resource) },
  linkedResourceGetLatestMetadata: { published: json(resource) },
  linkedResourceFindLatest: {
    published: json(({ did }) => ({
      did,
      resourceName: 'note',
      resourceTypes: ['Note'],
      documentVersion: true,
    })),
  },
  linkedResourceList: { published: json(({ did }) => ({ did })) },
  linkedResourceListNewest: { published: json(({ did }) => ({ did })) },
  linkedResourceListVersions: { published: json(resource) },
  keyManagerGetKeyManagementSystems: aboutNothing,
  keyManagerCreate: {
    own: json(() => ({ kms: 'local', type: 'Ed25519' })),
    refused: { 'named like a foreign key': json(({ kid }) => ({ kms: 'local', type: 'Ed25519', kid })) },
  },
  keyManagerGet: { foreign: { '': json(({ kid }) => ({ kid })) } },
  keyManagerDelete: { foreign: { '': json(({ kid }) => ({ kid })) } },
  keyManagerImport: {
    own: json(() => ({ kms: 'local', type: 'Ed25519', privateKeyHex: newPrivateKey() })),
    refused: {
      'named like a foreign key': json(({ kid }) => ({
        kms: 'local',
        type: 'Ed25519',
        privateKeyHex: newPrivateKey(),
        kid,
      })),
    },
  },
  keyManagerSign: { foreign: { '': json(({ kid }) => ({ keyRef: kid, data: 'x', encoding: 'utf-8' })) } },
  keyManagerSignJWT: { foreign: { '': json(({ kid }) => ({ kid, data: 'x' })) } },
  keyManagerSignEthTX: { foreign: { '': json(({ kid }) => ({ kid, transaction: {} })) } },
  keyManagerSharedSecret: {
    foreign: {
      '': json(({ kid }) => ({
        secretKeyRef: kid,
        publicKey: { type: 'X25519', publicKeyHex: 'cd'.repeat(32) },
      })),
    },
  },
  keyManagerEncryptJWE: {
    shared: json((theirs) => ({ kid: theirs.kid, to: { ...key(theirs), type: 'X25519' }, data: 'x' })),
  },
  keyManagerDecryptJWE: { foreign: { '': json(({ kid }, { jwe }) => ({ kid, data: jwe })) } },
  keyCertificateRequest: { foreign: { '': json(({ kid }) => ({ kid })) } },
  keyCertificateSet: { foreign: { '': json(({ kid }) => ({ kid, certificateChain: [] })) } },
  keyCertificateGet: { foreign: { '': json(({ kid }) => ({ kid })) } },
  didJwtCreate: ofDid(() => ({ payload: { a: 1 } })),
  didJwtVerify: { published: json((_, { did, credential }) => ({ did, jwt: credential })) },
  credentialIssue: {
    foreign: {
      'as a foreign DID': json(({ did }) => ({ issuerDid: did, attributes: { a: 1 } })),
      'with a position in a foreign list': json(({ did, statusListName }, own) => ({
        issuerDid: own.did,
        attributes: { a: 1 },
        credentialStatus: { did, statusListName },
      })),
    },
  },
  credentialSign: {
    foreign: {
      'as a foreign DID': json(({ did }) => ({ credential: unsignedBy(did), format: 'ldp_vc' })),
      'with a position in a foreign list': json(({ did, statusListName }, own) => ({
        credential: unsignedBy(own.did),
        format: 'ldp_vc',
        credentialStatus: { did, statusListName },
      })),
    },
  },
  credentialVerify: { published: json((_, { credential }) => ({ credential })) },
  presentationCreate: {
    foreign: { '': json(({ did }, { credential }) => ({ credentials: [credential], holderDid: did })) },
  },
  presentationVerify: { published: json((_, { presentation }) => ({ presentation })) },
  createVerifiableCredential: {
    foreign: {
      'as a foreign DID': json(({ did }) => ({
        credential: { issuer: { id: did }, credentialSubject: { a: 1 } },
        proofFormat: 'jwt',
      })),
      'with a foreign key': json(({ kid }, own) => ({
        credential: { issuer: { id: own.did }, credentialSubject: { a: 1 } },
        proofFormat: 'jwt',
        keyRef: kid,
      })),
    },
  },
  createVerifiablePresentation: {
    foreign: {
      '': json(({ did }) => ({
        presentation: { holder: did, verifiableCredential: [] },
        proofFormat: 'jwt',
      })),
    },
  },
  verifyCredential: { published: json((_, { credential }) => ({ credential })) },
  verifyPresentation: { published: json((_, { presentation }) => ({ presentation })) },
  listUsableProofFormats: {
    foreign: {
      '': json((theirs) => ({ did: theirs.did, provider: 'did:cheqd', keys: [key(theirs)], services: [] })),
    },
  },
  checkCredentialStatus: { published: json(() => ({ credential: {} })) },
  statusListCreate: ofDid(() => ({ ...purpose, statusListName: 'another' })),
  statusListUpdate: {
    foreign: {
      'that exists': json(({ did, statusListName }) => ({ ...revoke, did, statusListName, indices: [1] })),
      'that is encrypted': json(({ did, encryptedListName }) => ({
        ...revoke,
        did,
        statusListName: encryptedListName,
        indices: [1],
        encrypted: true,
      })),
    },
  },
  statusListSign: {
    foreign: {
      '': json(({ did, statusListName }) => ({ listType, did, statusListName })),
      'where another key has': json(({ did, statusListName }) => ({
        listType,
        did,
        statusListName,
        onlyOtherKeys: true,
      })),
    },
  },
  statusListCheck: {
    published: json(({ did, statusListName }) => ({ ...purpose, did, statusListName, index: 5 })),
  },
  statusListSearch: { published: json(({ did, statusListName }) => ({ did, statusListName, listType })) },
  statusListEntries: { published: json(({ did, statusListName }) => ({ did, statusListName, listType })) },
  statusListMembers: ofDid(({ seriesName }) => ({ statusListName: seriesName })),
  statusListFacts: ofDid(({ seriesName }) => ({
    lists: [{ statusListName: `${seriesName}.1`, resourceType: 'BitstringStatusListCredential' }],
  })),
  statusListTypes: aboutNothing,
  statusListReceiptVerify: { published: json((_, { credential }) => ({ receipt: credential })) },
  statusListPayments: aboutNothing,
  statusListAllocate: ofDid(({ statusListName }) => ({
    statusListName,
    register: { id: 'urn:example:new' },
  })),
  statusListAllocateTogether: {
    foreign: {
      'by a request': json(({ did, statusListName }) => ({
        register: { id: 'urn:example:new' },
        requests: [{ did, statusListName }],
        entries: [],
      })),
      'by an entry': json(({ did, statusListName }) => ({
        requests: [],
        entries: [statusEntry(did, statusListName)],
      })),
    },
  },
  statusListUpdateCredential: {
    foreign: {
      '': json(({ credential }) => ({ credential, statusAction: 'revoke' })),
      'that they registered': json(({ credentialId }) => ({ credentialId, statusAction: 'revoke' })),
    },
  },
  credentialEntries: {
    foreign: {
      'of a foreign credential': json(registeredByThem.credential),
      'at an index of a foreign list': json(registeredByThem.index),
      'of a foreign list': json((of) => ({ list: registeredByThem.index(of).list })),
      'of a foreign DID': json(({ did }) => ({ did })),
    },
    own: json(() => ({})),
  },
  statusListJobCreate: { foreign: { 'of a key of theirs': json(({ kid }) => ({ action: 'revoke', kid })) } },
  statusListJobList: { own: json(() => ({})) },
  statusListJobGet: { foreign: { '': json(({ jobId }) => ({ id: jobId })) } },
  statusListJobReport: { foreign: { '': json(({ jobId }) => ({ id: jobId })) } },
  statusListJobPause: { foreign: { '': json(({ jobId }) => ({ id: jobId })) } },
  statusListJobCancel: { foreign: { '': json(({ jobId }) => ({ id: jobId })) } },
  statusListJobResume: { foreign: { '': json(({ jobId }) => ({ id: jobId })) } },
  statusListDelivery: { own: json(() => ({ resourceType: 'x', data: 'YQ' })) },
  statusListForms: { own: json(() => ({ resourceType: 'x', data: 'YQ' })) },
  webDidDocument: { own: json(() => ({ did: 'did:web:example.com' })) },
  statusListLocate: { own: json(() => ({ statusListId: 'x' })) },
  statusListAggregation: { published: json(({ did }) => ({ did })) },
  ledgerTransfers: {
    published: json(({ did }) => ({ did, to: 'cheqd1x6weed6d4nchwax2ajnhu0cqqr9kd5z399vxq2' })),
  },
  ledgerFeeLimit: { published: json(({ did }) => ({ did })) },
  statusListFees: aboutNothing,
  ledgerSpending: aboutNothing,
  ledgerBalance: {
    published: json(({ did }) => ({ did, address: 'cheqd1x6weed6d4nchwax2ajnhu0cqqr9kd5z399vxq2' })),
  },
}

/** A status entry that names a list, as anybody can write it. */
export function statusEntry(did: string, statusListName: string): Record<string, string> {
  const list = `${did}?resourceName=${statusListName}&resourceType=BitstringStatusListCredential`
  return {
    id: `${list}#7`,
    type: 'BitstringStatusListEntry',
    statusPurpose: 'revocation',
    statusListIndex: '7',
    statusListCredential: list,
  }
}
