import type { Configuration } from '@vidimus/agent-config/loading'
import { knowsInstallation, type Installation, type OperatedSessions } from '@vidimus/core-types'
import type { Database } from '@vidimus/database'
import { accountRowsOf } from './installation.js'
import { version } from './version.js'

/** Tells those who need it of the whole that runs in this process. */
export function tellOfInstallation(configuration: Configuration, database: Database, file: string): void {
  const installation = runningInstallation(configuration, database, file)
  for (const object of configuration.objects.filter(knowsInstallation)) object.useInstallation(installation)
}

const runningInstallation = (
  configuration: Configuration,
  database: Database,
  file: string,
): Installation => ({
  database,
  get accountRows() {
    return accountRowsOf(configuration.objects)
  },
  get measurements() {
    return configuration.measurements
  },
  get sessions() {
    const objects = configuration.objects as readonly ({ operatedSessions?: OperatedSessions } | undefined)[]
    return objects.find((object) => object?.operatedSessions)?.operatedSessions
  },
  get versions() {
    return { service: version(), node: process.versions.node, packages: packagesOf(configuration) }
  },
  async findings() {
    // Loaded here, so that the service starts faster.
    const { examineRunning } = await import('./doctor/examine.js')
    return examineRunning(configuration, database, file)
  },
})

/** Those that `agent.yml` names, each once. */
function packagesOf(configuration: Configuration): { name: string; version: string }[] {
  const versions = new Map(
    configuration
      .describe()
      .flatMap(({ module, version: own }) => (own === undefined ? [] : [[module, own]])),
  )
  return [...versions]
    .map(([name, own]) => ({ name, version: own }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}
