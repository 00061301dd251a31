/** Several of something, where one may stand for a list of one, and none for an empty list. */
export function asArray(value: unknown): unknown[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value]
}
