import { AgentError } from './errors.js'

/**
 * Whether an object named in `agent.yml` is of the expected kind. Checks its methods, not its class: there may be
 * several copies of a package.
 */
export const hasMethods = (value: unknown, ...names: string[]): boolean =>
  names.every((name) => typeof (value as Record<string, unknown> | null)?.[name] === 'function')

/**
 * Checks an object passed by `agent.yml`; otherwise a wrong reference would only show at the first request.
 *
 * @param description - the expected object, for the error: `a Database of @vidimus/database`
 * @throws AgentError `invalid_configuration`
 */
export function requireMethods(value: unknown, names: readonly string[], description: string): void {
  if (hasMethods(value, ...names)) return
  const message = `must be ${description}`
  throw new AgentError('invalid_configuration', message, { details: [{ path: '', message }] })
}
