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
 * @param shrunk - the owner of the previous version if that now takes less room
 * @throws AgentError `quota_exceeded` if it exceeds what the account may have
 */
export async function countStored(
  write: Write,
  { account, quotas }: Writer,
  change: TalliedChange,
  {
    did,
    shrunk,
    onReserve,
  }: { did: string; shrunk?: { account: string; freed: number } | undefined; onReserve: boolean },
): Promise<void> {
  if (!quotas) return
  const home = homeOfDid(did)
  const isOwn = shrunk?.account === account
  if (shrunk && !isOwn && shrunk.account !== '')
    await quotas.count(write, shrunk.account, { ledgerBytes: -shrunk.freed }, { home })
  if (account === '') return
  const ledgerBytes = (change.ledgerBytes ?? 0) - (isOwn ? shrunk.freed : 0)
  await quotas.count(write, account, { ...change, ledgerBytes }, { home, onReserve })
}
