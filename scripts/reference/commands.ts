import type { Argument, Command, Option } from 'commander'
import { commandLine } from '../../packages/cli/src/main.js'
import { remoteOperations } from '../../packages/cli/src/remote/remote-command-line.js'
import { pathNames } from '../../packages/cli/src/remote/words.js'
import { code, table } from './markdown.js'

/** `docs/reference/commands.md`: the command line's own description of itself. */
export const commandsPage = (): string =>
  [
    '# The command line',
    'In a clone `npx vidimus <command>`; in the container image `vidimus <command>`. `--help` tells the same for each command.',
    'Exit codes: 0 done, 1 failed, 2 the configuration or the command line has mistakes; those of `vidimus doctor` tell what it found ([operations.md](../operations.md#troubleshooting)). Commands read the same `agent.yml` and the same [environment](../settings.md) as the service.',
    ...commandLine().commands.flatMap((command) => commandSections(command, ['vidimus'])),
    '## A service elsewhere',
    'With `--url` or `VIDIMUS_URL`: see [remote-command-line.md](../remote-command-line.md).',
    table(
      ['command', 'operation', 'meaning'],
      remoteOperations.map(({ operation, words }) => [
        code(['vidimus', ...words, ...pathNames(operation).map((name) => `<${name}>`)].join(' ')),
        code(`${operation.method.toUpperCase()} ${operation.path}`),
        operation.summary,
      ]),
    ),
  ].join('\n\n')

function commandSections(command: Command, above: readonly string[]): string[] {
  const path = [...above, command.name()]
  if (command.commands.length > 0) return command.commands.flatMap((below) => commandSections(below, path))
  const rows = [...command.registeredArguments.map(argumentRow), ...command.options.map(optionRow)]
  return [
    `## \`${path.join(' ')}\``,
    `${sentence(command.description())}`,
    '`' + [path.join(' '), command.usage()].join(' ') + '`',
    table(['option', 'meaning', 'choices', 'default'], rows),
  ]
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

const argumentRow = (argument: Argument): string[] => [
  code(argument.required ? `<${argument.name()}>` : `[${argument.name()}]`),
  argument.description,
  (argument.argChoices ?? []).map(code).join(', '),
  shown(argument.defaultValue),
]

const optionRow = (option: Option): string[] => [
  code(option.flags),
  `${option.description}${option.mandatory ? ' (needed)' : ''}`,
  (option.argChoices ?? []).map(code).join(', '),
  shown(option.defaultValue),
]

const shown = (value: unknown): string =>
  value === undefined ? '' : code(typeof value === 'string' ? value : JSON.stringify(value))
