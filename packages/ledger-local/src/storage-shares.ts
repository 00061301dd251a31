import type { AccountQuotas, TalliedChange } from '@vidimus/database'
import type { ResourceKind } from '@vidimus/ledger'
import type { Write } from './block.js'
import type { ResourceOwner } from './resource-table.js'

/** Who writes, and what that may take. */
export interface Writer {
  /** `''`: no account, whose writes are not counted */
  account: string
  /** left out: nothing is limited */
  quotas?: AccountQuotas | undefined
  /** what a new resource is */
  resourceKind: ResourceKind
}

/** Versions of a list are no lists; those of anything else are resources each. */
export function countsAs(kind: ResourceKind, previousVersionId: string): ResourceOwner['countsAs'] {
  if (kind === 'resource') return 'resources'
  return previousVersionId === '' ? 'statusLists' : ''
}

/**
 * Counts what a message has stored, in its transaction.
 *
 * @param shrunk - whose versions before it take less room now
 * @throws AgentError `invalid_input` where it is more than the account may have
 */
export async function countStored(
  write: Write,
  { account, quotas }: Writer,
  change: TalliedChange,
  { shrunk = [], onReserve }: { shrunk?: readonly { account: string; freed: number }[]; onReserve: boolean },
): Promise<void> {
  if (!quotas) return
  let own = 0
  for (const { account: owner, freed } of shrunk) {
    if (owner === account) own += freed
    else if (owner !== '') await quotas.count(write, owner, { ledgerBytes: -freed })
  }
  if (account === '') return
  const ledgerBytes = (change.ledgerBytes ?? 0) - own
  await quotas.count(write, account, { ...change, ledgerBytes }, onReserve)
}
