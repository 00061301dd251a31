import { homeOfDid, type AccountQuotas, type TalliedChange } from '@vidimus/database'
import type { ResourceKind } from '@vidimus/ledger'
import type { Write } from './block.js'
import type { ResourceOwner } from './resource-table.js'

/** The writing account, and its limits. */
export interface Writer {
  /** `''`: no account, whose writes are not counted */
  account: string
  /** absent: nothing is limited */
  quotas?: AccountQuotas | undefined
  /** the kind of a new resource */
  resourceKind: ResourceKind
}

/** Versions of a list do not count as lists; every version of another resource counts as a resource. */
export function countsAs(kind: ResourceKind, previousVersionId: string): ResourceOwner['countsAs'] {
  if (kind === 'resource') return 'resources'
  return previousVersionId === '' ? 'statusLists' : ''
}

/**
 * Counts what a message has stored, in its transaction.
 *
 * @param did - that it is about
 * @param shrunk - the owner of earlier versions that now take less room
 * @throws AgentError `invalid_input` if it exceeds what the account may have
 */
export async function countStored(
  write: Write,
  { account, quotas }: Writer,
  change: TalliedChange,
  {
    did,
    shrunk = [],
    onReserve,
  }: { did: string; shrunk?: readonly { account: string; freed: number }[]; onReserve: boolean },
): Promise<void> {
  if (!quotas) return
  const home = homeOfDid(did)
  let own = 0
  for (const { account: owner, freed } of shrunk) {
    if (owner === account) own += freed
    else if (owner !== '') await quotas.count(write, owner, { ledgerBytes: -freed }, { home })
  }
  if (account === '') return
  const ledgerBytes = (change.ledgerBytes ?? 0) - own
  await quotas.count(write, account, { ...change, ledgerBytes }, { home, onReserve })
}
