import {
  runInAccountScope,
  type Account,
  type AnyAgent,
  type CredentialRegisterImportArgs,
  type CredentialRegisterImportResult,
} from '@vidimus/core-types'
import { Command } from 'commander'
import { harmless } from '../harmless.js'
import { configurationOption, withAgent } from '../installation.js'
import { ProgressLine } from '../progress.js'
import { printOutcome, quietOption, showsProgress } from '../quiet.js'
import { readRegisterFile, REGISTER_COLUMNS, fileSize, type RegisterRow } from '../register-file.js'

interface Options {
  config: string
  account: string
  json?: boolean
  quiet?: boolean
}

interface Summary {
  registered: number
  known: number
  refused: number
}

/** `vidimus register import` */
export function registerCommand(): Command {
  const register = new Command('register').description(
    'the register of the credentials that accounts have issued',
  )
  register
    .command('import <file>')
    .description(
      'register credentials that were issued before or elsewhere, from a CSV file with the header ' +
        `${REGISTER_COLUMNS.join(',')}. Repeating it has no effect; rejected rows are printed, and the exit code is 1`,
    )
    .requiredOption('--account <name>', 'account of the credentials')
    .addOption(configurationOption())
    .option('--json', 'print JSON')
    .addOption(quietOption())
    .action(importFile)
  return register
}

async function importFile(file: string, options: Options): Promise<void> {
  const total = await fileSize(file)
  const progress = showsProgress(options) ? new ProgressLine(process.stderr) : undefined
  const summary: Summary = { registered: 0, known: 0, refused: 0 }
  try {
    await withAgent(options.config, async ({ agent, accounts }) => {
      const account = await accounts.get(options.account)
      for await (const { rows, bytes } of readRegisterFile(file)) {
        add(summary, await registered(rows, account, agent))
        progress?.show({ subject: 'bytes', done: bytes, total })
      }
    })
  } finally {
    progress?.end()
  }
  printOutcome(options, summary, importOutcome)
  if (summary.refused > 0) process.exitCode = 1
}

/** Each refused row is reported at once, as there may be millions. */
async function registered(rows: readonly RegisterRow[], account: Account, agent: AnyAgent): Promise<Summary> {
  const good = rows.filter(({ problem }) => problem === undefined)
  const result = await runInAccountScope(account, () =>
    agent.execute<CredentialRegisterImportArgs, CredentialRegisterImportResult>('credentialRegisterImport', {
      credentials: good.map(({ credential }) => credential),
    }),
  )
  const refused = [
    ...rows.flatMap(({ line, problem }) => (problem === undefined ? [] : [{ line, message: problem }])),
    ...result.refused.map(({ n, message }) => ({ line: good[n]?.line ?? 0, message })),
  ].sort((a, b) => a.line - b.line)
  for (const { line, message } of refused) console.error(harmless(`line ${line}: ${message}`))
  return { registered: result.registered, known: result.known, refused: refused.length }
}

function add(summary: Summary, { registered, known, refused }: Summary): void {
  summary.registered += registered
  summary.known += known
  summary.refused += refused
}

const importOutcome = ({ registered, known, refused }: Summary): string =>
  `${registered} credentials registered, ${known} already there, ${refused} rows rejected`
