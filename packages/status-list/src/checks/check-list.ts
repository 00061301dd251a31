import {
  problemsError,
  type Problem,
  type StatusListCheckArgs,
  type StatusListCheckResult,
  type StatusListLayout,
  type StatusListLocation,
  type StatusListType,
} from '@vidimus/core-types'
import { namingProblems } from '@vidimus/core-types/schemas'
import { publishingAct, demandHeldDid } from '../agent-context.js'
import type { ListAddresses } from '../addresses/list-addresses.js'
import { getEntry } from '../encoding/entries.js'
import type { Payer } from '../encryption/list-access.js'
import { FeeAllowance } from '../fees/fee-allowance.js'
import { outsideProblems } from '../indices/index-range.js'
import { listedError, selectIndices } from '../indices/index-selection.js'
import { widthConflict, withWidth, type DecodedList, type ListFacts } from '../versions/decoded-list.js'
import { listNamed, isSameList, readFirst, readForPurpose } from '../versions/list-location.js'
import { listUrl } from '../types/list-url.js'
import { agreeingMessages } from '../types/status-messages.js'
import { listAt, trustedAt, type Checking, type TrustedList } from './list-at.js'
import { referencedToken, type ReferencedToken } from './referenced-token.js'

/**
 * Reads the entries of a list under one purpose.
 *
 * @param maxIndices - in one call
 * @throws AgentError `invalid_input`, `index_out_of_range`, `list_not_found`, `purpose_mismatch`, `list_encrypted`,
 *   `malformed_list`, `invalid_credential`: a list that cannot be trusted never reads as "not revoked"; and what
 *   {@link ListAccess.open} throws
 */
export async function checkList(
  type: StatusListType,
  args: StatusListCheckArgs,
  maxIndices: number,
  checking: Checking,
): Promise<StatusListCheckResult> {
  demandKnownPurpose(type, args.statusPurpose)
  const unnamed = namingProblems(args)
  if (unnamed.length > 0) throw problemsError('invalid_input', unnamed)
  const token = args.token === undefined ? undefined : readToken(args, args.token, type)
  const selection = token ? { index: token.index } : args
  const indices = selectIndices(selection, maxIndices)
  const list = await readList(type, args, token, checking)
  const { disagreements = [] } = list
  const read = readWith(list, args)
  const problems = [...disagreements, ...read.problems]
  if (problems.length > 0) throw problemsError('invalid_input', problems)
  const { layout, entries } = read.facts
  const outside = outsideProblems(selection, entries)
  if (outside.length > 0) throw listedError('index_out_of_range', outside)
  const stored = args.state === 'stored' ? await storedValues(type, list, indices, checking) : undefined
  const valueAt = stored ?? publishedValues(await list.open(payerOf(args)), layout)
  const results = indices.map((index) => ({
    index,
    ...type.report(layout, valueAt(index), args.statusPurpose),
  }))
  const { signedBy } = list
  const isSaid = signedBy !== undefined && token?.voucher.issuer === undefined
  const said = { purpose: args.statusPurpose, ...(isSaid && { signedBy }), results }
  return { checked: true, ...summary(results), ...said }
}

/**
 * The entries as they are stored.
 *
 * @returns `undefined` if they are stored as they are published
 * @throws AgentError `invalid_input`, and as `didHeldKey` does if the list is not the account's
 */
async function storedValues(
  type: StatusListType,
  { located }: TrustedList,
  indices: readonly number[],
  { paces, lists, context }: Checking,
): Promise<((index: number) => number) | undefined> {
  if (!located) throw problemsError('invalid_input', [{ path: 'state', message: NOT_HERE }])
  const { location } = located
  await demandHeldDid(location.did, publishingAct(type), context)
  if (!(await paces.of(location))) return undefined
  const read = () => readFirst(type, location, [location.resourceType], lists, context)
  const values = await paces.storedValues(type, located, indices, read)
  return (index) => values.get(index) ?? 0
}

const publishedValues =
  ({ bits }: DecodedList, layout: StatusListLayout) =>
  (index: number): number =>
    getEntry(bits, layout, index)

const payerOf = ({ makeFeePayment = true, maxFee }: StatusListCheckArgs): Payer => ({
  makeFeePayment,
  allowance: new FeeAllowance(maxFee),
})

const NOT_HERE = '"stored" is only possible for lists of the account'

/** The list that is meant: by its publisher and name, by its address, or by a token. */
async function readList(
  type: StatusListType,
  args: StatusListCheckArgs,
  token: ReferencedToken | undefined,
  checking: Checking,
): Promise<TrustedList & { disagreements?: Problem[] }> {
  const { did, statusListName, statusPurpose } = args
  if (did !== undefined && statusListName !== undefined) {
    const name = listNamed({ did, statusListName })
    const located = await readForPurpose(type, name, statusPurpose, checking.lists, checking.context)
    const { location } = located
    const { statusListCredential } = args
    const disagreements =
      statusListCredential === undefined
        ? []
        : await addressProblems(location, statusListCredential, checking.addresses)
    return { ...trustedAt(located, listUrl(location), type, checking), disagreements }
  }
  const address = token?.listUrl ?? args.uri ?? args.statusListCredential ?? ''
  const issuer = args.issuer ?? did
  const voucher = token?.voucher.issuer === undefined && issuer !== undefined ? { issuer } : token?.voucher
  const list = await listAt(address, type, voucher ?? {}, checking)
  const { purposes } = list.facts.layout
  if (purposes.includes(statusPurpose)) return list
  const message = `the list is for ${purposes.join(', ')}, not ${statusPurpose}`
  throw problemsError('purpose_mismatch', [{ path: 'statusPurpose', message }])
}

function readToken(args: StatusListCheckArgs, token: string, type: StatusListType): ReferencedToken {
  const { index, indices, indexRangeStart, indexRangeEnd } = args
  const given = Object.entries({ index, indices, indexRangeStart, indexRangeEnd }).filter(
    ([, value]) => value !== undefined,
  )
  if (given.length === 0) return referencedToken(token, type)
  throw problemsError(
    'invalid_input',
    given.map(([path]) => ({ path, message: 'must be omitted: the token names its index' })),
  )
}

/** @throws AgentError `invalid_input`, its detail at the path `statusPurpose` */
export function demandKnownPurpose(type: StatusListType, purpose: string): void {
  if (type.purposes.includes(purpose)) return
  const message = `"${purpose}" is not one of ${type.purposes.join(', ')}`
  throw problemsError('invalid_input', [{ path: 'statusPurpose', message }])
}

type Results = NonNullable<StatusListCheckResult['results']>

/** A single entry is reported in full; of several, the flags show whether any is set. */
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

async function addressProblems(
  location: StatusListLocation,
  address: string,
  addresses: ListAddresses,
): Promise<Problem[]> {
  if (isSameList(await addresses.locate(address), location)) return []
  const message = `must name the same list as did and statusListName: ${listUrl(location)}`
  return [{ path: 'statusListCredential', message }]
}

/**
 * The list as the caller reads it, whose expectations about it must be true. They count where a list of a third party, or
 * of the older layout, states nothing itself; of other lists on a ledger the width is known.
 */
function readWith(
  { facts, located }: TrustedList,
  { statusSize, statusMessage }: StatusListCheckArgs,
): { facts: ListFacts; problems: Problem[] } {
  const { statusSize: width, statusMessages, order, foreign } = facts.layout
  const problems: Problem[] = []
  const isKnown = located !== undefined && order === 'msb'
  const conflict = widthConflict(isKnown ? { statusSize: width } : facts.layout, statusSize)
  if (conflict !== undefined) problems.push({ path: 'statusSize', message: `is ${conflict}` })
  const stated = statusMessages ?? (foreign ? statusMessage : undefined)
  if (statusMessage !== undefined && !agreeingMessages(statusMessage, stated ?? [])) {
    problems.push({ path: 'statusMessage', message: 'does not match the messages of the list' })
  }
  const read = conflict === undefined ? withWidth(facts, statusSize) : facts
  const layout = { ...read.layout, ...(stated && { statusMessages: stated }) }
  return { facts: { ...read, layout }, problems }
}
