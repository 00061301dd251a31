import { dirname, resolve } from 'node:path'
import {
  ConfigurationError,
  type Configuration,
  type DescribedPart,
  type Inspection,
  type LoadOptions,
} from '@vidimus/agent-config/loading'
import { isAgentError, type Finding } from '@vidimus/core-types'
import type { Database } from '@vidimus/database'
import {
  configurationArgument,
  findCounters,
  openConfiguration,
  sealedStores,
  hasSealedStores,
} from '../installation.js'
import { whyItIsThere } from '../lost-database.js'
import { auditFindings } from './audit.js'
import { diskFinding } from './disk.js'
import { distributionFindings } from './distribution.js'
import { apiKeyFindings, keyFindings } from './keys.js'
import { runtimeFinding, versionFinding } from './runtime.js'
import { secretFinding } from './secret.js'
import { tallyFindings } from './tallies.js'

/**
 * Checks everything that an installation needs, changes nothing, and continues as far as it can.
 *
 * @param options - `environment`: default that of the process; `readOnly`: for a process that only reads
 */
export async function examine(
  file: string,
  { environment, readOnly = false }: { environment?: LoadOptions['environment']; readOnly?: boolean } = {},
): Promise<Finding[]> {
  const runtime = runtimeFinding()
  try {
    const configuration = await openConfiguration(file, environment)
    const inspection = await configuration.inspect()
    const findings = [runtime, versionFinding(inspection.parts)]
    if (inspection.problems.length > 0) return [...findings, ...problemFindings(inspection.problems)]
    return [...findings, ...(await examineInstallation(configuration, file, { ...inspection, readOnly }))]
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return [runtime, ...problemFindings(error.problems)]
  }
}

const problemFindings = (problems: Inspection['problems']): Finding[] =>
  problems.map(({ file, line, column, path, message, advice }) => ({
    name: 'configuration',
    level: 'fail',
    message: [[file, line, column].filter((part) => part !== undefined).join(':'), path, message]
      .filter((part) => part !== '')
      .join(': '),
    ...(advice !== undefined && { advice }),
  }))

async function examineInstallation(
  configuration: Configuration,
  file: string,
  { parts, readOnly }: Inspection & { readOnly: boolean },
): Promise<Finding[]> {
  const [database] = (await configuration.build('/database', ...configuration.sections)) as [Database]
  if (readOnly) database.serveReadsOnly()
  const findings = [...configurationFindings(configuration), ...(await dataFindings(configuration, database))]
  try {
    const migrations = await migrationFindings(database, file, await whyItIsThere(configuration))
    findings.push(...migrations.findings)
    if (!migrations.upToDate) return findings
    await configuration.start([database])
    findings.push(...(await storedFindings(configuration, { database, parts, file })))
    return findings
  } catch (error) {
    if (!isAgentError(error)) throw error
    return [...findings, databaseFailure(error.message)]
  } finally {
    await configuration.stop()
  }
}

/** What is stored fits, and what was built works. */
async function storedFindings(
  configuration: Configuration,
  { database, parts, file }: { database: Database; parts: readonly DescribedPart[]; file: string },
): Promise<Finding[]> {
  return [
    await secretFinding(sealedStores(configuration.objects.filter(hasSealedStores))),
    ...(await keyFindings(database, parts)),
    ...(await apiKeyFindings(database)),
    ...(await tallyFindings(database, findCounters(configuration.objects), file)),
    ...(await auditFindings(database)),
    ...(await distributionFindings(database, file)),
    ...(await configuration.diagnose()),
  ]
}

/** As {@link examine}, by the process of the service, with what it has built and opened already. */
export async function examineRunning(
  configuration: Configuration,
  database: Database,
  file: string,
): Promise<Finding[]> {
  const migrations = await migrationFindings(database, file, undefined)
  const { parts } = configuration
  return [
    runtimeFinding(),
    versionFinding(configuration.describe()),
    ...configurationFindings(configuration),
    ...(await dataFindings(configuration, database)),
    ...migrations.findings,
    ...(await storedFindings(configuration, { database, parts, file })),
  ]
}

function configurationFindings({ file, notices }: Configuration): Finding[] {
  const name = 'configuration'
  if (notices.length === 0) return [{ name, level: 'ok', message: file }]
  return notices.map((notice) => ({ name, level: 'warn', message: notice }))
}

/** The files of the installation: on PostgreSQL only the secret. */
async function dataFindings(
  configuration: Configuration,
  { dialect, location }: Database,
): Promise<Finding[]> {
  const folders = new Set<string>()
  if (configuration.has('/dataDirectory')) {
    const [folder] = await configuration.build('/dataDirectory')
    if (typeof folder === 'string') folders.add(resolve(folder))
  }
  if (dialect === 'sqlite') folders.add(dirname(resolve(location)))
  return Promise.all([...folders].map((folder) => diskFinding(folder)))
}

async function migrationFindings(
  database: Database,
  file: string,
  notEmpty: string | undefined,
): Promise<{ findings: Finding[]; upToDate: boolean }> {
  const name = 'migrations'
  try {
    const pending = await database.pendingMigrations()
    const all = database.migrationNames.length
    if (pending.length === 0) {
      return { findings: [{ name, level: 'ok', message: `all ${all} applied` }], upToDate: true }
    }
    const none = pending.length === all
    if (none && notEmpty !== undefined) {
      return {
        findings: [databaseFailure(`${database.location} is missing or empty, ${notEmpty}`)],
        upToDate: false,
      }
    }
    const message = none
      ? `the database ${database.location} has no tables yet: the first start creates them`
      : `${pending.length} of ${all} pending; later checks were skipped`
    const advice = `back up, then: vidimus migrate${configurationArgument(file)}; every start does this too`
    const finding: Finding = none ? { name, level: 'ok', message } : { name, level: 'warn', message, advice }
    return { findings: [finding], upToDate: false }
  } catch (error) {
    if (!isAgentError(error)) throw error
    return { findings: [databaseFailure(error.message)], upToDate: false }
  }
}

const databaseFailure = (message: string): Finding => ({
  name: 'database',
  level: 'fail',
  message,
  advice: 'see "Troubleshooting" in docs/operations.md',
})
