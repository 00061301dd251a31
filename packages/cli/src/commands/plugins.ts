import type { InspectedPart, PartRole } from '@vidimus/agent-config/loading'
import { Command } from 'commander'
import { harmlessJson } from '../harmless.js'
import { configurationOption, openConfiguration } from '../installation.js'
import { table } from '../table.js'

interface Options {
  config: string
  json?: boolean
}

/** `vidimus plugins`: what agent.yml makes an agent of, without starting anything. */
export const pluginsCommand = () =>
  new Command('plugins')
    .description('list the configured plugins and report configuration errors with line numbers')
    .addOption(configurationOption())
    .option('--json', 'print JSON')
    .action(plugins)

async function plugins(options: Options): Promise<void> {
  const { ConfigurationError } = await import('@vidimus/agent-config/loading')
  const { parts, problems } = await (await openConfiguration(options.config)).inspect()
  if (options.json) console.log(harmlessJson({ parts, problems }))
  else if (parts.length > 0) console.log(listing(parts))
  // With its exit code; what could be built was listed above.
  if (problems.length > 0) throw new ConfigurationError(problems)
}

const TITLES: readonly [PartRole, string][] = [
  ['provider', 'PROVIDER'],
  ['resolver', 'RESOLVER'],
  ['kms', 'KMS'],
  ['list type', 'LIST TYPE'],
  ['ledger', 'LEDGER'],
]

const LINE_LENGTH = 110

function listing(parts: readonly InspectedPart[]): string {
  const plugins = parts.filter(({ role }) => role === 'plugin')
  const tables = TITLES.flatMap(([role, title]) => {
    const rows = parts.filter((part) => part.role === role).map((part) => [part.name ?? '', ...origin(part)])
    return rows.length > 0 ? [table([title, 'FROM', 'VERSION', 'WHERE'], rows)] : []
  })
  return [...plugins.map(pluginText), ...tables].join('\n\n')
}

function pluginText(part: InspectedPart): string {
  const { methods = [], events = [] } = part
  const [from, version, where] = origin(part)
  return [
    [from, version, where].filter((cell) => cell !== '').join('  '),
    ...wrapped(methods),
    ...wrapped(events.map((event) => `listens to ${event}`)),
  ].join('\n')
}

const origin = ({ module, member, version, file, line, column }: InspectedPart) => [
  member === undefined ? module : `${module}#${member}`,
  version ?? '',
  `${file}:${line}:${column}`,
]

function wrapped(words: readonly string[]): string[] {
  return words.reduce<string[]>((lines, word) => {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length + 2 <= LINE_LENGTH) {
      return [...lines.slice(0, -1), `${last}, ${word}`]
    }
    return [...lines, `    ${word}`]
  }, [])
}
