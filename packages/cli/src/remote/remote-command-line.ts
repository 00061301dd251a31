import { isJsonObject } from '@vidimus/core-types'
import { operations, type Operation } from '@vidimus/remote-server/operations'
import { Command, Option } from 'commander'
import { harmlessJson, harmless } from '../harmless.js'
import { version } from '../version.js'
import { requestFields, type RequestField } from './fields.js'
import { sendRequest } from './send-request.js'
import { remoteTarget, type TargetOptions } from './target.js'
import { commandWords, isEveryday, pathNames } from './words.js'

/** Options of every remote command, before or after its words. */
interface RemoteOptions extends TargetOptions {
  json?: boolean
}

/** All operations of the REST API that have a command, with its words. */
export const remoteOperations: readonly { operation: Operation; words: readonly string[] }[] = operations
  .filter(isEveryday)
  .map((operation) => ({ operation, words: commandWords(operation) }))

/** The command line of a service elsewhere: one command for each operation of its REST API. */
export function remoteCommandLine(): Command {
  const program = new Command('vidimus')
    .description('A Vidimus service elsewhere, over its REST API')
    .version(version())
    .option('--url <url>', 'address of the service; default: VIDIMUS_URL')
    .option(
      '--api-key <key>',
      'API key; better in VIDIMUS_API_KEY or the file named by VIDIMUS_API_KEY_FILE, where other users cannot see it; default: the token of vidimus login',
    )
    .option('--allow-http', 'allow an http address that is not on this machine: the key is sent in clear')
    .option('--json', 'print JSON in one line')
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(see vidimus --url URL --help)')
    .exitOverride()
  for (const { operation, words } of remoteOperations) addCommand(program, operation, words)
  return program
}

/** Whether the first words of a command line are those of a remote command. */
export const isRemoteCommand = (words: readonly string[]): boolean =>
  remoteOperations.some((remote) => remote.words.every((word, n) => words[n] === word))

function addCommand(program: Command, operation: Operation, words: readonly string[]): void {
  const [verb = '', ...nouns] = [...words].reverse()
  const parent = nouns.reverse().reduce(commandBelow, program)
  const command = commandBelow(parent, verb).description(lowerFirst(operation.summary))
  for (const name of pathNames(operation)) command.argument(`<${name}>`)
  const fields = requestFields(operation, nouns.at(-1) ?? '')
  for (const field of fields) command.addOption(fieldOption(field))
  if (operation.body) {
    command.option('--body <file>', 'JSON file with the body, in place of its options; "-": standard input')
  }
  if (operation.streams) {
    command.option('--file <file>', `file to send, in place of a body: ${operation.streams.join(', ')}`)
  }
  if (operation.changes) command.option('--idempotency-key <key>', 'to repeat the request safely')
  command.action((...given: unknown[]) => run(operation, fields, given))
}

async function run(
  operation: Operation,
  fields: readonly RequestField[],
  given: readonly unknown[],
): Promise<void> {
  const command = given.at(-1) as Command
  const { json, ...target } = command.optsWithGlobals<RemoteOptions>()
  const result = await sendRequest(operation, fields, {
    arguments: command.args,
    options: command.opts(),
    client: await remoteTarget(target),
  })
  for (const warning of warningsIn(result)) console.error(harmless(`Warning: ${warning}`))
  if (typeof result === 'string') process.stdout.write(harmlessLines(result))
  else console.log(harmlessJson(result, json === true ? undefined : 2))
}

/** For people, beside the answer itself, which has them as well. */
const warningsIn = (result: unknown): string[] =>
  isJsonObject(result) && Array.isArray(result.warnings)
    ? result.warnings.flatMap((one: unknown) =>
        isJsonObject(one) && typeof one.message === 'string' ? [one.message] : [],
      )
    : []

const commandBelow = (parent: Command, name: string): Command => {
  const known = parent.commands.find((below) => below.name() === name)
  if (known) return known
  const made = new Command(name).copyInheritedSettings(parent)
  parent.addCommand(made)
  return made
}

function fieldOption({ option, kind, description, isRequired }: RequestField): Option {
  const value = { text: '<value>', boolean: '[true|false]', list: '<value...>', object: '<json>' }[kind]
  return new Option(`--${option} ${value}`, `${description}${isRequired ? ' (required)' : ''}`)
}

const harmlessLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => harmless(line))
    .join('\n')

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
