import { nearest } from '@vidimus/core-types'

export { nearest }

/** Advice that names the nearest candidate and the available ones, or `undefined` if there are none. */
export function adviceFrom(word: string, candidates: readonly string[], what: string): string | undefined {
  const near = nearest(word, candidates)
  const all = candidates.length > 0 ? `${what}: ${listNames(candidates)}` : undefined
  if (near === undefined) return all
  return `did you mean "${near}"? ${all}`
}

const LISTED_NAMES = 20

const listNames = (names: readonly string[]): string =>
  names.length <= LISTED_NAMES
    ? names.join(', ')
    : `${names.slice(0, LISTED_NAMES).join(', ')} and ${names.length - LISTED_NAMES} more`
