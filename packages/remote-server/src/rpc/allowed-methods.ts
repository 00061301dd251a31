import { type AnyAgent, type Problem } from '@vidimus/core-types'
import { nearMiss } from '../input/near-miss.js'
import { DEFAULT_METHODS, whyRefused } from './method-list.js'

const DEFAULT = 'default'
const EXCEPTION = /^not +/

/** A resolved allow-list with its problems. */
export interface AllowedMethods {
  methods: string[]
  /** paths relative to the options: `agentMethods[2]` */
  problems: Problem[]
}

/**
 * Reads the allow-list of methods: method names, `default` for the {@link DEFAULT_METHODS} that the agent has, and
 * `not <name>` to exclude one of these.
 */
export function allowedMethods(
  agent: Pick<AnyAgent, 'availableMethods'>,
  entries: readonly string[],
): AllowedMethods {
  const available = new Set(agent.availableMethods())
  const problems: Problem[] = []
  const allowed = new Set<string>()
  const refuse = (n: number, message: string) => problems.push({ path: `agentMethods[${n}]`, message })
  const excluded = new Set<string>()
  entries.forEach((entry, n) => {
    if (entry === DEFAULT) {
      for (const method of DEFAULT_METHODS) if (available.has(method)) allowed.add(method)
      return
    }
    const method = entry.replace(EXCEPTION, '')
    const why = whyRefused(method)
    if (EXCEPTION.test(entry)) excluded.add(method)
    else if (why !== undefined) refuse(n, `"${method}" cannot be called remotely: it ${why}`)
    else allowed.add(method)
    if (why === undefined && !available.has(method)) refuse(n, unknownMethod(method, [...available]))
  })
  return { methods: [...allowed].filter((method) => !excluded.has(method)), problems }
}

function unknownMethod(method: string, available: readonly string[]): string {
  const meant = nearMiss(method, available)
  return `the agent has no method "${method}"${meant === undefined ? '' : `; did you mean "${meant}"?`}`
}
