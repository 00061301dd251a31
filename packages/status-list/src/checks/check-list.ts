import {
  problemsError,
  type Problem,
  type StatusListCheckArgs,
  type StatusListCheckResult,
  type StatusListLayout,
  type StatusListLocation,
  type StatusListType,
} from '@vidimus/core-types'
import type { ListAddresses } from '../addresses/list-addresses.js'
import type { UnlockingContext } from '../agent-context.js'
import { getEntry } from '../encoding/entries.js'
import { FeeAllowance } from '../fees/fee-allowance.js'
import { outsideProblems } from '../indices/index-range.js'
import { listedError, selectIndices } from '../indices/index-selection.js'
import type { ListAccess } from '../encryption/list-access.js'
import { readForPurpose } from '../versions/list-location.js'
import { listUrl } from '../types/list-url.js'
import { demandValidNow } from '../versions/list-validity.js'
import type { ListFacts, PublishedList } from '../versions/decoded-list.js'
import type { PublishedLists } from '../versions/published-lists.js'
import { agreeingMessages } from '../types/status-messages.js'

/** What a check works with. */
export interface Checking {
  lists: PublishedLists
  addresses: ListAddresses
  /** asked last, so that nothing is paid for a check that cannot be answered */
  access: ListAccess
  context: UnlockingContext
  now: Date
}

/**
 * Reads what a list says about some entries, under one purpose.
 *
 * @param maxIndices - in one call
 * @throws AgentError `invalid_input`, `index_out_of_range`, `list_not_found`, `purpose_mismatch`, `list_encrypted`,
 * `malformed_list`, `invalid_credential`: a list that cannot be trusted never reads as "not revoked"; and what
 * {@link ListAccess.open} throws
 */
export async function checkList(
  type: StatusListType,
  args: StatusListCheckArgs,
  maxIndices: number,
  { lists, addresses, access, context, now }: Checking,
): Promise<StatusListCheckResult> {
  demandKnownPurpose(type, args.statusPurpose)
  const indices = selectIndices(args, maxIndices)
  const located = await readForPurpose(type, args, args.statusPurpose, lists, context)
  const { layout, entries } = trustedList(located, now)
  const disagreements = await disagreementsWith(layout, located.location, args, addresses)
  if (disagreements.length > 0) throw problemsError('invalid_input', disagreements)
  const outside = outsideProblems(args, entries)
  if (outside.length > 0) throw listedError('index_out_of_range', outside)
  const payer = { makeFeePayment: args.makeFeePayment ?? true, allowance: new FeeAllowance(args.maxFee) }
  const { bits } = await access.open(type, located, payer, context)
  const results = indices.map((index) => ({
    index,
    ...type.report(layout, getEntry(bits, layout, index), args.statusPurpose),
  }))
  return { checked: true, ...summary(results), purpose: args.statusPurpose, results }
}

/**
 * The list, if its bits may be believed now. Whether the caller may see them is another question.
 *
 * @throws AgentError `list_encrypted` where it cannot be decrypted here, `invalid_credential`, `malformed_list`
 */
export function trustedList({ list }: PublishedList, now: Date): ListFacts {
  if (list.locked) throw list.locked
  if (list.failure) throw list.failure.error
  demandValidNow(list.layout, now)
  return list
}

/** @throws AgentError `invalid_input`, its detail at the path `statusPurpose` */
export function demandKnownPurpose(type: StatusListType, purpose: string): void {
  if (type.purposes.includes(purpose)) return
  const message = `"${purpose}" is not one of ${type.purposes.join(', ')}`
  throw problemsError('invalid_input', [{ path: 'statusPurpose', message }])
}

type Results = NonNullable<StatusListCheckResult['results']>

/** One entry says all; of several, the flags tell whether any is set. */
function summary(results: Results): Partial<StatusListCheckResult> {
  const [first, ...others] = results
  if (!first) return {}
  if (others.length === 0) {
    const { index: _index, ...report } = first
    return report
  }
  const any = (flag: 'revoked' | 'suspended') =>
    results.some((result) => result[flag] !== undefined) && { [flag]: results.some((result) => result[flag]) }
  return { ...any('revoked'), ...any('suspended') }
}

/** What the caller believes about the list must be true. */
async function disagreementsWith(
  layout: StatusListLayout,
  location: StatusListLocation,
  { statusListCredential, statusSize, statusMessage }: StatusListCheckArgs,
  addresses: ListAddresses,
): Promise<Problem[]> {
  const problems: Problem[] = []
  if (
    statusListCredential !== undefined &&
    !isSameList(await addresses.locate(statusListCredential), location)
  ) {
    const message = `must name the same list as did and statusListName: ${listUrl(location)}`
    problems.push({ path: 'statusListCredential', message })
  }
  if (statusSize !== undefined && statusSize !== layout.statusSize) {
    const message = `is ${statusSize}, but the entries of the list have ${layout.statusSize} bits`
    problems.push({
      path: 'statusSize',
      message: layout.statusSize === 1 ? message.replace('1 bits', 'one bit') : message,
    })
  }
  if (statusMessage !== undefined && !agreeingMessages(statusMessage, layout.statusMessages ?? [])) {
    problems.push({ path: 'statusMessage', message: 'is not what the list says its values mean' })
  }
  return problems
}

function isSameList(
  named: StatusListLocation | undefined,
  { did, statusListName, resourceType }: StatusListLocation,
): boolean {
  return named?.did === did && named.statusListName === statusListName && named.resourceType === resourceType
}
