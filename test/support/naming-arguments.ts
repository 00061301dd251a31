/** A JSON Schema, as far as it is looked into. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  enum?: unknown[]
  properties?: Record<string, Schema>
  items?: Schema | Schema[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

export type Schemas = Readonly<Record<string, Schema>>

/** Where an argument stands: names of members; lists have one entry. */
export type ArgumentPath = readonly string[]

/** What the value of an argument may name. */
export type NamedKind =
  | 'did'
  | 'kid'
  | 'alias'
  | 'service'
  | 'list'
  | 'resource'
  | 'version'
  | 'apiKey'
  | 'webhook'
  | 'job'
  | 'credential'
  | 'credentialId'
  | 'account'
  | 'event'
  | 'listUrl'
  | 'listId'
  | 'collection'

const anything: NamedKind[] = ['did', 'kid', 'service', 'resource', 'version', 'apiKey', 'webhook', 'job']
const inDocument: NamedKind[] = ['did', 'kid']

/** Arguments that name something, or make something of a name, by the last word of their path. */
const KINDS: Readonly<Record<string, readonly NamedKind[]>> = {
  id: anything,
  ids: anything,
  did: ['did'],
  dids: ['did'],
  didUrl: ['did'],
  controller: ['did'],
  controllers: ['did'],
  issuer: ['did'],
  issuerDid: ['did'],
  subjectDid: ['did'],
  holder: ['did'],
  holderDid: ['did'],
  verifierDid: ['did'],
  key: ['kid'],
  keyRef: ['kid'],
  secretKeyRef: ['kid'],
  kid: ['kid'],
  controllerKeyId: ['kid'],
  publicKeyHex: ['kid'],
  alias: ['alias', 'did'],
  name: ['alias'],
  service: ['service'],
  statusListName: ['list'],
  series: ['list'],
  resourceName: ['list'],
  resourceId: ['resource'],
  expectedPrevious: ['resource', 'version'],
  versionId: ['version'],
  apiKeyId: ['apiKey'],
  subject: ['did', 'kid', 'apiKey'],
  webhookId: ['webhook'],
  credential: ['credential'],
  credentialId: ['credentialId'],
  list: ['listUrl'],
  signingKey: ['kid'],
  credentials: ['credential'],
  account: ['account'],
  accountId: ['account'],
  // where a page begins: at anything that some listing shows
  after: ['did', 'kid', 'resource', 'list', 'apiKey', 'webhook', 'event'],
  'last-event-id': ['event'],
  events: ['event'],
  publicKeyHexs: ['kid'],
  publicKeyMultibase: ['kid'],
  statusListCredential: ['listUrl'],
  statusListId: ['listId'],
  resourceCollectionId: ['collection'],
  relativeRef: ['service'],
  audience: ['did'],
  verifier: ['did'],
  presentation: ['credential'],
  verifiableCredential: ['credential'],
  jwt: ['credential'],
  receipt: ['credential'],
  token: ['credential'],
  verificationMethod: inDocument,
  authentication: inDocument,
  assertionMethod: inDocument,
  capabilityInvocation: inDocument,
  capabilityDelegation: inDocument,
  keyAgreement: inDocument,
  recipientKeys: inDocument,
  routingKeys: inDocument,
  serviceEndpoint: inDocument,
  alsoKnownAs: ['did'],
  uri: ['did', 'listUrl'],
}

/** Words of arguments that name nothing which an account could have. A new one must be put here, or get its kinds above. */
const NAMES_NOTHING = new Set(
  [
    // what the caller makes, and what is his alone
    'certificateChain idempotency-key privateKeyHex secret symmetricKey encodedList data buffer message description nonce challenge domain url',
    // words of a closed list, or of a format
    'providerId provider kms type types vct @context format proofFormat encoding section method algorithm algorithms accept prefer scopes',
    'listType statusListType resourceType resourceTypes statusPurpose statusAction state status policies credentialCategory',
    'didDocumentOperation publicKeyFormat kty crv alg use',
    // versions, times, amounts, places
    'version resourceVersion statusListVersion resourceVersionTime versionTime time timestamp createdAfter createdBefore since until',
    'publication event',
    // of a job: a name of the caller's own, and words for his own records
    'jobId reason issuedFrom issuedUntil',
    'validFrom validUntil expirationDate issuanceDate expiresAt expiresIn gracePeriod period publishEvery statusListIndex feePaymentAddress feePaymentAmount checksum',
    'idFragment',
    // of the VC API: ids that select nothing, and what is ignored
    'credentialId checks statusReference',
    // of identity providers: people, whom no account has
    'tokenSubject',
    // of ledgers, which everybody may read
    'to memo amount notBefore address',
    // objects that are looked into where something of them is known, and kept as they are
    'options didDocument credentialStatus credentialSchema termsOfUse refreshService evidence meta publicKey proofValue',
    // of keys that nothing here publishes
    'publicKeyBase58 publicKeyBase64 e n x y blockchainAccountId ethereumAddress conditionDelegated relationshipParent',
    'relationshipChild relationshipSibling',
  ].flatMap((words) => words.split(' ')),
)

const DEEPEST = 4

const lastWord = (path: ArgumentPath): string => path.findLast((step) => step !== '0') ?? ''

/** What an argument may name; nothing for those that name nothing. */
export const kindsOf = (path: ArgumentPath): readonly NamedKind[] => KINDS[lastWord(path)] ?? []

/** The texts among the arguments of a schema of which nobody has said yet whether they name something. */
export const unsaidArguments = (schema: Schema | undefined, schemas: Schemas): ArgumentPath[] =>
  visitArguments(
    schema,
    schemas,
    (path, one) =>
      isText(one) && path.length > 0 && !(lastWord(path) in KINDS) && !NAMES_NOTHING.has(lastWord(path)),
  )

/** Whether a caller may send whatever text he likes. */
const isText = ({ type, enum: words, properties, items, anyOf, oneOf, allOf, $ref }: Schema): boolean => {
  if (type !== undefined) return [type].flat().includes('string') && words === undefined
  return [words, properties, items, anyOf, oneOf, allOf, $ref].every((one) => one === undefined)
}

/** The arguments of a schema that name something, however deep they stand. */
export const namingArguments = (schema: Schema | undefined, schemas: Schemas): ArgumentPath[] =>
  visitArguments(schema, schemas, (path, { properties }) => !properties && kindsOf(path).length > 0)

/** The arguments of a schema that are meant, however deep they stand. */
export function visitArguments(
  schema: Schema | undefined,
  schemas: Schemas,
  isMeant: (path: ArgumentPath, schema: Schema) => boolean,
): ArgumentPath[] {
  const found = new Map<string, ArgumentPath>()
  const visit = (one: Schema | undefined, path: ArgumentPath): void => {
    if (!one || path.length > DEEPEST) return
    if (one.$ref !== undefined) return visit(schemas[one.$ref.split('/').at(-1) ?? ''], path)
    for (const other of [one.anyOf, one.oneOf, one.allOf].flat()) visit(other, path)
    for (const [name, member] of Object.entries(one.properties ?? {})) visit(member, [...path, name])
    const [items] = [one.items ?? []].flat()
    if (items) visit(items, [...path, '0'])
    if (isMeant(path, one)) found.set(path.join('.'), path)
  }
  visit(schema, [])
  return [...found.values()]
}

/** The arguments with another value at a place, which is made where there is none. */
export function withArgument(args: unknown, [step, ...further]: ArgumentPath, value: unknown): unknown {
  if (step === undefined) return value
  const isList = step === '0'
  const before = typeof args === 'object' && args !== null ? (args as Record<string, unknown>) : {}
  const member = withArgument(before[step], further, value)
  if (isList) return [member, ...(Array.isArray(args) ? (args as unknown[]).slice(1) : [])]
  return { ...before, [step]: member }
}

/** Arguments that Veramo's own code looks at, and its schemas do not show. */
const OF_CREATIONS: ArgumentPath[] = [
  ['options', 'keyRef'],
  ['options', 'key', 'kid'],
  ['options', 'publicKeyHex'],
  ['options', 'didDocument', 'id'],
  ['options', 'didDocument', 'controller', '0'],
]
export const HIDDEN_ARGUMENTS: Readonly<Record<string, readonly ArgumentPath[]>> = {
  didManagerCreate: OF_CREATIONS,
  didManagerGetOrCreate: OF_CREATIONS,
  didManagerAddKey: [
    ['key', 'kid'],
    ['key', 'publicKeyHex'],
    ['options', 'publicKeyHex'],
  ],
  didManagerUpdate: [
    ['document', 'id'],
    ['document', 'controller', '0'],
    ['document', 'service', '0', 'id'],
    ['options', 'expectedPrevious'],
  ],
  keyManagerImport: [['meta', 'alias']],
  keyManagerCreate: [['meta', 'alias']],
  createVerifiableCredential: [['credential', 'issuer', 'id'], ['keyRef']],
  createVerifiablePresentation: [['presentation', 'holder'], ['keyRef']],
}
