/** A bound on what callers send and others publish: how much, counted in what, and of what. */
export interface Bound {
  most: number
  unit: string
  of: string
}

const bound = (most: number, unit: string, of: string): Bound => ({ most, unit, of })

/**
 * Every limit that cannot be configured. Schemas, stores, rules and documentation read it, so that it is the same
 * through every interface. Data stored before a limit existed stays: only new data is checked.
 */
export const BOUND_TABLE = {
  // Decoding a DID may take time that grows with the square of its length, as base58 does.
  did: bound(2048, 'characters', 'a DID'),
  didUrl: bound(4096, 'characters', 'a DID with path, query and fragment'),
  // On PostgreSQL an index entry has at most a third of a page, and may contain several such texts.
  indexedText: bound(1024, 'bytes', 'an alias, a label, the id of a service, a DID that an account holds'),
  name: bound(
    255,
    'characters',
    'a name that callers choose: of an account, an API key, a key (`kid`), a provider',
  ),
  url: bound(2048, 'characters', 'the URL of a webhook'),
  text: bound(4096, 'characters', 'any other text of a request'),
  listedTexts: bound(1000, 'entries', 'a list of texts in a request'),
  claim: bound(2048, 'characters', '`audience` and `nonce` of a presentation'),
  word: bound(128, 'characters', 'a word of an open set, and the id of an API key or a webhook'),
  eventId: bound(64, 'characters', 'the id of an event'),
  apiKey: bound(512, 'characters', 'an API key in a request'),
  bearerToken: bound(8192, 'characters', 'a bearer token of an identity provider'),
  hexKey: bound(512, 'characters', 'a public key in hexadecimal'),
  certificates: bound(10, 'entries', 'certificates of a chain (`x5c`)'),
  certificateText: bound(16_384, 'characters', 'a certificate in base64'),
  recipients: bound(16, 'entries', 'recipients of an encrypted message'),
  keyMetaBytes: bound(16_384, 'bytes', 'metadata of a key (`meta`), as JSON'),
  idempotencyKey: bound(255, 'characters', 'an `idempotency-key`'),
  jsonLevels: bound(64, 'levels', 'JSON from other parties: JWTs, lists, DID documents, resources'),

  documentBytes: bound(131_072, 'bytes', 'a DID document, as JSON'),
  documentEntries: bound(
    100,
    'entries',
    'a list in a DID document: verification methods, references of one relationship, controllers, services, contexts, alsoKnownAs',
  ),
  serviceId: bound(
    512,
    'bytes',
    'the id of a service of a new DID in a request; with the DID in front it must fit as well',
  ),
  serviceTypeBytes: bound(255, 'bytes', 'the type of a service'),
  servicePriority: bound(0xffff_ffff, '', 'the priority of a service'),

  resourceBytes: bound(2_097_152, 'bytes', 'the content of a DID-Linked Resource'),
  resourceNameBytes: bound(64, 'bytes', 'name, type and version of a resource'),
  resourceTypes: bound(20, 'entries', 'types of resources of one name that are asked for together'),
  alternatives: bound(100, 'entries', '`alsoKnownAs` of a resource'),
  alternativesBytes: bound(16_384, 'bytes', 'all of `alsoKnownAs` of a resource'),
  alternativeUriBytes: bound(256, 'bytes', 'a URI in `alsoKnownAs` of a resource'),
  alternativeDescriptionBytes: bound(128, 'bytes', 'a description in `alsoKnownAs` of a resource'),

  listLength: bound(2 ** 40, 'entries', 'a status list, where the configuration allows so many'),
  publishEveryDays: bound(31, 'days', 'the pace of a status list (`publishEvery`)'),
  indices: bound(1_000_000, 'entries', 'indices of one call, where the configuration allows so many'),
  seriesNameBytes: bound(54, 'bytes', 'the name of a series of status lists'),
  statusEntries: bound(16, 'entries', '`credentialStatus` of a credential; each asks for a list'),
  credentialId: bound(2048, 'characters', 'the id of a credential'),
  jobId: bound(64, 'characters', 'the id of a job'),
  registeredCredentials: bound(10_000, 'entries', 'credentials that are registered by one call'),
  statusMessages: bound(256, 'entries', '`statusMessage` of a list'),
  paymentConditions: bound(10, 'entries', 'conditions of payment of a list'),
  paymentWindowMinutes: bound(5_256_000, 'minutes', 'the window of a payment'),
  memoBytes: bound(256, 'bytes', 'the memo of a payment'),
  jsonLdValues: bound(10_000, 'values', 'a credential or presentation with a Data Integrity proof'),
  // What canonicalization costs depends on how its blank nodes are linked, not on the size of the document.
  jsonLdBlankNodes: bound(2500, 'blank nodes', 'a document with a Data Integrity proof'),
  jsonLdFirstDegreeHashes: bound(10_000, 'hashes', 'blank nodes of such a document and its proofs'),
  jsonLdNDegreeCalls: bound(5000, 'calls', 'the n-degree algorithm for such a document'),
  jsonLdComparisons: bound(50_000, 'comparisons', 'blank nodes that are related in such a document'),
  disclosures: bound(1000, 'entries', 'disclosures of an SD-JWT'),
  credentials: bound(1000, 'entries', 'credentials of one call, where the configuration allows so many'),

  scopes: bound(64, 'entries', 'scopes of an API key'),
  eventTypes: bound(64, 'entries', 'types of events of a webhook'),
  replayedEvents: bound(1000, 'entries', 'events that are sent to a webhook again in one call'),
  importedKeys: bound(100, 'entries', 'keys that a DID is imported with'),
  documentOperations: bound(100, 'entries', 'operations of one update by the registrar'),
  overlapSeconds: bound(2_592_000, 'seconds', 'how long a rotated API key keeps working'),
} as const satisfies Record<string, Bound>

export type BoundName = keyof typeof BOUND_TABLE

/** The numbers of {@link BOUND_TABLE}. */
export const BOUNDS = Object.fromEntries(
  Object.entries(BOUND_TABLE).map(([name, { most }]) => [name, most]),
) as Readonly<Record<BoundName, number>>

/** The limits of all listings. */
export const PAGES = {
  /** entries of a page: the default, and the maximum */
  usual: 100,
  most: 1000,
  /** the last entry that `page` reaches; beyond that use `after` */
  deepestRow: 10_000,
  /** to which number is counted what fits a filter, and as many rows are looked at for a page */
  counted: 10_000,
  /** rows of a listing that is exported as a file */
  exported: 100_000,
  /** of the entries of a response, as JSON */
  bytes: 1_000_000,
} as const
