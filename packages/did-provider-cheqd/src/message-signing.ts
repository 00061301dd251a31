import {
  AgentError,
  announced,
  findDidRow,
  type FoundChange,
  isAgentError,
  type LedgerChange,
  problemsError,
  recordLedgerChange,
  requireNetwork,
  signerLeft,
  type ToldChange,
  type TransactionStep,
  type WithVersion,
} from '@vidimus/core-types'
import {
  isDocumentChanged,
  LedgerError,
  requiredSigners,
  signBytes,
  stricterProblems,
  subjectOf,
  toLinkedResourceMetadata,
  type Ledger,
  type LedgerDidDoc,
  type LedgerMessage,
  type LedgerReceipt,
  type ResourceSummary,
  type SignInfo,
  type SubmitOptions,
  type UnsignedLedgerMessage,
} from '@vidimus/ledger'
import type { IKey } from '@veramo/core-types'
import { heldMethods, type HeldMethod, type SigningContext } from './held-keys.js'
import { asAgentError, askLedger } from './ledgers-by-network.js'

/** A message and what must be known to sign it. */
export interface SigningRequest {
  message: UnsignedLedgerMessage
  /** the newest document of the DID; for a creation there is none */
  current?: LedgerDidDoc
  /** the account's keys of the DID that the message is about */
  keys: readonly IKey[]
}

/**
 * Signs a message for every required DID, with the keys of the account in scope.
 *
 * Keys are found by their public halves in the documents of the signers. Each signer signs once; for an update the
 * DID itself signs for its old and for its new version, with one key if that is in both.
 *
 * Nothing is written to a ledger without this, so it is also where an API key needs the right for the network.
 *
 * @throws AgentError `key_not_found` naming the DID for which the account cannot sign, `forbidden`, `ledger_rule` for
 *   what the ledger would accept but nobody should sign
 */
export async function signMessage(
  request: SigningRequest,
  ledger: Ledger,
  context: SigningContext,
): Promise<LedgerMessage> {
  requireNetwork(ledger.network)
  const { message, current } = request
  const problems = stricterProblems(message, current)
  if (problems.length > 0) throw problemsError('ledger_rule', problems)
  const methods: HeldMethod[] = []
  for (const signer of requiredSigners(message, current)) {
    methods.push(...(await methodsOfSigner(signer, request, ledger, context)))
  }
  const data = Buffer.from(signBytes(message)).toString('base64')
  const signatures = await Promise.all(methods.map((method) => signInfo(method, data, context)))
  return { ...message, signatures }
}

/** A signed message, and its ledger. */
interface SignedMessage {
  message: LedgerMessage
  change: LedgerChange
  ledger: Ledger
  options: Omit<SubmitOptions, 'signal'>
  records: readonly WithVersion[]
}

/** Of a message, and what follows it. */
export interface SigningOptions extends Omit<SubmitOptions, 'signal'> {
  told?: ToldChange | undefined
  actions?: readonly string[] | undefined
  records?: readonly WithVersion[] | undefined
}

/**
 * Signs as {@link signMessage} does and submits: in one transaction with the effects of the change if possible,
 * otherwise recorded beforehand, if the agent records changes.
 *
 * @param options - `told`: the account's event; `actions`: for the audit trail; `records`: recorded with the version
 * @throws AgentError, including the ledger's refusals
 */
export async function submitSigned(
  request: SigningRequest,
  ledger: Ledger,
  context: SigningContext,
  { told, actions, records = [], ...options }: SigningOptions = {},
): Promise<LedgerReceipt> {
  const message = await signMessage(request, ledger, context)
  const change = { ...ledgerChange(message, ledger, request.keys), ...(actions && { actions }) }
  const signed = { message, change, ledger, options, records }
  try {
    const together = await submitTogether(signed, context, told)
    if (together) return together
    const submit = () => submitNoted(signed, context)
    return await (told ? announced(told.events, told.event, submit) : submit())
  } catch (error) {
    // A new document may lack signatures by itself.
    const hasChanged = isAgentError(error) && isDocumentChanged(error.cause)
    if (!hasChanged && (!isRefusedSignature(error) || message.type === 'updateDidDoc')) throw error
    throw signerLeft(change.did, error)
  }
}

/** Signatures are made by keys in the documents of their signers, so these have changed since. */
export const isRefusedSignature = (error: unknown): boolean =>
  isAgentError(error) &&
  error.cause instanceof LedgerError &&
  error.cause.codespace === 'cheqd' &&
  SIGNATURE_REFUSALS.has(error.cause.code)

/** Wrong, missing, and by a verification method that the document does not have. */
const SIGNATURE_REFUSALS: ReadonlySet<number> = new Set([1100, 1101, 1202])

/**
 * The ledger, the audit trail, the events and what is recorded with the version in one transaction of their common database. A document also has rows of
 * the account, which its provider has not returned yet.
 *
 * @returns `undefined` if they have none in common
 */
async function submitTogether(
  { message, change, ledger, options, records }: SignedMessage,
  { agent }: SigningContext,
  told: ToldChange | undefined,
): Promise<LedgerReceipt | undefined> {
  const { participation } = ledger
  if (!participation || change.kind === 'document') return undefined
  const { database } = participation
  const isShared = !told || told.events.within?.database === database
  if (!isShared || !agent.availableMethods().includes('ledgerChangeTogether')) return undefined
  let receipt: LedgerReceipt | undefined
  const step = await askLedger(participation.prepare(message, options))
  const write: TransactionStep<FoundChange> = async (transaction) => {
    receipt = await step(transaction)
    if (told) told.events.within?.tell(transaction, told.event)
    for (const record of records) if (record.database === database) await record.made(transaction, change)
    return foundIn(ledger, receipt.resource)
  }
  const spans = records.length > 0 ? { spans: "what the version completes is its account's" } : {}
  const args = { change, part: { database, write, refused: asAgentError, ...spans } }
  const { joined } = await askLedger(
    agent.execute<typeof args, { joined: boolean }>('ledgerChangeTogether', args),
  )
  return joined ? receipt : undefined
}

async function submitNoted(
  { message, change, ledger, options, records }: SignedMessage,
  context: SigningContext,
): Promise<LedgerReceipt> {
  const recorded = await recordLedgerChange(context, change, records)
  const { handOver } = recorded
  const submitted = ledger.submit(message, { ...options, ...(handOver && { handOver }) })
  const receipt = await askLedger(submitted).catch(async (error: unknown) => {
    await recorded.failed(error, () => findChange(message, change, ledger))
    throw error
  })
  await recorded.happened(foundIn(ledger, receipt.resource))
  return receipt
}

function ledgerChange(message: LedgerMessage, ledger: Ledger, keys: readonly IKey[]): LedgerChange {
  const did = subjectOf(ledger.network, message)
  if (message.type === 'createResource') return { kind: 'resource', did, versionId: message.payload.id }
  const { versionId } = message.payload
  if (message.type === 'deactivateDidDoc') return { kind: 'deactivation', did, versionId }
  return { kind: 'document', did, versionId, kids: keys.map(({ kid }) => kid) }
}

async function findChange(
  message: LedgerMessage,
  { did, versionId }: LedgerChange,
  ledger: Ledger,
): Promise<FoundChange | undefined> {
  if (message.type !== 'createResource') return (await ledger.getDidDoc(did, versionId)) && {}
  const metadata = await ledger.getResourceMetadata(message.payload.collectionId, versionId)
  return metadata && foundIn(ledger, metadata)
}

const foundIn = ({ network }: Ledger, metadata: ResourceSummary | undefined): FoundChange =>
  metadata ? { resource: toLinkedResourceMetadata(network, metadata) } : {}

async function methodsOfSigner(
  signer: string,
  { message, current, keys }: SigningRequest,
  ledger: Ledger,
  context: SigningContext,
): Promise<HeldMethod[]> {
  const documents = documentsOfSubject(message, current)
  const methods = documents.some(({ id }) => id === signer)
    ? methodsForVersions(documents, keys)
    : await methodsOfController(signer, ledger, context)
  if (methods.length === 0) {
    throw new AgentError(
      'key_not_found',
      `${signer} must sign this, but the account holds none of the keys in its DID document`,
    )
  }
  return methods
}

/** The versions of the document whose keys count as those of the message's DID. */
function documentsOfSubject(
  message: UnsignedLedgerMessage,
  current: LedgerDidDoc | undefined,
): readonly LedgerDidDoc[] {
  const before = current ? [current] : []
  return message.type === 'createDidDoc' || message.type === 'updateDidDoc'
    ? [...before, message.payload]
    : before
}

/** A method that signs for all versions, or else one for each version that has one. */
function methodsForVersions(versions: readonly LedgerDidDoc[], keys: readonly IKey[]): HeldMethod[] {
  const [first = [], ...others] = versions.map((doc) => heldMethods(doc, keys))
  const inAll = first.find((held) => others.every((methods) => methods.some((other) => isSame(held, other))))
  return inAll ? [inAll] : [first, ...others].flatMap((methods) => methods.slice(0, 1))
}

const isSame = (left: HeldMethod, right: HeldMethod): boolean =>
  left.method.id === right.method.id && left.key.kid === right.key.kid

async function methodsOfController(
  did: string,
  ledger: Ledger,
  context: SigningContext,
): Promise<HeldMethod[]> {
  const identifier = await findDidRow(context, did)
  const document = identifier && (await askLedger(ledger.getDidDoc(did)))
  return document ? heldMethods(document.didDoc, identifier.keys).slice(0, 1) : []
}

async function signInfo(
  { method, key }: HeldMethod,
  data: string,
  context: SigningContext,
): Promise<SignInfo> {
  const isEcdsa = key.type === 'Secp256r1'
  const algorithm = isEcdsa ? 'ES256' : 'EdDSA'
  const text = await context.agent.keyManagerSign({ keyRef: key.kid, data, encoding: 'base64', algorithm })
  const signature = new Uint8Array(Buffer.from(text, 'base64url'))
  return { verificationMethodId: method.id, signature: isEcdsa ? derSignature(signature) : signature }
}

const P256_COORDINATE_BYTES = 32
const SEQUENCE = 0x30
const INTEGER = 0x02

/**
 * Converts an ECDSA signature on P-256 from the form of JOSE (RFC 7518 3.4: r and s, 32 bytes each, big-endian) into
 * the ASN.1 DER form (RFC 3279 2.2.3) that the ledger verifies.
 *
 * @throws RangeError if the signature does not have 64 bytes
 */
export function derSignature(signature: Uint8Array): Uint8Array {
  if (signature.length !== 2 * P256_COORDINATE_BYTES) {
    throw new RangeError(`an ES256 signature has 64 bytes, this one has ${signature.length}`)
  }
  const r = derInteger(signature.subarray(0, P256_COORDINATE_BYTES))
  const s = derInteger(signature.subarray(P256_COORDINATE_BYTES))
  return Uint8Array.of(SEQUENCE, r.length + s.length, ...r, ...s)
}

function derInteger(bytes: Uint8Array): Uint8Array {
  const start = bytes.findIndex((byte) => byte !== 0)
  const digits = start === -1 ? Uint8Array.of(0) : bytes.subarray(start)
  // DER integers are signed: a leading one bit would make a negative number.
  const sign = (digits[0] ?? 0) >= 0x80 ? [0] : []
  return Uint8Array.of(INTEGER, sign.length + digits.length, ...sign, ...digits)
}
