import { deepFrozen } from './deep-frozen.js'

/** What is shared, with its JSON once somebody has asked for it. */
const texts = new WeakMap<object, Uint8Array | undefined>()

/**
 * Freezes a part of results that many callers get, such as a list of which each of them changed an entry: its JSON is
 * made once for all of them.
 *
 * @returns the same value
 */
export function sharedPart<T extends object>(value: T): T {
  texts.set(deepFrozen(value), texts.get(value))
  return value
}

/** The JSON of a {@link sharedPart}, in UTF-8. @returns `undefined` for anything else */
export function sharedJson(value: unknown): Uint8Array | undefined {
  if (typeof value !== 'object' || value === null || !texts.has(value)) return undefined
  const known = texts.get(value) ?? Buffer.from(JSON.stringify(value))
  texts.set(value, known)
  return known
}
