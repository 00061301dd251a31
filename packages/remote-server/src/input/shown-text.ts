import type { Problem } from '@vidimus/core-types'

/** Longer names and paths are only sent to have them repeated. */
const LONGEST_PATH = 100
/** Of messages, which may name a field or two. */
const LONGEST_SENTENCE = 500

export const shownPath = (path: string): string => shortened(path, LONGEST_PATH)

/** A problem shortened to fit a response. */
export const shownProblem = ({ path, message }: Problem): Problem => ({
  path: shownPath(path),
  message: shortened(message, LONGEST_SENTENCE),
})

function shortened(text: string, longest: number): string {
  if (text.length <= longest) return text
  // A character that would be split is removed as a whole.
  return `${text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '')}...`
}
