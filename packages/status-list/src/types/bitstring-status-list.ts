import {
  asBuffer,
  problemsError,
  type NamedStatusList,
  type Problem,
  type StatusListCreateParameters,
  type StatusListLayout,
  type StatusListType,
} from '@vidimus/core-types'
import { CREDENTIAL_MEDIA_TYPES, foreignCredential } from './foreign-credential.js'
import { valueAfterAction } from './list-actions.js'
import * as older from './older-bitstring-layout.js'
import { entryMembers, readBitstringEntry } from './status-list-entry.js'
import { defaultStatusMessages, statusMessageProblems } from './status-messages.js'
import { statusReport } from './status-report.js'
import * as w3c from './w3c-bitstring-layout.js'

const RESOURCE_TYPE = 'BitstringStatusListCredential'

/** A list in one of the two layouts. */
export type BitstringDocument = w3c.W3cBitstringDocument | older.OlderBitstringDocument

const RARELY_READ = {
  code: 'rarely_read',
  message:
    'few verifiers read a list with several purposes; create one list for each, and request an entry in each of them',
}

/**
 * The list type `BitstringStatusList`, in two layouts:
 *
 * - **New lists** follow the W3C Recommendation. The content of the DID-Linked Resource is the compact JWT itself, a
 *   `BitstringStatusListCredential` (VC 2.0) secured as `vc+jwt` by the publisher, including the bits. So
 *   dereferencing the DID URL of the list returns what the specification requires, which can be verified without
 *   knowing this service; a ledger that checks content takes it for `text/plain`. `encodedList` is multibase (`u`),
 *   gzip; entries most significant bit first. Every version is signed, and a second time with an embedded proof if its
 *   creator wanted that. New lists have 1, 2, 4 or 8 bits, which other implementations read; lists of 3, 5, 6 or 7 bits,
 *   whose entries cross bytes, are read, checked and updated.
 * - **Lists of cheqd's tools**, JSON with a `bitstringStatusListCredential`, are read, checked and updated in place.
 *   They keep their layout: no `u`, two bits unless they say otherwise, the bits inside an entry in the other order,
 *   and a proof that was made without the bits, so that only the ledger protects them.
 *
 * - **Encrypted lists** are new lists whose `encodedList` is `u` and the base64url of the encrypted compressed bits.
 *   The `credentialSubject` states how (`encryption`), and who can have them decrypted (`paymentConditions`); both
 *   are members of this service, which no published JSON-LD context defines. A reader that does not know them finds
 *   no gzip, and fails. Older lists that cheqd's tools encrypted cannot be read.
 *
 * One list may have several purposes. Then, and for the purpose `message`, an entry has two bits unless the publisher
 * says otherwise, and `statusMessages` name the values; without them 1 is revoked and 2 is suspended.
 *
 * @see W3C Bitstring Status List v1.0; W3C Securing Verifiable Credentials using JOSE and COSE
 */
export const BitstringStatusList: StatusListType<BitstringDocument> = {
  type: 'BitstringStatusList',
  entryType: 'BitstringStatusListEntry',
  mediaType: 'application/vc+jwt',
  encryptable: true,
  embedsProofs: true,
  entryContexts: ['https://www.w3.org/ns/credentials/status/v1'],
  purposes: ['revocation', 'suspension', 'refresh', 'message'],
  defaultLength: 131_072,
  minLength: 131_072,
  statusSizes: [1, 2, 4, 8],
  defaultStatusSize: (purposes) => (purposes.length > 1 || purposes.includes('message') ? 2 : 1),

  creationWarnings: (purposes) => (purposes.length > 1 ? [RARELY_READ] : []),

  resourceTypes: () => [RESOURCE_TYPE],
  resourceTypesOfAction: () => [RESOURCE_TYPE],

  create: createDocument,
  decode: (encodedList, _encoding, maxBytes) => w3c.decodeMultibaseList(encodedList, maxBytes),
  parse: parseDocument,
  serialise: (doc, envelope) => Buffer.from(isOlder(doc) ? JSON.stringify(doc) : (envelope ?? '')),
  describe: (doc) => (isOlder(doc) ? older.describeOlderBitstring(doc) : w3c.describeW3cBitstring(doc)),
  unpack: (doc, maxBytes, cipher) =>
    isOlder(doc) ? older.unpackOlderBitstring(doc, maxBytes) : w3c.unpackW3cBitstring(doc, maxBytes, cipher),
  pack: (doc, bits, cipher, now) =>
    isOlder(doc) ? older.packOlderBitstring(doc, bits) : w3c.packW3cBitstring(doc, bits, cipher, now),
  renewed: (doc, validity) => (isOlder(doc) ? doc : w3c.renewedW3cBitstring(doc, validity)),
  withPaymentConditions: (doc, conditions) =>
    isOlder(doc) ? doc : w3c.withW3cPaymentConditions(doc, conditions),
  secure: (doc) => (isOlder(doc) ? undefined : w3c.envelopeOfW3cBitstring(doc)),
  securingOf: (doc) => (isOlder(doc) ? undefined : w3c.securingOfW3cBitstring(doc)),

  foreignMediaTypes: CREDENTIAL_MEDIA_TYPES,
  readForeign: foreignCredential,
  ofCredential: w3c.w3cBitstringOf,

  forms: (doc) => (isOlder(doc) ? [] : w3c.formsOfW3cBitstring(doc)),

  nextValue: valueAfterAction,
  report: statusReport,
  entry: bitstringEntry,
  readEntry: readBitstringEntry,
  toResource: (doc, entries) =>
    isOlder(doc)
      ? { ...doc }
      : {
          bitstringStatusListCredential: doc.claims,
          metadata: bitstringMetadata(doc, entries),
          jwt: doc.jwt,
        },
}

const isOlder = (doc: BitstringDocument): doc is older.OlderBitstringDocument => !('claims' in doc)

async function createDocument(
  parameters: StatusListCreateParameters,
  list: NamedStatusList,
  now: Date,
): Promise<BitstringDocument> {
  const { purposes, encoding, statusSize } = parameters
  const needsMessages = statusSize > 1 || purposes.includes('message')
  const statusMessages =
    parameters.statusMessages ?? (needsMessages ? defaultStatusMessages(statusSize) : undefined)
  const problems: Problem[] = statusMessages ? statusMessageProblems(statusMessages, statusSize) : []
  if (needsMessages && !statusMessages) {
    const message = `is required if an entry has ${statusSize} bits: ${2 ** statusSize} messages`
    problems.push({ path: 'statusMessages', message })
  }
  if (statusSize === 1 && purposes.length > 1) {
    const message = 'must be 2 or more if a list has several purposes'
    problems.push({ path: 'statusSize', message })
  }
  if (encoding !== undefined && encoding !== 'base64url') {
    problems.push({
      path: 'encoding',
      message: `"${encoding}" is not base64url, the only encoding of this type`,
    })
  }
  if (problems.length > 0) throw problemsError('invalid_input', problems)
  const messages = statusMessages && { statusMessages }
  return w3c.createW3cBitstring({ ...parameters, ...messages }, list, now)
}

/** JSON begins with a brace, a JWT with the base64url of one. */
function parseDocument(content: Uint8Array): BitstringDocument {
  const text = asBuffer(content).toString('latin1').trim()
  return text.startsWith('{') ? older.parseOlderBitstring(content) : w3c.parseW3cBitstring(text)
}

function bitstringEntry(
  { statusSize, statusMessages }: StatusListLayout,
  { url: statusListCredential }: NamedStatusList,
  index: number,
  purpose: string,
): Record<string, unknown> {
  const isWide = statusSize > 1
  // Section 2.1: MUST be present even if one bit represents a message.
  const statusMessage = statusMessages ?? defaultStatusMessages(statusSize) ?? []
  return {
    type: 'BitstringStatusListEntry',
    ...entryMembers(statusListCredential, index, purpose),
    statusListCredential,
    ...(isWide && { statusSize }),
    ...((isWide || purpose === 'message') && { statusMessage }),
  }
}

/** @param length - 0 if it is unknown */
const bitstringMetadata = (doc: w3c.W3cBitstringDocument, length: number): Record<string, unknown> => {
  const { statusSize, statusMessages, encrypted } = w3c.describeW3cBitstring(doc)
  const { encryption, paymentConditions } = doc.claims.credentialSubject
  return {
    encrypted,
    ...(doc.embedsProof && { embeddedProof: true }),
    encoding: 'base64url',
    ...(length > 0 && { length }),
    statusSize,
    ...(statusMessages && { statusMessages }),
    ...(encrypted && { encryption, paymentConditions }),
  }
}
