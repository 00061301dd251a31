import { AgentError } from '@vidimus/core-types'
import { shownPath } from './shown-text.js'

/** The part of a request that a text came from. */
export type InputPart = 'body' | 'query' | 'path'

/** Names that would reach into the prototype of an object later on. */
const PROTOTYPE_NAMES = new Set(['__proto__', 'constructor', 'prototype'])

export const isPrototypeName = (name: string): boolean => PROTOTYPE_NAMES.has(name)

/** Text that not every database, ledger or UTF-8 encoder preserves. */
export function flawOfText(text: string): string | undefined {
  if (text.includes('\0')) return 'contains a NUL character'
  // A lone surrogate.
  return /\p{Surrogate}/u.test(text) ? 'contains half a character (a lone surrogate)' : undefined
}

/**
 * Maximum number of members and entries in a body: many more than any request needs, and few enough to be read in a
 * moment. Numbers in a list do not count, as the size of the body bounds them sufficiently.
 */
export const MOST_PARTS = 50_000

export const tooManyParts = (path: string, part: InputPart = 'body'): AgentError =>
  malformedBody(path, `has more than ${MOST_PARTS} members and entries`, part)

/**
 * An invalid body or query, with the position of the error.
 *
 * @param path - `''` for the whole
 * @param part - name of the whole
 */
export function malformedBody(path: string, message: string, part: InputPart = 'body'): AgentError {
  const place = shownPath(path)
  return new AgentError('malformed_body', place === '' ? `the ${part} ${message}` : `${place}: ${message}`, {
    details: [{ path: place, message }],
  })
}
