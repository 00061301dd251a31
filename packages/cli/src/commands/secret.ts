import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { AgentError, fileObstacle, systemCodeOf, queueName, type SealedStore } from '@vidimus/core-types'
import type { Rotation } from '@vidimus/kms-node'
import { Command, InvalidArgumentError } from 'commander'
import { harmlessJson } from '../harmless.js'
import { configurationOption, withSealedStores, type SealedInstallation } from '../installation.js'
import { ProgressLine } from '../progress.js'
import { printOutcome, quietOption, showsProgress } from '../quiet.js'
import { table } from '../table.js'

interface Options {
  config: string
  json?: boolean
  quiet?: boolean
}

interface RotateOptions extends Options {
  newSecret?: string
  keepOld?: boolean
  batch: number
}

const LOCK = queueName('secret-rotation')
const MOST_IN_BATCH = 10_000

/** `vidimus secret rotate|status`: the secret that private keys at rest are sealed with. */
export function secretCommand(): Command {
  const secret = new Command('secret').description('manage the encryption secret')
  secret
    .command('rotate')
    .description(
      're-encrypt everything under a new secret, even while the service runs; run it again to continue',
    )
    .addOption(configurationOption())
    .option('--new-secret <file>', 'file with the new secret, "-" for standard input; default: a random one')
    .option('--keep-old', 'keep a copy of the old secret, for earlier backups of the database')
    .option('--batch <n>', 'texts per transaction', batchSize, 100)
    .option('--json', 'print JSON')
    .addOption(quietOption())
    .action(rotate)
  secret
    .command('status')
    .description('list the secrets by id, and how much is sealed with each')
    .addOption(configurationOption())
    .option('--json', 'print JSON')
    .action(status)
  return secret
}

async function rotate(options: RotateOptions): Promise<void> {
  const { rotateSecret } = await import('@vidimus/kms-node')
  const secret = options.newSecret === undefined ? undefined : await readSecret(options.newSecret)
  const progress = showsProgress(options) ? new ProgressLine(process.stderr) : undefined
  const interruption = new AbortController()
  const interrupt = () => interruption.abort()
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  try {
    const rotation = await withSealedStores(options.config, (installation) =>
      alone(installation, () =>
        rotateSecret({
          stores: installation.stores,
          ...(secret !== undefined && { secret }),
          keepOld: options.keepOld ?? false,
          most: options.batch,
          signal: interruption.signal,
          onResealed: (secrets) => record(installation, secrets),
          onProgress: ({ store, resealed, total }) =>
            progress?.show({ subject: store, done: resealed, total }),
        }),
      ),
    )
    progress?.end()
    printOutcome(options, rotation ?? null, (done) =>
      done ? rotated(done, options.keepOld ?? false) : NOTHING_YET,
    )
  } finally {
    progress?.end()
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
  }
}

const NOTHING_YET = 'No secret yet: the first start of the service creates one.'

async function record(
  { audit }: SealedInstallation,
  { keyId, previous }: Pick<Rotation, 'keyId' | 'previous'>,
): Promise<void> {
  if (previous.length === 0) return
  const detail = `in place of ${previous.join(', ')}`
  await audit?.recordFirst({ event: 'secret-rotated', subject: keyId, detail })
}

/** Two at once would each take the other's new secret for the old one. */
async function alone<T>({ database }: SealedInstallation, work: () => Promise<T>): Promise<T> {
  const release = await database.lock(LOCK)
  if (!release) {
    throw new AgentError('unavailable', 'another process is already rotating the secret of this installation')
  }
  try {
    return await work()
  } finally {
    await release()
  }
}

function rotated({ keyId, previous, resumed, stores, kept, advice }: Rotation, keepOld: boolean): string {
  const before = previous.length > 0 ? ` in place of ${previous.join(', ')}` : ''
  const backups = keepOld
    ? kept.map((file) => `The old one is in ${file}, for backups of the database made before.`)
    : ['Earlier backups of the database require the old secret; the new one does not decrypt them.']
  return [
    `${resumed ? 'The interrupted rotation was completed' : 'Rotated'}: the secret is ${keyId} now${before}.`,
    ...stores.map(({ name, resealed }) => `  ${name}: ${resealed} re-encrypted`),
    ...(advice === undefined ? backups : [`${advice}.`]),
  ].join('\n')
}

interface SecretStatus {
  origin: string
  /** the current one first */
  keyIds: readonly string[]
  stores: { name: string; sealed: Record<string, number> }[]
}

async function status(options: Options): Promise<void> {
  const found = await withSealedStores(options.config, ({ stores }) => readStatus(stores))
  if (options.json) {
    console.log(harmlessJson(found))
    return
  }
  const { origin, keyIds, stores } = found
  const rows = stores.flatMap(({ name, sealed }) =>
    Object.entries(sealed).map(([keyId, texts]) => [keyId, name, String(texts)]),
  )
  console.log(`Current: ${keyIds[0] ?? 'none yet'}, from ${origin}`)
  if (keyIds.length > 1) {
    console.log(`Before it: ${keyIds.slice(1).join(', ')}. Finish with: vidimus secret rotate`)
  }
  console.log(table(['SECRET', 'WHAT', 'TEXTS'], rows))
}

async function readStatus(stores: readonly SealedStore[]): Promise<SecretStatus> {
  const [first] = stores
  const counts: SecretStatus['stores'] = []
  for (const store of stores) {
    counts.push({ name: store.name, sealed: Object.fromEntries(await store.countSealed()) })
  }
  const { origin = '', keyIds = [] } = first?.envelope ?? {}
  return { origin, keyIds, stores: counts }
}

async function readSecret(file: string): Promise<string> {
  try {
    return (file === '-' ? await text(process.stdin) : await readFile(file, 'utf8')).trim()
  } catch (error) {
    const code = systemCodeOf(error)
    if (code === undefined) throw error
    throw new AgentError('invalid_configuration', fileObstacle(file, code, 'read'))
  }
}

function batchSize(text: string): number {
  const size = Number(text)
  if (Number.isInteger(size) && size >= 1 && size <= MOST_IN_BATCH) return size
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${MOST_IN_BATCH}.`)
}
