import type { Network } from '@vidimus/core-types'

/** A verification method as the ledger keeps it (`cheqd.did.v2.VerificationMethod`). */
export interface LedgerVerificationMethod {
  id: string
  verificationMethodType: string
  controller: string
  /** multibase, base58 or JSON text of a public JWK, as the type demands; compared as a string */
  verificationMaterial: string
}

/** A service as the ledger keeps it (`cheqd.did.v2.Service`). */
export interface LedgerService {
  id: string
  serviceType: string
  serviceEndpoint: string[]
  recipientKeys: string[]
  routingKeys: string[]
  accept: string[]
  /** unsigned 32 bit; 0 is the same as none */
  priority: number
}

/** A DID document as the ledger keeps it (`cheqd.did.v2.DidDoc`). */
export interface LedgerDidDoc {
  context: string[]
  id: string
  controller: string[]
  verificationMethod: LedgerVerificationMethod[]
  authentication: string[]
  /** DID URLs of verification methods, or JSON text of embedded ones */
  assertionMethod: string[]
  capabilityInvocation: string[]
  capabilityDelegation: string[]
  keyAgreement: string[]
  service: LedgerService[]
  alsoKnownAs: string[]
}

/** `MsgCreateDidDocPayload` and `MsgUpdateDidDocPayload`. */
export interface DidDocPayload extends LedgerDidDoc {
  /** UUID */
  versionId: string
}

/** `MsgDeactivateDidDocPayload` */
export interface DeactivatePayload {
  id: string
  /** UUID */
  versionId: string
}

/** `MsgCreateResourcePayload` */
export interface ResourcePayload {
  /** 1 to 2 097 152 bytes */
  data: Uint8Array
  collectionId: string
  /** UUID, new for every version */
  id: string
  name: string
  /** free text, may be `''` */
  version: string
  resourceType: string
  alsoKnownAs: AlternativeUri[]
}

export interface AlternativeUri {
  uri: string
  description: string
}

/** A proof over the sign bytes of a payload. */
export interface SignInfo {
  verificationMethodId: string
  /** Ed25519: 64 bytes; ECDSA: ASN.1 DER over SHA-256; RSA: PSS with SHA-256 */
  signature: Uint8Array
}

export type UnsignedLedgerMessage =
  | { type: 'createDidDoc'; payload: DidDocPayload }
  | { type: 'updateDidDoc'; payload: DidDocPayload }
  | { type: 'deactivateDidDoc'; payload: DeactivatePayload }
  | { type: 'createResource'; payload: ResourcePayload }

export type LedgerMessage = UnsignedLedgerMessage & { signatures: SignInfo[] }

export interface DidDocMetadata {
  /** block time */
  created: Date
  updated?: Date
  deactivated: boolean
  versionId: string
  /** `''` if there is none */
  nextVersionId: string
  previousVersionId: string
}

export interface DidDocWithMetadata {
  didDoc: LedgerDidDoc
  metadata: DidDocMetadata
}

/** Metadata of a resource as the ledger keeps it (`cheqd.resource.v2.Metadata`). */
export interface ResourceMetadata {
  collectionId: string
  id: string
  name: string
  version: string
  resourceType: string
  alsoKnownAs: AlternativeUri[]
  mediaType: string
  /** block time */
  created: Date
  /** hex SHA-256 of the data */
  checksum: string
  /** `''` if there is none */
  previousVersionId: string
  nextVersionId: string
}

/** The part of a version that is read: unused parts are omitted. */
export type ResourceSummary = Omit<ResourceMetadata, 'alsoKnownAs'>

export interface ResourceWithMetadata {
  data: Uint8Array
  metadata: ResourceSummary
}

/** The effect of a committed message. */
export interface LedgerReceipt {
  /** upper-case hex */
  txHash: string
  height: number
  /** block time */
  time: Date
  didDoc?: DidDocWithMetadata
  resource?: ResourceMetadata
}

export type { Network }
