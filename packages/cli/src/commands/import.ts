import { resolve } from 'node:path'
import type { ImportSummary } from '@vidimus/database-archive'
import { Command, InvalidArgumentError } from 'commander'
import { configurationOption, withClosedDatabase } from '../installation.js'
import { readPassphrase } from '../passphrase.js'
import { ProgressSteps } from '../progress.js'
import { printOutcome, quietOption, showsProgress } from '../quiet.js'

interface Options {
  config: string
  file: string
  passphraseFile?: string
  batch: number
  json?: boolean
  quiet?: boolean
}

const MOST_IN_BATCH = 10_000

/** `vidimus import`: fills an empty database from an archive of `vidimus export`. */
export const importCommand = () =>
  new Command('import')
    .description(
      'import an archive into an empty database; an interrupted import starts over. ' +
        'Requires the encryption secret of the exported installation',
    )
    .addOption(configurationOption())
    .requiredOption('-f, --file <archive>', 'archive written by `vidimus export`')
    .option(
      '--passphrase-file <file>',
      'file with the passphrase of the archive, "-" for standard input; by default prompts for it',
    )
    .option('--batch <n>', 'rows per transaction', batchSize, 1_000)
    .option('--json', 'print JSON')
    .addOption(quietOption())
    .action(run)

async function run(options: Options): Promise<void> {
  const { importArchive } = await import('@vidimus/database-archive')
  const progress = showsProgress(options) ? new ProgressSteps(process.stderr) : undefined
  try {
    const passphrase = await readPassphrase(
      { file: options.passphraseFile, repeated: false },
      { input: process.stdin, output: process.stderr },
    )
    const summary = await withClosedDatabase(options.config, ({ database, stores }) =>
      importArchive({
        database,
        stores,
        file: resolve(options.file),
        passphrase,
        most: options.batch,
        onProgress: ({ step, table, done, total }) =>
          progress?.show(step, { subject: `${step} ${table}`, done, total }),
      }),
    )
    progress?.end()
    printOutcome(options, summary, imported)
  } finally {
    progress?.end()
  }
}

function imported({ file, database, tables, rows, startedOver, unchanged }: ImportSummary): string {
  const what = `${rows} rows of ${tables} tables`
  if (unchanged)
    return `The database ${database} already contains all of ${file}, ${what}; nothing was changed.`
  const how = startedOver ? 'An interrupted import was dropped. Imported' : 'Imported'
  return `${how}: ${what}, all verified against ${file}. The service can now be started on ${database}.`
}

function batchSize(text: string): number {
  const size = Number(text)
  if (Number.isInteger(size) && size >= 1 && size <= MOST_IN_BATCH) return size
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${MOST_IN_BATCH}.`)
}
