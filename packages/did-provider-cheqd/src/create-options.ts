import { BOUNDS, NETWORKS, type Network } from '@vidimus/core-types'
import { VERIFICATION_METHOD_TYPES, type VerificationMethodType } from '@vidimus/ledger'
import { z } from 'zod'
import { parseInput } from './parse-input.js'

/** A service of a new DID document; named by `id` or by `idFragment`. */
export interface CheqdServiceOptions {
  /** `<did>#<fragment>` or `#<fragment>` */
  id?: string
  /** becomes `<did>#<idFragment>` */
  idFragment?: string
  /** 1 to 255 bytes */
  type: string
  /** at least one, none of them empty; a single one may be given without a list */
  serviceEndpoint: string | string[]
  /** unsigned 32 bit; the ledger cannot distinguish 0 from absent */
  priority?: number
  recipientKeys?: string[]
  routingKeys?: string[]
  accept?: string[]
}

/** A DID document without verification methods, as section 2.3 of the API contract has it. */
export interface CheqdDidDocumentOptions {
  '@context'?: string | string[]
  /** a free DID of did:cheqd; by default one is created */
  id?: string
  /** DIDs on the same network that the account holds, or the DID itself; `controllers` means the same */
  controller?: string | string[]
  controllers?: string | string[]
  service?: CheqdServiceOptions[]
  alsoKnownAs?: string[]
  /** each names the one verification method that the DID gets: `<did>#<fragment>` or `#<fragment>` */
  authentication?: string[]
  assertionMethod?: string[]
  capabilityInvocation?: string[]
  capabilityDelegation?: string[]
  keyAgreement?: string[]
}

/** The options of `didManagerCreate` for did:cheqd. */
export interface CheqdCreateOptions {
  /** default: that of `didDocument.id`, otherwise the configured one */
  network?: Network
  /** how the identifier is made; default `uuid` */
  identifierFormatType?: 'uuid' | 'base58btc'
  /** default `Ed25519VerificationKey2020` */
  verificationMethodType?: VerificationMethodType
  /** a key that the account holds; by default a new Ed25519 key is created. Its path in problems is `key`. */
  publicKeyHex?: string
  service?: CheqdServiceOptions[]
  /** kept in the document; its path in problems is `@context` */
  context?: string[]
  didDocument?: CheqdDidDocumentOptions
}

/** RFC 3986 3.5 */
const FRAGMENT = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{2})+$/
const RELATIONSHIPS = [
  'authentication',
  'assertionMethod',
  'capabilityInvocation',
  'capabilityDelegation',
  'keyAgreement',
] as const

/** The verification relationships of DID Core 5.3. */
export type Relationship = (typeof RELATIONSHIPS)[number]
export { RELATIONSHIPS }

export const isFragment = (text: string): boolean => FRAGMENT.test(text)

const Text = z.string('must be a string').refine((text) => text.trim() !== '', 'must be a non-empty string')
const TextList = z.array(Text, 'must be a list of strings')
/** Only a filled string is one entry: an empty one is reported at the place of the list. */
const OneOrMore = z.preprocess(
  (value) => (typeof value === 'string' && value !== '' ? [value] : value),
  TextList,
)

export const Service = z.strictObject(
  {
    id: Text.optional(),
    idFragment: Text.optional(),
    type: Text.refine(
      (type) => Buffer.byteLength(type) <= BOUNDS.serviceTypeBytes,
      `must have at most ${BOUNDS.serviceTypeBytes} bytes`,
    ),
    serviceEndpoint: OneOrMore.refine((endpoints) => endpoints.length > 0, 'must name at least one endpoint'),
    priority: z
      .int('must be a whole number')
      .min(0, 'must be at least 0')
      .max(BOUNDS.servicePriority, `must be at most ${BOUNDS.servicePriority}`)
      .optional(),
    recipientKeys: TextList.optional(),
    routingKeys: TextList.optional(),
    accept: TextList.optional(),
  },
  { error: objectError },
)

const ServiceList = z.array(Service, 'must be a list of services')

const DidDocument = z.strictObject(
  {
    '@context': OneOrMore.optional(),
    id: Text.optional(),
    controller: OneOrMore.optional(),
    controllers: OneOrMore.optional(),
    service: ServiceList.optional(),
    alsoKnownAs: TextList.optional(),
    verificationMethod: z
      .array(z.unknown())
      .max(0, 'is added by the service; omit it and use verificationMethodType and key instead')
      .optional(),
    ...(Object.fromEntries(RELATIONSHIPS.map((name) => [name, TextList.optional()])) as Record<
      Relationship,
      z.ZodOptional<typeof TextList>
    >),
  },
  { error: objectError },
)

const CreateOptions = z.strictObject(
  {
    /** added by Veramo's DIDManager */
    providerName: z.string().optional(),
    network: z.enum(NETWORKS, `must be ${NETWORKS.join(' or ')}`).optional(),
    identifierFormatType: z.enum(['uuid', 'base58btc'], 'must be uuid or base58btc').optional(),
    verificationMethodType: z
      .enum(VERIFICATION_METHOD_TYPES, `must be one of ${VERIFICATION_METHOD_TYPES.join(', ')}`)
      .optional(),
    publicKeyHex: z
      .string('must be a string')
      .regex(/^(?:[0-9a-fA-F]{2})+$/, 'must be a public key in hexadecimal')
      .optional(),
    service: ServiceList.optional(),
    context: OneOrMore.optional(),
    didDocument: DidDocument.optional(),
  },
  { error: objectError },
)

/** Checked options; lists that may be written as one string are lists here. */
export type ParsedCreateOptions = z.output<typeof CreateOptions>
export type ParsedDidDocument = z.output<typeof DidDocument>
export type ParsedService = z.output<typeof Service>

function objectError(issue: { code?: string | undefined }): string | undefined {
  return issue.code === 'invalid_type' ? 'must be an object' : undefined
}

/**
 * Checks types and ranges of the options; how they fit together is looked at later.
 *
 * @throws AgentError `invalid_input` with every problem, at the paths of the HTTP contract
 */
export const parseCreateOptions = (options: unknown): ParsedCreateOptions =>
  parseInput(CreateOptions, options ?? {}, nameOfContract)

/** The HTTP contract has other names for two of the options. */
function nameOfContract(step: PropertyKey): PropertyKey {
  if (step === 'publicKeyHex') return 'key'
  return step === 'context' ? '@context' : step
}
