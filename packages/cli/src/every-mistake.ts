import { nearest } from '@vidimus/core-types'
import { type Argument, type Command, InvalidArgumentError, type Option } from 'commander'

/**
 * Makes a command line report every error in its input at once; Commander ends at the first.
 *
 * @param program - with all of its commands
 */
export function tellEveryMistake(program: Command): void {
  for (const command of lowestCommands(program)) gatherMistakes(command)
}

/** The commands that do something; the others have commands below them, which an unknown word leaves unknown. */
const lowestCommands = (command: Command): Command[] =>
  command.commands.length > 0 ? command.commands.flatMap(lowestCommands) : [command]

function gatherMistakes(command: Command): void {
  const mistakes: string[] = []
  const required = command.options.filter(({ mandatory }) => mandatory)
  for (const option of command.options) {
    option.mandatory = false
    gatherInvalid(option, mistakes, (text) => `option '${option.flags}' argument '${text}' is invalid`)
  }
  for (const argument of command.registeredArguments)
    gatherInvalid(argument, mistakes, (text) => `'${text}' is invalid for argument '${argument.name()}'`)
  gatherUnknown(command, mistakes)
  const end = command.error.bind(command)
  // If not stopped, Commander continues and checks everything before the action.
  command.error = ((mistake: string) => void mistakes.push(mistake)) as Command['error']
  command.hook('preAction', () => {
    command.error = end
    const missing = required
      .filter((option) => command.getOptionValue(option.attributeName()) === undefined)
      .filter(({ flags }) => !mistakes.some((mistake) => mistake.startsWith(`error: option '${flags}'`)))
      .map(({ flags }) => `error: required option '${flags}' not specified`)
    const all = [...mistakes, ...missing]
    if (all.length > 0) end(all.join('\n'), { code: 'commander.invalidArgument' })
  })
}

function gatherInvalid(
  parsed: Pick<Option | Argument, 'parseArg'>,
  mistakes: string[],
  sentence: (text: string) => string,
): void {
  const { parseArg } = parsed
  if (!parseArg) return
  parsed.parseArg = <T>(text: string | undefined, before: T): T => {
    // omitted, as Commander has reported it
    if (text === undefined) return before
    try {
      return parseArg(text, before)
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error
      mistakes.push(`error: ${sentence(text)}. ${error.message}`)
      return before
    }
  }
}

/** The word after an unknown option may be its value: it counts as an argument only if one is missing. */
function gatherUnknown(command: Command, mistakes: string[]): void {
  const parse = command.parseOptions.bind(command)
  command.parseOptions = (args) => {
    const { operands, unknown } = parse(args)
    const end = unknown.includes('--') ? unknown.indexOf('--') : unknown.length
    const flags = unknown.slice(0, end).filter((text) => /^-[^\d]/.test(text))
    if (flags.length === 0 || flags.some((flag) => isHelp(flag, command))) return { operands, unknown }
    mistakes.push(...flags.map((flag) => unknownOption(flag, command)))
    command.allowExcessArguments()
    const others = unknown.filter((text, at) => at > end || (at < end && !flags.includes(text)))
    return { operands: [...operands, ...others], unknown: [] }
  }
}

const visibleOptions = (command: Command) => command.createHelp().visibleOptions(command)

const isHelp = (flag: string, command: Command) =>
  visibleOptions(command).some(
    (option) => option.attributeName() === 'help' && [option.long, option.short].includes(flag),
  )

function unknownOption(text: string, command: Command): string {
  const [flag = text] = text.split('=')
  const known = visibleOptions(command).flatMap(({ long }) => long ?? [])
  const near = nearest(flag, known)
  return `error: unknown option '${flag}'${near === undefined ? '' : `\n(Did you mean ${near}?)`}`
}
