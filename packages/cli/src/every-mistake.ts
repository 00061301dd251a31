import { type Command, InvalidArgumentError, type Option } from 'commander'

/**
 * Has a command line tell every mistake in the options of a command at once, where Commander ends at the first.
 *
 * @param program - with all of its commands
 */
export function tellEveryMistake(program: Command): void {
  const mistakes: string[] = []
  const required = new Map<Command, readonly Option[]>()
  for (const command of allOf(program)) {
    for (const option of command.options) gather(option, mistakes)
    required.set(
      command,
      command.options.filter(({ mandatory }) => mandatory),
    )
    for (const option of command.options) option.mandatory = false
  }
  program.hook('preAction', (_program, command) => {
    const missing = (required.get(command) ?? []).filter(
      (option) => command.getOptionValue(option.attributeName()) === undefined,
    )
    const notGiven = missing
      .filter(({ flags }) => !mistakes.some((mistake) => mistake.startsWith(`option '${flags}'`)))
      .map(({ flags }) => `required option '${flags}' not specified`)
    const all = [...mistakes, ...notGiven].map((mistake) => `error: ${mistake}`)
    if (all.length > 0) command.error(all.join('\n'), { code: 'commander.invalidArgument' })
  })
}

const allOf = (command: Command): Command[] => [command, ...command.commands.flatMap(allOf)]

function gather(option: Option, mistakes: string[]): void {
  const { parseArg, flags } = option
  if (!parseArg) return
  option.parseArg = <T>(text: string, before: T): T => {
    try {
      return parseArg(text, before)
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error
      mistakes.push(`option '${flags}' argument '${text}' is invalid. ${error.message}`)
      return before
    }
  }
}
