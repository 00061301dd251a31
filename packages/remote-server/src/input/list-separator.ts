import type { z } from 'zod'

/** For comma-separated lists in a form: the pattern of each piece. */
export const listSeparators = new WeakMap<z.core.$ZodType, RegExp>()

/**
 * Accepts a comma-separated list of texts in a form, `a,b`. A value is split only if every piece looks like an entry,
 * so that a text containing a comma stays whole.
 */
export function commaSeparable<T extends z.core.$ZodType>(list: T, entry: RegExp): T {
  listSeparators.set(list, entry)
  return list
}
