import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { base58 } from '@scure/base'
import { BOUNDS } from '@vidimus/core-types'
import { LedgerError, validateMessage } from '../index.js'
import { validateOnLedger } from '../validate-message.js'
import type { DidDocPayload, LedgerMessage, LedgerService, ResourcePayload, SignInfo } from '../index.js'
import {
  createDid,
  createResource,
  deactivateDid,
  didDoc,
  ed25519Key,
  methodOf,
  newDid,
  signed,
  updateDid,
} from './signing.js'

const key = ed25519Key()
const did = newDid()
const foreign = newDid()
const service: LedgerService = {
  id: `${did}#svc`,
  serviceType: 'LinkedDomains',
  serviceEndpoint: ['https://a.example'],
  recipientKeys: [],
  routingKeys: [],
  accept: [],
  priority: 0,
}
const embedded = (method: Record<string, unknown>) => JSON.stringify(JSON.stringify(method))
const ownMethod = { id: `${did}#key-1`, type: 'X', controller: did }

const creating = (changes: Partial<DidDocPayload>): LedgerMessage => {
  const message = createDid(didDoc(did, [key]))
  return {
    ...signed(message, [`${did}#key-1`, key]),
    type: 'createDidDoc',
    payload: { ...message.payload, ...changes },
  }
}
const publishing = (changes: Partial<ResourcePayload>) =>
  signed(createResource(did, changes), [`${did}#key-1`, key])
const signing = (signatures: SignInfo[], message: LedgerMessage = creating({})): LedgerMessage => ({
  ...message,
  signatures,
})
const by = (verificationMethodId: string, byte = 1): SignInfo => ({
  verificationMethodId,
  signature: Uint8Array.of(byte),
})

function refusalOf(message: LedgerMessage): LedgerError {
  try {
    validateMessage('testnet', message)
    validateOnLedger('testnet', message)
  } catch (error) {
    assert.ok(error instanceof LedgerError)
    assert.equal(error.phase, 'check')
    assert.equal(error.codespace, 'cheqd')
    return error
  }
  assert.fail('accepted')
}

const method = methodOf(did, key)
const upper = did.replace(/[^:]+$/, (id) => id.toUpperCase())
const jwkMethod = (material: string) => ({
  ...method,
  verificationMethodType: 'JsonWebKey2020',
  verificationMaterial: material,
})
const otherLedger = did.replace('testnet', 'mainnet')

type Case = [why: string, message: LedgerMessage, code: number, path: string, text: RegExp]
const UNIQUE_ID = /unique id should be one of: 16 bytes of decoded base58 string or UUID/

const documentCases: Case[] = [
  ['no id', creating({ id: '' }), 1205, 'id', /cannot be blank/],
  [
    'another method',
    creating({ id: `did:key:testnet:${randomUUID()}` }),
    1205,
    'id',
    /did method must be: cheqd/,
  ],
  [
    'a DID without network',
    creating({ id: `did:cheqd:${randomUUID()}` }),
    1205,
    'verificationMethod[0].id',
    /must have prefix/,
  ],
  [
    'a bad namespace',
    creating({ id: `did:cheqd:te-st:${randomUUID()}` }),
    1205,
    'id',
    /invalid did namespace/,
  ],
  ['a bad unique id', creating({ id: 'did:cheqd:testnet:abc' }), 1205, 'id', UNIQUE_ID],
  [
    '17 bytes as unique id',
    creating({ id: `did:cheqd:testnet:${base58.encode(Buffer.alloc(17, 9))}` }),
    1205,
    'id',
    UNIQUE_ID,
  ],
  ['a UUID in braces', creating({ id: `did:cheqd:testnet:{${randomUUID()}}` }), 1205, 'id', UNIQUE_ID],
  [
    'a controller that is no DID',
    creating({ controller: [did, 'x'] }),
    1205,
    'controller[1]',
    /unable to split/,
  ],
  ['a controller twice', creating({ controller: [did, did] }), 1205, 'controller', /no duplicates/],
  [
    'a controller twice in other case',
    creating({ controller: [did, upper] }),
    1206,
    'controller',
    /no duplicates/,
  ],
  [
    'a controller of another ledger',
    creating({ controller: [otherLedger] }),
    1206,
    'controller[0]',
    /namespace must be one of: testnet/,
  ],
  [
    'no id of a method',
    creating({ verificationMethod: [{ ...method, id: '' }] }),
    1205,
    'verificationMethod[0].id',
    /cannot be blank/,
  ],
  [
    'a method without fragment',
    creating({ verificationMethod: [{ ...method, id: did }] }),
    1205,
    'verificationMethod[0].id',
    /fragment is required/,
  ],
  [
    'a method with a path',
    creating({ verificationMethod: [{ ...method, id: `${did}/a#b` }] }),
    1205,
    'verificationMethod[0].id',
    /path must be empty/,
  ],
  [
    'a method with a query',
    creating({ verificationMethod: [{ ...method, id: `${did}?a#b` }] }),
    1205,
    'verificationMethod[0].id',
    /query must be empty/,
  ],
  [
    'a method with two fragments',
    creating({ verificationMethod: [{ ...method, id: `${did}#a#b` }] }),
    1205,
    'verificationMethod[0].id',
    /unable to split did into/,
  ],
  [
    'a fragment with a blank',
    creating({ verificationMethod: [{ ...method, id: `${did}#a b` }] }),
    1205,
    'verificationMethod[0].id',
    /fragment has characters/,
  ],
  [
    'a fragment with half a percent code',
    creating({ verificationMethod: [{ ...method, id: `${did}#a%2` }] }),
    1205,
    'verificationMethod[0].id',
    /fragment has characters/,
  ],
  [
    'a method of another DID',
    creating({ verificationMethod: [methodOf(foreign, key)] }),
    1205,
    'verificationMethod[0].id',
    /must have prefix/,
  ],
  [
    'a method in other case than the document',
    creating({ verificationMethod: [methodOf(upper, key)] }),
    1205,
    'verificationMethod[0].id',
    /must have prefix/,
  ],
  [
    'a method twice',
    creating({ verificationMethod: [method, method] }),
    1205,
    'verificationMethod',
    /verification method duplicates/,
  ],
  [
    'a method without controller',
    creating({ verificationMethod: [{ ...method, controller: '' }] }),
    1205,
    'verificationMethod[0].controller',
    /cannot be blank/,
  ],
  [
    'a method with a bad controller',
    creating({ verificationMethod: [{ ...method, controller: 'me' }] }),
    1205,
    'verificationMethod[0].controller',
    /unable to split/,
  ],
  [
    'a method of another ledger',
    creating({ verificationMethod: [{ ...method, controller: otherLedger }] }),
    1206,
    'verificationMethod[0].controller',
    /namespace must be/,
  ],
  [
    'no type of a method',
    creating({ verificationMethod: [{ ...method, verificationMethodType: '' }] }),
    1205,
    'verificationMethod[0].verificationMethodType',
    /cannot be blank/,
  ],
  [
    'an unknown type of a method',
    creating({ verificationMethod: [{ ...method, verificationMethodType: 'Multikey' }] }),
    1205,
    'verificationMethod[0].verificationMethodType',
    /must be a valid value/,
  ],
  [
    'no material',
    creating({ verificationMethod: [{ ...method, verificationMaterial: '' }] }),
    1205,
    'verificationMethod[0].verificationMaterial',
    /cannot be blank/,
  ],
  [
    'bad material',
    creating({ verificationMethod: [{ ...method, verificationMaterial: 'zzz' }] }),
    1205,
    'verificationMethod[0].verificationMaterial',
    /0xed01/,
  ],
  [
    'a secret JWK',
    creating({ verificationMethod: [jwkMethod('{"kty":"oct","k":"AA"}')] }),
    1205,
    'verificationMethod[0].verificationMaterial',
    /unsupported jwk type/,
  ],
  ...(['authentication', 'capabilityInvocation', 'capabilityDelegation', 'keyAgreement'] as const).flatMap(
    (name): Case[] => [
      [
        `${name} of another DID`,
        creating({ [name]: [`${foreign}#key-1`] }),
        1205,
        `${name}[0]`,
        /must have prefix/,
      ],
      [`${name} without fragment`, creating({ [name]: [did] }), 1205, `${name}[0]`, /fragment is required/],
      [`${name} twice`, creating({ [name]: [`${did}#a`, `${did}#a`] }), 1205, name, /no duplicates/],
    ],
  ),
  [
    'an assertion method that is not there',
    creating({ assertionMethod: [`${did}#no`] }),
    1205,
    'assertionMethod[0]',
    /valid key reference/,
  ],
  [
    'an assertion method of another DID',
    creating({ assertionMethod: [`${foreign}#key-1`] }),
    1205,
    'assertionMethod[0]',
    /valid DIDUrl/,
  ],
  [
    'an assertion method twice',
    creating({ assertionMethod: [method.id, method.id] }),
    1205,
    'assertionMethod',
    /no duplicates/,
  ],
  [
    'an embedded method that is no JSON',
    creating({ assertionMethod: ['"{"'] }),
    1205,
    'assertionMethod[0]',
    /valid JSON/,
  ],
  [
    'an embedded method whose type is a number',
    creating({ assertionMethod: [embedded({ ...ownMethod, type: 1 })] }),
    1205,
    'assertionMethod[0]',
    /Escaped JSON/,
  ],
  [
    'an embedded method that the document lists',
    creating({
      assertionMethod: [
        embedded({
          id: method.id,
          type: method.verificationMethodType,
          controller: did,
          publicKeyMultibase: method.verificationMaterial,
        }),
      ],
    }),
    1205,
    'assertionMethod[0]',
    /unique inline key/,
  ],
  [
    'an embedded method with an object as JWK',
    creating({ assertionMethod: [embedded({ ...ownMethod, publicKeyJwk: {} })] }),
    1205,
    'assertionMethod[0]',
    /field publicKeyJwk is not/,
  ],
  [
    'an embedded method of another DID',
    creating({ assertionMethod: [embedded({ ...ownMethod, id: `${foreign}#a` })] }),
    1205,
    'assertionMethod[0].id',
    /valid DIDUrl/,
  ],
  [
    'an embedded method with a bad controller',
    creating({ assertionMethod: [embedded({ ...ownMethod, controller: 'x' })] }),
    1205,
    'assertionMethod[0].controller',
    /unable to split/,
  ],
  ['a service twice', creating({ service: [service, service] }), 1205, 'service', /service duplicates/],
  [
    'a service of another DID',
    creating({ service: [{ ...service, id: `${foreign}#svc` }] }),
    1205,
    'service[0].id',
    /must have prefix/,
  ],
  [
    'a service without fragment',
    creating({ service: [{ ...service, id: did }] }),
    1205,
    'service[0].id',
    /fragment is required/,
  ],
  [
    'no type of a service',
    creating({ service: [{ ...service, serviceType: '' }] }),
    1205,
    'service[0].serviceType',
    /cannot be blank/,
  ],
  [
    'a type of 256 bytes',
    creating({ service: [{ ...service, serviceType: 'ü'.repeat(128) }] }),
    1205,
    'service[0].serviceType',
    /between 1 and 255/,
  ],
  [
    'an empty endpoint',
    creating({ service: [{ ...service, serviceEndpoint: ['https://a.example', ''] }] }),
    1205,
    'service[0].serviceEndpoint[1]',
    /cannot be blank/,
  ],
  ['an alias twice', creating({ alsoKnownAs: ['a:b', 'a:b'] }), 1205, 'alsoKnownAs', /no duplicates/],
  ['no version', creating({ versionId: '' }), 1205, 'versionId', /cannot be blank/],
  [
    'a DID of another ledger',
    signed(deactivateDid(otherLedger), [method.id, key]),
    1206,
    'id',
    /did namespace must be one of: testnet/,
  ],
  [
    'a version of a deactivation that is no UUID',
    signed({ type: 'deactivateDidDoc', payload: { id: did, versionId: 'v2' } }, [method.id, key]),
    1205,
    'versionId',
    /uuid must be of length 36/,
  ],
]

const signatureCases: Case[] = [
  [
    'one method signing a creation twice',
    signing([by(method.id), by(method.id, 2)]),
    1205,
    'signatures',
    /same ID/,
  ],
  [
    'a signature twice',
    signing([by(method.id), by(method.id)], signed(deactivateDid(did))),
    1205,
    'signatures',
    /full sign info duplicates/,
  ],
  [
    'a signature without method',
    signing([by('')]),
    1205,
    'signatures[0].verificationMethodId',
    /cannot be blank/,
  ],
  [
    'a signature by a whole DID',
    signing([by(did)]),
    1205,
    'signatures[0].verificationMethodId',
    /fragment is required/,
  ],
  [
    'a signature of another ledger',
    signing([by(`${otherLedger}#key-1`)]),
    1206,
    'signatures[0].verificationMethodId',
    /namespace/,
  ],
  [
    'an empty signature',
    signing([{ ...by(method.id), signature: new Uint8Array() }]),
    1205,
    'signatures[0].signature',
    /cannot be blank/,
  ],
]

const resourceCases: Case[] = [
  ['no collection', publishing({ collectionId: '' }), 1206, 'collectionId', /cannot be blank/],
  ['a DID as collection', publishing({ collectionId: did }), 1206, 'collectionId', UNIQUE_ID],
  ['no id', publishing({ id: '' }), 1206, 'id', /cannot be blank/],
  [
    'an id that is no UUID',
    publishing({ id: base58.encode(Buffer.alloc(16, 9)) }),
    1206,
    'id',
    /uuid must be of length 36/,
  ],
  ['no name', publishing({ name: '' }), 1206, 'name', /cannot be blank/],
  ['a name of 65 bytes', publishing({ name: `${'ü'.repeat(32)}x` }), 1206, 'name', /between 1 and 64/],
  ['no type', publishing({ resourceType: '' }), 1206, 'resourceType', /cannot be blank/],
  [
    'a type of 65 bytes',
    publishing({ resourceType: 'x'.repeat(65) }),
    1206,
    'resourceType',
    /between 1 and 64/,
  ],
  ['a version of 65 bytes', publishing({ version: 'x'.repeat(65) }), 1206, 'version', /between 1 and 64/],
  [
    'an empty URI',
    publishing({ alsoKnownAs: [{ uri: '', description: '' }] }),
    1206,
    'alsoKnownAs[0].uri',
    /cannot be blank/,
  ],
  [
    'a URI of 257 bytes',
    publishing({ alsoKnownAs: [{ uri: 'x'.repeat(257), description: '' }] }),
    1206,
    'alsoKnownAs[0].uri',
    /256/,
  ],
  [
    'a description of 129 bytes',
    publishing({ alsoKnownAs: [{ uri: 'x', description: 'x'.repeat(129) }] }),
    1206,
    'alsoKnownAs[0].description',
    /128/,
  ],
  ['no data', publishing({ data: new Uint8Array() }), 1206, 'data', /cannot be blank/],
  [
    'too much data',
    publishing({ data: new Uint8Array(BOUNDS.resourceBytes + 1) }),
    1206,
    'data',
    /between 1 and 2097152/,
  ],
]

describe('validateMessage', () => {
  for (const [why, message, code, path, text] of [...documentCases, ...signatureCases, ...resourceCases]) {
    it(`refuses ${why} with ${code}`, () => {
      const error = refusalOf(message)
      assert.equal(error.code, code)
      assert.match(error.message, text)
      const problem = error.problems.find((candidate) => candidate.path === path)
      assert.match(problem?.message ?? `nothing at ${path} in ${JSON.stringify(error.problems)}`, text)
    })
  }

  for (const [what, message] of [
    [
      'a document with everything',
      creating({
        context: ['https://example.com/v1'],
        controller: [did, foreign],
        assertionMethod: [
          method.id,
          embedded({ ...ownMethod, metadata: { paramsRef: 'x' }, publicKeyJwk: '{}' }),
          embedded({ id: `${did}#no-type`, controller: did }),
        ],
        keyAgreement: [`${did}#need-not-exist`],
        service: [
          service,
          {
            ...service,
            id: `${did}#2`,
            serviceType: 'x'.repeat(255),
            serviceEndpoint: [],
            priority: 0xffff_ffff,
          },
        ],
        alsoKnownAs: ['anything at all', ''],
        versionId: 'any text',
      }),
    ],
    [
      'a document without methods and relationships',
      creating({ verificationMethod: [], authentication: [], controller: [] }),
    ],
    [
      'a fragment with every allowed character',
      creating({ authentication: [`${did}#/a-._~!$&'()*+,;=:@?%2F`] }),
    ],
    [
      'an upper-case DID, written alike everywhere',
      signed(createDid(didDoc(upper, [key])), [`${upper}#key-1`, key]),
    ],
    [
      'an update in which a method signs twice',
      signing([by(method.id), by(method.id, 2)], signed(updateDid(didDoc(did, [key])))),
    ],
    ['the smallest resource', publishing({ data: Uint8Array.of(0) })],
    [
      'the largest resource',
      publishing({
        data: new Uint8Array(BOUNDS.resourceBytes),
        name: 'ü'.repeat(32),
        resourceType: 'x'.repeat(64),
        version: 'x'.repeat(64),
        alsoKnownAs: [{ uri: 'x'.repeat(256), description: 'x'.repeat(128) }],
      }),
    ],
  ] as [string, LedgerMessage][]) {
    it(`accepts ${what}`, () => {
      validateMessage('testnet', message)
      validateOnLedger('testnet', message)
    })
  }

  it('reports every broken rule with its member', () => {
    const error = refusalOf(
      creating({
        id: 'did:key:x',
        controller: ['y', 'y'],
        verificationMethod: [],
        authentication: [],
        versionId: '',
      }),
    )
    assert.equal(error.message, 'id: did method must be: cheqd (and 3 more): basic validation failed')
    assert.deepEqual(
      error.problems.map(({ path }) => path),
      ['id', 'controller', 'controller[0]', 'controller[1]'],
    )
  })

  it('reports a broken basic rule before a foreign namespace', () => {
    const error = refusalOf(creating({ controller: [otherLedger], versionId: '' }))
    assert.equal(error.code, 1205)
    assert.equal(error.message, 'versionId: cannot be blank (and 1 more): basic validation failed')
    assert.deepEqual(
      error.problems.map(({ path }) => path),
      ['versionId', 'controller[0]'],
    )
  })

  it('stays fast, however much is wrong', () => {
    const authentication = Array.from({ length: 20_000 }, () => 'x')
    assert.equal(refusalOf(creating({ authentication })).problems.length, 20_001)
  })
})
