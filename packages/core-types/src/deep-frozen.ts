/** Freezes what several callers share, and everything in it. @returns the same value */
export function deepFrozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value) || ArrayBuffer.isView(value))
    return value
  Object.freeze(value)
  for (const member of Object.values(value)) deepFrozen(member)
  return value
}
