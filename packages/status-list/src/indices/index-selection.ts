import { AgentError, problemsError, type ErrorCode, type Problem } from '@vidimus/core-types'

/** Which entries a caller asks about; all that is given is united. */
export interface IndexSelection {
  index?: number | undefined
  indices?: readonly number[] | undefined
  /** inclusive */
  indexRangeStart?: number | undefined
  /** inclusive */
  indexRangeEnd?: number | undefined
}

/** The most problems that one response lists. */
const MOST_LISTED = 20

/**
 * Combines the requested indices. Their number is known to be within limits before anything is expanded.
 *
 * @param max - indices at most
 * @returns each index once, ascending
 * @throws AgentError `invalid_input` with every problem
 */
export function selectIndices(selection: IndexSelection, max: number): number[] {
  const problems = selectionProblems(selection, max)
  if (problems.length > 0) throw problemsError('invalid_input', problems)
  const { index, indices = [], indexRangeStart: start = 0, indexRangeEnd: end = -1 } = selection
  const selected = new Set(indices)
  if (index !== undefined) selected.add(index)
  for (let next = start; next <= end; next++) selected.add(next)
  if (selected.size > max) throw problemsError('invalid_input', [{ path: 'indices', message: tooMany(max) }])
  return [...selected].sort((a, b) => a - b)
}

/** Keeps a response readable: the first of many problems, and how many more there are. */
export function listed(problems: readonly Problem[]): Problem[] {
  const more = problems.length - MOST_LISTED
  if (more <= 0) return [...problems]
  return [...problems.slice(0, MOST_LISTED), { path: 'indices', message: `${more} more of the same kind` }]
}

/**
 * One error of problems of which there may be very many: it counts all of them and lists the first.
 *
 * @param problems - at least one
 */
export function listedError(code: ErrorCode, problems: readonly Problem[]): AgentError {
  const { message } = problemsError(code, problems)
  return new AgentError(code, message, { details: listed(problems) })
}

function selectionProblems(selection: IndexSelection, max: number): Problem[] {
  const { index, indices, indexRangeStart: start, indexRangeEnd: end } = selection
  const problems: Problem[] = []
  if (index === undefined && indices === undefined && start === undefined && end === undefined) {
    problems.push({
      path: 'index',
      message: 'index, indices, or indexRangeStart and indexRangeEnd are required',
    })
  }
  if (indices?.length === 0) problems.push({ path: 'indices', message: 'must hold at least one index' })
  if (indices && indices.length > max) problems.push({ path: 'indices', message: tooMany(max) })
  if (start === undefined && end !== undefined) {
    problems.push({ path: 'indexRangeStart', message: 'is required with indexRangeEnd' })
  }
  if (start !== undefined && end === undefined) {
    problems.push({ path: 'indexRangeEnd', message: 'is required with indexRangeStart' })
  }
  if (start !== undefined && end !== undefined) {
    if (end < start)
      problems.push({ path: 'indexRangeEnd', message: 'must not be less than indexRangeStart' })
    if (end - start >= max) problems.push({ path: 'indexRangeEnd', message: tooMany(max) })
  }
  return problems
}

const tooMany = (max: number): string => `must not select more than ${max} indices in one call`
