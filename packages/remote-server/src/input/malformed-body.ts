import { AgentError } from '@vidimus/core-types'
import { shownPath } from './shown-text.js'

/** Which part of a request a text came from. */
export type InputPart = 'body' | 'query' | 'path'

/** Names that would reach into the prototype of an object somewhere further on. */
const PROTOTYPE_NAMES = new Set(['__proto__', 'constructor', 'prototype'])

export const isPrototypeName = (name: string): boolean => PROTOTYPE_NAMES.has(name)

/** Text that no database, ledger or UTF-8 encoder carries unchanged. */
export function flawOfText(text: string): string | undefined {
  if (text.includes('\0')) return 'contains a NUL character'
  // A surrogate without its other half.
  return /\p{Surrogate}/u.test(text) ? 'contains half a character (a lone surrogate)' : undefined
}

/**
 * How many members and entries a body may have. They are many more than a request needs, and few enough to be read in
 * a moment; numbers in a list do not count, as the size of the body bounds them well enough.
 */
export const MOST_PARTS = 50_000

export const tooManyParts = (path: string, part: InputPart = 'body'): AgentError =>
  malformedBody(path, `has more than ${MOST_PARTS} members and entries`, part)

/**
 * A body or query that is not what it should be, with the place where that shows.
 *
 * @param path - `''` for the whole
 * @param part - what the whole is
 */
export function malformedBody(path: string, message: string, part: InputPart = 'body'): AgentError {
  const place = shownPath(path)
  return new AgentError('malformed_body', place === '' ? `the ${part} ${message}` : `${place}: ${message}`, {
    details: [{ path: place, message }],
  })
}
