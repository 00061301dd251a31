import * as did from '@cheqd/ts-proto/cheqd/did/v2/index.js'
import * as resource from '@cheqd/ts-proto/cheqd/resource/v2/index.js'
import { cheqdDid, normaliseDid, normaliseMessage, type LedgerMessage, type Network } from '@vidimus/ledger'
import type { GasMeter } from './gas-meter.js'
import { toProto } from './identity-messages.js'
import { oldPartiesOf, signersFor } from './identity/handlers.js'
import { latestDidDoc } from './latest-document.js'
import { lineKey, resourceKey, versionKey, type StateReader } from './state.js'

const COUNT_BYTES = 8
const ID_BYTES = 36
/** `deactivated`, which stands in a version only where it is true */
const FLAG_BYTES = 2

/** The state before a message, and what it became with it. */
interface Change {
  network: Network
  before: StateReader
  after: StateReader
}

/**
 * What an executed message has read and written (`x/did` and `x/resource` of cheqd-node), in its order: a store takes gas
 * for each look and for every byte of keys and values.
 */
export function takeIdentityGas(gas: GasMeter, change: Change, sent: LedgerMessage): void {
  const message = normaliseMessage(sent)
  readNamespace(gas, change.network)
  if (message.type === 'createResource') {
    const { collectionId } = message.payload
    const owner = cheqdDid(change.network, collectionId)
    readLatest(gas, change.before, owner)
    gas.has()
    readForSignatures(gas, change, sent)
    writeResource(gas, change, message.payload)
    return
  }
  const { id, versionId } = message.payload
  if (message.type !== 'updateDidDoc') gas.has()
  if (message.type !== 'createDidDoc') readLatest(gas, change.before, id)
  if (message.type !== 'deactivateDidDoc') {
    for (const other of controllersOf(message.payload)) if (other !== id) find(gas, change.before, other)
  }
  readForSignatures(gas, change, sent)
  const isDeactivation = message.type === 'deactivateDidDoc'
  writeVersion(gas, change, { id, versionId }, isDeactivation ? FLAG_BYTES : 0)
  if (isDeactivation) deactivateVersions(gas, change, { id, versionId })
}

const readNamespace = (gas: GasMeter, network: Network) => gas.read('did-namespace:'.length + network.length)

const controllersOf = (document: {
  controller: readonly string[]
  verificationMethod: readonly { controller: string }[]
}): Set<string> =>
  new Set([...document.controller, ...document.verificationMethod.map(({ controller }) => controller)])

/** Whose keys are looked up: a document that is only being made is at hand, and so is the new version of one. */
function readForSignatures(gas: GasMeter, { network, before }: Change, sent: LedgerMessage): void {
  const message = normaliseMessage(sent)
  const made = message.type === 'createDidDoc' ? message.payload : undefined
  const subject =
    message.type === 'createResource' ? cheqdDid(network, message.payload.collectionId) : message.payload.id
  const signers = sent.signatures.map((info) => normaliseDid(info.verificationMethodId.split('#')[0] ?? ''))
  const doc = made ?? latestDidDoc(before, subject)?.didDoc
  if (!doc) return
  // Of an update one valid signature of each signer is enough.
  const read =
    message.type === 'updateDidDoc'
      ? oldPartiesOf(doc, message.payload).filter((did) => signers.includes(did))
      : signers.filter((did) => signersFor(doc).includes(did))
  for (const signer of read) if (signer !== made?.id) find(gas, before, signer)
}

function find(gas: GasMeter, state: StateReader, id: string): void {
  gas.has()
  if (latestDidDoc(state, id)) readLatest(gas, state, id)
}

const latestBytes = (id: string) => 'did-latest:'.length + id.length + ID_BYTES
const versionKeyBytes = (id: string, versionId: string) =>
  'did-version:'.length + id.length + 1 + versionId.length

function versionBytes(state: StateReader, id: string, versionId: string): number {
  const found = state.get('didDoc', versionKey(id, versionId))
  const value = found ? did.DidDocWithMetadata.encode(toProto(found)).finish().length : 0
  return versionKeyBytes(id, versionId) + value
}

function readLatest(gas: GasMeter, state: StateReader, id: string): void {
  gas.has()
  const latest = latestDidDoc(state, id)
  if (!latest) return
  gas.read(latestBytes(id))
  gas.has()
  gas.read(versionBytes(state, id, latest.metadata.versionId))
}

function writeVersion(
  gas: GasMeter,
  { before, after }: Change,
  { id, versionId }: { id: string; versionId: string },
  notYet: number,
): void {
  gas.has()
  gas.has()
  const previous = latestDidDoc(before, id)
  if (previous) {
    readLatest(gas, before, id)
    gas.write(versionBytes(after, id, previous.metadata.versionId) - notYet)
  }
  gas.has()
  if (!previous) countDid(gas, before)
  gas.write(latestBytes(id))
  gas.has()
  gas.write(versionBytes(after, id, versionId))
}

/** The counter of DIDs is looked for, made with the first one, read, and written. */
function countDid(gas: GasMeter, before: StateReader): void {
  const bytes = 'did-count:'.length + COUNT_BYTES
  gas.has()
  if (before.get('didCount', '') === undefined) gas.write(bytes)
  gas.read(bytes)
  gas.write(bytes)
}

function countResource(gas: GasMeter, before: StateReader): void {
  const key = 'resource-count:'.length
  gas.read(before.get('resourceCount', '') === undefined ? key : key + COUNT_BYTES)
  gas.write(key + COUNT_BYTES)
}

/** Every version is read and written again, the new one with them. */
function deactivateVersions(
  gas: GasMeter,
  { after }: Change,
  { id, versionId }: { id: string; versionId: string },
): void {
  const versions = [...(after.get('didVersions', id) ?? [])].sort()
  const entries = versions.map((version) => versionBytes(after, id, version))
  gas.iterate(entries.map((bytes, n) => (versions[n] === versionId ? bytes : bytes - FLAG_BYTES)))
  for (const bytes of entries) gas.write(bytes)
}

function writeResource(
  gas: GasMeter,
  { before, after }: Change,
  payload: { collectionId: string; id: string; name: string; resourceType: string; data: Uint8Array },
): void {
  const { collectionId, id, name, resourceType, data } = payload
  const line =
    'resource-latest-version:'.length +
    [collectionId, name, resourceType].reduce((sum, part) => sum + Buffer.byteLength(part), 2)
  const previous = before.get('latestResource', lineKey(collectionId, name, resourceType))
  gas.read(line + (previous === undefined ? 0 : ID_BYTES))
  if (previous !== undefined) {
    gas.read(metadataBytes(before, collectionId, previous))
    gas.has()
    gas.write(metadataBytes(after, collectionId, previous))
  }
  gas.has()
  countResource(gas, before)
  gas.write(metadataBytes(after, collectionId, id))
  gas.write(line + ID_BYTES)
  gas.write('resource-data:'.length + collectionId.length + 1 + id.length + data.length)
}

function metadataBytes(state: StateReader, collectionId: string, id: string): number {
  const metadata = state.get('resource', resourceKey(collectionId, id))?.metadata
  const value = metadata ? resource.Metadata.encode(metadata).finish().length : 0
  return 'resource-metadata:'.length + collectionId.length + 1 + id.length + value
}
