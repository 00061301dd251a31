import { AgentError, BOUNDS, NO_TIME, pointInTime } from '@vidimus/core-types'

/**
 * An id that is really one. Veramo's stores take a missing id for "any", which is how a stranger's key was signed
 * with or deleted.
 *
 * @param path - the name of the argument
 * @throws AgentError `invalid_input`
 */
export function checkedText(value: unknown, path: string): string {
  if (typeof value === 'string' && value !== '') return value
  throw invalidInput(path, 'must be a non-empty string')
}

/** As {@link checkedText}; absent or empty means "none". */
export function optionalText(value: unknown, path: string): string | undefined {
  return value === undefined || value === null || value === '' ? undefined : checkedText(value, path)
}

/**
 * As {@link optionalText}, for what the database has an index on: on PostgreSQL no entry of one is longer than a third of a
 * page, and several such texts stand in one.
 */
export function indexedText(value: unknown, path: string): string | undefined {
  const text = optionalText(value, path)
  if (text === undefined || Buffer.byteLength(text) <= BOUNDS.indexedText) return text
  throw invalidInput(path, `must have at most ${BOUNDS.indexedText} bytes`)
}

/** @param value - untrusted; lists are objects too */
export function checkedObject<T>(value: unknown, path: string): T {
  if (typeof value === 'object' && value !== null) return value as T
  throw invalidInput(path, 'must be an object')
}

/** @param value - untrusted; anything but an array is refused */
export function checkedList(value: unknown, path: string): unknown[] {
  if (Array.isArray(value)) return value
  throw invalidInput(path, 'must be a list')
}

export const invalidInput = (path: string, message: string) =>
  new AgentError('invalid_input', `${path}: ${message}`, { details: [{ path, message }] })

/** @returns the time in UTC; a day stands for its beginning */
export function isoTime(value: unknown, path: string): string {
  const time = pointInTime(value)
  if (time === undefined) throw invalidInput(path, NO_TIME)
  return time
}
