import {
  asBuffer,
  problemsError,
  type ForeignStatusList,
  type NamedStatusList,
  type Problem,
  type StatusListCreateParameters,
  type StatusListEnvelope,
  type StatusListLayout,
  type StatusListLocation,
  type StatusListType,
} from '@vidimus/core-types'
import { joseType } from '@vidimus/verification-methods'
import { z } from 'zod'
import { readCompactJwt } from '../encoding/compact-jwt.js'
import { compressAs, decompressAs } from '../encoding/compression.js'
import { decodeBase64Url, encodeBase64Url } from '../encoding/encoded-list.js'
import { parseListUrl } from './list-url.js'
import { readTokenEntry } from './status-list-entry.js'
import { checkedAs } from './malformed-list.js'
import { CWT_MEDIA_TYPE, toCwt, cwtPayload, readStatusListCwt } from './token-status-cwt.js'
import { nextTokenValue, reportTokenValue } from './token-status-values.js'

const RESOURCE_TYPE = 'TokenStatusList'
const TYP = 'statuslist+jwt'

/** The reference to a list in credentials. */
function isListUri(uri: string): boolean {
  return parseListUrl(uri) !== undefined || (/^https?:/i.test(uri) && URL.canParse(uri))
}

/** Seconds since 1970, within the range of a date. */
const NumericDate = z.number().min(0).max(8_640_000_000_000)

const Bits = z.literal([1, 2, 4, 8])

const Header = z.looseObject({ typ: z.string().refine((typ) => joseType(typ) === TYP) })

const Claims = z.looseObject({
  sub: z.string().refine(isListUri, 'is neither the DID URL of a list nor an https URL'),
  iat: NumericDate,
  iss: z.string().optional(),
  nbf: NumericDate.optional(),
  exp: NumericDate.optional(),
  ttl: z.number().positive().optional(),
  status_list: z.looseObject({
    bits: Bits,
    lst: z.string(),
    aggregation_uri: z.string().optional(),
  }),
})

/** The claims of a Status List Token, and the JWT that carries them if it was published. */
export interface TokenStatusListDocument {
  claims: z.infer<typeof Claims>
  jwt?: string
}

/**
 * The list type `TokenStatusList`: the IETF's Token Status List as a signed JWT (`statuslist+jwt`). The content of
 * the DID-Linked Resource is the compact JWT itself, so that dereferencing the DID URL of the list returns what the
 * specification requires. Entries of 1, 2, 4 or 8 bits, counted from the least significant bit; zlib, base64url.
 *
 * Every version is signed: `sub` is the address of the list, as credentials name it in `uri`, `iat` the time of the
 * version; `exp`, `ttl` (in seconds) and unknown claims are kept. A published list may omit `iss`, as the
 * specification allows: the signature must still be that of the publisher.
 *
 * A token has one status and its list no purposes. For the API the width determines them: lists of one bit cover
 * `revocation`, wider ones `revocation` and `suspension`, whichever the creator named. Lists that can suspend have
 * two bits unless the publisher says otherwise.
 *
 * @see draft-ietf-oauth-status-list (Token Status List), sections 4, 5.1, 6 and 7
 */
export const TokenStatusList: StatusListType<TokenStatusListDocument> = {
  type: 'TokenStatusList',
  entryType: 'status_list',
  entryMember: 'status',
  mediaType: `application/${TYP}`,
  purposes: ['revocation', 'suspension'],
  defaultLength: 131_072,
  minLength: 131_072,
  statusSizes: [...Bits.values],
  defaultStatusSize: (purposes) => (purposes.includes('suspension') ? 2 : 1),

  resourceTypes: () => [RESOURCE_TYPE],
  resourceTypesOfAction: () => [RESOURCE_TYPE],

  create: createDocument,
  decode: decodeBits,
  parse: parseDocument,
  serialise: (_doc, envelope) => Buffer.from(envelope ?? ''),
  describe: describeDocument,
  unpack: ({ claims }, maxBytes) => decodeBits(claims.status_list.lst, undefined, maxBytes),
  pack: async ({ claims }, bits) => ({
    claims: { ...claims, status_list: { ...claims.status_list, lst: await encodeBits(bits) } },
  }),
  renewed: ({ claims }, { from, until }) => ({
    claims: {
      ...claims,
      ...(claims.nbf !== undefined && { nbf: toSeconds(from) }),
      ...(claims.exp !== undefined && { exp: toSeconds(until) }),
    },
  }),
  secure: tokenEnvelope,
  forms: ({ claims, jwt }) => {
    const content = jwt === undefined ? undefined : toCwt(jwt, claims)
    return content ? [{ mediaType: CWT_MEDIA_TYPE, content }] : []
  },
  securingOf: ({ claims: { iss, sub, iat }, jwt }) =>
    jwt === undefined
      ? undefined
      : { jwt, id: sub, signedAt: iat, ...(iss !== undefined && { issuer: iss }) },

  foreignMediaTypes: [`application/${TYP}`, CWT_MEDIA_TYPE],
  minForeignLength: 1,
  // An array of CBOR, tagged or not, begins with a byte that no text begins with.
  readForeign: (content) => ((content[0] ?? 0) >= 0x80 ? foreignCwt(content) : foreignJwt(content)),

  nextValue: nextTokenValue,
  report: reportTokenValue,
  entry: (_layout, { url }, index) => ({ status_list: { idx: index, uri: url } }),
  readEntry: readTokenEntry,
  toResource: ({ claims, jwt }, length) => ({
    TokenStatusList: claims,
    metadata: {
      encrypted: false,
      encoding: 'base64url',
      length,
      statusSize: claims.status_list.bits,
    },
    jwt,
  }),
}

async function createDocument(
  parameters: StatusListCreateParameters,
  { did, url, aggregationUrl }: NamedStatusList,
  now: Date,
): Promise<TokenStatusListDocument> {
  const problems = parameterProblems(parameters)
  if (problems.length > 0) throw problemsError('invalid_input', problems)
  const { length, statusSize, ttl, validUntil, bits = new Uint8Array((length * statusSize) / 8) } = parameters
  const claims = {
    iss: did,
    sub: url,
    iat: toSeconds(now),
    ...(validUntil !== undefined && { exp: toSeconds(new Date(validUntil)) }),
    ...(ttl !== undefined && { ttl: ttl / 1000 }),
    status_list: {
      bits: Bits.parse(statusSize),
      lst: await encodeBits(bits),
      ...(aggregationUrl !== undefined && { aggregation_uri: aggregationUrl }),
    },
  }
  return { claims }
}

function parameterProblems(parameters: StatusListCreateParameters): Problem[] {
  const { purposes, statusSize, encoding, statusMessages, ttl } = parameters
  const problems: Problem[] = []
  if (!Bits.safeParse(statusSize).success) {
    problems.push({
      path: 'statusSize',
      message: `${statusSize} is not one of ${[...Bits.values].join(', ')}`,
    })
  }
  if (statusSize === 1 && purposes.includes('suspension')) {
    problems.push({ path: 'statusSize', message: 'must be 2 or more if a list is for suspension' })
  }
  if (encoding !== undefined && encoding !== 'base64url') {
    problems.push({
      path: 'encoding',
      message: `"${encoding}" is not base64url, the only encoding of this type`,
    })
  }
  if (statusMessages !== undefined) {
    const message = 'a TokenStatusList has no messages: its specification says what the values mean'
    problems.push({ path: 'statusMessages', message })
  }
  if (ttl !== undefined && ttl % 1000 !== 0) {
    problems.push({ path: 'ttl', message: 'must be whole seconds: a multiple of 1000' })
  }
  return problems
}

function parseDocument(content: Uint8Array): TokenStatusListDocument {
  const jwt = asBuffer(content).toString('latin1').trim()
  return { claims: readCompactJwt(jwt, Header, Claims), jwt }
}

function foreignJwt(content: Uint8Array): ForeignStatusList<TokenStatusListDocument> {
  const { claims, jwt: secured = '' } = parseDocument(content)
  return { doc: { claims }, id: claims.sub, secured, ...(claims.iss !== undefined && { issuer: claims.iss }) }
}

function foreignCwt(content: Uint8Array): ForeignStatusList<TokenStatusListDocument> {
  const read = readStatusListCwt(content)
  const claims = checkedAs(Claims, read.claims, 'the payload of its CWT')
  const { iss, sub } = claims
  return { doc: { claims }, id: sub, secured: read.signed, ...(iss !== undefined && { issuer: iss }) }
}

function describeDocument({ claims }: TokenStatusListDocument): StatusListLayout {
  const { status_list, nbf, exp, ttl } = claims
  return {
    statusSize: status_list.bits,
    order: 'lsb',
    purposes: status_list.bits === 1 ? ['revocation'] : ['revocation', 'suspension'],
    encrypted: false,
    // `iat` is when the list was signed, which a clock that was ahead has made later than now
    ...(nbf !== undefined && { validFrom: isoTime(nbf) }),
    ...(exp !== undefined && { validUntil: isoTime(exp) }),
    ...(ttl !== undefined && { ttlMs: ttl * 1000 }),
  }
}

/** The list keeps its `sub`, by which credentials know it. */
function tokenEnvelope(
  { claims }: TokenStatusListDocument,
  { did }: StatusListLocation,
  now: Date,
): StatusListEnvelope {
  const payload = { ...claims, iss: did, iat: toSeconds(now) }
  return {
    typ: TYP,
    payload,
    cwt: { typ: CWT_MEDIA_TYPE, payload: (claims) => cwtPayload({ ...payload, ...claims }) },
    takesCertificates: true,
  }
}

function decodeBits(lst: string, _encoding: string | undefined, maxBytes: number): Promise<Uint8Array> {
  return decompressAs('zlib', decodeBase64Url(lst, 'the lst'), maxBytes)
}

const encodeBits = async (bits: Uint8Array): Promise<string> =>
  encodeBase64Url(await compressAs('zlib', bits))

const toSeconds = (time: Date): number => Math.floor(time.getTime() / 1000)

const isoTime = (seconds: number): string => new Date(seconds * 1000).toISOString()
