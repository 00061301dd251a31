import { Command, InvalidArgumentError } from 'commander'
import { configurationOption } from '../installation.js'
import { harmlessJson } from '../harmless.js'
import { restoreText } from '../restored/restore-report.js'

interface Options {
  config: string
  yes?: boolean
  allocated?: number
  list: string[]
  revokeKey: string[]
  json?: boolean
}

/** `vidimus restored` */
export const restoredCommand = () =>
  new Command('restored')
    .description(
      'prepare a database that was restored from a backup: take over what was published since, and skip the indices that ' +
        'were allocated since. Without --yes it only shows what it would do. If interrupted, run it again to continue',
    )
    .option('--yes', 'do it; no service may be running on the database')
    .option(
      '--allocated <n>',
      'no list has allocated more than n indices since the backup; default: unknown, then half of what is left is skipped',
      wholeNumber,
    )
    .option('--list <file>', 'a published list: JWT, CWT or JSON; repeatable', collected, [])
    .option('--revoke-key <id>', 'API key that was revoked since the backup; repeatable', collected, [])
    .addOption(configurationOption())
    .option('--json', 'print JSON')
    .action(restored)

async function restored({ config, yes = false, allocated, list, revokeKey, json }: Options): Promise<void> {
  // Loaded here, so that the other commands start faster.
  const { restoreInstallation } = await import('../restored/restore-installation.js')
  const report = await restoreInstallation({
    file: config,
    yes,
    most: allocated,
    copies: list,
    revoke: [...new Set(revokeKey)],
  })
  console.log(json ? harmlessJson(report) : restoreText(report))
}

const collected = (value: string, before: string[]): string[] => [...before, value]

function wholeNumber(text: string): number {
  const number = Number(text)
  if (/^\d{1,15}$/.test(text)) return number
  throw new InvalidArgumentError('It must be a whole number.')
}
