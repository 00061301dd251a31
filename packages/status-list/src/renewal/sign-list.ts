import { problemsError, type StatusListSignArgs, type StatusListType } from '@vidimus/core-types'
import { publishingAct, type WritingContext } from '../agent-context.js'
import { headerOf } from '../encoding/compact-jwt.js'
import type { UpdateOutcome } from '../updates/applied-batch.js'
import type { UpdateOperation } from '../updates/plan-update.js'
import type { UpdateBatches } from '../updates/update-batches.js'
import type { UpdateTarget } from '../updates/update-target.js'
import { listsOfName } from '../versions/named-lists.js'
import { listNamed, purposeMismatch, type LocatedList } from '../versions/list-location.js'
import type { PublishedLists } from '../versions/published-lists.js'

/** The arguments for signing a list again. */
export interface SigningParts {
  lists: PublishedLists
  batches: UpdateBatches
}

export type NamedToSign = Pick<
  StatusListSignArgs,
  'did' | 'statusListName' | 'statusPurpose' | 'resourceType' | 'statusListVersion' | 'onlyOtherKeys'
>

/**
 * Publishes a list again, with its content and the current signing key. Must be called in the scope of an account
 * that holds the DID.
 *
 * @returns `undefined` as the outcome if `onlyOtherKeys` was requested and the current signing key has signed it
 * @throws AgentError `list_not_found`, `purpose_mismatch`, `invalid_input` at `statusPurpose`, and as {@link
 *   UpdateBatches.submit} does
 */
export async function signList(
  type: StatusListType,
  args: NamedToSign,
  { lists, batches }: SigningParts,
  context: WritingContext,
): Promise<{ located: LocatedList; outcome: UpdateOutcome | undefined }> {
  const located = await listToSign(type, args, lists, context)
  if (args.onlyOtherKeys && !(await isSignedByOther(type, located, lists, context)))
    return { located, outcome: undefined }
  const { statusListVersion } = args
  return { located, outcome: await signLocated(type, located, { statusListVersion }, batches, context) }
}

/** {@link signList} of a list that was found. @param more - `recordOf`: what is recorded with the version */
export function signLocated(
  type: StatusListType,
  located: LocatedList,
  {
    statusListVersion,
    ...more
  }: { statusListVersion?: string | undefined } & Pick<UpdateOperation, 'recordOf'>,
  batches: UpdateBatches,
  context: WritingContext,
): Promise<UpdateOutcome> {
  const target = { ...updateTarget(type, located), statusListVersion }
  return batches.submit(target, { action: SIGN, indices: [], anew: true, ...more }, context)
}

/** The target of an operation on a list that was found. */
export function updateTarget(type: StatusListType, { location, list }: LocatedList): UpdateTarget {
  const { resourceType, ...name } = location
  return { type, ...name, resourceTypes: [resourceType], encrypted: list.layout.encrypted }
}

/** Its name in the audit trail. */
const SIGN = 'sign'

async function listToSign(
  type: StatusListType,
  { did, statusListName, statusPurpose, resourceType }: NamedToSign,
  lists: PublishedLists,
  context: WritingContext,
): Promise<LocatedList> {
  const name = listNamed({ did, statusListName })
  const purposes = statusPurpose === undefined ? [] : [statusPurpose]
  const { located } = await listsOfName([type], name, purposes, lists, context)
  const fitting = located.filter(
    ({ list, location }) =>
      purposes.every((one) => list.layout.purposes.includes(one)) &&
      (resourceType === undefined || location.resourceType === resourceType),
  )
  const [found, ...others] = fitting
  const all = located.flatMap(({ list }) => list.layout.purposes)
  if (!found) throw purposeMismatch(name, statusPurpose ?? '', all)
  if (others.length === 0) return found
  const message = `is required, as the list has several: ${all.join(', ')}`
  throw problemsError('invalid_input', [{ path: 'statusPurpose', message }])
}

/** @returns `false` as well for layouts that only the ledger protects */
async function isSignedByOther(
  type: StatusListType,
  located: LocatedList,
  lists: PublishedLists,
  context: WritingContext,
): Promise<boolean> {
  const { doc, location } = await lists.documented(type, located, context)
  const securing = type.securingOf?.(doc)
  if (!securing) return false
  const { did } = location
  const { methodId } = await context.agent.didHeldKey({ did, act: publishingAct(type) })
  const { kid } = headerOf(securing.jwt)
  return kid !== methodId && `${did}${String(kid)}` !== methodId
}
