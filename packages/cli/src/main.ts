import { processVariable } from '@vidimus/agent-config/environment'
import { Command, CommanderError } from 'commander'
import type { ConfigurationError } from '@vidimus/agent-config/loading'
import type { ApiError } from '@vidimus/client'
import { isAgentError } from '@vidimus/core-types'
import { accountCommand } from './commands/account.js'
import { auditCommand } from './commands/audit.js'
import { sessionCommand } from './commands/session.js'
import { databaseCommand } from './commands/database.js'
import { didCommand } from './commands/did.js'
import { doctorCommand } from './commands/doctor.js'
import { exportCommand } from './commands/export.js'
import { importCommand } from './commands/import.js'
import { initCommand } from './commands/init.js'
import { keyCommand } from './commands/key.js'
import { loginCommand, logoutCommand } from './commands/login.js'
import { migrateCommand } from './commands/migrate.js'
import { pluginCommand } from './commands/plugin.js'
import { pluginsCommand } from './commands/plugins.js'
import { publishCommand } from './commands/publish.js'
import { registerCommand } from './commands/register.js'
import { restoredCommand } from './commands/restored.js'
import { revokeCommand } from './commands/revoke.js'
import { secretCommand } from './commands/secret.js'
import { startCommand } from './commands/start.js'
import { webhookCommand } from './commands/webhook.js'
import { workCommand } from './commands/work.js'
import { tellEveryMistake } from './every-mistake.js'
import { version } from './version.js'
import { harmless } from './harmless.js'

/**
 * Runs the command line.
 *
 * Exit codes: 0 done, 1 failed, 2 errors in the configuration or the command line.
 *
 * @param argv - as in `process.argv`
 */
export async function main(argv: readonly string[]): Promise<void> {
  const program = (await remoteProgram(argv)) ?? commandLine()
  tellEveryMistake(program)
  try {
    await program.parseAsync([...argv])
  } catch (error) {
    process.exitCode = error instanceof CommanderError ? usageExitCode(error) : reportFailure(error)
  }
}

/** Not remote, whatever the environment says. */
const SIGNING_IN = ['login', 'logout']

/** The command line of a service elsewhere, if `--url` or the environment names one and it has the command. */
async function remoteProgram(argv: readonly string[]): Promise<Command | undefined> {
  const words = argv.slice(2)
  if (SIGNING_IN.includes(words[0] ?? '')) return undefined
  const isNamed = words.some((word) => /^--url(=|$)/.test(word))
  if (!isNamed && (words.length === 0 || !(await isInEnvironment()))) return undefined
  // Loaded here: local commands do not wait for the operations.
  const { isRemoteCommand, remoteCommandLine } = await import('./remote/remote-command-line.js')
  return isNamed || isRemoteCommand(words.filter((word) => !word.startsWith('-')))
    ? remoteCommandLine()
    : undefined
}

/** Whether VIDIMUS_URL names a service, and there is a credential for it: VIDIMUS_API_KEY, or that of `vidimus login`. */
async function isInEnvironment(): Promise<boolean> {
  if (processVariable('VIDIMUS_URL').kind === 'unset') return false
  if (processVariable('VIDIMUS_API_KEY').kind !== 'unset') return true
  const [{ serviceUrl }, { storedLogin }] = await Promise.all([
    import('./remote/target.js'),
    import('./remote/token-file.js'),
  ])
  return (await storedLogin(serviceUrl({ allowHttp: true }))) !== undefined
}

/** All local commands with their descriptions, from which the reference in `docs/` is generated. */
export function commandLine(): Command {
  const program = new Command('vidimus')
    .description('Self-hosted identity service: DIDs, keys in custody, status lists and presentations')
    .addHelpText('after', '\nCommands of a service elsewhere: vidimus --url URL --help')
    .version(version())
    .showHelpAfterError('(see vidimus --help)')
    .exitOverride()
  const commands = [
    initCommand(),
    startCommand(),
    doctorCommand(),
    migrateCommand(),
    accountCommand(),
    keyCommand(),
    didCommand(),
    registerCommand(),
    revokeCommand(),
    secretCommand(),
    exportCommand(),
    importCommand(),
    restoredCommand(),
    databaseCommand(),
    pluginsCommand(),
    pluginCommand(),
    auditCommand(),
    sessionCommand(),
    webhookCommand(),
    workCommand(),
    publishCommand(),
    loginCommand(),
    logoutCommand(),
  ]
  for (const command of commands) {
    program.addCommand(inheriting(command, program))
  }
  return program
}

/** Commander hands settings to the commands that it creates itself; ours come with theirs below them. */
function inheriting(command: Command, parent: Command): Command {
  command.copyInheritedSettings(parent)
  for (const below of command.commands) inheriting(below, command)
  return command
}

// Commander has already printed its message; asking for help or the version is not an error.
const usageExitCode = (error: CommanderError) => (error.exitCode === 0 ? 0 : 2)

/**
 * Reports a failure in words for the operator: without a stack for known errors.
 *
 * @returns the exit code
 */
function reportFailure(error: unknown): 1 | 2 {
  if (isConfigurationError(error)) {
    console.error(error.message)
    return 2
  }
  if (isApiError(error)) {
    console.error(harmless(`vidimus: ${error.message}`))
    for (const { path, message } of error.details.slice(1)) console.error(harmless(`  ${path}: ${message}`))
    if (error.requestId !== undefined) console.error(harmless(`  request ${error.requestId}`))
    return 1
  }
  if (isAgentError(error)) {
    console.error(`vidimus: ${error.message}`)
    return error.code === 'invalid_configuration' ? 2 : 1
  }
  console.error('vidimus: internal error')
  console.error(error)
  return 1
}

/** What a service elsewhere answered. */
const isApiError = (error: unknown): error is ApiError => error instanceof Error && error.name === 'ApiError'

/** By its name: its class is loaded by the commands that read a configuration, and by no others. */
const isConfigurationError = (error: unknown): error is ConfigurationError =>
  error instanceof Error && error.name === 'ConfigurationError'
