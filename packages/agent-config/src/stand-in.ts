/**
 * Takes the place of what could not be built, so that the options beside it are looked at all the same: it is whatever it is
 * taken for, and does nothing.
 */
export const STAND_IN: unknown = new Proxy(() => undefined, {
  get: (_target, name) => {
    if (name === Symbol.iterator) return () => [][Symbol.iterator]()
    if (name === Symbol.toPrimitive) return () => ''
    // anything with a `then` is awaited
    return name === 'then' ? undefined : STAND_IN
  },
  has: () => true,
  apply: () => STAND_IN,
  construct: () => STAND_IN as object,
})

/** Whether the value at a path is a stand-in, or part of one. @param path - as zod has it, or `types[0].name` */
export function isWithinStandIn(value: unknown, path: string | readonly PropertyKey[]): boolean {
  const steps = typeof path === 'string' ? path.split(/[.[\]]+/).filter((step) => step !== '') : path
  let at = value
  for (const step of steps) {
    if (at === STAND_IN) return true
    if (typeof at !== 'object' || at === null) return false
    at = (at as Record<PropertyKey, unknown>)[step]
  }
  return at === STAND_IN
}
