import {
  QueryAllDidDocVersionsMetadataRequest,
  QueryAllDidDocVersionsMetadataResponse,
  QueryDidDocRequest,
  QueryDidDocResponse,
  QueryDidDocVersionRequest,
  QueryDidDocVersionResponse,
} from '@cheqd/ts-proto/cheqd/did/v2/query.js'
import type { DidDocMetadata, DidDocWithMetadata } from '@vidimus/ledger'
import type { ChainState } from './chain-state.js'
import { inOrderOfLinks } from './order-of-versions.js'
import { toDidDoc, toDidDocMetadata } from './proto-encoding.js'

const SERVICE = '/cheqd.did.v2.Query'

/** The newest version of a document, or the one named; ids as the ledger keeps them. */
export async function findDidDoc(
  state: ChainState,
  did: string,
  versionId?: string,
): Promise<DidDocWithMetadata | undefined> {
  if (versionId === undefined) {
    const answer = await state.query(`${SERVICE}/DidDoc`, [QueryDidDocRequest, QueryDidDocResponse], {
      id: did,
    })
    return answer && toDidDoc(answer.value)
  }
  const answer = await state.query(
    `${SERVICE}/DidDocVersion`,
    [QueryDidDocVersionRequest, QueryDidDocVersionResponse],
    { id: did, version: versionId },
  )
  return answer && toDidDoc(answer.value)
}

/** Metadata of every version, oldest first; the chain orders them by their ids. */
export async function findDidDocVersions(state: ChainState, did: string): Promise<DidDocMetadata[]> {
  const answer = await state.query(
    `${SERVICE}/AllDidDocVersionsMetadata`,
    [QueryAllDidDocVersionsMetadataRequest, QueryAllDidDocVersionsMetadataResponse],
    { id: did, pagination: undefined },
  )
  const versions = (answer?.versions ?? []).map(toDidDocMetadata)
  return inOrderOfLinks(versions, {
    idOf: ({ versionId }) => versionId,
    timeOf: ({ created, updated }) => updated ?? created,
  })
}
