import { BOUNDS, NETWORKS } from '@vidimus/core-types'
import { mayCost, PublicKey, textOfBytes } from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { did, hexKey, text, uriList, words } from './primitives.js'

export const KEY_TYPES = ['Ed25519', 'Secp256k1', 'Secp256r1', 'X25519'] as const
export const keyType = () =>
  z.enum(KEY_TYPES).meta({ description: 'Type of the key, if the configured KMS supports it' })

export const Network = z.enum(NETWORKS).meta({ description: 'Network of did:cheqd' })
export const IdentifierFormatType = z
  .enum(['uuid', 'base58btc'])
  .meta({ description: 'Format of the method-specific identifier of did:cheqd; default `uuid`' })
export const VerificationMethodType = z
  .enum(['Ed25519VerificationKey2020', 'JsonWebKey2020', 'Ed25519VerificationKey2018'])
  .meta({ description: 'Type of the verification method; default `Ed25519VerificationKey2020`' })

const serviceFields = {
  type: textOfBytes('A service type of the DID specification registries', BOUNDS.serviceTypeBytes),
  serviceEndpoint: uriList('Service endpoints, at least one'),
  priority: z
    .int()
    .min(0)
    .max(BOUNDS.servicePriority)
    .optional()
    .meta({ description: 'Distinguishes several did-communication endpoints' }),
  recipientKeys: words('Default recipients of the endpoint').optional(),
  routingKeys: words('Routing hops between sender and recipients').optional(),
  accept: words('Media types that the endpoint accepts').optional(),
}

/** A service of a new DID document; section 2.1 of the contract identifies it by `idFragment`. */
const NewService = z.strictObject({
  idFragment: text('Becomes `<did>#<idFragment>`', BOUNDS.name).optional(),
  id: textOfBytes('`<did>#<fragment>`, instead of idFragment', BOUNDS.serviceId).optional(),
  ...serviceFields,
})

export const NewServices = z
  .array(NewService)
  .max(BOUNDS.documentEntries)
  .meta({
    description: 'Services of the DID document',
    example: [{ idFragment: 'service-1', type: 'LinkedDomains', serviceEndpoint: ['https://example.com'] }],
  })

export const documentList = (description: string) => uriList(description, BOUNDS.documentEntries)

const relationship = (name: string) =>
  documentList(
    `Verification relationship "${name}"; may only refer to the verification method of the DID`,
  ).optional()

/** Section 2.3 of the contract: a DID document without verification methods. */
export const DidDocumentWithoutMethods = z
  .strictObject({
    '@context': documentList('Contexts of the DID document').optional(),
    id: did('Must be valid for the network and unused; default: a new one').optional(),
    controllers: documentList('DIDs that may change the document').optional(),
    controller: documentList('Alias of controllers').optional(),
    alsoKnownAs: documentList('Other identifiers of the subject').optional(),
    service: NewServices.optional(),
    verificationMethod: z
      .array(z.unknown())
      .max(0, 'is added by the service; omit it and use verificationMethodType and key instead')
      .optional()
      .meta({ description: 'Must be empty or omitted: the service adds that of its key' }),
    authentication: relationship('authentication'),
    assertionMethod: relationship('assertionMethod'),
    capabilityInvocation: relationship('capabilityInvocation'),
    capabilityDelegation: relationship('capabilityDelegation'),
    keyAgreement: relationship('keyAgreement'),
  })
  .meta({ description: 'A DID document without verification methods' })

export const publicKey = () => hexKey('Public key (hex) of a key of the account; default: a new Ed25519 key')

const Service = z
  .object({
    id: z.string(),
    type: z.string(),
    serviceEndpoint: z.union([z.array(z.string()), z.string(), z.record(z.string(), z.unknown())]),
  })
  .catchall(z.unknown())
  .meta({ id: 'Service', description: 'A service of a DID document' })

export const ManagedKey = PublicKey.meta({
  id: 'ManagedKey',
  description: 'A key that the service holds; never its private key',
})

/** The public location of a did:web document. */
export const documentUrl = () =>
  z.string().meta({ description: 'did:web: the https address of its DID document' })

/** Section 2.5 of the contract. */
export const DidResult = z
  .object({
    did: z.string(),
    documentUrl: documentUrl().optional(),
    controllerKeyId: z.string().optional().meta({ description: '`kid` of the key that controls the DID' }),
    keys: z.array(ManagedKey),
    services: z.array(Service),
    ...mayCost,
  })
  .meta({ id: 'DidResult', description: 'A DID of the account' })

/** RFC 8032 7.1, test 1: publicly known, for testing only. */
export const examplePrivateKey = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60'
const exampleKey = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'
export const exampleDid = 'did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0'
export const exampleKid = exampleKey
export const exampleDidResult = {
  did: exampleDid,
  controllerKeyId: exampleKey,
  keys: [{ kid: exampleKey, type: 'Ed25519', publicKeyHex: exampleKey, kms: 'local' }],
  services: [
    { id: `${exampleDid}#service-1`, type: 'LinkedDomains', serviceEndpoint: ['https://example.com'] },
  ],
}
