import type { InspectedPart } from '@vidimus/agent-config/loading'
import type { Finding } from '@vidimus/core-types'
import { leastNodeVersion, version } from '../version.js'

/** Lines of Node.js that are tested; later ones may work as well. */
const TESTED_MAJORS = [22, 24, 26]

/** Checks that this Node.js can run the service. */
export function runtimeFinding(running = process.versions.node): Finding {
  const name = 'runtime'
  const message = `Node.js ${running} on ${process.platform} ${process.arch}`
  const least = leastNodeVersion()
  // Only a clone gets here: an installed package refuses to start on such a version.
  if (isBefore(running, least)) {
    return { name, level: 'warn', message, advice: `install Node.js ${least} or later` }
  }
  if (TESTED_MAJORS.includes(majorVersion(running))) return { name, level: 'ok', message }
  return { name, level: 'warn', message, advice: `the tested versions are ${TESTED_MAJORS.join(', ')}` }
}

/** Checks that the packages of this installation match. */
export function versionFinding(parts: readonly Pick<InspectedPart, 'module' | 'version'>[]): Finding {
  const own = version()
  const others = new Set(
    parts
      .filter(
        (part) => part.module.startsWith('@vidimus/') && part.version !== undefined && part.version !== own,
      )
      .map((part) => `${part.module} ${part.version}`),
  )
  if (others.size === 0) return { name: 'version', level: 'ok', message: `vidimus ${own}` }
  return {
    name: 'version',
    level: 'warn',
    message: `vidimus ${own}, with packages of other versions: ${[...others].join(', ')}`,
    advice: 'install the same version of all of them',
  }
}

const parseNumbers = (text: string): number[] => text.split('.').map(Number)
const majorVersion = (text: string): number => parseNumbers(text)[0] ?? 0

function isBefore(one: string, other: string): boolean {
  const numbers = parseNumbers(one)
  const least = parseNumbers(other)
  const at = least.findIndex((number, n) => (numbers[n] ?? 0) !== number)
  return at >= 0 && (numbers[at] ?? 0) < (least[at] ?? 0)
}
