import { worstLevel, type Finding, type FindingLevel } from '@vidimus/core-types'
import { Command } from 'commander'
import { harmless, harmlessJson } from '../harmless.js'
import { configurationOption, readOnlyOption } from '../installation.js'
import { coloured } from '../colour.js'

interface Options {
  config: string
  json?: boolean
  readOnly?: boolean
}

const EXIT_CODES: Readonly<Record<FindingLevel, number>> = { ok: 0, warn: 1, fail: 2 }
const COLOURS = { ok: 'green', warn: 'yellow', fail: 'red' } as const

/** `vidimus doctor` */
export const doctorCommand = () =>
  new Command('doctor')
    .description('check the installation and suggest fixes, without changing anything')
    .addOption(configurationOption())
    .option('--json', 'print JSON')
    .addOption(readOnlyOption())
    .addHelpText(
      'after',
      '\nExit codes: 0 all is well, 1 something needs attention (warn), 2 something is wrong (fail).',
    )
    .action(doctor)

async function doctor({ config, json, readOnly = false }: Options): Promise<void> {
  // Loaded here, so that the other commands start faster.
  const { examine } = await import('../doctor/examine.js')
  const findings = await examine(config, { readOnly })
  const level = worstLevel(findings)
  console.log(json ? harmlessJson({ level, findings }) : table(findings))
  process.exitCode = EXIT_CODES[level]
}

function table(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ name }) => name.length))
  return findings.map((finding) => row(finding, width)).join('\n')
}

function row({ name, level, message, advice }: Finding, width: number): string {
  const line = `${coloured(COLOURS[level], level.padEnd(4))}  ${name.padEnd(width)}  ${harmless(message)}`
  return advice === undefined ? line : `${line}\n${' '.repeat(width + 8)}${harmless(advice)}`
}
