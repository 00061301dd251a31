import { setTimeout } from 'node:timers/promises'
import { runInAccountScope, type Account, type AnyAgent, type DIDRotation } from '@vidimus/core-types'
import { Command } from 'commander'
import { harmless, harmlessJson } from '../harmless.js'
import { configurationOption, withAgent, withCounters } from '../installation.js'

interface Options {
  config: string
  account: string
  key?: string
  kms?: string
  gracePeriod?: string
  json?: boolean
}

/** How often a rotation is looked at that is done by another process, in milliseconds. */
const LOOK_MS = 500

/** `vidimus did rotate-key|release` */
export function didCommand(): Command {
  const did = new Command('did').description('the DIDs of accounts')
  did
    .command('rotate-key <did>')
    .description(
      'replace the signing key of a DID: all its status lists are signed again, and the former key is removed from the document ' +
        'after its grace period. If interrupted, run it again to continue',
    )
    .requiredOption('--account <name>', 'account that holds the DID')
    .option('--key <kid>', 'a key of the account; default: a new one')
    .option('--kms <name>', 'the configured KMS in which the new key is made')
    .option(
      '--grace-period <duration>',
      'how long the former key stays in the document, such as P90D; PT0S removes it at once;  ' +
        'default: until the last registered credential that it signed has expired',
    )
    .addOption(configurationOption())
    .option('--json', 'print JSON')
    .action(rotateKey)
  did
    .command('release <did>')
    .description(
      'release the name of a did:web under the public URL whose account is deleted, or no longer has it: accounts to which it ' +
        'is granted can create it again',
    )
    .addOption(configurationOption())
    .action(release)
  return did
}

async function rotateKey(did: string, options: Options): Promise<void> {
  const { config, account: name, json, key, kms, gracePeriod } = options
  const rotation = await withAgent(config, async ({ agent, accounts }) => {
    const account = await accounts.get(name)
    const asked = { did, ...without({ key, kms, gracePeriod }) }
    const begun = await asAccount(account, agent, 'didRotateKey', asked)
    return followed(account, agent, begun, json === true ? () => undefined : tell)
  })
  if (json) console.log(harmlessJson(rotation))
  else console.log(rotationOutcome(rotation))
}

async function release(did: string, { config }: Pick<Options, 'config'>): Promise<void> {
  await withCounters(config, async (database) => {
    const { releaseWebDid } = await import('@vidimus/custody')
    return releaseWebDid(database, did)
  })
  console.log(harmless(`${did} can be created again`))
}

/** Waits until the new key signs everything, whichever process has it do so. */
async function followed(
  account: Account,
  agent: AnyAgent,
  begun: DIDRotation,
  show: (rotation: DIDRotation) => void,
): Promise<DIDRotation> {
  let rotation = begun
  while (rotation.state === 'adding' || rotation.state === 'signing') {
    show(rotation)
    await setTimeout(LOOK_MS)
    await agent.execute('didRotationContinue', {})
    rotation = await asAccount(account, agent, 'didRotationGet', { did: begun.did })
  }
  return rotation
}

const tell = ({ state, signedLists, failure }: DIDRotation) =>
  console.error(
    harmless(
      `${state}: ${signedLists} status lists${failure === undefined ? '' : `; ${failure}, trying again`}`,
    ),
  )

const asAccount = (account: Account, agent: AnyAgent, method: string, args: object): Promise<DIDRotation> =>
  runInAccountScope(account, () => agent.execute<object, DIDRotation>(method, args))

const without = (args: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined))

function rotationOutcome({ state, key, formerKey, removesAt, signedLists, failure }: DIDRotation): string {
  if (state === 'failed') return harmless(`the rotation stopped: ${failure ?? 'the log says why'}`)
  const signs = `${key} now signs; it has signed ${signedLists} status lists`
  if (state === 'done') return harmless(`${signs}; ${formerKey} was removed from the document`)
  const until = removesAt === undefined ? 'until you set --grace-period' : `until ${removesAt}`
  return harmless(`${signs}; ${formerKey} stays in the document ${until}`)
}
