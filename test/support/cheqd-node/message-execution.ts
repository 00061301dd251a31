import { MsgSendResponse } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import type { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { isAccountAddress } from '@vidimus/core-types'
import {
  authoriseMessage,
  checksumOf,
  detectMediaType,
  LedgerError,
  normaliseMessage,
  refusal,
  resourceUri,
  validateMessage,
  type DidDocMetadata,
  type DidDocWithMetadata,
  type LedgerDidDoc,
  type LedgerMessage,
  type Network,
  type ResourceMetadata,
  type ResourcePayload,
} from '@vidimus/ledger'
import { credit, debit } from './accounts.js'
import { chainEvent, transferEvents, type ChainEvent } from './events.js'
import type { GasMeter } from './gas-meter.js'
import { IDENTITY_CODECS } from './identity-messages.js'
import { latestDidDoc } from './latest-document.js'
import { Refusal, sdkRefusal } from './refusal.js'
import { lineKey, resourceKey, versionKey, type StateOverlay } from './state.js'
import type { Message } from './transaction.js'

export interface ExecutionContext {
  network: Network
  /** of the block */
  time: Date
}

export interface MessageOutcome {
  response: { typeUrl: string; value: Uint8Array }
  events: ChainEvent[]
}

/**
 * Executes one message of a transaction.
 *
 * @throws Refusal with the code of the module, or `sdk` 5, 7, 10, 11
 */
export async function executeMessage(
  context: ExecutionContext,
  state: StateOverlay,
  message: Message,
  { gas, index }: { gas: GasMeter; index: number },
): Promise<MessageOutcome> {
  gas.consume(gas.schedule.perMessage, 'WriteFlat')
  if (message.kind === 'payment') return transfer(state, message.message, index)
  const { response, stored } = await executeIdentityMessage(context, state, message.typeUrl, message.message)
  gas.consume(gas.schedule.perStoredByte * stored, 'WritePerByte')
  const module = message.typeUrl.startsWith('/cheqd.did') ? 'did' : 'resource'
  const place = { action: message.typeUrl, module, msg_index: String(index) }
  return { response, events: [chainEvent('message', place)] }
}

function transfer(
  state: StateOverlay,
  { fromAddress, toAddress, amount }: MsgSend,
  index: number,
): MessageOutcome {
  if (!isAccountAddress(toAddress)) throw sdkRefusal(7, `decoding bech32 failed: ${toAddress}`)
  const [coin, ...others] = amount
  if (coin?.denom !== 'ncheq' || others.length > 0 || !/^[1-9]\d*$/.test(coin.amount)) {
    throw sdkRefusal(10, amount.map((one) => `${one.amount}${one.denom}`).join(','))
  }
  debit(state, fromAddress, BigInt(coin.amount))
  credit(state, toAddress, BigInt(coin.amount))
  const transferred = { sender: fromAddress, recipient: toAddress, amount: `${coin.amount}ncheq` }
  const action = { action: '/cosmos.bank.v1beta1.MsgSend', sender: fromAddress, module: 'bank' }
  return {
    response: {
      typeUrl: '/cosmos.bank.v1beta1.MsgSendResponse',
      value: MsgSendResponse.encode(MsgSendResponse.fromPartial({})).finish(),
    },
    events: [
      chainEvent('message', { ...action, msg_index: String(index) }),
      ...transferEvents(transferred, index),
    ],
  }
}

async function executeIdentityMessage(
  context: ExecutionContext,
  state: StateOverlay,
  typeUrl: string,
  sent: LedgerMessage,
) {
  const codec = IDENTITY_CODECS[typeUrl]
  if (!codec) throw sdkRefusal(2, `unable to resolve type URL ${typeUrl}`)
  try {
    const outcome =
      sent.type === 'createResource'
        ? { resource: await publish(context, state, sent) }
        : { didDoc: await writeDocument(context, state, sent) }
    const response = { typeUrl: codec.responseTypeUrl, value: codec.encodeResponse(outcome) }
    const data = sent.type === 'createResource' ? sent.payload.data.length : 0
    return { response, stored: response.value.length + data }
  } catch (error) {
    if (error instanceof LedgerError) throw new Refusal(error.codespace, error.code, error.message)
    throw error
  }
}

type ResourceMessage = Extract<LedgerMessage, { type: 'createResource' }>

async function publish(
  { network, time }: ExecutionContext,
  state: StateOverlay,
  sent: ResourceMessage,
): Promise<ResourceMetadata> {
  const { payload } = normaliseMessage(sent)
  const { collectionId, id, name, resourceType, data } = payload
  const did = `did:cheqd:${network}:${collectionId}`
  if (!latestDidDoc(state, did)) throw refusal('sdk', 38, did)
  validateMessage(network, sent)
  const at = resourceKey(collectionId, id)
  if (state.get('resource', at)) throw refusal('resource', 2200, id)
  await authoriseMessage(network, sent, async (signer) => latestDidDoc(state, signer))
  const line = lineKey(collectionId, name, resourceType)
  const previousVersionId = state.get('latestResource', line) ?? ''
  linkPrevious(state, collectionId, previousVersionId, id)
  const metadata = describe(network, payload, { time, previousVersionId })
  state.set('resource', at, { data, metadata })
  state.set('latestResource', line, id)
  state.set('collection', collectionId, [...(state.get('collection', collectionId) ?? []), id])
  return metadata
}

function linkPrevious(
  state: StateOverlay,
  collectionId: string,
  previousId: string,
  nextVersionId: string,
): void {
  const at = resourceKey(collectionId, previousId)
  const previous = state.get('resource', at)
  if (previous) state.set('resource', at, { ...previous, metadata: { ...previous.metadata, nextVersionId } })
}

function describe(
  network: Network,
  payload: ResourcePayload,
  { time, previousVersionId }: { time: Date; previousVersionId: string },
): ResourceMetadata {
  const { collectionId, id, name, version, resourceType, data } = payload
  const itself = { uri: resourceUri(network, collectionId, id), description: 'did-url' }
  return {
    collectionId,
    id,
    name,
    version,
    resourceType,
    alsoKnownAs: [...payload.alsoKnownAs, itself],
    mediaType: detectMediaType(data),
    created: time,
    checksum: checksumOf(data),
    previousVersionId,
    nextVersionId: '',
  }
}

async function writeDocument(
  { network, time }: ExecutionContext,
  state: StateOverlay,
  sent: Exclude<LedgerMessage, ResourceMessage>,
): Promise<DidDocWithMetadata> {
  validateMessage(network, sent)
  const previous = await authoriseMessage(network, sent, async (signer) => latestDidDoc(state, signer))
  const kept = normaliseMessage(sent)
  const { versionId } = kept.payload
  const didDoc = kept.type === 'deactivateDidDoc' ? previous?.didDoc : documentOf(kept.payload)
  if (!didDoc) throw refusal('cheqd', 1201, kept.payload.id)
  const versions = state.get('didVersions', didDoc.id) ?? []
  if (versions.includes(versionId)) {
    throw refusal('cheqd', 1500, `diddoc version already exists for did ${didDoc.id}, version ${versionId}`)
  }
  const metadata: DidDocMetadata = {
    created: previous?.metadata.created ?? time,
    ...(previous ? { updated: time } : {}),
    deactivated: kept.type === 'deactivateDidDoc',
    versionId,
    nextVersionId: '',
    previousVersionId: previous?.metadata.versionId ?? '',
  }
  linkVersions(state, didDoc.id, versions, metadata)
  state.set('didVersions', didDoc.id, [...versions, versionId])
  state.set('didDoc', versionKey(didDoc.id, versionId), { didDoc, metadata })
  return { didDoc, metadata }
}

function documentOf({ versionId: _, ...didDoc }: LedgerDidDoc & { versionId: string }): LedgerDidDoc {
  return didDoc
}

/** The version before gets its link; a deactivation marks all of them. */
function linkVersions(
  state: StateOverlay,
  did: string,
  versions: readonly string[],
  next: DidDocMetadata,
): void {
  for (const versionId of versions) {
    const at = versionKey(did, versionId)
    const version = state.get('didDoc', at)
    if (!version) continue
    const link = versionId === next.previousVersionId ? { nextVersionId: next.versionId } : {}
    const deactivated = version.metadata.deactivated || next.deactivated
    state.set('didDoc', at, { ...version, metadata: { ...version.metadata, ...link, deactivated } })
  }
}
