import {
  isJsonObject,
  type NamedStatusList,
  type PaymentCondition,
  type StatusListCipher,
  type StatusListCreateParameters,
  type StatusListEnvelope,
  type StatusListForm,
  type StatusListLayout,
  type StatusListSecuring,
  type StatusListValidity,
} from '@vidimus/core-types'
import { joseType } from '@vidimus/verification-methods'
import { z } from 'zod'
import { headerOf, readCompactJwt } from '../encoding/compact-jwt.js'
import { decodeBase64Url, encodeBase64Url } from '../encoding/encoded-list.js'
import { compress, decompress } from '../encoding/gzip.js'
import { cipherFor, ENCRYPTION } from '../encryption/list-cipher.js'
import { notLater } from '../versions/list-validity.js'
import { membersOfCredential } from './foreign-credential.js'
import { checkedAs, malformedList } from './malformed-list.js'
import { publishedConditions, readConditions } from '../encryption/payment-conditions.js'
import { StatusMessageSchema } from './status-messages.js'

const MEDIA_TYPE = 'vc+jwt'
const VC_CONTEXT = 'https://www.w3.org/ns/credentials/v2'
/** Of a credential as JSON; the second one is that of drafts, and the third what many request that know neither. */
const JSON_MEDIA_TYPES = ['application/vc', 'application/vc+ld+json', 'application/json']
/** Multibase prefix of base64url without padding. */
const MULTIBASE = 'u'

const Text = z.string()
const Type = z.union([Text, z.array(Text)])
const isOfType = (type: string) => (value: string | string[]) => [value].flat().includes(type)

const Header = z.looseObject({ typ: z.string().refine((typ) => joseType(typ) === MEDIA_TYPE) })

/** A NumericDate up to the year 9999. */
const Seconds = z.number().min(0).max(253_402_300_799).optional()

const Members = z.looseObject({
  '@context': z.array(z.unknown()),
  id: Text.optional(),
  type: Type.refine(isOfType('BitstringStatusListCredential'), 'has no BitstringStatusListCredential'),
  issuer: z.union([Text, z.looseObject({ id: Text })]),
  validFrom: Text.optional(),
  validUntil: Text.optional(),
  credentialSubject: z.looseObject({
    type: Type.refine(isOfType('BitstringStatusList'), 'has no BitstringStatusList'),
    statusPurpose: z.union([Text, z.array(Text).min(1)]),
    encodedList: Text.startsWith(MULTIBASE, 'must start with the multibase prefix u'),
    ttl: z.int().positive().optional(),
    statusSize: z.int().min(1).max(8).optional(),
    statusMessages: z.array(StatusMessageSchema).optional(),
    encryption: Text.optional(),
    paymentConditions: z.unknown().optional(),
  }),
  iss: Text.optional(),
  jti: Text.optional(),
  nbf: Seconds,
  exp: Seconds,
})

/** Values stated in two places must be the same in both: VC-JOSE-COSE, section 3.2.1. */
const Claims = Members.refine(({ iss, issuer }) => iss === undefined || iss === issuerId(issuer), {
  path: ['iss'],
  error: 'must be the issuer',
}).refine(({ jti, id }) => jti === undefined || id === undefined || jti === id, {
  path: ['jti'],
  error: 'must be the id',
})

/** A `BitstringStatusListCredential`, and the JWT that secures it if it was published. */
export interface W3cBitstringDocument {
  claims: z.infer<typeof Claims>
  jwt?: string
  /** every version also gets an embedded proof */
  embedsProof?: boolean
}

/** The member of a published JWT's protected header with the embedded proof of the same credential. */
export const PROOF_HEADER = 'proof'

const STATUS = 'https://www.w3.org/ns/credentials/status#'

/** The terms of wide entries, which the specification defines for lists but its context only for entries. */
const LIST_TERMS = {
  statusSize: `${STATUS}statusSize`,
  statusMessages: {
    '@id': `${STATUS}statusMessages`,
    '@context': { status: `${STATUS}status`, message: `${STATUS}message` },
  },
}

export async function createW3cBitstring(
  parameters: StatusListCreateParameters,
  { did, url: id }: NamedStatusList,
  now: Date,
): Promise<W3cBitstringDocument> {
  const { length, statusSize, purposes, statusMessages, ttl, validUntil, encryption } = parameters
  const { embeddedProof = false } = parameters
  const { bits = new Uint8Array((length * statusSize) / 8) } = parameters
  const [purpose = '', ...others] = purposes
  const claims: W3cBitstringDocument['claims'] = {
    '@context': [VC_CONTEXT, ...(embeddedProof && statusMessages ? [LIST_TERMS] : [])],
    id,
    type: ['VerifiableCredential', 'BitstringStatusListCredential'],
    issuer: did,
    validFrom: now.toISOString(),
    ...(validUntil !== undefined && { validUntil }),
    credentialSubject: {
      id: `${id}#list`,
      type: 'BitstringStatusList',
      statusPurpose: others.length > 0 ? [...purposes] : purpose,
      encodedList: await encode(bits, encryption?.cipher),
      ...(ttl !== undefined && { ttl }),
      ...((statusSize > 1 || statusMessages) && { statusSize }),
      ...(statusMessages && { statusMessages: statusMessages.map((message) => ({ ...message })) }),
      ...(encryption && {
        encryption: ENCRYPTION,
        paymentConditions: publishedConditions(encryption.paymentConditions),
      }),
    },
  }
  return { claims, ...(embeddedProof && { embedsProof: true }) }
}

/**
 * Reads the JWT; its signature is looked at by the engine.
 *
 * @throws AgentError `malformed_list`
 */
export function parseW3cBitstring(jwt: string): W3cBitstringDocument {
  const claims = readCompactJwt(jwt, Header, Claims)
  return { claims, jwt, ...(headerOf(jwt)[PROOF_HEADER] !== undefined && { embedsProof: true }) }
}

/**
 * The list in a credential of others.
 *
 * @throws AgentError `malformed_list`
 */
export function w3cBitstringOf(credential: Record<string, unknown>): W3cBitstringDocument {
  const { times } = membersOfCredential(credential)
  const members = { ...credential, ...times }
  return { claims: checkedAs(Members, members, 'its credential') }
}

/** Entries count from the left, and so do the bits inside an entry. */
export function describeW3cBitstring({ claims }: W3cBitstringDocument): StatusListLayout {
  const { credentialSubject: list, nbf, exp } = claims
  const validFrom = [isoTime(nbf), claims.validFrom].filter(isGiven).toSorted(byTime).at(-1)
  const validUntil = [claims.validUntil, isoTime(exp)].filter(isGiven).toSorted(byTime).at(0)
  return {
    statusSize: list.statusSize ?? 1,
    ...(list.statusSize === undefined && { statesSize: false as const }),
    order: 'msb',
    purposes: [list.statusPurpose].flat(),
    encrypted: list.encryption !== undefined,
    ...(list.encryption === ENCRYPTION && { paymentConditions: readConditions(list.paymentConditions) }),
    ...(list.statusMessages && { statusMessages: list.statusMessages }),
    ...(list.ttl !== undefined && { ttlMs: list.ttl }),
    ...(validFrom !== undefined && { validFrom }),
    ...(validUntil !== undefined && { validUntil }),
  }
}

/** @throws AgentError `malformed_list`, `list_encrypted` if it is encrypted in another way than that of the cipher */
export function unpackW3cBitstring(
  { claims: { credentialSubject: list } }: W3cBitstringDocument,
  maxBytes: number,
  cipher?: StatusListCipher,
): Promise<Uint8Array> {
  const decrypt = list.encryption === undefined ? undefined : cipherFor(list.encryption, cipher)
  const bytes = decodeMultibase(list.encodedList)
  return decompress(decrypt?.decrypt(bytes) ?? bytes, maxBytes)
}

/** @throws AgentError `malformed_list` */
export const decodeMultibaseList = (encodedList: string, maxBytes: number): Promise<Uint8Array> =>
  decompress(decodeMultibase(encodedList), maxBytes)

function decodeMultibase(encodedList: string): Uint8Array {
  if (encodedList.startsWith(MULTIBASE)) return decodeBase64Url(encodedList.slice(MULTIBASE.length))
  throw malformedList('the encodedList does not start with the multibase prefix u')
}

/** The credential with other bits; what secured the old ones is left behind. */
export async function packW3cBitstring(
  { claims, jwt: _jwt, ...kept }: W3cBitstringDocument,
  bits: Uint8Array,
  cipher?: StatusListCipher,
  now?: Date,
): Promise<W3cBitstringDocument> {
  const { credentialSubject: list } = claims
  const encrypt = list.encryption === undefined ? undefined : cipherFor(list.encryption, cipher)
  const encodedList = await encode(bits, encrypt)
  return { ...kept, claims: { ...notLater(claims, now), credentialSubject: { ...list, encodedList } } }
}

/** The proof of the old times is dropped. */
export function renewedW3cBitstring(
  { claims, jwt: _jwt, ...kept }: W3cBitstringDocument,
  { from, until }: StatusListValidity,
): W3cBitstringDocument {
  const { nbf, exp, validUntil } = claims
  return {
    ...kept,
    claims: {
      ...claims,
      validFrom: from.toISOString(),
      ...(validUntil !== undefined && { validUntil: until.toISOString() }),
      ...(nbf !== undefined && { nbf: toSeconds(from) }),
      ...(exp !== undefined && { exp: toSeconds(until) }),
    },
  }
}

const toSeconds = (time: Date): number => Math.floor(time.getTime() / 1000)

/** The proof of the old conditions is dropped. */
export const withW3cPaymentConditions = (
  { claims }: W3cBitstringDocument,
  conditions: readonly PaymentCondition[],
): W3cBitstringDocument => {
  const credentialSubject = {
    ...claims.credentialSubject,
    paymentConditions: publishedConditions(conditions),
  }
  return { claims: { ...claims, credentialSubject } }
}

/** @see W3C Securing Verifiable Credentials using JOSE and COSE, section 3.1.1 */
export const envelopeOfW3cBitstring = ({
  claims,
  embedsProof = false,
}: W3cBitstringDocument): StatusListEnvelope => ({
  typ: MEDIA_TYPE,
  header: { cty: 'vc' },
  payload: claims,
  ...(embedsProof && { embedsProof }),
})

/**
 * As JSON, for readers that only support credentials as JSON: with its embedded proof if it has one, otherwise the JWT in an
 * envelope.
 *
 * @see W3C Verifiable Credentials Data Model v2.0, section 4.13, "Enveloped Verifiable Credentials"
 */
export function formsOfW3cBitstring({ claims, jwt }: W3cBitstringDocument): StatusListForm[] {
  if (jwt === undefined) return []
  const proof = headerOf(jwt)[PROOF_HEADER]
  const enveloped = {
    '@context': [VC_CONTEXT],
    id: `data:application/${MEDIA_TYPE},${jwt}`,
    type: 'EnvelopedVerifiableCredential',
  }
  const content = Buffer.from(JSON.stringify(isJsonObject(proof) ? { ...claims, proof } : enveloped))
  return JSON_MEDIA_TYPES.map((mediaType) => ({ mediaType, content }))
}

export function securingOfW3cBitstring({
  claims,
  jwt,
}: W3cBitstringDocument): StatusListSecuring | undefined {
  const { issuer, id, iat } = claims
  if (jwt === undefined) return undefined
  return {
    jwt,
    issuer: issuerId(issuer),
    ...(id !== undefined && { id }),
    ...(typeof iat === 'number' && { signedAt: iat }),
  }
}

const issuerId = (issuer: string | { id: string }): string =>
  typeof issuer === 'string' ? issuer : issuer.id

const isoTime = (seconds: number | undefined): string | undefined =>
  seconds === undefined ? undefined : new Date(seconds * 1000).toISOString()

const isGiven = (time: string | undefined): time is string => time !== undefined

const byTime = (one: string, other: string): number => Date.parse(one) - Date.parse(other)

async function encode(bits: Uint8Array, cipher: StatusListCipher | undefined): Promise<string> {
  const compressed = await compress(bits)
  return MULTIBASE + encodeBase64Url(cipher?.encrypt(compressed) ?? compressed)
}
