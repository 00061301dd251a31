import { constants } from 'node:os'
import { basename } from 'node:path'
import type { Accounts } from '@vidimus/accounts'
import type { DIDCreationRecovery } from '@vidimus/custody'
import type { Configuration } from '@vidimus/agent-config/loading'
import { isAgentError, log, type AnyAgent } from '@vidimus/core-types'
import type { Database } from '@vidimus/database'
import type { RemoteServer } from '@vidimus/remote-server'
import { Command } from 'commander'
import { banner, type StartedService } from '../banner.js'
import { releaseMemoryWhenIdle } from '../idle-memory.js'
import { configurationOption, newDatabaseOption, openConfiguration, readOnlyOption } from '../installation.js'
import { expectDatabase } from '../lost-database.js'
import { tellOfInstallation } from '../running-installation.js'
import { tellingMigrations } from '../migrations-progress.js'
import { writeFirstConfiguration } from '../new-configuration.js'
import { refuseForgetful } from '../restored/ahead.js'
import { watchRequests } from '../requests-watch.js'
import { version } from '../version.js'
import { startWatchdog } from '../watchdog.js'

/** `vidimus start` */
export const startCommand = () =>
  new Command('start')
    .description('run the service')
    .addOption(configurationOption())
    .addOption(newDatabaseOption().conflicts('readOnly'))
    .addOption(readOnlyOption())
    .action(start)

async function start(options: { config: string; newDatabase?: boolean; readOnly?: boolean }): Promise<void> {
  // A failed background task has no caller to report to; it must not fail the requests of others.
  process.on('unhandledRejection', (reason) => {
    const isKept = log('error', 'a background task failed', {}, reason)
    if (!isKept) console.error('vidimus: a background task failed:', reason)
  })
  const signals = endOnSignal()
  const isNew = !options.readOnly && (await writeFirstConfiguration(options.config))
  if (isNew) console.error(`note: there was no ${options.config} in this folder, so a new one was written`)
  const configuration = await openConfiguration(options.config)
  const [agent, accounts, database, server] = (await configuration.build(
    '/agent',
    '/accounts',
    '/database',
    '/server',
  )) as [AnyAgent, Accounts, Database, RemoteServer]
  if (options.readOnly) {
    database.serveReadsOnly()
    server.serveReadsOnly()
  }
  if (!options.newDatabase) await expectDatabase(configuration, () => openConfiguration(options.config))
  for (const notice of configuration.notices) console.error(`note: ${notice}`)
  server.openLog()
  startWatchdog(server.watchdogMs)
  try {
    await tellingMigrations(database, () => configuration.start([database]))
    if (!options.readOnly) await refuseForgetful(configuration, database)
    await configuration.start()
    const firstKey = options.readOnly ? undefined : await accounts.firstStart()
    server.useChecks(() => configuration.check())
    server.useMeasurements(() => configuration.measurements)
    tellOfInstallation(configuration, database, options.config)
    const addresses = await server.listen()
    watchRequests(server)
    releaseMemoryWhenIdle()
    // Nothing waits for it: a request for a DID or an alias that it concerns resolves that itself.
    if (!options.readOnly) {
      void recover(agent)
      void begin(agent, 'statusListRenew')
      void begin(agent, 'didRotationContinue')
      void begin(agent, 'statusListJobsContinue')
      void begin(agent, 'operatorDeletionsContinue')
    }
    const networks = await listNetworks(agent)
    // Before the banner: a program that waits for the banner may send a signal at once.
    signals.finishFirst(configuration)
    console.log(
      banner({ ...whatRuns(configuration, database), networks, ...addresses, ...(firstKey && { firstKey }) }),
    )
  } catch (error) {
    await configuration.stop()
    throw error
  }
}

const whatRuns = (configuration: Configuration, database: Database) => ({
  version: version(),
  configurationFile: basename(configuration.file),
  database: database.location,
  readsOnly: database.isReadOnly,
  migrations: database.appliedMigrations,
})

/** Completes or undoes the creations and changes of DIDs that were left half-done, now and from then on. */
async function recover(agent: AnyAgent): Promise<void> {
  if (!agent.availableMethods().includes('didCreationRecover')) return
  try {
    const { completed, undone, left } = await agent.execute<object, DIDCreationRecovery>(
      'didCreationRecover',
      {},
    )
    if (completed + undone + left === 0) return
    console.error(
      `note: interrupted DID creations and changes: ${completed} completed, ${undone} undone, ${left} left for later`,
    )
  } catch (error) {
    if (!isAgentError(error)) throw error
    console.error(`note: interrupted DID creations and changes will be recovered later: ${error.message}`)
  }
}

/** Work that now runs in the background; it retries what fails at first. */
async function begin(agent: AnyAgent, method: string): Promise<void> {
  if (!agent.availableMethods().includes(method)) return
  try {
    await agent.execute<object, unknown>(method, {})
  } catch (error) {
    if (!isAgentError(error)) throw error
    log('warn', 'a background task failed and will be retried', { work: method }, error)
  }
}

async function listNetworks(agent: AnyAgent): Promise<StartedService['networks']> {
  if (!agent.availableMethods().includes('cheqdNetworks')) return []
  return agent.execute<object, StartedService['networks']>('cheqdNetworks', {})
}

/**
 * While the service starts, a signal ends it at once: the next start completes half-done work. Once it runs, the
 * first signal lets accepted requests finish, and the second ends it at once.
 *
 * Both are set here, as the first process of a container has no default for signals.
 */
function endOnSignal(): { finishFirst(running: Configuration): void } {
  let running: Configuration | undefined
  let stopping = false
  const stop = (signal: 'SIGTERM' | 'SIGINT') => {
    if (stopping || !running) process.exit(128 + constants.signals[signal])
    stopping = true
    console.error(`${signal}: finishing accepted requests; send it again to stop immediately`)
    running.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  return { finishFirst: (configuration) => (running = configuration) }
}
