import { randomUUID, sign, type KeyObject } from 'node:crypto'
import { outsideKey } from '../../../../test/support/outside-key.js'
import { encodeVerificationMaterial, signBytes } from '../index.js'
import type {
  DidDocPayload,
  LedgerDidDoc,
  LedgerMessage,
  LedgerVerificationMethod,
  ResourcePayload,
  SignInfo,
  UnsignedLedgerMessage,
} from '../index.js'

export interface Ed25519Key {
  privateKey: KeyObject
  publicKeyHex: string
}

export const ed25519Key = (): Ed25519Key => outsideKey()

export const newDid = () => `did:cheqd:testnet:${randomUUID()}`

export const methodOf = (
  did: string,
  key: Ed25519Key,
  fragment = 'key-1',
  controller = did,
): LedgerVerificationMethod => ({
  id: `${did}#${fragment}`,
  verificationMethodType: 'Ed25519VerificationKey2020',
  controller,
  verificationMaterial: encodeVerificationMaterial('Ed25519VerificationKey2020', {
    type: 'Ed25519',
    publicKeyHex: key.publicKeyHex,
  }),
})

/** A document with one method of each key. */
export function didDoc(did: string, keys: Ed25519Key[], changes: Partial<LedgerDidDoc> = {}): LedgerDidDoc {
  const verificationMethod = keys.map((key, n) => methodOf(did, key, `key-${n + 1}`))
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

export const createDid = (doc: LedgerDidDoc): UnsignedLedgerMessage & { payload: DidDocPayload } => ({
  type: 'createDidDoc',
  payload: { ...doc, versionId: randomUUID() },
})

export const updateDid = (doc: LedgerDidDoc): UnsignedLedgerMessage & { payload: DidDocPayload } => ({
  type: 'updateDidDoc',
  payload: { ...doc, versionId: randomUUID() },
})

export const deactivateDid = (did: string): UnsignedLedgerMessage => ({
  type: 'deactivateDidDoc',
  payload: { id: did, versionId: randomUUID() },
})

export const createResource = (
  did: string,
  changes: Partial<ResourcePayload> = {},
): Extract<UnsignedLedgerMessage, { type: 'createResource' }> => ({
  type: 'createResource',
  payload: {
    data: Buffer.from('{"list":true}'),
    collectionId: did.split(':').at(-1) ?? '',
    id: randomUUID(),
    name: 'list',
    version: '',
    resourceType: 'StatusList2021Revocation',
    alsoKnownAs: [],
    ...changes,
  },
})

/** Signs with Ed25519 keys, each under the id of a verification method. */
export function signed(
  message: UnsignedLedgerMessage,
  ...signers: [id: string, key: Ed25519Key][]
): LedgerMessage {
  const bytes = signBytes(message)
  const signatures = signers.map(([verificationMethodId, key]): SignInfo => ({
    verificationMethodId,
    signature: new Uint8Array(sign(null, bytes, key.privateKey)),
  }))
  return { ...message, signatures }
}
