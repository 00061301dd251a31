import {
  MsgCreateDidDocResponse,
  MsgDeactivateDidDocResponse,
  MsgUpdateDidDocResponse,
} from '@cheqd/ts-proto/cheqd/did/v2/tx.js'
import { MsgCreateResourceResponse } from '@cheqd/ts-proto/cheqd/resource/v2/tx.js'
import type { DidDocWithMetadata, LedgerMessage, LedgerReceipt } from '@vidimus/ledger'
import { Any } from 'cosmjs-types/google/protobuf/any'
import { outcomeUnknown } from './failures.js'
import type { Outcome } from './outbox-message.js'
import { toDidDoc, toResourceMetadata } from './proto-encoding.js'

type Finished = Extract<Outcome, { txHash: string }>

/**
 * The chain's response to a message; nothing of it is queried again.
 *
 * @throws LedgerError of phase `timeout` if the node omitted the response: the message was executed
 */
export function ledgerReceipt(
  type: LedgerMessage['type'],
  { txHash, height, result }: Finished,
): LedgerReceipt {
  const { value } = Any.decode(result)
  try {
    if (type === 'createResource') {
      const resource = toResourceMetadata(MsgCreateResourceResponse.decode(value).resource)
      return { txHash, height, time: resource.created, resource }
    }
    const didDoc = decodeDidDoc(type, value)
    const { created, updated } = didDoc.metadata
    return { txHash, height, time: updated ?? created, didDoc }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    throw outcomeUnknown('the message was executed, but the node did not report its result', txHash)
  }
}

function decodeDidDoc(
  type: Exclude<LedgerMessage['type'], 'createResource'>,
  value: Uint8Array,
): DidDocWithMetadata {
  switch (type) {
    case 'createDidDoc':
      return toDidDoc(MsgCreateDidDocResponse.decode(value).value)
    case 'updateDidDoc':
      return toDidDoc(MsgUpdateDidDocResponse.decode(value).value)
    case 'deactivateDidDoc':
      return toDidDoc(MsgDeactivateDidDocResponse.decode(value).value)
  }
}
