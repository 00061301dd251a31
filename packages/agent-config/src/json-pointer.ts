import { formatPath } from '@vidimus/core-types'

/**
 * Splits a JSON pointer into its steps.
 *
 * @returns `undefined` if the text is not a JSON pointer
 * @see RFC 6901, sections 3 and 4
 */
export function parsePointer(pointer: string): string[] | undefined {
  if (pointer === '') return []
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return undefined
  return pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The pointer to a member or an item. */
export const childPointer = (parent: string, step: string | number): string =>
  `${parent}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`

/** A pointer as people read it: `server.$args[0].port`. */
export const pointerAsPath = (pointer: string): string =>
  formatPath((parsePointer(pointer) ?? [pointer]).map((step) => (isIndex(step) ? Number(step) : step)))

/** Whether a step of a pointer can be the index of a list. RFC 6901 allows no leading zeros. */
export const isIndex = (step: string): boolean => /^(0|[1-9]\d*)$/.test(step)
