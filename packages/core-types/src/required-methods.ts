import { AgentError } from './errors.js'

/**
 * Whether something that `agent.yml` named can be used as what is expected. By its methods and not its class: there may
 * be several copies of a package.
 */
export const hasMethods = (value: unknown, ...names: string[]): boolean =>
  names.every((name) => typeof (value as Record<string, unknown> | null)?.[name] === 'function')

/**
 * Checks what `agent.yml` handed over, where a wrong reference would otherwise show at the first request.
 *
 * @param description - what it must be, for the error: `a Database of @vidimus/database`
 * @throws AgentError `invalid_configuration`
 */
export function requireMethods(value: unknown, names: readonly string[], description: string): void {
  if (hasMethods(value, ...names)) return
  const message = `must be ${description}`
  throw new AgentError('invalid_configuration', message, { details: [{ path: '', message }] })
}
