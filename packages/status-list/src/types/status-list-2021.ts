import {
  problemsError,
  type Problem,
  type StatusListCipher,
  type StatusListCreateParameters,
  type StatusListLayout,
  type StatusListLocation,
  type StatusListType,
} from '@vidimus/core-types'
import { z } from 'zod'
import { decodeAnyBase64, decodeHex, encodeBase64Url, encodeHex } from '../encoding/encoded-list.js'
import { compress, decompress } from '../encoding/gzip.js'
import { valueAfterAction } from './list-actions.js'
import { cipherFor, ENCRYPTION } from '../encryption/list-cipher.js'
import { notLater } from '../versions/list-validity.js'
import { CREDENTIAL_MEDIA_TYPES, foreignCredential, membersOfCredential } from './foreign-credential.js'
import { checkedAs, malformedList, parseJsonAs } from './malformed-list.js'
import { publishedConditions, readConditions } from '../encryption/payment-conditions.js'
import { entryMembers, readStatusList2021Entry } from './status-list-entry.js'
import { statusReport } from './status-report.js'

const RESOURCE_TYPES = {
  revocation: 'StatusList2021Revocation',
  suspension: 'StatusList2021Suspension',
} as const
type Purpose = keyof typeof RESOURCE_TYPES
const REVOCATION_FIRST = Object.values(RESOURCE_TYPES)
const SUSPENSION_FIRST = [...REVOCATION_FIRST].reverse()

const Encoding = z.enum(['base64url', 'hex'])

const Document = z.looseObject({
  StatusList2021: z.looseObject({
    statusPurpose: z.enum(['revocation', 'suspension']),
    encodedList: z.string(),
    type: z.string().optional(),
    validFrom: z.string().optional(),
    validUntil: z.string().optional(),
  }),
  metadata: z.looseObject({
    type: z.string().optional(),
    encoding: Encoding,
    encrypted: z.boolean().optional(),
    encryption: z.string().optional(),
    paymentConditions: z.unknown().optional(),
  }),
})
/** The resource as it is published, unknown members included. */
export type StatusList2021Document = z.infer<typeof Document>

/**
 * The list type `StatusList2021` as did:cheqd publishes it: one DID-Linked Resource in plain JSON for each purpose,
 * whose integrity is that of the ledger. One bit per entry, entry 0 is the left-most bit; gzip, in base64url without
 * padding or in hex. An update keeps the encoding and all unknown members.
 *
 * The action chooses the list: `revoke` the one about revocation, `suspend` and `reinstate` the one about suspension.
 * If that does not exist under the name but the other does, the other one is used: `reinstate` of a revoked index is
 * `irreversible`, everything else a `purpose_mismatch`. With both lists under one name, reinstating lifts the
 * suspension; the other list's revocations stay.
 *
 * For an encrypted list `encodedList` is the encrypted compressed bits, `metadata.encryption` names the encryption,
 * and `metadata.paymentConditions` those who can have them decrypted. There is no `statusListHash` as in lists of
 * cheqd's tools: a hash would confirm guesses about the content of a list, above all that it is empty. Lists
 * encrypted by those tools have another form, and cannot be read.
 *
 * @see W3C StatusList2021; sections 2.7 and 2.8 of the API contract
 */
export const StatusList2021: StatusListType<StatusList2021Document> = {
  type: 'StatusList2021',
  entryType: 'StatusList2021Entry',
  encryptable: true,
  entryContexts: ['https://w3id.org/vc/status-list/2021/v1'],
  purposes: Object.keys(RESOURCE_TYPES),
  defaultLength: 131_072,
  minLength: 131_072,
  statusSizes: [1],
  defaultStatusSize: () => 1,

  resourceTypes: (purpose) => (isPurpose(purpose) ? [RESOURCE_TYPES[purpose]] : REVOCATION_FIRST),
  resourceTypesOfAction: (action) =>
    action === 'suspend' || action === 'reinstate' ? SUSPENSION_FIRST : REVOCATION_FIRST,

  create: createDocument,
  decode: (encodedList, encoding, maxBytes) =>
    decompress(encoding === 'hex' ? decodeHex(encodedList) : decodeAnyBase64(encodedList), maxBytes),
  parse: (content) => parseJsonAs(Document, content, 'it'),
  serialise: (doc) => Buffer.from(JSON.stringify(doc)),
  describe: describeDocument,
  unpack: ({ StatusList2021: list, metadata }, maxBytes, cipher) => {
    const bytes =
      metadata.encoding === 'hex' ? decodeHex(list.encodedList) : decodeAnyBase64(list.encodedList)
    return decompress(neededCipher(metadata, cipher)?.decrypt(bytes) ?? bytes, maxBytes)
  },
  pack: async (doc, bits, cipher, now) => ({
    ...doc,
    StatusList2021: {
      ...notLater(doc.StatusList2021, now),
      encodedList: await encode(bits, doc.metadata.encoding, neededCipher(doc.metadata, cipher)),
    },
  }),
  renewed: (doc, { from, until }) => ({
    ...doc,
    StatusList2021: {
      ...doc.StatusList2021,
      validFrom: from.toISOString(),
      ...(doc.StatusList2021.validUntil !== undefined && { validUntil: until.toISOString() }),
    },
  }),
  withPaymentConditions: (doc, conditions) => ({
    ...doc,
    metadata: { ...doc.metadata, paymentConditions: publishedConditions(conditions) },
  }),

  foreignMediaTypes: CREDENTIAL_MEDIA_TYPES,
  readForeign: foreignCredential,
  ofCredential: listOfCredential,

  nextValue: valueAfterAction,
  report: statusReport,
  entry: (_layout, { url }, index, purpose) => ({
    type: 'StatusList2021Entry',
    ...entryMembers(url, index, purpose),
  }),
  readEntry: readStatusList2021Entry,
  toResource: ({ StatusList2021: list, metadata }) => ({
    StatusList2021: { ...list, type: list.type ?? metadata.type ?? RESOURCE_TYPES[list.statusPurpose] },
    metadata,
  }),
}

async function createDocument(
  parameters: StatusListCreateParameters,
  { resourceType }: StatusListLocation,
  now: Date,
): Promise<StatusList2021Document> {
  const problems = parameterProblems(parameters)
  if (problems.length > 0) throw problemsError('invalid_input', problems)
  const { length, purposes, validUntil, bits = new Uint8Array(length / 8), encryption } = parameters
  const encoding = Encoding.parse(parameters.encoding ?? 'base64url')
  return {
    StatusList2021: {
      statusPurpose: purposes.includes('suspension') ? 'suspension' : 'revocation',
      encodedList: await encode(bits, encoding, encryption?.cipher),
      type: resourceType,
      validFrom: now.toISOString(),
      ...(validUntil !== undefined && { validUntil }),
    },
    metadata: {
      type: resourceType,
      encrypted: encryption !== undefined,
      encoding,
      ...(encryption && {
        encryption: ENCRYPTION,
        paymentConditions: publishedConditions(encryption.paymentConditions),
      }),
    },
  }
}

/**
 * The list in a credential of others, as the specification writes it.
 *
 * @see W3C StatusList2021, section 2.2
 */
function listOfCredential(credential: Record<string, unknown>): StatusList2021Document {
  const { types, subject, times } = membersOfCredential(credential)
  if (!types.includes('StatusList2021Credential') || ![subject.type].flat().includes('StatusList2021')) {
    throw malformedList('its credential is not a StatusList2021Credential with a StatusList2021')
  }
  const { statusPurpose, encodedList } = subject
  const list = {
    StatusList2021: { statusPurpose, encodedList, ...times },
    metadata: { encoding: 'base64url' },
  }
  return checkedAs(Document, list, 'its credential')
}

function parameterProblems(parameters: StatusListCreateParameters): Problem[] {
  const { purposes, encoding, statusMessages, ttl } = parameters
  const problems: Problem[] = []
  if (purposes.length !== 1) {
    problems.push({
      path: 'statusPurpose',
      message: 'must be a single purpose: a StatusList2021 has one list per purpose',
    })
  }
  if (encoding !== undefined && !Encoding.safeParse(encoding).success) {
    problems.push({ path: 'encoding', message: `"${encoding}" is not one of base64url, hex` })
  }
  if (statusMessages !== undefined) {
    problems.push({ path: 'statusMessages', message: 'a StatusList2021 has no messages' })
  }
  if (ttl !== undefined) problems.push({ path: 'ttl', message: 'a StatusList2021 has no ttl' })
  return problems
}

function describeDocument({ StatusList2021: list, metadata }: StatusList2021Document): StatusListLayout {
  return {
    statusSize: 1,
    order: 'msb',
    purposes: [list.statusPurpose],
    encrypted: metadata.encrypted ?? false,
    ...(isSealedHere(metadata) && { paymentConditions: readConditions(metadata.paymentConditions) }),
    ...(list.validFrom !== undefined && { validFrom: list.validFrom }),
    ...(list.validUntil !== undefined && { validUntil: list.validUntil }),
  }
}

async function encode(
  bits: Uint8Array,
  encoding: z.infer<typeof Encoding>,
  cipher: StatusListCipher | undefined,
): Promise<string> {
  const compressed = await compress(bits)
  const bytes = cipher?.encrypt(compressed) ?? compressed
  return encoding === 'hex' ? encodeHex(bytes) : encodeBase64Url(bytes)
}

type Metadata = StatusList2021Document['metadata']

const neededCipher = ({ encrypted, encryption }: Metadata, cipher: StatusListCipher | undefined) =>
  encrypted ? cipherFor(encryption, cipher) : undefined

/** The conditions of other tools' lists have other forms, and open nothing here. */
const isSealedHere = ({ encrypted, encryption }: Metadata): boolean =>
  encrypted === true && encryption === ENCRYPTION

const isPurpose = (purpose: string | undefined): purpose is Purpose =>
  purpose !== undefined && Object.hasOwn(RESOURCE_TYPES, purpose)
