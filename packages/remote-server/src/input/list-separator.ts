import type { z } from 'zod'

/** For lists in a form that may be written with commas: what each piece must look like. */
export const listSeparators = new WeakMap<z.core.$ZodType, RegExp>()

/**
 * Lets a list of texts be written with commas in a form, `a,b`. A value is taken apart only where every piece looks
 * like an entry, so that a text that has a comma of its own stays whole.
 */
export function commaSeparable<T extends z.core.$ZodType>(list: T, entry: RegExp): T {
  listSeparators.set(list, entry)
  return list
}
