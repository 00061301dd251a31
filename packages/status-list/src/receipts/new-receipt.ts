import {
  AgentError,
  isAgentError,
  signedAgain,
  type StatusListType,
  type StatusReceipt,
} from '@vidimus/core-types'
import { RECEIPT_TYP } from '@vidimus/core-types/schemas'
import type { ListAddresses } from '../addresses/list-addresses.js'
import { demandHeldDid, type WritingContext } from '../agent-context.js'
import { listNamed } from '../versions/list-location.js'
import type { PublishedLists } from '../versions/published-lists.js'
import type { UpdateOutcome } from '../updates/applied-batch.js'
import type { UpdateOperation } from '../updates/plan-update.js'

/** The requested receipts and where the caller asked for them. */
export interface ReceiptSources {
  lists: PublishedLists
  addresses: ListAddresses
  context: WritingContext
  now: () => Date
}

interface Receipt {
  receipt?: string
}

/**
 * @param wanted - by the caller
 * @returns a function that creates the receipt of an update once its version is published; none for an update that is
 *   stored alone. It throws `unavailable` if nothing can sign: the update stands, and repeating it brings the receipt
 * @throws AgentError as `demandHeldDid` does: a signer must exist before anything is changed
 */
export async function demandReceipt(
  wanted: boolean | undefined,
  did: string,
  sources: ReceiptSources,
): Promise<(outcome: UpdateOutcome, operation: UpdateOperation) => Promise<Receipt>> {
  if (wanted !== true) return () => Promise.resolve({})
  await demandHeldDid(did, 'assertionMethod', sources.context)
  return async (outcome, operation) => {
    if (outcome.pace?.published === false) return {}
    try {
      const create = () => newReceipt(did, outcome, operation, sources)
      return { receipt: await signedAgain(did, create, { wasHeld: true }) }
    } catch (error) {
      if (!isAgentError(error)) throw error
      const message = `the update is published, but its receipt could not be signed: ${error.message}; repeat the update for it`
      throw new AgentError('unavailable', message, { cause: error })
    }
  }
}

async function newReceipt(
  did: string,
  { published: { metadata, list }, value }: UpdateOutcome,
  { action, indices }: UpdateOperation,
  { lists, addresses, context, now }: ReceiptSources,
): Promise<string> {
  const { resourceId, resourceVersion, checksum, resourceName, resourceType } = metadata
  const location = { ...listNamed({ did, statusListName: resourceName }), resourceType }
  const { url } = await addresses.ofOwnList(location, list)
  const payload: StatusReceipt = {
    iss: did,
    iat: Math.floor(now().getTime() / 1000),
    list: url,
    indices: [...new Set(indices)].sort((a, b) => a - b),
    action,
    status: value,
    resourceId,
    resourceVersion: resourceVersion ?? '',
    checksum,
  }
  const receipt = await context.agent.didJwtCreate({ did, payload, header: { typ: RECEIPT_TYP } })
  lists.counts.receipts.add(1, 'signed')
  return receipt
}

/** Whether an action leaves an entry with that value unchanged: then the value is what the action sets. */
export function isOutcomeOf(
  type: StatusListType,
  layout: Parameters<StatusListType['nextValue']>[0],
  { action, status }: StatusReceipt,
): boolean {
  try {
    return type.nextValue(layout, action, status) === status
  } catch {
    return false
  }
}
