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
 * As {@link optionalText}, for indexed texts: on PostgreSQL an index entry has at most a third of a page, and may
 * contain several such texts.
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

/** @returns the time in UTC; a date means its beginning */
export function isoTime(value: unknown, path: string): string {
  const time = pointInTime(value)
  if (time === undefined) throw invalidInput(path, NO_TIME)
  return time
}
