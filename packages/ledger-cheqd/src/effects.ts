import { MsgCreateDidDoc, MsgDeactivateDidDoc, MsgUpdateDidDoc } from '@cheqd/ts-proto/cheqd/did/v2/tx.js'
import { MsgCreateResource } from '@cheqd/ts-proto/cheqd/resource/v2/tx.js'
import { QueryDidDocVersionRequest, QueryDidDocVersionResponse } from '@cheqd/ts-proto/cheqd/did/v2/query.js'
import {
  QueryResourceMetadataRequest,
  QueryResourceMetadataResponse,
} from '@cheqd/ts-proto/cheqd/resource/v2/query.js'
import { normaliseDid, normaliseUniqueId } from '@vidimus/ledger'
import { Any } from 'cosmjs-types/google/protobuf/any'
import type { ChainState } from './chain-state.js'
import type { OutboxMessage } from './outbox-message.js'

/**
 * What a message has left on the chain already: every version has an id of its own. Payments leave no such trace.
 *
 * @returns the chain's response, encoded; `undefined` if it was not executed
 */
export async function findEffect(
  state: ChainState,
  { kind, message }: Pick<OutboxMessage, 'kind' | 'message'>,
): Promise<Uint8Array | undefined> {
  const { value } = Any.decode(message)
  switch (kind) {
    case 'createDidDoc':
      return findVersion(state, kind, MsgCreateDidDoc.decode(value).payload)
    case 'updateDidDoc':
      return findVersion(state, kind, MsgUpdateDidDoc.decode(value).payload)
    case 'deactivateDidDoc':
      return findVersion(state, kind, MsgDeactivateDidDoc.decode(value).payload)
    case 'createResource':
      return findResource(state, MsgCreateResource.decode(value).payload)
    case 'payment':
      return undefined
  }
}

/** The id of the version that a message makes. */
export function madeVersion({ kind, message }: Pick<OutboxMessage, 'kind' | 'message'>): string | undefined {
  const { value } = Any.decode(message)
  switch (kind) {
    case 'createDidDoc':
      return MsgCreateDidDoc.decode(value).payload?.versionId
    case 'updateDidDoc':
      return MsgUpdateDidDoc.decode(value).payload?.versionId
    case 'deactivateDidDoc':
      return MsgDeactivateDidDoc.decode(value).payload?.versionId
    case 'createResource':
      return MsgCreateResource.decode(value).payload?.id
    case 'payment':
      return undefined
  }
}

const RESPONSES = {
  createDidDoc: '/cheqd.did.v2.MsgCreateDidDocResponse',
  updateDidDoc: '/cheqd.did.v2.MsgUpdateDidDocResponse',
  deactivateDidDoc: '/cheqd.did.v2.MsgDeactivateDidDocResponse',
  createResource: '/cheqd.resource.v2.MsgCreateResourceResponse',
} as const

const response = (kind: keyof typeof RESPONSES, value: Uint8Array): Uint8Array =>
  Any.encode({ typeUrl: RESPONSES[kind], value }).finish()

/** The responses of messages and of queries have the same fields. */
async function findVersion(
  state: ChainState,
  kind: 'createDidDoc' | 'updateDidDoc' | 'deactivateDidDoc',
  payload: { id: string; versionId: string } | undefined,
): Promise<Uint8Array | undefined> {
  if (!payload) return undefined
  const answer = await state.query(
    '/cheqd.did.v2.Query/DidDocVersion',
    [QueryDidDocVersionRequest, QueryDidDocVersionResponse],
    { id: normaliseDid(payload.id), version: payload.versionId.toLowerCase() },
  )
  return answer && response(kind, QueryDidDocVersionResponse.encode(answer).finish())
}

async function findResource(
  state: ChainState,
  payload: { collectionId: string; id: string } | undefined,
): Promise<Uint8Array | undefined> {
  if (!payload) return undefined
  const answer = await state.query(
    '/cheqd.resource.v2.Query/ResourceMetadata',
    [QueryResourceMetadataRequest, QueryResourceMetadataResponse],
    { collectionId: normaliseUniqueId(payload.collectionId), id: payload.id.toLowerCase() },
  )
  return answer && response('createResource', QueryResourceMetadataResponse.encode(answer).finish())
}
