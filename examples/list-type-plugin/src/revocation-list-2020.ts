import {
  AgentError,
  problemsError,
  type NamedStatusList,
  type Problem,
  type StatusListCreateParameters,
  type StatusListEnvelope,
  type StatusListLayout,
  type StatusListLocation,
  type StatusListType,
} from '@vidimus/core-types'
import { decodeBits, encodeBits, malformed } from './encoded-bits.js'

const RESOURCE_TYPE = 'RevocationList2020Credential'
const STATUS_TYPE = 'RevocationList2020Status'
const CONTEXTS = ['https://www.w3.org/2018/credentials/v1', 'https://w3id.org/vc-revocation-list-2020/v1']

/** A document is whatever the type likes. Here: the claims of a JWT that carries a credential, and that JWT. */
export interface RevocationList2020Document {
  claims: Claims
  /** there once it was published */
  jwt?: string
}

interface Claims extends Record<string, unknown> {
  iss: string
  jti: string
  vc: Record<string, unknown> & {
    issuanceDate: string
    expirationDate?: string
    credentialSubject: Record<string, unknown> & { encodedList: string }
  }
}

/**
 * The list type `RevocationList2020`: one bit per credential, set if it is revoked. The list is a credential of the
 * data model 1.1, secured as a JWT. It only supports revocation, so this file is as short as a list type gets.
 *
 * Nothing here depends on keys, ledgers, accounts or HTTP: the engine calls these functions, and does the rest.
 *
 * @see https://w3c-ccg.github.io/vc-status-rl-2020/
 */
export const RevocationList2020: StatusListType<RevocationList2020Document> = {
  // What callers write as `listType`, and what credentials write as the `type` of their entry.
  type: 'RevocationList2020',
  entryType: STATUS_TYPE,

  // The possible lists of this type. The engine refuses everything else before it calls the type.
  purposes: ['revocation'],
  statusSizes: [1],
  defaultStatusSize: () => 1,
  defaultLength: 131_072,
  // the example of the specification is that short
  minLength: 100_000,

  // Under which resource type a list is published. Types with a list for each purpose let purpose and action choose.
  resourceTypes: () => [RESOURCE_TYPE],
  resourceTypesOfAction: () => [RESOURCE_TYPE],

  // From parameters to a document, from a document to bytes, and back.
  create: createDocument,
  parse: parseDocument,
  serialise: (_doc, envelope) => Buffer.from(envelope ?? ''),

  // From a document to bits, and back. `pack` creates a new document and keeps unknown members.
  decode: (encodedList, _encoding, maxBytes) => decodeBits(encodedList, maxBytes),
  unpack: ({ claims }, maxBytes) => decodeBits(claims.vc.credentialSubject.encodedList, maxBytes),
  pack: ({ claims }, bits) => ({ claims: withBits(claims, bits) }),

  // What the engine signs before it publishes, and verifies before it trusts what others published.
  secure: listEnvelope,
  securingOf: ({ claims, jwt }) =>
    jwt === undefined ? undefined : { jwt, issuer: claims.iss, id: claims.jti },

  // The meaning of the bits.
  describe: describeDocument,
  nextValue: nextEntryValue,
  report: (_layout, value) => ({ status: value, valid: value === 0, revoked: value === 1 }),

  // How credentials refer to a list. `url` is the identity of the list: its DID URL, or its https address.
  entry: (_layout, { url }, index) => ({
    id: `${url}#${index}`,
    type: STATUS_TYPE,
    revocationListIndex: String(index),
    revocationListCredential: url,
  }),
  readEntry,

  // What callers of the API get to see.
  toResource: ({ claims, jwt }) => ({ revocationList2020Credential: claims.vc, jwt }),
}

function createDocument(
  parameters: StatusListCreateParameters,
  { did, url: id }: NamedStatusList,
  now: Date,
): RevocationList2020Document {
  // A parameter that means nothing to the type is refused, and never forgotten. All problems at once.
  const { length, encoding, statusMessages, ttl, validUntil } = parameters
  const foreign = Object.entries({ encoding, statusMessages, ttl }).filter(([, value]) => value !== undefined)
  const problems: Problem[] = foreign.map(([path]) => ({ path, message: 'a RevocationList2020 has none' }))
  if (problems.length > 0) throw problemsError('invalid_input', problems)

  const { bits = new Uint8Array(length / 8) } = parameters
  return {
    claims: {
      iss: did,
      jti: id,
      vc: {
        '@context': CONTEXTS,
        id,
        type: ['VerifiableCredential', RESOURCE_TYPE],
        issuer: did,
        // `now` is the only clock that a type has
        issuanceDate: now.toISOString(),
        ...(validUntil !== undefined && { expirationDate: validUntil }),
        credentialSubject: {
          id: `${id}#list`,
          type: 'RevocationList2020',
          encodedList: encodeBits(bits),
        },
      },
    },
  }
}

/** Whatever comes in: a document, or `malformed_list`. */
function parseDocument(content: Uint8Array): RevocationList2020Document {
  const jwt = Buffer.from(content).toString('latin1')
  const [, payload = '', signature, ...rest] = jwt.split('.')
  if (!signature || rest.length > 0) throw malformed('it is no JWT')
  let claims: unknown
  try {
    claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
  } catch (cause) {
    throw malformed('the payload of its JWT is not JSON', cause)
  }
  if (!isClaims(claims)) throw malformed('it is no credential with an encodedList')
  return { claims, jwt }
}

function isClaims(value: unknown): value is Claims {
  if (!isObject(value) || !isObject(value.vc) || !isObject(value.vc.credentialSubject)) return false
  const { iss, jti, vc } = value
  const { issuanceDate, expirationDate = '', credentialSubject } = vc
  const texts = [
    iss,
    jti,
    issuanceDate,
    expirationDate,
    (credentialSubject as Record<string, unknown>).encodedList,
  ]
  return texts.every((text) => typeof text === 'string') && [vc.type].flat().includes(RESOURCE_TYPE)
}

const withBits = (claims: Claims, bits: Uint8Array): Claims => ({
  ...claims,
  vc: {
    ...claims.vc,
    credentialSubject: { ...claims.vc.credentialSubject, encodedList: encodeBits(bits) },
  },
})

/** The JWT encoding of a credential. The engine adds `alg` and `kid`, and signs with a key of the publisher. */
function listEnvelope(
  { claims }: RevocationList2020Document,
  _location: StatusListLocation,
  now: Date,
): StatusListEnvelope {
  return { typ: 'JWT', payload: { ...claims, iat: Math.floor(now.getTime() / 1000) } }
}

function describeDocument({ claims }: RevocationList2020Document): StatusListLayout {
  const { issuanceDate, expirationDate } = claims.vc
  return {
    statusSize: 1,
    // entry 0 is the left-most bit of the first byte
    order: 'msb',
    purposes: ['revocation'],
    encrypted: false,
    validFrom: issuanceDate,
    ...(expirationDate !== undefined && { validUntil: expirationDate }),
  }
}

/** Revoking is all there is, and its scopes are good. */
function nextEntryValue(_layout: StatusListLayout, action: string, current: number): number {
  if (action === 'revoke') return 1
  if (action === 'reinstate' && current === 1) throw new AgentError('irreversible', 'is permanently revoked')
  const known = action === 'suspend' || action === 'reinstate'
  const message = known
    ? `"${action}" is for suspension, but the list is for revocation`
    : `"${action}" is not an action of this list; possible is revoke`
  throw problemsError(known ? 'purpose_mismatch' : 'unknown_action', [{ path: 'statusAction', message }])
}

/** A loose parser would read `12abc` as 12, and so return the status of someone else. */
function readEntry({ revocationListIndex, revocationListCredential }: Record<string, unknown>) {
  if (typeof revocationListIndex !== 'string' || !/^(0|[1-9]\d{0,14})$/.test(revocationListIndex)) {
    throw new AgentError('invalid_credential', 'the revocationListIndex must be a whole number, as text')
  }
  if (typeof revocationListCredential !== 'string') {
    throw new AgentError('invalid_credential', 'the revocationListCredential must be the URL of the list')
  }
  return { listUrl: revocationListCredential, index: Number(revocationListIndex), statusSize: 1 }
}

/** The DID URL under which the newest version of a list is found. */
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
