import {
  AgentError,
  isAgentError,
  type ErrorCode,
  type Problem,
  type StatusListLayout,
  type StatusListType,
  type WithVersion,
} from '@vidimus/core-types'
import { isInRange, outsideList, outsideProblems } from '../indices/index-range.js'
import { listedError } from '../indices/index-selection.js'

/** An operation requested by a caller: the same action on one or more entries. */
export interface UpdateOperation {
  action: string
  /** as the caller sent them; repeated ones count once */
  indices: readonly number[]
  /** publishes a version even without changes, with the same validity period starting now */
  anew?: boolean
  /** the new values of the entries, instead of those that the action leads to */
  values?: ReadonlyMap<number, number>
  /** of the version that contains it; default: a random one */
  resourceId?: string
  /** its changes are stored already, see {@link PacedLists} */
  stored?: StoredOperation
  /** the caller gets a receipt for the version: no other caller changes these entries in it */
  receipt?: boolean | undefined
  /** of each index, in place of `action`: those that are refused do not refuse the others */
  actions?: ReadonlyMap<number, string>
  /** what is recorded with its changes: in the transaction of their version, or of the stored ones of a list with a pace */
  recordOf?: (plan: PlannedUpdate) => WithVersion
}

/** The action that an operation has for an index. */
export const actionFor = ({ action, actions }: UpdateOperation, index: number): string =>
  actions?.get(index) ?? action

/** An index that an operation could not change. */
export interface RefusedIndex {
  index: number
  reason: ErrorCode
  message: string
}

/** What an operation on a list with a pace has stored. */
export interface StoredOperation {
  /** the value of each of its entries */
  values: ReadonlyMap<number, number>
  /** the newest stored change of the list, its own included */
  number: number
}

/** The entries that an operation is planned on. */
export interface CurrentEntries {
  valueAt: (index: number) => number
  entries: number
}

/** The result of an operation on given bits. */
export interface PlannedUpdate {
  /** the entries that change, with their new values, ascending */
  changes: readonly (readonly [index: number, value: number])[]
  /** the value that the action sets */
  value: number
  /** only where each index stands alone */
  refused: readonly RefusedIndex[]
}

/**
 * Plans an operation without changing anything: it applies as a whole or not at all.
 *
 * @throws AgentError `index_out_of_range` and `irreversible` with a detail for each index, `value_too_wide`, and what
 * {@link StatusListType.nextValue} throws
 */
export function planUpdate(
  type: StatusListType,
  layout: StatusListLayout,
  list: CurrentEntries,
  operation: UpdateOperation,
): PlannedUpdate {
  if (operation.actions) return planEachAlone(type, layout, list, operation)
  const { action, indices, values } = operation
  const { valueAt, entries } = list
  const outside = outsideProblems({ indices }, entries)
  if (outside.length > 0) throw listedError('index_out_of_range', outside)
  const changes: [number, number][] = []
  const final: Problem[] = []
  let refusal: AgentError | undefined
  let value = 0
  for (const [index, place] of firstPlaces(indices)) {
    const current = valueAt(index)
    try {
      value = checkedWidth(values?.get(index) ?? type.nextValue(layout, action, current), layout)
      if (value !== current) changes.push([index, value])
    } catch (error) {
      if (!isAgentError(error)) throw error
      if (error.code === 'irreversible') {
        final.push({
          path: `indices[${place}]`,
          message: permanence(index, error),
        })
      } else {
        refusal ??= error
      }
    }
  }
  if (final.length > 0) throw listedError('irreversible', final)
  if (refusal) throw refusal
  return { changes, value, refused: [] }
}

function planEachAlone(
  type: StatusListType,
  layout: StatusListLayout,
  { valueAt, entries }: CurrentEntries,
  operation: UpdateOperation,
): PlannedUpdate {
  const changes: [number, number][] = []
  const refused: RefusedIndex[] = []
  let value = 0
  for (const [index] of firstPlaces(operation.indices)) {
    if (!isInRange(index, entries)) {
      refused.push({ index, reason: 'index_out_of_range', message: `index ${outsideList(index, entries)}` })
      continue
    }
    const current = valueAt(index)
    try {
      value = checkedWidth(type.nextValue(layout, actionFor(operation, index), current), layout)
      if (value !== current) changes.push([index, value])
    } catch (error) {
      if (!isAgentError(error)) throw error
      const { code: reason } = error
      const message = reason === 'irreversible' ? `index ${permanence(index, error)}` : error.message
      refused.push({ index, reason, message })
    }
  }
  return { changes, value, refused }
}

const permanence = (index: number, { details, message }: AgentError): string =>
  `${index} ${details[0]?.message ?? message}`

/** Each index once, ascending, with its first position in the caller's input. */
function firstPlaces(indices: readonly number[]): [index: number, place: number][] {
  const places = new Map<number, number>()
  indices.forEach((index, place) => {
    if (!places.has(index)) places.set(index, place)
  })
  return [...places].sort(([a], [b]) => a - b)
}

/** Third-party list types may return a value that exceeds the width. */
function checkedWidth(value: number, { statusSize }: StatusListLayout): number {
  if (Number.isInteger(value) && value >= 0 && value < 2 ** statusSize) return value
  throw new AgentError(
    'value_too_wide',
    `the value ${value} does not fit into the ${statusSize} bits of an entry`,
  )
}
