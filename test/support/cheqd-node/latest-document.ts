import type { DidDocWithMetadata } from '@vidimus/ledger'
import { versionKey, type StateReader } from './state.js'

/** The newest version of a document. */
export function latestDidDoc(state: StateReader, did: string): DidDocWithMetadata | undefined {
  const versionId = state.get('didVersions', did)?.at(-1)
  return versionId === undefined ? undefined : state.get('didDoc', versionKey(did, versionId))
}
