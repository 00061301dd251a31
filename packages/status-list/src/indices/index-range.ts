import type { Problem } from '@vidimus/core-types'
import type { IndexSelection } from './index-selection.js'

/** The entries of a list are index 0 to `entries - 1`. */
export const isInRange = (index: number, entries: number): boolean =>
  Number.isSafeInteger(index) && index >= 0 && index < entries

/** The message for an index that is out of range. */
export const outsideList = (index: number, entries: number): string =>
  `${index} is outside the list (0 to ${entries - 1})`

/**
 * The part of a selection that is outside of a list, at the caller's paths.
 *
 * @param entries - of the list
 */
export function outsideProblems(selection: IndexSelection, entries: number): Problem[] {
  const given: [path: string, index: number | undefined][] = [
    ['index', selection.index],
    ...(selection.indices ?? []).map((index, n): [string, number] => [`indices[${n}]`, index]),
    ['indexRangeStart', selection.indexRangeStart],
    ['indexRangeEnd', selection.indexRangeEnd],
  ]
  const outside = given.filter(([, index]) => index !== undefined && !isInRange(index, entries))
  return outside.map(([path, index]) => ({ path, message: outsideList(Number(index), entries) }))
}
