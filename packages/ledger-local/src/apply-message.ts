import { createHash } from 'node:crypto'
import type { Dialect, Sql } from '@vidimus/database'
import {
  authoriseMessage,
  checksumOf,
  demandBounds,
  detectMediaType,
  documentChanged,
  encodeMessage,
  isChange,
  keptMessage,
  refusal,
  resourceUri,
  subjectOf,
  type DidDocWithMetadata,
  type LedgerDidDoc,
  type LedgerMessage,
  type LedgerReceipt,
  type LedgerState,
  type Network,
  type ResourceMetadata,
  type ResourcePayload,
} from '@vidimus/ledger'
import {
  blockAfter,
  conflict,
  noteSent,
  readingIn,
  type Block,
  type Place,
  type Read,
  type Write,
} from './block.js'
import { appendDidDoc, findNewestAndPlace, hasDidDocVersion, lockDids, markBlock } from './did-doc-table.js'
import { planSuccession, type Succession } from './resource-content.js'
import {
  appendResource,
  placeColumns,
  toPlace,
  type NewResource,
  type ResourcePlace,
} from './resource-table.js'
import { countsAs, countStored, type Writer } from './storage-shares.js'

/** The rows of a message, as the ledger keeps it. */
type Content =
  | { kind: 'document'; didDoc: LedgerDidDoc; versionId: string }
  | { kind: 'deactivation'; versionId: string }
  | { kind: 'resource'; resource: NewResource; data: Uint8Array; succession: Succession }

/** A valid message with all that can be worked out before its transaction, so that this one is short. */
export interface PreparedMessage {
  network: Network
  /** its signatures cover it as it was sent */
  sent: LedgerMessage
  content: Content
  /** the version that must be the newest one; `null`: none; `undefined`: any */
  expectedPrevious: string | null | undefined
  /** that the document of the subject must have; `undefined`: any */
  documentVersion: string | undefined
  writer: Writer
  txHash: string
  dialect: Dialect
}

export const prepareMessage = async (
  database: Read & Pick<PreparedMessage, 'dialect'>,
  network: Network,
  sent: LedgerMessage,
  asked: Pick<PreparedMessage, 'expectedPrevious' | 'documentVersion' | 'writer'>,
): Promise<PreparedMessage> => ({
  network,
  sent,
  dialect: database.dialect,
  content: await prepareContent(database, network, sent),
  ...asked,
  txHash: createHash('sha256').update(encodeMessage(sent)).digest('hex').toUpperCase(),
})

async function prepareContent(read: Read, network: Network, sent: LedgerMessage): Promise<Content> {
  const kept = keptMessage(sent)
  switch (kept.type) {
    case 'createDidDoc':
    case 'updateDidDoc': {
      const { versionId, ...didDoc } = kept.payload
      return { kind: 'document', didDoc, versionId }
    }
    case 'deactivateDidDoc':
      return { kind: 'deactivation', versionId: kept.payload.versionId }
    case 'createResource': {
      const { data } = kept.payload
      const resource = describeResource(network, kept.payload)
      const succession = await planSuccession(read, network, resource, data)
      return { kind: 'resource', resource, data, succession }
    }
  }
}

function describeResource(network: Network, payload: ResourcePayload): NewResource {
  const { data, collectionId, id, name, version, resourceType, alsoKnownAs } = payload
  const itself = { uri: resourceUri(network, collectionId, id), description: 'did-url' }
  return {
    collectionId,
    id,
    name,
    version,
    resourceType,
    alsoKnownAs: [...alsoKnownAs, itself],
    mediaType: detectMediaType(data),
    checksum: checksumOf(data),
  }
}

/**
 * Applies a message in the running transaction. All reading comes first: the writes are sent in one go.
 *
 * @throws LedgerError, or AgentError `invalid_input` if the account has reached its limits: they must undo the
 *   transaction
 */
export async function applyMessage(
  write: Write,
  prepared: PreparedMessage,
  now: Date,
): Promise<LedgerReceipt> {
  const { content, txHash } = prepared
  const known = { read: readingIn(write), now }
  const { block, ...outcome } = await (content.kind === 'resource'
    ? publish(write, prepared, content, known)
    : writeDocument(write, prepared, content, known))
  noteSent(write)
  return { txHash, height: block.height, time: block.time, ...outcome }
}

/** What is read in the transaction, and the clock. */
interface Known {
  read: Read
  now: Date
}

/** What else is read with the document that a message is about: it is a trip less. */
interface Beside {
  columns: Sql
  found: (row: object) => void
}

/** @returns the newest version of the document that the message is about, and the block that comes next for its DID */
async function authorise(
  { network, sent, dialect, documentVersion }: PreparedMessage,
  { read, now }: Known,
  state: Omit<LedgerState, 'findDidDoc'>,
  beside?: Beside,
): Promise<{ previous: DidDocWithMetadata | undefined; block: Block }> {
  const subject = subjectOf(network, sent)
  const places = new Map<string, Place>()
  let current: LedgerDidDoc | undefined
  let isLocked = dialect !== 'postgres'
  const findDidDoc = async (did: string) => {
    // SQLite has one writer, and the row of the subject alone is locked by its change.
    if (did !== subject && !isLocked) {
      isLocked = true
      await lockDids(read, network, subject, involvedDids(sent, current))
    }
    const newest = await findNewestAndPlace(read, network, did, did === subject ? beside?.columns : undefined)
    if (newest) places.set(did, newest.place)
    if (newest && did === subject) {
      const { versionId } = newest.found.metadata
      if (documentVersion !== undefined && versionId !== documentVersion) throw documentChanged(did)
      current = newest.found.didDoc
      beside?.found(newest.row)
    }
    return newest?.found
  }
  const previous = await authoriseMessage(network, sent, { findDidDoc, ...state })
  return { previous, block: blockAfter(network, places.get(subject), now) }
}

/** The DIDs on whose documents it depends whether a message is accepted, its own among them. */
function involvedDids(sent: LedgerMessage, current: LedgerDidDoc | undefined): string[] {
  const { type, payload } = keptMessage(sent)
  const next = type === 'createDidDoc' || type === 'updateDidDoc' ? [payload] : []
  const documents = [...(current ? [current] : []), ...next]
  const dids = documents.flatMap(({ id, controller, verificationMethod }) => [
    id,
    ...controller,
    ...verificationMethod.map((method) => method.controller),
  ])
  return [...new Set(dids)]
}

async function publish(
  write: Write,
  prepared: PreparedMessage,
  { resource, data, succession }: Extract<Content, { kind: 'resource' }>,
  known: Known,
): Promise<{ block: Block; resource: ResourceMetadata }> {
  const { network, sent, writer } = prepared
  let place: ResourcePlace = { idIsTaken: false, previousVersionId: '', isWhole: false }
  const state = { hasResource: () => Promise.resolve(place.idIsTaken) }
  const { block } = await authorise(prepared, known, state, {
    columns: placeColumns(network, resource, succession),
    found: (row) => (place = toPlace(row)),
  })
  const { previousVersionId } = place
  const { name, resourceType } = resource
  demandBounds(prepared.sent)
  demandExpected(prepared, previousVersionId, `"${name}" (${resourceType})`)
  const counted = countsAs(writer.resourceKind, previousVersionId)
  const owner = { account: writer.account, countsAs: counted }
  const { written, bytes, shrunk } = appendResource(write, block, resource, {
    data,
    place,
    succession,
    owner,
  })
  markBlock(write, block, subjectOf(network, sent))
  const change = { ledgerBytes: bytes, ...(counted !== '' && { [counted]: 1 }) }
  await countStored(write, writer, change, {
    did: subjectOf(network, sent),
    shrunk,
    onReserve: isChange(sent.type, writer.resourceKind, previousVersionId === ''),
  })
  return { block, resource: written }
}

function demandExpected({ expectedPrevious }: PreparedMessage, newest: string, name: string): void {
  if (expectedPrevious === undefined || newest === (expectedPrevious ?? '').toLowerCase()) return
  throw conflict(`the newest version of ${name} is ${newest || 'none'}, not ${expectedPrevious ?? 'none'}`)
}

async function writeDocument(
  write: Write,
  prepared: PreparedMessage,
  content: Exclude<Content, { kind: 'resource' }>,
  known: Known,
): Promise<{ block: Block; didDoc: DidDocWithMetadata }> {
  const { network, sent, writer } = prepared
  const { versionId } = content
  const { previous, block } = await authorise(prepared, known, {
    hasDidDocVersion: (did, id) => hasDidDocVersion(known.read, network, did, id),
  })
  if (previous) demandExpected(prepared, previous.metadata.versionId, previous.didDoc.id)
  const didDoc = content.kind === 'document' ? content.didDoc : previous?.didDoc
  demandBounds(prepared.sent, previous?.didDoc)
  // The rules let no deactivation pass without a document.
  if (!didDoc) throw refusal('cheqd', 1201, subjectOf(network, sent))
  const { written, bytes } = appendDidDoc(write, block, {
    didDoc,
    versionId,
    previous,
    deactivated: content.kind === 'deactivation',
    account: writer.account,
  })
  const onReserve = isChange(sent.type, undefined, false)
  await countStored(write, writer, { ledgerBytes: bytes }, { did: didDoc.id, onReserve })
  return { block, didDoc: written }
}
