import { createHash } from 'node:crypto'
import { sql } from '@vidimus/database'
import {
  authoriseMessage,
  checksumOf,
  demandBounds,
  detectMediaType,
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
import { conflict, openBlock, type Block, type Read, type Write } from './block.js'
import { appendDidDoc, findDidDoc, hasDidDocVersion } from './did-doc-table.js'
import { planSuccession, type Succession } from './resource-content.js'
import { appendResource, findPlace, type NewResource } from './resource-table.js'
import { countsAs, countStored, type Writer } from './storage-shares.js'

/** What a message writes, as the ledger keeps it. */
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
  /** the version that has to be the newest one; `null`: none; `undefined`: any */
  expectedPrevious: string | null | undefined
  writer: Writer
  txHash: string
}

export const prepareMessage = async (
  read: Read,
  network: Network,
  sent: LedgerMessage,
  { expectedPrevious, writer }: Pick<PreparedMessage, 'expectedPrevious' | 'writer'>,
): Promise<PreparedMessage> => ({
  network,
  sent,
  content: await contentOf(read, network, sent),
  expectedPrevious,
  writer,
  txHash: createHash('sha256').update(encodeMessage(sent)).digest('hex').toUpperCase(),
})

async function contentOf(read: Read, network: Network, sent: LedgerMessage): Promise<Content> {
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
 * Applies a message in the running transaction.
 *
 * @throws LedgerError, or AgentError `invalid_input` where the account has as much as it may: they have to undo the
 * transaction
 */
export async function applyMessage(
  write: Write,
  prepared: PreparedMessage,
  now: Date,
): Promise<LedgerReceipt> {
  const { network, sent, content, txHash } = prepared
  const block = await openBlock(write, network, now)
  const outcome =
    content.kind === 'resource'
      ? { resource: await publish(write, block, prepared, content) }
      : { didDoc: await writeDocument(write, block, prepared, content) }
  await write.run(sql`INSERT INTO "ledger_tx" ("network", "hash", "height", "time", "type", "did")
    VALUES (${network}, ${txHash}, ${block.height}, ${block.time.toISOString()}, ${sent.type},
    ${subjectOf(network, sent)})`)
  return { txHash, height: block.height, time: block.time, ...outcome }
}

const authorise = (write: Write, { network, sent }: PreparedMessage, state: Partial<LedgerState> = {}) =>
  authoriseMessage(network, sent, { findDidDoc: (did) => findDidDoc(write, network, did), ...state })

async function publish(
  write: Write,
  block: Block,
  prepared: PreparedMessage,
  { resource, data, succession }: Extract<Content, { kind: 'resource' }>,
): Promise<ResourceMetadata> {
  let previousVersionId = ''
  await authorise(write, prepared, {
    hasResource: async () => {
      const place = await findPlace(write, prepared.network, resource)
      previousVersionId = place.previousVersionId
      return place.idIsTaken
    },
  })
  const { name, resourceType } = resource
  demandBounds(prepared.sent)
  demandExpected(prepared, previousVersionId, `"${name}" (${resourceType})`)
  const { account, resourceKind } = prepared.writer
  const counted = countsAs(resourceKind, previousVersionId)
  const owner = { account, countsAs: counted }
  const appended = await appendResource(write, block, resource, {
    data,
    previousVersionId,
    succession,
    owner,
  })
  const { written, bytes, shrunk } = appended
  const change = { ledgerBytes: bytes, ...(counted !== '' && { [counted]: 1 }) }
  await countStored(write, prepared.writer, change, {
    shrunk,
    onReserve: isChange(prepared.sent.type, resourceKind, previousVersionId === ''),
  })
  return written
}

function demandExpected({ expectedPrevious }: PreparedMessage, newest: string, name: string): void {
  if (expectedPrevious === undefined || newest === (expectedPrevious ?? '').toLowerCase()) return
  throw conflict(`the newest version of ${name} is ${newest || 'none'}, not ${expectedPrevious ?? 'none'}`)
}

async function writeDocument(
  write: Write,
  block: Block,
  prepared: PreparedMessage,
  content: Exclude<Content, { kind: 'resource' }>,
): Promise<DidDocWithMetadata> {
  const { versionId } = content
  const previous = await authorise(write, prepared, {
    hasDidDocVersion: (did, id) => hasDidDocVersion(write, prepared.network, did, id),
  })
  if (previous) demandExpected(prepared, previous.metadata.versionId, previous.didDoc.id)
  const didDoc = content.kind === 'document' ? content.didDoc : previous?.didDoc
  demandBounds(prepared.sent, previous?.didDoc)
  // The rules let no deactivation pass without a document.
  if (!didDoc) throw refusal('cheqd', 1201, subjectOf(prepared.network, prepared.sent))
  const { written, bytes } = await appendDidDoc(write, block, {
    didDoc,
    versionId,
    previous,
    deactivated: content.kind === 'deactivation',
    account: prepared.writer.account,
  })
  const onReserve = isChange(prepared.sent.type, undefined, false)
  await countStored(write, prepared.writer, { ledgerBytes: bytes }, { onReserve })
  return written
}
