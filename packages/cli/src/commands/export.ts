import { resolve } from 'node:path'
import { AgentError } from '@vidimus/core-types'
import type { Database } from '@vidimus/database'
import type { ExportSummary } from '@vidimus/database-archive'
import { Command } from 'commander'
import { configurationOption, withClosedDatabase } from '../installation.js'
import { readPassphrase } from '../passphrase.js'
import { ProgressLine } from '../progress.js'
import { printOutcome, quietOption, showsProgress } from '../quiet.js'

interface Options {
  config: string
  file: string
  passphraseFile?: string
  json?: boolean
  quiet?: boolean
}

/** `vidimus export`: everything that the database holds, in one encrypted file. */
export const exportCommand = () =>
  new Command('export')
    .description(
      'export the whole database to an encrypted archive, even while the service runs; ' +
        'the encryption secret is not included',
    )
    .addOption(configurationOption())
    .requiredOption('-f, --file <archive>', 'archive to write; must not exist')
    .option(
      '--passphrase-file <file>',
      'file with the passphrase of the archive, "-" for standard input; by default prompts for it',
    )
    .option('--json', 'print JSON')
    .addOption(quietOption())
    .action(run)

async function run(options: Options): Promise<void> {
  const { exportDatabase } = await import('@vidimus/database-archive')
  let progress: ProgressLine | undefined
  const interruption = new AbortController()
  const interrupt = () => interruption.abort()
  try {
    const summary = await withClosedDatabase(options.config, async ({ database }) => {
      await demandMigrated(database)
      const passphrase = await readPassphrase(
        { file: options.passphraseFile, repeated: true },
        { input: process.stdin, output: process.stderr },
      )
      process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
      await database.lifecycle.start()
      if (showsProgress(options)) progress = new ProgressLine(process.stderr)
      return exportDatabase({
        database,
        file: resolve(options.file),
        passphrase,
        signal: interruption.signal,
        onProgress: ({ table, done, total }) => progress?.show({ subject: `reading ${table}`, done, total }),
      })
    })
    progress?.end()
    printOutcome(options, summary, exported)
  } finally {
    progress?.end()
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
  }
}

/** Opening it would migrate it, which is for the start of the service to do. */
async function demandMigrated(database: Database): Promise<void> {
  const pending = await database.pendingMigrations()
  if (pending.length === 0) return
  throw new AgentError(
    'invalid_input',
    `the database ${database.location} lacks tables of this version: start the service once, or ` +
      'export with the version that it belongs to',
  )
}

const exported = ({ file, tables, rows, sha256 }: ExportSummary): string =>
  [
    `Exported ${rows} rows of ${tables} tables to ${file}`,
    `  content ${sha256}`,
    'The encryption secret is not included: private keys can only be decrypted with the secret of this installation (docs/secret.md).',
  ].join('\n')
