export type Members = Readonly<Record<string, unknown>>

/** Whether a value from a third-party module has members. */
export const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null

/** Describes it for a message; never with its value. */
export function describeValue(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'a list'
  if (Object.prototype.toString.call(value) === '[object Module]') return 'a module'
  if (typeof value === 'string') return 'text'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** The methods that a plugin adds to the agent. */
export const methodNames = (plugin: unknown): string[] =>
  isMembers(plugin) && isMembers(plugin.methods) ? Object.keys(plugin.methods) : []
