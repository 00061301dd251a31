import { AgentError } from '@vidimus/core-types'
import { Command, Option } from 'commander'
import { harmlessJson } from '../harmless.js'
import { configurationOption, withPublication } from '../installation.js'

interface Options {
  config: string
  all?: boolean
  verify?: boolean
  json?: boolean
}

/** Differences that are shown one by one. */
const MOST_SHOWN = 20

/** `vidimus publish --all|--verify`: the static publication, beside a running service or without one. */
export const publishCommand = () =>
  new Command('publish')
    .description('rewrite the static publication, or compare it with the ledger')
    .addOption(new Option('--all', 'rewrite everything').conflicts('verify'))
    .option('--verify', 'compare it with the ledger; exits with 1 if anything differs')
    .addOption(configurationOption())
    .option('--json', 'print JSON')
    .action(publish)

async function publish({ config, all, verify, json }: Options): Promise<void> {
  if (!all && !verify) throw new AgentError('invalid_configuration', 'specify --all or --verify')
  if (all) await publishAll(config, json)
  else await verifyAll(config, json)
}

async function publishAll(config: string, json: boolean | undefined): Promise<void> {
  const { place, ...result } = await withPublication(config, async (publication) => ({
    place: publication.place,
    ...(await publication.publishAll()),
  }))
  if (json) console.log(harmlessJson({ place, ...result }))
  else console.log(`${result.subjects - result.left} of ${result.subjects} republished: ${place}`)
  if (result.left === 0) return
  process.exitCode = 1
  if (!json)
    console.log(`${result.left} failed; the running service will retry. See its log for the reasons.`)
}

async function verifyAll(config: string, json: boolean | undefined): Promise<void> {
  const { place, ...found } = await withPublication(config, async (publication) => ({
    place: publication.place,
    ...(await publication.verify()),
  }))
  if (found.differences.length > 0) process.exitCode = 1
  if (json) {
    console.log(harmlessJson({ place, ...found }))
    return
  }
  const waiting = found.waiting === 0 ? '' : `, ${found.waiting} still to be published`
  console.log(`${found.compared} compared, ${found.differences.length} files differ${waiting}: ${place}`)
  for (const { path, found: what } of found.differences.slice(0, MOST_SHOWN))
    console.log(`  ${what}: ${path}`)
  if (found.differences.length > MOST_SHOWN) console.log('  ...')
  if (found.differences.length > 0) console.log('Rewrite them with: vidimus publish --all')
}
