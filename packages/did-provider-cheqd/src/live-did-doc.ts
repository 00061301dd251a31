import { AgentError } from '@vidimus/core-types'
import type { DidDocWithMetadata } from '@vidimus/ledger'
import { didNotFound } from './held-keys.js'
import { askLedger, type LocatedDid } from './ledgers-by-network.js'

/**
 * The newest document of a DID that can still be changed.
 *
 * @throws AgentError `did_not_found` if the ledger does not have it, `did_deactivated`
 */
export async function readLiveDidDoc({ did, ledger }: LocatedDid): Promise<DidDocWithMetadata> {
  const document = await askLedger(ledger.getDidDoc(did))
  if (!document) throw didNotFound()
  if (document.metadata.deactivated) {
    const message = 'is deactivated, which is final'
    throw new AgentError('did_deactivated', `did: ${message}`, { details: [{ path: 'did', message }] })
  }
  return document
}
