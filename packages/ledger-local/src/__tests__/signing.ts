import { randomUUID, sign, type KeyObject } from 'node:crypto'
import {
  encodeVerificationMaterial,
  signBytes,
  type LedgerDidDoc,
  type LedgerMessage,
  type ResourcePayload,
  type UnsignedLedgerMessage,
} from '@vidimus/ledger'
import { outsideKey } from '../../../../test/support/outside-key.js'

export interface Key {
  privateKey: KeyObject
  publicKeyHex: string
}

export const newKey = (): Key => outsideKey()

export const newDid = (network = 'testnet') => `did:cheqd:${network}:${randomUUID()}`

export const collectionOf = (did: string) => did.split(':').at(-1) ?? ''

/** A document that controls itself, with one verification method for each key. */
export function didDoc(did: string, keys: Key[], changes: Partial<LedgerDidDoc> = {}): LedgerDidDoc {
  const type = 'Ed25519VerificationKey2020'
  const verificationMethod = keys.map(({ publicKeyHex }, n) => ({
    id: `${did}#key-${n + 1}`,
    verificationMethodType: type,
    controller: did,
    verificationMaterial: encodeVerificationMaterial(type, { type: 'Ed25519', publicKeyHex }),
  }))
  return {
    context: [],
    id: did,
    controller: [did],
    verificationMethod,
    authentication: verificationMethod.map(({ id }) => id),
    assertionMethod: [],
    capabilityInvocation: [],
    capabilityDelegation: [],
    keyAgreement: [],
    service: [],
    alsoKnownAs: [],
    ...changes,
  }
}

export const create = (doc: LedgerDidDoc, versionId: string = randomUUID()): UnsignedLedgerMessage => ({
  type: 'createDidDoc',
  payload: { ...doc, versionId },
})

export const update = (doc: LedgerDidDoc, versionId: string = randomUUID()): UnsignedLedgerMessage => ({
  type: 'updateDidDoc',
  payload: { ...doc, versionId },
})

export const deactivate = (did: string, versionId: string = randomUUID()): UnsignedLedgerMessage => ({
  type: 'deactivateDidDoc',
  payload: { id: did, versionId },
})

export const publish = (did: string, changes: Partial<ResourcePayload> = {}): UnsignedLedgerMessage => ({
  type: 'createResource',
  payload: {
    data: Buffer.from('{"list":true}'),
    collectionId: collectionOf(did),
    id: randomUUID(),
    name: 'list',
    version: '',
    resourceType: 'StatusList2021Revocation',
    alsoKnownAs: [],
    ...changes,
  },
})

/** Signs with each key, as the verification method of that place. */
export function signed(did: string, message: UnsignedLedgerMessage, ...keys: Key[]): LedgerMessage {
  const bytes = signBytes(message)
  return {
    ...message,
    signatures: keys.map(({ privateKey }, n) => ({
      verificationMethodId: `${did}#key-${n + 1}`,
      signature: new Uint8Array(sign(null, bytes, privateKey)),
    })),
  }
}
