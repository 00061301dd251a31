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
    .description('write everything that is published anew for others to serve, or compare it with the ledger')
    .addOption(new Option('--all', 'write everything anew').conflicts('verify'))
    .option(
      '--verify',
      'compare what is there with what is to be there; exits with 1 where something differs',
    )
    .addOption(configurationOption())
    .option('--json', 'print JSON')
    .action(publish)

async function publish({ config, all, verify, json }: Options): Promise<void> {
  if (!all && !verify) throw new AgentError('invalid_configuration', 'either --all or --verify must be given')
  if (all) await publishAll(config, json)
  else await verifyAll(config, json)
}

async function publishAll(config: string, json: boolean | undefined): Promise<void> {
  const { place, ...result } = await withPublication(config, async (publication) => ({
    place: publication.place,
    ...(await publication.publishAll()),
  }))
  if (json) console.log(harmlessJson({ place, ...result }))
  else console.log(`${result.subjects - result.left} of ${result.subjects} are published anew: ${place}`)
  if (result.left === 0) return
  process.exitCode = 1
  if (!json)
    console.log(`${result.left} could not be; the running service tries again. Its log has the reasons.`)
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
  if (found.differences.length > 0) console.log('vidimus publish --all writes them anew.')
}
