import { AgentError } from '@vidimus/core-types'

/** Names that would reach into the prototype of an object somewhere further on. */
const PROTOTYPE_NAMES = new Set(['__proto__', 'constructor', 'prototype'])

export const isPrototypeName = (name: string): boolean => PROTOTYPE_NAMES.has(name)

/** Text that no database, ledger or UTF-8 encoder carries unchanged. */
export function flawOfText(text: string): string | undefined {
  if (text.includes('\0')) return 'has a NUL character in it'
  // A surrogate without its other half.
  return /\p{Surrogate}/u.test(text) ? 'has half a character in it (a lone surrogate)' : undefined
}

/** A body that is not what its content type says, with the place where that shows. */
export const malformedBody = (path: string, message: string): AgentError =>
  new AgentError('malformed_body', path === '' ? `the body ${message}` : `${path}: ${message}`, {
    details: [{ path, message }],
  })
