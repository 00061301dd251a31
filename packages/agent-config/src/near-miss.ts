import { editDistance } from '@vidimus/core-types'

/**
 * The candidate that was most likely meant.
 *
 * @returns `undefined` where none is near: more than a third of the word would have to change
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase()
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1
  for (const candidate of candidates) {
    if (candidate === word || Math.abs(candidate.length - word.length) >= bestDistance) continue
    const distance = editDistance(wanted, candidate.toLowerCase())
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** Advice that names the nearest candidate and what there is, or `undefined` where there is nothing at all. */
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
